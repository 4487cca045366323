// Command vector writes core/crypto/edwards/vector_amd64.s: field and curve of eight lanes, for AVX2 with FMA in two halves, for
// AVX-512 at once, and for its IFMA. The arithmetic but for IFMA is that of wasm/kernel/make, field.go, which says how it works and where it is from.
// Beside it core/crypto/keccak/vector_amd64.s: eight hashes at once, for AVX-512.
package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: vector CURVE KECCAK")
		os.Exit(2)
	}
	for i, content := range [][]byte{write(), writeKeccak()} {
		if err := os.WriteFile(os.Args[1+i], content, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "vector:", err)
			os.Exit(1)
		}
	}
}

const (
	limb     = 51
	size     = 5 * 64             // bytes of an element of eight lanes
	highBits = 0x4668000000000000 // 1.5·2^103, whose last bit is 2^51
	lowBits  = 0x4338000000000000 // 1.5·2^52, whose last bit is 1
	mask     = 1<<limb - 1
)

// writer writes one kind of instructions.
type writer struct {
	out       bytes.Buffer
	constants *[]uint64
	register  string // Y or Z
	bytes     int    // of a register
	suffix    string // of bitwise instructions
	integers  bool   // whether limbs are integers, as ifma has them
	labels    int
}

func (w *writer) line(format string, args ...any) {
	w.out.WriteByte('\t')
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

// constant is where n stands eight times.
func (w *writer) constant(n uint64) string {
	i := slices.Index(*w.constants, n)
	if i < 0 {
		i = len(*w.constants)
		*w.constants = append(*w.constants, n)
	}
	return fmt.Sprintf("vectorConstants<>+%d(SB)", 64*i)
}

func (w *writer) float(x float64) string { return w.constant(math.Float64bits(x)) }

func (w *writer) reg(i int) string { return fmt.Sprintf("%s%d", w.register, i) }

// element is where its five vectors lie.
type element [5]string

// in is the element at an offset from the address in a register.
func in(register string, offset int) (e element) {
	for i := range e {
		e[i] = fmt.Sprintf("%d(%s)", offset+64*i, register)
	}
	return e
}

// Registers: factors, the two constants, what a product is made in, upper columns, and the lower ones, which become the sums.
const (
	factors = 0
	high    = 5
	lower   = 6
	work    = 7
	upper   = 9
	result  = 11
)

// offsets are by how much the sums in the result's registers are off.
type offsets [5]uint64

func (o offsets) plus(p offsets) offsets {
	for i := range o {
		o[i] += p[i]
	}
	return o
}

func (o offsets) minus(p offsets) offsets {
	for i := range o {
		o[i] -= p[i]
	}
	return o
}

// columns gathers products by weight.
type columns struct {
	w     *writer
	begun [10]bool
	off   [10]uint64
}

func (c *columns) register(k int) string {
	if k < 5 {
		return c.w.reg(result + k)
	}
	return c.w.reg(upper + k%2)
}

// add adds the product of a register and a place in memory to column k.
func (c *columns) add(k int, a, b string) {
	w := c.w
	hi, lo := w.reg(work), w.reg(work+1)
	w.line("VMOVAPD %s, %s", w.reg(high), hi)
	w.line("VFMADD231PD %s, %s, %s", b, a, hi)
	w.line("VSUBPD %s, %s, %s", hi, w.reg(lower), lo)
	w.line("VFMADD231PD %s, %s, %s", b, a, lo)
	c.put(k+1, hi, highBits)
	c.put(k, lo, lowBits)
}

func (c *columns) put(k int, v string, off uint64) {
	c.off[k] += off
	r := c.register(k)
	if c.begun[k] {
		c.w.line("VPADDQ %s, %s, %s", v, r, r)
	} else {
		c.w.line("VMOVAPD %s, %s", v, r)
	}
	c.begun[k] = true
}

// done folds column k, 19-fold, into one of the lower five.
func (c *columns) done(k int) {
	if k < 5 {
		return
	}
	w, from, to, t := c.w, c.register(k), c.w.reg(result+k-5), c.w.reg(work)
	w.line("VPADDQ %s, %s, %s", from, to, to)
	w.line("VPSLLQ $1, %s, %s", from, t)
	w.line("VPADDQ %s, %s, %s", t, to, to)
	w.line("VPSLLQ $4, %s, %s", from, t)
	w.line("VPADDQ %s, %s, %s", t, to, to)
}

func (c *columns) offsets() (o offsets) {
	for k := range o {
		o[k] = c.off[k] + 19*c.off[k+5]
	}
	return o
}

// begin loads the constants of products, once a function.
func (w *writer) begin() {
	if w.integers {
		w.line("VMOVUPD %s, %s", w.constant(mask), w.reg(wideMask))
		return
	}
	w.line("VMOVUPD %s, %s", w.constant(highBits), w.reg(high))
	w.line("VMOVUPD %s, %s", w.constant(highBits+3), w.reg(lower))
}

func (w *writer) multiply(a, b element) offsets {
	for i := range a {
		w.line("VMOVUPD %s, %s", a[i], w.reg(factors+i))
	}
	c := &columns{w: w}
	for k := range 9 {
		for i := max(0, k-4); i <= min(k, 4); i++ {
			c.add(k, w.reg(factors+i), b[k-i])
		}
		c.done(k)
	}
	c.done(9)
	return c.offsets()
}

func (w *writer) square(a element) offsets {
	for i := range 4 {
		w.line("VMOVUPD %s, %s", a[i], w.reg(factors+i))
		w.line("VADDPD %[1]s, %[1]s, %[1]s", w.reg(factors+i))
	}
	c := &columns{w: w}
	for k := range 9 {
		for i := max(0, k-4); 2*i < k; i++ {
			c.add(k, w.reg(factors+i), a[k-i])
		}
		if k%2 == 0 {
			w.line("VMOVUPD %s, %s", a[k/2], w.reg(factors+4))
			c.add(k, w.reg(factors+4), a[k/2])
		}
		c.done(k)
	}
	c.done(9)
	return c.offsets()
}

// each writes an instruction for every register of the result, with a place in memory as its first operand.
func (w *writer) each(instruction string, e element) {
	for i := range e {
		w.line("%s %s, %[3]s, %[3]s", instruction, e[i], w.reg(result+i))
	}
}

func (w *writer) save(e element) {
	for i := range e {
		w.line("VMOVUPD %s, %s", w.reg(result+i), e[i])
	}
}

func (w *writer) fetch(e element) {
	for i := range e {
		w.line("VMOVUPD %s, %s", e[i], w.reg(result+i))
	}
}

// reduce carries and stores.
func (w *writer) reduce(off offsets, to element) {
	const above, half = 1 << 62, 1 << (limb - 1)
	carry, t := w.reg(work), w.reg(work+1)
	for i := range off {
		r := w.reg(result + i)
		bias := above + half - off[i]
		if i > 0 {
			bias -= above >> limb
			w.line("VPADDQ %s, %s, %s", carry, r, r)
		}
		w.line("VPADDQ %s, %s, %s", w.constant(bias), r, r)
		w.line("VPSRLQ $%d, %s, %s", limb, r, carry)
		w.line("VPAND%s %s, %s, %s", w.suffix, w.constant(mask), r, r)
	}
	first := w.reg(result)
	w.line("VPADDQ %s, %s, %s", w.constant(lowBits-19*(above>>limb)), first, first)
	w.line("VPADDQ %s, %s, %s", carry, first, first)
	w.line("VPSLLQ $1, %s, %s", carry, t)
	w.line("VPADDQ %s, %s, %s", t, first, first)
	w.line("VPSLLQ $4, %s, %s", carry, t)
	w.line("VPADDQ %s, %s, %s", t, first, first)
	for i := range to {
		r := w.reg(result + i)
		if i > 0 {
			w.line("VPOR%s %s, %s, %s", w.suffix, w.constant(lowBits), r, r)
		}
		w.line("VSUBPD %s, %s, %s", w.float(3<<51+half), r, r)
	}
	w.save(to)
}

// settle reduces a sum or a difference of two reduced elements, in the registers of the result, and stores it.
func (w *writer) settle(to element) {
	for i := range to {
		r, c := w.reg(result+i), w.reg(factors+i)
		w.line("VADDPD %s, %s, %s", w.constant(highBits), r, c)
		w.line("VSUBPD %s, %s, %s", w.constant(highBits), c, c)
		w.line("VSUBPD %s, %s, %s", c, r, r)
	}
	for i := range to {
		unit := 1.0 / (1 << limb)
		if i == 0 {
			unit *= 19
		}
		w.line("VFMADD231PD %s, %s, %s", w.float(unit), w.reg(factors+(i+4)%5), w.reg(result+i))
	}
	w.save(to)
}

// function writes a function whose arguments are loaded into registers, with body once for all lanes or once for each half.
// Addresses among the registers move on for the second half.
func (w *writer) function(name, signature string, bytes int, arguments, addresses []string, body func()) {
	fmt.Fprintf(&w.out, "\n// func %[1]s%[2]s(%[3]s)\nTEXT ·%[1]s%[2]s(SB), NOSPLIT, $0-%[4]d\n", name, w.kind(), signature, bytes)
	for _, a := range arguments {
		w.line("%s", a)
	}
	w.begin()
	w.labels++
	half := fmt.Sprintf("half%d", w.labels)
	if w.bytes == 32 {
		w.line("MOVQ $2, R15")
		fmt.Fprintf(&w.out, "%s:\n", half)
	}
	body()
	if w.bytes == 32 {
		for _, a := range addresses {
			w.line("ADDQ $32, %s", a)
		}
		w.line("DECQ R15")
		w.line("JNZ %s", half)
	}
	w.line("VZEROUPPER")
	w.line("RET")
}

func (w *writer) kind() string {
	switch {
	case w.bytes == 32:
		return "AVX2"
	case w.integers:
		return "IFMA"
	}
	return "AVX512"
}

// times repeats body as often as register says, at least once. The register is used up.
func (w *writer) times(register string, body func()) {
	w.labels++
	label := fmt.Sprintf("again%d", w.labels)
	fmt.Fprintf(&w.out, "%s:\n", label)
	body()
	w.line("DECQ %s", register)
	w.line("JNZ %s", label)
}

// when leaves body out if register is zero.
func (w *writer) when(register string, body func()) {
	w.labels++
	label := fmt.Sprintf("over%d", w.labels)
	w.line("TESTQ %[1]s, %[1]s", register)
	w.line("JZ %s", label)
	body()
	fmt.Fprintf(&w.out, "%s:\n", label)
}

// lastOnly makes CX zero unless T is wanted of a doubling and DX says that it is the last.
func (w *writer) lastOnly() {
	w.line("MOVQ DX, CX")
	w.line("DECQ CX")
	w.line("NEGQ CX")
	w.line("SBBQ CX, CX") // all ones unless it is the last
	w.line("NOTQ CX")
	w.line("ANDQ t+24(FP), CX")
}

// finish stores the point that four factors in the scratch give, T only if the register is not zero.
func (w *writer) finish(e, f, g, h element, t string) {
	w.reduce(w.multiply(e, f), in("AX", 0))
	w.reduce(w.multiply(g, h), in("AX", size))
	w.reduce(w.multiply(f, g), in("AX", 2*size))
	w.when(t, func() { w.reduce(w.multiply(e, h), in("AX", 3*size)) })
}

func (w *writer) functions() {
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
	x, y, z, t := in("AX", 0), in("AX", size), in("AX", 2*size), in("AX", 3*size)
	place := func(i int) element { return in("BX", i*size) }
	w.function("double", "p *vectorPoint, scratch *vectorScratch, n, t int", 32,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX"}, []string{"AX", "BX"}, func() {
			w.line("MOVQ n+16(FP), DX")
			w.times("DX", func() {
				a, h, g, e, f := place(0), place(1), place(2), place(3), place(4)
				w.fetch(x)
				w.each("VADDPD", y)
				w.settle(e)
				off := w.square(x)
				w.save(a)
				w.square(y)
				for i := range a {
					r, t := w.reg(result+i), w.reg(work)
					w.line("VPADDQ %s, %s, %s", a[i], r, t)
					w.line("VMOVUPD %s, %s", t, h[i])
				}
				w.each("VPSUBQ", a)
				w.save(g)
				w.square(z)
				for i := range a {
					w.line("VPADDQ %[1]s, %[1]s, %[1]s", w.reg(result+i))
				}
				w.each("VPSUBQ", g)
				w.reduce(off.plus(off), f)
				w.square(e)
				w.each("VPSUBQ", h)
				w.reduce(offsets{}.minus(off), e)
				w.fetch(g)
				w.reduce(offsets{}, g)
				w.fetch(h)
				w.reduce(off.plus(off), h)
				w.lastOnly()
				w.finish(e, f, g, h, "CX")
			})
		})
	w.function("add", "p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int", 40,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX", "MOVQ m+16(FP), CX", "MOVQ t+32(FP), DI",
			"MOVQ negative+24(FP), DX", fmt.Sprintf("ANDQ $%d, DX", size), "LEAQ (CX)(DX*1), R8", "MOVQ CX, R9", "SUBQ DX, R9"},
		[]string{"AX", "BX", "CX", "R8", "R9"}, func() {
			a, e, f, g, h, s := place(0), place(1), place(2), place(3), place(4), place(5)
			w.fetch(y)
			w.each("VSUBPD", x)
			w.save(s)
			off := w.multiply(s, in("R9", size))
			w.save(a)
			w.fetch(y)
			w.each("VADDPD", x)
			w.save(s)
			w.multiply(s, in("R8", 0))
			for i := range a {
				r, t := w.reg(result+i), w.reg(work)
				w.line("VPADDQ %s, %s, %s", a[i], r, t)
				w.line("VMOVUPD %s, %s", t, h[i])
			}
			w.each("VPSUBQ", a)
			w.reduce(offsets{}, e)
			w.fetch(h)
			w.reduce(off.plus(off), h)
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
			for i := range a {
				r, t := w.reg(result+i), w.reg(work)
				w.line("VPADDQ %s, %s, %s", a[i], r, t)
				w.line("VMOVUPD %s, %s", t, g[i])
			}
			w.each("VPSUBQ", a)
			w.reduce(offsets{}, f)
			w.fetch(g)
			w.reduce(off.plus(off), g)
			w.finish(e, f, g, h, "DI")
		})
	w.function("addAffine", "p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int", 32,
		[]string{"MOVQ p+0(FP), AX", "MOVQ scratch+8(FP), BX", "MOVQ m+16(FP), CX", "MOVQ t+24(FP), DI"}, []string{"AX", "BX", "CX"}, func() {
			a, e, f, g, h, s := place(0), place(1), place(2), place(3), place(4), place(5)
			w.fetch(y)
			w.each("VSUBPD", x)
			w.save(s)
			off := w.multiply(s, in("CX", size))
			w.save(a)
			w.fetch(y)
			w.each("VADDPD", x)
			w.save(s)
			w.multiply(s, in("CX", 0))
			for i := range a {
				r, t := w.reg(result+i), w.reg(work)
				w.line("VPADDQ %s, %s, %s", a[i], r, t)
				w.line("VMOVUPD %s, %s", t, h[i])
			}
			w.each("VPSUBQ", a)
			w.reduce(offsets{}, e)
			w.fetch(h)
			w.reduce(off.plus(off), h)
			w.reduce(w.multiply(t, in("CX", 2*size)), a)
			w.fetch(z)
			w.each("VADDPD", a)
			w.save(g)
			w.fetch(z)
			w.each("VSUBPD", a)
			w.settle(f)
			w.finish(e, f, g, h, "DI")
		})
	w.function("ready", "m *vectorMultiple, p *vectorPoint, d2 *vector", 24,
		[]string{"MOVQ m+0(FP), BX", "MOVQ p+8(FP), AX", "MOVQ d2+16(FP), CX"}, []string{"AX", "BX", "CX"}, func() {
			w.fetch(y)
			w.each("VADDPD", x)
			w.settle(place(0))
			w.fetch(y)
			w.each("VSUBPD", x)
			w.settle(place(1))
			w.fetch(z)
			w.each("VADDPD", z)
			w.save(place(2))
			w.reduce(w.multiply(t, in("CX", 0)), place(3))
		})
	negate := func(sign string, t element) {
		w.line("VPSLLQ $63, %[1]s, %[1]s", sign)
		for i := range t {
			w.line("VPXOR%s %s, %s, %s", w.suffix, sign, w.reg(i), w.reg(result+i))
		}
		w.save(t)
	}
	w.choose(negate)
	w.look(negate)
}

// choose writes the function that sets every lane of a multiple to the digit of the lane, between −8 and 8, times the point whose
// multiples, from 1 to 8, the table has in that lane. All of the table is read, whatever the digits are. last stores 2dT, which lies in
// the first registers, negated where the sign has all ones.
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
					w.line("VPTERNLOGQ $0xf8, %s, %s, %s", from, mask, w.reg(first+i)) // or what is in both
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

// look writes the function that brings together one entry of every lane, from anywhere, which its lane adds, or subtracts if its digit is
// negative. last is as above.
func (w *writer) look(last func(sign string, t element)) {
	entry := []string{"R8", "R9", "R10", "R11", "R12", "R13", "R14", "DX"}[:w.bytes/8] // where they are
	low, high, t, sign := w.reg(10), w.reg(11), w.reg(13), w.reg(12)
	plus := 0
	if w.bytes == 64 {
		plus = 16
	}
	minus := plus + 5
	// Two limbs of all lanes: those of even lanes side by side, those of odd lanes, and then the first limbs of both and the second ones.
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
		[]string{"MOVQ m+0(FP), AX", "MOVQ entries+8(FP), BX", "MOVQ digits+16(FP), CX"}, []string{"AX", "BX", "CX"}, func() {
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
			kept := w.reg(9) // out of the way of last
			w.line("VMOVAPD %s, %s", sign, kept)
			pair(5, w.reg(0), w.reg(1))
			pair(6, w.reg(2), w.reg(3))
			pair(7, w.reg(4))
			last(kept, in("AX", 2*size))
		})
}

// preamble begins every file: which instructions there are is asked in each package.
const preamble = `// Code generated by scripts/vector. DO NOT EDIT.

//go:build amd64 && !purego

#include "textflag.h"

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() (a uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, a+0(FP)
	RET
`

func write() []byte {
	var constants []uint64
	var out bytes.Buffer
	out.WriteString(preamble)
	for _, w := range []*writer{
		{constants: &constants, register: "Y", bytes: 32},
		{constants: &constants, register: "Z", bytes: 64, suffix: "Q"},
	} {
		w.functions()
		out.Write(w.out.Bytes())
	}
	w := &writer{constants: &constants, register: "Z", bytes: 64, suffix: "Q", integers: true}
	ifma{w}.functions()
	out.Write(w.out.Bytes())
	out.WriteString("\n")
	for i, n := range constants {
		for j := range 8 {
			fmt.Fprintf(&out, "DATA vectorConstants<>+%d(SB)/8, $0x%016x\n", 64*i+8*j, n)
		}
	}
	fmt.Fprintf(&out, "GLOBL vectorConstants<>(SB), RODATA|NOPTR, $%d\n", 64*len(constants))
	return out.Bytes()
}
