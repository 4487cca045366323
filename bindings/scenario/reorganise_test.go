package scenario

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// fork replaces the blocks from index first on with a branch that is one block longer, so that the daemon switches to
// it. The transactions of the dropped blocks return to its pool.
func fork(t *testing.T, d *peers.Daemon, first uint64, miner string) {
	t.Helper()
	height, top := chainTop(t, d)
	mine(t, d, int(height-first)+1, miner, blockID(t, d, first-1))
	after, other := chainTop(t, d)
	require.Equal(t, height+1, after)
	require.NotEqual(t, top, other)
}

func flush(t *testing.T, d *peers.Daemon) { do(t, d, "flush_txpool", nil) }

// reorganised is alice's wallet in ours and in the reference, on a chain that is reorganised.
type reorganised struct {
	*testing.T
	d            *peers.Daemon
	payer        caller
	mirror, ours caller
	later        atomic.Uint64 // seconds our clock is ahead
}

// A wallet follows the chain: payments vanish, return to the pool and are mined again; outputs spent in a dropped block
// become spendable again.
func TestReorganisations(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	r := &reorganised{T: t, d: d, payer: newGlim(t, d.URL, options{}), mirror: newReference(t, d)}
	r.ours = newGlim(t, d.URL, options{now: func() uint64 { return uint64(time.Now().Unix()) + r.later.Load() }})
	restore(t, r.payer, "bob", bob)
	restore(t, r.mirror, "alice", alice)
	restore(t, r.ours, "alice", alice)
	refresh(t, r.payer)
	// The owner makes the addresses, so that they stay when payments to them are dropped.
	for _, c := range []caller{r.mirror, r.ours} {
		call[object](t, c, "create_account", nil)
		for account, n := range []int{2, 1} {
			call[object](t, c, "create_address", object{"account_index": account, "count": n})
		}
	}
	r.equal(2)
	r.droppedForGood()
	r.minedAgain()
	r.ownPayments()
	r.ownPaymentDropped()
	r.deepest()
}

func (r *reorganised) equal(accounts uint32) {
	r.Helper()
	refresh(r.T, r.mirror, r.ours)
	compareAll(r.T, r.mirror, r.ours, accounts)
}

// known reports whether a wallet lists a transaction.
func (r *reorganised) known(c caller, id string) bool {
	r.Helper()
	var e *peers.Error
	err := c.JSON(deadline(r.T), "get_transfer_by_txid", object{"txid": id}, nil)
	if err != nil {
		require.ErrorAs(r.T, err, &e)
		require.Equal(r.T, -8, e.Code)
	}
	return err == nil
}

// droppedForGood drops blocks with payments to the wallet and with its rewards.
func (r *reorganised) droppedForGood() {
	t := r.T
	first, _ := chainTop(t, r.d)
	paid := pay(t, r.payer,
		[]destination{{at(t, alice, 0, 0), coin}, {at(t, alice, 0, 2), coin}, {at(t, alice, 1, 1), 2 * coin}}, nil)
	mine(t, r.d, 3, at(t, alice, 0, 0))
	r.equal(2)
	require.True(t, r.known(r.ours, paid.TxHash))
	fork(t, r.d, first, at(t, nobody, 0, 0))
	flush(t, r.d)
	r.equal(2)
	require.False(t, r.known(r.ours, paid.TxHash))
}

// minedAgain drops a block with a payment, which returns to the pool and is mined in another block.
func (r *reorganised) minedAgain() {
	t := r.T
	refresh(t, r.payer)
	first, _ := chainTop(t, r.d)
	mine(t, r.d, 2, at(t, nobody, 0, 0))
	paid := pay(t, r.payer, []destination{{at(t, alice, 0, 1), 3 * coin}}, nil)
	mine(t, r.d, 1, at(t, nobody, 0, 0))
	r.equal(2)
	fork(t, r.d, first, at(t, nobody, 0, 0))
	r.equal(2)
	require.True(t, r.known(r.ours, paid.TxHash))
	mine(t, r.d, 1, at(t, nobody, 0, 0))
	r.equal(2)
	require.True(t, r.known(r.ours, paid.TxHash))
	mine(t, r.d, 10, at(t, nobody, 0, 0))
}

// ownPayments drops blocks with payments that either copy of the wallet sent, and mines them again. In between the
// reference forgets that it sent them; ours does not.
func (r *reorganised) ownPayments() {
	t := r.T
	for _, sender := range []caller{r.ours, r.mirror} {
		r.equal(2)
		first, _ := chainTop(t, r.d)
		sent := pay(t, sender, []destination{{at(t, bob, 0, 0), coin / 2}, {at(t, alice, 1, 0), coin / 4}}, nil)
		mine(t, r.d, 2, at(t, nobody, 0, 0))
		r.equal(2)
		fork(t, r.d, first, at(t, nobody, 0, 0))
		refresh(t, r.mirror, r.ours)
		require.True(t, r.known(r.ours, sent.TxHash))
		mine(t, r.d, 1, at(t, nobody, 0, 0))
		r.equal(2)
		require.True(t, r.known(r.ours, sent.TxHash))
		mine(t, r.d, 10, at(t, nobody, 0, 0))
	}
}

// ownPaymentDropped drops a payment of ours for good: it stays pending for a while and then fails, which frees its
// inputs.
func (r *reorganised) ownPaymentDropped() {
	t := r.T
	r.equal(2)
	first, _ := chainTop(t, r.d)
	sent := pay(t, r.ours, []destination{{at(t, bob, 0, 0), coin / 2}}, nil)
	mine(t, r.d, 2, at(t, nobody, 0, 0))
	r.equal(2)
	fork(t, r.d, first, at(t, nobody, 0, 0))
	flush(t, r.d)
	refresh(t, r.mirror, r.ours)
	type listed struct {
		TxID string `json:"txid"`
		Type string `json:"type"`
	}
	state := func() (states []listed) {
		t.Helper()
		for _, l := range call[map[string][]listed](t, r.ours, "get_transfers",
			object{"pending": true, "failed": true, "pool": true}) {
			states = append(states, l...)
		}
		return states
	}
	require.Equal(t, []listed{{sent.TxHash, "pending"}}, state())
	r.later.Store(3600)
	refresh(t, r.ours)
	require.Equal(t, []listed{{sent.TxHash, "failed"}}, state())
	r.equal(2)
}

// deepest reorganises as deep as both follow, and then one block deeper: both refuse and keep their state until a
// rescan.
func (r *reorganised) deepest() {
	t := r.T
	for _, deep := range []uint64{100, 101} {
		first, _ := chainTop(t, r.d)
		paid := pay(t, r.payer, []destination{{at(t, alice, 0, 0), 5 * coin}, {at(t, alice, 0, 1), 6 * coin}}, nil)
		mine(t, r.d, int(deep), at(t, alice, 0, 0))
		r.equal(2)
		require.True(t, r.known(r.ours, paid.TxHash))
		fork(t, r.d, first, at(t, nobody, 0, 0))
		flush(t, r.d)
		for _, c := range []caller{r.mirror, r.ours} {
			if deep == 100 {
				break
			}
			before := ledger(t, c)
			for range 2 {
				err := c.JSON(deadline(t), "refresh", nil, nil)
				if c == r.ours { // the reference, 0.18.0.0, only logs it
					var e *peers.Error
					require.ErrorAs(t, err, &e)
					require.Equal(t, -1, e.Code)
					require.Contains(t, e.Message, "reorg exceeds maximum allowed depth, reorg depth: 101")
				}
				require.Equal(t, before, ledger(t, c))
				require.True(t, r.known(c, paid.TxHash))
			}
			do(t, c, "rescan_blockchain", nil)
		}
		r.equal(2)
		require.False(t, r.known(r.ours, paid.TxHash))
		refresh(t, r.payer)
	}
}

// A branch that starts before the first output of the wallet leaves a balance of zero.
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
