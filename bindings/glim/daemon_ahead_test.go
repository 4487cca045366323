package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLimitsOfRequestedBlocks: --batch-max-weight and --span-limit limit what is requested from peers. The first one
// has no effect with --block-sync-size, as in releases of the reference after 0.18.5.1.
func TestLimitsOfRequestedBlocks(t *testing.T) {
	for flags, want := range map[string]struct {
		batch int
		ahead time.Duration
	}{
		"":                      {10_000_000, 0},
		"--batch-max-weight 0":  {10_000_000, 0},
		"--batch-max-weight 3":  {3_000_000, 0},
		"--batch-max-weight 51": {50_000_000, 0},
		"--batch-max-weight 3 --block-sync-size 7": {0, 0},
		"--span-limit 2": {10_000_000, 2 * time.Minute},
		"--span-limit 0": {10_000_000, 1},
	} {
		c, err := parseDaemon(strings.Fields("--regtest "+flags), func(string) string { return "" }, os.ReadFile)
		require.NoError(t, err, flags)
		require.Empty(t, c.Warnings, flags)
		require.Equal(t, want.batch, c.Peers.batchBytes(), flags)
		require.Equal(t, want.ahead, c.Peers.Ahead, flags)
	}
	for _, bad := range []string{"--span-limit x", "--batch-max-weight -1"} {
		_, err := parseDaemon(strings.Fields("--regtest "+bad), func(string) string { return "" }, os.ReadFile)
		require.Error(t, err, bad)
	}
}
