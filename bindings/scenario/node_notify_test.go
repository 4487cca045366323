package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// newDaemons starts the real daemon and ours as processes, ours with additional flags.
func newDaemons(t *testing.T, theirs, ours []string) (reference, daemon *peers.Daemon) {
	t.Helper()
	peers.Require(t)
	path, err := build()
	require.NoError(t, err)
	return peers.NewDaemon(t, peers.Options{Args: theirs}),
		peers.NewDaemon(t, peers.Options{Command: []string{path, "daemon"}, Args: ours})
}

// TestNotifications: both daemons call the same commands for the same blocks and the same reorganisation.
func TestNotifications(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "note")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nfile=$1\nshift\necho \"$*\" >>\"$file\"\n"), 0o700))
	flags := func(file string) []string {
		call := script + " " + filepath.Join(dir, file)
		return []string{
			"--block-notify", call + " block %s", "--reorg-notify",
			call + "  from=%s height=%h new=%n gone=%d 100% $HOME",
		}
	}
	theirs, ours := newDaemons(t, flags("theirs"), flags("ours"))
	var first string
	require.NoError(t, ours.JSON(deadline(t), "on_get_block_hash", []int{0}, &first))
	lines := func(file string) []string {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if os.IsNotExist(err) {
			return nil
		}
		require.NoError(t, err)
		all := strings.Split(strings.TrimSpace(string(text)), "\n")
		slices.Sort(all)
		// The reference notifies twice of a reorganisation: when it is detected and when it is complete.
		all = slices.Compact(all)
		// It notifies of the genesis block.
		return slices.DeleteFunc(all, func(line string) bool { return line == "block "+first })
	}
	generate := func(n int, prev string) []string {
		var mined struct{ Blocks []string }
		require.NoError(t, theirs.JSON(deadline(t), "generateblocks",
			object{
				"amount_of_blocks": n, "wallet_address": at(t, alice, 0, 0), "prev_block": prev, "starting_nonce": n,
			}, &mined))
		for _, id := range mined.Blocks {
			var b struct{ Blob string }
			require.NoError(t, theirs.JSON(deadline(t), "get_block", object{"hash": id}, &b))
			require.NoError(t, ours.JSON(deadline(t), "submit_block", []string{b.Blob}, nil))
		}
		return mined.Blocks
	}
	old := generate(4, "")
	generate(3, old[1])
	want := 4 + 3 + 1
	until(t, func() bool { return len(lines("theirs")) == want && len(lines("ours")) == want })
	require.Equal(t, lines("theirs"), lines("ours"))
	require.Contains(t, lines("ours"), "from=3 height=6 new=3 gone=2 100% $HOME")

	// A block on a branch is notified only when the branch becomes the main chain.
	branch := generate(1, old[2])
	require.NotContains(t, lines("ours"), "block "+branch[0])
	generate(3, branch[0])
	want += 1 + 3 + 1
	until(t, func() bool { return len(lines("theirs")) == want && len(lines("ours")) == want })
	require.Equal(t, lines("theirs"), lines("ours"))
}
