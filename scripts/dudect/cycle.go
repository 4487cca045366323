package main

import (
	"context"
	"crypto/rand"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/ecdivisors"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"
	"glim/core/fcmp"
)

// element25519 returns a scalar of Selene.
func element25519(fixed bool) *helioselene.Element25519 {
	e := new(helioselene.Element25519).SetUint64(3)
	if !fixed {
		a, b := draw(), draw()
		e.SetWide((*[64]byte)(append(a[:], b[:]...)))
	}
	return e
}

// cycleOperations returns operations on the curves Helios and Selene and their fields.
func cycleOperations() []operation {
	element := func(fixed bool) *helioselene.Element {
		e := new(helioselene.Element).SetUint64(3)
		if !fixed {
			a, b := draw(), draw()
			e.SetWide((*[64]byte)(append(a[:], b[:]...)))
		}
		return e
	}
	return []operation{
		{name: "scalar times point of Helios", slow: 4, prepare: func(fixed bool) func() {
			s, p := element(fixed), helioselene.HeliosBase()
			return func() { sink ^= p.ScalarMult(s, p).Encode()[0] }
		}},
		{name: "scalar times point of Selene", slow: 4, prepare: func(fixed bool) func() {
			s, p := element25519(fixed), helioselene.SeleneBase()
			return func() { sink ^= p.ScalarMult(s, p).Encode()[0] }
		}},
		{name: "inverse modulo the order of Helios", again: 4, prepare: func(fixed bool) func() {
			e := element(fixed)
			return func() { sink ^= new(helioselene.Element).Invert(e).Bytes()[0] }
		}},
		{name: "inverse modulo the order of Selene", again: 4, prepare: func(fixed bool) func() {
			e := element25519(fixed)
			return func() { sink ^= new(helioselene.Element25519).Invert(e).Bytes()[0] }
		}},
		{name: "root modulo the order of Helios", again: 4, prepare: func(fixed bool) func() {
			e := element(fixed)
			e.Square(e)
			return func() { sink ^= btoi(new(helioselene.Element).Sqrt(e)) }
		}},
		{name: "decoding a point of Selene", again: 4, prepare: func(fixed bool) func() {
			p := helioselene.SeleneBase()
			p.ScalarMult(element25519(fixed), p)
			b := p.Encode()
			return func() {
				q, err := helioselene.DecodeSelene(b)
				if err != nil {
					panic(err)
				}
				sink ^= btoi(q.IsIdentity())
			}
		}},
	}
}

// spendOperations returns what proofs about spends consist of.
func spendOperations() []operation {
	points := make([]helioselene.Helios, ecdivisors.Helios.Bits())
	points[0] = *helioselene.HeliosBase()
	for i := 1; i < len(points); i++ {
		points[i].Double(&points[i-1])
	}
	x, y := helioselene.HeliosXY(points)
	a := new(helioselene.Element25519).SetUint64(3)
	generator := ecdivisors.NewSeleneGenerator(a.Negate(a), x, y)
	t, err := edwards.DecodePoint(carrot.Plain.T)
	if err != nil {
		panic(err)
	}
	return []operation{
		{name: "divisor of a multiple", slow: 20, prepare: func(fixed bool) func() {
			s := bytesOf(fixed)
			return func() {
				l, err := ecdivisors.Helios.Decompose(&s)
				if err != nil {
					panic(err)
				}
				m, err := generator.Multiple(l)
				if err != nil {
					panic(err)
				}
				sink ^= m.Divisor[0].IsOdd()
			}
		}},
		{name: "spend proof", slow: 20, prepare: func(fixed bool) func() {
			x, y := scalars(fixed), scalars(fixed)
			key := new(edwards.Point).ScalarBaseMult(x)
			key.Add(key, new(edwards.Point).ScalarMult(y, t))
			output := &fcmp.Output{Key: key.Encode()}
			output.Generator = edwards.HashToPoint(output.Key).Encode()
			output.Commitment = edwards.Commit(scalars(false), 1).Encode()
			blinds := &fcmp.Blinds{
				Key: scalars(fixed), Generator: scalars(fixed), R: scalars(fixed), Commitment: scalars(fixed),
			}
			return func() {
				s, err := fcmp.ProveSpend(rand.Reader, carrot.Plain, [32]byte{1}, output, blinds, x, y)
				if err != nil {
					panic(err)
				}
				sink ^= s.Proof[0]
			}
		}},
		{name: "membership proof", slow: 40, prepare: func(fixed bool) func() {
			key := new(edwards.Point).ScalarBaseMult(scalars(fixed))
			generator := edwards.HashToPoint(key.Encode())
			commitment := edwards.Commit(scalars(fixed), 1)
			own, err := curvetree.NewLeaves([]curvetree.Output{
				{Key: key, KeyImageGenerator: generator, Commitment: commitment},
			})
			if err != nil {
				panic(err)
			}
			leaves := make([]curvetree.Leaf, curvetree.SeleneWidth)
			for i := range leaves {
				for j := range leaves[i] {
					leaves[i][j] = *element25519(false)
				}
			}
			place := 0
			if b := draw(); !fixed {
				place = int(b[0]) % len(leaves)
			}
			leaves[place] = own[0]
			var tree curvetree.Tree
			tree.Grow(leaves)
			members := []fcmp.Member{{
				Output: fcmp.Output{Key: key.Encode(), Generator: generator.Encode(), Commitment: commitment.Encode()},
				Blinds: &fcmp.Blinds{
					Key: scalars(fixed), Generator: scalars(fixed), R: scalars(fixed), Commitment: scalars(fixed),
				},
				Path: fcmp.Path{Leaves: leaves},
			}}
			return func() {
				m, err := fcmp.ProveMembership(context.Background(), rand.Reader, carrot.Plain, tree.Root(), members)
				if err != nil {
					panic(err)
				}
				sink ^= m.Proof[0]
			}
		}},
	}
}
