package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMemoryGrowth checks that memory growth after the first quarter of the run is compared with the growth of
// histories.
func TestMemoryGrowth(t *testing.T) {
	const mib = 1 << 20
	after := func(minutes, entries int, live, resident float64) sample {
		return sample{
			time.Duration(minutes) * time.Minute,
			memory{live: live * mib, resident: resident * mib, stored: live * mib}, entries,
		}
	}
	said := func(samples ...sample) (string, error) {
		var out strings.Builder
		err := judge(samples, 60*time.Minute, &out)
		return out.String(), err
	}
	text, err := said(after(1, 100, 10, 40), after(15, 3_000, 15, 50), after(21, 5_000, 25, 70),
		after(60, 14_240, 30, 80))
	require.NoError(t, err)
	require.Equal(t,
		"after about 18m0s, for each of 10240 history entries: live 1024 B, resident 2048 B, stored 1024 B\n",
		text)
	_, err = said(after(15, 4_000, 20, 60), after(60, 14_240, 49, 80))
	require.ErrorIs(t, err, errGrew, "live memory")
	_, err = said(after(15, 4_000, 20, 60), after(60, 14_240, 30, 133))
	require.ErrorIs(t, err, errGrew, "resident memory")
	_, err = said(after(1, 0, 0, 0), after(15, 4_000, 200, 600), after(60, 14_240, 200, 600))
	require.NoError(t, err, "growth in the first quarter")
	for _, few := range [][]sample{
		nil, {after(15, 4_000, 20, 60), after(60, 5_000, 500, 900)}, {after(60, 9_000, 500, 900)},
		{after(15, 9_000, 500, 900)},
	} {
		text, err = said(few...)
		require.NoError(t, err)
		require.Contains(t, text, "too few")
	}
}
