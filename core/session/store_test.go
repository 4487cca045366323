package session_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestStoreCostsWhatChanged writes to a wallet of sixteen megabytes and stores it after each change: all that is ever written is a few
// times what changed, and what is stored does not grow to more than the wallet and half as much.
func TestStoreCostsWhatChanged(t *testing.T) {
	st := journal.NewMemory()
	written := 0
	st.Fault = func(_ journal.Op, p []byte) (int, error) {
		written += len(p)
		return len(p), nil
	}
	s := create(t, st, host())
	rnd, text := chaintest.NewRandom("notes"), strings.Repeat("n", 1<<18)
	note := func(about xmr.Hash) {
		require.NoError(t, s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return wallet.ChangeSet{User: wallet.UserChange{Notes: []wallet.Note{{TxID: about, Text: text}}}}, nil, nil
		}))
		require.NoError(t, s.Store())
	}
	for range 64 {
		note(rnd.Bytes32())
	}
	whole := 64 * len(text)
	require.Less(t, written, 5*whole)

	written = 0
	for range 128 { // the same note again and again: the wallet grows no more
		note(xmr.Hash{1})
		require.Less(t, len(st.Content), whole*5/2)
	}
	require.Less(t, written, 4*128*len(text))
	require.NoError(t, s.Close())
	again, err := session.Open(&journal.Memory{Content: bytes.Clone(st.Content)}, []byte("password"), host())
	require.NoError(t, err)
	again.View(func(w *wallet.Wallet) { require.True(t, w.Note(xmr.Hash{1}) == text) })
}
