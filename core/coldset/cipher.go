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

// Cipher encrypts and authenticates messages with a wallet's view key. Creating one computes a slow hash, so keep it
// with the wallet. Formatting it never prints the key.
type Cipher struct {
	key    [32]byte
	view   *edwards.Scalar
	spend  xmr.PublicKey // of the wallet's primary address
	public xmr.PublicKey
}

// NewCipher returns the cipher of a wallet, which may be view-only. rounds is the number of password hash rounds: 1
// unless the user of the reference chose otherwise; values below 1 count as 1.
func NewCipher(k *keys.Keys, rounds int) *Cipher {
	secret := k.ViewSecret()
	return &Cipher{key: chacha.Key(secret[:], rounds), view: k.ViewScalar(), public: k.ViewPublic, spend: k.SpendPublic}
}

// String hides the key.
func (*Cipher) String() string { return "[secret]" }

// GoString hides the key.
func (*Cipher) GoString() string { return "[secret]" }

// Encrypt returns an IV, the encrypted text, and a signature of both. The error is random's.
// Source: src/wallet/wallet2.cpp, encrypt.
func (b *Cipher) Encrypt(random io.Reader, plain []byte) ([]byte, error) {
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

// Decrypt returns the plain text of Encrypt. It returns ErrSeal for another view key or modified data.
// Source: src/wallet/wallet2.cpp, decrypt.
func (b *Cipher) Decrypt(sealed []byte) ([]byte, error) {
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

// EncryptMessage returns magic and plain encrypted. The error is random's.
func (b *Cipher) EncryptMessage(random io.Reader, magic string, plain []byte) ([]byte, error) {
	s, err := b.Encrypt(random, plain)
	if err != nil {
		return nil, err
	}
	return append([]byte(magic), s...), nil
}

// DecryptMessage returns the plain text of a message of EncryptMessage. It returns ErrMagic, ErrDeprecated, ErrVersion
// or ErrSeal.
func (b *Cipher) DecryptMessage(message []byte, magic string) ([]byte, error) {
	s, err := body(message, magic)
	if err != nil {
		return nil, err
	}
	return b.Decrypt(s)
}

// DecryptAddressed is DecryptMessage for a plain text that begins with Header, and returns the rest. It also returns
// wire.ErrShort, or ErrAccount when the header is another wallet's.
func (b *Cipher) DecryptAddressed(message []byte, magic string) ([]byte, error) {
	plain, err := b.DecryptMessage(message, magic)
	if err != nil {
		return nil, err
	}
	header := b.Header()
	if len(plain) < len(header) {
		return nil, wire.ErrShort
	}
	if !bytes.Equal(plain[:len(header)], header) {
		return nil, ErrAccount
	}
	return plain[len(header):], nil
}

// Header returns the public keys of the wallet's primary address, which precede outputs, key images and multisig info.
func (b *Cipher) Header() []byte { return append(b.spend[:], b.public[:]...) }
