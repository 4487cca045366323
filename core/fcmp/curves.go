package fcmp

import (
	"sync"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// Curves of which circuits contain points: Wei25519 and Helios in circuits on Selene, Selene in those on Helios.
var (
	wei25519    = newWei25519()
	heliosCurve = func() (c seleneWeierstrass) {
		x, y, _ := helioselene.HeliosBase().XY()
		c.through(&x, &y)
		return c
	}()
	seleneCurve = func() (c heliosWeierstrass) {
		x, y, _ := helioselene.SeleneBase().XY()
		c.through(&x, &y)
		return c
	}()
)

// newWei25519 returns Curve25519, v² = u³ + A·u² + u, as a curve in u + A/3 and v.
func newWei25519() (c seleneWeierstrass) {
	var a, third, t helioselene.Element25519
	a.SetUint64(486662)
	third.SetUint64(3)
	third.Multiply(&a, third.Invert(&third)) // A/3
	c.a.SetUint64(1)
	c.a.Subtract(&c.a, t.Multiply(&a, &third))
	t.Square(&third)
	t.Add(&t, &t)
	one := new(helioselene.Element25519).SetUint64(1)
	t.Subtract(&t, one)
	c.b.Multiply(&t, &third) // 2·A³/27 − A/3
	return c
}

// Doublings of the generators H, whose multiples blind hashes.
var (
	doublingsOfHelios = sync.OnceValue(func() seleneDoublings {
		return seleneDoublingsOf(gbp.HeliosBlind(), bitsHelios)
	})
	doublingsOfSelene = sync.OnceValue(func() heliosDoublings {
		return heliosDoublingsOf(gbp.SeleneBlind(), bitsSelene)
	})
)

// Hashes without children.
var (
	heliosInit = sync.OnceValue(func() *helioselene.Helios {
		return helioselene.HashToHelios("Monero Helios Hash Initializer")
	})
	seleneInit = sync.OnceValue(func() *helioselene.Selene {
		return helioselene.HashToSelene("Monero Selene Hash Initializer")
	})
)

// Indices of the generators of Ed25519 in challenges.
const (
	logarithmT = iota
	logarithmU
	logarithmV
	logarithmG
)

// doublings25519 remembers doublings of generators by the encodings of T, U and V.
var doublings25519 sync.Map

// doublingsOf returns the doublings of T, U, V and G.
func doublingsOf(rules *carrot.Rules) ([]seleneDoublings, error) {
	key := [3][size]byte{rules.T, rules.U, rules.V}
	if known, ok := doublings25519.Load(key); ok {
		return known.([]seleneDoublings), nil
	}
	t, u, v, err := generators(rules)
	if err != nil {
		return nil, err
	}
	points := make([]*edwards.Point, 0, 4*bits25519)
	for _, generator := range []*edwards.Point{t, u, v, edwards.Base()} {
		p := new(edwards.Point).Set(generator)
		for range bits25519 {
			points = append(points, new(edwards.Point).Set(p))
			p.Add(p, p)
		}
	}
	x, y := curvetree.Weierstrass(points)
	list := make([]seleneDoublings, 4)
	for i := range x {
		list[i/bits25519] = append(list[i/bits25519], seleneXY{x[i], y[i]})
	}
	doublings25519.Store(key, list)
	return list, nil
}
