package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHostileInput makes some of the attacks of make bench-hostile on the real commands.
func TestHostileInput(t *testing.T) {
	var out strings.Builder
	dir := t.TempDir()
	s := hostileRun{dir: filepath.Join(dir, "hostile"), size: 4 << 20, most: hostileFactor, out: &out,
		only: regexp.MustCompile(`^(` + strings.Join([]string{
			`call of the wallet service (any: a long id|get_version: params: list of 1)`,
			`text that a wallet keeps get_address: .* 4000`,
			`text that a wallet keeps set_attribute: .* half`,
			`answer to a wallet (get_info: status: text of letters|get_blocks.bin: blocks: list of truth values)`,
			`call of the daemon, restricted port get_block_count: list of 1`,
			`message of a peer (support flags|new transactions): unknown: text`,
		}, "|") + `)`),
	}
	var err error
	s.glim, err = buildGlim(t.Context(), "", filepath.Join(dir, "glim"))
	require.NoError(t, err)
	require.NoError(t, measureHostile(t.Context(), &s), "%s", &out)
	require.Greater(t, len(s.all), 4)
	require.Zero(t, s.unsent)
	for _, c := range s.all {
		require.Positive(t, c.growth, c)
	}
}
