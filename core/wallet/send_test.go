package wallet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// ringOf returns the ring of an output in these tests.
func ringOf(image xmr.KeyImage) []uint64 { return []uint64{uint64(image[0]), 300 + uint64(image[1])} }

func spending(id byte, at uint64, images ...xmr.KeyImage) wallet.Sent {
	s := wallet.Sent{TxID: xmr.Hash{id}, SentAt: at}
	for _, image := range images {
		s.Rings = append(s.Rings, wallet.Ring{Image: image, Indices: ringOf(image)})
	}
	return s
}

// funded returns a wallet with three spendable outputs.
func funded(t *testing.T, name string) (*recorded, *chaintest.Chain, []xmr.KeyImage) {
	t.Helper()
	k := owner(t, name)
	c := chaintest.New(name, xmr.Regtest)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 1}, {To: k, Amount: 2}, {To: k, Amount: 3}}})
	c.Grow(10)
	r := create(t, k, near)
	r.follow(c, 100)
	var images []xmr.KeyImage
	for i := range r.Outputs() {
		images = append(images, r.Outputs()[i].Image)
	}
	require.Len(t, images, 3)
	return r, c, images
}

func (r *recorded) send(s wallet.Sent, now uint64) error {
	r.t.Helper()
	c, err := r.DecideSend(s, now)
	if err == nil {
		r.change(c)
		same(r.t, r.Wallet, r.reloaded())
	}
	return err
}

func TestDecideSendRefuses(t *testing.T) {
	r, c, images := funded(t, "refuses")
	require.NoError(t, r.send(spending(1, 0, images[0]), 0))
	require.ErrorIs(t, r.send(spending(2, 0, images[0]), 0), wallet.ErrInputs, "reserved by another transaction")
	require.ErrorIs(t, r.send(spending(2, 0, images[1], images[0]), 0), wallet.ErrInputs, "one input is reserved")
	require.NoError(t, r.send(spending(1, 0, images[0]), 0), "the same transaction again")
	require.ErrorIs(t, r.send(spending(2, 0, xmr.KeyImage{1}), 0), wallet.ErrInputs, "unknown")
	r.change(wallet.ChangeSet{User: wallet.UserChange{Freeze: []wallet.Freeze{{Key: r.Outputs()[1].Key}}}})
	require.ErrorIs(t, r.send(spending(2, 0, images[1]), 0), wallet.ErrInputs, "frozen")

	// Spent on the chain by another program.
	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{images[2]}, Pay: []chaintest.Payment{{Amount: 1}}})
	r.follow(c, 1)
	require.ErrorIs(t, r.send(spending(2, 0, images[2]), 0), wallet.ErrInputs, "spent")

	// Too recent, locked until a date, dropped by a reorganisation.
	made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: r.Keys(), Amount: 9}}},
		chaintest.Spec{UnlockTime: 2_000_000_000, Pay: []chaintest.Payment{{To: r.Keys(), Amount: 9}}})
	young, dated := made[1].Image, made[2].Image
	r.follow(c, 1)
	require.ErrorIs(t, r.send(spending(2, 0, young), 0), wallet.ErrInputs, "young")
	c.Grow(9)
	r.follow(c, 1)
	require.ErrorIs(t, r.send(spending(2, 0, dated), 1_900_000_000), wallet.ErrInputs, "locked")
	require.NoError(t, r.send(spending(3, 0, dated), 2_000_000_000))
	require.NoError(t, r.send(spending(2, 0, young), 0))
	r.detach(12)
	require.ErrorIs(t, r.send(spending(2, 0, young), 0), wallet.ErrInputs, "dropped")

	// An output spent by a pool transaction, whichever program sent it.
	r2, c2, images2 := funded(t, "refuses too")
	tx, _ := c2.Tx(chaintest.Spec{Spend: images2[:1], Pay: []chaintest.Payment{{Amount: 1}}}, nil)
	r2.setPool(0, tx)
	require.ErrorIs(t, r2.send(spending(1, 0, images2[0]), 0), wallet.ErrInputs)
	r2.setPool(0)
	require.NoError(t, r2.send(spending(1, 0, images2[0]), 0))
}

// TestKnownRing checks that a retry uses the earlier ring; otherwise nothing is recorded or sent.
func TestKnownRing(t *testing.T) {
	r, c, images := funded(t, "ring")
	known := func(image xmr.KeyImage, ring []uint64) {
		t.Helper()
		require.Equal(t, ring, r.KnownRing(image))
		require.Equal(t, ring, r.reloaded().KnownRing(image))
		require.Equal(t, ring, r.compacted().KnownRing(image))
	}
	known(images[0], nil)
	s := spending(10, 100, images[0], images[1])
	require.NoError(t, r.send(s, 100))
	first, second := ringOf(images[0]), ringOf(images[1])
	known(images[0], first)
	known(images[1], second)
	known(images[2], nil)
	r.change(r.DecideRefused(xmr.Hash{10}, "busy"))
	known(images[0], first)
	other := spending(20, 200, images[0])
	other.Rings[0].Indices = []uint64{20, 21}
	require.ErrorIs(t, r.send(other, 200), wallet.ErrOtherRing)
	known(images[0], first)
	require.NoError(t, r.send(spending(30, 300, images[0]), 300))

	// Mined and deep, scanned again, and dropped by a reorganisation.
	c.Add(chaintest.Spec{Spend: images[:1], Pay: []chaintest.Payment{{Amount: 1}}})
	c.Blocks[c.Height()-1].Txs[1].ID = xmr.Hash{30}
	c.Grow(70)
	r.follow(c, 100)
	known(images[0], first)
	r.change(r.DecideRescanByOwner())
	r.follow(c, 100)
	known(images[0], first)
	known(images[1], second)
	r.detach(12)
	branch := c.Fork("without", 12)
	branch.Grow(80)
	r.follow(branch, 100)
	r.change(r.DecideSends(func(xmr.Hash) bool { return false }, always, 5000))
	r.change(r.DecideSends(func(xmr.Hash) bool { return false }, always, 9000))
	known(images[0], first)
	require.ErrorIs(t, r.send(other, 9000), wallet.ErrOtherRing)
	require.NoError(t, r.send(spending(31, 9000, images[0]), 9000))
}

// TestRingsOfEarlierVersions checks that rings recorded only in sent transactions are known, and are kept after the
// bytes of the transaction are dropped.
func TestRingsOfEarlierVersions(t *testing.T) {
	r, c, images := funded(t, "earlier")
	s := spending(10, 100, images[0])
	r.change(wallet.ChangeSet{User: wallet.UserChange{Sent: []wallet.Sent{s}}})
	require.Equal(t, ringOf(images[0]), r.KnownRing(images[0]))
	c.Add(chaintest.Spec{Spend: images[:1], Pay: []chaintest.Payment{{Amount: 1}}})
	c.Blocks[c.Height()-1].Txs[1].ID = s.TxID
	c.Grow(70)
	r.follow(c, 100)
	require.Equal(t, ringOf(images[0]), r.KnownRing(images[0]))
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)
}

// TestRingMadeElsewhere checks that another wallet's transaction with the same keys replaces the ring of a draft, but
// not the ring of a sent transaction.
func TestRingMadeElsewhere(t *testing.T) {
	r, _, images := funded(t, "elsewhere")
	o := r.Outputs()[0]
	r.change(r.DecideRingRecords([]wallet.RingRecord{{
		Key: o.Key, GlobalIndex: o.GlobalIndex, Asked: []uint64{o.GlobalIndex, 7, 300},
		Ring: []uint64{o.GlobalIndex, 7},
	}}))
	elsewhere := spending(1, 5, images[0])
	elsewhere.Rings[0].Indices = []uint64{o.GlobalIndex, 8}
	require.NoError(t, r.send(elsewhere, 5))
	require.Equal(t, []uint64{o.GlobalIndex, 8}, r.KnownRing(images[0]))
	same(t, r.Wallet, r.reloaded())
	r.change(r.DecideRefused(elsewhere.TxID, "refused"))
	third := spending(2, 6, images[0])
	third.Rings[0].Indices = []uint64{o.GlobalIndex, 7}
	require.ErrorIs(t, r.send(third, 6), wallet.ErrOtherRing)
}

// TestRingRecord checks that the data revealed by an attempt is kept until a transaction is recorded, and its ring
// afterwards. Rings reported by daemons are discarded only when the owner requests a rescan.
func TestRingRecord(t *testing.T) {
	r, _, _ := funded(t, "hidden")
	o := r.Outputs()[0]
	check := func(want wallet.RingRecord) {
		t.Helper()
		require.Equal(t, want, r.RingRecord(o.Key))
		same(t, r.Wallet, r.reloaded())
		same(t, r.Wallet, r.compacted().Wallet)
	}
	h := wallet.RingRecord{Key: o.Key, GlobalIndex: o.GlobalIndex}
	check(h)
	h.Asked = []uint64{o.GlobalIndex, 7, 300, 301}
	r.change(r.DecideRingRecords([]wallet.RingRecord{h}))
	check(h)
	r.change(r.DecideDoubt([]xmr.PublicKey{o.Key}, wallet.DoubtLocked))
	require.False(t, new(r.RingRecord(o.Key)).Doubtful())
	r.change(r.DecideDoubt([]xmr.PublicKey{o.Key}, wallet.DoubtLocked))
	h.Doubts = 2
	check(h)
	require.True(t, h.Doubtful())
	r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
	check(h)
	r.change(r.DecideRescanByOwner())
	h.Doubts, h.Reread = 0, true
	check(h)
}

// TestSameTransactionHoldsInputAfterReload checks that of two transactions that spend one output, as when a failed one
// reappears in the pool, the same one holds it after every reload.
func TestSameTransactionHoldsInputAfterReload(t *testing.T) {
	r, _, images := funded(t, "holder")
	for id := range byte(12) {
		require.NoError(t, r.send(spending(id+1, uint64(id), images[0]), 0))
		r.change(r.DecideRefused(xmr.Hash{id + 1}, ""))
	}
	r.change(r.DecideSends(func(xmr.Hash) bool { return true }, always, 0))
	for range 20 {
		same(t, r.Wallet, r.reloaded())
	}
}

// TestSendStates goes through the states of a transaction.
// Source: src/wallet/wallet2.cpp, process_unconfirmed_transfer.
func TestSendStates(t *testing.T) {
	in := func(xmr.Hash) bool { return true }
	out := func(xmr.Hash) bool { return false }
	id := xmr.Hash{1}
	for _, steps := range [][]struct {
		pool  func(xmr.Hash) bool
		now   uint64
		state wallet.SendState
	}{
		{
			{out, 1000, wallet.SendPending},
			{out, 1500, wallet.SendPending},
			{out, 1501, wallet.SendFailed},
			{out, 9000, wallet.SendFailed},
		},
		{{in, 1001, wallet.SendInPool}, {in, 99_000, wallet.SendInPool}},
		{
			{in, 1001, wallet.SendInPool},
			{out, 5000, wallet.SendPending},
			{out, 5500, wallet.SendPending},
			{out, 5501, wallet.SendFailed},
		},
		{{in, 1001, wallet.SendInPool}, {out, 5000, wallet.SendPending}, {in, 5400, wallet.SendInPool}, {
			out, 6000, wallet.SendPending,
		},
			{out, 6500, wallet.SendPending}, {out, 6501, wallet.SendFailed}},
		{{out, 1501, wallet.SendFailed}, {in, 1600, wallet.SendInPool}},
	} {
		r, _, images := funded(t, "states")
		require.NoError(t, r.send(spending(1, 1000, images[0]), 1000))
		for _, step := range steps {
			r.change(r.DecideSends(step.pool, always, step.now))
			s, ok := r.SentTx(id)
			require.True(t, ok)
			require.Equal(t, step.state, s.State, "at %d", step.now)
			require.Equal(t, step.state == wallet.SendFailed, s.Reason != "")
			require.Equal(t, step.state != wallet.SendFailed, r.IsSpent(&r.Outputs()[0], false))
			require.False(t, r.IsSpent(&r.Outputs()[0], true))
			same(t, r.Wallet, r.reloaded())
			next := r.DecideSends(step.pool, always, step.now)
			require.True(t, next.Empty(), "the second call changes nothing")
		}
	}
}

// TestMinedThenDropped checks that a mined transaction dropped by a reorganisation gets its full timeout again.
func TestMinedThenDropped(t *testing.T) {
	r, c, images := funded(t, "dropped")
	require.NoError(t, r.send(spending(1, 1000, images[0]), 1000))
	c.Add(chaintest.Spec{Spend: images[:1], Pay: []chaintest.Payment{{Amount: 1}}})
	c.Blocks[c.Height()-1].Txs[1].ID = xmr.Hash{1}
	r.follow(c, 1)
	require.Empty(t, r.Unmined())
	change := r.DecideSends(func(xmr.Hash) bool { return false }, always, 90_000)
	require.True(t, change.Empty(), "mined")
	detach, events := r.DecideDetach(12, 100_000)
	require.Equal(t, []wallet.HostEvent{{Kind: wallet.Reorganised, Height: 12}}, events)
	r.change(detach)
	require.Len(t, r.Unmined(), 1)
	change = r.DecideSends(func(xmr.Hash) bool { return false }, always, 100_500)
	require.True(t, change.Empty())
	r.change(r.DecideSends(func(xmr.Hash) bool { return false }, always, 100_501))
	require.Equal(t, wallet.SendFailed, r.Unmined()[0].State)
	require.False(t, r.IsSpent(&r.Outputs()[0], false))
}

// TestLongLabels checks that many addresses cannot get one long label, which would multiply the size of the request
// in memory.
func TestLongLabels(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w := wallet.New(wallet.Identity{Network: xmr.Regtest, Keys: k}, wallet.Lookahead{Major: 1, Minor: 1})
	_, _, err = w.DecideAddresses(0, 65536, strings.Repeat("a", 256))
	require.NoError(t, err)
	_, _, err = w.DecideAddresses(0, 65536, strings.Repeat("a", 257))
	require.ErrorIs(t, err, wallet.ErrLabel)
	_, _, err = w.DecideAddresses(0, 1, strings.Repeat("a", 1<<20))
	require.NoError(t, err)
}

// always returns true: all blocks that may contain a missing transaction were scanned.
func always(xmr.Hash) bool { return true }

func never(xmr.Hash) bool { return false }
