package curvetree

import (
	"errors"
	"fmt"

	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"
)

// Output is what a leaf is made of. The key and the commitment may have torsion, which NewLeaves clears.
type Output struct {
	Key, KeyImageGenerator, Commitment *edwards.Point
}

// Leaf holds the x and y of key, key image generator and commitment on Wei25519, in this order.
type Leaf [6]helioselene.Element25519

// ErrIdentity is the error of a key or commitment without a part of prime order: such outputs are not in the tree. The
// errors of NewLeaves wrap it.
var ErrIdentity = errors.New("curvetree: the identity is in no leaf")

// inverseOf8 is 1/8 modulo the order of Ed25519.
var inverseOf8 = edwards.NewScalar().Invert(edwards.ScalarFromUint64(8))

// ClearTorsion returns the part of p that has prime order: p itself if p has no torsion.
func ClearTorsion(p *edwards.Point) *edwards.Point {
	q := new(edwards.Point).MultByCofactor(p)
	return q.ScalarMult(inverseOf8, q)
}

// NewLeaves returns the leaves of outputs. If a point is the identity after its torsion is cleared, the error names the
// output's index.
func NewLeaves(outputs []Output) ([]Leaf, error) {
	points := make([]*edwards.Point, 0, 3*len(outputs))
	for i, o := range outputs {
		cleared := []*edwards.Point{ClearTorsion(o.Key), o.KeyImageGenerator, ClearTorsion(o.Commitment)}
		for _, p := range cleared {
			if p.IsIdentity() {
				return nil, fmt.Errorf("output %d: %w", i, ErrIdentity)
			}
		}
		points = append(points, cleared...)
	}
	x, y := Weierstrass(points)
	leaves := make([]Leaf, len(outputs))
	for i := range leaves {
		for j := range 3 {
			leaves[i][2*j], leaves[i][2*j+1] = x[3*i+j], y[3*i+j]
		}
	}
	return leaves, nil
}

// wei25519 are the constants of the map from Ed25519 to Wei25519: A/3 for A = 486662, and √(−(A + 2)) with the sign
// that makes the base points correspond.
var wei25519 = func() (c struct{ shift, factor helioselene.Element25519 }) {
	var t helioselene.Element25519
	t.SetUint64(3)
	t.Invert(&t)
	c.shift.SetUint64(486662)
	c.shift.Multiply(&c.shift, &t)
	t.SetUint64(486664)
	if !c.factor.Sqrt(t.Negate(&t)) {
		panic("curvetree: −486664 is a square")
	}
	return c
}()

// Weierstrass returns the coordinates of points on Wei25519, with one inversion. Points must not be the identity, nor
// have order 2.
//
// From y and x on Ed25519 these are (1 + y)/(1 − y) + A/3 and √(−(A + 2))·(1 + y)/((1 − y)·x). Source: appendix E.2 of
// draft-ietf-lwig-curve-representations-02.
func Weierstrass(points []*edwards.Point) (x, y []helioselene.Element25519) {
	type coordinates struct{ x, y, z helioselene.Element25519 }
	list := make([]coordinates, len(points))
	inverses := make([]helioselene.Element25519, len(points)) // of (z − y)·x
	for i, p := range points {
		c, b := &list[i], p.Coordinates()
		for j, e := range []*helioselene.Element25519{&c.x, &c.y, &c.z} {
			if err := e.SetBytes([32]byte(b[32*j:])); err != nil {
				panic("curvetree: coordinates are canonical: " + err.Error())
			}
		}
		inverses[i].Subtract(&c.z, &c.y)
		inverses[i].Multiply(&inverses[i], &c.x)
	}
	helioselene.InvertElements25519(inverses)
	x, y = make([]helioselene.Element25519, len(points)), make([]helioselene.Element25519, len(points))
	for i := range list {
		c := &list[i]
		var t helioselene.Element25519
		t.Add(&c.z, &c.y)
		t.Multiply(&t, &inverses[i]) // (1 + y)/((1 − y)·x), times 1/z
		x[i].Multiply(&t, &c.x)
		x[i].Add(&x[i], &wei25519.shift)
		t.Multiply(&t, &c.z)
		y[i].Multiply(&t, &wei25519.factor)
	}
	return x, y
}
