package session_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestCommitPanics checks that a panic during a commit does not block readers and makes the session unusable: the
// partial state is not read, and not written over the log.
func TestCommitPanics(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	label := func(text string) wallet.ChangeSet {
		return wallet.ChangeSet{User: wallet.UserChange{Labels: []wallet.Label{{Index: keys.Index{}, Text: text}}}}
	}
	change := func(c wallet.ChangeSet) error {
		return s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) { return c, nil, nil })
	}
	require.NoError(t, change(label("before")))
	require.NoError(t, s.Err())
	after := wallet.ChangeSet{User: wallet.UserChange{Freeze: []wallet.Freeze{{Key: xmr.PublicKey{1}}}}}
	require.Panics(t, func() {
		_ = s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			*w = wallet.Wallet{} // lacks the map of frozen outputs
			return after, nil, nil
		})
	})
	written := slices.Clone(st.Content)
	require.ErrorIs(t, s.Err(), session.ErrBroken)
	require.ErrorIs(t, change(label("more")), session.ErrBroken)
	require.ErrorIs(t, s.Store(), session.ErrBroken)
	s.View(func(*wallet.Wallet) {}) // does not block
	require.NoError(t, s.Close())
	require.Equal(t, written, st.Content)
	open(t, st.Content).View(func(w *wallet.Wallet) {
		require.Equal(t, "before", w.Label(keys.Index{}))
		require.True(t, w.IsFrozen(&wallet.OwnedOutput{Key: xmr.PublicKey{1}}))
	})
}

// TestChangesAreShort checks that the size of one change is limited, however much a batch of blocks contains, because
// readers wait for its commit; and that the result does not depend on the limit.
func TestChangesAreShort(t *testing.T) {
	k := owner(t)
	c := chaintest.New("short", xmr.Regtest)
	for range 40 {
		var pay []chaintest.Payment
		for i := range 15 {
			pay = append(pay, chaintest.Payment{To: k, Amount: uint64(i + 1)})
		}
		c.Add(chaintest.Spec{Pay: pay}, chaintest.Spec{Pay: pay})
	}
	st := journal.NewMemory()
	s := create(t, st, host())
	_, err := s.Refresh(context.Background(), chaintest.NewSource(c), 0)
	require.NoError(t, err)
	_, records, err := journal.Open(
		&journal.Memory{Content: slices.Clone(st.Content)}, []byte("password"), chaintest.NewRandom("short"),
	)
	require.NoError(t, err)
	outputs, changes := 0, 0
	for _, r := range records[1:] {
		change, err := wallet.DecodeChange(r)
		require.NoError(t, err)
		require.LessOrEqual(t, len(change.Chain.Outputs), 512)
		if outputs += len(change.Chain.Outputs); len(change.Chain.Outputs) > 0 {
			changes++
		}
	}
	require.Equal(t, 1200, outputs)
	require.Equal(t, 3, changes, "no shorter than necessary")
	slow := create(t, journal.NewMemory(), host())
	src := chaintest.NewSource(c)
	src.Batch = 2
	_, err = slow.Refresh(context.Background(), src, 0)
	require.NoError(t, err)
	require.Equal(t, state(t, slow), state(t, s))
}
