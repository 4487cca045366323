package main

import (
	"crypto/rand"
	"crypto/subtle"
	"slices"

	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/mnemonic"
)

// sink uses the results, so that the compiler cannot remove the operations.
var sink byte

// scalars returns the secret of a class: a fixed one, whose few bits would be fast if the time depended on bits, or a
// random one.
func scalars(fixed bool) *edwards.Scalar {
	if fixed {
		return edwards.ScalarFromUint64(3)
	}
	return edwards.ReduceScalar(draw())
}

func bytesOf(fixed bool) [32]byte { return edwards.EncodeScalar(scalars(fixed)) }

// operations returns all operations.
func operations() []operation {
	points := make([]*edwards.Point, 64)
	for i := range points {
		points[i] = edwards.HashToPoint([32]byte{2, byte(i)})
	}
	return slices.Concat(comparisons(), curveOperations(points), cycleOperations(), keyOperations(points),
		proofOperations(), spendOperations())
}

// comparisons returns the control, which must be detected, and the comparison of secrets.
func comparisons() []operation {
	known := [4096]byte{}
	return []operation{
		{name: "control: comparing until bytes differ", leaks: true, again: 16, prepare: func(fixed bool) func() {
			b := known
			if !fixed {
				b[index(64)] ^= 1
			}
			return func() { sink ^= btoi(earlyExit(b[:], known[:])) }
		}},
		{name: "comparing logins and keys of files", again: 64, prepare: func(fixed bool) func() {
			b := [64]byte{}
			if !fixed {
				r := draw()
				copy(b[:], r[:])
			}
			return func() { sink ^= byte(subtle.ConstantTimeCompare(b[:], known[:64])) }
		}},
	}
}

// curveOperations returns operations on scalars and points.
func curveOperations(points []*edwards.Point) []operation {
	point := edwards.HashToPoint([32]byte{1})
	public := func() *edwards.Point { return points[index(len(points))] } // both classes use all points
	return []operation{
		{name: "scalar times point", slow: 2, prepare: func(fixed bool) func() {
			s, p := scalars(fixed), public()
			return func() { sink ^= new(edwards.Point).ScalarMult(s, p).Encode()[0] }
		}},
		{name: "sum of eight multiples", slow: 4, prepare: func(fixed bool) func() {
			list := make([]*edwards.Scalar, 8)
			for i := range list {
				list[i] = scalars(fixed)
			}
			return func() { sink ^= new(edwards.Point).MultiScalarMult(list, points[:8]).Encode()[0] }
		}},
		{name: "scalar times generator", prepare: func(fixed bool) func() {
			s := scalars(fixed)
			return func() { sink ^= new(edwards.Point).ScalarBaseMult(s).Encode()[0] }
		}},
		{name: "commitment to an amount", prepare: func(fixed bool) func() {
			mask, amount := scalars(fixed), uint64(1)
			if !fixed {
				amount = uint64(index(1 << 60))
			}
			return func() { sink ^= edwards.Commit(mask, amount).Encode()[0] }
		}},
		{name: "decoding a secret scalar", again: 64, prepare: func(fixed bool) func() {
			b := bytesOf(fixed)
			return func() {
				s, err := edwards.DecodeScalar(b)
				if err != nil {
					panic(err)
				}
				sink ^= s.Bytes()[0]
			}
		}},
		{name: "reducing a secret", again: 64, prepare: func(fixed bool) func() {
			b := [32]byte{3}
			if !fixed {
				b = draw()
			}
			return func() { sink ^= edwards.EncodeScalar(edwards.ReduceScalar(b))[0] }
		}},
		{name: "scalars added and multiplied", again: 64, prepare: func(fixed bool) func() {
			a, b := scalars(fixed), scalars(false)
			return func() { sink ^= edwards.NewScalar().MultiplyAdd(a, b, a).Bytes()[0] }
		}},
		{name: "scalar times point of Curve25519", slow: 2, prepare: func(fixed bool) func() {
			s, u := scalars(fixed), public().Montgomery()
			return func() { sink ^= edwards.X25519(s, u)[0] }
		}},
		{name: "key image", slow: 2, prepare: func(fixed bool) func() {
			s := scalars(fixed)
			return func() { sink ^= new(edwards.Point).ScalarMult(s, point).Encode()[0] }
		}},
	}
}

// keyOperations returns operations on keys and seeds.
func keyOperations(points []*edwards.Point) []operation {
	english := mnemonic.English()
	var table edwards.KeyTable
	if key := points[0].Encode(); !table.Set(key, 1000) {
		panic("unreachable: a point decodes")
	}
	return []operation{
		{name: "keys of a seed", slow: 4, prepare: func(fixed bool) func() {
			b := bytesOf(fixed)
			return func() {
				k, err := keys.FromSeed(b)
				if err != nil {
					panic(err)
				}
				sink ^= k.ViewSecret()[0]
			}
		}},
		{name: "finding outputs with a view key", slow: 8, known: !edwards.Audited, prepare: func(fixed bool) func() {
			d := edwards.NewDeriver(scalars(fixed))
			list, out := make([][32]byte, 16), make([]edwards.Derivation, 16)
			for i := range list {
				list[i] = points[index(len(points))].Encode()
			}
			return func() {
				d.Derive(out, list)
				sink ^= out[0][0]
			}
		}},
		{name: "finding outputs with many view keys", slow: 8, prepare: func(fixed bool) func() {
			list := make([]*edwards.Scalar, 16)
			for i := range list {
				list[i] = scalars(fixed)
			}
			views := edwards.NewViewKeys(list)
			out := make([]edwards.Derivation, len(list))
			return func() {
				table.Derive(out, views, 0)
				sink ^= out[0][0]
			}
		}},
		{name: "words of a seed", slow: 4, prepare: func(fixed bool) func() {
			b := bytesOf(fixed)
			return func() {
				text, err := mnemonic.Encode(b, english)
				if err != nil {
					panic(err)
				}
				sink ^= text[0]
			}
		}},
	}
}

// proofOperations returns signatures and proofs.
func proofOperations() []operation {
	rings := makeRings()
	return []operation{
		{name: "CLSAG signature, secret key", slow: 10, prepare: func(fixed bool) func() {
			r := rings.random[index(len(rings.random))]
			if fixed {
				r = rings.fixed[index(len(rings.fixed))]
			}
			return r.sign
		}},
		{name: "CLSAG signature, place in the ring", slow: 10, prepare: func(fixed bool) func() {
			r := rings.random[index(len(rings.random))]
			if fixed {
				r = rings.first[index(len(rings.first))]
			}
			return r.sign
		}},
		{name: "range proof of an amount", slow: 40, prepare: func(fixed bool) func() {
			amounts, masks := []uint64{1, 1}, []*edwards.Scalar{scalars(fixed), scalars(fixed)}
			if !fixed {
				amounts = []uint64{uint64(index(1 << 62)), uint64(index(1 << 62))}
			}
			return func() {
				_, c, err := bulletproofsplus.Prove(rand.Reader, amounts, masks)
				if err != nil {
					panic(err)
				}
				sink ^= c[0][0]
			}
		}},
	}
}

func btoi(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// earlyExit is a comparison whose time depends on its input.
func earlyExit(a, b []byte) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// opening is a ring with the secrets of one member.
type opening struct {
	ring   []clsag.Member
	real   int
	secret clsag.Secret
	mask   *edwards.Scalar
	pseudo [32]byte
}

func (o *opening) sign() {
	sig, _, err := clsag.Sign(rand.Reader, [32]byte{1}, o.ring, o.real, o.secret, o.mask, o.pseudo)
	if err != nil {
		panic(err)
	}
	sink ^= sig.C1[0]
}

type rings struct{ fixed, random, first []*opening }

// makeRings makes rings with the fixed secret, with random secrets, and with random secrets whose real member is first.
// Their members differ: their cost is public and the same on average.
func makeRings() (r rings) {
	for range 96 {
		r.fixed = append(r.fixed, newOpening(scalars(true), index(16)))
		r.random = append(r.random, newOpening(scalars(false), index(16)))
		r.first = append(r.first, newOpening(scalars(false), 0))
	}
	return r
}

func newOpening(secret *edwards.Scalar, position int) *opening {
	const amount = 1_000_000
	o := &opening{real: position, secret: clsag.Secret{Key: secret, Mask: scalars(false)}, mask: scalars(false)}
	for i := range 16 {
		m := clsag.Member{Key: edwards.HashToPoint(draw()).Encode(), Commitment: edwards.HashToPoint(draw()).Encode()}
		if i == position {
			m.Key = new(edwards.Point).ScalarBaseMult(secret).Encode()
			m.Commitment = edwards.Commit(o.secret.Mask, amount).Encode()
		}
		o.ring = append(o.ring, m)
	}
	o.pseudo = edwards.Commit(o.mask, amount).Encode()
	return o
}
