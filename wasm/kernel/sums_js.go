//go:build js && wasm

package kernel

import (
	"encoding/binary"
	"math/bits"
	"syscall/js"

	"glim/core/crypto/edwards"
)

// summing is the module's interface for sums.
type summing struct {
	memory, tables, sum js.Value
	points, terms, made js.Value // views of the memory
	kept                map[uint32]int
	keptEnd             int
	coordinates         [Point * Points]byte
	list                [Term * Terms]byte
	results             [2 * Point]byte
}

func (k *summing) start(exports js.Value) {
	k.memory, k.tables, k.sum = exports.Get("memory"), exports.Get("tables"), exports.Get("sum")
	k.kept, k.keptEnd = map[uint32]int{}, AtKept
}

// lane lists the terms that one lane adds, by their numbers in the task: those of points with a kept table, and others.
type lane struct{ kept, points []int }

// half splits the terms into two halves.
func (l *lane) half() (a, b lane) {
	i, j := (len(l.kept)+1)/2, len(l.points)/2
	return lane{l.kept[:i], l.points[:j]}, lane{l.kept[i:], l.points[j:]}
}

// sums is an edwards.SumsKernel. It computes two sums at a time, or two halves of one.
func (k *kernel) sums(out [][Point]byte, s *edwards.Sums) bool {
	sums := make([]lane, len(out))
	first := 0
	for i, end := range s.Ends {
		for term := first; term < end; term++ {
			if w := s.Which[term]; w < 0 && !s.Secret && s.Tables[^w].Number() != 0 {
				sums[i].kept = append(sums[i].kept, term)
			} else {
				sums[i].points = append(sums[i].points, term)
			}
		}
		if first = end; len(sums[i].points) > PointTerms || len(sums[i].kept) > Terms-PointTerms {
			return false
		}
	}
	for i := 0; i < len(sums); i++ {
		if i+1 < len(sums) && alike(&sums[i], &sums[i+1]) {
			k.make(s, &sums[i], &sums[i+1], false)
			out[i], out[i+1] = [Point]byte(k.results[:Point]), [Point]byte(k.results[Point:])
			i++
			continue
		}
		a, b := sums[i].half()
		k.make(s, &a, &b, true)
		out[i] = [Point]byte(k.results[:Point])
	}
	clear(k.results[:])
	return true
}

// alike reports whether two sums at a time are cheaper than computing each in two halves: the doublings of a sum cost
// as much as three additions.
func alike(a, b *lane) bool {
	terms := func(a, b []int) int { return 2*max(len(a), len(b)) - len(a) - len(b) }
	return terms(a.kept, b.kept)+terms(a.points, b.points) <= 6
}

// make stores the sums of two lanes in k.results; with both, the two halves are parts of one sum.
func (k *kernel) make(s *edwards.Sums, a, b *lane, both bool) {
	lanes := [2]*lane{a, b}
	keptTerms, pointTerms := max(len(a.kept), len(b.kept)), max(len(a.points), len(b.points))
	if keptTerms == 0 && pointTerms == 0 {
		pointTerms = 1 // there must be a term: zero times the neutral point
	}
	k.keep(s, lanes)
	for i := range keptTerms {
		term := k.term(i, KeptWidth)
		for l := range lanes {
			// A lane without a term adds zero times a multiple from the other lane's table.
			terms, scalar := lanes[l].kept, [32]byte{}
			if i < len(terms) {
				scalar = s.Scalars[terms[i]]
			} else {
				terms = lanes[1-l].kept
			}
			setTerm(term, l, k.kept[s.Tables[^s.Which[terms[i]]].Number()], &scalar, &keptDigits)
		}
	}
	for i := range pointTerms {
		term := k.term(keptTerms+i, Width)
		for l := range lanes {
			p, scalar := edwards.Identity(), [32]byte{}
			if i < len(lanes[l].points) {
				n := lanes[l].points[i]
				p, scalar = pointOf(s, n), s.Scalars[n]
			}
			c := p.Coordinates()
			copy(k.coordinates[Point*(2*i%Points+l):], c[:])
			setTerm(term, l, AtTables+2*Multiple*Entries*i+8*l, &scalar, &digits)
			clear(scalar[:])
		}
		if done := 2 * (i%(Points/2) + 1); done == Points || i == pointTerms-1 {
			k.makeTables(done, AtTables+2*Multiple*Entries*(i+1-done/2), Entries)
		}
	}
	all := k.list[:Term*(keptTerms+pointTerms)]
	js.CopyBytesToJS(k.terms, all)
	k.sum.Invoke(AtTerms+len(all), s.Secret, both)
	if s.Secret {
		clear(all)
	}
	js.CopyBytesToGo(k.results[:], k.made)
}

// term returns the memory of term i, with its width set.
func (k *summing) term(i int, width uint32) []byte {
	t := k.list[Term*i:][:Term]
	binary.LittleEndian.PutUint32(t[TermWidth:], width)
	return t
}

// setTerm sets one lane of a term.
func setTerm(term []byte, lane, table int, scalar *[32]byte, digits *[4]uint64) {
	binary.LittleEndian.PutUint32(term[TermTables+4*lane:], uint32(table))
	carry := uint64(0)
	for i, d := range digits {
		d, carry = bits.Add64(binary.LittleEndian.Uint64(scalar[8*i:]), d, carry)
		binary.LittleEndian.PutUint64(term[TermScalars+32*lane+8*i:], d)
	}
}

// The offset added to scalars: half of a digit's range, at each digit except the highest.
var digits, keptDigits = offsets(Width), offsets(KeptWidth)

func offsets(width int) (words [4]uint64) {
	for bit := width - 1; bit < Top; bit += width {
		words[bit/64] |= 1 << (bit % 64)
	}
	return words
}

// pointOf returns the point of a term.
func pointOf(s *edwards.Sums, term int) *edwards.Point {
	if w := s.Which[term]; w < 0 {
		return s.Tables[^w].Point()
	}
	return s.Points[s.Which[term]]
}

// makeTables makes tables at an address for the given number of points in k.coordinates.
func (k *summing) makeTables(points, to, entries int) {
	js.CopyBytesToJS(k.points, k.coordinates[:Point*points])
	k.tables.Invoke(AtPoints, to, points/2, entries)
}

// keep makes the missing kept tables.
func (k *kernel) keep(s *edwards.Sums, lanes [2]*lane) {
	n := 0
	const pair = 2 * Multiple * KeptEntries
	flush := func() {
		if n%2 != 0 {
			c := edwards.Identity().Coordinates()
			n += copy(k.coordinates[Point*n:], c[:]) / Point
		}
		if more := k.keptEnd + n/2*pair - k.memory.Get("buffer").Get("byteLength").Int(); more > 0 {
			k.memory.Call("grow", (more+Page-1)/Page)
			k.look()
		}
		k.makeTables(n, k.keptEnd, KeptEntries)
		k.keptEnd, n = k.keptEnd+n/2*pair, 0
	}
	for _, l := range lanes {
		for _, term := range l.kept {
			t := s.Tables[^s.Which[term]]
			if k.kept[t.Number()] != 0 {
				continue
			}
			k.kept[t.Number()] = k.keptEnd + n/2*pair + 8*(n%2)
			c := t.Point().Coordinates()
			if n += copy(k.coordinates[Point*n:], c[:]) / Point; n == Points {
				flush()
			}
		}
	}
	if n > 0 {
		flush()
	}
}
