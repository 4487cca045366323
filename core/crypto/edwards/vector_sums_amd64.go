//go:build !purego

package edwards

import (
	"slices"
	"sync"
)

// worthWide is the number of terms from which a single sum is considered for vector instructions.
const worthWide = 2

// summer is the working memory of sums with vector instructions. Each lane computes one sum, or, if there are fewer
// sums than lanes, some of the terms of a sum. All lanes have digits at the same positions, so they work in step, and
// all terms of a lane share the doublings.
type summer struct {
	*wide
	neutral vectorMultiple
	none    wideTable      // only the neutral element, for lanes without a term, whose digits are zero
	slots   []*freshSlot   // all allocated slots
	fresh   []*freshSlot   // the slots in use, for terms with points
	kept    [8][]*keptSlot // by window width, for terms with tables
	spare   []*keptSlot
	chosen  vectorMultiple
	affine  vectorAffine
	entries [8]*wideEntry
	parts   map[int]*projective // parts of the sums, by index of the point that they replace
}

// freshSlot holds one term of every lane, in windows of four bits. Lookups in its table take the same time for all
// digits.
type freshSlot struct {
	table  vectorTable
	digits [64][8]int64
}

// keptSlot holds one term of every lane, whose tables have the same window width.
type keptSlot struct {
	tables [8]wideTable
	digits [64][8]int64
}

func newSummer(u *vectorUnit) *summer {
	s := &summer{wide: newWideOf(u)}
	s.neutral = vectorMultiple{s.one, s.one, s.two, vector{}}
	s.none = make(wideTable, 1)
	s.none[0].set(u, &affineZero)
	return s
}

var summers = sync.Pool{New: func() any { return newSummer(&vectorUnits[len(vectorUnits)-1]) }}

// makeWide computes the sums with vector instructions, or returns false.
func (s *Sums) makeWide(out []*Point) bool {
	if len(vectorUnits) == 0 || !s.worthVectors() {
		return false
	}
	w := summers.Get().(*summer)
	w.make(s, out)
	summers.Put(w)
	return true
}

// share returns how many lanes compute a sum: 1, 2, 4 or 8.
func (s *Sums) share() int {
	share := 8
	for share > 1 && share*len(s.Ends) > 8 {
		share /= 2
	}
	return share
}

// worthVectors compares the time of the sums with and without vector instructions, in units of about a nanosecond.
func (s *Sums) worthVectors() bool {
	share := s.share()
	passes := (len(s.Ends)*share + 7) / 8
	bits := 8
	for i := range s.Scalars {
		for bits < 256 && (s.Secret || s.Scalars[i][bits/8] != 0) {
			bits += 8
		}
	}
	here, first, most, mostKept := 0, 0, 0, 0
	for _, end := range s.Ends {
		fresh, kept := 0, 0
		for _, which := range s.Which[first:end] {
			if which < 0 && !s.Secret {
				kept++
			} else {
				fresh++
			}
		}
		first = end
		most, mostKept = max(most, (fresh+share-1)/share), max(mostKept, (kept+share-1)/share)
		here += bits*180 + kept*bits*33 + fresh*(2000+bits*45)
		if s.Secret {
			here += fresh * bits * 45
		}
	}
	wide := passes * (8000 + bits*290 + most*(9000+bits*125) + mostKept*(2000+bits*95))
	if len(vectorUnits) == 1 {
		wide += wide / 2 // AVX2
	}
	return wide < here
}

// make computes the sums.
func (w *summer) make(s *Sums, out []*Point) {
	w.parts = make(map[int]*projective, len(s.parts))
	for _, p := range s.parts {
		w.parts[p.which] = p.place
	}
	share := s.share()
	first := 0
	for len(out) > 0 {
		n := min(8/share, len(out))
		ends := s.Ends[len(s.Ends)-len(out):][:n]
		if share == 8 {
			out[0] = w.long(s, first, ends[0])
		} else {
			w.some(out[:n], s, first, ends, share)
		}
		first, out = ends[n-1], out[n:]
	}
}

// long returns the only sum, in parts, to limit memory.
func (w *summer) long(s *Sums, first, end int) *Point {
	const most = 512
	sum := Identity()
	for {
		var part [1]*Point
		stop := min(first+most, end)
		w.some(part[:], s, first, []int{stop}, 8)
		sum.Add(sum, part[0])
		if first = stop; first == end {
			return sum
		}
	}
}

// some computes as many sums as the lanes hold.
func (w *summer) some(out []*Point, s *Sums, first int, ends []int, share int) {
	w.lay(s, first, ends, share)
	w.run(s.Secret)
	for i := range out {
		out[i] = w.gather(i*share, share)
	}
	if s.Secret {
		for _, slot := range w.fresh {
			clear(slot.digits[:])
		}
		w.chosen = vectorMultiple{}
	}
}

// lay distributes the terms of some sums over the lanes and computes the tables of points.
func (w *summer) lay(s *Sums, first int, ends []int, share int) {
	w.fresh = w.fresh[:0]
	for window := range w.kept {
		w.spare = append(w.spare, w.kept[window]...)
		w.kept[window] = w.kept[window][:0]
	}
	var points [8][]int // for each lane, the terms with points
	for sum, end := range ends {
		fresh, kept := 0, [8]int{}
		for term := first; term < end; term++ {
			if which := s.Which[term]; which >= 0 || s.Secret {
				lane := sum*share + fresh%share
				points[lane] = append(points[lane], term)
				fresh++
			} else {
				t := s.Tables[^which]
				n := &kept[t.keptWindow()]
				w.keep(t, *n/share, sum*share+*n%share, &s.Scalars[term])
				*n++
			}
		}
		first = end
	}
	for i := 0; ; i++ {
		var terms [8]int
		some := false
		for lane := range points {
			terms[lane] = -1
			if i < len(points[lane]) {
				terms[lane], some = points[lane][i], true
			}
		}
		if !some {
			return
		}
		w.freshen(s, &terms)
	}
}

// freshen fills the next slot for points.
func (w *summer) freshen(s *Sums, terms *[8]int) {
	if len(w.fresh) == len(w.slots) {
		w.slots = append(w.slots, new(freshSlot))
	}
	w.fresh = w.slots[:len(w.fresh)+1]
	slot := w.fresh[len(w.fresh)-1]
	for lane, term := range terms {
		p := projective{y: elementOne, z: elementOne}
		var digits [64]int8
		if term >= 0 {
			if which := s.Which[term]; which >= 0 && s.Points[which] != nil {
				p.fromPoint(s.Points[which])
			} else if which >= 0 {
				p = *w.parts[which]
			} else {
				p = s.Tables[^which].projective()
			}
			digitsOf16(&digits, &s.Scalars[term])
		}
		w.setLane(&w.next, lane, &p)
		for place, d := range digits {
			slot.digits[place][lane] = int64(d)
		}
		clear(digits[:])
	}
	for i := range slot.table {
		w.unit.ready(&slot.table[i], &w.next, &w.d2)
		if i < len(slot.table)-1 {
			w.unit.add(&w.next, &w.scratch, &slot.table[0], 0, 1)
		}
	}
}

// keep adds a term with a table to a lane of the slot with a number, among those of its window width.
func (w *summer) keep(t *Table, number, lane int, scalar *[32]byte) {
	window := t.keptWindow()
	if number == len(w.kept[window]) {
		if len(w.spare) == 0 {
			w.spare = append(w.spare, new(keptSlot))
		}
		last := len(w.spare) - 1
		slot := w.spare[last]
		w.spare = w.spare[:last]
		for i := range slot.tables {
			slot.tables[i] = w.none
		}
		clear(slot.digits[:])
		w.kept[window] = append(w.kept[window], slot)
	}
	slot := w.kept[window][number]
	slot.tables[lane] = t.wideTable(w.unit)
	windowDigits(&slot.digits, lane, uint(window), scalar)
}

// run computes the sums of all lanes.
func (w *summer) run(secret bool) {
	w.point = vectorPoint{y: w.one, z: w.one}
	u := w.unit
	var next [8]int // for each window width, the position of the next addition, or −1
	for window := range next {
		if next[window] = -1; window == 4 && len(w.fresh) > 0 || len(w.kept[window]) > 0 {
			next[window] = 255 - 255%window
		}
	}
	started, before := false, 0
	for {
		place, adds := slices.Max(next[:]), 0
		if place < 0 {
			return
		}
		for window, at := range next {
			if at == place {
				adds += len(w.kept[window])
			}
		}
		if next[4] == place {
			adds += len(w.fresh)
		}
		if started = started || secret || place == 0 || w.begins(place, &next); started {
			if before > place {
				u.double(&w.point, &w.scratch, before-place, 1)
			}
			before = place
			w.add(place, adds, &next)
		}
		for window, at := range next {
			if at == place {
				next[window] -= window
			}
		}
		if place == 0 {
			return
		}
	}
}

// add adds the terms of all lanes at a position. T is computed for the next addition, and at the end.
func (w *summer) add(place, adds int, next *[8]int) {
	u := w.unit
	t := func() int {
		if adds--; adds > 0 || place == 0 {
			return 1
		}
		return 0
	}
	if next[4] == place {
		for _, slot := range w.fresh {
			u.choose(&w.chosen, &slot.table, &slot.digits[place/4], &w.neutral)
			u.add(&w.point, &w.scratch, &w.chosen, 0, t())
		}
	}
	for window, at := range next {
		if at == place {
			for _, slot := range w.kept[window] {
				w.look(slot, place/window)
				u.affine(&w.point, &w.scratch, &w.affine, t())
			}
		}
	}
}

// begins reports whether a digit at a position is not zero.
func (w *summer) begins(place int, next *[8]int) bool {
	if next[4] == place {
		for _, slot := range w.fresh {
			if slot.digits[place/4] != [8]int64{} {
				return true
			}
		}
	}
	for window, at := range next {
		if at == place {
			for _, slot := range w.kept[window] {
				if slot.digits[place/window] != [8]int64{} {
					return true
				}
			}
		}
	}
	return false
}

// look reads the multiples for the digits of a slot at a position. Its time depends on the digits.
func (w *summer) look(slot *keptSlot, place int) {
	digits := &slot.digits[place]
	var entries [8]*wideEntry
	for lane, d := range digits {
		entries[lane] = &slot.tables[lane][max(d, -d)]
	}
	w.entries = entries
	w.unit.look(&w.affine, &w.entries, digits)
}

// gather returns the sum of some lanes.
func (w *summer) gather(lane, share int) *Point {
	var sum projective
	for i := range share {
		p := w.lane(lane + i)
		if i == 0 {
			sum = p
			continue
		}
		var m multiple
		m.set(&p)
		sum.add(&m.plus, &m.minus, &m.t2d, &m.z2, false, true)
	}
	return sum.toPoint(new(Point))
}

// setLane sets a lane of v to p.
func (w *summer) setLane(v *vectorPoint, lane int, p *projective) {
	w.unit.set(&v.x, lane, &p.x)
	w.unit.set(&v.y, lane, &p.y)
	w.unit.set(&v.z, lane, &p.z)
	w.unit.set(&v.t, lane, &p.t)
}

// lane returns the point of a lane.
func (w *summer) lane(lane int) projective {
	return projective{
		x: w.unit.get(&w.point.x, lane), y: w.unit.get(&w.point.y, lane),
		z: w.unit.get(&w.point.z, lane), t: w.unit.get(&w.point.t, lane),
	}
}
