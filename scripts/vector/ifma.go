package main

import "fmt"

// ifma writes code for AVX-512 with IFMA: limbs are unsigned integers of 51 bits, multiplied as 52-bit integers. The
// upper half of a product has weight 2^52, and so counts twice in the next column.
//
// An element is reduced if its limbs are below 2^51 + 2^17. Factors must be reduced. The sums of a product are below
// 2^59.
type ifma struct{ *writer }

// Registers of ifma: factors, work, columns of lower and upper halves, and the sums.
const (
	wideWork   = 5
	wideMask   = 8
	wideLow    = 9
	wideHigh   = 18
	wideResult = 27
)

func (w ifma) r(i int) string { return w.reg(wideResult + i) }

// timesP returns limb number limb of k·p.
func (w ifma) timesP(k uint64, limb int) string {
	if limb == 0 {
		return w.constant(k * (mask - 18))
	}
	return w.constant(k * mask)
}

func (w ifma) halves(k int, a, b string) {
	w.line("VPMADD52LUQ %s, %s, %s", b, a, w.reg(wideLow+k))
	w.line("VPMADD52HUQ %s, %s, %s", b, a, w.reg(wideHigh+k))
}

func (w ifma) clearColumns() {
	for k := range 9 {
		w.line("VPXORQ %[1]s, %[1]s, %[1]s", w.reg(wideLow+k))
		w.line("VPXORQ %[1]s, %[1]s, %[1]s", w.reg(wideHigh+k))
	}
}

func (w ifma) fold() {
	double := func(r string) { w.line("VPADDQ %[1]s, %[1]s, %[1]s", r) }
	for k := range 9 {
		double(w.reg(wideHigh + k))
	}
	for k := 1; k < 9; k++ {
		w.line("VPADDQ %s, %s, %s", w.reg(wideHigh+k-1), w.reg(wideLow+k), w.reg(wideLow+k))
	}
	for k := range 5 {
		upper := w.reg(wideLow + k + 5)
		if k == 4 {
			upper = w.reg(wideHigh + 8)
		}
		w.line("VPADDQ %s, %s, %s", upper, w.reg(wideLow+k), w.r(k))
		w.line("VPSLLQ $1, %s, %s", upper, w.reg(wideWork))
		w.line("VPSLLQ $4, %s, %s", upper, w.reg(wideWork+1))
		w.line("VPADDQ %s, %[2]s, %[2]s", w.reg(wideWork), w.r(k))
		w.line("VPADDQ %s, %[2]s, %[2]s", w.reg(wideWork+1), w.r(k))
	}
}

func (w ifma) multiply(a, b element) {
	w.clearColumns()
	for i := range a {
		w.line("VMOVUPD %s, %s", a[i], w.reg(factors+i))
	}
	for j := range b {
		for i := range a {
			w.halves(i+j, w.reg(factors+i), b[j])
		}
	}
	w.fold()
}

func (w ifma) square(a element) {
	w.clearColumns()
	for i := range a {
		w.line("VMOVUPD %s, %s", a[i], w.reg(factors+i))
	}
	for i := range a {
		for j := i + 1; j < 5; j++ {
			w.halves(i+j, w.reg(factors+i), w.reg(factors+j))
		}
	}
	for k := 1; k < 8; k++ {
		w.line("VPADDQ %[1]s, %[1]s, %[1]s", w.reg(wideLow+k))
		w.line("VPADDQ %[1]s, %[1]s, %[1]s", w.reg(wideHigh+k))
	}
	for i := range a {
		w.halves(2*i, w.reg(factors+i), w.reg(factors+i))
	}
	w.fold()
}

// reduce carries and stores; the sums must be below 2^63.
func (w ifma) reduce(to element) {
	carry, t := w.reg(wideWork), w.reg(wideWork+1)
	for i := range to {
		if i > 0 {
			w.line("VPADDQ %s, %[2]s, %[2]s", carry, w.r(i))
		}
		w.line("VPSRLQ $%d, %s, %s", limb, w.r(i), carry)
		w.line("VPANDQ %s, %[2]s, %[2]s", w.reg(wideMask), w.r(i))
	}
	w.line("VPADDQ %s, %[2]s, %[2]s", carry, w.r(0))
	w.line("VPSLLQ $1, %s, %s", carry, t)
	w.line("VPADDQ %s, %[2]s, %[2]s", t, w.r(0))
	w.line("VPSLLQ $4, %s, %s", carry, t)
	w.line("VPADDQ %s, %[2]s, %[2]s", t, w.r(0))
	w.save(to)
}

func (w ifma) save(to element) {
	for i := range to {
		w.line("VMOVUPD %s, %s", w.r(i), to[i])
	}
}

func (w ifma) fetch(from element) {
	for i := range from {
		w.line("VMOVUPD %s, %s", from[i], w.r(i))
	}
}

// plus adds an element in memory.
func (w ifma) plus(e element) {
	for i := range e {
		w.line("VPADDQ %s, %[2]s, %[2]s", e[i], w.r(i))
	}
}

// minus subtracts an element in memory and adds k·p, which must be larger.
func (w ifma) minus(e element, k uint64) {
	for i := range e {
		w.line("VPADDQ %s, %[2]s, %[2]s", w.timesP(k, i), w.r(i))
		w.line("VPSUBQ %s, %[2]s, %[2]s", e[i], w.r(i))
	}
}

// plusTo stores the sum with an element in memory to another place.
func (w ifma) plusTo(e, to element) {
	for i := range e {
		w.line("VPADDQ %s, %s, %s", e[i], w.r(i), w.reg(wideWork))
		w.line("VMOVUPD %s, %s", w.reg(wideWork), to[i])
	}
}

func (w ifma) product(a, b, to element) {
	w.multiply(a, b)
	w.reduce(to)
}

func (w ifma) finish(e, f, g, h element, t string) {
	w.product(e, f, in("AX", 0))
	w.product(g, h, in("AX", size))
	w.product(f, g, in("AX", 2*size))
	w.when(t, func() { w.product(e, h, in("AX", 3*size)) })
}

// Multiples of p which a difference gets, so that it is not negative: sum is more than the sum of two products, and
// twice more than such a sum and a product.
const (
	sum   = 1 << 10
	twice = 1 << 11
)

// functions writes every function for IFMA, in the order of writer.functions.
func (w ifma) functions() {
	w.field()
	w.double()
	w.add()
	w.addAffine()
	w.ready()
	negate := func(sign string, t element) { // 2p − x is ¬x + 1 + 2p
		for i := range t {
			w.line("VPXORQ %s, %s, %s", sign, w.reg(i), w.r(i))
			w.line("VPSUBQ %s, %[2]s, %[2]s", sign, w.r(i))
			w.line("VPANDQ %s, %s, %s", w.timesP(2, i), sign, w.reg(wideWork))
			w.line("VPADDQ %s, %[2]s, %[2]s", w.reg(wideWork), w.r(i))
		}
		w.reduce(t)
	}
	w.choose(negate)
	w.look(negate)
	w.pick(negate)
}

// field writes the functions that multiply and square elements of the field.
func (w ifma) field() {
	w.function("multiply", "to, a, b *vector", 24,
		[]string{"MOVQ to+0(FP), AX", "MOVQ a+8(FP), BX", "MOVQ b+16(FP), CX"}, nil, func() {
			w.product(in("BX", 0), in("CX", 0), in("AX", 0))
		})
	w.function("square", "to, a *vector, n int", 24,
		[]string{"MOVQ to+0(FP), AX", "MOVQ a+8(FP), BX", "MOVQ n+16(FP), DX"}, nil, func() {
			w.times("DX", func() {
				w.square(in("BX", 0))
				w.reduce(in("AX", 0))
				w.line("MOVQ AX, BX")
			})
		})
}

// double writes the function that doubles a point n times.
func (w ifma) double() {
	w.function("double", "p *vectorPoint, scratch *vectorScratch, n, t int", 32,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX", "MOVQ n+16(FP), DX"}, nil, func() {
			w.times("DX", func() {
				a, h, g, e, f := place(0), place(1), place(2), place(3), place(4)
				w.fetch(x)
				w.plus(y)
				w.reduce(e)
				w.square(x)
				w.save(a)
				w.square(y)
				w.plusTo(a, h)
				w.minus(a, sum)
				w.save(g)
				w.square(z)
				for i := range a {
					w.line("VPADDQ %[1]s, %[1]s, %[1]s", w.r(i))
				}
				w.minus(g, twice)
				w.reduce(f)
				w.square(e)
				w.minus(h, sum)
				w.reduce(e)
				w.fetch(g)
				w.reduce(g)
				w.fetch(h)
				w.reduce(h)
				w.lastOnly()
				w.finish(e, f, g, h, "CX")
			})
		})
}

// add writes the function that adds a multiple to a point, or subtracts it.
func (w ifma) add() {
	const f, g = 4, 2 // their places are exchanged where the multiple is subtracted
	w.function("add", "p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int", 40,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX", "MOVQ m+16(FP), CX", "MOVQ t+32(FP), DI",
			"MOVQ negative+24(FP), DX", fmt.Sprintf("ANDQ $%d, DX", size), "LEAQ (CX)(DX*1), R8", "MOVQ CX, R9",
			"SUBQ DX, R9",
			"ADDQ DX, DX", "MOVQ BX, R10", "SUBQ DX, R10", "LEAQ (BX)(DX*1), R11"}, nil, func() {
			a, e, h, s := place(0), place(1), place(3), place(5)
			w.fetch(y)
			w.minus(x, 2)
			w.reduce(s)
			w.multiply(s, in("R9", size))
			w.save(a)
			w.fetch(y)
			w.plus(x)
			w.reduce(s)
			w.multiply(s, in("R8", 0))
			w.plusTo(a, h)
			w.minus(a, sum)
			w.reduce(e)
			w.fetch(h)
			w.reduce(h)
			w.multiply(t, in("CX", 3*size))
			w.save(a)
			w.multiply(z, in("CX", 2*size))
			w.plusTo(a, in("R11", g*size))
			w.minus(a, sum)
			w.reduce(in("R10", f*size))
			w.fetch(in("R11", g*size))
			w.reduce(in("R11", g*size))
			w.finish(e, place(f), place(g), h, "DI")
		})
}

// addAffine writes the function that adds a multiple with Z = 1 to a point.
func (w ifma) addAffine() {
	w.function("addAffine", "p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int", 32,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX", "MOVQ m+16(FP), CX", "MOVQ t+24(FP), DI"}, nil, func() {
			a, e, f, g, h, s := place(0), place(1), place(2), place(3), place(4), place(5)
			w.fetch(y)
			w.minus(x, 2)
			w.reduce(s)
			w.multiply(s, in("CX", size))
			w.save(a)
			w.fetch(y)
			w.plus(x)
			w.reduce(s)
			w.multiply(s, in("CX", 0))
			w.plusTo(a, h)
			w.minus(a, sum)
			w.reduce(e)
			w.fetch(h)
			w.reduce(h)
			w.product(t, in("CX", 2*size), a)
			w.fetch(z)
			w.plus(a)
			w.reduce(g)
			w.fetch(z)
			w.minus(a, 2)
			w.reduce(f)
			w.finish(e, f, g, h, "DI")
		})
}

// ready writes the function that makes a multiple of a point: y+x, y−x, 2z and 2dT.
func (w ifma) ready() {
	w.function("ready", "m *vectorMultiple, p *vectorPoint, d2 *vector", 24,
		[]string{"MOVQ m+0(FP), BX", "MOVQ p+8(FP), AX", "MOVQ d2+16(FP), CX"}, nil, func() {
			w.fetch(y)
			w.plus(x)
			w.reduce(place(0))
			w.fetch(y)
			w.minus(x, 2)
			w.reduce(place(1))
			w.fetch(z)
			w.plus(z)
			w.reduce(place(2))
			w.product(t, in("CX", 0), place(3))
		})
}
