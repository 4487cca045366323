package coldset

import (
	"bytes"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/internal/crypto/schnorr"
	"glim/core/keys"
	"glim/core/xmr"
)

const (
	ivSize        = chacha.IVSize
	signatureSize = 64
)

// Box encrypts and authenticates with a wallet's view key. Making one takes a slow hash: keep it with the wallet. A Box
// never prints.
type Box struct {
	key    [32]byte
	view   *edwards.Scalar
	spend  xmr.PublicKey // of the wallet's primary address, as is
	public xmr.PublicKey
}

// NewBox returns the box of a wallet, which may be view-only. rounds is how often the key is stretched: 1 unless the user
// of the reference program chose otherwise; below 1 is 1.
func NewBox(k *keys.Keys, rounds int) *Box {
	secret := k.ViewSecret()
	return &Box{key: chacha.Key(secret[:], rounds), view: k.ViewScalar(), public: k.ViewPublic, spend: k.SpendPublic}
}

// String hides the key.
func (*Box) String() string { return "[secret]" }

// GoString hides the key.
func (*Box) GoString() string { return "[secret]" }

// Seal returns plain encrypted: a random start, the text, a signature of both. The error is random's.
// Source: src/wallet/wallet2.cpp, encrypt.
func (b *Box) Seal(random io.Reader, plain []byte) ([]byte, error) {
	out := make([]byte, ivSize+len(plain), ivSize+len(plain)+signatureSize)
	if _, err := io.ReadFull(random, out[:ivSize]); err != nil {
		return nil, err
	}
	chacha.XOR(out[ivSize:], plain, &b.key, [ivSize]byte(out))
	s, err := schnorr.Sign(random, keccak.Sum256(out), b.public, b.view)
	if err != nil {
		return nil, err
	}
	return append(append(out, s.C[:]...), s.R[:]...), nil
}

// Open returns what was sealed with the same view key; otherwise ErrSeal.
// Source: src/wallet/wallet2.cpp, decrypt.
func (b *Box) Open(sealed []byte) ([]byte, error) {
	end := len(sealed) - signatureSize
	if end < ivSize {
		return nil, ErrSeal
	}
	s := schnorr.Signature{C: [32]byte(sealed[end:]), R: [32]byte(sealed[end+32:])}
	if schnorr.Verify(keccak.Sum256(sealed[:end]), b.public, s) != nil {
		return nil, ErrSeal
	}
	plain := make([]byte, end-ivSize)
	chacha.XOR(plain, sealed[ivSize:end], &b.key, [ivSize]byte(sealed))
	return plain, nil
}

// sealed puts magic before plain encrypted.
func (b *Box) sealed(random io.Reader, magic string, plain []byte) ([]byte, error) {
	s, err := b.Seal(random, plain)
	if err != nil {
		return nil, err
	}
	return append([]byte(magic), s...), nil
}

// opened returns what sealed was given.
func (b *Box) opened(message []byte, magic string) ([]byte, error) {
	s, err := body(message, magic)
	if err != nil {
		return nil, err
	}
	return b.Open(s)
}

// openedOwn is opened for what begins with the header, and returns what stands behind it. Errors: wire.ErrShort, ErrAccount, opened's.
func (b *Box) openedOwn(message []byte, magic string) ([]byte, error) {
	plain, err := b.opened(message, magic)
	if err != nil {
		return nil, err
	}
	header := b.header()
	if len(plain) < len(header) {
		return nil, wire.ErrShort
	}
	if !bytes.Equal(plain[:len(header)], header) {
		return nil, ErrAccount
	}
	return plain[len(header):], nil
}

// header is the wallet's address, which goes before outputs and key images.
func (b *Box) header() []byte { return append(b.spend[:], b.public[:]...) }
