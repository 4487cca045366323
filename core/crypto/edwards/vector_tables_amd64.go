//go:build !purego

package edwards

import (
	"encoding/binary"
	"sync"
)

// wideTable has j·P at index j, for j up to 2^(window−1).
type wideTable []wideEntry

// wideEntry is (y+x)/2, (y−x)/2 and dxy of a point. It fills two cache lines.
type wideEntry [16]uint64

// wideTables are computed when first needed, one for each kind of limbs.
type wideTables [2]struct {
	once    sync.Once
	entries wideTable
}

// keptWindow is the window width of a table's multiples for vectors. These are all multiples instead of only the odd
// ones, and half as large again, so the window is narrower by one.
func (t *Table) keptWindow() int { return int(max(t.width, 5)) - 1 }

// wideTable returns multiples of t's point for a unit.
func (t *Table) wideTable(u *vectorUnit) wideTable {
	kind := &t.wide[0]
	if u.integers {
		kind = &t.wide[1]
	}
	kind.once.Do(func() {
		p := t.projective()
		multiples := make([]projective, 1<<(t.keptWindow()-1))
		var step multiple
		step.set(&p)
		for i := range multiples {
			multiples[i] = p
			p.add(&step.plus, &step.minus, &step.t2d, &step.z2, false, true)
		}
		kind.entries = make(wideTable, 1, len(multiples)+1)
		kind.entries[0].set(u, &affineZero)
		for _, m := range normalize(multiples) {
			var e wideEntry
			e.set(u, &m)
			kind.entries = append(kind.entries, e)
		}
	})
	return kind.entries
}

func (e *wideEntry) set(u *vectorUnit, m *affineMultiple) {
	var v vector
	for i, a := range []*element{&m.plus, &m.minus, &m.td} {
		u.set(&v, 0, a)
		for limb := range v {
			e[5*i+limb] = v[limb][0]
		}
	}
}

// windowDigits sets a lane's digits to those of s to the base 2^w, from −2^(w−1) to 2^(w−1). w is from 4 to 7.
func windowDigits(digits *[64][8]int64, lane int, w uint, s *[32]byte) {
	var words [5]uint64
	for i := range 4 {
		words[i] = binary.LittleEndian.Uint64(s[8*i:])
	}
	carry, half := int64(0), int64(1)<<(w-1)
	for i, at := 0, uint(0); at < 256; i, at = i+1, at+w {
		bits := words[at/64]>>(at%64) | words[at/64+1]<<1<<(63-at%64)
		d := int64(bits)&(2*half-1) + carry
		carry = (half - d) >> 63 & 1 // never in the last digit, because scalars are below 2^253
		digits[i&63][lane] = d - carry<<w
	}
}
