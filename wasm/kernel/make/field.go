package main

// Field arithmetic on two interleaved elements. An element is five floating-point limbs of 51 bits, the sum of
// v[i]·2^(51·i); each limb is an integer of either sign. Reduced means |v[i]| ≤ 2^50 + 2^15; the product of two limbs
// must stay below 2^102.
//
// A product of two limbs is computed as hi·2^51 + lo with two fused multiply-adds: the first rounds to a multiple of
// 2^51 because of the size of the added constant, the second computes the remainder. The bit patterns of both are added
// as integers, and the constants' bits are subtracted later, all at once. Source: Emmart, Zheng, Weems, "Faster Modular
// Exponentiation Using Double Precision Floating Point Arithmetic on the GPU", ARITH 2018; here with rounding to
// nearest.
const (
	limb     = 51
	size     = 5 * 16             // bytes of two elements
	highBits = 0x4668000000000000 // 1.5·2^103, whose last bit is 2^51
	lowBits  = 0x4338000000000000 // 1.5·2^52, whose last bit is 1
	mask     = 1<<limb - 1
)

// element is code that reads its five vectors, for example from variables.
type element [5]code

// loadElement loads an element from memory into variables.
func (f *function) loadElement(at code) (e element) {
	for i := range e {
		e[i] = f.keep(v128, load(at, 16*i))
	}
	return e
}

func (f *function) storeElement(at code, e element) {
	for i := range e {
		f.do(store(at, 16*i, e[i]))
	}
}

// sums is a product before reduction: integer limbs, each off by a constant.
type sums struct {
	limbs [5]code
	off   [5]uint64
}

// columns collects the products of limbs by their weight.
type columns struct {
	f     *function
	sum   [10]int // variables; -1 if nothing was added
	off   [10]uint64
	lower code // 1.5·2^103 + 1.5·2^52
	high  code
}

func (f *function) columns() *columns {
	c := &columns{f: f, high: f.both(highBits), lower: f.both(highBits + 3)}
	for i := range c.sum {
		c.sum[i] = -1
	}
	return c
}

// add adds a·b to column k.
func (c *columns) add(k int, a, b code) {
	hi := c.f.keep(v128, fma(a, b, c.high))
	c.put(k+1, hi, highBits)
	c.put(k, fma(a, b, f64Sub(c.lower, hi)), lowBits)
}

func (c *columns) put(k int, v code, off uint64) {
	c.off[k] += off
	if c.sum[k] < 0 {
		c.sum[k] = c.f.local(v128)
		c.f.do(set(c.sum[k], v))
		return
	}
	c.f.do(set(c.sum[k], add(get(c.sum[k]), v)))
}

// fold adds the upper five columns, times 19, to the lower ones.
func (c *columns) fold() (s sums) {
	for k := range s.limbs {
		s.limbs[k] = c.f.fold(get(c.sum[k]), get(c.sum[k+5]))
		s.off[k] = c.off[k] + 19*c.off[k+5]
	}
	return s
}

// multiply multiplies a by the element whose address is in the variable b, and moves b to that element's end. It is a
// loop over the limbs of b: with all 25 products in a row, engines keep too many values at once.
func (f *function) multiply(a element, b int) (s sums) {
	high, lower := f.both(highBits), f.both(highBits+3)
	var row [5]int // contribution of the limbs so far to the limbs from here on
	for i := range row {
		row[i] = f.local(v128)
	}
	done, end := f.local(i32), f.local(i32)
	advance := func(local int) code { return set(local, i32Add(get(local), constant32(16))) }
	f.do(set(done, at(atRow)), set(end, i32Add(get(b), constant32(size))))
	f.do(repeat(i32LtU(get(b), get(end)), f.piece(func() {
		limb := f.keep(v128, load(get(b), 0))
		hi := f.keep(v128, fma(a[0], limb, high))
		f.do(store(get(done), 0, add(get(row[0]), fma(a[0], limb, f64Sub(lower, hi)))))
		for i := 1; i < 5; i++ {
			next := f.keep(v128, fma(a[i], limb, high))
			f.do(set(row[i-1], add(add(get(row[i]), hi), fma(a[i], limb, f64Sub(lower, next)))))
			hi = next
		}
		f.do(set(row[4], hi), advance(b), advance(done))
	})))
	var off [10]uint64
	for k := range 9 {
		n := uint64(min(k, 8-k) + 1)
		off[k], off[k+1] = off[k]+n*lowBits, off[k+1]+n*highBits
	}
	for k := range s.limbs {
		s.limbs[k] = f.fold(load(at(atRow), 16*k), get(row[k]))
		s.off[k] = off[k] + 19*off[k+5]
	}
	return s
}

// fold is lower + 19·upper.
func (f *function) fold(lower, upper code) code {
	return f.keep(v128, add(add(lower, upper), add(shl(upper, 1), shl(upper, 4))))
}

func (f *function) square(a element) sums {
	var twice element
	for i := range 4 {
		twice[i] = f.keep(v128, f64Add(a[i], a[i]))
	}
	c := f.columns()
	for k := range 9 {
		for i := max(0, k-4); 2*i < k; i++ {
			c.add(k, twice[i], a[k-i])
		}
		if k%2 == 0 {
			c.add(k, a[k/2], a[k/2])
		}
	}
	return c.fold()
}

// reduce carries; the limbs of a must be below 2^61.
func (f *function) reduce(a sums) (e element) {
	// above makes limbs positive for unsigned shifts; half makes the remainders signed.
	const above, half = 1 << 62, 1 << (limb - 1)
	var low [5]code
	var carry code
	for i := range low {
		bias := above + half - a.off[i]
		x := a.limbs[i]
		if i > 0 {
			bias -= above >> limb
			x = add(x, carry)
		}
		sum := f.keep(v128, add(x, f.both(bias)))
		low[i] = f.keep(v128, and(sum, f.both(mask)))
		carry = f.keep(v128, shr(sum, limb))
	}
	wrap := add(carry, add(shl(carry, 1), shl(carry, 4)))
	for i := range e {
		bits := or(low[i], f.both(lowBits))
		if i == 0 {
			bits = add(add(low[0], f.both(lowBits-19*(above>>limb))), wrap)
		}
		e[i] = f.keep(v128, f64Sub(bits, f.bothFloat(3<<51+half)))
	}
	return e
}

// sum and difference do not reduce.
func (f *function) sum(a, b element) (e element) {
	for i := range e {
		e[i] = f.keep(v128, f64Add(a[i], b[i]))
	}
	return e
}

func (f *function) difference(a, b element) (e element) {
	for i := range e {
		e[i] = f.keep(v128, f64Sub(a[i], b[i]))
	}
	return e
}

// settle reduces an element whose limbs are below 2^53.
func (f *function) settle(a element) (e element) {
	var carry [5]code
	for i := range a {
		carry[i] = f.keep(v128, f64Sub(f64Add(a[i], f.both(highBits)), f.both(highBits)))
	}
	for i := range a {
		from, unit := (i+4)%5, 1.0/(1<<limb)
		if i == 0 {
			unit *= 19
		}
		e[i] = f.keep(v128, fma(carry[from], f.bothFloat(unit), f64Sub(a[i], carry[i])))
	}
	return e
}
