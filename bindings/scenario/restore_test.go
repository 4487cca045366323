package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestRestoredWalletEqual: a wallet that receives payments of every kind equals the reference, while it receives them
// and when it is restored later.
func TestRestoredWalletEqual(t *testing.T) {
	t.Parallel()
	d := newMinedMonerod(t)
	payer, mirror := newReference(t, d), newReference(t, d)
	ours := newGlim(t, d.URL, options{lookahead: far})
	restore(t, payer, "bob", bob)
	restoreFar(t, mirror, "alice", alice)
	restore(t, ours, "alice", alice)
	for _, c := range []caller{mirror, ours} {
		do(t, c, "create_address", object{"account_index": 0, "count": 3, "label": "shop"})
		do(t, c, "create_account", object{"label": "second"})
		do(t, c, "create_address", object{"account_index": 1, "count": 2})
	}
	compareAll(t, mirror, ours, 2)

	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 2)
	mine(t, d, 3, at(t, alice, 0, 0)) // locked
	refresh(t, payer, mirror, ours)
	compareAll(t, mirror, ours, 2)

	height, _ := chainTop(t, d)
	integrated := call[struct {
		Address string `json:"integrated_address"`
	}](t, mirror, "make_integrated_address", object{"payment_id": "0123456789abcdef"}).Address
	a := func(major, minor uint32, amount uint64) destination {
		return destination{at(t, alice, major, minor), amount}
	}
	pay(t, payer, []destination{a(0, 0, coin)}, nil)
	pay(t, payer, []destination{a(0, 1, coin+1)}, nil)
	pay(t, payer, []destination{a(0, 2, coin+2), a(1, 0, coin+3), a(1, 1, coin+4)}, nil)
	pay(t, payer, []destination{{integrated, coin + 5}}, nil)
	pay(t, payer,
		[]destination{a(0, 1, coin+6), a(0, 1, coin+7), a(0, 0, coin+8), a(1, 2, coin+9), a(0, 0, coin+10)}, nil)
	if !peers.Require(t).Release.AtLeast(0, 18, 3, 4) { // later releases do not lock outputs
		pay(t, payer, []destination{a(0, 3, coin+11)}, object{"unlock_time": height + 30})
		pay(t, payer, []destination{a(0, 3, coin+12)}, object{"unlock_time": 1_000_000_000}) // a time in the past
	}
	// an address that was not handed out
	pay(t, payer, []destination{a(2, 3, coin+13)}, nil)
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 2) // in the pool
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 3) // a confirmation each, all locked
	mine(t, d, 9, at(t, nobody, 0, 0))
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 3)

	// Both copies pay, one after the other; ours divides its change. Unlike the reference, we look for our own spends
	// in the pool, so before the block they agree only if the reference sent.
	for i, sender := range []caller{ours, mirror} {
		pay(t, sender, []destination{{at(t, bob, 0, 0), coin / 3}, a(1, 1, coin/7)}, object{"change_outputs": 3})
		refresh(t, mirror, ours)
		if i == 1 {
			compareAll(t, mirror, ours, 3)
		}
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, mirror, ours)
		compareAll(t, mirror, ours, 3)
		mine(t, d, 11, at(t, nobody, 0, 0))
		refresh(t, mirror, ours)
		compareAll(t, mirror, ours, 3)
	}

	restoreFar(t, mirror, "again", alice)
	restore(t, ours, "again", alice)
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 3)
	require.Equal(t, ledger(t, mirror), ledger(t, ours))
}

// ledger is the balance of a wallet.
func ledger(t *testing.T, c caller) (l struct {
	Balance  uint64 `json:"balance"`
	Unlocked uint64 `json:"unlocked_balance"`
}) {
	t.Helper()
	require.NoError(t, c.JSON(deadline(t), "get_balance", object{"account_index": 0, "all_accounts": true}, &l))
	return l
}
