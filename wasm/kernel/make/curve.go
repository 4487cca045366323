package main

import (
	"encoding/binary"
	"math"

	"glim/wasm/kernel"
)

// Where things lie in the module's memory. A point is X, Y, Z, T; a multiple, which is what gets added, Y+X, Y−X, 2Z, 2dT.
const (
	point = 4 * size // bytes of two points

	atD     = 0 // constants
	atD2    = atD + size
	atRoot  = atD2 + size
	atOne   = atRoot + size
	atValid = kernel.AtEnd                  // a mask of eight bytes a key
	atEnds  = atValid + 8*kernel.Batch      // X, Y, Z of a pair's end, and the product of all Z before
	atPoint = atEnds + point*kernel.Batch/2 // the point on its way
	atNext  = atPoint + point               // odd multiples, one after the other
	atTwice = atNext + point
	atTable = atTwice + point // 1, 3, … 15 times a point
	atTemp  = atTable + 8*point
	temps   = 16                  // temporary elements
	atWords = atTemp + temps*size // numbers below p
	atEnd   = atWords + 4*32

	atX, atY, atZ, atT               = 0, size, 2 * size, 3 * size
	atPlus, atMinus, atTwiceZ, atT2d = 0, size, 2 * size, 3 * size
	endX, endY, endZ, endBefore      = 0, size, 2 * size, 3 * size
)

// temp is the address of a temporary element.
func temp(i int) code { return constant32(int32(atTemp + i*size)) }

func at(address int) code { return constant32(int32(address)) }

func offset(base code, by int) code { return i32Add(base, constant32(int32(by))) }

// curve holds the functions of the module.
type curve struct {
	module
	multiply, square, power, double, add, multiple, number, decode, encode *function
}

// build returns the module that package kernel describes.
func build() []byte {
	c := new(curve)
	for _, n := range [][4]uint64{constD, constD2, constRoot, {1}} {
		for _, x := range floats(n) {
			c.constants = append(c.constants, math.Float64bits(x))
		}
	}
	c.field()
	c.group()
	c.numbers()
	c.coding()
	c.derive()
	if 16*len(c.constants) > kernel.AtProgram {
		panic("unreachable: constants have their room")
	}
	return c.bytes((atEnd + 1<<16 - 1) >> 16)
}

// field makes the functions of single elements: multiply(to, a, b), square(to, a, times), power(to, a), which is
// a^(2^252 − 3).
func (c *curve) field() {
	f := c.function("", 3)
	f.storeElement(get(0), f.reduce(f.multiply(f.loadElement(get(1)), f.loadElement(get(2)))))
	c.multiply = f

	f = c.function("", 3)
	var v [5]int
	var e element
	for i := range v {
		v[i] = f.local(v128)
		e[i] = get(v[i])
		f.do(set(v[i], load(get(1), 16*i)))
	}
	f.do(repeat(i32LtS(constant32(0), get(2)), f.piece(func() {
		for i, x := range f.reduce(f.square(e)) {
			f.do(set(v[i], x))
		}
		f.do(set(2, i32Sub(get(2), constant32(1))))
	})))
	f.storeElement(get(0), e)
	c.square = f

	f = c.function("", 2)
	// The names are the number of ones in the exponent.
	const t, keep, five, ten, fifty = 0, 1, 2, 3, 4
	one := get(1)
	squares := func(to int, of code, n int32) { f.do(call(c.square, temp(to), of, constant32(n))) }
	times := func(to int, by code) { f.do(call(c.multiply, temp(to), temp(t), by)) }
	squares(t, one, 1)
	times(keep, one)
	squares(t, temp(keep), 2)
	times(t, temp(keep))
	squares(t, temp(t), 1)
	times(five, one)
	squares(t, temp(five), 5)
	times(ten, temp(five))
	squares(t, temp(ten), 10)
	times(keep, temp(ten))
	squares(t, temp(keep), 20)
	times(t, temp(keep))
	squares(t, temp(t), 10)
	times(fifty, temp(ten))
	squares(t, temp(fifty), 50)
	times(keep, temp(fifty))
	squares(t, temp(keep), 100)
	times(t, temp(keep))
	squares(t, temp(t), 50)
	times(t, temp(fifty))
	squares(t, temp(t), 2)
	f.do(call(c.multiply, get(0), temp(t), one))
	c.power = f
}

// finish stores the point that the four factors of the formulas give, with T if the parameter is not zero.
func (f *function) finish(p code, e, ff, g, h element, t code) {
	f.storeElement(offset(p, atX), f.reduce(f.multiply(e, ff)))
	f.storeElement(offset(p, atY), f.reduce(f.multiply(g, h)))
	f.storeElement(offset(p, atZ), f.reduce(f.multiply(ff, g)))
	f.do(when(t, f.piece(func() { f.storeElement(offset(p, atT), f.reduce(f.multiply(e, h))) })))
}

// group makes double(point, t), add(point, multiple, negative, t) and multiple(to, point): negative is 0, or −1 to subtract; t
// asks for T.
// Source of the formulas: eprint 2008/522, sections 3.1 and 3.3, with a = −1.
func (c *curve) group() {
	f := c.function("", 2)
	p := get(0)
	x, y := f.loadElement(offset(p, atX)), f.loadElement(offset(p, atY))
	a, b := f.square(x), f.square(y)
	h := f.plus(a, b)
	g := f.minus(b, a)
	e := f.reduce(f.minus(f.square(f.settle(f.sum(x, y))), h))
	z := f.square(f.loadElement(offset(p, atZ)))
	f.finish(p, e, f.reduce(f.minus(f.plus(z, z), g)), f.reduce(g), f.reduce(h), get(1))
	c.double = f

	f = c.function("", 4)
	p, m := get(0), get(1)
	swap := f.keep(i32, i32And(get(2), constant32(size)))
	sign := f.keep(v128, splat64(i64Shl(i64Ext(get(2)), constant64(63))))
	x, y = f.loadElement(offset(p, atX)), f.loadElement(offset(p, atY))
	a = f.multiply(f.difference(y, x), f.loadElement(i32Sub(offset(m, atMinus), swap)))
	b = f.multiply(f.sum(y, x), f.loadElement(i32Add(offset(m, atPlus), swap)))
	h = f.plus(b, a)
	e = f.reduce(f.minus(b, a))
	t2d := f.loadElement(offset(m, atT2d))
	for i := range t2d {
		t2d[i] = f.keep(v128, xor(t2d[i], sign))
	}
	t := f.multiply(f.loadElement(offset(p, atT)), t2d)
	z = f.multiply(f.loadElement(offset(p, atZ)), f.loadElement(offset(m, atTwiceZ)))
	f.finish(p, e, f.reduce(f.minus(z, t)), f.reduce(f.plus(z, t)), f.reduce(h), get(3))
	c.add = f

	f = c.function("", 2)
	m, p = get(0), get(1)
	x, y = f.loadElement(offset(p, atX)), f.loadElement(offset(p, atY))
	f.storeElement(offset(m, atPlus), f.settle(f.sum(y, x)))
	f.storeElement(offset(m, atMinus), f.settle(f.difference(y, x)))
	twice := f.loadElement(offset(p, atZ))
	f.storeElement(offset(m, atTwiceZ), f.sum(twice, twice))
	f.storeElement(offset(m, atT2d), f.reduce(f.multiply(f.loadElement(offset(p, atT)), f.loadElement(at(atD2)))))
	c.multiple = f
}

// floats returns the limbs of n.
func floats(n [4]uint64) (v [5]float64) {
	limbs := [5]uint64{n[0] & mask, (n[0]>>51 | n[1]<<13) & mask, (n[1]>>38 | n[2]<<26) & mask, (n[2]>>25 | n[3]<<39) & mask, n[3] >> 12}
	carry := 0.0
	for i := range v {
		v[i] = float64(limbs[i]) + carry
		carry = 0
		if limbs[i] >= 1<<(limb-1) {
			v[i], carry = v[i]-1<<limb, 1
		}
	}
	v[0] += 19 * carry
	return v
}

// Constants of the curve, checked against the library's in the tests: d, 2d and √−1.
// Source: RFC 8032, section 5.1.
var (
	constD    = words("a3785913ca4deb75abd841414d0a700098e879777940c78c73fe6f2bee6c0352")
	constD2   = words("59f1b226949bd6eb56b183829a14e00030d1f3eef2808e19e7fcdf56dcd90624")
	constRoot = words("b0a00e4a271beec478e42fad0618432fa7d7fb3d99004d2b0bdfc14f8024832b")
)

func words(s string) (w [4]uint64) {
	b := make([]byte, 32)
	for i := range b {
		b[i] = digit(s[2*i])<<4 | digit(s[2*i+1])
	}
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return w
}

func digit(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}
