package consensus

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLastLocked: unlock times are heights or dates, and nothing unlocks before ten blocks have passed.
func TestLastLocked(t *testing.T) {
	for _, c := range []struct{ unlock, height, want uint64 }{
		{0, 0, 9}, {0, 100, 109}, {60, 0, 59}, {110, 100, 109}, {111, 100, 110}, {1, 100, 109},
		{499_999_999, 100, 499_999_998},
		{1656629118, 100, 2689608}, {1656629118 + 119, 100, 2689608}, {1656629118 + 120, 100, 2689609},
		{1656629118 - 120, 100, 2689607}, {1656629118 - 119, 100, 2689608}, {500_000_000, 100, 109},
		{1656629118, 3_000_000, 3_000_009}, {1<<64 - 1, 100, 2689608 + (1<<64-1-1656629118)/120},
	} {
		require.Equal(t, c.want, LastLocked(c.unlock, c.height), c)
	}
}

// TestUnlockedDate: it is the last date that LastLocked lets a block spend, for old outputs.
func TestUnlockedDate(t *testing.T) {
	for _, height := range []uint64{12, 100, 2_689_607, 2_689_608, 2_689_609, 2_689_610, 3_000_000} {
		date := UnlockedDate(height)
		require.Less(t, LastLocked(date, 0), height)
		require.GreaterOrEqual(t, LastLocked(date+1, 0), height)
		require.Less(t, LastLocked(500_000_000, 0), height)
	}
}
