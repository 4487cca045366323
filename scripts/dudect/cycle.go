package main

import (
	"crypto/rand"

	"glim/core/carrot"
	"glim/core/crypto/ecdivisors"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"
	"glim/core/fcmp"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// element returns a scalar of Helios.
func element(fixed bool) *helioselene.Element {
	e := new(helioselene.Element).SetUint64(3)
	if !fixed {
		a, b := draw(), draw()
		e.SetWide((*[64]byte)(append(a[:], b[:]...)))
	}
	return e
}

// cycleOperations returns operations on the curves Helios and Selene and their fields.
func cycleOperations() []operation {
	element25519 := func(fixed bool) *helioselene.Element25519 {
		e := new(helioselene.Element25519).SetUint64(3)
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
		{name: "proof of a circuit", slow: 20, prepare: func(fixed bool) func() {
			const rows = 8
			w := &gbp.HeliosWitness{}
			numbers := make([]helioselene.Element, rows)
			for i := range rows {
				row := [2]helioselene.Element{*element(fixed), *element(fixed)}
				w.Given = append(w.Given, row)
				numbers[i] = row[0]
			}
			w.Vectors = []gbp.HeliosVector{{Numbers: numbers, Blind: *element(fixed)}}
			build := func(c *gbp.HeliosCircuit) error {
				for i := range rows {
					row := c.GivenRow()
					c.Constrain()
					c.Plus(gbp.Left(row))
					c.Minus(gbp.Committed(i))
				}
				return nil
			}
			return func() {
				t := gbp.NewTranscript([32]byte{1}, nil)
				t.WriteHeliosCommitments([]helioselene.Helios{w.Vectors[0].Commit()})
				if err := w.Prove(rand.Reader, t, rows, build); err != nil {
					panic(err)
				}
				sink ^= t.Written()[0]
			}
		}},
	}
}
