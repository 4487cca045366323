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
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestPoolBeforeItsBlocks refreshes the pool before the blocks whose outputs it spends are scanned, and before a
// block that spends what another pool transaction concerned: once they are scanned, the pool is interpreted
// correctly.
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
	require.Equal(t, wallet.Balance{Total: 5 + 4, Unlocked: 5}, b, "a pool transaction spends 7")
	require.Equal(t, 1, n)

	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[2].Image}, Pay: []chaintest.Payment{{Amount: 4}}})
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	b, n = total()
	require.Equal(t, wallet.Balance{}, b, "the output in the pool can never be spent")
	require.Zero(t, n)
}

// epochSource is a source with a settable pool epoch.
type epochSource struct {
	*chaintest.Source
	epoch  *syncer.PoolEpoch
	during func() // called during a request for the pool
}

func (t *epochSource) Pool(ctx context.Context, known func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	p, err := t.Source.Pool(ctx, func(_ *syncer.PoolEpoch, id xmr.Hash) bool { return known(t.epoch, id) })
	p.Epoch = t.epoch
	if t.during != nil {
		t.during()
	}
	return p, err
}

// TestPoolOfAnotherEpoch checks that knowledge of the pool ends with its epoch: the same transaction is examined again,
// and a refresh in progress when the daemon changes does not restore it.
func TestPoolOfAnotherEpoch(t *testing.T) {
	ctx := context.Background()
	c := chaintest.New("pool epochs", xmr.Regtest)
	c.Grow(3)
	true7, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 7}}}, nil)
	false9, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 9}}}, nil)
	false9.ID = true7.ID // different content with the same ID
	src := &epochSource{Source: chaintest.NewSource(c), epoch: new(syncer.PoolEpoch)}
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
	src.epoch = new(syncer.PoolEpoch)
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

// poolModel is a chain and a pool that change at random, also between two answers of one refresh, with a session that
// follows them.
type poolModel struct {
	t    *testing.T
	seed uint64
	rnd  *rand.Rand
	c    *chaintest.Chain
	src  *chaintest.Source
	s    *session.Session
	pool []syncer.Tx
}

func newPoolModel(t *testing.T, seed uint64) *poolModel {
	t.Helper()
	m := &poolModel{t: t, seed: seed, rnd: rand.New(rand.NewPCG(seed, 19))}
	m.c = chaintest.New(fmt.Sprint("payments stay ", seed), xmr.Regtest)
	m.c.Grow(3)
	m.src = chaintest.NewSource(m.c)
	m.s = create(t, journal.NewMemory(), host())
	m.src.Before = func(_ context.Context, call string) error {
		if (call == "height" || call == "pool") && m.rnd.IntN(3) == 0 {
			m.move(1 + m.rnd.IntN(2))
		}
		return nil
	}
	return m
}

// move makes n random changes to the pool and the chain.
func (m *poolModel) move(n int) {
	for range n {
		switch m.rnd.IntN(3) {
		case 0:
			pay := []chaintest.Payment{{To: owner(m.t), Amount: 1 + m.rnd.Uint64N(9)}}
			p, _ := m.c.Tx(chaintest.Spec{Pay: pay}, nil)
			m.pool = append(m.pool, p)
		case 1:
			m.c.Grow(1)
		default:
			n := m.rnd.IntN(len(m.pool) + 1)
			m.c.Include(m.pool[:n]...)
			m.pool = slices.Clone(m.pool[n:])
		}
	}
	m.src.SetPool(m.pool...)
}

// shown returns the payments that the wallet shows as mined and in the pool.
func (m *poolModel) shown() (mined, waiting map[xmr.Hash]bool) {
	mined, waiting = map[xmr.Hash]bool{}, map[xmr.Hash]bool{}
	m.s.View(func(w *wallet.Wallet) {
		for _, p := range w.Payments() {
			mined[p.TxID] = true
		}
		for _, p := range w.Pool() {
			waiting[p.TxID] = true
		}
	})
	return mined, waiting
}

func (m *poolModel) refresh() {
	m.t.Helper()
	_, err := m.s.Refresh(m.t.Context(), m.src, 0)
	require.NoError(m.t, err)
}

// TestShownPaymentsDoNotDisappear checks that no payment disappears once it was shown, whatever the order of requests,
// blocks and refreshes, and that each is shown correctly once nothing changes any more.
func TestShownPaymentsDoNotDisappear(t *testing.T) {
	for seed := range uint64(60) {
		m := newPoolModel(t, seed)
		before := map[xmr.Hash]bool{}
		for step := range 60 {
			m.move(m.rnd.IntN(3))
			if m.rnd.IntN(2) == 0 {
				require.NoError(t, m.s.RefreshPool(t.Context(), m.src))
			} else {
				m.refresh()
			}
			mined, waiting := m.shown()
			for id := range before {
				require.True(t, mined[id] || waiting[id], "seed %d, step %d: %s disappeared", seed, step, id)
			}
			for id := range mined {
				require.False(t, waiting[id], "seed %d, step %d: %s is shown twice", seed, step, id)
				before[id] = true
			}
			maps.Copy(before, waiting)
		}
		m.settle()
	}
}

// settle stops the changes: the pool is shown exactly, and payments dropped from it disappear once the chain was read.
func (m *poolModel) settle() {
	t := m.t
	t.Helper()
	m.src.Before = nil
	m.refresh()
	_, waiting := m.shown()
	require.Len(t, waiting, len(m.pool), "seed %d", m.seed)
	for _, p := range m.pool {
		require.True(t, waiting[p.ID], "seed %d", m.seed)
	}
	dropped := len(m.pool) > 0
	m.src.SetPool()
	require.NoError(t, m.s.RefreshPool(t.Context(), m.src))
	_, waiting = m.shown()
	require.Equal(t, dropped, len(waiting) > 0, "seed %d: a block that was not read may contain it", m.seed)
	m.refresh()
	_, waiting = m.shown()
	require.Empty(t, waiting, "seed %d: dropped transactions disappear", m.seed)
}

// TestSendDoesNotFailBeforeScan checks that a transaction missing from the pool for long does not fail before the
// blocks that may contain it are scanned.
func TestSendDoesNotFailBeforeScan(t *testing.T) {
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
	require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
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
		require.NotEqual(t, wallet.SendFailed, got, "its block is not scanned")
		require.False(t, mined)
	}
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	_, mined := state()
	require.True(t, mined)

	// A transaction in no block fails with the first refresh after the timeout.
	c.Grow(1)
	other := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 5}}})[1].Image
	c.Grow(int(xmr.SpendableAge) + 1)
	_, err = s.Refresh(ctx, src, 0)
	require.NoError(t, err)
	sent.TxID, sent.AmountIn, sent.SentAt = xmr.Hash{7}, 5, now
	sent.Rings = []wallet.Ring{{Image: other, Indices: []uint64{2}}}
	require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
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
