package dleq

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
)

func statement(secret *edwards.Scalar, base *edwards.Point, other *edwards.Point) Statement {
	s := Statement{Other: other.Encode()}
	if base == nil {
		s.Public = new(edwards.Point).ScalarBaseMult(secret).Encode()
	} else {
		b := base.Encode()
		s.Base, s.Public = &b, new(edwards.Point).ScalarMult(secret, base).Encode()
	}
	s.Shared = new(edwards.Point).ScalarMult(secret, other).Encode()
	return s
}

func random(t testing.TB) *edwards.Scalar {
	s, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	return s
}

func cases(t testing.TB) map[string]Statement {
	secret := edwards.ScalarFromUint64(11)
	base, other := new(edwards.Point).ScalarBaseMult(random(t)), new(edwards.Point).ScalarBaseMult(random(t))
	return map[string]Statement{"generator": statement(secret, nil, other), "base": statement(secret, base, other)}
}

func TestProve(t *testing.T) {
	secret, message := edwards.ScalarFromUint64(11), [32]byte{9}
	for name, s := range cases(t) {
		for _, v := range []Version{V1, V2} {
			p, err := Prove(rand.Reader, v, message, s, secret)
			require.NoError(t, err, name)
			require.NoError(t, Verify(v, message, s, p), name)
			require.ErrorIs(t, Verify(3-v, message, s, p), ErrInvalid, "the proof has another version")
			require.ErrorIs(t, Verify(0, message, s, p), ErrMalformed)
			require.ErrorIs(t, Verify(v, [32]byte{8}, s, p), ErrInvalid)

			for field, change := range map[string]func(*Statement){
				"public": func(s *Statement) { s.Public = edwards.Base().Encode() },
				"other":  func(s *Statement) { s.Other = edwards.Base().Encode() },
				"shared": func(s *Statement) { s.Shared = edwards.Base().Encode() },
				"base":   func(s *Statement) { b := edwards.H().Encode(); s.Base = &b },
			} {
				wrong := s
				change(&wrong)
				require.ErrorIs(t, Verify(v, message, wrong, p), ErrInvalid, field)
				_, err := Prove(rand.Reader, v, message, wrong, secret)
				require.ErrorIs(t, err, ErrSecret, field)
			}
			bad := [32]byte{2} // y = 2 is not on the curve
			for _, wrong := range []Statement{{s.Base, bad, s.Other, s.Shared}, {s.Base, s.Public, bad, s.Shared},
				{s.Base, s.Public, s.Other, bad}, {&bad, s.Public, s.Other, s.Shared}} {
				require.ErrorIs(t, Verify(v, message, wrong, p), ErrMalformed)
				_, err := Prove(rand.Reader, v, message, wrong, secret)
				require.ErrorIs(t, err, ErrMalformed)
			}
			for _, field := range []*[32]byte{&p.C, &p.R} {
				good := *field
				field[0] ^= 1
				require.ErrorIs(t, Verify(v, message, s, p), ErrInvalid)
				*field = good
				field[31] |= 0x80
				require.ErrorIs(t, Verify(v, message, s, p), ErrMalformed)
				*field = good
			}
		}
	}
	_, err := Prove(rand.Reader, 3, message, cases(t)["base"], secret)
	require.ErrorIs(t, err, ErrMalformed)
	_, err = Prove(rand.Reader, V2, message, cases(t)["base"], nil)
	require.ErrorIs(t, err, ErrSecret)
}

// TestV1IsWeak makes a version 1 proof of a false statement: the challenge does not depend on the second base, so the
// base can be chosen to match the proof.
func TestV1IsWeak(t *testing.T) {
	message, secret := [32]byte{1}, edwards.ScalarFromUint64(11)
	public, shared := new(edwards.Point).ScalarBaseMult(secret), edwards.H()
	k, y := random(t), edwards.HashToPoint([32]byte{3})
	s := Statement{Public: public.Encode(), Shared: shared.Encode()}
	c := s.challenge(V1, message, new(edwards.Point).ScalarBaseMult(k), y)
	r := edwards.NewScalar().Multiply(c, secret)
	r.Subtract(k, r)
	// Y = c·D + r·A holds for A = (Y − c·D)/r.
	a := new(edwards.Point).Subtract(y, new(edwards.Point).ScalarMult(c, shared))
	s.Other = a.ScalarMult(edwards.NewScalar().Invert(r), a).Encode()
	forged := Proof{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}
	require.NoError(t, Verify(V1, message, s, forged))
	require.ErrorIs(t, Verify(V2, message, s, forged), ErrInvalid)
	_, err := Prove(rand.Reader, V1, message, s, secret)
	require.ErrorIs(t, err, ErrSecret, "the statement is false")
}

// TestSmallOrder: a proof may be valid for a shared point with torsion, but eight times this point, which is all that
// callers use, is right.
func TestSmallOrder(t *testing.T) {
	// (0, −1), of order two
	b, err := hex.DecodeString("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")
	require.NoError(t, err)
	minus, err := edwards.DecodePoint([32]byte(b))
	require.NoError(t, err)
	s := cases(t)["generator"]
	secret, message := edwards.ScalarFromUint64(11), [32]byte{1}
	honest, err := edwards.DecodePoint(s.Shared)
	require.NoError(t, err)
	other, err := edwards.DecodePoint(s.Other)
	require.NoError(t, err)
	off := new(edwards.Point).Add(honest, minus)
	s.Shared = off.Encode()
	passed := false
	for range 64 { // half of the challenges are even
		k := random(t)
		c := s.challenge(V2, message, new(edwards.Point).ScalarBaseMult(k), new(edwards.Point).ScalarMult(k, other))
		r := edwards.NewScalar().Multiply(c, secret)
		r.Subtract(k, r)
		passed = passed || Verify(V2, message, s, Proof{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}) == nil
	}
	require.True(t, passed)
	require.True(t, new(edwards.Point).MultByCofactor(off).Equal(new(edwards.Point).MultByCofactor(honest)))
}

func TestNonce(t *testing.T) {
	s, secret := cases(t)["base"], edwards.ScalarFromUint64(11)
	stuck := make([]byte, 64)
	nonceOf := func(message [32]byte) *edwards.Scalar {
		p, err := Prove(bytes.NewReader(stuck), V2, message, s, secret)
		require.NoError(t, err)
		c, err := edwards.DecodeScalar(p.C)
		require.NoError(t, err)
		r, err := edwards.DecodeScalar(p.R)
		require.NoError(t, err)
		return edwards.NewScalar().MultiplyAdd(c, secret, r)
	}
	require.Equal(t, 1, nonceOf([32]byte{1}).Equal(nonceOf([32]byte{1})))
	require.Equal(t, 0, nonceOf([32]byte{1}).Equal(nonceOf([32]byte{2})))
	_, err := Prove(bytes.NewReader(stuck[1:]), V2, [32]byte{}, s, secret)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
