// Package ringsig makes the ring signatures of version 1 transactions: one of several keys signs and nobody sees which.
package ringsig

import (
	"errors"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// Errors of this package. None can be cured by trying again with the same input.
var (
	// ErrMalformed: a key, key image or scalar that has no place in a signature; or counts that do not fit.
	ErrMalformed = errors.New("ringsig: malformed ring or signature")
	// ErrInvalid: well formed, but not a signature of this message by this ring.
	ErrInvalid = errors.New("ringsig: signature does not verify")
	// ErrSecret: the secret key does not belong to the ring member it was said to.
	ErrSecret = errors.New("ringsig: secret does not fit the ring member")
)

// Signature is one ring member's part: a challenge and the response to it.
type Signature struct{ C, R [32]byte }

// Sign returns a signature of message by ring, whose member real has the given secret, and the key image of that
// member. ErrMalformed when a member is no point or real out of range, ErrSecret when the secret is another's, or the
// error of rand. Constant time in the secret. The nonces are a hash of 64 bytes of rand, the secret and everything
// signed: bad randomness alone reveals no key.
// Source: CryptoNote v2.0, section 4.4; src/crypto/crypto.cpp, generate_ring_signature.
func Sign(rand io.Reader, message [32]byte, ring [][32]byte, real int, secret *edwards.Scalar) ([]Signature, [32]byte, error) {
	zero := edwards.NewScalar()
	if real < 0 || real >= len(ring) || secret == nil {
		return nil, [32]byte{}, ErrMalformed
	}
	if secret.Equal(zero) == 1 || new(edwards.Point).ScalarBaseMult(secret).Encode() != ring[real] {
		return nil, [32]byte{}, ErrSecret
	}
	seed, err := newSeed(rand, message, ring, real, secret)
	if err != nil {
		return nil, [32]byte{}, err
	}
	defer clear(seed[:])

	own := edwards.HashToPoint(ring[real])
	image := new(edwards.Point).ScalarMult(secret, own)
	k := seed.scalar(real, 'k')
	defer k.Set(zero)
	sigs := make([]Signature, len(ring))
	hash := newTranscript(message, len(ring))
	sum := edwards.NewScalar()
	for i, key := range ring {
		if i == real {
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
	sigs[real] = Signature{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}
	return sigs, image.Encode(), nil
}

// Verify returns nil if sigs sign message with one key of ring whose key image is image; ErrMalformed or ErrInvalid
// otherwise. A key image outside the prime-order subgroup is malformed here, where the reference looks at it apart from
// the signature, or forgets to: with one of small order added, an output would have several key images.
// Source: src/crypto/crypto.cpp, check_ring_signature; src/cryptonote_core/cryptonote_core.cpp, check_tx_inputs_keyimages_domain.
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

// transcript is what the challenge hashes: the message and two commitments a member.
type transcript struct{ b []byte }

func newTranscript(message [32]byte, members int) *transcript {
	return &transcript{append(make([]byte, 0, 32+64*members), message[:]...)}
}

func (t *transcript) add(left, right *edwards.Point) {
	l, r := left.Encode(), right.Encode()
	t.b = append(append(t.b, l[:]...), r[:]...)
}

// member adds r·G + c·P and r·Hp(P) + c·I. Time depends on all of it; all of it is public.
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

// seed is what all random scalars of one signature come from. Equal seeds mean equal signatures, so that even a source
// of randomness that repeats itself never gives one nonce to two challenges.
type seed [32]byte

func newSeed(rand io.Reader, message [32]byte, ring [][32]byte, real int, secret *edwards.Scalar) (seed, error) {
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
	return keccak.Sum256([]byte("glim_ringsig_seed"), random[:], x[:], message[:], all[:], number(real)), nil
}

func (s *seed) scalar(member int, use byte) *edwards.Scalar {
	return edwards.HashToScalar([]byte("glim_ringsig_scalar"), s[:], number(member), []byte{use})
}

func number(i int) []byte { return []byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)} }
