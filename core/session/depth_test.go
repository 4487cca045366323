package session_test

import (
	"context"
	"errors"
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

// deep returns a chain of 151 blocks that pays the wallet in the tenth and the last.
func deep(t *testing.T) *chaintest.Chain {
	t.Helper()
	c := chaintest.New("deep", xmr.Regtest)
	c.Grow(9)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 5}}})
	c.Grow(139)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 7}}})
	require.EqualValues(t, 151, c.Height())
	return c
}

// fork returns a fork of c that shares its first blocks, has the given height and pays the owner.
func fork(t *testing.T, c *chaintest.Chain, shares, height uint64) *chaintest.Chain {
	t.Helper()
	f := c.Fork("another", shares)
	f.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 100}}})
	f.Grow(int(height - f.Height()))
	return f
}

func refreshed(s *session.Session, src *chaintest.Source, c *chaintest.Chain) error {
	src.Switch(c)
	_, err := s.Refresh(context.Background(), src, 0)
	return err
}

// refused requires that s refuses c, which would drop depth blocks, and stays unchanged.
func refused(t *testing.T, s *session.Session, src *chaintest.Source, c *chaintest.Chain, depth uint64) {
	t.Helper()
	before := state(t, s)
	err := refreshed(s, src, c)
	var e *session.ReorgDepthError
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, depth, e.Depth)
	require.ErrorContains(t, err, "reorg exceeds maximum allowed depth")
	require.ErrorContains(t, err, "rescan_blockchain")
	require.Equal(t, before, state(t, s))
}

func worth(s *session.Session) (sum uint64) {
	s.View(func(w *wallet.Wallet) { sum = w.AccountBalance(0, false, 1000).Total })
	return sum
}

// TestDeepReorganisation checks that a wallet follows a chain that drops as many blocks as its setting allows, and
// refuses one that drops one more.
func TestDeepReorganisation(t *testing.T) {
	c := deep(t)
	var events []wallet.HostEvent
	h := host()
	h.Event = func(e wallet.HostEvent) { events = append(events, e) }
	for _, batch := range []int{0, 40} {
		s := create(t, journal.NewMemory(), h)
		src := chaintest.NewSource(c)
		src.Batch = batch
		require.NoError(t, refreshed(s, src, c))
		require.EqualValues(t, 12, worth(s))

		events = nil
		refused(t, s, src, fork(t, c, 50, 300), 101)
		refused(t, s, src, fork(t, c, 50, 300), 101)
		require.Equal(t, []wallet.HostEvent{{Kind: wallet.ReorganisationRefused, Height: 50}}, events, "one event")
		refused(t, s, src, fork(t, c, 1, 200), 150)
		require.NoError(t, refreshed(s, src, c), "the known chain is still followed")
		require.NoError(t, refreshed(s, src, fork(t, c, 51, 300)))
		require.EqualValues(t, 105, worth(s))
		refused(t, s, src, c, 249)
		require.NoError(t, s.Forget(), "a rescan accepts the chain")
		require.NoError(t, refreshed(s, src, c))
		require.EqualValues(t, 12, worth(s))
	}

	// Other settings.
	for _, setting := range []uint64{0, 1, 149, 150} {
		s := create(t, journal.NewMemory(), host())
		src := chaintest.NewSource(c)
		require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideMaxReorgDepth(setting), nil, nil
		}))
		require.NoError(t, refreshed(s, src, c))
		if setting < 150 {
			refused(t, s, src, fork(t, c, 150-setting, 200), setting+1)
		}
		require.NoError(t, refreshed(s, src, c))
		require.NoError(t, refreshed(s, src, fork(t, c, 151-setting, 200)))
	}
}

// TestDeepReorganisationInPieces shows a wallet several chains that each drop few blocks and are shorter: together they
// cannot drop more blocks than one chain could, even if the wallet is opened again in between, from its log or from a
// snapshot.
func TestDeepReorganisationInPieces(t *testing.T) {
	c := deep(t)
	st := journal.NewMemory()
	s := create(t, st, host())
	src := chaintest.NewSource(c)
	require.NoError(t, refreshed(s, src, c))
	first := fork(t, c, 61, 62)
	require.NoError(t, refreshed(s, src, first))
	second := fork(t, first, 40, 41)
	again := open(t, st.Content)
	shot := state(t, s)
	replayed, err := wallet.Replay(shot)
	require.NoError(t, err)
	require.EqualValues(t, 111, replayed.ReorgDepth(40))
	for _, s := range []*session.Session{s, again} {
		refused(t, s, src, second, 111)
		require.NoError(t, refreshed(s, src, c))
		require.EqualValues(t, 12, worth(s))
	}

	// Below the maximum depth, blocks that are scanned again for other reasons must be the same as before.
	require.NoError(t, s.ForgetFrom(5))
	again = open(t, st.Content)
	for _, s := range []*session.Session{s, again} {
		refused(t, s, src, fork(t, c, 40, 300), 101)
		require.NoError(t, refreshed(s, src, fork(t, c, 51, 300)))
	}
}

// TestDeepReorganisationWithoutTheSpendKey checks that the limit holds during background syncing.
func TestDeepReorganisationWithoutTheSpendKey(t *testing.T) {
	c := deep(t)
	s := create(t, journal.NewMemory(), host())
	src := chaintest.NewSource(c)
	require.NoError(t, refreshed(s, src, c))
	require.NoError(t, refreshed(s, src, fork(t, c, 61, 62)))
	background := journal.NewMemory()
	setup(t, s, wallet.BackgroundReuse, nil)
	require.NoError(t, s.StartBackground(background))
	refused(t, s, src, fork(t, c, 50, 300), 101)
	require.NoError(t, refreshed(s, src, fork(t, c, 51, 300)))
}

// TestAddressesOfAFalseChain checks that addresses that exist because of payments on a chain are dropped with that
// chain. The wallet is then equal to one that never saw the chain, with the same lookahead. Addresses that the owner
// created or labelled stay.
func TestAddressesOfAFalseChain(t *testing.T) {
	ctx := context.Background()
	c := deep(t)
	pays := func(i keys.Index, amount uint64) chaintest.Spec {
		return chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), At: i, Amount: amount}}}
	}
	falseChain := c.Fork("a falseChain", 140)
	falseChain.Add(pays(keys.Index{Major: 1, Minor: 3}, 3))
	falseChain.Add(pays(keys.Index{Major: 2, Minor: 2}, 3))
	falseChain.Add(pays(keys.Index{Major: 0, Minor: 3}, 3))
	falseChain.Grow(1)
	trueChain := c.Fork("true chain", 150)
	trueChain.Add(pays(keys.Index{Major: 1, Minor: 1}, 4))
	trueChain.Grow(1)

	label := func(s *session.Session, i keys.Index) {
		require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return wallet.ChangeSet{User: wallet.UserChange{Labels: []wallet.Label{{Index: i, Text: "mine"}}}}, nil, nil
		}))
	}
	counts := func(s *session.Session) (all []uint32) {
		s.View(func(w *wallet.Wallet) {
			for major := range w.Accounts() {
				n, err := w.Addresses(major)
				require.NoError(t, err)
				all = append(all, n)
			}
		})
		return all
	}
	ahead := func(s *session.Session) (known []keys.Index) {
		s.View(func(w *wallet.Wallet) {
			for major := range uint32(8) {
				for minor, key := range owner(t).SpendKeys(major, 0, 12) {
					if _, ok := w.IndexOf(key); ok {
						known = append(known, keys.Index{Major: major, Minor: uint32(minor)})
					}
				}
			}
		})
		return known
	}
	st := journal.NewMemory()
	s, never := create(t, st, host()), create(t, journal.NewMemory(), host())
	src := chaintest.NewSource(c)
	for _, s := range []*session.Session{s, never} {
		label(s, keys.Index{Minor: 1})
	}
	require.NoError(t, refreshed(s, src, falseChain))
	require.Equal(t, []uint32{4, 4, 3}, counts(s))
	require.Equal(t, counts(s), counts(open(t, st.Content)))
	for _, chain := range []*chaintest.Chain{c, trueChain} {
		require.NoError(t, refreshed(s, src, chain))
		require.NoError(t, refreshed(never, src, chain))
		require.Equal(t, counts(never), counts(s))
		require.Equal(t, ahead(never), ahead(s))
		require.Equal(t, counts(s), counts(open(t, st.Content)))
	}
	require.Equal(t, []uint32{2, 2}, counts(s))

	// An address with a payment in the pool, or with a label, stays.
	require.NoError(t, refreshed(s, src, falseChain))
	label(s, keys.Index{Major: 0, Minor: 2})
	mined := falseChain.Blocks[141].Txs[1]
	mined.Indices = nil
	src.SetPool(mined)
	require.NoError(t, refreshed(s, src, trueChain))
	require.Equal(t, []uint32{3, 2, 3}, counts(s))
	src.SetPool()
	_, err := s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	require.Equal(t, []uint32{3, 2}, counts(s))
	records := state(t, s)
	w, err := wallet.Replay(slices.Clone(records))
	require.NoError(t, err)
	require.EqualValues(t, 2, w.Accounts())
}
