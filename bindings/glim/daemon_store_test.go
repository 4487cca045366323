package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/internal/chainfile"
	"glim/core/chain"
	"glim/core/node"
	"glim/core/xmr"
)

// TestChainFolder checks the folder of the chain: none, --data-dir, or the default folder with --keep-fakechain.
func TestChainFolder(t *testing.T) {
	home, named := t.TempDir(), t.TempDir()
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, nil))
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for flags, want := range map[string]string{
		"--regtest":                                             "",
		"--regtest --keep-fakechain":                            filepath.Join(home, ".glim", "fake"),
		"--regtest --data-dir DIR":                              filepath.Join(named, "fake"),
		"--regtest --keep-fakechain --data-dir DIR":             filepath.Join(named, "fake"),
		"--bootstrap-daemon-address 127.0.0.1:1 --data-dir DIR": "", // the other daemon's chain is used
	} {
		c, err := parseDaemon(
			strings.Fields(strings.ReplaceAll(flags, "DIR", named)),
			func(string) string { return "" },
			os.ReadFile,
		)
		require.NoError(t, err, flags)
		require.Equal(t, c.Network != xmr.Regtest, len(c.Warnings) > 0, flags)
		var n node.Config
		var said bytes.Buffer
		end, err := c.store(&n, log, &said)
		require.NoError(t, err, flags)
		if want == "" {
			require.Nil(t, n.Chain.Store, flags)
			require.Empty(t, said.String(), flags)
		} else {
			require.Contains(t, said.String(), want, flags)
			require.FileExists(t, filepath.Join(want, chainfile.Name), flags)
			require.NotZero(t, n.DatabaseSize(), flags)
			require.Empty(t, logged.String(), flags)
			require.Error(t, n.Chain.Store.Commit([]chain.Record{{}}, nil), flags)
			require.Contains(t, logged.String(), "storing the chain failed", flags)
			logged.Reset()
			_, err = c.store(&n, log, &said)
			require.ErrorIs(t, err, chainfile.ErrLocked, flags)
		}
		require.NoError(t, end(), flags)
	}
}

func TestSyncModes(t *testing.T) {
	for _, good := range []string{
		"safe", "fast", "fastest", "fast:sync", "fast:async:1000", "fastest:async:1000blocks",
		"fast:async:250000000bytes", "safe sync 1",
	} {
		require.NoError(t, checkSyncMode(good), good)
	}
	for _, bad := range []string{"", "slow", "fast:never", "fast:sync:many", "fast:sync:1:2", "fast:sync:-1", ":::"} {
		require.Error(t, checkSyncMode(bad), bad)
	}
}
