// Package lws runs the light-wallet server of core/lws: it stores accounts in a sealed database, reads blocks from a
// daemon, and answers HTTP requests.
package lws

import (
	"bytes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/crypto/chacha20poly1305"

	"glim/bindings/internal/chainfile"
	"glim/core/chain"
	"glim/core/lws"
)

var _ lws.Store = (*Store)(nil)

// Errors of the database.
var (
	// ErrLocked reports that another process uses the folder.
	ErrLocked = errors.New("another light-wallet server uses this folder: stop it, or choose another folder")
	// ErrForeign reports a file that is not a database of this server, or is damaged.
	ErrForeign = errors.New("not a database of glim lws, or damaged: move it away, or choose another folder")
	// ErrSeal reports a record that this key did not seal.
	ErrSeal = errors.New("the key does not open the database: use the key file that belongs to it")
)

// Store is a database in a file, which is locked until Close. Everything in it is sealed: without the key, it reveals
// only the number and the sizes of records.
type Store struct {
	file *chainfile.File
	seal sealer
}

// OpenStore opens the database in a folder, or creates it, readable by its owner only. It returns ErrLocked,
// ErrForeign, or an error of the file system. Load reports a wrong key.
func OpenStore(folder string, key Key, random io.Reader) (*Store, error) {
	f, err := chainfile.OpenKind(chainfile.LightWallet, folder, false)
	switch {
	case errors.Is(err, chainfile.ErrLocked):
		return nil, fmt.Errorf("%s: %w", folder, ErrLocked)
	case errors.Is(err, chainfile.ErrForeign), errors.Is(err, chainfile.ErrDamaged):
		return nil, fmt.Errorf("%s: %w", folder, ErrForeign)
	case err != nil:
		return nil, err
	}
	return &Store{f, newSealer(key, random)}, nil
}

// StoreExists reports whether a folder has a database.
func StoreExists(folder string) bool { return chainfile.LightWallet.Exists(folder) }

// Load implements lws.Store. It returns ErrSeal for a wrong key or a changed record.
func (s *Store) Load(visit func(key, value []byte) error) error {
	return s.file.Load(func(name, sealed []byte) error {
		key, value, err := s.seal.open(name, sealed)
		if err != nil {
			return err
		}
		return visit(key, value)
	})
}

// Commit implements lws.Store.
func (s *Store) Commit(put []lws.Record, drop [][]byte) error {
	records := make([]chain.Record, len(put))
	for i, r := range put {
		name, sealed, err := s.seal.close(r.Key, r.Value)
		if err != nil {
			return err
		}
		records[i] = chain.Record{Key: name, Value: sealed}
	}
	names := make([][]byte, len(drop))
	for i, key := range drop {
		names[i] = s.seal.name(key)
	}
	return s.file.Commit(records, names)
}

// Close closes the file and releases the lock.
func (s *Store) Close() error { return s.file.Close() }

// sealer encrypts records. The name of a record is a keyed hash of its key, so that it does not tell which outputs an
// account received; the key is encrypted with the value.
type sealer struct {
	names  [32]byte
	values cipher.AEAD // XChaCha20-Poly1305 with random nonces
	random io.Reader
}

func newSealer(key Key, random io.Reader) sealer {
	values, err := chacha20poly1305.NewX(derive(key, "values"))
	if err != nil {
		panic("unreachable: the key has the right length")
	}
	return sealer{[32]byte(derive(key, "names")), values, random}
}

// derive returns a key for one purpose.
func derive(key Key, purpose string) []byte {
	h := hmac.New(sha256.New, key[:])
	h.Write([]byte("glim lws " + purpose))
	return h.Sum(nil)
}

// nameSize is the length of names in bytes: two keys have the same one by chance only.
const nameSize = 20

func (s *sealer) name(key []byte) []byte {
	h := hmac.New(sha256.New, s.names[:])
	h.Write(key)
	return h.Sum(nil)[:nameSize]
}

func (s *sealer) close(key, value []byte) (name, sealed []byte, err error) {
	name = s.name(key)
	plain := binary.AppendUvarint(nil, uint64(len(key)))
	plain = append(append(plain, key...), value...)
	nonce := make([]byte, s.values.NonceSize(), s.values.NonceSize()+len(plain)+s.values.Overhead())
	if _, err := io.ReadFull(s.random, nonce); err != nil {
		return nil, nil, err
	}
	return name, s.values.Seal(nonce, nonce, plain, name), nil
}

// open returns the key and the value of a record, or ErrSeal.
func (s *sealer) open(name, sealed []byte) (key, value []byte, err error) {
	n := s.values.NonceSize()
	if len(sealed) < n {
		return nil, nil, ErrSeal
	}
	plain, err := s.values.Open(nil, sealed[:n], sealed[n:], name)
	if err != nil {
		return nil, nil, ErrSeal
	}
	size, read := binary.Uvarint(plain)
	if read <= 0 || size > uint64(len(plain)-read) {
		return nil, nil, ErrSeal
	}
	key, value = plain[read:read+int(size)], plain[read+int(size):]
	if !bytes.Equal(s.name(key), name) {
		return nil, nil, ErrSeal
	}
	return key, value, nil
}
