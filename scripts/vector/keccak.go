package main

import (
	"bytes"
	"fmt"
)

// writeKeccak writes the permutation of eight states side by side for AVX-512: a register holds one word of each. Source of the
// permutation: FIPS 202, section 3.2.
func writeKeccak() []byte {
	w := &writer{register: "Z"}
	var out bytes.Buffer
	out.WriteString(preamble)
	w.out.WriteString("\n// func permuteAVX512(state *[25][8]uint64)\nTEXT ·permuteAVX512(SB), NOSPLIT, $0-8\n")
	w.line("MOVQ state+0(FP), AX")
	w.line("LEAQ roundConstants<>(SB), BX")
	w.line("MOVQ $24, CX")
	for i := range 25 {
		w.line("VMOVDQU64 %d(AX), %s", 64*i, w.reg(i))
	}
	w.times("CX", w.keccakRound)
	for i := range 25 {
		w.line("VMOVDQU64 %s, %d(AX)", w.reg(i), 64*i)
	}
	w.line("VZEROUPPER")
	w.line("RET")
	out.Write(w.out.Bytes())
	out.WriteString("\n")
	for i, c := range roundConstants() {
		fmt.Fprintf(&out, "DATA roundConstants<>+%d(SB)/8, $0x%016x\n", 8*i, c)
	}
	fmt.Fprintf(&out, "GLOBL roundConstants<>(SB), RODATA|NOPTR, $%d\n", 8*24)
	return out.Bytes()
}

// keccakRound has the word at (x, y) in register x + 5y.
func (w *writer) keccakRound() {
	const parity, other, xor3, chi = 25, 30, 0x96, 0xd2 // tables of a⊕b⊕c and a⊕(¬b∧c)
	for x := range 5 {
		p := w.reg(parity + x)
		w.line("VPXORQ %s, %s, %s", w.reg(x), w.reg(x+5), p)
		w.line("VPTERNLOGQ $0x%x, %s, %s, %s", xor3, w.reg(x+10), w.reg(x+15), p)
		w.line("VPXORQ %s, %s, %s", w.reg(x+20), p, p)
	}
	for x := range 5 {
		turned := w.reg(other + x%2)
		w.line("VPROLQ $1, %s, %s", w.reg(parity+(x+1)%5), turned)
		for y := range 5 {
			w.line("VPTERNLOGQ $0x%x, %s, %s, %s", xor3, turned, w.reg(parity+(x+4)%5), w.reg(x+5*y))
		}
	}
	// Words move along one cycle of 24 places.
	x, y := 1, 0
	from := parity
	w.line("VMOVDQA64 %s, %s", w.reg(1), w.reg(from))
	for t := range 24 {
		x, y = y, (2*x+3*y)%5
		place, next := w.reg(x+5*y), parity+(t+1)%2
		w.line("VMOVDQA64 %s, %s", place, w.reg(next))
		w.line("VPROLQ $%d, %s, %s", (t+1)*(t+2)/2%64, w.reg(from), place)
		from = next
	}
	for y := range 5 {
		row := func(x int) string {
			if x > 4 {
				return w.reg(parity + x - 5) // what the first two were
			}
			return w.reg(5*y + x)
		}
		w.line("VMOVDQA64 %s, %s", row(0), row(5))
		w.line("VMOVDQA64 %s, %s", row(1), row(6))
		for x := range 5 {
			w.line("VPTERNLOGQ $0x%x, %s, %s, %s", chi, row(x+2), row(x+1), row(x))
		}
	}
	w.line("VPXORQ.BCST (BX), %[1]s, %[1]s", w.reg(0))
	w.line("ADDQ $8, BX")
}

// roundConstants are made of a shift register's bits. Source: FIPS 202, algorithms 5 and 6.
func roundConstants() (out [24]uint64) {
	r := 1
	for i := range out {
		for j := range 7 {
			out[i] |= uint64(r&1) << (1<<j - 1)
			if r <<= 1; r&0x100 != 0 {
				r ^= 0x171
			}
		}
	}
	return out
}
