package wallet_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

func balance(r *recorded, strict bool, now uint64) wallet.Balance {
	return r.AccountBalance(0, strict, now)
}

// TestUnlockByDepth checks the unlock depth: ten blocks for normal outputs, sixty for coinbase outputs.
// Source: src/wallet/wallet2.cpp, is_transfer_unlocked.
func TestUnlockByDepth(t *testing.T) {
	k := owner(t, "depth")
	c := chaintest.New("depth", xmr.Regtest)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}}})                     // block 1
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: keys.Index{}, Amount: 90}}}) // block 2
	c.Grow(70)
	r := create(t, k, near)
	for h := uint64(1); h <= 72; h++ {
		r.scan(c.Blocks[h:h+1], 72)
		b := balance(r, true, 0)
		total, unlocked, wait := uint64(5), uint64(0), uint64(0)
		if h+1 >= 11 {
			unlocked = 5
		} else {
			wait = 11 - (h + 1)
		}
		if h >= 2 {
			total += 90
			if h+1 >= 62 {
				unlocked += 90
			} else {
				wait = 62 - (h + 1)
			}
		}
		require.Equal(t, wallet.Balance{Total: total, Unlocked: unlocked, BlocksToUnlock: wait}, b, "at %d blocks", h+1)
		n := 0
		for _, in := range r.Spendable(0, nil, r.Clock(0)) {
			n += int(in.Amount)
		}
		require.Equal(t, int(unlocked), n)
	}
	require.True(t, r.Outputs()[1].Coinbase)
	require.True(t, r.Payments()[1].Coinbase)
	require.Zero(t, r.Payments()[1].Fee)
}

// TestClock checks a table of unlock times.
// Source: src/wallet/wallet2.cpp, is_tx_spendtime_unlocked and unlocked_balance_per_subaddress.
func TestClock(t *testing.T) {
	const date = uint64(1_700_000_000)
	for _, c := range []struct {
		clock              wallet.Clock
		unlockTime, height uint64
		unlocked           bool
		blocks, seconds    uint64
	}{
		{wallet.Clock{Height: 10}, 0, 0, true, 0, 0},
		{wallet.Clock{Height: 9}, 0, 0, false, 1, 0},
		{wallet.Clock{Height: 1}, 0, 0, false, 9, 0},
		{wallet.Clock{Height: 50}, 0, 40, true, 0, 0},
		{wallet.Clock{Height: 50}, 0, 41, false, 1, 0},
		{wallet.Clock{Height: 50}, 50, 1, true, 0, 0}, // the next block has index 50 and may spend it
		{wallet.Clock{Height: 50}, 51, 1, false, 1, 0},
		{wallet.Clock{Height: 50}, 60, 45, false, 10, 0},
		{wallet.Clock{Height: 50}, 52, 45, false, 5, 0},
		{wallet.Clock{Height: 50}, xmr.MaxHeightUnlock - 1, 1, false, xmr.MaxHeightUnlock - 51, 0},
		{wallet.Clock{Height: 50, Now: xmr.MaxHeightUnlock}, xmr.MaxHeightUnlock, 1, true, 0, 0},
		{wallet.Clock{Height: 50, Now: date - 120}, date, 1, true, 0, 0},
		{wallet.Clock{Height: 50, Now: date - 121}, date, 1, false, 0, 121},
		{wallet.Clock{Height: 50, Now: date - 121}, date, 45, false, 5, 121},
		{wallet.Clock{Height: 50, Now: date}, date, 45, false, 5, 0},
		{wallet.Clock{Height: 50, Now: 0}, math.MaxUint64, 1, false, 0, math.MaxUint64},
		// After the next hard fork, dates are converted to blocks, whatever the time is.
		{wallet.Clock{Height: 50, Now: 2e9, Forked: true}, 1656629118, 1, false, 2689609 - 50, 0},
		{wallet.Clock{Height: 2689608, Forked: true}, 1656629118, 1, false, 1, 0},
		{wallet.Clock{Height: 2689609, Forked: true}, 1656629118, 1, true, 0, 0},
		{wallet.Clock{Height: 50, Forked: true}, 1_000_000_000, 40, true, 0, 0},
		{wallet.Clock{Height: 50, Forked: true}, 1_000_000_000, 45, false, 5, 0},
	} {
		require.Equal(t, c.unlocked, c.clock.Unlocked(c.unlockTime, c.height), "%+v", c)
		blocks, seconds := c.clock.LockedFor(c.unlockTime, c.height)
		require.Equal(t, c.blocks, blocks, "%+v", c)
		require.Equal(t, c.seconds, seconds, "%+v", c)
	}
}

// TestUnlockTimes locks outputs of two addresses, until a block and until a date.
func TestUnlockTimes(t *testing.T) {
	k := owner(t, "locks")
	c := chaintest.New("locks", xmr.Regtest)
	date := uint64(chaintest.StartTime + 100_000)
	c.Add(chaintest.Spec{UnlockTime: 30, Pay: []chaintest.Payment{{To: k, Amount: 1}}},
		chaintest.Spec{UnlockTime: date, Pay: []chaintest.Payment{{To: k, At: keys.Index{Minor: 2}, Amount: 10}}},
		chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: keys.Index{Minor: 2}, Amount: 100}}})
	c.Grow(20)
	r := create(t, k, near)
	r.follow(c, 100)
	require.Equal(t, map[uint32]wallet.Balance{
		0: {Total: 1, BlocksToUnlock: 8},
		2: {Total: 110, Unlocked: 100, TimeToUnlock: 1000},
	}, r.Balances(0, true, date-1000))
	require.Equal(t, wallet.Balance{Total: 111, Unlocked: 110, BlocksToUnlock: 8}, balance(r, false, date))
	require.Len(t, r.Spendable(0, nil, r.Clock(date)), 2)
	require.Len(t, r.Spendable(0, []uint32{0}, r.Clock(date)), 0)
	require.Len(t, r.Spendable(0, []uint32{2, 0}, r.Clock(date)), 2)
	require.Empty(t, r.Spendable(1, nil, r.Clock(date)))
}

func TestFrozenOutputsDoNotCount(t *testing.T) {
	k := owner(t, "frozen")
	c := chaintest.New("frozen", xmr.Regtest)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 1}, {To: k, Amount: 10}}})
	c.Grow(10)
	r := create(t, k, near)
	r.follow(c, 100)
	key := r.Outputs()[1].Key
	r.change(wallet.ChangeSet{User: wallet.UserChange{Freeze: []wallet.Freeze{{Key: key}}}})
	for _, strict := range []bool{true, false} {
		require.Equal(t, wallet.Balance{Total: 1, Unlocked: 1}, balance(r, strict, 0))
	}
	require.Len(t, r.Spendable(0, nil, r.Clock(0)), 1)
	require.Equal(t, uint64(2), r.UnspentOutputs(keys.Index{}))
	// Freezing is user data: it survives a reorganisation and a rescan.
	r.detach(1)
	r.follow(c, 3)
	require.True(t, r.IsFrozen(&r.Outputs()[1]))
	same(t, r.Wallet, r.reloaded())
	r.change(wallet.ChangeSet{User: wallet.UserChange{Freeze: []wallet.Freeze{{Key: key, Thaw: true}}}})
	require.Equal(t, wallet.Balance{Total: 11, Unlocked: 11}, balance(r, false, 0))
	same(t, r.Wallet, r.compacted().Wallet)
}

// TestPendingSend follows one transaction from its record to its block.
func TestPendingSend(t *testing.T) {
	k := owner(t, "pending")
	c := chaintest.New("pending", xmr.Regtest)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 100}}}, chaintest.Spec{
		Pay: []chaintest.Payment{{To: k, Amount: 7}},
	})
	c.Grow(10)
	r := create(t, k, near)
	r.follow(c, 100)
	image := r.Outputs()[0].Image
	own := r.Address(keys.Index{Minor: 3}).String()
	other := r.Address(keys.Index{Major: 1}).String()
	sent := wallet.Sent{TxID: xmr.Hash{9}, AmountIn: 100, Fee: 5, Change: 60, SentAt: 1000,
		Destinations: []wallet.Destination{
			{Address: own, Amount: 20}, {Address: other, Amount: 10}, {Address: "another wallet", Amount: 5},
		},
		Rings: []wallet.Ring{{Image: image, Indices: []uint64{3, 1 << 50}}}}
	change, err := r.DecideSend(sent, 1000)
	require.NoError(t, err)
	r.change(change)

	require.Equal(t, wallet.Balance{Total: 107, Unlocked: 107}, balance(r, true, 0), "the chain is empty")
	onTheWay := map[uint32]wallet.Balance{0: {Total: 67, Unlocked: 7}, 3: {Total: 20}}
	require.Equal(t, onTheWay, r.Balances(0, false, 0), "change and payments to oneself")
	require.Empty(t, r.Balances(1, false, 0), "another account is credited only once it is in the pool")
	same(t, r.Wallet, r.reloaded())

	// The transaction is in the daemon's pool: no amount counts twice.
	in, _ := c.Tx(chaintest.Spec{Spend: []xmr.KeyImage{image}, Fee: 5, Additional: true, Pay: []chaintest.Payment{
		{To: k, At: keys.Index{Minor: 3}, Amount: 20},
		{To: k, At: keys.Index{Major: 1}, Amount: 10},
		{Amount: 5},
		{To: k, Amount: 60},
	}}, nil)
	in.ID = sent.TxID
	events := r.setPool(1001, in)
	require.Equal(t, onTheWay, r.Balances(0, false, 0))
	require.Equal(t, map[uint32]wallet.Balance{0: {Total: 10}}, r.Balances(1, false, 0))
	require.Equal(t, []wallet.HostEvent{
		{Kind: wallet.MoneyInPool, TxID: sent.TxID, Amount: 10, Address: keys.Index{Major: 1}},
	}, events)
	r.change(r.DecideSends(func(id xmr.Hash) bool { return id == sent.TxID }, always, 1001))
	s, _ := r.SentTx(sent.TxID)
	require.Equal(t, wallet.SendInPool, s.State)

	// It is mined; no pool refresh is needed.
	c.Include(in)
	c.Grow(9)
	r.follow(c, 3)
	require.Empty(t, r.Pool())
	require.Empty(t, r.Unmined())
	require.Equal(t, map[uint32]wallet.Balance{0: {Total: 67, Unlocked: 67}, 3: {Total: 20, Unlocked: 20}},
		r.Balances(0, false, 0))
	require.Equal(t, r.Balances(0, true, 0), r.Balances(0, false, 0))
	spend, ok := r.SpendOf(sent.TxID)
	require.True(t, ok)
	require.Equal(t, uint64(80), spend.Change, "everything the account received")
	require.Equal(t, uint64(100), spend.AmountIn)
	require.Equal(t, uint64(5), spend.Fee)
	require.Len(t, r.Payments(), 3, "a transfer to another account is a payment")
	same(t, r.Wallet, r.reloaded())

	// A reorganisation drops its block: what it spent is in the balance again, but not spent by another transaction.
	r.detach(12)
	require.Len(t, r.Unmined(), 1)
	returned := map[uint32]wallet.Balance{0: {Total: 107, Unlocked: 107}}
	require.Equal(t, returned, r.Balances(0, false, 0))
	require.Len(t, r.Spendable(0, nil, r.Clock(0)), 1)
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)
	r.change(r.DecideSends(never, always, chaintest.StartTime))
	require.Equal(t, returned, r.Balances(0, false, 0))

	// A pool shows it, and then drops it: it counts as pending as long as another one.
	in.ID = sent.TxID
	r.setPool(1400, in)
	require.Equal(t, onTheWay, r.Balances(0, false, 0))
	r.change(r.DecideSends(always, always, chaintest.StartTime))
	r.setPool(1400)
	require.Equal(t, onTheWay, r.Balances(0, false, 0))
	r.change(r.DecideRefused(sent.TxID, "double spend"))
	require.Equal(t, wallet.Balance{Total: 107, Unlocked: 107}, balance(r, false, 0))
	same(t, r.Wallet, r.compacted().Wallet)
}

// TestPoolPayment checks that pool payments count in the balance, unless it is strict.
func TestPoolPayment(t *testing.T) {
	k := owner(t, "pool")
	c := chaintest.New("pool", xmr.Regtest)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 100}}})
	c.Grow(10)
	r := create(t, k, near)
	r.follow(c, 100)
	id := [8]byte{1, 2, 3}
	tx, _ := c.Tx(chaintest.Spec{
		PaymentID: &id, Fee: 3, UnlockTime: 99, Pay: []chaintest.Payment{{To: k, Amount: 8}, {To: k, Amount: 9}},
	}, nil)
	tx.DoubleSpendSeen = true
	require.Len(t, r.setPool(5000, tx), 1)
	require.Equal(t, wallet.Balance{Total: 117, Unlocked: 100}, balance(r, false, 0))
	require.Equal(t, wallet.Balance{Total: 100, Unlocked: 100}, balance(r, true, 0))
	require.Equal(
		t,
		[]wallet.Payment{{
			TxID: tx.ID, PaymentID: xmr.Hash{1, 2, 3}, Amount: 17, Amounts: []uint64{8, 9}, Fee: 3,
			Timestamp: 5000, UnlockTime: 99, DoubleSpendSeen: true,
		}},
		r.Pool()[0].Payments,
	)
	require.Empty(t, r.setPool(6000, tx), "known already")
	require.Equal(t, uint64(5000), r.Pool()[0].Payments[0].Timestamp, "the time when it was first seen")

	// A transaction sent by another copy of the wallet.
	out, _ := c.Tx(chaintest.Spec{
		Spend: []xmr.KeyImage{r.Outputs()[0].Image}, Fee: 3,
		Pay: []chaintest.Payment{{To: k, Amount: 70}, {Amount: 27}},
	}, nil)
	require.Empty(t, r.setPool(7000, out), "change is no payment")
	require.Equal(t, wallet.Balance{Total: 70}, balance(r, false, 0))
	require.Equal(t, wallet.Balance{Total: 100, Unlocked: 100}, balance(r, true, 0))
	require.Empty(t, r.Spendable(0, nil, r.Clock(0)))
	require.Equal(t, uint64(70), r.Pool()[0].Spend.Change)
	r.setPool(8000)
	require.Equal(t, wallet.Balance{Total: 100, Unlocked: 100}, balance(r, false, 0))

	foreign, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{Amount: 8}}}, nil)
	require.Empty(t, r.setPool(8000, foreign))
	require.Empty(t, r.Pool())
}
