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

// ringOf is the one ring that an output is hidden in here.
func ringOf(image xmr.KeyImage) []uint64 { return []uint64{uint64(image[0]), 300 + uint64(image[1])} }

func spending(id byte, at uint64, images ...xmr.KeyImage) wallet.Sent {
	s := wallet.Sent{TxID: xmr.Hash{id}, SentAt: at}
	for _, image := range images {
		s.Rings = append(s.Rings, wallet.Ring{Image: image, Indices: ringOf(image)})
	}
	return s
}

// funded is a wallet with three outputs to spend.
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
	require.ErrorIs(t, r.send(spending(2, 0, images[0]), 0), wallet.ErrInputs, "held by another")
	require.ErrorIs(t, r.send(spending(2, 0, images[1], images[0]), 0), wallet.ErrInputs, "one of two held")
	require.NoError(t, r.send(spending(1, 0, images[0]), 0), "the same transaction again")
	require.ErrorIs(t, r.send(spending(2, 0, xmr.KeyImage{1}), 0), wallet.ErrInputs, "unknown")
	r.change(wallet.ChangeSet{User: wallet.UserChange{Freeze: []wallet.Freeze{{Key: r.Outputs()[1].Key}}}})
	require.ErrorIs(t, r.send(spending(2, 0, images[1]), 0), wallet.ErrInputs, "frozen")

	// Spent on the chain, though nobody here sent it.
	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{images[2]}, Pay: []chaintest.Payment{{Amount: 1}}})
	r.follow(c, 1)
	require.ErrorIs(t, r.send(spending(2, 0, images[2]), 0), wallet.ErrInputs, "spent")

	// Too young, locked by a date, and dropped by a reorganisation.
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

	// What lies in the pool is on its way, whoever sent it.
	r2, c2, images2 := funded(t, "refuses too")
	tx, _ := c2.Tx(chaintest.Spec{Spend: images2[:1], Pay: []chaintest.Payment{{Amount: 1}}}, nil)
	r2.setPool(0, tx)
	require.ErrorIs(t, r2.send(spending(1, 0, images2[0]), 0), wallet.ErrInputs)
	r2.setPool(0)
	require.NoError(t, r2.send(spending(1, 0, images2[0]), 0))
}

// TestKnownRing: whoever tries again shows the ring shown before, or nothing is recorded, and so nothing sent.
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

	// Mined and deep, read again, off the chain once more.
	c.Add(chaintest.Spec{Spend: images[:1], Pay: []chaintest.Payment{{Amount: 1}}})
	c.Blocks[c.Height()-1].Txs[1].ID = xmr.Hash{30}
	c.Grow(70)
	r.follow(c, 100)
	known(images[0], first)
	r.change(r.DecideReread())
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

// TestRingsOfEarlierVersions: the ring of a transaction that was recorded without its outputs' own records is known, too, and outlives the
// transaction's bytes.
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

// TestRingMadeElsewhere: a ring that was only tried gives way to that of a transaction which another wallet of the same keys made. The ring of a
// transaction that was sent does not.
func TestRingMadeElsewhere(t *testing.T) {
	r, _, images := funded(t, "elsewhere")
	o := r.Outputs()[0]
	r.change(r.DecideHidden([]wallet.Hidden{{Key: o.Key, Global: o.Global, Asked: []uint64{o.Global, 7, 300}, Ring: []uint64{o.Global, 7}}}))
	elsewhere := spending(1, 5, images[0])
	elsewhere.Rings[0].Indices = []uint64{o.Global, 8}
	require.NoError(t, r.send(elsewhere, 5))
	require.Equal(t, []uint64{o.Global, 8}, r.KnownRing(images[0]))
	same(t, r.Wallet, r.reloaded())
	r.change(r.DecideRefused(elsewhere.TxID, "refused"))
	third := spending(2, 6, images[0])
	third.Rings[0].Indices = []uint64{o.Global, 7}
	require.ErrorIs(t, r.send(third, 6), wallet.ErrOtherRing)
}

// TestHidden: what an attempt to spend an output showed is kept until a transaction is recorded, then its ring; what daemons said of it is asked
// anew when the owner has the chain read again, and at no other time.
func TestHidden(t *testing.T) {
	r, _, _ := funded(t, "hidden")
	o := r.Outputs()[0]
	check := func(want wallet.Hidden) {
		t.Helper()
		require.Equal(t, want, r.Hidden(o.Key))
		same(t, r.Wallet, r.reloaded())
		same(t, r.Wallet, r.compacted().Wallet)
	}
	h := wallet.Hidden{Key: o.Key, Global: o.Global}
	check(h)
	h.Asked = []uint64{o.Global, 7, 300, 301}
	r.change(r.DecideHidden([]wallet.Hidden{h}))
	check(h)
	r.change(r.DecideDoubt([]xmr.PublicKey{o.Key}, wallet.DoubtLocked))
	require.False(t, new(r.Hidden(o.Key)).Doubtful())
	r.change(r.DecideDoubt([]xmr.PublicKey{o.Key}, wallet.DoubtLocked))
	h.Doubts = 2
	check(h)
	require.True(t, h.Doubtful())
	r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
	check(h)
	r.change(r.DecideReread())
	h.Doubts, h.Reread = 0, true
	check(h)
}

// TestHolderIsOne: two transactions that both claim an output, as when one thought dead shows up in the pool, leave
// the same holder after every reload.
func TestHolderIsOne(t *testing.T) {
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

// TestSendStates walks through what becomes of a transaction.
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
		{{out, 1000, wallet.SendPending}, {out, 1500, wallet.SendPending}, {out, 1501, wallet.SendFailed}, {out, 9000, wallet.SendFailed}},
		{{in, 1001, wallet.SendInPool}, {in, 99_000, wallet.SendInPool}},
		{{in, 1001, wallet.SendInPool}, {out, 5000, wallet.SendPending}, {out, 5500, wallet.SendPending}, {out, 5501, wallet.SendFailed}},
		{{in, 1001, wallet.SendInPool}, {out, 5000, wallet.SendPending}, {in, 5400, wallet.SendInPool}, {out, 6000, wallet.SendPending},
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
			require.True(t, next.Empty(), "asked twice, changed once")
		}
	}
}

// TestMinedThenDropped: a mined transaction that a reorganisation drops has its time again.
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
	require.Equal(t, []wallet.Event{{Kind: wallet.Reorganised, Height: 12}}, events)
	r.change(detach)
	require.Len(t, r.Unmined(), 1)
	change = r.DecideSends(func(xmr.Hash) bool { return false }, always, 100_500)
	require.True(t, change.Empty())
	r.change(r.DecideSends(func(xmr.Hash) bool { return false }, always, 100_501))
	require.Equal(t, wallet.SendFailed, r.Unmined()[0].State)
	require.False(t, r.IsSpent(&r.Outputs()[0], false))
}

// TestLongLabels: many addresses with one long label would take memory many times over what was asked with.
func TestLongLabels(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w := wallet.New(wallet.Origin{Network: xmr.Regtest, Keys: k}, wallet.Lookahead{Major: 1, Minor: 1})
	_, _, err = w.DecideAddresses(0, 65536, strings.Repeat("a", 256))
	require.NoError(t, err)
	_, _, err = w.DecideAddresses(0, 65536, strings.Repeat("a", 257))
	require.ErrorIs(t, err, wallet.ErrLabel)
	_, _, err = w.DecideAddresses(0, 1, strings.Repeat("a", 1<<20))
	require.NoError(t, err)
}

// always explains every transaction that is missing from the pool: the blocks were read since.
func always(xmr.Hash) bool { return true }
