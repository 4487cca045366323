package session_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestCommitPanics: a change that breaks half-way leaves nobody waiting, and is the last: nothing of the half is read as a state of
// the wallet, and nothing is written over the log that is whole.
func TestCommitPanics(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	label := func(text string) wallet.ChangeSet {
		return wallet.ChangeSet{User: wallet.UserChange{Labels: []wallet.Label{{Index: keys.Index{}, Text: text}}}}
	}
	change := func(c wallet.ChangeSet) error {
		return s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) { return c, nil, nil })
	}
	require.NoError(t, change(label("before")))
	require.NoError(t, s.Err())
	after := wallet.ChangeSet{User: wallet.UserChange{Freeze: []wallet.Freeze{{Key: xmr.PublicKey{1}}}}}
	require.Panics(t, func() {
		_ = s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			*w = wallet.Wallet{} // has not even a list of what is frozen
			return after, nil, nil
		})
	})
	written := slices.Clone(st.Content)
	require.ErrorIs(t, s.Err(), session.ErrBroken)
	require.ErrorIs(t, change(label("more")), session.ErrBroken)
	require.ErrorIs(t, s.Store(), session.ErrBroken)
	s.View(func(*wallet.Wallet) {}) // waits for nobody
	require.NoError(t, s.Close())
	require.Equal(t, written, st.Content)
	open(t, st.Content).View(func(w *wallet.Wallet) {
		require.Equal(t, "before", w.Label(keys.Index{}))
		require.True(t, w.IsFrozen(&wallet.Output{Key: xmr.PublicKey{1}}))
	})
}
