package edwards

import (
	"encoding/binary"
	"sync"
)

// ViewKeys are the view keys of many wallets, prepared for KeyTable. They are secret. They take 51 bytes each, and 32
// if Audited is set. Several goroutines may use them as long as none wipes them.
type ViewKeys struct {
	n       int
	groups  []viewGroup // for own
	scalars []Scalar    // for library
}

// NewViewKeys prepares view keys, in constant time.
func NewViewKeys(views []*Scalar) *ViewKeys { return secretArithmetic{}.newViewKeys(views) }

// Len returns the number of view keys.
func (v *ViewKeys) Len() int { return v.n }

// String hides the view keys.
func (*ViewKeys) String() string { return "[secret]" }

// GoString hides the view keys.
func (*ViewKeys) GoString() string { return "[secret]" }

// Wipe overwrites the view keys with zeros.
func (v *ViewKeys) Wipe() {
	clear(v.groups)
	for i := range v.scalars {
		Wipe(&v.scalars[i])
	}
}

// KeyTable computes the derivations of one transaction public key with many view keys. It has multiples of eight times
// the key, from which every derivation is a sum of 51 points. With the vector instructions of Deriver it computes eight
// derivations side by side.
//
// Its time depends on the transaction public key, and not on the view keys: entries are selected in constant time. Set
// is for one goroutine at a time; several goroutines may call Derive between two calls of Set.
type KeyTable struct {
	passes  int
	entries []affineMultiple // rows of tableEntries each
	wide    wideRows         // the rows for vector instructions
	points  []projective
	point   Point // for library
}

const (
	// tableDigits is the number of digits of a view key to the base 2^tableWindow. All digits are odd, from −31 to 31,
	// so that a row needs the 16 odd multiples of its point, and every digit adds one of them or its negative.
	tableDigits  = 51
	tableWindow  = 5
	tableEntries = 1 << (tableWindow - 1)

	// keysAtOnce is how many derivations a goroutine computes together.
	keysAtOnce = batch
)

// viewGroup has the digits of eight view keys: digits d, from 0 to 31, that stand for 2d − 31, the lowest first.
type viewGroup [tableDigits][8]uint8

// set sets a lane to view, in constant time.
//
// An odd number a below 2^255 is the sum of ±2^i for i from 0 to 254 where the signs are the bits of (a − 1)/2 +
// 2^254, and five of these terms are one digit. An even view key becomes odd by adding the order ℓ of the subgroup,
// which changes no multiple of a point in it. The order is below 2^253, so the number is below 2^254.
func (g *viewGroup) set(lane int, view *Scalar) {
	b := EncodeScalar(view)
	var a [5]uint64
	for i := range 4 {
		a[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	addOrder(&a, a[0]&1^1)
	for i := range 4 {
		a[i] = a[i]>>1 | a[i+1]<<63
	}
	a[3] |= 1 << 62
	for i, at := 0, uint(0); i < tableDigits; i, at = i+1, at+tableWindow {
		bits := a[at/64]>>(at%64) | a[at/64+1]<<1<<(63-at%64)
		g[i][lane] = uint8(bits & (1<<tableWindow - 1))
	}
	clear(b[:])
	clear(a[:])
}

// addOrder adds ℓ to a if bit is 1.
func addOrder(a *[5]uint64, bit uint64) {
	order := [4]uint64{0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 1 << 60}
	carry := uint64(0)
	for i, o := range order {
		o &= -bit
		sum := a[i] + o + carry
		carry = (a[i]&o | (a[i]|o)&^sum) >> 63
		a[i] = sum
	}
}

// Set prepares a transaction public key for derivations with about uses view keys: a table for more of them has more
// rows, which take longer to compute and save doublings. It returns false if key is not a point.
func (t *KeyTable) Set(key [32]byte, uses int) bool {
	return secretArithmetic{}.setTable(t, &key, uses)
}

// Derive sets out[i] to 8·views[from+i]·key for the key of Set, which must have returned true. Its time is the same
// for all view keys.
func (t *KeyTable) Derive(out []Derivation, views *ViewKeys, from int) {
	if from < 0 || len(out) > views.n-from {
		panic("edwards: more derivations than view keys")
	}
	secretArithmetic{}.deriveTable(t, out, views, from)
}

func (own) newViewKeys(views []*Scalar) *ViewKeys {
	v := &ViewKeys{n: len(views), groups: make([]viewGroup, (len(views)+7)/8)}
	for i, view := range views {
		v.groups[i/8].set(i%8, view)
	}
	return v
}

func (own) setTable(t *KeyTable, key *[32]byte, uses int) bool {
	var p projective
	if !p.decode(key) {
		return false
	}
	for i := range 3 {
		p.double(i == 2)
	}
	// The number of passes divides that of digits. Its limits are where the times are about equal.
	switch {
	case uses < 20:
		t.passes = 17
	case uses < 300:
		t.passes = 3
	default:
		t.passes = 1
	}
	t.fill(&p)
	return true
}

// rows returns the number of rows.
func (t *KeyTable) rows() int { return tableDigits / t.passes }

// row returns a row: the odd multiples of a point, from 1 to 31.
func (t *KeyTable) row(i int) *[tableEntries]affineMultiple {
	return (*[tableEntries]affineMultiple)(t.entries[tableEntries*i:])
}

// fill computes the rows: row i has odd multiples of 32^(i·passes)·p.
func (t *KeyTable) fill(p *projective) {
	rows := t.rows()
	if len(t.points) == 0 {
		t.points = make([]projective, tableDigits*tableEntries)
	}
	row := *p
	for i := range rows {
		var step multiple
		next, twice := row, row
		twice.double(true)
		step.set(&twice)
		for j := range tableEntries {
			t.points[tableEntries*i+j] = next
			if j < tableEntries-1 {
				next.add(&step.plus, &step.minus, &step.t2d, &step.z2, false, true)
			}
		}
		if i < rows-1 {
			n := tableWindow * t.passes
			for k := range n {
				row.double(k == n-1)
			}
		}
	}
	t.entries = normalize(t.points[:rows*tableEntries])
	t.wide.set(t)
}

func (own) deriveTable(t *KeyTable, out []Derivation, views *ViewKeys, from int) {
	w := tableWorks.Get().(*tableWork)
	for len(out) > 0 {
		// The first group may begin in the middle of its lanes.
		skip := from % 8
		n := min(len(out), keysAtOnce-skip)
		groups := views.groups[from/8 : (from+n+7)/8]
		if !w.deriveWide(t, groups) {
			w.derive(t, groups)
		}
		encodeEnds(w.ends[:8*len(groups)])
		for i := range out[:n] {
			out[i] = w.ends[skip+i].encoded
		}
		out, from = out[n:], from+n
	}
	w.wipe()
	tableWorks.Put(w)
}

// tableWork is the working memory of KeyTable.Derive.
type tableWork struct {
	ends   [keysAtOnce]end
	points [8]projective // of a group, for portable code
	wide   wideTableWork
}

var tableWorks = sync.Pool{New: func() any {
	w := new(tableWork)
	for i := range w.ends {
		w.ends[i].valid = true
	}
	return w
}}

// wipe overwrites what depends on view keys.
func (w *tableWork) wipe() {
	for i := range w.ends {
		w.ends[i] = end{valid: true}
	}
	clear(w.points[:])
	w.wide.wipe()
}

// derive sets the ends of the groups, in portable code.
func (w *tableWork) derive(t *KeyTable, groups []viewGroup) {
	var m affineMultiple
	for g := range groups {
		for lane := range w.points {
			p := &w.points[lane]
			*p = projective{y: elementOne, z: elementOne}
			for pass := t.passes - 1; pass >= 0; pass-- {
				if pass < t.passes-1 {
					for i := range tableWindow {
						p.double(i == tableWindow-1)
					}
				}
				for i := range t.rows() {
					m.pick(t.row(i), groups[g][i*t.passes+pass][lane])
					p.addAffine(&m.plus, &m.minus, &m.td, false, true)
				}
			}
			w.ends[8*g+lane].set(p)
		}
	}
	m = affineMultiple{}
}

// pick sets m to the multiple of a row by digit, in constant time.
func (m *affineMultiple) pick(row *[tableEntries]affineMultiple, digit uint8) {
	sign := uint64(digit)>>(tableWindow-1) - 1 // all ones to subtract, or zero
	index := (uint64(digit) ^ sign) & (tableEntries - 1)
	*m = affineMultiple{}
	for i := range row {
		mask := isEqual(index, uint64(i))
		m.plus.or(&row[i].plus, mask)
		m.minus.or(&row[i].minus, mask)
		m.td.or(&row[i].td, mask)
	}
	plus, td := m.plus, m.td
	m.plus.selects(&m.minus, &plus, sign&1)
	m.minus.selects(&plus, &m.minus, sign&1)
	var negative element
	negative.subtract(&element{}, &td)
	m.td.selects(&negative, &td, sign&1)
}

// or sets v to the bitwise OR of v and a where mask has ones.
func (v *element) or(a *element, mask uint64) {
	for i := range v {
		v[i] |= a[i] & mask
	}
}

func (library) newViewKeys(views []*Scalar) *ViewKeys {
	v := &ViewKeys{n: len(views), scalars: make([]Scalar, len(views))}
	for i, view := range views {
		v.scalars[i].Set(view)
	}
	return v
}

func (library) setTable(t *KeyTable, key *[32]byte, _ int) bool { return t.point.setLibrary(key) }

func (l library) deriveTable(t *KeyTable, out []Derivation, views *ViewKeys, from int) {
	for i := range out {
		var p Point
		p.p.ScalarMult(&views.scalars[from+i], &t.point.p)
		out[i] = l.encode(p.MultByCofactor(&p))
	}
}

// SetExchange is Set for Exchange: it prepares the u-coordinate of a point of Curve25519. It returns false for a point
// of the twist; its exchanges are zero.
func (t *KeyTable) SetExchange(u [32]byte, uses int) bool {
	var keys [1][32]byte
	secretArithmetic{}.edwardsKeys(keys[:], [][32]byte{u})
	p, err := DecodePoint(keys[0])
	if err != nil {
		return false
	}
	return t.Set(p.ScalarMult(eighth(), p).Encode(), uses) // because derivations are multiplied by eight
}

// Exchange sets out[i] to what an Exchanger with view key views[from+i] computes for the u-coordinate of SetExchange,
// which must have returned true. Its time is the same for all view keys, except those that are zero.
func (t *KeyTable) Exchange(out [][32]byte, views *ViewKeys, from int) {
	var derivations [keysAtOnce]Derivation
	for len(out) > 0 {
		n := min(len(out), keysAtOnce)
		t.Derive(derivations[:n], views, from)
		secretArithmetic{}.montgomeryKeys(out[:n], derivations[:n])
		out, from = out[n:], from+n
	}
	clear(derivations[:])
}
