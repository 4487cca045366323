package main

import "glim/wasm/kernel"

// numbers makes number(to, element), which stores the canonical 32 bytes of one of two interleaved elements; limbs must
// be below 2^53. It also makes the reverse, limbs(to, from, stride): an element from the low 255 bits at from, and the
// other one from those stride bytes later.
func (c *curve) numbers() {
	f := c.function("", 2)
	var v [5]int
	for i := range v {
		v[i] = f.local(i64)
		add := uint64(4 * mask) // together 4p
		if i == 0 {
			add = 4 * (mask - 18)
		}
		f.do(set(v[i], i64Add(join(loadFloat(get(1), 16*i), code{0xb0}), constant64(int64(add)))))
	}
	m := constant64(mask)
	carry := func() {
		for i := range 4 {
			f.do(set(v[i+1], i64Add(get(v[i+1]), i64ShrU(get(v[i]), constant64(limb)))))
			f.do(set(v[i], i64And(get(v[i]), m)))
		}
	}
	for range 2 {
		carry()
		f.do(set(v[0], i64Add(get(v[0]), i64Mul(i64ShrU(get(v[4]), constant64(limb)), constant64(19)))))
		f.do(set(v[4], i64And(get(v[4]), m)))
	}
	// The number plus 19 reaches 2^255 exactly if the number is at least p; then 2^255 is dropped.
	over := f.keep(i64, i64ShrU(i64Add(get(v[0]), constant64(19)), constant64(limb)))
	for i := 1; i < 5; i++ {
		over = f.keep(i64, i64ShrU(i64Add(get(v[i]), over), constant64(limb)))
	}
	f.do(set(v[0], i64Add(get(v[0]), i64Mul(over, constant64(19)))))
	carry()
	f.do(set(v[4], i64And(get(v[4]), m)))
	for i, shifts := range [4][2]int64{{0, 51}, {13, 38}, {26, 25}, {39, 12}} {
		low := i64ShrU(get(v[i]), constant64(shifts[0]))
		high := i64Shl(get(v[i+1]), constant64(shifts[1]))
		f.do(store64(get(0), 8*i, i64Or(low, high)))
	}
	c.number = f

	f = c.function("", 3)
	var limbs [2][5]code
	for lane := range limbs {
		from := get(1)
		if lane == 1 {
			from = i32Add(get(1), get(2))
		}
		var w [4]code
		for i := range w {
			w[i] = f.keep(i64, load64(from, 8*i))
		}
		for i, shift := range [5]int64{0, 51, 38, 25, 12} {
			part := w[min(i, 3)]
			if i == 4 {
				part = i64ShrU(w[3], constant64(shift))
			} else if i > 0 {
				part = i64Or(i64ShrU(w[i-1], constant64(shift)), i64Shl(w[i], constant64(64-shift)))
			}
			limbs[lane][i] = i64And(part, constant64(mask))
		}
	}
	var e element
	for i := range e {
		v := withLane1(splat64(limbs[0][i]), limbs[1][i])
		e[i] = f.keep(v128, f64Sub(or(v, f.both(lowBits)), f.bothFloat(3<<51)))
	}
	f.storeElement(get(0), f.settle(e))
	c.limbs = f
}

// isZero is an i32, 1 if the 32 bytes at an address are zeros.
func isZero(address int) code {
	w := func(i int) code { return load64(at(address), 8*i) }
	return i64Eqz(i64Or(i64Or(w(0), w(1)), i64Or(w(2), w(3))))
}

// toMask turns 1 into a mask of 64 ones, and 0 into zeros.
func toMask(truth code) code { return i64Sub(constant64(0), i64ExtU(truth)) }

// coding makes decode(keys, valid), which decodes two keys to atPoint, and encode(out, end, valid), which expects the
// inverse of Z in temp(8). An encoding that is not a point decodes to the neutral element, with a mask of zeros in
// valid, and is encoded as zeros.
func (c *curve) coding() {
	c.makeDecode()
	c.makeEncode()
}

// Temporary elements of decode and encode.
const tU, tW, tW3, tX, tXI, tMore, tLess, tMask = 8, 9, 10, 11, 12, 13, 14, 15

func (c *curve) makeDecode() {
	f := c.function("", 2)
	f.do(call(c.limbs, at(atPoint+atY), get(0), constant32(32)))
	// x² = u/w with u = y² − 1, w = dy² + 1; x is u·w³·(u·w^7)^((p−5)/8), or that times √−1.
	f.do(call(c.square, temp(tU), at(atPoint+atY), constant32(1)), call(c.multiply, temp(tW), temp(tU), at(atD)))
	one := f.loadElement(at(atOne))
	f.storeElement(temp(tU), f.settle(f.difference(f.loadElement(temp(tU)), one)))
	f.storeElement(temp(tW), f.settle(f.sum(f.loadElement(temp(tW)), one)))
	do := func(to, a, b int) { f.do(call(c.multiply, temp(to), temp(a), temp(b))) }
	do(tW3, tW, tW)
	do(tW3, tW3, tW)
	do(tX, tW3, tW3)
	do(tX, tX, tW)
	do(tX, tX, tU)
	f.do(call(c.power, temp(tX), temp(tX)))
	do(tX, tX, tW3)
	do(tX, tX, tU)
	do(tLess, tX, tX)
	do(tLess, tLess, tW)
	f.do(call(c.multiply, temp(tXI), temp(tX), at(atRoot)))
	check := f.loadElement(temp(tLess))
	u := f.loadElement(temp(tU))
	f.storeElement(temp(tMore), f.sum(check, u))
	f.storeElement(temp(tLess), f.difference(check, u))
	// numbers stores number(of a lane of an element) at position i of the words.
	number := func(i int, of code, lane int) { f.do(call(c.number, at(atWords+32*i), offset(of, 8*lane))) }
	lanes := func(each func(lane int, result code)) {
		for lane := range 2 {
			each(lane, temp(tMask))
		}
	}
	valid := [2]int{f.local(i64), f.local(i64)}
	lanes(func(lane int, result code) {
		number(0, temp(tLess), lane)
		number(1, temp(tMore), lane)
		number(2, at(atPoint+atY), lane)
		for i := range 4 { // the remainder is zero if y is canonical
			key := load64(get(0), 32*lane+8*i)
			if i == 3 {
				key = i64And(key, constant64(1<<63-1))
			}
			f.do(store64(at(atWords+64), 8*i, i64Xor(load64(at(atWords+64), 8*i), key)))
		}
		f.do(store64(result, 8*lane, toMask(isZero(atWords))))
		f.do(set(valid[lane], i64And(toMask(i32Or(isZero(atWords), isZero(atWords+32))), toMask(isZero(atWords+64)))))
	})
	root := f.keep(v128, load(temp(tMask), 0))
	x, xi := f.loadElement(temp(tX)), f.loadElement(temp(tXI))
	for i := range x {
		x[i] = f.keep(v128, choose(x[i], xi[i], root))
	}
	f.storeElement(temp(tX), x)
	lanes(func(lane int, result code) {
		number(0, temp(tX), lane)
		sign := f.keep(i64, i64ShrU(load64(get(0), 32*lane+24), constant64(63)))
		// The mask that negates x, if its lowest bit differs from the sign.
		f.do(store64(result, 8*lane, i64Shl(i64Xor(load64(at(atWords), 0), sign), constant64(63))))
		f.do(set(valid[lane], i64And(get(valid[lane]), toMask(i64Eqz(i64And(sign, toMask(isZero(atWords))))))))
		f.do(store64(get(1), 8*lane, get(valid[lane])))
	})
	turn := f.keep(v128, load(temp(tMask), 0))
	whole := f.keep(v128, load(get(1), 0))
	y := f.loadElement(at(atPoint + atY))
	for i := range x {
		x[i] = f.keep(v128, and(xor(x[i], turn), whole))
		y[i] = f.keep(v128, choose(y[i], one[i], whole))
	}
	f.storeElement(at(atPoint+atX), x)
	f.storeElement(at(atPoint+atY), y)
	f.storeElement(at(atPoint+atZ), one)
	f.do(call(c.multiply, at(atPoint+atT), at(atPoint+atX), at(atPoint+atY)))
	c.decode = f
}

func (c *curve) makeEncode() {
	f := c.function("", 3)
	f.do(call(c.multiply, temp(tX), offset(get(1), endX), temp(tU)))
	f.do(call(c.multiply, temp(tXI), offset(get(1), endY), temp(tU)))
	for lane := range 2 {
		f.do(call(c.number, at(atWords), offset(temp(tX), 8*lane)))
		f.do(call(c.number, at(atWords+32), offset(temp(tXI), 8*lane)))
		for i := range 4 {
			word := load64(at(atWords+32), 8*i)
			if i == 3 {
				word = i64Or(word, i64Shl(load64(at(atWords), 0), constant64(63)))
			}
			f.do(store64(get(0), 32*lane+8*i, i64And(word, load64(get(2), 8*lane))))
		}
	}
	c.encode = f
}

// derive makes the exported function derive.
func (c *curve) derive() {
	f := c.function("derive", 2)
	const n, end = 0, 1
	const product, before = 5, 6 // temporary elements that power and decode do not use
	i, step, count, digit := f.local(i32), f.local(i32), f.local(i32), f.local(i32)
	key, valid, result := f.local(i32), f.local(i32), f.local(i32)
	copyPoint := func(to, from code, elements int) (all code) {
		for k := range 5 * elements {
			all = append(all, store(to, 16*k, load(from, 16*k))...)
		}
		return all
	}
	advance := func(local int, by int) code { return set(local, offset(get(local), by)) }
	table := f.piece(func() {
		f.do(copyPoint(at(atNext), at(atPoint), 4), copyPoint(at(atTemp), at(atPoint), 4))
		f.do(call(c.double, at(atTemp), constant32(1)), call(c.multiple, at(atTwice), at(atTemp)))
		for k := range 8 {
			f.do(call(c.multiple, at(atTable+k*point), at(atNext)))
			isStep := i32Eq(load8(at(kernel.AtProgram), 0), constant32(int32(k)))
			f.do(when(isStep, copyPoint(at(atPoint), at(atNext), 4)))
			if k < 7 {
				f.do(call(c.add, at(atNext), at(atTwice), constant32(0), constant32(1)))
			}
		}
	})
	negative := f.local(i32)
	ladder := f.piece(func() {
		f.do(set(step, at(kernel.AtProgram+1)))
		f.do(repeat(i32LtU(get(step), get(end)),
			set(count, load8u(get(step), 0)), set(digit, load8(get(step), 1)), advance(step, 2),
			repeat(get(count), // T is needed if an addition follows
				advance(count, -1),
				call(c.double, at(atPoint), i32And(i32Eqz(get(count)), i32Ne(get(digit), constant32(0)))),
			),
			when(get(digit),
				set(negative, i32ShrS(get(digit), constant32(31))),
				set(digit, i32Sub(i32Xor(get(digit), get(negative)), get(negative))),
				call(c.add, at(atPoint),
					i32Add(at(atTable), i32Mul(i32ShrS(get(digit), constant32(1)), constant32(point))),
					get(negative), constant32(0)),
			),
		))
	})
	start := join(set(key, at(kernel.AtKeys)), set(valid, at(atValid)), set(result, at(atEnds)), set(i, constant32(0)))
	f.do(start, copyPoint(temp(product), at(atOne), 1))
	f.do(repeat(i32LtS(get(i), get(n)),
		call(c.decode, get(key), get(valid)), table, ladder,
		copyPoint(get(result), at(atPoint), 3),
		copyPoint(offset(get(result), endBefore), temp(product), 1),
		call(c.multiply, temp(product), temp(product), at(atPoint+atZ)),
		advance(key, 64), advance(valid, 16), advance(result, point), advance(i, 1),
	))
	// One inversion for all: 1/a = a^(p−2), and p − 2 = 8·(2^252 − 3) + 3.
	f.do(call(c.power, temp(7), temp(product)), call(c.square, temp(7), temp(7), constant32(3)))
	f.do(call(c.square, temp(before), temp(product), constant32(1)),
		call(c.multiply, temp(before), temp(before), temp(product)))
	f.do(call(c.multiply, temp(product), temp(7), temp(before)))
	f.do(set(key, i32Add(get(key), at(kernel.AtOut-kernel.AtKeys))))
	f.do(repeat(get(i),
		advance(key, -64), advance(valid, -16), advance(result, -point), advance(i, -1),
		call(c.multiply, temp(8), temp(product), offset(get(result), endBefore)),
		call(c.multiply, temp(product), temp(product), offset(get(result), endZ)),
		call(c.encode, get(key), get(result), get(valid)),
	))
}
