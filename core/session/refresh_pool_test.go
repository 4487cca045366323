package session_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/syncer"
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

// teller is a source whose answers about the pool are of a telling that changes.
type teller struct {
	*chaintest.Source
	telling *syncer.Telling
	during  func() // called while the pool is asked for
}

func (t *teller) Pool(ctx context.Context, known func(*syncer.Telling, xmr.Hash) bool) (syncer.Pool, error) {
	p, err := t.Source.Pool(ctx, func(_ *syncer.Telling, id xmr.Hash) bool { return known(t.telling, id) })
	p.Telling = t.telling
	if t.during != nil {
		t.during()
	}
	return p, err
}

// TestPoolIsTheTellers: what was told of the pool goes with who told it. The same transaction told again is looked at again, and a refresh that
// was asking when the daemon changed brings nothing back.
func TestPoolIsTheTellers(t *testing.T) {
	ctx := context.Background()
	c := chaintest.New("pool tellers", xmr.Regtest)
	c.Grow(3)
	true7, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 7}}}, nil)
	false9, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 9}}}, nil)
	false9.ID = true7.ID // another content under the ID of what is there
	src := &teller{Source: chaintest.NewSource(c), telling: new(syncer.Telling)}
	s := create(t, journal.NewMemory(), host())
	shows := func(want uint64) {
		t.Helper()
		s.View(func(w *wallet.Wallet) { require.Equal(t, want, w.AccountBalance(0, false, 1000).Total) })
	}
	src.SetPool(false9)
	_, err := s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	shows(9)
	src.SetPool(true7)
	require.NoError(t, s.RefreshPool(ctx, src))
	shows(9)
	src.telling = new(syncer.Telling)
	require.NoError(t, s.RefreshPool(ctx, src))
	shows(7)

	s.DropPool()
	shows(0)
	require.NoError(t, s.RefreshPool(ctx, src))
	shows(7)
	src.during = s.DropPool
	require.NoError(t, s.RefreshPool(ctx, src))
	shows(0)
	src.during = nil
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	shows(7)
}
