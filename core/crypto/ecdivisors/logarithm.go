package ecdivisors

import (
	"errors"
	"math/bits"
)

// Errors of this package. Retrying is pointless for the same scalar.
var (
	// ErrScalar: a scalar is 0 or not below the order of its group.
	ErrScalar = errors.New("ecdivisors: a scalar is 0 or not below the order of its group")
	// ErrFunction: the coefficient of x is 0, so that it cannot be scaled to 1. This never happens by chance.
	ErrFunction = errors.New("ecdivisors: the function of a logarithm has no term in x")
)

const size = 32 // bytes of a scalar

// Group is a group of prime order.
type Group struct {
	bits  int
	order [4]uint64 // little-endian
}

// The groups whose scalars are blinds in membership proofs.
var (
	Ed25519 = &Group{253, [4]uint64{0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 1 << 60}}
	Helios  = &Group{255, [4]uint64{0xf9850b68df11df53, 0xf735481d1969f317, 1<<64 - 1, 1<<63 - 1}}
	Selene  = &Group{255, [4]uint64{1<<64 - 19, 1<<64 - 1, 1<<64 - 1, 1<<63 - 1}}
)

// Bits returns the number of bits of the order, which is the number of coefficients of a logarithm and their sum.
func (g *Group) Bits() int { return g.bits }

// Logarithm has the coefficients of a scalar to powers of two, the lowest first: Σ coefficientᵢ·2^i is the scalar
// modulo the order of the group. The number of coefficients and their sum are the bits of the order, so that the
// number of doublings says nothing about the scalar. It is secret: clear it after use.
type Logarithm []uint8

// Decompose returns the logarithm for a scalar, encoded in little-endian order. It returns ErrScalar for 0 and for
// scalars that are not below the order. Otherwise its time does not depend on the scalar.
// Source: crate ec-divisors, lib.rs, ScalarDecomposition; coefficients of scalars below the number of bits differ.
func (g *Group) Decompose(scalar *[size]byte) (Logarithm, error) {
	var words [4]uint64
	defer clear(words[:])
	for i, b := range scalar {
		words[i/8] |= uint64(b) << (8 * (i % 8))
	}
	if words[0]|words[1]|words[2]|words[3] == 0 || below(&words, &g.order) == 0 {
		return nil, ErrScalar
	}
	// A number below the sum of the coefficients does not have enough of them: then the order is added.
	small := -below(&words, &[4]uint64{uint64(g.bits)})
	carry := uint64(0)
	for i := range words {
		words[i], carry = bits.Add64(words[i], g.order[i]&small, carry)
	}
	coefficients := make(Logarithm, g.bits)
	missing := g.bits
	for i := range coefficients {
		coefficients[i] = uint8(words[i/64] >> (i % 64) & 1)
		missing -= int(coefficients[i])
	}
	// The order has at most 255 bits, and the sum at most 256: the highest counts twice.
	if g.bits == 255 {
		top := uint8(words[3] >> 63)
		coefficients[254] += 2 * top
		missing -= 2 * int(top)
	}
	// 2^i is twice 2^(i−1), which makes one coefficient more. From the highest power on, this is done as often as it is
	// possible, until enough are there.
	for i := g.bits - 1; i > 0; i-- {
		n := minimum(int(coefficients[i]), missing)
		coefficients[i] -= uint8(n)
		coefficients[i-1] += uint8(2 * n)
		missing -= n
	}
	return coefficients, nil
}

// below returns 1 if a < b, and 0 otherwise.
func below(a, b *[4]uint64) uint64 {
	borrow := uint64(0)
	for i := range a {
		_, borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return borrow
}

// lessThan returns 1 if a < b, and 0 otherwise. Both must be below 2^31.
func lessThan(a, b int) int { return int(uint64(a-b) >> 63) }

// minimum returns the smaller of two numbers below 2^31, in the same time for all of them.
func minimum(a, b int) int { return b + (a-b)&-lessThan(a, b) }
