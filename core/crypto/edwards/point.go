// Package edwards is the one door to the curve: Ed25519 points and scalars with Monero's strict encodings and its own
// ways of hashing into them.
//
// Names that begin or end in VarTime leak their inputs through time; everything else is constant time in its scalars.
package edwards

import (
	"errors"
	"io"

	"filippo.io/edwards25519"

	"glim/core/crypto/keccak"
)

// Scalar is an integer modulo the group order ℓ = 2^252 + 27742317777372353535851937790883648493.
type Scalar = edwards25519.Scalar

// Errors of decoding.
var (
	ErrPoint  = errors.New("edwards: not a canonical point encoding")
	ErrScalar = errors.New("edwards: not a reduced scalar")
)

// Point is an element of the curve's whole group, torsion included. The zero value is not a point: start from
// Identity, a decoder or a multiplication.
type Point struct{ p edwards25519.Point }

// NewScalar returns zero.
func NewScalar() *Scalar { return edwards25519.NewScalar() }

// Wipe makes a scalar zero: a secret that is of no more use.
func Wipe(s *Scalar) { s.Set(NewScalar()) }

// ScalarFromUint64 returns v as a scalar.
func ScalarFromUint64(v uint64) *Scalar {
	var b [32]byte
	for i := range 8 {
		b[i] = byte(v >> (8 * i))
	}
	s, err := NewScalar().SetCanonicalBytes(b[:])
	if err != nil {
		panic("unreachable: 64-bit numbers are below the group order")
	}
	return s
}

// DecodeScalar reads a reduced scalar; ErrScalar when b is ℓ or more.
// Source: src/crypto/crypto-ops.c, sc_check.
func DecodeScalar(b [32]byte) (*Scalar, error) {
	s, err := NewScalar().SetCanonicalBytes(b[:])
	if err != nil {
		return nil, ErrScalar
	}
	return s, nil
}

// ReduceScalar returns the little-endian number b modulo ℓ.
// Source: src/crypto/crypto-ops.c, sc_reduce32.
func ReduceScalar(b [32]byte) *Scalar {
	s := NewScalar()
	reduce(s, &b)
	return s
}

func reduce(s *Scalar, b *[32]byte) {
	var wide [64]byte
	copy(wide[:], b[:])
	if _, err := s.SetUniformBytes(wide[:]); err != nil {
		panic("unreachable: 64 bytes always reduce")
	}
}

// EncodeScalar returns the 32 bytes of s, little-endian.
func EncodeScalar(s *Scalar) (out [32]byte) {
	copy(out[:], s.Bytes())
	return out
}

// RandomScalar draws a scalar from 64 bytes of rand, so that its bias is below 2^-250. Zero is drawn again.
// The error is rand's.
func RandomScalar(rand io.Reader) (*Scalar, error) {
	var wide [64]byte
	for {
		if _, err := io.ReadFull(rand, wide[:]); err != nil {
			return nil, err
		}
		s, err := NewScalar().SetUniformBytes(wide[:])
		if err != nil {
			panic("unreachable: 64 bytes always reduce")
		}
		if s.Equal(NewScalar()) == 0 {
			clear(wide[:])
			return s, nil
		}
	}
}

// HashToScalar returns Keccak(parts…) modulo ℓ.
// Source: src/crypto/crypto.cpp, hash_to_scalar.
func HashToScalar(parts ...[]byte) *Scalar { return ReduceScalar(keccak.Sum256(parts...)) }

// Identity returns the neutral element.
func Identity() *Point { return &Point{*edwards25519.NewIdentityPoint()} }

// Base returns the generator G.
func Base() *Point { return &Point{*edwards25519.NewGeneratorPoint()} }

// DecodePoint reads a compressed point; ErrPoint when b is not on the curve, has y ≥ p, or is x = 0 with the sign set.
// The point may have torsion.
// Source: src/crypto/crypto-ops.c, ge_frombytes_vartime.
func DecodePoint(b [32]byte) (*Point, error) {
	return door{}.decode(&b)
}

// Encode returns the compressed form, in constant time.
func (v *Point) Encode() [32]byte {
	return door{}.encode(v)
}

// DecodePoints is DecodePoint for all of b, faster than one by one. ErrPoint when one is none.
func DecodePoints(b [][32]byte) ([]*Point, error) {
	return door{}.decodeAll(b)
}

// EncodePoints returns the compressed forms of points, in constant time, with one inversion for all.
func EncodePoints(points ...*Point) [][32]byte {
	return door{}.encodeAll(points)
}

// Set makes v a copy of p and returns v.
func (v *Point) Set(p *Point) *Point { v.p.Set(&p.p); return v }

// Add sets v = p + q and returns v.
func (v *Point) Add(p, q *Point) *Point { v.p.Add(&p.p, &q.p); return v }

// Subtract sets v = p − q and returns v.
func (v *Point) Subtract(p, q *Point) *Point { v.p.Subtract(&p.p, &q.p); return v }

// Negate sets v = −p and returns v.
func (v *Point) Negate(p *Point) *Point { v.p.Negate(&p.p); return v }

// MultByCofactor sets v = 8p and returns v.
func (v *Point) MultByCofactor(p *Point) *Point { v.p.MultByCofactor(&p.p); return v }

// ScalarMult sets v = s·p and returns v.
func (v *Point) ScalarMult(s *Scalar, p *Point) *Point {
	return v.MultiScalarMult([]*Scalar{s}, []*Point{p})
}

// ScalarBaseMult sets v = s·G and returns v.
func (v *Point) ScalarBaseMult(s *Scalar) *Point {
	return v.Set(door{}.baseMult(s))
}

// MultiScalarMult sets v = Σ scalars[i]·points[i] and returns v. The slices must be of one length.
func (v *Point) MultiScalarMult(scalars []*Scalar, points []*Point) *Point {
	if len(scalars) != len(points) {
		panic("edwards: as many scalars as points")
	}
	return v.Set(door{}.mult(scalars, points))
}

// VarTimeMultiScalarMult sets v = Σ scalars[i]·points[i] and returns v, in time that depends on the scalars.
func (v *Point) VarTimeMultiScalarMult(scalars []*Scalar, points []*Point) *Point {
	v.p.VarTimeMultiScalarMult(scalars, inner(points))
	return v
}

// VarTimeDoubleScalarBaseMult sets v = a·A + b·G and returns v, in time that depends on the scalars.
func (v *Point) VarTimeDoubleScalarBaseMult(a *Scalar, A *Point, b *Scalar) *Point {
	v.p.VarTimeDoubleScalarBaseMult(a, &A.p, b)
	return v
}

func inner(points []*Point) []*edwards25519.Point {
	ps := make([]*edwards25519.Point, len(points))
	for i, p := range points {
		ps[i] = &p.p
	}
	return ps
}

// Equal reports whether v and p are the same point, in constant time.
func (v *Point) Equal(p *Point) bool { return v.p.Equal(&p.p) == 1 }

// IsIdentity reports whether v is the neutral element.
func (v *Point) IsIdentity() bool { return v.Equal(Identity()) }

// IsTorsionFree reports whether v lies in the prime-order subgroup: ℓ·v = 0.
func (v *Point) IsTorsionFree() bool {
	// (ℓ−1)·v = −v exactly when ℓ·v = 0.
	t := new(Point).VarTimeDoubleScalarBaseMult(minusOne, v, NewScalar())
	return t.Add(t, v).IsIdentity()
}

var minusOne = NewScalar().Negate(ScalarFromUint64(1))
