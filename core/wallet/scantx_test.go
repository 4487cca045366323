package wallet_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// mined scans the transactions of c.
func mined(t testing.TB, k *keys.Keys, c *chaintest.Chain) (out []wallet.MinedTx) {
	t.Helper()
	for _, b := range c.Blocks {
		txs, err := syncer.ScanTxs(context.Background(), k.ViewSecret(), b.Txs, syncer.Workers{})
		require.NoError(t, err)
		for _, tx := range txs {
			out = append(out, wallet.MinedTx{
				ScannedTx: tx, Height: b.Height, Timestamp: b.Timestamp, Version: b.Version,
			})
		}
	}
	return out
}

func chosen(all []wallet.MinedTx, wanted func(xmr.Hash) bool) (out []wallet.MinedTx) {
	for _, m := range all {
		if wanted(m.ID) {
			out = append(out, m)
		}
	}
	return out
}

// scanTx calls DecideScan for the transactions with ids, together with the known ones since the first of them.
func (r *recorded) scanTx(rnd *chaintest.Random, all []wallet.MinedTx, ids ...xmr.Hash) []wallet.HostEvent {
	r.t.Helper()
	from := ^uint64(0)
	for _, m := range chosen(all, func(id xmr.Hash) bool { return slices.Contains(ids, id) }) {
		from = min(from, m.Height)
	}
	known := r.TxsFrom(from)
	txs := chosen(all, func(id xmr.Hash) bool {
		_, again := known[id]
		return again || slices.Contains(ids, id)
	})
	for i := range txs { // in random order
		j := i + rnd.IntN(len(txs)-i)
		txs[i], txs[j] = txs[j], txs[i]
	}
	var change wallet.ChangeSet
	var events []wallet.HostEvent
	require.NoError(r.t, supplied(r.t, r.Wallet, func() (err error) {
		change, events, err = r.DecideScan(txs)
		return err
	}))
	r.change(change)
	return events
}

// blinded returns c with random transactions left out of their blocks, so that a wallet misses them.
func blinded(rnd *chaintest.Random, c *chaintest.Chain) *chaintest.Chain {
	out := c.Fork("blinded", c.Height())
	out.Blocks = slices.Clone(out.Blocks)
	for i := range out.Blocks {
		b := &out.Blocks[i]
		b.Txs = slices.Clone(b.Txs)
		for j := len(b.Txs) - 1; j > 0; j-- {
			if rnd.OneIn(2) {
				b.Txs = slices.Delete(b.Txs, j, j+1)
			}
		}
	}
	return out
}

// TestScanTxEqualsStraightScan lets wallets miss transactions and scan them individually afterwards: the result, and
// its log, equals a wallet that missed nothing.
func TestScanTxEqualsStraightScan(t *testing.T) {
	for seed := range 8 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			k := owner(t, "scan tx")
			if seed == 7 {
				k = viewOnly(t, k)
			}
			rnd := chaintest.NewRandom(fmt.Sprint("scan tx ", seed))
			chain, _ := livelyChain(t, fmt.Sprint("scan tx ", seed), k, 40)
			straight := existing(t, k, 2, 3)
			straight.follow(chain, 40)
			r := existing(t, k, 2, 3)
			r.follow(blinded(rnd, chain), 7)
			all := mined(t, k, chain)
			missed := func() (ids []xmr.Hash) {
				known, should := r.TxsFrom(0), straight.TxsFrom(0)
				for _, m := range all {
					_, had := known[m.ID]
					if _, ok := should[m.ID]; ok && !had {
						ids = append(ids, m.ID)
					}
				}
				return ids
			}
			require.NotEmpty(t, missed())
			require.NotEqual(t, straight.Dump(false), r.Dump(false))
			for range 6 {
				ids := missed()
				if len(ids) == 0 {
					break
				}
				r.scanTx(rnd, all, ids[rnd.IntN(len(ids))])
				same(t, r.Wallet, r.reloaded(), "log")
				same(t, r.Wallet, r.compacted().Wallet, "snapshot")
			}
			r.scanTx(rnd, all, missed()...)
			sameMoney(t, straight.Wallet, r.Wallet)
			same(t, r.Wallet, r.reloaded(), "log")
			same(t, r.Wallet, r.compacted().Wallet, "snapshot")

			// Scanning known transactions changes nothing and causes no events.
			before := len(r.log)
			burnt := r.Burnt() > 0 // burnt outputs are written in another order
			for id := range r.TxsFrom(0) {
				require.Empty(t, r.scanTx(rnd, all, id))
			}
			sameMoney(t, straight.Wallet, r.Wallet)
			if !burnt {
				require.Len(t, r.log, before)
			}
			// A transaction is removed with its block.
			at := chain.Height() / 2
			straight.detach(at)
			r.detach(at)
			sameMoney(t, straight.Wallet, r.Wallet)
		})
	}
}

// TestScanTxFindsTheSpend scans a payment after the transaction that spent it.
func TestScanTxFindsTheSpend(t *testing.T) {
	k := owner(t, "late")
	chain := chaintest.New("late", xmr.Regtest)
	first := chain.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 100}}})
	first = first[len(first)-1:]
	chain.Grow(3)
	second := chain.Add(chaintest.Spec{Spend: []xmr.KeyImage{first[0].Image}, Fee: 7,
		Pay: []chaintest.Payment{{Amount: 53}, {To: k, Amount: 40}}})
	chain.Grow(3)
	blind := chain.Fork("without", chain.Height())
	blind.Blocks = slices.Clone(blind.Blocks)
	blind.Blocks[1].Txs = blind.Blocks[1].Txs[:1]

	r := create(t, k, near)
	r.follow(blind, 100)
	require.Len(t, r.Payments(), 1, "the change looks like a payment")
	require.Empty(t, r.Spends())

	paidBy, spentBy := first[0].TxID, second[len(second)-1].TxID
	_, _, err := r.DecideScan(chosen(mined(t, k, chain), func(id xmr.Hash) bool { return id == paidBy }))
	require.ErrorIs(t, err, wallet.ErrIncomplete)

	events := r.scanTx(chaintest.NewRandom("late"), mined(t, k, chain), paidBy)
	require.Equal(t, []wallet.HostEventKind{wallet.MoneyReceived}, kinds(events), "only new transactions")
	require.Len(t, r.Payments(), 1)
	require.EqualValues(t, 100, r.Payments()[0].Amount)
	require.Len(t, r.Spends(), 1)
	require.Equal(t, spentBy, r.Spends()[0].TxID)
	require.EqualValues(t, 40, r.Spends()[0].Change)
	require.EqualValues(t, 40, r.AccountBalance(0, true, 0).Total)
	same(t, r.Wallet, r.reloaded())
}

// TestScanTxRefuses checks the errors of DecideScan.
func TestScanTxRefuses(t *testing.T) {
	k := owner(t, "refuses")
	chain := chaintest.New("refuses", xmr.Regtest)
	made := chain.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 100}}})
	id := made[len(made)-1].TxID
	txs := chosen(mined(t, k, chain), func(x xmr.Hash) bool { return x == id })
	r := create(t, k, near)
	_, _, err := r.DecideScan(txs)
	require.ErrorIs(t, err, wallet.ErrAhead)
	r.follow(chain, 100)
	chain.Grow(2)
	r.follow(chain, 100)
	for _, height := range []uint64{0, 2} {
		txs[0].Height = height
		_, _, err = r.DecideScan(txs)
		require.ErrorIs(t, err, wallet.ErrMoved)
	}
	c, events, err := r.DecideScan(nil)
	require.NoError(t, err)
	require.True(t, c.Empty())
	require.Empty(t, events)
}
