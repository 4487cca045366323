// Package clsag makes the ring signatures of RingCT types 5 and 6: one ring member is spent and nobody sees which.
package clsag

import (
	"errors"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// Errors of this package. None can be cured by trying again with the same input.
var (
	// ErrMalformed: a key, point or scalar that has no place in a signature; or counts that do not fit.
	ErrMalformed = errors.New("clsag: malformed ring or signature")
	// ErrInvalid: well formed, but not a signature of this message by this ring.
	ErrInvalid = errors.New("clsag: signature does not verify")
	// ErrSecret: the secrets do not open the ring member they were said to.
	ErrSecret = errors.New("clsag: secrets do not fit the ring member")
)

// Member is one output of a ring: its one-time key and its amount commitment, as the chain has them.
type Member struct{ Key, Commitment [32]byte }

// Signature is what the wire carries. The key image travels in the transaction's input.
type Signature struct {
	S  [][32]byte // one response a ring member
	C1 [32]byte   // challenge of the first ring member
	D  [32]byte   // auxiliary key image (z − z')·Hp(P), multiplied by 1/8
}

// Secret opens one output.
type Secret struct {
	Key  *edwards.Scalar // x, with P = x·G
	Mask *edwards.Scalar // z, with C = z·G + amount·H
}

// String redacts: secrets do not belong in logs.
func (Secret) String() string { return "clsag.Secret(redacted)" }

// GoString redacts.
func (s Secret) GoString() string { return s.String() }

// Sign returns a signature of message by ring and the key image of ring[real], which secret opens. pseudoOut is
// pseudoMask·G + amount·H with the amount of the real commitment. ErrSecret if that is not so, ErrMalformed if a ring
// member is no point or real out of range, or the error of rand.
//
// Constant time in the secrets; what is public (the other ring members) is not. The nonces are a hash of 64 bytes of
// rand, the secrets and everything signed: bad randomness alone reveals no key.
// Source: eprint 2019/654, section 4; src/ringct/rctSigs.cpp, proveRctCLSAGSimple and CLSAG_Gen.
func Sign(rand io.Reader, message [32]byte, ring []Member, real int, secret Secret, pseudoMask *edwards.Scalar,
	pseudoOut [32]byte) (Signature, [32]byte, error) {
	if real < 0 || real >= len(ring) || secret.Key == nil || secret.Mask == nil || pseudoMask == nil {
		return Signature{}, [32]byte{}, ErrMalformed
	}
	points, err := decodeRing(ring, pseudoOut)
	if err != nil {
		return Signature{}, [32]byte{}, err
	}
	z := edwards.NewScalar().Subtract(secret.Mask, pseudoMask)
	defer wipe(z)
	own := new(edwards.Point).ScalarBaseMult(secret.Key)
	difference := new(edwards.Point).ScalarBaseMult(z)
	if !own.Equal(points[real].key) || !difference.Equal(points[real].difference) {
		return Signature{}, [32]byte{}, ErrSecret
	}
	if secret.Key.Equal(edwards.NewScalar()) == 1 || z.Equal(edwards.NewScalar()) == 1 {
		return Signature{}, [32]byte{}, ErrSecret // images at infinity, which no verifier takes
	}

	image := new(edwards.Point).ScalarMult(secret.Key, points[real].hash)
	keyImage := image.Encode()
	auxiliary := new(edwards.Point).ScalarMult(z, points[real].hash)
	sig := Signature{
		S: make([][32]byte, len(ring)),
		D: new(edwards.Point).ScalarMult(invEight, auxiliary).Encode(),
	}
	challenges := newTranscript(message, ring, pseudoOut)
	seed, err := challenges.seed(rand, real, secret.Key, z)
	if err != nil {
		return Signature{}, [32]byte{}, err
	}
	defer clear(seed[:])

	nonce := edwards.HashToScalar([]byte("glim_clsag_nonce"), seed[:])
	defer wipe(nonce)
	c := challenges.round(new(edwards.Point).ScalarBaseMult(nonce),
		new(edwards.Point).ScalarMult(nonce, points[real].hash))
	muP, muC := challenges.weights(keyImage, sig.D)
	images := newImages(muP, muC, image, auxiliary)
	for k := 1; k <= len(ring); k++ {
		i := (real + k) % len(ring)
		if i == 0 {
			sig.C1 = edwards.EncodeScalar(c)
		}
		if i == real {
			break
		}
		s := edwards.HashToScalar([]byte("glim_clsag_decoy"), seed[:], []byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)})
		sig.S[i] = edwards.EncodeScalar(s)
		c = challenges.next(c, s, muP, muC, points[i], images)
	}
	// s = nonce − c·(μP·x + μC·z)
	w := edwards.NewScalar().Multiply(muP, secret.Key)
	defer wipe(w)
	w.MultiplyAdd(muC, z, w)
	w.Multiply(w, c)
	sig.S[real] = edwards.EncodeScalar(w.Subtract(nonce, w))
	return sig, keyImage, nil
}

// Verify returns nil if sig signs message with one key of ring whose key image is keyImage and whose amount is
// pseudoOut's. ErrMalformed or ErrInvalid otherwise. A key image outside the prime-order subgroup is malformed here,
// where the reference looks at it apart from the signature.
// Source: src/ringct/rctSigs.cpp, verRctCLSAGSimple; src/cryptonote_core/cryptonote_core.cpp, check_tx_inputs_keyimages_domain.
func Verify(message [32]byte, ring []Member, pseudoOut, keyImage [32]byte, sig Signature) error {
	if len(ring) == 0 || len(sig.S) != len(ring) {
		return ErrMalformed
	}
	responses := make([]*edwards.Scalar, len(ring))
	for i := range responses {
		s, err := edwards.DecodeScalar(sig.S[i])
		if err != nil {
			return ErrMalformed
		}
		responses[i] = s
	}
	c1, err := edwards.DecodeScalar(sig.C1)
	if err != nil {
		return ErrMalformed
	}
	image, err := edwards.DecodePoint(keyImage)
	if err != nil || image.IsIdentity() || !image.IsTorsionFree() {
		return ErrMalformed
	}
	auxiliary, err := edwards.DecodePoint(sig.D)
	if err != nil || auxiliary.MultByCofactor(auxiliary).IsIdentity() {
		return ErrMalformed
	}
	points, err := decodeRing(ring, pseudoOut)
	if err != nil {
		return err
	}

	challenges := newTranscript(message, ring, pseudoOut)
	muP, muC := challenges.weights(keyImage, sig.D)
	images := newImages(muP, muC, image, auxiliary)
	c, zero := c1, edwards.NewScalar()
	for i, s := range responses {
		c = challenges.next(c, s, muP, muC, points[i], images)
		if c.Equal(zero) == 1 {
			return ErrInvalid
		}
	}
	if c.Equal(c1) != 1 {
		return ErrInvalid
	}
	return nil
}

// member is a ring member as points: P, C − C' and Hp(P).
type member struct{ key, difference, hash *edwards.Point }

func decodeRing(ring []Member, pseudoOut [32]byte) ([]member, error) {
	offset, err := edwards.DecodePoint(pseudoOut)
	if err != nil {
		return nil, ErrMalformed
	}
	points := make([]member, len(ring))
	for i, m := range ring {
		key, err := edwards.DecodePoint(m.Key)
		if err != nil {
			return nil, ErrMalformed
		}
		commitment, err := edwards.DecodePoint(m.Commitment)
		if err != nil {
			return nil, ErrMalformed
		}
		points[i] = member{key, commitment.Subtract(commitment, offset), edwards.HashToPoint(m.Key)}
	}
	return points, nil
}

// newImages prepares μP·I + μC·D of the key image and the auxiliary one (not divided by 8), which every ring member meets.
// Both must be of the prime-order subgroup. Time depends on all of it.
func newImages(muP, muC *edwards.Scalar, key, auxiliary *edwards.Point) []*edwards.Table {
	sum := new(edwards.Point).VarTimeTableMult(nil, nil, []*edwards.Scalar{muP, muC}, []*edwards.Point{key, auxiliary})
	return edwards.NewTables([]*edwards.Point{sum}, 6)
}

// transcript hashes what every challenge binds: the ring, the pseudo output and the message.
type transcript struct {
	ring    []byte // keys, commitments, pseudo output
	message [32]byte
}

func newTranscript(message [32]byte, ring []Member, pseudoOut [32]byte) *transcript {
	b := make([]byte, 0, 64*len(ring)+32)
	for _, m := range ring {
		b = append(b, m.Key[:]...)
	}
	for _, m := range ring {
		b = append(b, m.Commitment[:]...)
	}
	return &transcript{append(b, pseudoOut[:]...), message}
}

// The domain separators are padded with zeros to a key's length.
// Source: src/cryptonote_config.h, HASH_KEY_CLSAG_AGG_0, HASH_KEY_CLSAG_AGG_1 and HASH_KEY_CLSAG_ROUND.
var (
	domainP     = domain("CLSAG_agg_0")
	domainC     = domain("CLSAG_agg_1")
	domainRound = domain("CLSAG_round")
)

func domain(name string) []byte {
	var b [32]byte
	copy(b[:], name)
	return b[:]
}

var invEight = edwards.NewScalar().Invert(edwards.ScalarFromUint64(8))

// weights returns the factors that merge the two rings, of keys and of commitments, into one.
func (t *transcript) weights(keyImage, d [32]byte) (muP, muC *edwards.Scalar) {
	// The ring comes first, then the images, then the pseudo output.
	ring, pseudoOut := t.ring[:len(t.ring)-32], t.ring[len(t.ring)-32:]
	return edwards.HashToScalar(domainP, ring, keyImage[:], d[:], pseudoOut),
		edwards.HashToScalar(domainC, ring, keyImage[:], d[:], pseudoOut)
}

// round returns the challenge that follows the commitments l and r.
func (t *transcript) round(l, r *edwards.Point) *edwards.Scalar {
	lb, rb := l.Encode(), r.Encode()
	return edwards.HashToScalar(domainRound, t.ring, t.message[:], lb[:], rb[:])
}

// next returns the challenge after ring member m answered challenge c with s:
// L = s·G + c·(μP·P + μC·(C − C')), R = s·Hp(P) + c·(μP·I + μC·D). Time depends on all of it; all of it is public. images is
// newImages's.
func (t *transcript) next(c, s, muP, muC *edwards.Scalar, m member, images []*edwards.Table) *edwards.Scalar {
	cs := []*edwards.Scalar{edwards.NewScalar().Multiply(c, muP), edwards.NewScalar().Multiply(c, muC)}
	ss := []*edwards.Scalar{s}
	l := new(edwards.Point).VarTimeTableMult(ss, base, cs, []*edwards.Point{m.key, m.difference})
	r := new(edwards.Point).VarTimeTableMult([]*edwards.Scalar{c}, images, ss, []*edwards.Point{m.hash})
	return t.round(l, r)
}

var base = edwards.KeptTables([]*edwards.Point{edwards.Base()}, 8)

// seed hashes randomness, the secrets and everything to be signed. Equal seeds thus mean equal signatures, so that
// even a source of randomness that repeats itself never gives one nonce to two challenges.
func (t *transcript) seed(rand io.Reader, real int, key, z *edwards.Scalar) ([32]byte, error) {
	var random [64]byte
	defer clear(random[:])
	if _, err := io.ReadFull(rand, random[:]); err != nil {
		return [32]byte{}, err
	}
	kb, zb := edwards.EncodeScalar(key), edwards.EncodeScalar(z)
	defer clear(kb[:])
	defer clear(zb[:])
	return keccak.Sum256([]byte("glim_clsag_seed"), random[:], kb[:], zb[:], t.message[:], t.ring,
		[]byte{byte(real), byte(real >> 8), byte(real >> 16), byte(real >> 24)}), nil
}

func wipe(s *edwards.Scalar) { s.Set(edwards.NewScalar()) }
