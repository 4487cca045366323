package wallet_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/wallet"
)

// apart is the state that r goes on in without its spend key.
func apart(t testing.TB, r *recorded, user bool) *recorded {
	t.Helper()
	log, err := r.Apart(user)
	require.NoError(t, err)
	w, err := wallet.Replay(log)
	require.NoError(t, err)
	require.False(t, w.Keys().CanSpend())
	require.True(t, w.Origin().Background)
	return &recorded{w, t, log}
}

// back brings the spend key back.
func back(t testing.TB, r, a *recorded) []wallet.Event {
	t.Helper()
	var txs []syncer.Tx
	for _, n := range a.Noted() {
		parsed, err := tx.ParsePruned(n.Blob)
		require.NoError(t, err)
		txs = append(txs, syncer.Tx{ID: n.TxID, Tx: parsed, Indices: n.Indices})
	}
	found, err := syncer.ScanTxs(context.Background(), r.Keys().ViewSecret(), txs, syncer.Crew{})
	require.NoError(t, err)
	mined := make([]wallet.Mined, len(found))
	for i, n := range a.Noted() {
		mined[i] = wallet.Mined{Tx: found[i], Height: n.Height, Timestamp: n.Timestamp, Version: n.Version}
	}
	var c wallet.ChangeSet
	var events []wallet.Event
	require.NoError(t, supplied(t, r.Wallet, func() error {
		c, events, err = r.DecideReturn(a.Wallet, mined)
		return err
	}))
	r.change(c)
	return events
}

// TestBackgroundEqualsForeground lets a wallet go on without its spend key for any stretch of a chain, through reloads and
// reorganisations that reach behind where it began, and brings the key back: it then is what a wallet is that never let go of it.
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
				a := apart(t, r, rnd.OneIn(2))
				require.Equal(t, r.Height(), a.Height())
				a.follow(c, 1+rnd.IntN(20))
				end := c
				if rnd.OneIn(2) {
					at := 1 + rnd.Uint64()%c.Height()
					end = c.Fork(fmt.Sprint("other way ", seed, at), at)
					end.Live(l, 70)
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
				events := back(t, r, a.compacted())
				sameMoney(t, straight.Wallet, r.Wallet)
				same(t, r.Wallet, r.reloaded())
				require.Less(t, spent, len(r.Spends()))
				require.NotEmpty(t, events)

				// Who followed what happened has missed nothing, under numbers that go on.
				followed = history(t, followed, r.Wallet, a.LastNotice())
				require.Equal(t, told(history(t, nil, straight.Wallet, 0)), told(followed))

				// Again changes nothing, and the chain goes on from here.
				require.Empty(t, back(t, r, a))
				sameMoney(t, straight.Wallet, r.Wallet)
				longer := end.Fork(fmt.Sprint("longer ", seed), end.Height())
				longer.Live(l, 10)
				r.follow(longer, 3)
				straight.follow(longer, 3)
				sameMoney(t, straight.Wallet, r.Wallet)
			}
		})
	}
}

// history adds the notices after a number to those before it.
func history(t testing.TB, before []wallet.Notice, w *wallet.Wallet, after uint64) []wallet.Notice {
	t.Helper()
	list, whole := w.Notices(after, wallet.KeptNotices)
	require.True(t, whole)
	require.EqualValues(t, after, len(before))
	return append(before, list...)
}

// told is what the last notice of every transfer that is there says.
func told(list []wallet.Notice) map[string]wallet.NoticeKind {
	m := map[string]wallet.NoticeKind{}
	for _, n := range list {
		name := fmt.Sprint(n.TxID, n.Out, n.Address, n.Amount)
		if m[name] = n.Kind; n.Kind == wallet.NoticeReorganised {
			delete(m, name)
		}
	}
	return m
}

// A background file that was left behind, while the wallet went on by itself, may still be ahead when it is opened: then what is
// told goes on from what the wallet told.
func TestBackgroundLeftBehind(t *testing.T) {
	k := owner(t, "background")
	for seed := range 6 {
		c, _ := livelyChain(t, fmt.Sprint("left behind ", seed), k, 60)
		r := existing(t, k, 2, 3)
		r.scan(c.Blocks[1:20], 19)
		a := apart(t, r, false)
		r.scan(c.Blocks[20:40], 39)
		followed := history(t, nil, r.Wallet, 0)
		a.follow(c, 9)
		last := r.LastNotice()
		back(t, r, a)
		straight := existing(t, k, 2, 3)
		straight.follow(c, 60)
		sameMoney(t, straight.Wallet, r.Wallet)
		require.Less(t, last, r.LastNotice())
		require.Equal(t, told(history(t, nil, straight.Wallet, 0)), told(history(t, followed, r.Wallet, last)))
		same(t, r.Wallet, r.reloaded())
	}
}

// What cannot be gone on from is left alone: the wallet reads those blocks itself.
func TestBackgroundOfAnotherPast(t *testing.T) {
	k := owner(t, "background")
	c, l := livelyChain(t, "another past", k, 40)
	r := existing(t, k, 2, 3)
	r.scan(c.Blocks[1:20], c.Height()-1)
	a := apart(t, r, false)
	a.follow(c, 7)
	before := func(name string, change func(r *recorded)) {
		t.Run(name, func(t *testing.T) {
			o := r.compacted()
			change(o)
			height, outputs := o.Height(), len(o.Outputs())
			require.Empty(t, back(t, o, a))
			require.Equal(t, height, o.Height())
			require.Len(t, o.Outputs(), outputs)
		})
	}
	before("looks further", func(r *recorded) { r.change(r.decided(r.DecideLookahead(wallet.Lookahead{Major: 2, Minor: 9}))) })
	before("has more addresses", func(r *recorded) {
		c, _, err := r.DecideAddresses(0, 1, "new")
		r.change(r.decided(c, err))
	})
	before("has not seen where it begins", func(r *recorded) { r.detach(10) })
	before("has come further", func(r *recorded) {
		r.follow(c, 40)
		longer := c.Fork("longer", c.Height())
		longer.Live(l, 1)
		r.follow(longer, 40)
	})
	before("is on another branch", func(r *recorded) {
		r.detach(10)
		other := c.Fork("other", 10)
		other.Live(l, 20)
		r.follow(other, 40)
	})
	t.Run("is another wallet's", func(t *testing.T) {
		o := existing(t, owner(t, "somebody else"), 2, 3)
		o.scan(c.Blocks[1:20], c.Height()-1)
		require.Empty(t, back(t, o, a))
		require.EqualValues(t, 20, o.Height())
	})
}

// Without the user's own things there is nothing in the other file that reading the chain does not need.
func TestApartWithoutTheUsersOwn(t *testing.T) {
	k := owner(t, "background")
	c, _ := livelyChain(t, "bare", k, 40)
	r := existing(t, k, 2, 3)
	r.follow(c, 40)
	rnd := chaintest.NewRandom("bare")
	s, ok := randomSend(r, rnd, chaintest.StartTime)
	require.True(t, ok)
	s.Destinations = []wallet.Destination{{Address: "somebody", Amount: 1}}
	r.change(r.decided(r.DecideSend(s, chaintest.StartTime)))
	r.change(wallet.ChangeSet{User: wallet.UserChange{
		Notes: []wallet.Note{{TxID: s.TxID, Text: "a note"}}, Attrs: []wallet.Attribute{{Key: "a", Value: "b"}},
		Freeze: []wallet.Freeze{{Key: r.Outputs()[0].Key}}, Background: &wallet.Background{Type: wallet.BackgroundCustom, Lock: []byte("lock")},
	}})
	for _, user := range []bool{true, false} {
		a := apart(t, r, user)
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

		// What becomes of what was sent is known when the key is back.
		a.change(a.DecideRefused(s.TxID, "refused"))
		o := r.compacted()
		back(t, o, a)
		sent, _ := o.SentTx(s.TxID)
		require.Equal(t, wallet.SendFailed, sent.State)
		require.Equal(t, s.Key, sent.Key)
		require.Equal(t, "a note", o.Note(s.TxID))
	}
}
