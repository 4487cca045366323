package smallsort_test

import (
	"cmp"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/smallsort"
)

type pair struct{ key, place int }

func byKey(a, b pair) int { return cmp.Compare(a.key, b.key) }

func byBoth(a, b pair) int { return cmp.Or(byKey(a, b), cmp.Compare(a.place, b.place)) }

// TestAsSlices compares the results with those of package slices.
func TestAsSlices(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for n := range 200 {
		list := make([]pair, n)
		for i := range list {
			list[i] = pair{random.Intn(n/3 + 1), i}
		}
		random.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		want := slices.SortedFunc(slices.Values(list), byBoth)
		require.Equal(t, want, smallsort.Sorted(slices.Values(list), byBoth))
		sorted := slices.Clone(list)
		smallsort.Sort(sorted, byBoth)
		require.Equal(t, want, append([]pair(nil), sorted...))
		want = slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		smallsort.Stable(list, byKey)
		require.Equal(t, want, list)
	}
}
