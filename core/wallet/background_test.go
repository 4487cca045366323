package wallet_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/syncer"
	"glim/core/wallet"
)

// backgroundOf returns the background wallet of r, without its spend key.
func backgroundOf(t testing.TB, r *recorded, user bool) *recorded {
	t.Helper()
	log, err := r.BackgroundLog(user)
	require.NoError(t, err)
	w, err := wallet.Replay(log)
	require.NoError(t, err)
	require.False(t, w.Keys().CanSpend())
	require.True(t, w.Identity().Background)
	return &recorded{w, t, log}
}

// takeBack takes over the background wallet a into r, which has the spend key.
func takeBack(t testing.TB, r, a *recorded) []wallet.HostEvent {
	t.Helper()
	var txs []syncer.Tx
	for _, n := range a.Noted() {
		parsed, err := n.Transaction()
		require.NoError(t, err)
		txs = append(txs, syncer.Tx{ID: n.TxID, Tx: parsed, Indices: n.Indices})
	}
	found, err := syncer.ScanTxs(context.Background(), r.Keys().ViewSecret(), txs, syncer.Workers{})
	require.NoError(t, err)
	mined := make([]wallet.MinedTx, len(found))
	for i, n := range a.Noted() {
		mined[i] = wallet.MinedTx{ScannedTx: found[i], Height: n.Height, Timestamp: n.Timestamp, Version: n.Version}
	}
	var c wallet.ChangeSet
	var events []wallet.HostEvent
	require.NoError(t, supplied(t, r.Wallet, func() error {
		c, events, err = r.DecideBackgroundCache(a.Wallet, mined)
		return err
	}))
	r.change(c)
	return events
}

// TestBackgroundEqualsForeground uses background syncing for any part of a chain, with reloads and reorganisations of
// earlier blocks: after the spend key is restored, the wallet is the same as without background syncing.
func TestBackgroundEqualsForeground(t *testing.T) {
	k := owner(t, "background")
	for seed := range 4 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := chaintest.NewRandom(fmt.Sprint("background", seed))
			c, l := livelyChain(t, fmt.Sprint("background ", seed), k, 60)
			for range 2 {
				from := uint64(1 + rnd.IntN(50))
				r := existing(t, k, 2, 3)
				for _, b := range c.Batches(1, int(from)) {
					r.scan(b, c.Height()-1)
					break
				}
				a := backgroundOf(t, r, rnd.OneIn(2))
				require.Equal(t, r.Height(), a.Height())
				a.follow(c, 1+rnd.IntN(20))
				end := c
				if rnd.OneIn(2) {
					at := 1 + rnd.Uint64()%c.Height()
					end = c.Fork(fmt.Sprint("fork ", seed, at), at)
					end.GrowWith(l, 70)
					a.detach(at)
					a.follow(end, 1+rnd.IntN(20))
				}
				same(t, a.Wallet, a.reloaded())
				same(t, a.Wallet, a.compacted().Wallet)
				require.Equal(t, a.Noted(), a.compacted().Noted())

				straight := existing(t, k, 2, 3)
				straight.follow(end, 60)
				require.NotEmpty(t, straight.Spends())
				spent, last := len(r.Spends()), r.LastNotice()
				followed := history(t, nil, r.Wallet, 0)
				followed = history(t, followed, a.Wallet, last)
				events := takeBack(t, r, a.compacted())
				sameMoney(t, straight.Wallet, r.Wallet)
				same(t, r.Wallet, r.reloaded())
				require.Less(t, spent, len(r.Spends()))
				require.NotEmpty(t, events)

				// A client that followed the notices missed nothing, and their numbers continue.
				followed = history(t, followed, r.Wallet, a.LastNotice())
				require.Equal(t, lastKinds(history(t, nil, straight.Wallet, 0)), lastKinds(followed))

				// Taking over a second time changes nothing, and the wallet continues from here.
				require.Empty(t, takeBack(t, r, a))
				sameMoney(t, straight.Wallet, r.Wallet)
				longer := end.Fork(fmt.Sprint("longer ", seed), end.Height())
				longer.GrowWith(l, 10)
				r.follow(longer, 3)
				straight.follow(longer, 3)
				sameMoney(t, straight.Wallet, r.Wallet)
			}
		})
	}
}

// history appends the notices after a number to earlier ones.
func history(t testing.TB, before []wallet.Notice, w *wallet.Wallet, after uint64) []wallet.Notice {
	t.Helper()
	list, whole := w.Notices(after, wallet.KeptNotices)
	require.True(t, whole)
	require.EqualValues(t, after, len(before))
	return append(before, list...)
}

// lastKinds returns the kind of the last notice of each current transfer.
func lastKinds(list []wallet.Notice) map[string]wallet.NoticeKind {
	m := map[string]wallet.NoticeKind{}
	for _, n := range list {
		name := fmt.Sprint(n.TxID, n.Out, n.Address, n.Amount)
		if m[name] = n.Kind; n.Kind == wallet.NoticeReorganised {
			delete(m, name)
		}
	}
	return m
}

// TestBackgroundLeftBehind opens a background file that was left behind while the wallet continued without it. It may
// still be ahead; its notices then continue those of the wallet.
func TestBackgroundLeftBehind(t *testing.T) {
	k := owner(t, "background")
	for seed := range 6 {
		c, _ := livelyChain(t, fmt.Sprint("left behind ", seed), k, 60)
		r := existing(t, k, 2, 3)
		r.scan(c.Blocks[1:20], 19)
		a := backgroundOf(t, r, false)
		r.scan(c.Blocks[20:40], 39)
		followed := history(t, nil, r.Wallet, 0)
		a.follow(c, 9)
		last := r.LastNotice()
		takeBack(t, r, a)
		straight := existing(t, k, 2, 3)
		straight.follow(c, 60)
		sameMoney(t, straight.Wallet, r.Wallet)
		require.Less(t, last, r.LastNotice())
		want := lastKinds(history(t, nil, straight.Wallet, 0))
		require.Equal(t, want, lastKinds(history(t, followed, r.Wallet, last)))
		same(t, r.Wallet, r.reloaded())
	}
}

// TestUnrelatedBackgroundIsIgnored checks that a background wallet that is not a continuation of the wallet is ignored:
// the wallet scans the blocks itself.
func TestUnrelatedBackgroundIsIgnored(t *testing.T) {
	k := owner(t, "background")
	c, l := livelyChain(t, "another past", k, 40)
	r := existing(t, k, 2, 3)
	r.scan(c.Blocks[1:20], c.Height()-1)
	a := backgroundOf(t, r, false)
	a.follow(c, 7)
	before := func(name string, change func(r *recorded)) {
		t.Run(name, func(t *testing.T) {
			o := r.compacted()
			change(o)
			height, outputs := o.Height(), len(o.Outputs())
			require.Empty(t, takeBack(t, o, a))
			require.Equal(t, height, o.Height())
			require.Len(t, o.Outputs(), outputs)
		})
	}
	before("looks further", func(r *recorded) {
		r.change(r.decided(r.DecideLookahead(wallet.Lookahead{Major: 2, Minor: 9})))
	})
	before("has more addresses", func(r *recorded) {
		c, _, err := r.DecideAddresses(0, 1, "new")
		r.change(r.decided(c, err))
	})
	before("has not seen where it begins", func(r *recorded) { r.detach(10) })
	before("has come further", func(r *recorded) {
		r.follow(c, 40)
		longer := c.Fork("longer", c.Height())
		longer.GrowWith(l, 1)
		r.follow(longer, 40)
	})
	before("is on another branch", func(r *recorded) {
		r.detach(10)
		other := c.Fork("other", 10)
		other.GrowWith(l, 20)
		r.follow(other, 40)
	})
	t.Run("of another wallet", func(t *testing.T) {
		o := existing(t, owner(t, "another owner"), 2, 3)
		o.scan(c.Blocks[1:20], c.Height()-1)
		require.Empty(t, takeBack(t, o, a))
		require.EqualValues(t, 20, o.Height())
	})
}

// TestBackgroundWithoutUserData checks that a background log without user data contains only the data for scanning.
func TestBackgroundWithoutUserData(t *testing.T) {
	k := owner(t, "background")
	c, _ := livelyChain(t, "bare", k, 40)
	r := existing(t, k, 2, 3)
	r.follow(c, 40)
	rnd := chaintest.NewRandom("bare")
	s, ok := randomSend(r, rnd, chaintest.StartTime)
	require.True(t, ok)
	s.Destinations = []wallet.Destination{{Address: "other", Amount: 1}}
	r.change(r.decided(r.DecideSend(s, chaintest.StartTime)))
	r.change(wallet.ChangeSet{User: wallet.UserChange{
		Notes: []wallet.Note{{TxID: s.TxID, Text: "a note"}}, Attrs: []wallet.Attribute{{Key: "a", Value: "b"}},
		Freeze: []wallet.Freeze{{Key: r.Outputs()[0].Key}}, Background: &wallet.Background{
			Type: wallet.BackgroundCustom, Lock: []byte("lock"),
		},
	}})
	for _, user := range []bool{true, false} {
		a := backgroundOf(t, r, user)
		got, ok := a.SentTx(s.TxID)
		require.True(t, ok)
		require.Equal(t, user, got.Key == s.Key)
		require.Equal(t, user, len(got.Destinations) == len(s.Destinations))
		require.Equal(t, s.Rings, got.Rings)
		require.Equal(t, user, a.Note(s.TxID) != "")
		_, ok = a.Attribute("a")
		require.Equal(t, user, ok)
		require.Equal(t, user, a.IsFrozen(&a.Outputs()[0]))
		require.Equal(t, wallet.BackgroundCustom, a.Background().Type)
		require.Empty(t, a.Background().Lock)
		require.NotContains(t, fmt.Sprintf("%v %#v", r.Background(), r.Background()), "lock")
		require.Equal(t, a.AccountBalance(0, true, 0), r.AccountBalance(0, true, 0))

		// The states of sent transactions are taken over.
		a.change(a.DecideRefused(s.TxID, "refused"))
		o := r.compacted()
		takeBack(t, o, a)
		sent, _ := o.SentTx(s.TxID)
		require.Equal(t, wallet.SendFailed, sent.State)
		require.Equal(t, s.Key, sent.Key)
		require.Equal(t, "a note", o.Note(s.TxID))
	}
}
