package syncer_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/syncer"
)

// TestCrewDoesEverythingOnce: whatever its size, and whoever runs it.
func TestCrewDoesEverythingOnce(t *testing.T) {
	var behind atomic.Int64
	for _, c := range []syncer.Crew{{}, {Size: 1}, {Size: 7}, {Size: 3, Behind: func(work func()) { behind.Add(1); work() }}} {
		for _, n := range []int{0, 1, 2, 100} {
			done := make([]atomic.Int64, n)
			require.NoError(t, c.Split(context.Background(), n, func(i int) error { done[i].Add(1); return nil }))
			for i := range done {
				require.EqualValues(t, 1, done[i].Load(), "%d of %d", i, n)
			}
		}
	}
	require.EqualValues(t, 1+1+2+3, behind.Load()) // no more than there is work
}

// TestCrewStops: an error, a panic and the end of the context end the work, and are told.
func TestCrewStops(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(context.Background())
	for want, fail := range map[error]func() error{
		broken:           func() error { return broken },
		syncer.ErrPanic:  func() error { panic("here") },
		context.Canceled: func() error { cancel(); return nil },
	} {
		var calls atomic.Int64
		err := syncer.Crew{Size: 2}.Split(ctx, 1000, func(i int) error {
			calls.Add(1)
			return fail()
		})
		require.ErrorIs(t, err, want)
		require.LessOrEqual(t, calls.Load(), int64(2))
		ctx, cancel = context.WithCancel(context.Background())
	}
	cancel()
}
