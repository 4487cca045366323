package session_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestPoolBeforeItsBlocks looks at the pool before the blocks are read whose outputs are spent there, and before one that spends what another in
// the pool was about: when they are read, the pool means what it means.
func TestPoolBeforeItsBlocks(t *testing.T) {
	ctx := context.Background()
	c := chaintest.New("pool before", xmr.Regtest)
	secret := c.Random.Scalar()
	made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 7}}},
		chaintest.Spec{Secret: secret, Pay: []chaintest.Payment{{To: owner(t), Amount: 5}}})
	c.Grow(int(xmr.SpendableAge) + 5)
	spend, _ := c.Tx(chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 6}}}, nil)
	burnt, _ := c.Tx(chaintest.Spec{Secret: secret, Pay: []chaintest.Payment{{To: owner(t), Amount: 9}}}, nil)
	src := chaintest.NewSource(c)
	src.SetPool(spend, burnt)
	s := create(t, journal.NewMemory(), host())
	total := func() (b wallet.Balance, spendable int) {
		s.View(func(w *wallet.Wallet) {
			b, spendable = w.AccountBalance(0, false, 1000), len(w.Spendable(0, nil, w.Clock(1000)))
		})
		return b, spendable
	}
	require.NoError(t, s.RefreshPool(ctx, src))
	b, n := total()
	require.Equal(t, wallet.Balance{Total: 9}, b)
	require.Zero(t, n)

	_, err := s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	b, n = total()
	require.Equal(t, wallet.Balance{Total: 5 + 4, Unlocked: 5}, b, "seven are being spent")
	require.Equal(t, 1, n)

	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[2].Image}, Pay: []chaintest.Payment{{Amount: 4}}})
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	b, n = total()
	require.Equal(t, wallet.Balance{}, b, "what the pool showed can never be had")
	require.Zero(t, n)
}
