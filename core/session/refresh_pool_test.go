package session_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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

// TestPaymentsStay: with any order of questions, blocks and refreshes, no payment that was shown disappears, and each
// is where it belongs once nothing moves any more. Blocks also come between two answers of one refresh.
func TestPaymentsStay(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 19))
		c := chaintest.New(fmt.Sprint("payments stay ", seed), xmr.Regtest)
		c.Grow(3)
		src := chaintest.NewSource(c)
		s := create(t, journal.NewMemory(), host())
		var pool []syncer.Tx
		moves := func(n int) {
			for range n {
				switch rnd.IntN(3) {
				case 0:
					p, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 1 + rnd.Uint64N(9)}}}, nil)
					pool = append(pool, p)
				case 1:
					c.Grow(1)
				default:
					n := rnd.IntN(len(pool) + 1)
					c.Include(pool[:n]...)
					pool = slices.Clone(pool[n:])
				}
			}
			src.SetPool(pool...)
		}
		src.Before = func(_ context.Context, call string) error {
			if (call == "height" || call == "pool") && rnd.IntN(3) == 0 {
				moves(1 + rnd.IntN(2))
			}
			return nil
		}
		shown := func() (mined, waiting map[xmr.Hash]bool) {
			mined, waiting = map[xmr.Hash]bool{}, map[xmr.Hash]bool{}
			s.View(func(w *wallet.Wallet) {
				for _, p := range w.Payments() {
					mined[p.TxID] = true
				}
				for _, p := range w.Pool() {
					waiting[p.TxID] = true
				}
			})
			return mined, waiting
		}
		before := map[xmr.Hash]bool{}
		for step := range 60 {
			moves(rnd.IntN(3))
			if rnd.IntN(2) == 0 {
				require.NoError(t, s.RefreshPool(ctx, src))
			} else {
				_, err := s.Refresh(ctx, src, 0)
				require.NoError(t, err)
			}
			mined, waiting := shown()
			for id := range before {
				require.True(t, mined[id] || waiting[id], "seed %d, step %d: %s is gone", seed, step, id)
			}
			for id := range mined {
				require.False(t, waiting[id], "seed %d, step %d: %s is there twice", seed, step, id)
				before[id] = true
			}
			maps.Copy(before, waiting)
		}
		src.Before = nil
		_, err := s.Refresh(ctx, src, 0)
		require.NoError(t, err)
		_, waiting := shown()
		require.Len(t, waiting, len(pool), "seed %d", seed)
		for _, p := range pool {
			require.True(t, waiting[p.ID], "seed %d", seed)
		}
		gone := len(pool) > 0
		src.SetPool()
		require.NoError(t, s.RefreshPool(ctx, src))
		_, waiting = shown()
		require.Equal(t, gone, len(waiting) > 0, "seed %d: no block was read that could tell", seed)
		_, err = s.Refresh(ctx, src, 0)
		require.NoError(t, err)
		_, waiting = shown()
		require.Empty(t, waiting, "seed %d: what was dropped goes", seed)
	}
}

// TestSendIsNotFailedUnread: a transaction of the wallet that the pool has lacked for long is not given up before the
// blocks are read that may hold it.
func TestSendIsNotFailedUnread(t *testing.T) {
	ctx := context.Background()
	c := chaintest.New("overdue", xmr.Regtest)
	made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 7}}})
	image := made[1].Image
	c.Grow(int(xmr.SpendableAge) + 1)
	src := chaintest.NewSource(c)
	now := uint64(1000)
	h := host()
	h.Now = func() uint64 { return now }
	s := create(t, journal.NewMemory(), h)
	_, err := s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	spend, _ := c.Tx(chaintest.Spec{Spend: []xmr.KeyImage{image}, Pay: []chaintest.Payment{{Amount: 6}}}, nil)
	sent := wallet.Sent{TxID: spend.ID, AmountIn: 7, Fee: 1, SentAt: now, Blob: []byte{1},
		Rings: []wallet.Ring{{Image: image, Indices: []uint64{1}}}}
	require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		change, err := w.DecideSend(sent, now)
		return change, nil, err
	}))
	state := func() (state wallet.SendState, mined bool) {
		s.View(func(w *wallet.Wallet) {
			for _, u := range w.Unmined() {
				if u.TxID == spend.ID {
					state = u.State
				}
			}
			_, mined = w.SpendOf(spend.ID)
		})
		return state, mined
	}
	src.SetPool(spend)
	require.NoError(t, s.RefreshPool(ctx, src))
	got, _ := state()
	require.Equal(t, wallet.SendInPool, got)

	c.Include(spend)
	src.SetPool()
	for range 3 {
		now += 400
		require.NoError(t, s.RefreshPool(ctx, src))
		got, mined := state()
		require.NotEqual(t, wallet.SendFailed, got, "the block is not read")
		require.False(t, mined)
	}
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	_, mined := state()
	require.True(t, mined)

	// One that no block holds fails with the first refresh after its time.
	c.Grow(1)
	other := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 5}}})[1].Image
	c.Grow(int(xmr.SpendableAge) + 1)
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	sent.TxID, sent.AmountIn, sent.SentAt = xmr.Hash{7}, 5, now
	sent.Rings = []wallet.Ring{{Image: other, Indices: []uint64{2}}}
	require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		change, err := w.DecideSend(sent, now)
		return change, nil, err
	}))
	now += 501
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	s.View(func(w *wallet.Wallet) {
		unmined := w.Unmined()
		require.Len(t, unmined, 1)
		require.Equal(t, wallet.SendFailed, unmined[0].State)
	})
}
