// Package edwards computes with points and scalars of the curve Ed25519. All other packages use the curve through it.
// It adds Monero's strict encodings and its hashing to points and scalars.
//
// The running time of functions with VarTime in their name depends on their scalars. All others are constant time in
// their scalars, unless their doc comment says otherwise.
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

// Point is a point of the curve, with or without torsion. The zero value is not a point: start with Identity, a
// decoder or a multiplication.
type Point struct{ p edwards25519.Point }

// NewScalar returns zero.
func NewScalar() *Scalar { return edwards25519.NewScalar() }

// Wipe overwrites a secret scalar with zero.
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

// DecodeScalar decodes a little-endian scalar. It returns ErrScalar if b is ℓ or more.
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

// EncodeScalar returns s as 32 bytes, little-endian.
func EncodeScalar(s *Scalar) (out [32]byte) {
	copy(out[:], s.Bytes())
	return out
}

// RandomScalar returns a random scalar other than zero. It reduces 64 bytes of rand, so the bias is below 2^-250. The
// error is rand's.
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

// DecodePoint decodes a compressed point. It returns ErrPoint if b is not on the curve, y ≥ p, or x = 0 with the sign
// bit set. The point may have torsion.
// Source: src/crypto/crypto-ops.c, ge_frombytes_vartime.
func DecodePoint(b [32]byte) (*Point, error) {
	return secretArithmetic{}.decode(&b)
}

// Encode returns the compressed point, in constant time.
func (v *Point) Encode() [32]byte {
	return secretArithmetic{}.encode(v)
}

// DecodePoints decodes all of b, faster than DecodePoint one by one. It returns ErrPoint if one of them is not a point.
func DecodePoints(b [][32]byte) ([]*Point, error) {
	return secretArithmetic{}.decodeAll(b)
}

// EncodePoints returns the compressed points, in constant time, with one inversion for all.
func EncodePoints(points ...*Point) [][32]byte {
	return secretArithmetic{}.encodeAll(points)
}

// Set sets v = p and returns v.
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
	return v.Set(secretArithmetic{}.baseMult(s))
}

// MultiScalarMult sets v = Σ scalars[i]·points[i] and returns v. The slices must have the same length.
func (v *Point) MultiScalarMult(scalars []*Scalar, points []*Point) *Point {
	if len(scalars) != len(points) {
		panic("edwards: numbers of scalars and points differ")
	}
	return v.Set(secretArithmetic{}.mult(scalars, points))
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
