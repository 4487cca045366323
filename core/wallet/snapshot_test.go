package wallet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestSnapshotOfLongTexts checks that texts written in separate changes fit into the records of a snapshot.
func TestSnapshotOfLongTexts(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w := wallet.New(wallet.Identity{Network: xmr.Regtest, Keys: k}, wallet.Lookahead{Major: 1, Minor: 1})
	long := strings.Repeat("a", 1<<20)
	for i := range 70 {
		c, _, err := w.DecideAddresses(0, 1, fmt.Sprint(long, i))
		require.NoError(t, err)
		c.User.Attrs = []wallet.Attribute{{Key: fmt.Sprint(i), Value: long}}
		w.Commit(c)
	}
	records, err := w.Snapshot()
	require.NoError(t, err)
	for _, r := range records {
		require.LessOrEqual(t, len(r), journal.MaxRecord)
	}
	again, err := wallet.Replay(records)
	require.NoError(t, err)
	require.True(t, fmt.Sprint(w.Dump(true)) == fmt.Sprint(again.Dump(true)))
}
