package wallet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// existing creates the accounts 0 to accounts−1 with equally many addresses each, so that the existing addresses do
// not depend on dropped branches.
func existing(t testing.TB, k *keys.Keys, accounts, addresses uint32) *recorded {
	t.Helper()
	r := create(t, k, near)
	for r.Accounts() < accounts {
		c, _ := r.DecideAccount("")
		r.change(c)
	}
	for major := range accounts {
		c, _, err := r.DecideAddresses(major, addresses-1, "")
		require.NoError(t, err)
		r.change(c)
	}
	return r
}

func livelyChain(t testing.TB, seed string, k *keys.Keys, blocks int) (*chaintest.Chain, *chaintest.Activity) {
	t.Helper()
	l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 3, Burn: true}
	c := chaintest.New(seed, xmr.Regtest)
	c.GrowWith(l, blocks)
	return c, l
}

// TestDetachThenRescan drops any number of blocks, also along other branches, and requires the same result as one
// uninterrupted scan.
func TestDetachThenRescan(t *testing.T) {
	k := owner(t, "rescan")
	for seed := range 8 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			main, l := livelyChain(t, fmt.Sprint("rescan ", seed), k, 60)
			straight := existing(t, k, 2, 3)
			straight.follow(main, 60)
			require.NotEmpty(t, straight.Outputs())
			require.NotEmpty(t, straight.Spends())
			require.Positive(t, straight.Burnt(), "different seeds produce equal keys")

			r := existing(t, k, 2, 3)
			r.follow(main, 7)
			for _, depth := range []uint64{1, 2, 10, 37, 60} {
				at := main.Height() - depth
				r.detach(at)
				short := existing(t, k, 2, 3)
				short.follow(main.Fork("", at), 100)
				sameMoney(t, short.Wallet, r.Wallet, "detached ", depth)

				branch := main.Fork(fmt.Sprint("branch ", depth), at)
				branch.GrowWith(l, int(depth)+3)
				r.follow(branch, 5)
				r.detach(at)
				sameMoney(t, short.Wallet, r.Wallet, "came back from a branch at ", depth)
				r.follow(main, 9)
				sameMoney(t, straight.Wallet, r.Wallet, "rescanned ", depth)
			}
			require.Equal(t, straight.LastReward(), r.LastReward())
			require.Equal(t, straight.History(), r.History())
		})
	}
}

// TestBatchSizesDoNotMatter scans one chain in different batches.
func TestBatchSizesDoNotMatter(t *testing.T) {
	for seed := range 6 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			k := owner(t, "batches")
			if seed == 5 {
				k = viewOnly(t, k)
			}
			// Addresses far beyond the first lookahead: each payment brings the next address within it.
			l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 3, Burn: true}
			c := chaintest.New(fmt.Sprint("batches ", seed), xmr.Regtest)
			for i := range 12 {
				c.GrowWith(l, 3)
				l.Subaddresses, l.Accounts = l.Subaddresses+uint32(i%3), l.Accounts+uint32(i%4)/3
			}
			one := create(t, k, near)
			one.follow(c, 1)
			for _, sizes := range [][]int{{2}, {3, 1}, {7}, {10, 1, 1}, {1000}} {
				r := create(t, k, near)
				r.follow(c, sizes...)
				same(t, one.Wallet, r.Wallet, sizes)
			}
			require.Greater(t, len(one.Outputs()), 10)
		})
	}
}

// TestEventsDoNotDependOnBatches compares the events of one chain in different batches.
func TestEventsDoNotDependOnBatches(t *testing.T) {
	k := owner(t, "events")
	c, _ := livelyChain(t, "events", k, 50)
	one, all := existing(t, k, 2, 3), existing(t, k, 2, 3)
	events := one.follow(c, 1)
	require.Equal(t, events, all.follow(c, 1000))
	kinds := map[wallet.HostEventKind]int{}
	received := uint64(0)
	for _, e := range events {
		kinds[e.Kind]++
		if e.Kind == wallet.MoneyReceived {
			received += e.Amount
		}
	}
	require.Positive(t, kinds[wallet.BurntOutput])
	require.Positive(t, kinds[wallet.MoneySpent])
	total := uint64(0)
	for i := range one.Outputs() {
		total += one.Outputs()[i].Amount
	}
	require.Equal(t, total, received, "events match the outputs")
}

// TestLookaheadGrowsInsideABatch pays a sequence of addresses, each within the lookahead only after the payment
// before it, in one block and even in one transaction each.
func TestLookaheadGrowsInsideABatch(t *testing.T) {
	k := owner(t, "growth")
	c := chaintest.New("growth", xmr.Regtest)
	var steps []chaintest.Spec
	for i := range uint32(6) {
		steps = append(steps,
			chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: keys.Index{Major: i, Minor: 0}, Amount: 1}}},
			chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: keys.Index{Major: i, Minor: 3}, Amount: 1}}},
			chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: keys.Index{Major: i, Minor: 6}, Amount: 1}}})
	}
	c.Add(steps...)
	r := create(t, k, near)
	r.follow(c, 1)
	require.Len(t, r.Outputs(), 18)
	require.Equal(t, uint32(6), r.Accounts())
	n, err := r.Addresses(5)
	require.NoError(t, err)
	require.Equal(t, uint32(7), n)
	same(t, r.Wallet, r.reloaded())

	// In reverse order, payments precede those that bring their addresses within the lookahead. Repeated rescans find
	// them.
	back := chaintest.New("growth", xmr.Regtest)
	slices.Reverse(steps)
	back.Add(steps...)
	r = create(t, k, near)
	r.follow(back, 1)
	missed := 18 - len(r.Outputs())
	require.Positive(t, missed)
	for len(r.Outputs()) < 18 {
		before := len(r.Outputs())
		r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
		r.follow(back, 1)
		require.Greater(t, len(r.Outputs()), before)
	}
	same(t, r.Wallet, r.reloaded())
}

// TestLookaheadGrowsInsideATransaction checks that outputs within the lookahead of another output of the transaction
// are found, in any order.
func TestLookaheadGrowsInsideATransaction(t *testing.T) {
	k := owner(t, "growth")
	for _, order := range [][]uint32{{2, 4, 6}, {6, 4, 2}, {4, 6, 2}} {
		c := chaintest.New("growth", xmr.Regtest)
		var pay []chaintest.Payment
		for _, minor := range order {
			pay = append(pay, chaintest.Payment{To: k, At: keys.Index{Minor: minor}, Amount: 1})
		}
		c.Add(chaintest.Spec{Pay: pay, Additional: true})
		r := create(t, k, near)
		r.follow(c, 1)
		require.Len(t, r.Outputs(), len(order), "%v", order)
		same(t, r.Wallet, r.reloaded())
	}
}

// TestGap checks that blocks that do not follow the tip are refused.
func TestGap(t *testing.T) {
	k := owner(t, "gap")
	c := chaintest.New("gap", xmr.Regtest)
	c.Grow(5)
	r := create(t, k, near)
	r.scan(c.Blocks[1:3], 5)
	before := r.Dump(true)
	for _, from := range []int{0, 1, 2, 4, 5} {
		_, _, err := r.DecideBlocks([]wallet.ScannedBlock{{BlockID: wallet.BlockID{Height: c.Blocks[from].Height}}}, 5)
		require.ErrorIs(t, err, wallet.ErrGap, "block %d after 2", from)
	}
	_, _, err := r.DecideBlocks([]wallet.ScannedBlock{
		{BlockID: wallet.BlockID{Height: 3}}, {BlockID: wallet.BlockID{Height: 5}},
	}, 5)
	require.ErrorIs(t, err, wallet.ErrGap)
	require.Equal(t, before, r.Dump(true))
}
