package consensus

import "slices"

// Median returns the middle value, of an even number the mean of the two in the middle, rounded down; 0 of none. values
// itself is left alone. Source: contrib/epee/include/misc_language.h, median.
func Median(values []uint64) uint64 {
	s := slices.Clone(values)
	slices.Sort(s)
	return middle(s)
}

func middle(sorted []uint64) uint64 {
	n := len(sorted)
	switch {
	case n == 0:
		return 0
	case n%2 == 1:
		return sorted[n/2]
	}
	a, b := sorted[n/2-1], sorted[n/2]
	return a/2 + b/2 + (a%2+b%2)/2
}

// Window is a multiset of numbers whose median is at hand. Adding and removing are each other's inverse. The zero value
// is empty.
type Window struct{ sorted []uint64 }

// Len returns how many numbers the window holds.
func (w *Window) Len() int { return len(w.sorted) }

// Add puts v in.
func (w *Window) Add(v uint64) {
	i, _ := slices.BinarySearch(w.sorted, v)
	w.sorted = slices.Insert(w.sorted, i, v)
}

// Remove takes one v out; false when there is none.
func (w *Window) Remove(v uint64) bool {
	i, ok := slices.BinarySearch(w.sorted, v)
	if ok {
		w.sorted = slices.Delete(w.sorted, i, i+1)
	}
	return ok
}

// Clone returns a window of its own with the same numbers.
func (w *Window) Clone() *Window { return &Window{slices.Clone(w.sorted)} }

// Median returns the median as the function Median does.
func (w *Window) Median() uint64 { return middle(w.sorted) }

// Limits are what the weights of past blocks allow the next one, in bytes.
type Limits struct {
	LongTerm uint64 // effective long-term median
	Median   uint64 // effective median: heavier blocks pay a penalty
	Limit    uint64 // heaviest block
}

// NewLimits returns the limits of a block after a chain whose median long-term weight, over LongWindow blocks, is long
// and whose median weight, over ShortWindow blocks, is short. The reference up to 0.18.0 keeps a running median that
// forgets the lower bound of the newest weights; later ones compute as here. They differ only where blocks of more than
// 510,000 bytes were the rule for months.
// Source: src/cryptonote_core/blockchain.cpp, update_next_cumulative_weight_limit.
func NewLimits(long, short uint64) Limits {
	l := Limits{LongTerm: max(long, FullRewardZone)}
	l.Median = max(min(max(l.LongTerm, short), SurgeFactor*l.LongTerm), FullRewardZone)
	l.Limit = 2 * l.Median
	return l
}

// LongTermWeight returns the weight that a block of weight bytes counts as in the long-term median: within 1.7 times
// the median either way. Source: src/cryptonote_core/blockchain.cpp, get_next_long_term_block_weight.
func (l Limits) LongTermWeight(weight uint64) uint64 {
	return min(max(weight, l.LongTerm*10/17), l.LongTerm+l.LongTerm*7/10)
}
