package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/wallet"
)

// TestLookaheadGrowsWithinABatch pays addresses far apart, each found only because the one before it extended the
// lookahead. We find them in one batch of blocks. The reference searches a complete batch before it extends anything,
// so it gets single blocks.
func TestLookaheadGrowsWithinABatch(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	payer, mirror := newGlim(t, d.URL, options{}), newReference(t, d)
	restore(t, payer, "bob", bob)
	restoreFar(t, mirror, "dave", dave)
	refresh(t, payer, mirror)
	block := func(to ...destination) {
		t.Helper()
		pay(t, payer, to, nil)
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, payer, mirror)
	}
	a := func(major, minor uint32) destination { return destination{at(t, dave, major, minor), coin} }
	block(a(0, 150))
	block(a(0, 300))
	block(a(0, 450), a(0, 480))
	block(a(0, 700)) // beyond the lookahead
	block(a(45, 0))
	block(a(90, 1), a(90, 180))
	block(a(145, 0)) // beyond the lookahead

	ours := newGlim(t, d.URL, options{lookahead: far})
	restore(t, ours, "dave", dave)
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 2)
	require.EqualValues(t, 7*coin, ledger(t, ours).Balance)
	compare(t, mirror, ours, "get_address", object{"account_index": 90})

	for _, c := range []struct {
		lookahead wallet.Lookahead
		coins     uint64
	}{
		{wallet.Lookahead{Major: 1, Minor: 1}, 0},
		{wallet.Lookahead{Major: 46, Minor: 1}, 1},    // only (45, 0)
		{wallet.Lookahead{Major: 150, Minor: 2}, 3},   // and (90, 1), (145, 0)
		{wallet.Lookahead{Major: 1, Minor: 710}, 5},   // all of account 0
		{wallet.Lookahead{Major: 150, Minor: 710}, 9}, // everything
	} {
		own := newGlim(t, d.URL, options{lookahead: c.lookahead})
		restore(t, own, "dave", dave)
		refresh(t, own)
		require.Equal(t, c.coins*coin, ledger(t, own).Balance, c.lookahead)
	}
}
