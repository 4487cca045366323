// Package dleq proves that two points are the same secret multiple of two other points (discrete logarithm equality).
// Monero's transaction proofs consist of such proofs.
package dleq

import (
	"errors"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// Errors of this package. All are permanent for the same input.
var (
	// ErrMalformed: a key is not a point, or a scalar is not reduced.
	ErrMalformed = errors.New("dleq: malformed statement or proof")
	// ErrInvalid: the proof is well formed, but not one of the statement with this message.
	ErrInvalid = errors.New("dleq: proof does not verify")
	// ErrSecret: the statement is false for the secret.
	ErrSecret = errors.New("dleq: secret does not match the statement")
)

// Version selects what the challenge depends on.
type Version uint8

// The versions. In version 1 the challenge does not depend on the bases and the public key, so anyone who chooses the
// second base can prove false statements. It is for checking old proofs; only tests make them.
const (
	V1 Version = 1
	V2 Version = 2
)

// Statement is the claim that Public = s·Base and Shared = s·Other for some s.
type Statement struct {
	Base   *[32]byte // nil means the generator G
	Public [32]byte
	Other  [32]byte
	Shared [32]byte
}

// Proof is a challenge and the response to it.
type Proof struct{ C, R [32]byte }

// Prove returns a proof that the statement holds for secret. The proof is bound to message. Prove returns ErrMalformed
// if a key is not a point, ErrSecret if the statement is false, or the error of rand. It is constant time in the
// secret. The nonce is a hash of 64 bytes of rand, the secret and everything proven, so that bad randomness alone does
// not reveal the key.
// Source: src/crypto/crypto.cpp, generate_tx_proof and generate_tx_proof_v1.
func Prove(rand io.Reader, v Version, message [32]byte, s Statement, secret *edwards.Scalar) (Proof, error) {
	p, err := s.decode()
	if err != nil || v != V1 && v != V2 {
		return Proof{}, ErrMalformed
	}
	if secret == nil || !times(secret, p.base).Equal(p.public) || !times(secret, p.other).Equal(p.shared) {
		return Proof{}, ErrSecret
	}
	k, err := s.nonce(rand, v, message, secret)
	if err != nil {
		return Proof{}, err
	}
	defer edwards.Wipe(k)
	c := s.challenge(v, message, times(k, p.base), times(k, p.other))
	r := edwards.NewScalar().Multiply(c, secret)
	return Proof{edwards.EncodeScalar(c), edwards.EncodeScalar(r.Subtract(k, r))}, nil
}

// Verify returns nil if proof proves s with message, and otherwise ErrMalformed or ErrInvalid. A valid proof proves
// the statement up to points of small order, which multiplication by eight removes.
// Source: src/crypto/crypto.cpp, check_tx_proof.
func Verify(v Version, message [32]byte, s Statement, proof Proof) error {
	p, err := s.decode()
	if err != nil || v != V1 && v != V2 {
		return ErrMalformed
	}
	c, err := edwards.DecodeScalar(proof.C)
	if err != nil {
		return ErrMalformed
	}
	r, err := edwards.DecodeScalar(proof.R)
	if err != nil {
		return ErrMalformed
	}
	weights := []*edwards.Scalar{c, r}
	base := p.base
	if base == nil {
		base = edwards.Base()
	}
	x := new(edwards.Point).VarTimeMultiScalarMult(weights, []*edwards.Point{p.public, base})
	y := new(edwards.Point).VarTimeMultiScalarMult(weights, []*edwards.Point{p.shared, p.other})
	if s.challenge(v, message, x, y).Equal(c) != 1 {
		return ErrInvalid
	}
	return nil
}

// points is a decoded statement. base is nil for the generator.
type points struct{ base, public, other, shared *edwards.Point }

func (s *Statement) decode() (p points, err error) {
	if s.Base != nil {
		if p.base, err = edwards.DecodePoint(*s.Base); err != nil {
			return p, err
		}
	}
	if p.public, err = edwards.DecodePoint(s.Public); err != nil {
		return p, err
	}
	if p.other, err = edwards.DecodePoint(s.Other); err != nil {
		return p, err
	}
	p.shared, err = edwards.DecodePoint(s.Shared)
	return p, err
}

func times(s *edwards.Scalar, p *edwards.Point) *edwards.Point {
	if p == nil {
		return new(edwards.Point).ScalarBaseMult(s)
	}
	return new(edwards.Point).ScalarMult(s, p)
}

var separator = keccak.Sum256([]byte("TXPROOF_V2"))

// challenge hashes the commitments x and y and, in version 2, the complete statement, where the generator counts as
// zeros.
// Source: src/crypto/crypto.cpp, s_comm_2_v1 and s_comm_2.
func (s *Statement) challenge(v Version, message [32]byte, x, y *edwards.Point) *edwards.Scalar {
	xb, yb := x.Encode(), y.Encode()
	if v == V1 {
		return edwards.HashToScalar(message[:], s.Shared[:], xb[:], yb[:])
	}
	return edwards.HashToScalar(message[:], s.Shared[:], xb[:], yb[:], separator[:], s.Public[:], s.Other[:], s.base())
}

func (s *Statement) base() []byte {
	if s.Base == nil {
		return make([]byte, 32)
	}
	return s.Base[:]
}

func (s *Statement) nonce(
	rand io.Reader, v Version, message [32]byte, secret *edwards.Scalar,
) (*edwards.Scalar, error) {
	var random [64]byte
	defer clear(random[:])
	if _, err := io.ReadFull(rand, random[:]); err != nil {
		return nil, err
	}
	b := edwards.EncodeScalar(secret)
	defer clear(b[:])
	seed := keccak.Sum256([]byte("glim_dleq_seed"), random[:], b[:], []byte{byte(v)}, message[:],
		s.base(), s.Public[:], s.Other[:], s.Shared[:])
	defer clear(seed[:])
	return edwards.HashToScalar([]byte("glim_dleq_nonce"), seed[:]), nil
}
