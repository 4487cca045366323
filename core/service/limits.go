package service

import (
	"slices"

	"glim/core/walletrpc"
)

// maxListed is how many things one request may list, and one answer of what may be listed more than once: more than any wallet
// has addresses in use.
const maxListed = 1 << 17

// fits refuses what lists more than maxListed things.
func fits(n int) error {
	if n > maxListed {
		return walletrpc.Fail(walletrpc.CodeUnknown, "A request may list %d things at most.", maxListed)
	}
	return nil
}

// chosen says which numbers are listed; an empty list chooses every one.
type chosen struct {
	all  bool
	some []uint32 // ascending
}

// choose prepares list for being asked often. Errors: fits'.
func choose(list []uint32) (chosen, error) {
	if err := fits(len(list)); err != nil {
		return chosen{}, err
	}
	return chosen{len(list) == 0, slices.Compact(slices.Sorted(slices.Values(list)))}, nil
}

func (c *chosen) has(n uint32) bool {
	if c.all {
		return true
	}
	_, ok := slices.BinarySearch(c.some, n)
	return ok
}

// hasAny reports whether one of list is chosen; of an empty list, whether all are.
func (c *chosen) hasAny(list []uint32) bool { return c.all || slices.ContainsFunc(list, c.has) }
