package main

import "fmt"

// pick writes the function that sets every lane of a multiple to an entry of one row of a table, which all lanes share.
// A lane's digit d, from 0 to 31, stands for 2d − 31 times the point whose odd multiples, from 1 to 31, are the row's
// 16 entries. Lookups are permutations of registers with the complete row, so that neither the addresses nor the time
// depend on the digits. last is as in choose.
func (w *writer) pick(last func(sign string, t element)) {
	const entries = 16
	index, bit2, bit3, low, sign, t := w.reg(5), w.reg(6), w.reg(7), w.reg(8), w.reg(9), w.reg(10)
	plus, minus := 0, 11
	// limb writes the lookup of limb i of an entry.
	limb := func(i int, to string) {
		quarter := func(n int) string { return fmt.Sprintf("%d(BX)", 8*entries*i+8*entries/4*n) }
		if w.bytes == 64 {
			w.line("VMOVUPD %s, %s", quarter(0), to)
			w.line("VPERMT2Q %s, %s, %s", quarter(2), index, to)
			return
		}
		w.line("VPERMD %s, %s, %s", quarter(0), index, low)
		w.line("VPERMD %s, %s, %s", quarter(1), index, t)
		w.line("VBLENDVPD %s, %s, %s, %[3]s", bit2, t, low)
		w.line("VPERMD %s, %s, %s", quarter(2), index, t)
		w.line("VPERMD %s, %s, %s", quarter(3), index, to)
		w.line("VBLENDVPD %s, %s, %s, %[2]s", bit2, to, t)
		w.line("VBLENDVPD %s, %s, %s, %[2]s", bit3, to, low)
	}
	w.function("pick", "m *vectorAffine, row *wideRow, digits *[8]uint8", 24,
		[]string{"MOVQ m+0(FP), AX", "MOVQ row+8(FP), BX", "MOVQ digits+16(FP), CX"}, []string{"AX"}, func() {
			w.line("VPMOVZXBQ 0(CX), %s", index)
			// The sign has all ones for the lower half of the digits, whose entries are numbered backwards.
			w.line("VPSRLQ $4, %s, %s", index, sign)
			w.line("VPSUBQ %s, %[2]s, %[2]s", w.constant(1), sign)
			w.line("VPXOR%s %s, %[3]s, %[3]s", w.suffix, sign, index)
			if w.bytes == 32 {
				w.line("VPSLLQ $61, %s, %s", index, bit2)
				w.line("VPSLLQ $60, %s, %s", index, bit3)
				// The index of the lower half of a word, and that of the upper.
				w.line("VPAND %s, %[2]s, %[2]s", w.constant(entries-1), index)
				w.line("VPADDQ %[1]s, %[1]s, %[1]s", index)
				w.line("VPSLLQ $32, %s, %s", index, t)
				w.line("VPXOR %s, %[2]s, %[2]s", t, index)
				w.line("VPADDQ %s, %[2]s, %[2]s", w.constant(1<<32), index)
			}
			for i := range 5 {
				limb(i, w.reg(plus+i))
				limb(5+i, w.reg(minus+i))
			}
			for i := range 5 {
				p, m := w.reg(plus+i), w.reg(minus+i)
				w.line("VPXOR%s %s, %s, %s", w.suffix, p, m, t)
				w.line("VPAND%s %s, %[3]s, %[3]s", w.suffix, sign, t)
				w.line("VPXOR%s %s, %[3]s, %[3]s", w.suffix, t, p)
				w.line("VPXOR%s %s, %[3]s, %[3]s", w.suffix, t, m)
				w.line("VMOVUPD %s, %s", p, in("AX", 0)[i])
				w.line("VMOVUPD %s, %s", m, in("AX", size)[i])
			}
			for i := range 5 {
				limb(10+i, w.reg(plus+i))
			}
			last(sign, in("AX", 2*size))
			if w.bytes == 32 {
				w.line("ADDQ $4, CX")
			}
		})
}
