package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestForCallsEachNumberOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 4} {
		for _, n := range []int{0, 1, 2, 3, 100} {
			calls := make([]atomic.Int32, n)
			ForN(workers, n, func(i int) { calls[i].Add(1) })
			for i := range calls {
				require.EqualValues(t, 1, calls[i].Load(), "%d of %d", i, n)
			}
		}
	}
	calls := make([]atomic.Int32, 1000)
	For(len(calls), func(i int) { calls[i].Add(1) })
	for i := range calls {
		require.EqualValues(t, 1, calls[i].Load(), i)
	}
}

func TestForPanicsInTheCaller(t *testing.T) {
	for _, workers := range []int{0, 1, 4} {
		for _, n := range []int{1, 2, 100} {
			require.PanicsWithValue(t, "one of them", func() {
				ForN(workers, n, func(i int) {
					if i == n-1 {
						panic("one of them")
					}
				})
			})
		}
	}
	require.PanicsWithValue(t, "one of them", func() { For(8, func(int) { panic("one of them") }) })
}

// TestPoolCallsEachNumberOnce also checks that a pool starts no more goroutines than there is work, each at low
// priority.
func TestPoolCallsEachNumberOnce(t *testing.T) {
	var goroutines, yields atomic.Int64
	low := Pool{
		Workers:     3,
		LowPriority: func(work func()) { goroutines.Add(1); work() },
		Yield:       func() { yields.Add(1) },
	}
	for _, p := range []Pool{{}, {Workers: 1}, {Workers: 7}, low} {
		for _, n := range []int{0, 1, 2, 100} {
			calls := make([]atomic.Int64, n)
			require.NoError(t, p.For(context.Background(), n, func(i int) error { calls[i].Add(1); return nil }))
			for i := range calls {
				require.EqualValues(t, 1, calls[i].Load(), "%d of %d", i, n)
			}
		}
	}
	require.EqualValues(t, 1+1+2+3, goroutines.Load())
	require.EqualValues(t, 0+1+2+100, yields.Load())
}

// TestPoolStops: an error, a panic and the end of the context each stop the work and are returned.
func TestPoolStops(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(context.Background())
	for want, fail := range map[error]func() error{
		broken:           func() error { return broken },
		ErrPanic:         func() error { panic("here") },
		context.Canceled: func() error { cancel(); return nil },
	} {
		var calls atomic.Int64
		err := Pool{Workers: 2}.For(ctx, 1000, func(int) error {
			calls.Add(1)
			return fail()
		})
		require.ErrorIs(t, err, want)
		require.LessOrEqual(t, calls.Load(), int64(2))
		ctx, cancel = context.WithCancel(context.Background())
	}
	cancel()
	require.ErrorIs(t, Pool{}.For(ctx, 0, nil), context.Canceled)
}

func TestContainHidesTheTextOfAPanic(t *testing.T) {
	err := Contain(func() error { panic("seed words") })
	require.ErrorIs(t, err, ErrPanic)
	require.NotContains(t, err.Error(), "seed")
	var list []int
	require.ErrorContains(t, Contain(func() error { _ = list[len(list)]; return nil }), "index out of range")
	require.NoError(t, Contain(func() error { return nil }))
}
