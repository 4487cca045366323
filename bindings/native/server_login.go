package native

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"glim/core/rpc/digest"
)

// GenerateLogin returns a login for a service that was started without one: user "monero" with a password of 128 random
// bits. It writes the login to file as "user:password", readable only by its owner, and replaces an earlier file. The
// caller calls remove when the service ends, to delete the file.
// Source: src/wallet/wallet_rpc_server.cpp, wallet_rpc_server::init.
func GenerateLogin(file string, random io.Reader) (login digest.Login, remove func() error, err error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return digest.Login{}, nil, fmt.Errorf("native: randomness for a login: %w", err)
	}
	const user = "monero"
	password := base64.StdEncoding.EncodeToString(b[:])
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return digest.Login{}, nil, fmt.Errorf("native: login file: %w", err)
	}
	// O_EXCL fails if another program has created a file or a link there meanwhile.
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return digest.Login{}, nil, fmt.Errorf("native: login file: %w", err)
	}
	_, err = f.WriteString(user + ":" + password)
	if err = errors.Join(err, f.Close()); err != nil {
		return digest.Login{}, nil, errors.Join(fmt.Errorf("native: login file: %w", err), os.Remove(file))
	}
	return digest.NewLogin(user, password), func() error { return os.Remove(file) }, nil
}
