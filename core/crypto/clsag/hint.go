package clsag

import (
	"slices"

	"glim/core/crypto/edwards"
)

// Hint is public data that the maker of a signature has in addition to its bytes: the ring as points, and the
// challenge of each member. With it, Verify checks all challenges side by side instead of one after the other: each
// must follow from the one before.
type Hint struct {
	ring       []Member
	pseudoOut  [32]byte
	points     []member
	challenges []*edwards.Scalar
}

// Verify returns what the function Verify returns, for every hint. It is faster if the hint belongs to the signature.
// h may be nil.
func (h *Hint) Verify(message [32]byte, ring []Member, pseudoOut, keyImage [32]byte, sig Signature) error {
	if h != nil && h.pseudoOut == pseudoOut && slices.Equal(h.ring, ring) && h.follows(message, keyImage, sig) {
		return nil
	}
	return Verify(message, ring, pseudoOut, keyImage, sig)
}

// follows reports whether every challenge follows from the one before, each differs from zero, and the first is that of
// the signature. Then Verify, which starts with the first one, computes the same challenges. The ring is that of the
// hint.
func (h *Hint) follows(message, keyImage [32]byte, sig Signature) bool {
	p, err := parse(h.ring, keyImage, sig)
	if err != nil || h.challenges[0].Equal(p.c1) != 1 {
		return false
	}
	challenges := newTranscript(message, h.ring, h.pseudoOut)
	muP, muC := challenges.weights(keyImage, sig.D)
	images := newImages(muP, muC, p.image, p.auxiliary)
	var sums edwards.Sums
	onG, onImages := sums.Table(base[0]), sums.Table(edwards.NewTables([]*edwards.Point{images.sum}, 6)[0])
	for i, c := range h.challenges {
		sums.Add(p.responses[i], onG)
		sums.Add(edwards.NewScalar().Multiply(c, muP), sums.Point(h.points[i].key))
		sums.Add(edwards.NewScalar().Multiply(c, muC), sums.Point(h.points[i].difference))
		sums.End()
	}
	for i, c := range h.challenges {
		sums.Add(c, onImages)
		sums.Add(p.responses[i], sums.Point(h.points[i].hash))
		sums.End()
	}
	b := edwards.EncodePoints(sums.Make()...)
	n, zero := len(h.ring), edwards.NewScalar()
	for i := range n {
		c := challenges.follow(&b[i], &b[n+i])
		if c.Equal(zero) == 1 || c.Equal(h.challenges[(i+1)%n]) != 1 {
			return false
		}
	}
	return true
}
