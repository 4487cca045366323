package wallet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestSentIsPruned checks that the bytes and rings of a sent transaction are dropped when it is 60 blocks deep, live,
// replayed from the log and from a snapshot, and that the rest of its record stays.
func TestSentIsPruned(t *testing.T) {
	r, c, images := funded(t, "sheds")
	s := spending(1, 5, images[0], images[1])
	s.Blob, s.Destinations, s.Request = make([]byte, 2000), []wallet.Destination{{Address: "a", Amount: 2}}, "invoice"
	require.NoError(t, r.send(s, 5))
	failed := spending(2, 6, images[2])
	failed.Blob = []byte{1}
	require.NoError(t, r.send(failed, 6))
	r.change(r.DecideRefused(failed.TxID, "no answer")) // recorded as failed, but mined below
	mined := func(sent wallet.Sent, amount uint64) {
		c.Add(chaintest.Spec{Spend: sent.Images(), Pay: []chaintest.Payment{{To: r.Keys(), Amount: amount}}})
		c.Blocks[c.Height()-1].Txs[1].ID = sent.TxID
	}
	mined(s, 1)
	mined(failed, 2)
	held := func(id xmr.Hash) *wallet.Sent { return sentEverywhere(t, r, id) }
	c.Grow(59)
	r.follow(c, 100)
	handed := held(failed.TxID)
	require.Equal(t, failed.Rings, handed.Rings, "59 blocks deep")
	require.NotNil(t, r.KnownRing(images[2]))
	require.Empty(t, held(s.TxID).Blob, "60 blocks deep")
	c.Grow(1)
	r.follow(c, 100)
	require.Equal(t, failed.Blob, handed.Blob, "a record returned earlier does not change")
	got := held(failed.TxID)
	require.Empty(t, got.Blob)
	require.Empty(t, got.Rings)
	require.Equal(t, []xmr.KeyImage{images[2]}, got.Images())
	require.Equal(t, ringOf(images[2]), r.KnownRing(images[2]), "the ring that daemons have seen stays")
	got = held(s.TxID)
	require.Equal(t, s.Images(), got.Images())
	require.Equal(t, s.Destinations, got.Destinations)
	parts := r.Payment("invoice")
	require.Len(t, parts, 1)
	require.Equal(t, s.TxID, parts[0].Stands.TxID)

	rescanPruned(t, r, c)
	reorganisePruned(t, r, c)
}

// sentEverywhere returns the record of a sent transaction, which is the same live, replayed from the log and from a
// snapshot.
func sentEverywhere(t *testing.T, r *recorded, id xmr.Hash) *wallet.Sent {
	t.Helper()
	got, ok := r.SentTx(id)
	require.True(t, ok)
	again, ok := r.reloaded().SentTx(id)
	require.True(t, ok)
	require.Equal(t, got, again)
	again, ok = r.compacted().SentTx(id)
	require.True(t, ok)
	require.Equal(t, got, again)
	same(t, r.Wallet, r.reloaded())
	return got
}

// rescanPruned scans the chain from the beginning: pruned transactions reserve their inputs until their blocks are
// scanned again.
func rescanPruned(t *testing.T, r *recorded, c *chaintest.Chain) {
	t.Helper()
	r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
	require.Len(t, r.Unmined(), 2)
	for _, b := range c.Batches(1, 5) {
		r.scan(b, c.Height()-1)
		require.Empty(t, r.Spendable(0, nil, r.Clock(0)), "after %d blocks", r.Height())
		same(t, r.Wallet, r.reloaded())
		same(t, r.Wallet, r.compacted().Wallet)
		if r.Height() > 20 {
			break
		}
	}
	r.follow(c, 100)
	require.Empty(t, r.Unmined())
}

// reorganisePruned follows a chain without the pruned transactions: they become pending again and finally fail.
func reorganisePruned(t *testing.T, r *recorded, c *chaintest.Chain) {
	t.Helper()
	other := c.Fork("other", 12)
	other.Grow(80)
	r.detach(12)
	r.follow(other, 100)
	require.Len(t, r.Unmined(), 2)
	never := func(xmr.Hash) bool { return false }
	r.change(r.DecideSends(never, always, 1000))
	r.change(r.DecideSends(never, always, 2000))
	for _, u := range r.Unmined() {
		require.Equal(t, wallet.SendFailed, u.State)
	}
	for _, in := range r.Spendable(0, nil, r.Clock(0)) {
		require.True(t, in.Tried)
	}
	require.Len(t, r.Spendable(0, nil, r.Clock(0)), 3)
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)
}

// TestBlobsOfOldLogsArePruned replays a log of an earlier version, which did not prune, and checks that the result is
// pruned.
func TestBlobsOfOldLogsArePruned(t *testing.T) {
	r := create(t, owner(t, "former"), near)
	var c wallet.ChangeSet
	for i := range byte(200) {
		s := spending(i, 5, xmr.KeyImage{i})
		s.Blob = make([]byte, 2000)
		c.User.Sent = append(c.User.Sent, s)
		c.Chain.Spends = append(c.Chain.Spends, wallet.Spend{TxID: s.TxID, Height: uint64(i) + 1, Images: s.Images()})
	}
	for i := range uint64(200) {
		c.Chain.Blocks = append(c.Chain.Blocks, wallet.BlockID{Height: i + 1, Hash: xmr.Hash{byte(i)}})
	}
	b, err := c.Encode()
	require.NoError(t, err)
	opened, err := wallet.Replay([][]byte{r.log[0], b})
	require.NoError(t, err)
	kept := 0
	for i := range byte(200) {
		s, ok := opened.SentTx(xmr.Hash{i})
		require.True(t, ok)
		require.Equal(t, []xmr.KeyImage{{i}}, s.Images())
		if len(s.Blob) > 0 {
			kept++
			require.Len(t, s.Rings, 1)
		}
	}
	require.Equal(t, 60, kept)
	records, err := opened.Snapshot()
	require.NoError(t, err)
	size := 0
	for _, r := range records {
		size += len(r)
	}
	require.Less(t, size, len(b)*6/10)
	again, err := wallet.Replay(records)
	require.NoError(t, err)
	same(t, opened, again)
}
