package lws

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"glim/bindings/native/files"
)

// Key is a secret in a file of the operator.
type Key [32]byte

// String hides the value.
func (Key) String() string { return "[key]" }

// GoString hides the value.
func (Key) GoString() string { return "[key]" }

// Errors of key files.
var (
	// ErrKeyMode reports a key file that others may read.
	ErrKeyMode = errors.New("other users may read the key file: make it readable by its owner only (chmod 600)")
	// ErrKeyText reports a file that is not a key file.
	ErrKeyText = errors.New("a key file must have 64 hexadecimal digits")
	// ErrKeyMissing reports a missing key file of an existing database.
	ErrKeyMissing = errors.New("the key file of the database is missing: restore it")
)

// maxKeyFile is the largest size of a key file in bytes.
const maxKeyFile = 128

// ReadKey reads a key file of 64 hexadecimal digits. If it is missing and create is true, it creates one that only its
// owner can read. It returns ErrKeyMode, ErrKeyText, ErrKeyMissing, or an error of the file system or of random.
func ReadKey(path string, create bool, random io.Reader) (Key, error) {
	text, err := files.Read(path, maxKeyFile)
	switch {
	case errors.Is(err, files.ErrMissing) && create:
		return createKey(path, random)
	case errors.Is(err, files.ErrMissing):
		return Key{}, fmt.Errorf("%s: %w", path, ErrKeyMissing)
	case errors.Is(err, files.ErrTooLarge):
		return Key{}, fmt.Errorf("%s: %w", path, ErrKeyText)
	case err != nil:
		return Key{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Key{}, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return Key{}, fmt.Errorf("%s: %w", path, ErrKeyMode)
	}
	k, err := ParseKey(string(text))
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// ParseKey reads 64 hexadecimal digits with white space around them. It returns ErrKeyText.
func ParseKey(text string) (k Key, err error) {
	text = strings.TrimSpace(text)
	if len(text) != 2*len(k) {
		return Key{}, ErrKeyText
	}
	if _, err := hex.Decode(k[:], []byte(text)); err != nil {
		return Key{}, ErrKeyText
	}
	return k, nil
}

func createKey(path string, random io.Reader) (k Key, err error) {
	if _, err := io.ReadFull(random, k[:]); err != nil {
		return Key{}, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Key{}, err
	}
	return k, files.WriteMissing(path, append(hex.AppendEncode(nil, k[:]), '\n'))
}
