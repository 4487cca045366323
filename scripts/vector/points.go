package main

import "fmt"

// Coordinates of the point whose address is in AX.
var x, y, z, t = in("AX", 0), in("AX", size), in("AX", 2*size), in("AX", 3*size)

// place returns element i of the memory at BX: the scratch, or the multiple that is written.
func place(i int) element { return in("BX", i*size) }

// functions writes every function for this instruction set. Their order is that of the file.
func (w *writer) functions() {
	w.field()
	w.double()
	w.add()
	w.addAffine()
	w.ready()
	negate := func(sign string, t element) {
		w.line("VPSLLQ $63, %[1]s, %[1]s", sign)
		for i := range t {
			w.line("VPXOR%s %s, %s, %s", w.suffix, sign, w.reg(i), w.reg(result+i))
		}
		w.save(t)
	}
	w.choose(negate)
	w.look(negate)
	w.pick(negate)
}

// field writes the functions that multiply and square elements of the field.
func (w *writer) field() {
	w.function("multiply", "to, a, b *vector", 24,
		[]string{"MOVQ to+0(FP), AX", "MOVQ a+8(FP), BX", "MOVQ b+16(FP), CX"}, []string{"AX", "BX", "CX"}, func() {
			w.reduce(w.multiply(in("BX", 0), in("CX", 0)), in("AX", 0))
		})
	w.function("square", "to, a *vector, n int", 24,
		[]string{"MOVQ to+0(FP), AX", "MOVQ a+8(FP), BX"}, []string{"AX"}, func() {
			w.line("MOVQ n+16(FP), DX")
			w.times("DX", func() {
				w.reduce(w.square(in("BX", 0)), in("AX", 0))
				w.line("MOVQ AX, BX")
			})
			if w.bytes == 32 {
				w.line("MOVQ a+8(FP), BX")
				w.line("ADDQ $32, BX")
			}
		})
}

// double writes the function that doubles a point n times.
func (w *writer) double() {
	w.function("double", "p *vectorPoint, scratch *vectorScratch, n, t int", 32,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX"}, []string{"AX", "BX"}, func() {
			w.line("MOVQ n+16(FP), DX")
			w.times("DX", func() {
				a, h, g, e, f := place(0), place(1), place(2), place(3), place(4)
				w.fetch(x)
				w.forEach("VADDPD", y)
				w.settle(e)
				off := w.square(x)
				w.save(a)
				w.square(y)
				for i := range a {
					r, t := w.reg(result+i), w.reg(work)
					w.line("VPADDQ %s, %s, %s", a[i], r, t)
					w.line("VMOVUPD %s, %s", t, h[i])
				}
				w.forEach("VPSUBQ", a)
				w.save(g)
				w.square(z)
				for i := range a {
					w.line("VPADDQ %[1]s, %[1]s, %[1]s", w.reg(result+i))
				}
				w.forEach("VPSUBQ", g)
				w.reduce(off.plus(off), f)
				w.square(e)
				w.forEach("VPSUBQ", h)
				w.reduce(offsets{}.minus(off), e)
				w.fetch(g)
				w.reduce(offsets{}, g)
				w.fetch(h)
				w.reduce(off.plus(off), h)
				w.lastOnly()
				w.finish(e, f, g, h, "CX")
			})
		})
}

// sumAndDifference writes the part that both additions share: (Y-X) times minus goes to a, (Y+X) times plus is added
// to it in h, and both end reduced, the difference in e. It returns the offsets of a
// product.
func (w *writer) sumAndDifference(minus, plus, a, e, h, s element) offsets {
	w.fetch(y)
	w.forEach("VSUBPD", x)
	w.save(s)
	off := w.multiply(s, minus)
	w.save(a)
	w.fetch(y)
	w.forEach("VADDPD", x)
	w.save(s)
	w.multiply(s, plus)
	w.bothSums(a, h, e, off)
	return off
}

// bothSums writes the sum of a and the result to sum, and a minus the result to difference, both reduced. off are the
// offsets of each of the two products.
func (w *writer) bothSums(a, sum, difference element, off offsets) {
	for i := range a {
		r, t := w.reg(result+i), w.reg(work)
		w.line("VPADDQ %s, %s, %s", a[i], r, t)
		w.line("VMOVUPD %s, %s", t, sum[i])
	}
	w.forEach("VPSUBQ", a)
	w.reduce(offsets{}, difference)
	w.fetch(sum)
	w.reduce(off.plus(off), sum)
}

// add writes the function that adds a multiple to a point, or subtracts it.
func (w *writer) add() {
	w.function("add", "p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int", 40,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX", "MOVQ m+16(FP), CX", "MOVQ t+32(FP), DI",
			"MOVQ negative+24(FP), DX", fmt.Sprintf("ANDQ $%d, DX", size), "LEAQ (CX)(DX*1), R8", "MOVQ CX, R9",
			"SUBQ DX, R9"},
		[]string{"AX", "BX", "CX", "R8", "R9"}, func() {
			a, e, f, g, h, s := place(0), place(1), place(2), place(3), place(4), place(5)
			off := w.sumAndDifference(in("R9", size), in("R8", 0), a, e, h, s)
			// 2dT of the multiple changes its sign with the multiple.
			w.line("MOVQ negative+24(FP), DX")
			w.line("SHLQ $63, DX")
			w.line("VMOVQ DX, X%d", work)
			w.line("VPBROADCASTQ X%d, %s", work, w.reg(work))
			w.fetch(in("CX", 3*size))
			for i := range s {
				w.line("VPXOR%s %[2]s, %[3]s, %[3]s", w.suffix, w.reg(work), w.reg(result+i))
			}
			w.save(s)
			w.multiply(t, s)
			w.save(a)
			w.multiply(z, in("CX", 2*size))
			w.bothSums(a, g, f, off)
			w.finish(e, f, g, h, "DI")
		})
}

// addAffine writes the function that adds a multiple with Z = 1 to a point.
func (w *writer) addAffine() {
	w.function("addAffine", "p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int", 32,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX", "MOVQ m+16(FP), CX", "MOVQ t+24(FP), DI"},
		[]string{"AX", "BX", "CX"}, func() {
			a, e, f, g, h, s := place(0), place(1), place(2), place(3), place(4), place(5)
			w.sumAndDifference(in("CX", size), in("CX", 0), a, e, h, s)
			w.reduce(w.multiply(t, in("CX", 2*size)), a)
			w.fetch(z)
			w.forEach("VADDPD", a)
			w.save(g)
			w.fetch(z)
			w.forEach("VSUBPD", a)
			w.settle(f)
			w.finish(e, f, g, h, "DI")
		})
}

// ready writes the function that makes a multiple of a point: y+x, y−x, 2z and 2dT.
func (w *writer) ready() {
	w.function("ready", "m *vectorMultiple, p *vectorPoint, d2 *vector", 24,
		[]string{"MOVQ m+0(FP), BX", "MOVQ p+8(FP), AX", "MOVQ d2+16(FP), CX"}, []string{"AX", "BX", "CX"}, func() {
			w.fetch(y)
			w.forEach("VADDPD", x)
			w.settle(place(0))
			w.fetch(y)
			w.forEach("VSUBPD", x)
			w.settle(place(1))
			w.fetch(z)
			w.forEach("VADDPD", z)
			w.save(place(2))
			w.reduce(w.multiply(t, in("CX", 0)), place(3))
		})
}

// choose writes the function that sets every lane of a multiple to the digit of the lane, between −8 and 8, times the
// point whose multiples, from 1 to 8, the table holds in that lane. It reads the complete table whatever the digits
// are. last stores 2dT, which is in the first registers, negated where the sign has all ones.
func (w *writer) choose(last func(sign string, t element)) {
	const plus, minus = 0, 11 // where coordinates are gathered
	t, size8, mask, sign := w.reg(5), w.reg(7), w.reg(10), w.reg(9)
	and := func(a, b, to string) { w.line("VPAND%s %s, %s, %s", w.suffix, a, b, to) }
	xor := func(a, b, to string) { w.line("VPXOR%s %s, %s, %s", w.suffix, a, b, to) }
	equal := func(n uint64) { // all ones where the digit's size is n
		xor(w.constant(n), size8, mask)
		w.line("VPSUBQ %s, %[2]s, %[2]s", w.constant(1), mask)
		w.line("VPSRLQ $63, %[1]s, %[1]s", mask)
		xor(t, t, t)
		w.line("VPSUBQ %[1]s, %[2]s, %[1]s", mask, t)
	}
	gather := func(first, coordinate int) {
		equal(0)
		for i, from := range in("DI", coordinate*size) {
			and(from, mask, w.reg(first+i))
		}
		for n := range 8 {
			equal(uint64(n + 1))
			for i, from := range in("BX", (4*n+coordinate)*size) {
				if w.bytes == 64 {
					w.line("VPTERNLOGQ $0xf8, %s, %s, %s", from, mask, w.reg(first+i)) // or with the bits of both
				} else {
					and(from, mask, t)
					w.line("VPOR %s, %[2]s, %[2]s", t, w.reg(first+i))
				}
			}
		}
	}
	store := func(first int, to element) {
		for i := range to {
			w.line("VMOVUPD %s, %s", w.reg(first+i), to[i])
		}
	}
	w.function("choose", "m *vectorMultiple, table *vectorTable, digits *[8]int64, neutral *vectorMultiple", 32,
		[]string{"MOVQ m+0(FP), AX", "MOVQ table+8(FP), BX", "MOVQ digits+16(FP), CX", "MOVQ neutral+24(FP), DI"},
		[]string{"AX", "BX", "CX", "DI"}, func() {
			w.line("VMOVUPD 0(CX), %s", size8)
			w.line("VPSRLQ $63, %s, %s", size8, mask)
			xor(sign, sign, sign)
			w.line("VPSUBQ %[1]s, %[2]s, %[2]s", mask, sign)
			xor(sign, size8, size8)
			w.line("VPSUBQ %[1]s, %[2]s, %[2]s", sign, size8)
			gather(plus, 0)
			gather(minus, 1)
			for i := range 5 {
				p, m := w.reg(plus+i), w.reg(minus+i)
				xor(p, m, t)
				and(sign, t, t)
				xor(t, p, p)
				xor(t, m, m)
			}
			store(plus, in("AX", 0))
			store(minus, in("AX", size))
			gather(plus, 2)
			store(plus, in("AX", 2*size))
			gather(plus, 3)
			last(sign, in("AX", 3*size))
		})
}

// look writes the function that gathers one table entry for every lane, from any address. The lane adds the entry, or
// subtracts it if its digit is negative. last is as in choose.
func (w *writer) look(last func(sign string, t element)) {
	entry := []string{"R8", "R9", "R10", "R11", "R12", "R13", "R14", "DX"}[:w.bytes/8] // their addresses
	low, high, t, sign := w.reg(10), w.reg(11), w.reg(13), w.reg(12)
	plus := 0
	if w.bytes == 64 {
		plus = 16
	}
	minus := plus + 5
	// Two limbs of all lanes: first those of even lanes and those of odd lanes, then the first limbs of both and the
	// second.
	pair := func(i int, to ...string) {
		for odd, r := range []string{low, high} {
			x := "X" + r[1:]
			w.line("VMOVUPD %d(%s), %s", 16*i, entry[odd], x)
			for k := 1; k < len(entry)/2; k++ {
				if w.bytes == 64 {
					w.line("VINSERTF32X4 $%d, %d(%s), %[4]s, %[4]s", k, 16*i, entry[2*k+odd], r)
				} else {
					w.line("VINSERTF128 $%d, %d(%s), %[4]s, %[4]s", k, 16*i, entry[2*k+odd], r)
				}
			}
		}
		for k, r := range to {
			w.line([]string{"VUNPCKLPD", "VUNPCKHPD"}[k]+" %s, %s, %s", high, low, r)
		}
	}
	w.function("look", "m *vectorAffine, entries *[8]*wideEntry, digits *[8]int64", 24,
		[]string{"MOVQ m+0(FP), AX", "MOVQ entries+8(FP), BX", "MOVQ digits+16(FP), CX"}, []string{"AX", "BX", "CX"},
		func() {
			for i, r := range entry {
				w.line("MOVQ %d(BX), %s", 8*i, r)
			}
			for i := range 5 {
				pair(i, w.reg(plus+2*i), w.reg(plus+2*i+1))
			}
			w.line("VMOVUPD 0(CX), %s", sign)
			w.line("VPSRLQ $63, %[1]s, %[1]s", sign)
			w.line("VPXOR%s %[2]s, %[2]s, %[2]s", w.suffix, t)
			w.line("VPSUBQ %s, %s, %[1]s", sign, t)
			for i := range 5 {
				p, m := w.reg(plus+i), w.reg(minus+i)
				w.line("VPXOR%s %s, %s, %s", w.suffix, p, m, t)
				w.line("VPAND%s %s, %[3]s, %[3]s", w.suffix, sign, t)
				w.line("VPXOR%s %s, %[3]s, %[3]s", w.suffix, t, p)
				w.line("VPXOR%s %s, %[3]s, %[3]s", w.suffix, t, m)
				w.line("VMOVUPD %s, %s", p, in("AX", 0)[i])
				w.line("VMOVUPD %s, %s", m, in("AX", size)[i])
			}
			kept := w.reg(9) // a register that last does not use
			w.line("VMOVAPD %s, %s", sign, kept)
			pair(5, w.reg(0), w.reg(1))
			pair(6, w.reg(2), w.reg(3))
			pair(7, w.reg(4))
			last(kept, in("AX", 2*size))
		})
}
