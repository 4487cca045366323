package lws

import (
	"encoding/json"
	"slices"

	"glim/core/keys"
	"glim/core/xmr"
)

// Range is a range of addresses of an account: the first and the last one.
type Range [2]uint32

// Subaddresses are the watched addresses of one account of a wallet.
type Subaddresses struct {
	Major  uint32  `json:"key"`
	Ranges []Range `json:"value,omitempty"` // ascending, neither overlapping nor adjacent
}

// UnmarshalJSON accepts ranges in ascending order that are neither overlapping nor adjacent.
func (s *Subaddresses) UnmarshalJSON(b []byte) error {
	type plain Subaddresses
	var p plain
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	if !ordered(p.Ranges) {
		return ErrRange
	}
	*s = Subaddresses(p)
	return nil
}

// ordered reports whether ranges ascend with gaps between them, and end before the last 32-bit number.
func ordered(ranges []Range) bool {
	for i, r := range ranges {
		if r[1] < r[0] || r[1] == 1<<32-1 || i > 0 && uint64(r[0]) <= uint64(ranges[i-1][1])+1 {
			return false
		}
	}
	return true
}

// count returns the number of addresses in list.
func count(list []Subaddresses) (n uint64) {
	for _, s := range list {
		for _, r := range s.Ranges {
			n += uint64(r[1]) - uint64(r[0]) + 1
		}
	}
	return n
}

// merge returns the union of two lists, and the addresses of add that list lacks. Both are in the order of Major;
// the arguments do not change.
func merge(list, add []Subaddresses) (all, added []Subaddresses) {
	all = slices.Clone(list)
	for _, a := range add {
		at, found := slices.BinarySearchFunc(all, a.Major, func(s Subaddresses, major uint32) int {
			return int(int64(s.Major) - int64(major))
		})
		if !found {
			all = slices.Insert(all, at, Subaddresses{Major: a.Major})
		}
		was := all[at].Ranges
		var fresh []Range
		for _, r := range a.Ranges {
			fresh = append(fresh, without(r, was)...)
		}
		if len(fresh) == 0 {
			if !found {
				all = slices.Delete(all, at, at+1)
			}
			continue
		}
		all[at].Ranges = union(was, fresh)
		added = appendSubaddresses(added, a.Major, fresh)
	}
	return all, added
}

// appendSubaddresses adds ranges to the account major, which may be in list.
func appendSubaddresses(list []Subaddresses, major uint32, ranges []Range) []Subaddresses {
	for i := range list {
		if list[i].Major == major {
			list[i].Ranges = union(list[i].Ranges, ranges)
			return list
		}
	}
	return append(list, Subaddresses{major, union(nil, ranges)})
}

// without returns the parts of r that are not in ranges, which ascend.
func without(r Range, ranges []Range) (left []Range) {
	from := uint64(r[0])
	for _, w := range ranges {
		if uint64(w[1]) < from {
			continue
		}
		if w[0] > r[1] {
			break
		}
		if uint64(w[0]) > from {
			left = append(left, Range{uint32(from), w[0] - 1})
		}
		from = uint64(w[1]) + 1
	}
	if from <= uint64(r[1]) {
		left = append(left, Range{uint32(from), r[1]})
	}
	return left
}

// union returns the ranges of both lists, ascending, with overlapping and adjacent ones joined.
func union(a, b []Range) []Range {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y Range) int { return int(int64(x[0]) - int64(y[0])) })
	var out []Range
	for _, r := range all {
		if n := len(out); n > 0 && uint64(r[0]) <= uint64(out[n-1][1])+1 {
			out[n-1][1] = max(out[n-1][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

// block returns minors addresses from minor on, of majors accounts from major on. It returns ErrRange for numbers
// beyond 32 bits, and ErrMaxSubaddresses for more than limit addresses.
func block(major, minor, majors, minors, limit uint32) ([]Subaddresses, error) {
	const end = uint64(1)<<32 - 1 // the reference has no address with the last index
	switch {
	case majors == 0 || minors == 0:
		return nil, nil
	case uint64(majors)*uint64(minors) > uint64(limit):
		return nil, ErrMaxSubaddresses
	case uint64(major)+uint64(majors) > end || uint64(minor)+uint64(minors) > end:
		return nil, ErrRange
	}
	out := make([]Subaddresses, majors)
	for i := range out {
		out[i] = Subaddresses{major + uint32(i), []Range{{minor, minor + minors - 1}}}
	}
	return out, nil
}

// ahead returns the addresses to watch after a payment to address at.
func (l Lookahead) ahead(at keys.Index, limit uint32) ([]Subaddresses, error) {
	if l == (Lookahead{}) {
		return nil, nil
	}
	list, err := block(0, 0, saturate(at.Major, l.Major), l.Minor, limit)
	if err != nil {
		return nil, err
	}
	more, err := block(at.Major, 0, 1, saturate(at.Minor, l.Minor), limit)
	list, _ = merge(list, more)
	return list, err
}

func saturate(a, b uint32) uint32 { return uint32(min(uint64(a)+uint64(b), 1<<32-1)) }

// Watched is an address with its public spend key.
type Watched struct {
	Key xmr.PublicKey
	At  keys.Index
}

// watched returns the addresses of list with their keys. No range includes the last 32-bit number; see ordered.
func watched(k *keys.Keys, list []Subaddresses) (out []Watched) {
	for _, s := range list {
		for _, r := range s.Ranges {
			for i, key := range k.SpendKeys(s.Major, r[0], r[1]+1) {
				out = append(out, Watched{key, keys.Index{Major: s.Major, Minor: r[0] + uint32(i)}})
			}
		}
	}
	return out
}
