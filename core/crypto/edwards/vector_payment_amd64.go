//go:build !purego

package edwards

import (
	"sync"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
)

// wideBase is generatorMultiples in the form for vectors: [i][j] is j·256^i·G as y+x, y−x, 2dxy and −2dxy.
type wideBase [32][129][4][5]uint64

func newWideBase(u *vectorUnit) *wideBase {
	table := new(wideBase)
	var v vector
	put := func(to *[5]uint64, a *element) {
		u.set(&v, 0, a)
		for i := range to {
			to[i] = v[i][0]
		}
	}
	for i, row := range generatorMultiples() {
		put(&table[i][0][0], &elementOne)
		put(&table[i][0][1], &elementOne)
		put(&table[i][0][2], &element{})
		put(&table[i][0][3], &element{})
		for j := range row {
			m, to := &row[j], &table[i][j+1]
			var e element
			e.add(&m.plus, &m.plus)
			put(&to[0], &e)
			e.add(&m.minus, &m.minus)
			put(&to[1], &e)
			e.add(&m.td, &m.td)
			put(&to[2], &e)
			e.subtract(&element{}, &e)
			put(&to[3], &e)
		}
	}
	return table
}

// wideBases are the tables for units with floating-point limbs and with integers.
var wideBases = [2]func() *wideBase{
	sync.OnceValue(func() *wideBase { return newWideBase(&vectorUnit{}) }),
	sync.OnceValue(func() *wideBase { return newWideBase(&vectorUnit{integers: true}) }),
}

func (u *vectorUnit) base() *wideBase {
	if u.integers {
		return wideBases[1]()
	}
	return wideBases[0]()
}

// wides are reused by SpendKeys, which has no state of its own.
var wides = sync.Pool{New: func() any { return newWide() }}

// spendKeysWide sets ends, and Valid of the payments, as SpendKeys needs them. It returns false if there are no vector
// instructions.
func spendKeysWide(payments []Payment, ends []end) bool {
	if len(vectorUnits) == 0 || len(payments) < worthVectors {
		return false
	}
	w := wides.Get().(*wide)
	w.spendKeys(payments, ends)
	wides.Put(w)
	return true
}

func (w *wide) spendKeys(payments []Payment, ends []end) {
	table := w.unit.base()
	var hashes keccak.Parallel8
	for len(payments) > 0 {
		n := min(len(payments), 8)
		var keys [8][32]byte
		for lane := range payments[:n] {
			keys[lane] = payments[lane].Output
		}
		w.decode(ends[:n], keys[:n])
		var digits [8][32]int
		for lane := range payments[:n] {
			p := &payments[lane]
			var buffer [42]byte
			hashes.Set(lane, wire.AppendVarint(append(buffer[:0], p.Derivation[:]...), p.Index))
		}
		hashes.Sum()
		for lane := range payments[:n] {
			p := &payments[lane]
			if p.Valid = ends[lane].valid; p.Valid {
				h := hashes.Digest(lane)
				var s Scalar
				reduce(&s, &h)
				signedDigits(&digits[lane], &s)
			}
		}
		w.subtractBase(&digits, table)
		for lane := range payments[:n] {
			if e := &ends[lane]; e.valid {
				e.x, e.y, e.z = w.unit.get(&w.point.x, lane), w.unit.get(&w.point.y, lane), w.unit.get(&w.point.z, lane)
			}
		}
		payments, ends = payments[n:], ends[n:]
	}
}

// subtractBase subtracts the multiple of G with a lane's digits from the lane's point. Its time depends on the digits.
func (w *wide) subtractBase(digits *[8][32]int, table *wideBase) {
	m := &w.step
	m[2] = w.two
	for i := range table {
		for lane := range digits {
			digit := digits[lane][i]
			plus, minus, t2d := 1, 0, 3 // indices of the negated entry
			if digit < 0 {
				digit, plus, minus, t2d = -digit, 0, 1, 2
			}
			entry := &table[i][digit]
			for limb := range 5 {
				m[0][limb][lane] = entry[plus][limb]
				m[1][limb][lane] = entry[minus][limb]
				m[3][limb][lane] = entry[t2d][limb]
			}
		}
		w.unit.add(&w.point, &w.scratch, m, 0, 1)
	}
}
