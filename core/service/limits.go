package service

import (
	"slices"

	"glim/core/walletrpc"
)

// maxListed limits the items of a list in a request, and those in a response if the request may repeat items. It is
// more than the number of addresses that any wallet uses.
const maxListed = 1 << 17

// checkListed returns an error if a request lists more than maxListed items.
func checkListed(n int) error {
	if n > maxListed {
		return walletrpc.Fail(walletrpc.CodeUnknown, "A list in a request may have at most %d elements.", maxListed)
	}
	return nil
}

// selection is a set of numbers that a request lists; an empty list selects every number.
type selection struct {
	all  bool
	some []uint32 // ascending
}

// newSelection sorts list for repeated lookups. It returns the error of checkListed if the list is too long.
func newSelection(list []uint32) (selection, error) {
	if err := checkListed(len(list)); err != nil {
		return selection{}, err
	}
	return selection{len(list) == 0, slices.Compact(slices.Sorted(slices.Values(list)))}, nil
}

func (c *selection) has(n uint32) bool {
	if c.all {
		return true
	}
	_, ok := slices.BinarySearch(c.some, n)
	return ok
}

// hasAny reports whether at least one number of list is selected. For an empty list it reports whether all numbers
// are.
func (c *selection) hasAny(list []uint32) bool { return c.all || slices.ContainsFunc(list, c.has) }
