package secp256k1

import (
	"encoding/binary"
	"math/bits"
)

// element is an integer modulo p = 2^256 − 2^32 − 977, the field of the curve, in words from the lowest. A value
// has one or two representations, because words of p and more are allowed; bytes returns the smaller one.
type element [4]uint64

// fold is 2^256 modulo p.
const fold = 1<<32 + 977

var (
	one = element{1}
	// modulus is p.
	modulus = element{^uint64(fold - 1), ^uint64(0), ^uint64(0), ^uint64(0)}
)

// elementOf returns the integer of 32 bytes, from the highest.
func elementOf(b *[32]byte) (e element) {
	for i := range e {
		e[i] = binary.BigEndian.Uint64(b[24-8*i:])
	}
	return e
}

// bytes returns the integer below p as 32 bytes, from the highest.
func (e *element) bytes() (b [32]byte) {
	low, borrow := e.minus(&modulus)
	low.choose(e, &low, borrow)
	for i, v := range low {
		binary.BigEndian.PutUint64(b[24-8*i:], v)
	}
	return b
}

// minus returns e − f modulo 2^256, and 1 if f is greater.
func (e *element) minus(f *element) (d element, borrow uint64) {
	for i := range e {
		d[i], borrow = bits.Sub64(e[i], f[i], borrow)
	}
	return d, borrow
}

// choose sets e to a if which is 1, and to b if it is 0.
func (e *element) choose(a, b *element, which uint64) {
	mask := -which
	for i := range e {
		e[i] = a[i]&mask | b[i]&^mask
	}
}

// add sets e = a + b.
func (e *element) add(a, b *element) {
	var carry uint64
	for i := range e {
		e[i], carry = bits.Add64(a[i], b[i], carry)
	}
	// The first addition of fold can carry again. The remainder is then below fold, so the second cannot.
	e.addWord(e.addWord(carry*fold) * fold)
}

// addWord adds w and returns the carry.
func (e *element) addWord(w uint64) (carry uint64) {
	e[0], carry = bits.Add64(e[0], w, 0)
	for i := 1; i < len(e); i++ {
		e[i], carry = bits.Add64(e[i], 0, carry)
	}
	return carry
}

// subtract sets e = a − b.
func (e *element) subtract(a, b *element) {
	d, borrow := a.minus(b)
	// As in add: 2^256 was added too much, so fold is subtracted, at most twice.
	d, borrow = d.minus(&element{borrow * fold})
	*e, _ = d.minus(&element{borrow * fold})
}

// multiply sets e = a·b.
func (e *element) multiply(a, b *element) {
	var t [8]uint64
	for i := range a {
		var carry uint64
		for j := range b {
			t[i+j], carry = multiplyAdd(a[i], b[j], t[i+j], carry)
		}
		t[i+4] = carry
	}
	var r element
	var carry uint64
	for i := range r {
		r[i], carry = multiplyAdd(t[4+i], fold, t[i], carry)
	}
	// carry is at most fold, so the product is below 2^67.
	high, low := bits.Mul64(carry, fold)
	var c uint64
	r[0], c = bits.Add64(r[0], low, 0)
	r[1], c = bits.Add64(r[1], high, c)
	r[2], c = bits.Add64(r[2], 0, c)
	r[3], c = bits.Add64(r[3], 0, c)
	r.addWord(c * fold)
	*e = r
}

// multiplyAdd returns a·b + c + d, which always fits.
func multiplyAdd(a, b, c, d uint64) (low, high uint64) {
	high, low = bits.Mul64(a, b)
	var carry uint64
	low, carry = bits.Add64(low, c, 0)
	high += carry
	low, carry = bits.Add64(low, d, 0)
	return low, high + carry
}

// invert sets e = 1/a, or 0 for 0: a^(p − 2). The exponent is public.
func (e *element) invert(a *element) {
	exponent, _ := modulus.minus(&element{2})
	r := one
	for i := 255; i >= 0; i-- {
		r.multiply(&r, &r)
		if exponent[i/64]>>(i%64)&1 == 1 {
			r.multiply(&r, a)
		}
	}
	*e = r
}
