package generalizedbulletproofs

import (
	"io"

	"glim/core/crypto/helioselene"
)

// HeliosBatch is a sum of multiples of points that is the identity if all proofs are right. The zero value is an empty
// batch.
type HeliosBatch struct {
	value, blind helioselene.Element   // factors of the generators of values and blinds
	g, h         []helioselene.Element // factors of the generators of vectors
	factors      []helioselene.Element // of points
	points       []helioselene.Helios
}

// grow makes room for the factors of n generators of each kind.
func (b *HeliosBatch) grow(n int) {
	if more := n - len(b.g); more > 0 {
		b.g = append(b.g, make([]helioselene.Element, more)...)
		b.h = append(b.h, make([]helioselene.Element, more)...)
	}
}

// Add adds factor·p.
func (b *HeliosBatch) Add(factor *helioselene.Element, p *helioselene.Helios) {
	b.factors = append(b.factors, *factor)
	b.points = append(b.points, *p)
}

// AddOpening adds the equation nonce + challenge·difference = answer·H, which shows that its author knows the
// factor of H in difference. Its weight is made of 64 bytes of rand.
func (b *HeliosBatch) AddOpening(
	rand io.Reader, nonce, difference *helioselene.Helios, challenge, answer *helioselene.Element,
) error {
	weight, err := randomHelios(rand)
	if err != nil {
		return err
	}
	b.Add(&weight, nonce)
	var s helioselene.Element
	b.Add(s.Multiply(&weight, challenge), difference)
	b.blind.Subtract(&b.blind, s.Multiply(&weight, answer))
	return nil
}

// Valid reports whether the sum is the identity.
func (b *HeliosBatch) Valid() bool {
	g, h := heliosGenerators(len(b.g))
	n := 2 + len(g) + len(h) + len(b.points)
	factors := make([]helioselene.Element, 0, n)
	factors = append(append(append(append(factors, b.value, b.blind), b.g...), b.h...), b.factors...)
	points := make([]helioselene.Helios, 0, n)
	points = append(append(append(append(points, *heliosValue(), *heliosBlind()), g...), h...), b.points...)
	return new(helioselene.Helios).VarTimeMultiScalarMult(factors, points).IsIdentity()
}
