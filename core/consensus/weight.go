package consensus

import "slices"

// Median returns the middle value, or the mean of the two middle values, rounded down, if their number is even. It
// returns 0 for an empty list. It does not modify values. Source: contrib/epee/include/misc_language.h, median.
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

// Window is a multiset of numbers with a fast median. Remove undoes Add. The zero value is empty.
type Window struct{ sorted []uint64 }

// Len returns the number of elements.
func (w *Window) Len() int { return len(w.sorted) }

// Add adds v.
func (w *Window) Add(v uint64) {
	i, _ := slices.BinarySearch(w.sorted, v)
	w.sorted = slices.Insert(w.sorted, i, v)
}

// Remove removes one v, and returns false if the list has no v.
func (w *Window) Remove(v uint64) bool {
	i, ok := slices.BinarySearch(w.sorted, v)
	if ok {
		w.sorted = slices.Delete(w.sorted, i, i+1)
	}
	return ok
}

// Clone returns a copy.
func (w *Window) Clone() *Window { return &Window{slices.Clone(w.sorted)} }

// Median returns the median, see the function Median.
func (w *Window) Median() uint64 { return middle(w.sorted) }

// Limits are the weight limits of the next block, in bytes.
type Limits struct {
	LongTerm uint64 // effective long-term median
	Median   uint64 // effective median; heavier blocks pay a penalty
	Limit    uint64 // maximum weight
}

// Limits returns the limits of the next block, which has these rules. long is the median of the long-term weights of
// the last LongWindow blocks, and short the median of the weights of the last ShortWindow blocks, in bytes. Releases of
// the reference up to 0.18.0 compute the long-term median differently; this matters only if blocks exceed 510,000 bytes
// for months.
// Source: src/cryptonote_core/blockchain.cpp, update_next_cumulative_weight_limit.
func (r *Rules) Limits(long, short uint64) Limits {
	l := Limits{LongTerm: max(long, r.FullRewardZone)}
	l.Median = max(min(max(l.LongTerm, short), r.SurgeFactor*l.LongTerm), r.FullRewardZone)
	l.Limit = 2 * l.Median
	return l
}

// LongTermWeight returns the long-term weight of a block of weight bytes: the weight, but at least 1/1.7 and at most
// 1.7 times the long-term median; with the next hard fork 1/1.2 and 1.2 times. l are the limits of the block.
// Source: src/cryptonote_core/blockchain.cpp, get_next_long_term_block_weight.
func (r *Rules) LongTermWeight(l Limits, weight uint64) uint64 {
	up, down := r.growth[0], r.growth[1]
	return min(max(weight, l.LongTerm*down/up), l.LongTerm+l.LongTerm*(up-down)/down)
}
