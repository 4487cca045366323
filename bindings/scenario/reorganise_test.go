package scenario

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// fork replaces the blocks from index first on by one more than there were, so that the daemon takes that way. What the
// dropped blocks held returns to its pool.
func fork(t *testing.T, d *peers.Daemon, first uint64, miner string) {
	t.Helper()
	height, top := chainTop(t, d)
	mine(t, d, int(height-first)+1, miner, blockID(t, d, first-1))
	after, other := chainTop(t, d)
	require.Equal(t, height+1, after)
	require.NotEqual(t, top, other)
}

func flush(t *testing.T, d *peers.Daemon) { do(t, d, "flush_txpool", nil) }

// A wallet follows the chain wherever it goes: payments vanish, return to the pool, are mined again; outputs spent in a
// dropped block are spendable again.
func TestReorganisations(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	payer, mirror := newGlim(t, d.URL, options{}), newReference(t, d)
	var later atomic.Uint64 // seconds our clock is ahead
	ours := newGlim(t, d.URL, options{now: func() uint64 { return uint64(time.Now().Unix()) + later.Load() }})
	restore(t, payer, "bob", bob)
	restore(t, mirror, "alice", alice)
	restore(t, ours, "alice", alice)
	equal := func(accounts uint32) {
		t.Helper()
		refresh(t, mirror, ours)
		compareAll(t, mirror, ours, accounts)
	}
	refresh(t, payer)
	for _, c := range []caller{mirror, ours} { // by their owner, so that they stay here, too, when payments to them go
		call[object](t, c, "create_account", nil)
		for account, n := range []int{2, 1} {
			call[object](t, c, "create_address", object{"account_index": account, "count": n})
		}
	}
	equal(2)
	known := func(c caller, id string) bool {
		t.Helper()
		var e *peers.Error
		err := c.JSON(deadline(t), "get_transfer_by_txid", object{"txid": id}, nil)
		if err != nil {
			require.ErrorAs(t, err, &e)
			require.Equal(t, -8, e.Code)
		}
		return err == nil
	}

	// Payments in blocks that are dropped for good, together with blocks we mined.
	first, _ := chainTop(t, d)
	paid := pay(t, payer, []destination{{at(t, alice, 0, 0), coin}, {at(t, alice, 0, 2), coin}, {at(t, alice, 1, 1), 2 * coin}}, nil)
	mine(t, d, 3, at(t, alice, 0, 0))
	equal(2)
	require.True(t, known(ours, paid.TxHash))
	fork(t, d, first, at(t, nobody, 0, 0))
	flush(t, d)
	equal(2)
	require.False(t, known(ours, paid.TxHash))

	// A dropped payment that is in the pool again, then in another block.
	refresh(t, payer)
	first, _ = chainTop(t, d)
	mine(t, d, 2, at(t, nobody, 0, 0))
	paid = pay(t, payer, []destination{{at(t, alice, 0, 1), 3 * coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))
	equal(2)
	fork(t, d, first, at(t, nobody, 0, 0))
	equal(2)
	require.True(t, known(ours, paid.TxHash))
	mine(t, d, 1, at(t, nobody, 0, 0))
	equal(2)
	require.True(t, known(ours, paid.TxHash))
	mine(t, d, 10, at(t, nobody, 0, 0))

	// What the wallet itself sent, by either copy: dropped, and mined again. In between, the reference forgets that it
	// sent anything; we know.
	for _, sender := range []caller{ours, mirror} {
		equal(2)
		first, _ = chainTop(t, d)
		sent := pay(t, sender, []destination{{at(t, bob, 0, 0), coin / 2}, {at(t, alice, 1, 0), coin / 4}}, nil)
		mine(t, d, 2, at(t, nobody, 0, 0))
		equal(2)
		fork(t, d, first, at(t, nobody, 0, 0))
		refresh(t, mirror, ours)
		require.True(t, known(ours, sent.TxHash))
		mine(t, d, 1, at(t, nobody, 0, 0))
		equal(2)
		require.True(t, known(ours, sent.TxHash))
		mine(t, d, 10, at(t, nobody, 0, 0))
	}

	// What we sent, dropped for good: it stays pending for a while, then has failed and its inputs are free.
	equal(2)
	first, _ = chainTop(t, d)
	sent := pay(t, ours, []destination{{at(t, bob, 0, 0), coin / 2}}, nil)
	mine(t, d, 2, at(t, nobody, 0, 0))
	equal(2)
	fork(t, d, first, at(t, nobody, 0, 0))
	flush(t, d)
	refresh(t, mirror, ours)
	type listed struct {
		TxID string `json:"txid"`
		Type string `json:"type"`
	}
	state := func() (states []listed) {
		t.Helper()
		for _, l := range call[map[string][]listed](t, ours, "get_transfers", object{"pending": true, "failed": true, "pool": true}) {
			states = append(states, l...)
		}
		return states
	}
	require.Equal(t, []listed{{sent.TxHash, "pending"}}, state())
	later.Store(3600)
	refresh(t, ours)
	require.Equal(t, []listed{{sent.TxHash, "failed"}}, state())
	equal(2)

	// As deep as both follow, then a block deeper: both refuse, and are as they were. Reading the chain anew accepts it.
	for _, deep := range []uint64{100, 101} {
		first, _ = chainTop(t, d)
		paid = pay(t, payer, []destination{{at(t, alice, 0, 0), 5 * coin}, {at(t, alice, 0, 1), 6 * coin}}, nil)
		mine(t, d, int(deep), at(t, alice, 0, 0))
		equal(2)
		require.True(t, known(ours, paid.TxHash))
		fork(t, d, first, at(t, nobody, 0, 0))
		flush(t, d)
		for _, c := range []caller{mirror, ours} {
			if deep == 100 {
				break
			}
			before := ledger(t, c)
			for range 2 {
				err := c.JSON(deadline(t), "refresh", nil, nil)
				if c == ours { // the reference, 0.18.0.0, writes it into its log alone
					var e *peers.Error
					require.ErrorAs(t, err, &e)
					require.Equal(t, -1, e.Code)
					require.Contains(t, e.Message, "reorg exceeds maximum allowed depth, reorg depth: 101")
				}
				require.Equal(t, before, ledger(t, c))
				require.True(t, known(c, paid.TxHash))
			}
			do(t, c, "rescan_blockchain", nil)
		}
		equal(2)
		require.False(t, known(ours, paid.TxHash))
		refresh(t, payer)
	}
}

// A chain that parts from ours before the first output we own leaves nothing.
func TestReorganisedFromTheBeginning(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	mirror := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	restore(t, mirror, "alice", alice)
	restore(t, ours, "alice", alice)
	mine(t, d, 4, at(t, alice, 0, 0))
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 1)
	require.NotZero(t, ledger(t, ours).Balance)
	fork(t, d, 1, at(t, bob, 0, 0))
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 1)
	require.Zero(t, ledger(t, ours).Balance)
}
