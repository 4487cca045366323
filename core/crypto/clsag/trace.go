package clsag

import (
	"slices"

	"glim/core/crypto/edwards"
)

// Trace is what whoever made a signature knows of it beyond its bytes, nothing of it secret: the ring as points, and the challenge that
// each member answered. With it the challenges need not be computed one after the other: each follows from the one before that is
// guessed, and all of them are if all guesses are right.
type Trace struct {
	ring       []Member
	pseudoOut  [32]byte
	points     []member
	challenges []*edwards.Scalar
}

// Verify is the function of that name, with the same answers whatever the trace is, and faster where the trace is the signature's.
// A nil trace knows nothing.
func (t *Trace) Verify(message [32]byte, ring []Member, pseudoOut, keyImage [32]byte, sig Signature) error {
	if t != nil && t.pseudoOut == pseudoOut && slices.Equal(t.ring, ring) && t.follows(message, keyImage, sig) {
		return nil
	}
	return Verify(message, ring, pseudoOut, keyImage, sig)
}

// follows reports whether every challenge follows from the one before, none is zero, and the first is the signature's: then Verify, which
// starts there, comes by the same ones. The ring is the trace's.
func (t *Trace) follows(message, keyImage [32]byte, sig Signature) bool {
	p, err := parse(t.ring, keyImage, sig)
	if err != nil || t.challenges[0].Equal(p.c1) != 1 {
		return false
	}
	challenges := newTranscript(message, t.ring, t.pseudoOut)
	muP, muC := challenges.weights(keyImage, sig.D)
	images := newImages(muP, muC, p.image, p.auxiliary)
	var sums edwards.Sums
	onG, onImages := sums.Table(base[0]), sums.Table(edwards.NewTables([]*edwards.Point{images.sum}, 6)[0])
	for i, c := range t.challenges {
		sums.Add(p.responses[i], onG)
		sums.Add(edwards.NewScalar().Multiply(c, muP), sums.Point(t.points[i].key))
		sums.Add(edwards.NewScalar().Multiply(c, muC), sums.Point(t.points[i].difference))
		sums.End()
	}
	for i, c := range t.challenges {
		sums.Add(c, onImages)
		sums.Add(p.responses[i], sums.Point(t.points[i].hash))
		sums.End()
	}
	b := edwards.EncodePoints(sums.Make()...)
	n, zero := len(t.ring), edwards.NewScalar()
	for i := range n {
		c := challenges.follow(&b[i], &b[n+i])
		if c.Equal(zero) == 1 || c.Equal(t.challenges[(i+1)%n]) != 1 {
			return false
		}
	}
	return true
}
