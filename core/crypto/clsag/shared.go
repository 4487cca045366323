package clsag

import (
	"encoding/binary"
	"slices"

	"glim/core/crypto/edwards"
)

// Nonces is how many nonces a signer of a shared signature takes for one of its responses.
// Source: src/multisig/multisig_tx_builder_ringct.h, kAlphaComponents.
const Nonces = 2

// Points are commitments to nonces, multiples of G and of the real member's hash point: one signer's, or the sums of all signers'.
type Points struct{ G, H [Nonces][32]byte }

// Shared is a signature whose secret key is a sum, with a part at each of several signers. Everything in it is public but
// to the transaction's readers: which member is real is known to the signers.
//
// Two nonces a signer, merged by a factor that hashes all of them together with what is signed, keep a signer who
// chooses its nonces last from steering the challenge.
// Source: src/multisig/multisig_clsag_context.cpp; eprint 2020/1261 (MuSig2), section 4.
type Shared struct {
	challenges *transcript
	points     []member
	real       int
	responses  []*edwards.Scalar // nil at real
	images     *images
	muP, muC   *edwards.Scalar
	after      []byte // what the merging factor hashes after the nonces
}

// domainMerge separates the merging factor's hash. Source: src/cryptonote_config.h, HASH_KEY_CLSAG_ROUND_MULTISIG.
var domainMerge = domain("CLSAG_round_ms_merge_factor")

// Auxiliary returns the auxiliary key image of the ring member with a key, multiplied by 1/8: what Signature calls D. mask is
// what its commitment's mask exceeds the pseudo output's by. Constant time in mask.
func Auxiliary(key [32]byte, mask *edwards.Scalar) [32]byte {
	p := edwards.HashToPoint(key)
	return p.ScalarMult(invEight, p.ScalarMult(mask, p)).Encode()
}

// NewShared begins a signature of message by ring, whose member real has this key image. responses are the other members';
// what stands at real says nothing. ErrMalformed when something is no point or scalar, or counts do not fit.
// Source: src/multisig/multisig_clsag_context.cpp, init.
func NewShared(message [32]byte, ring []Member, real int, pseudoOut, keyImage, d [32]byte, responses [][32]byte) (*Shared, error) {
	if real < 0 || real >= len(ring) || len(responses) != len(ring) {
		return nil, ErrMalformed
	}
	image, err := edwards.DecodePoint(keyImage)
	if err != nil || image.IsIdentity() || !image.IsTorsionFree() {
		return nil, ErrMalformed
	}
	auxiliary, err := edwards.DecodePoint(d)
	if err != nil || auxiliary.MultByCofactor(auxiliary).IsIdentity() {
		return nil, ErrMalformed
	}
	points, err := decodeRing(ring, pseudoOut)
	if err != nil {
		return nil, err
	}
	s := &Shared{
		challenges: newTranscript(message, ring, pseudoOut), points: points, real: real,
		responses: make([]*edwards.Scalar, len(ring)),
	}
	whole := auxiliary.Encode()
	s.after = append(append(s.after, keyImage[:]...), whole[:]...)
	for i := range responses {
		if i == real {
			continue
		}
		if s.responses[i], err = edwards.DecodeScalar(responses[i]); err != nil {
			return nil, ErrMalformed
		}
		s.after = append(s.after, responses[i][:]...)
	}
	for _, n := range [...]int{real, Nonces, len(ring)} {
		var b [32]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		s.after = append(s.after, b[:]...)
	}
	s.muP, s.muC = s.challenges.weights(keyImage, d)
	s.images = newImages(s.muP, s.muC, image, auxiliary)
	answers := slices.Clone(s.responses)
	answers[real] = edwards.NewScalar() // none yet
	prepare(points, s.images, answers)
	return s, nil
}

// Bound returns what a challenge binds beside the sums of nonces: the ring, the message, key images and the other members' responses.
func (s *Shared) Bound() [][]byte {
	return [][]byte{s.challenges.ring, s.challenges.message[:], s.after}
}

// Challenge is what all signers of one attempt respond to.
type Challenge struct {
	C1    [32]byte // as in Signature
	merge *edwards.Scalar
	c     *edwards.Scalar
}

// Challenge returns the challenge that follows from the sums of all signers' nonces. ErrMalformed when one is no point of
// the prime-order subgroup, or the neutral one.
// Source: src/multisig/multisig_clsag_context.cpp, combine_alpha_and_compute_challenge.
func (s *Shared) Challenge(total Points) (*Challenge, error) {
	parts := [][]byte{domainMerge, s.challenges.ring, s.challenges.message[:]}
	var sums [2]*edwards.Point
	var points [2][Nonces]*edwards.Point
	for side, list := range [...]*[Nonces][32]byte{&total.G, &total.H} {
		for i := range list {
			p, err := Nonce(list[i])
			if err != nil {
				return nil, err
			}
			points[side][i] = p
			parts = append(parts, list[i][:])
		}
	}
	merge := edwards.HashToScalar(append(parts, s.after)...)
	for side := range sums {
		sums[side] = edwards.Identity()
		power := edwards.ScalarFromUint64(1)
		for _, p := range points[side] {
			sums[side].Add(sums[side], p.ScalarMult(power, p))
			power = edwards.NewScalar().Multiply(power, merge)
		}
	}
	ch := &Challenge{merge: merge, c: s.challenges.round(sums[0], sums[1])}
	for k := 1; k <= len(s.points); k++ {
		i := (s.real + k) % len(s.points)
		if i == 0 {
			ch.C1 = edwards.EncodeScalar(ch.c)
		}
		if i != s.real {
			ch.c = s.challenges.next(ch.c, s.responses[i], s.muP, s.muC, s.points[i], s.images)
		}
	}
	return ch, nil
}

// Nonce reads one point of Points. ErrMalformed when it is none of the prime-order subgroup, or the neutral one.
func Nonce(b [32]byte) (*edwards.Point, error) {
	p, err := edwards.DecodePoint(b)
	if err != nil || p.IsIdentity() || !p.IsTorsionFree() {
		return nil, ErrMalformed
	}
	return p, nil
}

// NoncePoints returns what commits to nonces for a signature with the ring member of this key. Constant time in the nonces.
// Source: src/multisig/multisig.cpp, generate_multisig_LR.
func NoncePoints(key [32]byte, nonce *edwards.Scalar) (g, h [32]byte) {
	return new(edwards.Point).ScalarBaseMult(nonce).Encode(), edwards.GenerateKeyImage(key, nonce)
}

// Respond returns one signer's part of the real member's response: the parts of all signers sum to it. key is the signer's part
// of the secret key; mask is what Auxiliary was given, from exactly one of the signers, and nil from the others. Nonces must
// never be used again, whatever becomes of the signature: two responses reveal the key. Constant time in the secrets.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, first_partial_sign and next_partial_sign.
func (s *Shared) Respond(ch *Challenge, nonces [Nonces]*edwards.Scalar, key, mask *edwards.Scalar) *edwards.Scalar {
	w := edwards.NewScalar().Multiply(s.muP, key)
	defer edwards.Wipe(w)
	if mask != nil {
		w.MultiplyAdd(s.muC, mask, w)
	}
	nonce := edwards.NewScalar()
	defer edwards.Wipe(nonce)
	for i := Nonces - 1; i >= 0; i-- {
		nonce.MultiplyAdd(nonce, ch.merge, nonces[i])
	}
	return edwards.NewScalar().Subtract(nonce, w.Multiply(w, ch.c))
}
