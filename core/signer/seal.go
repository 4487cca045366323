package signer

import (
	"errors"
	"io"
	"slices"

	"glim/core/internal/codec/wire"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// A password gives two keys, by Argon2id and then a keyed hash for each: the first opens the wallet's log and is sent
// to the client, the second opens the sealed secrets and stays at the server. The format of sealed secrets, with
// numbers in little-endian order:
//
//	8 "glimkey" and the version, 1
//	4 Argon2id passes, 4 its memory in KiB, 4 its lanes, 16 salt
//	24 nonce
//	the secrets and a tag of 16 bytes, XChaCha20-Poly1305; additional data: all before the nonce
//
// The secrets are a byte for the network, 32 bytes of the spend key, 32 of the view key, and the length and bytes of
// the seed words, if these contain more than the spend key.
const (
	magic    = "glimkey\x01"
	headSize = 12 + 16

	forLog   = "glim wallet log"
	forSpend = "glim spend key"

	maxWords  = 1024
	maxSealed = len(magic) + headSize + 24 + 1 + 64 + 2 + maxWords + 16
)

// secrets are the server's data of a wallet.
type secrets struct {
	network xmr.Network
	keys    *keys.Keys
	words   []byte
}

func (x *secrets) clone() *secrets {
	spend, _ := x.keys.SpendSecret()
	defer clear(spend[:])
	k, err := keys.FromSecrets(spend, x.keys.ViewSecret())
	if err != nil {
		panic("unreachable: they were valid before")
	}
	return &secrets{x.network, k, slices.Clone(x.words)}
}

func (x *secrets) wipe() {
	if x == nil {
		return
	}
	x.keys.Forget()
	clear(x.words)
}

func (x *secrets) append(b []byte) []byte {
	spend, _ := x.keys.SpendSecret()
	defer clear(spend[:])
	view := x.keys.ViewSecret()
	b = slices.Grow(b, 1+64+2+len(x.words))
	b = append(append(append(b, byte(x.network)), spend[:]...), view[:]...)
	return append(wire.AppendVarint(b, uint64(len(x.words))), x.words...)
}

func parseSecrets(b []byte) (*secrets, error) {
	r := wire.NewReader(b)
	x := readSecrets(r)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return x, nil
}

func readSecrets(r *wire.Reader) *secrets {
	x := &secrets{network: xmr.Network(r.Byte())}
	spend, view := r.Bytes32(), r.Bytes32()
	defer clear(spend[:])
	x.words = slices.Clone(r.Bytes(r.Count(maxWords, 1)))
	if r.Err() != nil {
		return nil
	}
	if x.network > xmr.Regtest {
		r.Fail(ErrRequest)
		return nil
	}
	var err error
	if x.keys, err = keys.FromSecrets(spend, view); err != nil {
		r.Fail(err)
		return nil
	}
	return x
}

// seal returns x, which may be nil, sealed under a password, and the key of the log.
func seal(random io.Reader, x *secrets, password []byte, kdf journal.KDF) (journal.Key, []byte, error) {
	root, err := journal.NewKey(password, kdf, random)
	if err != nil {
		return journal.Key{}, nil, err
	}
	head := append([]byte(magic), root.Head()...)
	if x == nil {
		return root.For(forLog), head, nil
	}
	plain := x.append(nil)
	defer clear(plain)
	sealed, err := root.For(forSpend).Seal(random, plain, head)
	return root.For(forLog), append(head, sealed...), err
}

// WithoutSecrets returns the part of sealed secrets that turns a password into a key, for the file of a wallet that no
// longer has secrets.
func WithoutSecrets(sealed []byte) []byte { return sealed[:min(len(sealed), len(magic)+headSize)] }

// IsWithoutSecrets reports whether b is a result of WithoutSecrets.
func IsWithoutSecrets(b []byte) bool { return len(b) == len(magic)+headSize }

// unseal returns the secrets and the key of the log; nil secrets for a result of WithoutSecrets, with which any
// password seems right. It returns journal.ErrPassword, journal.ErrFormat or journal.ErrLimit.
func (s *Server) unseal(sealed, password []byte) (*secrets, journal.Key, error) {
	if len(sealed) > maxSealed || len(sealed) < len(magic)+headSize || string(sealed[:len(magic)]) != magic {
		return nil, journal.Key{}, journal.ErrFormat
	}
	head := sealed[:len(magic)+headSize]
	if err := s.checkKDF(readKDF(wire.NewReader(head[len(magic):]))); err != nil {
		return nil, journal.Key{}, err
	}
	root, err := journal.KeyOf(password, head[len(magic):])
	if err != nil {
		return nil, journal.Key{}, err
	}
	if IsWithoutSecrets(sealed) {
		return nil, root.For(forLog), nil
	}
	plain, err := root.For(forSpend).Open(sealed[len(head):], head)
	if err != nil {
		return nil, journal.Key{}, err
	}
	defer clear(plain)
	x, err := parseSecrets(plain)
	if err != nil {
		return nil, journal.Key{}, smallfmt.Errorf("%w: %w", journal.ErrFormat, err)
	}
	return x, root.For(forLog), nil
}

var errWords = errors.New("signer: too many words")
