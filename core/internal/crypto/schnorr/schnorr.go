// Package schnorr makes and verifies Monero's Schnorr signatures of a message by one key.
package schnorr

import (
	"errors"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// Errors of this package. All are permanent for the same input.
var (
	// ErrMalformed: a key is not a point, or a scalar is invalid.
	ErrMalformed = errors.New("schnorr: malformed key or signature")
	// ErrInvalid: the signature is well formed, but not one of this message by this key.
	ErrInvalid = errors.New("schnorr: signature does not verify")
	// ErrSecret: the secret key does not belong to the public key.
	ErrSecret = errors.New("schnorr: secret does not match the public key")
)

// Signature is a challenge and the response to it: R·G + C·P hashes to C.
type Signature struct{ C, R [32]byte }

// Sign returns a signature of message by the key with this public and secret half. It returns ErrSecret if they do not
// match, or the error of rand. It is constant time in the secret. The nonce is a hash of 64 bytes of rand, the secret
// and everything signed, so that bad randomness alone does not reveal the key.
// Source: src/crypto/crypto.cpp, generate_signature.
func Sign(rand io.Reader, message, public [32]byte, secret *edwards.Scalar) (Signature, error) {
	zero := edwards.NewScalar()
	if secret == nil || secret.Equal(zero) == 1 || new(edwards.Point).ScalarBaseMult(secret).Encode() != public {
		return Signature{}, ErrSecret
	}
	k, err := nonce(rand, message, public, secret)
	if err != nil {
		return Signature{}, err
	}
	defer k.Set(zero)
	c := challenge(message, public, new(edwards.Point).ScalarBaseMult(k))
	r := edwards.NewScalar().Multiply(c, secret)
	r.Subtract(k, r)
	if c.Equal(zero) == 1 || r.Equal(zero) == 1 {
		return Signature{}, ErrInvalid // probability 2^-252
	}
	return Signature{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}, nil
}

// Verify returns nil if sig signs message with the key public, and otherwise ErrMalformed or ErrInvalid.
// Source: src/crypto/crypto.cpp, check_signature.
func Verify(message, public [32]byte, sig Signature) error {
	p, err := edwards.DecodePoint(public)
	if err != nil {
		return ErrMalformed
	}
	c, err := edwards.DecodeScalar(sig.C)
	if err != nil || c.Equal(edwards.NewScalar()) == 1 {
		return ErrMalformed
	}
	r, err := edwards.DecodeScalar(sig.R)
	if err != nil {
		return ErrMalformed
	}
	commitment := p.VarTimeDoubleScalarBaseMult(c, p, r)
	if commitment.IsIdentity() || challenge(message, public, commitment).Equal(c) != 1 {
		return ErrInvalid
	}
	return nil
}

func challenge(message, public [32]byte, commitment *edwards.Point) *edwards.Scalar {
	b := commitment.Encode()
	return edwards.HashToScalar(message[:], public[:], b[:])
}

func nonce(rand io.Reader, message, public [32]byte, secret *edwards.Scalar) (*edwards.Scalar, error) {
	var random [64]byte
	defer clear(random[:])
	if _, err := io.ReadFull(rand, random[:]); err != nil {
		return nil, err
	}
	x := edwards.EncodeScalar(secret)
	defer clear(x[:])
	seed := keccak.Sum256([]byte("glim_schnorr_seed"), random[:], x[:], message[:], public[:])
	defer clear(seed[:])
	return edwards.HashToScalar([]byte("glim_schnorr_nonce"), seed[:]), nil
}
