// Package clsag makes and verifies CLSAG signatures, the ring signatures of RingCT types 5 and 6. A signature proves
// that one member of a ring is spent without revealing which.
package clsag

import (
	"errors"
	"io"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// Errors of this package. All are permanent for the same input.
var (
	// ErrMalformed: a key, point or scalar is invalid, or numbers of elements do not match.
	ErrMalformed = errors.New("clsag: malformed ring or signature")
	// ErrInvalid: the signature is well formed, but not one of this message by this ring.
	ErrInvalid = errors.New("clsag: signature does not verify")
	// ErrSecret: the secrets do not open the real ring member.
	ErrSecret = errors.New("clsag: secrets do not open the ring member")
)

// Member is an output in a ring: its one-time key and its amount commitment.
type Member struct{ Key, Commitment [32]byte }

// Signature is a signature as in transactions, where the key image is in the input.
type Signature struct {
	S  [][32]byte // one response for each ring member
	C1 [32]byte   // challenge of the first ring member
	D  [32]byte   // auxiliary key image (z − z')·Hp(P), multiplied by 1/8
}

// Secret are the secrets that open an output.
type Secret struct {
	Key  *edwards.Scalar // x, with P = x·G
	Mask *edwards.Scalar // z, with C = z·G + amount·H
}

// String returns a placeholder, because secrets do not belong in logs.
func (Secret) String() string { return "clsag.Secret(redacted)" }

// GoString returns a placeholder.
func (s Secret) GoString() string { return s.String() }

// Sign is SignWithHint without the hint.
func Sign(
	rand io.Reader, message [32]byte, ring []Member, realIndex int, secret Secret, pseudoMask *edwards.Scalar,
	pseudoOut [32]byte,
) (Signature, [32]byte, error) {
	sig, image, _, err := SignWithHint(rand, message, ring, realIndex, secret, pseudoMask, pseudoOut)
	return sig, image, err
}

// SignWithHint returns a signature of message by ring, the key image of ring[realIndex], which secret opens, and a hint
// that speeds up verification. pseudoOut is pseudoMask·G + amount·H with the amount of the real commitment.
// SignWithHint returns ErrSecret if secret or pseudoMask do not match, ErrMalformed if a ring member is not a point or
// realIndex is out of range, or the error of rand.
//
// It is constant time in the secrets, but not in the other ring members, which are public. The nonces are a hash of 64
// bytes of rand, the secrets and everything signed, so that bad randomness alone does not reveal the key.
// Source: eprint 2019/654, section 4; src/ringct/rctSigs.cpp, proveRctCLSAGSimple and CLSAG_Gen.
func SignWithHint(
	rand io.Reader, message [32]byte, ring []Member, realIndex int, secret Secret, pseudoMask *edwards.Scalar,
	pseudoOut [32]byte,
) (Signature, [32]byte, *Hint, error) {
	if realIndex < 0 || realIndex >= len(ring) || secret.Key == nil || secret.Mask == nil || pseudoMask == nil {
		return Signature{}, [32]byte{}, nil, ErrMalformed
	}
	points, err := decodeRing(ring, pseudoOut)
	if err != nil {
		return Signature{}, [32]byte{}, nil, err
	}
	z := edwards.NewScalar().Subtract(secret.Mask, pseudoMask)
	defer edwards.Wipe(z)
	own := new(edwards.Point).ScalarBaseMult(secret.Key)
	difference := new(edwards.Point).ScalarBaseMult(z)
	if !own.Equal(points[realIndex].key) || !difference.Equal(points[realIndex].difference) {
		return Signature{}, [32]byte{}, nil, ErrSecret
	}
	if secret.Key.Equal(edwards.NewScalar()) == 1 || z.Equal(edwards.NewScalar()) == 1 {
		// the images would be the neutral element, which verifiers refuse
		return Signature{}, [32]byte{}, nil, ErrSecret
	}

	challenges := newTranscript(message, ring, pseudoOut)
	seed, err := challenges.seed(rand, realIndex, secret.Key, z)
	if err != nil {
		return Signature{}, [32]byte{}, nil, err
	}
	defer clear(seed[:])
	nonce := edwards.HashToScalar([]byte("glim_clsag_nonce"), seed[:])
	defer edwards.Wipe(nonce)

	// Both images, the second divided by 8, and the commitment to the nonce are three multiples of one point.
	zEighth := edwards.NewScalar().Multiply(z, invEight)
	defer edwards.Wipe(zEighth)
	sums := edwards.Sums{Secret: true}
	hash := sums.Point(points[realIndex].hash)
	for _, s := range []*edwards.Scalar{secret.Key, zEighth, nonce} {
		sums.Add(s, hash)
		sums.End()
	}
	multiples := sums.Make()
	image, auxiliary := multiples[0], new(edwards.Point).MultByCofactor(multiples[1])
	encoded := edwards.EncodePoints(image, multiples[1])
	keyImage := encoded[0]
	sig := Signature{S: make([][32]byte, len(ring)), D: encoded[1]}
	c := challenges.round(new(edwards.Point).ScalarBaseMult(nonce), multiples[2])
	muP, muC := challenges.weights(keyImage, sig.D)
	images := newImages(muP, muC, image, auxiliary)
	decoys := make([]*edwards.Scalar, len(ring))
	for i := range decoys { // without the real one, which is secret
		index := []byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)}
		decoys[i] = edwards.HashToScalar([]byte("glim_clsag_decoy"), seed[:], index)
	}
	prepare(points, images, decoys)
	hint := &Hint{
		ring: slices.Clone(ring), pseudoOut: pseudoOut, points: points, challenges: make([]*edwards.Scalar, len(ring)),
	}
	for k := 1; k <= len(ring); k++ {
		i := (realIndex + k) % len(ring)
		hint.challenges[i] = c
		if i == 0 {
			sig.C1 = edwards.EncodeScalar(c)
		}
		if i == realIndex {
			break
		}
		sig.S[i] = edwards.EncodeScalar(decoys[i])
		c = challenges.next(c, decoys[i], muP, muC, points[i], images)
	}
	// s = nonce − c·(μP·x + μC·z)
	w := edwards.NewScalar().Multiply(muP, secret.Key)
	defer edwards.Wipe(w)
	w.MultiplyAdd(muC, z, w)
	w.Multiply(w, c)
	sig.S[realIndex] = edwards.EncodeScalar(w.Subtract(nonce, w))
	return sig, keyImage, hint, nil
}

// Verify returns nil if sig signs message with one key of ring whose key image is keyImage and whose amount is that of
// pseudoOut. Otherwise it returns ErrMalformed or ErrInvalid. It also refuses key images outside the prime-order
// subgroup, which the reference checks separately from signatures.
// Source: src/ringct/rctSigs.cpp, verRctCLSAGSimple; src/cryptonote_core/cryptonote_core.cpp,
// check_tx_inputs_keyimages_domain.
func Verify(message [32]byte, ring []Member, pseudoOut, keyImage [32]byte, sig Signature) error {
	p, err := parse(ring, keyImage, sig)
	if err != nil {
		return err
	}
	points, err := decodeRing(ring, pseudoOut)
	if err != nil {
		return err
	}
	challenges := newTranscript(message, ring, pseudoOut)
	muP, muC := challenges.weights(keyImage, sig.D)
	images := newImages(muP, muC, p.image, p.auxiliary)
	prepare(points, images, p.responses)
	c, zero := p.c1, edwards.NewScalar()
	for i, s := range p.responses {
		c = challenges.next(c, s, muP, muC, points[i], images)
		if c.Equal(zero) == 1 {
			return ErrInvalid
		}
	}
	if c.Equal(p.c1) != 1 {
		return ErrInvalid
	}
	return nil
}

// parsed is a decoded signature without its ring.
type parsed struct {
	responses        []*edwards.Scalar
	c1               *edwards.Scalar
	image, auxiliary *edwards.Point // the latter multiplied by 8
}

// parse decodes a signature, or returns ErrMalformed.
func parse(ring []Member, keyImage [32]byte, sig Signature) (*parsed, error) {
	if len(ring) == 0 || len(sig.S) != len(ring) {
		return nil, ErrMalformed
	}
	p := &parsed{responses: make([]*edwards.Scalar, len(ring))}
	for i := range p.responses {
		s, err := edwards.DecodeScalar(sig.S[i])
		if err != nil {
			return nil, ErrMalformed
		}
		p.responses[i] = s
	}
	var err error
	if p.c1, err = edwards.DecodeScalar(sig.C1); err != nil {
		return nil, ErrMalformed
	}
	if p.image, err = edwards.DecodePoint(keyImage); err != nil || p.image.IsIdentity() || !p.image.IsTorsionFree() {
		return nil, ErrMalformed
	}
	if p.auxiliary, err = edwards.DecodePoint(sig.D); err != nil {
		return nil, ErrMalformed
	}
	if p.auxiliary.MultByCofactor(p.auxiliary).IsIdentity() {
		return nil, ErrMalformed
	}
	return p, nil
}

// member is a ring member as points: P, C − C' and Hp(P).
type member struct {
	key, difference, hash *edwards.Point
	splits                [3]*edwards.Split // the three points prepared, for challenges that depend on one another
	onG                   *edwards.Point    // its answer times G
}

// prepare computes what does not depend on challenges: the ring members as points, with their responses.
func prepare(points []member, images *images, responses []*edwards.Scalar) {
	all := []*edwards.Point{images.sum}
	if !edwards.MaySplit {
		images.table = edwards.NewTables(all, 6)
		return
	}
	for _, p := range points {
		all = append(all, p.key, p.difference, p.hash)
	}
	splits := edwards.NewSplits(all)
	if !splits[0].Shorter() {
		images.table = edwards.NewTables(all[:1], 6)
		return
	}
	images.split = splits[0]
	onG := edwards.VarTimeBaseMults(responses)
	for i := range points {
		points[i].splits = [3]*edwards.Split(splits[1+3*i:])
		points[i].onG = onG[i]
	}
}

func decodeRing(ring []Member, pseudoOut [32]byte) ([]member, error) {
	encoded := make([][32]byte, 0, 2*len(ring)+1)
	for _, m := range ring {
		encoded = append(encoded, m.Key)
	}
	keys := encoded[:len(ring):len(ring)]
	for _, m := range ring {
		encoded = append(encoded, m.Commitment)
	}
	decoded, err := edwards.DecodePoints(append(encoded, pseudoOut))
	if err != nil {
		return nil, ErrMalformed
	}
	offset := decoded[2*len(ring)]
	hashes := edwards.HashToPoints(keys)
	points := make([]member, len(ring))
	for i := range points {
		commitment := decoded[len(ring)+i]
		points[i] = member{key: decoded[i], difference: commitment.Subtract(commitment, offset), hash: hashes[i]}
	}
	return points, nil
}

// images is μP·I + μC·D of the key image and the auxiliary key image (not divided by 8), which every ring member uses.
type images struct {
	sum   *edwards.Point
	table []*edwards.Table // one of these two, of prepare
	split *edwards.Split
}

// newImages computes the sum. Both points must be in the prime-order subgroup. Its time depends on everything.
func newImages(muP, muC *edwards.Scalar, key, auxiliary *edwards.Point) *images {
	scalars, points := []*edwards.Scalar{muP, muC}, []*edwards.Point{key, auxiliary}
	return &images{sum: new(edwards.Point).VarTimeTableMult(nil, nil, scalars, points)}
}

// transcript hashes what every challenge depends on: the ring, the pseudo output and the message.
type transcript struct {
	ring    []byte // keys, commitments, pseudo output
	message [32]byte
	rounds  keccak.Prefix // common prefix of all challenges
}

func newTranscript(message [32]byte, ring []Member, pseudoOut [32]byte) *transcript {
	b := make([]byte, 0, 64*len(ring)+32)
	for _, m := range ring {
		b = append(b, m.Key[:]...)
	}
	for _, m := range ring {
		b = append(b, m.Commitment[:]...)
	}
	b = append(b, pseudoOut[:]...)
	return &transcript{b, message, keccak.NewPrefix(domainRound, b, message[:])}
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

// weights returns the factors μP and μC that combine the rings of keys and of commitments.
func (t *transcript) weights(keyImage, d [32]byte) (muP, muC *edwards.Scalar) {
	// The ring comes first, then the images, then the pseudo output.
	ring, pseudoOut := t.ring[:len(t.ring)-32], t.ring[len(t.ring)-32:]
	return edwards.HashToScalar(domainP, ring, keyImage[:], d[:], pseudoOut),
		edwards.HashToScalar(domainC, ring, keyImage[:], d[:], pseudoOut)
}

// round returns the challenge for the commitments l and r.
func (t *transcript) round(l, r *edwards.Point) *edwards.Scalar {
	b := edwards.EncodePoints(l, r)
	return t.follow(&b[0], &b[1])
}

func (t *transcript) follow(l, r *[32]byte) *edwards.Scalar {
	return edwards.ReduceScalar(t.rounds.Sum256(l[:], r[:]))
}

// next returns the challenge after ring member m has responded to challenge c with s:
// L = s·G + c·(μP·P + μC·(C − C')), R = s·Hp(P) + c·(μP·I + μC·D). Its time depends on all of these, which are public.
func (t *transcript) next(c, s, muP, muC *edwards.Scalar, m member, images *images) *edwards.Scalar {
	var sums edwards.Sums
	cP, cC := edwards.NewScalar().Multiply(c, muP), edwards.NewScalar().Multiply(c, muC)
	if !edwards.MaySplit || images.split == nil {
		sums.Add(s, sums.Table(base[0]))
		sums.Add(cP, sums.Point(m.key))
		sums.Add(cC, sums.Point(m.difference))
		sums.End()
		sums.Add(c, sums.Table(images.table[0]))
		sums.Add(s, sums.Point(m.hash))
		sums.End()
		lr := sums.Make()
		return t.round(lr[0], lr[1])
	}
	sums.AddSplit(cP, m.splits[0])
	sums.AddSplit(cC, m.splits[1])
	sums.End()
	sums.AddSplit(c, images.split)
	sums.AddSplit(s, m.splits[2])
	sums.End()
	lr := sums.Make()
	return t.round(lr[0].Add(lr[0], m.onG), lr[1])
}

var base = edwards.NewPermanentTables([]*edwards.Point{edwards.Base()}, 8)

// seed hashes randomness, the secrets and everything signed. Equal seeds therefore mean equal signatures: even with
// repeated randomness no nonce is used for two challenges.
func (t *transcript) seed(rand io.Reader, realIndex int, key, z *edwards.Scalar) ([32]byte, error) {
	var random [64]byte
	defer clear(random[:])
	if _, err := io.ReadFull(rand, random[:]); err != nil {
		return [32]byte{}, err
	}
	kb, zb := edwards.EncodeScalar(key), edwards.EncodeScalar(z)
	defer clear(kb[:])
	defer clear(zb[:])
	return keccak.Sum256([]byte("glim_clsag_seed"), random[:], kb[:], zb[:], t.message[:], t.ring,
		[]byte{byte(realIndex), byte(realIndex >> 8), byte(realIndex >> 16), byte(realIndex >> 24)}), nil
}
