package main

import "glim/core/crypto/helioselene"

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
