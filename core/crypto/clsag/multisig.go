package clsag

import (
	"encoding/binary"
	"slices"

	"glim/core/crypto/edwards"
)

// Nonces is the number of nonces that a signer needs for one response.
// Source: src/multisig/multisig_tx_builder_ringct.h, kAlphaComponents.
const Nonces = 2

// Points are commitments to nonces, multiples of G and of the real member's hash point: one signer's, or the sums over
// all signers.
type Points struct{ G, H [Nonces][32]byte }

// Multisig is a signature whose secret key is the sum of the signers' parts. It contains nothing that the signers must
// not know; only they know which ring member is real.
//
// Each signer uses two nonces, merged by a factor that hashes all nonces together with the message. This keeps a signer
// who chooses its nonces last from steering the challenge.
// Source: src/multisig/multisig_clsag_context.cpp; eprint 2020/1261 (MuSig2), section 4.
type Multisig struct {
	challenges *transcript
	points     []member
	real       int
	responses  []*edwards.Scalar // nil at real
	images     *images
	muP, muC   *edwards.Scalar
	after      []byte // input of the merging factor after the nonces
}

// domainMerge separates the merging factor's hash. Source: src/cryptonote_config.h, HASH_KEY_CLSAG_ROUND_MULTISIG.
var domainMerge = domain("CLSAG_round_ms_merge_factor")

// Auxiliary returns the auxiliary key image of the ring member with a key, multiplied by 1/8: Signature.D. mask is the
// difference between the masks of its commitment and the pseudo-output. Constant time in mask.
func Auxiliary(key [32]byte, mask *edwards.Scalar) [32]byte {
	p := edwards.HashToPoint(key)
	return p.ScalarMult(invEight, p.ScalarMult(mask, p)).Encode()
}

// NewMultisig starts a signature of message by ring, in which ring[realIndex] has this key image. responses are those
// of the other members; responses[realIndex] is ignored. It returns ErrMalformed for an invalid point or scalar or
// inconsistent lengths.
// Source: src/multisig/multisig_clsag_context.cpp, init.
func NewMultisig(
	message [32]byte, ring []Member, realIndex int, pseudoOut, keyImage, d [32]byte, responses [][32]byte,
) (*Multisig, error) {
	if realIndex < 0 || realIndex >= len(ring) || len(responses) != len(ring) {
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
	s := &Multisig{
		challenges: newTranscript(message, ring, pseudoOut), points: points, real: realIndex,
		responses: make([]*edwards.Scalar, len(ring)),
	}
	whole := auxiliary.Encode()
	s.after = append(append(s.after, keyImage[:]...), whole[:]...)
	for i := range responses {
		if i == realIndex {
			continue
		}
		if s.responses[i], err = edwards.DecodeScalar(responses[i]); err != nil {
			return nil, ErrMalformed
		}
		s.after = append(s.after, responses[i][:]...)
	}
	for _, n := range [...]int{realIndex, Nonces, len(ring)} {
		var b [32]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		s.after = append(s.after, b[:]...)
	}
	s.muP, s.muC = s.challenges.weights(keyImage, d)
	s.images = newImages(s.muP, s.muC, image, auxiliary)
	answers := slices.Clone(s.responses)
	answers[realIndex] = edwards.NewScalar() // still missing
	prepare(points, s.images, answers)
	return s, nil
}

// Bound returns the data that a challenge hashes besides the sums of nonces: the ring, the message, key images and the
// other members' responses.
func (s *Multisig) Bound() [][]byte {
	return [][]byte{s.challenges.ring, s.challenges.message[:], s.after}
}

// Challenge is the value to which all signers of one attempt respond.
type Challenge struct {
	C1    [32]byte // as in Signature
	merge *edwards.Scalar
	c     *edwards.Scalar
}

// Challenge returns the challenge for the sums of all signers' nonces. It returns ErrMalformed when one is not in the
// prime-order subgroup, or is its identity.
// Source: src/multisig/multisig_clsag_context.cpp, combine_alpha_and_compute_challenge.
func (s *Multisig) Challenge(total Points) (*Challenge, error) {
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

// Nonce decodes a point of Points. It returns ErrMalformed unless it is in the prime-order subgroup and not its
// identity.
func Nonce(b [32]byte) (*edwards.Point, error) {
	p, err := edwards.DecodePoint(b)
	if err != nil || p.IsIdentity() || !p.IsTorsionFree() {
		return nil, ErrMalformed
	}
	return p, nil
}

// NoncePoints returns the commitments to a nonce for a signature with the ring member of this key. Constant time in the
// nonce.
// Source: src/multisig/multisig.cpp, generate_multisig_LR.
func NoncePoints(key [32]byte, nonce *edwards.Scalar) (g, h [32]byte) {
	return new(edwards.Point).ScalarBaseMult(nonce).Encode(), edwards.GenerateKeyImage(key, nonce)
}

// Respond returns one signer's part of the real member's response; the parts of all signers sum to it. key is the
// signer's part of the secret key. mask is the argument of Auxiliary, from exactly one of the signers, and nil from the
// others. Nonces must never be reused, even if the signature is discarded: two responses reveal the key. Constant time
// in the secrets.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, first_partial_sign and next_partial_sign.
func (s *Multisig) Respond(ch *Challenge, nonces [Nonces]*edwards.Scalar, key, mask *edwards.Scalar) *edwards.Scalar {
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
