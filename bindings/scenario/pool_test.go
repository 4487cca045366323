package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPaymentsBetweenPoolAndBlock requests payments that are in a block which neither wallet has read: both still list
// them in the pool, and as mined after the next refresh. monerod verifies the transactions.
func TestPaymentsBetweenPoolAndBlock(t *testing.T) {
	t.Parallel()
	d := newMonerod(t)
	mine(t, d, 80, at(t, bob, 0, 0))
	payer := newGlim(t, d.URL, options{})
	restore(t, payer, "bob", bob)
	theirs, ours := newReference(t, d), newGlim(t, d.URL, options{})
	for _, c := range []caller{theirs, ours} {
		do(t, c, "auto_refresh", object{"enable": false})
		restore(t, c, "alice", alice)
	}
	refresh(t, payer, theirs, ours)

	pool := object{"in": true, "out": true, "pool": true, "pending": true, "failed": true}
	seen := []string{"timestamp", "destinations", "note"} // each wallet records when it first saw the payment
	equal := func() {
		t.Helper()
		compare(t, theirs, ours, "get_transfers", pool, seen...)
		compare(t, theirs, ours, "get_balance", object{"account_index": 0})
	}
	type transfers struct{ In, Pool []struct{ TxID string } }
	shows := func(in, waiting int) {
		t.Helper()
		equal()
		got := call[transfers](t, ours, "get_transfers", pool)
		require.Len(t, got.In, in)
		require.Len(t, got.Pool, waiting)
	}
	for round := range 3 {
		sent := pay(t, payer, []destination{{at(t, alice, 0, uint32(round)), 1_230_000_000_000}}, nil)
		shows(round, 1)
		mine(t, d, 1, at(t, bob, 0, 0))
		byID := object{"txid": sent.TxHash}
		for range 2 {
			shows(round, 1)
			compare(t, theirs, ours, "get_transfer_by_txid", byID, seen...)
		}
		if round == 1 {
			mine(t, d, 3, at(t, bob, 0, 0))
			shows(round, 1)
		}
		refresh(t, payer, theirs, ours)
		shows(round+1, 0)
		compare(t, theirs, ours, "get_transfer_by_txid", byID, "destinations", "note")
	}
}
