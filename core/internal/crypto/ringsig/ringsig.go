// Package ringsig makes and verifies the ring signatures of version 1 transactions. A signature proves that one of
// several keys has signed, without revealing which.
package ringsig

import (
	"errors"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// Errors of this package. All are permanent for the same input.
var (
	// ErrMalformed: a key, key image or scalar is invalid, or numbers of elements do not match.
	ErrMalformed = errors.New("ringsig: malformed ring or signature")
	// ErrInvalid: the signature is well formed, but not one of this message by this ring.
	ErrInvalid = errors.New("ringsig: signature does not verify")
	// ErrSecret: the secret key does not belong to the real ring member.
	ErrSecret = errors.New("ringsig: secret does not match the ring member")
)

// Signature is the part of one ring member: a challenge and the response to it.
type Signature struct{ C, R [32]byte }

// Sign returns a signature of message by ring, in which ring[realIndex] has the given secret, and the key image of that
// member. It returns ErrMalformed if a member is not a point or realIndex is out of range, ErrSecret if the secret does
// not match, or the error of rand. It is constant time in the secret. The nonces are a hash of 64 bytes of rand, the
// secret and everything signed, so that bad randomness alone does not reveal the key.
// Source: CryptoNote v2.0, section 4.4; src/crypto/crypto.cpp, generate_ring_signature.
func Sign(
	rand io.Reader, message [32]byte, ring [][32]byte, realIndex int, secret *edwards.Scalar,
) ([]Signature, [32]byte, error) {
	zero := edwards.NewScalar()
	if realIndex < 0 || realIndex >= len(ring) || secret == nil {
		return nil, [32]byte{}, ErrMalformed
	}
	if secret.Equal(zero) == 1 || new(edwards.Point).ScalarBaseMult(secret).Encode() != ring[realIndex] {
		return nil, [32]byte{}, ErrSecret
	}
	seed, err := newSeed(rand, message, ring, realIndex, secret)
	if err != nil {
		return nil, [32]byte{}, err
	}
	defer clear(seed[:])

	own := edwards.HashToPoint(ring[realIndex])
	image := new(edwards.Point).ScalarMult(secret, own)
	k := seed.scalar(realIndex, 'k')
	defer k.Set(zero)
	sigs := make([]Signature, len(ring))
	hash := newTranscript(message, len(ring))
	sum := edwards.NewScalar()
	for i, key := range ring {
		if i == realIndex {
			hash.add(new(edwards.Point).ScalarBaseMult(k), new(edwards.Point).ScalarMult(k, own))
			continue
		}
		c, r := seed.scalar(i, 'c'), seed.scalar(i, 'r')
		if err := hash.member(key, image, c, r); err != nil {
			return nil, [32]byte{}, err
		}
		sum.Add(sum, c)
		sigs[i] = Signature{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}
	}
	c := hash.challenge()
	c.Subtract(c, sum)
	r := edwards.NewScalar().Multiply(c, secret)
	r.Subtract(k, r)
	sigs[realIndex] = Signature{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}
	return sigs, image.Encode(), nil
}

// Verify returns nil if sigs sign message with one key of ring whose key image is image, and otherwise ErrMalformed or
// ErrInvalid. It also refuses key images outside the prime-order subgroup, which would give an output several key
// images. The reference checks this separately, and not everywhere.
// Source: src/crypto/crypto.cpp, check_ring_signature; src/cryptonote_core/cryptonote_core.cpp,
// check_tx_inputs_keyimages_domain.
func Verify(message [32]byte, ring [][32]byte, image [32]byte, sigs []Signature) error {
	if len(ring) == 0 || len(sigs) != len(ring) {
		return ErrMalformed
	}
	p, err := edwards.DecodePoint(image)
	if err != nil || p.IsIdentity() || !p.IsTorsionFree() {
		return ErrMalformed
	}
	hash := newTranscript(message, len(ring))
	sum := edwards.NewScalar()
	for i, key := range ring {
		c, err := edwards.DecodeScalar(sigs[i].C)
		if err != nil {
			return ErrMalformed
		}
		r, err := edwards.DecodeScalar(sigs[i].R)
		if err != nil {
			return ErrMalformed
		}
		if err := hash.member(key, p, c, r); err != nil {
			return err
		}
		sum.Add(sum, c)
	}
	if hash.challenge().Equal(sum) != 1 {
		return ErrInvalid
	}
	return nil
}

// transcript is the input of the challenge: the message, and two commitments for each member.
type transcript struct{ b []byte }

func newTranscript(message [32]byte, members int) *transcript {
	return &transcript{append(make([]byte, 0, 32+64*members), message[:]...)}
}

func (t *transcript) add(left, right *edwards.Point) {
	l, r := left.Encode(), right.Encode()
	t.b = append(append(t.b, l[:]...), r[:]...)
}

// member adds r·G + c·P and r·Hp(P) + c·I. Its time depends on all of these, which are public.
func (t *transcript) member(key [32]byte, image *edwards.Point, c, r *edwards.Scalar) error {
	p, err := edwards.DecodePoint(key)
	if err != nil {
		return ErrMalformed
	}
	t.add(p.VarTimeDoubleScalarBaseMult(c, p, r), new(edwards.Point).VarTimeMultiScalarMult(
		[]*edwards.Scalar{r, c}, []*edwards.Point{edwards.HashToPoint(key), image}))
	return nil
}

func (t *transcript) challenge() *edwards.Scalar { return edwards.HashToScalar(t.b) }

// seed is the source of all random scalars of a signature. Equal seeds mean equal signatures: even with repeated
// randomness no nonce is used for two challenges.
type seed [32]byte

func newSeed(rand io.Reader, message [32]byte, ring [][32]byte, realIndex int, secret *edwards.Scalar) (seed, error) {
	var random [64]byte
	defer clear(random[:])
	if _, err := io.ReadFull(rand, random[:]); err != nil {
		return seed{}, err
	}
	x := edwards.EncodeScalar(secret)
	defer clear(x[:])
	keys := make([]byte, 0, 32*len(ring))
	for _, k := range ring {
		keys = append(keys, k[:]...)
	}
	all := keccak.Sum256(keys)
	return keccak.Sum256([]byte("glim_ringsig_seed"), random[:], x[:], message[:], all[:], number(realIndex)), nil
}

func (s *seed) scalar(member int, use byte) *edwards.Scalar {
	return edwards.HashToScalar([]byte("glim_ringsig_scalar"), s[:], number(member), []byte{use})
}

func number(i int) []byte { return []byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)} }
