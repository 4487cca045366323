package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// writer writes code for one instruction set.
type writer struct {
	out       bytes.Buffer
	constants *[]uint64
	register  string // Y or Z
	bytes     int    // of a register
	suffix    string // of bitwise instructions
	integers  bool   // whether limbs are integers (IFMA) and not floating-point numbers
	labels    int
}

func (w *writer) line(format string, args ...any) {
	w.out.WriteByte('\t')
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

// constant returns the operand for a vector of eight copies of n.
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

// element holds the operands of the five vectors of a field element.
type element [5]string

// in returns the element at an offset from the address in a register.
func in(register string, offset int) (e element) {
	for i := range e {
		e[i] = fmt.Sprintf("%d(%s)", offset+64*i, register)
	}
	return e
}

// Registers: factors, the two constants, work registers of a product, the upper columns, and the lower columns, which
// become the sums.
const (
	factors = 0
	high    = 5
	lower   = 6
	work    = 7
	upper   = 9
	result  = 11
)

// offsets says by how much each sum in the result's registers exceeds its value.
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

// add adds the product of a register and a memory operand to column k.
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

// done adds 19 times column k to one of the lower five columns.
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

// begin loads the constants that products use. Each function does so once.
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

// forEach writes an instruction for every register of the result, with a memory operand first.
func (w *writer) forEach(instruction string, e element) {
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

// reduce carries the sums in the registers of the result and stores the reduced element.
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

// settle reduces the sum or difference of two reduced elements, in the registers of the result, and stores it.
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

// function writes a function whose arguments are loaded into registers, with body once for all lanes or in a loop over
// both halves. The address registers are advanced for the second half.
func (w *writer) function(name, signature string, frame int, arguments, addresses []string, body func()) {
	fmt.Fprintf(&w.out, "\n// func %[1]s%[2]s(%[3]s)\nTEXT ·%[1]s%[2]s(SB), NOSPLIT, $0-%[4]d\n", name, w.kind(),
		signature, frame)
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

// times repeats body as often as register says, at least once, and counts the register down to zero.
func (w *writer) times(register string, body func()) {
	w.labels++
	label := fmt.Sprintf("again%d", w.labels)
	fmt.Fprintf(&w.out, "%s:\n", label)
	body()
	w.line("DECQ %s", register)
	w.line("JNZ %s", label)
}

// when skips body if register is zero.
func (w *writer) when(register string, body func()) {
	w.labels++
	label := fmt.Sprintf("over%d", w.labels)
	w.line("TESTQ %[1]s, %[1]s", register)
	w.line("JZ %s", label)
	body()
	fmt.Fprintf(&w.out, "%s:\n", label)
}

// lastOnly sets CX to zero unless a doubling has to compute T and DX says that it is the last.
func (w *writer) lastOnly() {
	w.line("MOVQ DX, CX")
	w.line("DECQ CX")
	w.line("NEGQ CX")
	w.line("SBBQ CX, CX") // all ones unless it is the last
	w.line("NOTQ CX")
	w.line("ANDQ t+24(FP), CX")
}

// finish stores the point that the four factors in the scratch give; T only if register t is not zero.
func (w *writer) finish(e, f, g, h element, t string) {
	w.reduce(w.multiply(e, f), in("AX", 0))
	w.reduce(w.multiply(g, h), in("AX", size))
	w.reduce(w.multiply(f, g), in("AX", 2*size))
	w.when(t, func() { w.reduce(w.multiply(e, h), in("AX", 3*size)) })
}
