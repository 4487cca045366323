package abreast

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDo(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 1000} {
		calls := make([]atomic.Int32, n)
		Do(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			require.EqualValues(t, 1, calls[i].Load(), i)
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	for _, n := range []int{1, 2, 100} {
		require.PanicsWithValue(t, "one of them", func() {
			Do(n, func(i int) {
				if i == n-1 {
					panic("one of them")
				}
			})
		})
	}
}
