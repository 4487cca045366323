package main

import (
	"encoding/binary"
	"math"

	"glim/wasm/kernel"
)

// The layout of the module's memory. A point is X, Y, Z, T; a multiple, in the form for additions, is Y+X, Y−X, 2Z,
// 2dT.
const (
	point = 2 * kernel.Multiple // bytes of two points

	atD     = 0 // constants
	atD2    = atD + size
	atRoot  = atD2 + size
	atOne   = atRoot + size
	atValid = kernel.AtEnd                  // a mask of eight bytes per key
	atEnds  = atValid + 8*kernel.Batch      // X, Y, Z of each pair's result, and the product of all Z before it
	atPoint = atEnds + point*kernel.Batch/2 // the current point
	atNext  = atPoint + point               // odd multiples, one after another
	atTwice = atNext + point
	atTable = atTwice + point // 1, 3, … 15 times a point
	atTemp  = atTable + 8*point
	temps   = 20 // temporary elements
	atWords = atTemp + temps*size
	atRow   = atWords + 128 // used by multiply
	atEnd   = atRow + size

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
	multiply, square, power, double, add, multiple, number, limbs, decode, encode, choose, chooseSecret *function
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
	c.sums()
	if 16*len(c.constants) > kernel.AtProgram || atEnd > kernel.AtTables {
		panic("unreachable: all have their room")
	}
	return c.bytes(kernel.Pages)
}

// field makes the functions of single elements: multiply(to, a, b), square(to, a, times), and power(to, a), which
// computes a^(2^252 − 3).
func (c *curve) field() {
	f := c.function("", 3)
	f.storeElement(get(0), f.reduce(f.multiply(f.loadElement(get(1)), 2)))
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
	// Each name is the number of ones in the exponent.
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

// finish is the common end of the formulas, given their four factors: x = e·f, y = g·h, z = f·g, and t = e·h if the
// parameter t is not zero. Each factor is below three times a reduced element; f and h are settled here.
func (c *curve) finish(f *function, p code, e, ff, g, h element, t code) {
	f.storeElement(temp(tE), e)
	f.storeElement(temp(tF), f.settle(ff))
	f.storeElement(temp(tG), g)
	f.storeElement(temp(tH), f.settle(h))
	f.do(call(c.multiply, offset(p, atX), temp(tE), temp(tF)))
	f.do(call(c.multiply, offset(p, atY), temp(tG), temp(tH)))
	f.do(call(c.multiply, offset(p, atZ), temp(tF), temp(tG)))
	f.do(when(t, call(c.multiply, offset(p, atT), temp(tE), temp(tH))))
}

// Temporary elements of the formulas.
const tE, tF, tG, tH = 16, 17, 18, 19

// group makes double(point, t), add(point, multiple, negative, t) and multiple(to, point). negative is 0, or −1 to
// subtract; t requests T. Products are calls, because engines run out of registers if a function contains several.
// Source of the formulas: eprint 2008/522, sections 3.1 and 3.3, with a = −1.
func (c *curve) group() {
	f := c.function("", 2)
	p := get(0)
	f.storeElement(temp(tE), f.settle(f.sum(f.loadElement(offset(p, atX)), f.loadElement(offset(p, atY)))))
	one := constant32(1)
	f.do(call(c.square, temp(tE), temp(tE), one), call(c.square, temp(tF), offset(p, atZ), one))
	f.do(call(c.square, temp(tG), offset(p, atX), one), call(c.square, temp(tH), offset(p, atY), one))
	a, b := f.loadElement(temp(tG)), f.loadElement(temp(tH))
	h := f.sum(a, b)
	g := f.difference(b, a)
	e := f.difference(f.loadElement(temp(tE)), h)
	z := f.loadElement(temp(tF))
	c.finish(f, p, e, f.difference(f.sum(z, z), g), g, h, get(1))
	c.double = f

	f = c.function("", 4)
	p, m := get(0), get(1)
	swap := f.keep(i32, i32And(get(2), constant32(size)))
	sign := f.keep(v128, splat64(i64Shl(i64Ext(get(2)), constant64(63))))
	x, y := f.loadElement(offset(p, atX)), f.loadElement(offset(p, atY))
	f.storeElement(temp(tE), f.difference(y, x))
	f.storeElement(temp(tF), f.sum(y, x))
	f.do(call(c.multiply, temp(tE), temp(tE), i32Sub(offset(m, atMinus), swap)))
	f.do(call(c.multiply, temp(tF), temp(tF), i32Add(offset(m, atPlus), swap)))
	f.do(call(c.multiply, temp(tG), offset(p, atT), offset(m, atT2d)))
	f.do(call(c.multiply, temp(tH), offset(p, atZ), offset(m, atTwiceZ)))
	a, b = f.loadElement(temp(tE)), f.loadElement(temp(tF))
	t, z := f.loadElement(temp(tG)), f.loadElement(temp(tH))
	for i := range t {
		t[i] = f.keep(v128, xor(t[i], sign))
	}
	c.finish(f, p, f.difference(b, a), f.difference(z, t), f.sum(z, t), f.sum(b, a), get(3))
	c.add = f

	f = c.function("", 2)
	m, p = get(0), get(1)
	x, y = f.loadElement(offset(p, atX)), f.loadElement(offset(p, atY))
	f.storeElement(offset(m, atPlus), f.settle(f.sum(y, x)))
	f.storeElement(offset(m, atMinus), f.settle(f.difference(y, x)))
	twice := f.loadElement(offset(p, atZ))
	f.storeElement(offset(m, atTwiceZ), f.sum(twice, twice))
	f.do(call(c.multiply, offset(m, atT2d), offset(p, atT), at(atD2)))
	c.multiple = f
}

// floats returns the limbs of n.
func floats(n [4]uint64) (v [5]float64) {
	limbs := [5]uint64{
		n[0] & mask,
		(n[0]>>51 | n[1]<<13) & mask,
		(n[1]>>38 | n[2]<<26) & mask,
		(n[2]>>25 | n[3]<<39) & mask,
		n[3] >> 12,
	}
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

// Constants of the curve, which tests compare with the library's: d, 2d and √−1. Source: RFC 8032, section 5.1.
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
