package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

var (
	errHost = errors.New("the host fails")
	near    = wallet.Lookahead{Major: 2, Minor: 4}
)

func owner(t testing.TB) *keys.Keys {
	t.Helper()
	k, err := keys.FromSeed(chaintest.NewRandom("session").Bytes32())
	require.NoError(t, err)
	return k
}

func host() session.Host {
	return session.Host{Random: chaintest.NewRandom("host"), Now: func() uint64 { return 1000 }, Workers: 2}
}

func create(t testing.TB, st journal.Storage, h session.Host) *session.Session {
	t.Helper()
	o := wallet.Identity{Network: xmr.Regtest, Keys: owner(t), RestoreHeight: 1}
	s, err := session.Create(st, []byte("password"), journal.WeakestKDF(), o, near, h)
	require.NoError(t, err)
	return s
}

func open(t testing.TB, content []byte) *session.Session {
	t.Helper()
	s, err := session.Open(&journal.Memory{Content: slices.Clone(content)}, []byte("password"), host())
	require.NoError(t, err)
	return s
}

// state returns the stored state of a wallet. The order of sent transactions and frozen outputs is not fixed.
func state(t testing.TB, s *session.Session) (records [][]byte) {
	t.Helper()
	s.View(func(w *wallet.Wallet) {
		var err error
		records, err = w.Snapshot()
		require.NoError(t, err)
	})
	return records
}

// lively returns a chain with payments and spends, and a longer branch that forks in the middle.
func lively(t testing.TB, seed string, blocks int) (c, branch *chaintest.Chain) {
	t.Helper()
	l := &chaintest.Activity{Owner: owner(t), Accounts: 2, Subaddresses: 3, Burn: true}
	c = chaintest.New(seed, xmr.Regtest)
	c.GrowWith(l, blocks)
	branch = c.Fork(seed+" branch", uint64(blocks/2))
	branch.GrowWith(l, blocks)
	return c, branch
}

// journey refreshes along a chain, then along its branch; it is called again after every interruption until it
// finishes.
func journey(ctx context.Context, s *session.Session, src *chaintest.Source, c, branch *chaintest.Chain) error {
	src.Switch(c)
	if _, err := s.Refresh(ctx, src, 0); err != nil {
		return err
	}
	src.Switch(branch)
	_, err := s.Refresh(ctx, src, 0)
	return err
}

// TestCancelledAnywhere cancels a refresh at every request to the source and at every event, and resumes it: the
// result equals that of an uninterrupted one.
func TestCancelledAnywhere(t *testing.T) {
	c, branch := lively(t, "cancel", 24)
	calls, eventCount := 0, 0
	h := host()
	h.Event = func(wallet.HostEvent) { eventCount++ }
	whole := create(t, journal.NewMemory(), h)
	src := chaintest.NewSource(c)
	src.Batch = 5
	var mu sync.Mutex
	src.Before = func(context.Context, string) error { mu.Lock(); calls++; mu.Unlock(); return nil }
	require.NoError(t, journey(context.Background(), whole, src, c, branch))
	want := state(t, whole)
	require.Greater(t, calls, 10)
	require.Greater(t, eventCount, 10)

	interrupted := func(atCall, atEvent int64) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var calls, eventCount atomic.Int64
		h := host()
		h.Event = func(wallet.HostEvent) {
			if eventCount.Add(1) == atEvent {
				cancel()
			}
		}
		st := journal.NewMemory()
		s := create(t, st, h)
		src := chaintest.NewSource(c)
		src.Batch = 5
		src.Before = func(context.Context, string) error {
			if calls.Add(1) == atCall {
				cancel()
			}
			return nil
		}
		if err := journey(ctx, s, src, c, branch); err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		require.Equal(t, state(t, s), state(t, open(t, st.Content)), "visible changes are stored")
		require.False(t, s.Progress().Refreshing)
		_, err := s.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		src.Switch(branch)
		_, err = s.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		require.Equal(t, want, state(t, s), "call %d, event %d", atCall, atEvent)
		require.Equal(t, state(t, s), state(t, open(t, st.Content)))
	}
	for n := range calls {
		interrupted(int64(n+1), -1)
	}
	for n := range eventCount {
		interrupted(-1, int64(n+1))
	}
}

// TestSourceFails makes every request fail in turn: the error is returned, and committed changes stay.
func TestSourceFails(t *testing.T) {
	c, branch := lively(t, "fails", 12)
	for n := range int64(30) {
		st := journal.NewMemory()
		s := create(t, st, host())
		src := chaintest.NewSource(c)
		src.Batch = 5
		var calls atomic.Int64
		src.Before = func(context.Context, string) error {
			if calls.Add(1) == n+1 {
				return errHost
			}
			return nil
		}
		err := journey(context.Background(), s, src, c, branch)
		if calls.Load() > n {
			require.ErrorIs(t, err, errHost)
		}
		require.Equal(t, state(t, s), state(t, open(t, st.Content)))
		require.NoError(t, journey(context.Background(), s, chaintest.NewSource(branch), branch, branch))
	}
}

// TestNothingIsSeenBeforeItIsStored reads the wallet while its log is written: a change is stored before it is
// visible.
func TestNothingIsSeenBeforeItIsStored(t *testing.T) {
	c, branch := lively(t, "log first", 16)
	st := journal.NewMemory()
	var s *session.Session
	var visible [][]byte
	appends := 0
	st.Fault = func(op journal.Op, _ []byte) (int, error) {
		if op == journal.OpAppend && s != nil {
			appends++
			require.Equal(t, visible, state(t, s), "a change being written is not visible")
		}
		return 0, nil
	}
	h := host()
	h.Event = func(wallet.HostEvent) { // a visible change is stored: a copy of the file has the same state
		visible = state(t, s)
		require.Equal(t, visible, state(t, open(t, st.Content)))
	}
	s = create(t, st, h)
	visible = state(t, s)
	for range 60 {
		// One block at a time, so that every change is checked before the next begins.
		require.NoError(t, one(s, c))
		visible = state(t, s)
		if appends == 10 {
			c = branch
		}
	}
	require.Greater(t, appends, 20)
}

// one makes s follow c in a single change.
func one(s *session.Session, c *chaintest.Chain) error {
	var blocks []wallet.ScannedBlock
	return s.ChangeRetrying(context.Background(), func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		tip, begun := w.Tip()
		switch {
		case begun && (tip.Height >= c.Height() || c.Blocks[tip.Height].Hash != tip.Hash):
			change, events := w.DecideDetach(tip.Height, 0)
			return change, events, nil
		case w.Height() >= c.Height():
			return wallet.ChangeSet{}, nil, nil
		}
		if blocks == nil {
			var err error
			next := c.Blocks[w.Height() : w.Height()+1]
			blocks, err = syncer.Scan(context.Background(), w.Keys().ViewSecret(), next, syncer.Workers{})
			if err != nil {
				return wallet.ChangeSet{}, nil, err
			}
		}
		return w.DecideBlocks(blocks, c.Height()-1)
	})
}

// TestLogFails checks that a change that cannot be stored is not made, whatever part of it was written.
func TestLogFails(t *testing.T) {
	c, _ := lively(t, "log fails", 12)
	for _, written := range []int{0, 1, 20, 100} {
		st := journal.NewMemory()
		eventCount := 0
		h := host()
		h.Event = func(wallet.HostEvent) { eventCount++ }
		s := create(t, st, h)
		require.NoError(t, one(s, c))
		before, eventsBefore := state(t, s), eventCount
		st.Fault = func(op journal.Op, p []byte) (int, error) {
			if op == journal.OpAppend {
				return min(written, len(p)), errHost
			}
			return 0, nil
		}
		src := chaintest.NewSource(c)
		_, err := s.Refresh(context.Background(), src, 0)
		require.ErrorIs(t, err, errHost)
		label := func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			change, _ := w.DecideAccount("new")
			return change, []wallet.HostEvent{{}}, nil
		}
		require.ErrorIs(t, s.Change(label), errHost)
		require.Equal(t, before, state(t, s))
		require.Equal(t, eventsBefore, eventCount, "no event")
		require.Equal(t, before, state(t, open(t, st.Content)))

		st.Fault = nil
		require.NoError(t, s.Change(label))
		_, err = s.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		require.Equal(t, state(t, s), state(t, open(t, st.Content)))
	}

	// If the partial record cannot be removed, nothing is written after it.
	st := journal.NewMemory()
	s := create(t, st, host())
	st.Fault = func(journal.Op, []byte) (int, error) { return 0, errHost }
	require.ErrorIs(t, one(s, c), errHost)
	st.Fault = nil
	require.ErrorIs(t, one(s, c), journal.ErrBroken)
	s = open(t, st.Content)
	require.NoError(t, one(s, c))
}

// TestCrashAtAnyMoment copies the file after every change and within every write: each copy contains every acknowledged
// change.
func TestCrashAtAnyMoment(t *testing.T) {
	c, branch := lively(t, "crash", 10)
	st := journal.NewMemory()
	s := create(t, st, host())
	var previous []byte
	for i := range 30 {
		before := state(t, s)
		previous = slices.Clone(st.Content)
		if i == 15 {
			c = branch
		}
		if i%5 == 4 {
			require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
				change, _, err := w.DecideAddresses(0, 2, fmt.Sprint("address ", i))
				return change, nil, err
			}))
		} else {
			require.NoError(t, one(s, c))
		}
		require.Equal(t, state(t, s), state(t, open(t, st.Content)))
		added := len(st.Content) - len(previous)
		for _, n := range []int{0, 1, added / 3, added - 1} {
			if n >= 0 && n < added {
				require.Equal(t, before, state(t, open(t, st.Content[:len(previous)+n])), "%d of %d bytes", n, added)
			}
		}
	}
}

// TestReadersDuringRefresh reads from several goroutines during a refresh; it is meant for the race detector.
func TestReadersDuringRefresh(t *testing.T) {
	c, branch := lively(t, "readers", 30)
	s := create(t, journal.NewMemory(), host())
	src := chaintest.NewSource(c)
	src.Batch = 3
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				s.View(func(w *wallet.Wallet) {
					sum := uint64(0)
					for i := range w.Outputs() {
						if o := &w.Outputs()[i]; !w.IsSpent(o, true) {
							sum += o.Amount
						}
					}
					total := uint64(0)
					for major := range w.Accounts() {
						total += w.AccountBalance(major, true, 0).Total
					}
					if total != sum {
						t.Errorf("a balance of %d for outputs of %d", total, sum)
					}
				})
				s.Progress()
			}
		})
	}
	require.NoError(t, journey(context.Background(), s, src, c, branch))
	close(done)
	readers.Wait()
	require.Equal(t, session.Progress{Height: branch.Height(), Target: branch.Height()}, s.Progress())
}

// TestChainSwitchDuringRefresh changes the source's chain between any two requests of a refresh.
func TestChainSwitchDuringRefresh(t *testing.T) {
	c, branch := lively(t, "under way", 24)
	for n := range int64(20) {
		s := create(t, journal.NewMemory(), host())
		src := chaintest.NewSource(c)
		src.Batch = 4
		var calls atomic.Int64
		src.Before = func(context.Context, string) error {
			if calls.Add(1) == n {
				src.Switch(branch)
			}
			return nil
		}
		_, err := s.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		src.Switch(branch)
		_, err = s.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		s.View(func(w *wallet.Wallet) {
			tip, _ := w.Tip()
			require.Equal(t, branch.Blocks[branch.Height()-1].Hash, tip.Hash)
		})
	}
}

// TestPool checks which events pool transactions cause, which transactions are kept, and that a block removes them.
func TestPool(t *testing.T) {
	c := chaintest.New("pool", xmr.Regtest)
	var events []wallet.HostEvent
	h := host()
	h.Event = func(e wallet.HostEvent) { events = append(events, e) }
	st := journal.NewMemory()
	s := create(t, st, h)
	src := chaintest.NewSource(c)
	mine, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 5}}}, nil)
	theirs, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{Amount: 5}}}, nil)
	src.SetPool(theirs, mine)
	pool := func() (n int) {
		s.View(func(w *wallet.Wallet) { n = len(w.Pool()) })
		return n
	}
	for range 3 {
		require.NoError(t, s.RefreshPool(context.Background(), src))
		require.Equal(t, 1, pool())
		require.Len(t, events, 1)
	}
	require.Equal(t, wallet.MoneyInPool, events[0].Kind)
	noticed := func() (kinds []wallet.NoticeKind) {
		s.View(func(w *wallet.Wallet) {
			list, ok := w.Notices(0, 100)
			require.True(t, ok)
			for _, n := range list {
				kinds = append(kinds, n.Kind)
			}
		})
		return kinds
	}
	require.Equal(t, []wallet.NoticeKind{wallet.NoticePool}, noticed())
	s.ForgetPool()
	require.NoError(t, s.RefreshPool(context.Background(), src))
	require.Equal(t, []wallet.NoticeKind{wallet.NoticePool}, noticed(), "once")
	events = events[:1]
	base := c.Fork("other", 1)
	c.Include(mine)
	src.SetPool(theirs)
	_, err := s.Refresh(context.Background(), src, 0)
	require.NoError(t, err)
	require.Zero(t, pool())
	require.Equal(t, wallet.MoneyReceived, events[1].Kind)

	// The block is dropped, and the payment returns to the pool.
	base.Grow(3)
	src.Switch(base)
	src.SetPool(theirs, mine)
	_, err = s.Refresh(context.Background(), src, 0)
	require.NoError(t, err)
	require.Equal(t, 1, pool())
	require.Equal(t, []wallet.HostEventKind{wallet.Reorganised, wallet.MoneyInPool}, []wallet.HostEventKind{
		events[2].Kind, events[3].Kind,
	})
	require.Equal(t,
		[]wallet.NoticeKind{wallet.NoticePool, wallet.NoticeConfirmed, wallet.NoticeReorganised, wallet.NoticePool},
		noticed())
	require.Equal(t, state(t, s), state(t, open(t, st.Content)))
}

// TestPoolBeforeItsBlockIsDropped has a transaction in the pool while its block is still on the chain: once the block
// is dropped, it is shown like any other.
func TestPoolBeforeItsBlockIsDropped(t *testing.T) {
	k := owner(t)
	c := chaintest.New("back", xmr.Regtest)
	made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 100}}})
	c.Grow(12)
	branch := c.Fork("another way", c.Height())
	var image xmr.KeyImage
	for _, m := range made {
		if m.Owner != nil {
			image = m.Image
		}
	}
	back, _ := c.Tx(chaintest.Spec{
		Spend: []xmr.KeyImage{image}, Fee: 1, Pay: []chaintest.Payment{{To: k, Amount: 60}, {Amount: 39}},
	}, nil)
	c.Include(back)
	branch.Grow(3)

	src := chaintest.NewSource(c)
	s := create(t, journal.NewMemory(), host())
	refresh := func(s *session.Session) (balance wallet.Balance) {
		_, err := s.Refresh(t.Context(), src, 0)
		require.NoError(t, err)
		s.View(func(w *wallet.Wallet) { balance = w.AccountBalance(0, false, 1000) })
		return balance
	}
	refresh(s)
	src.SetPool(back)
	refresh(s)
	src.Switch(branch)
	straight := create(t, journal.NewMemory(), host())
	require.Equal(t, refresh(straight), refresh(s))
}

// TestSightingIsStoredFirst checks that a pool transaction whose notice cannot be logged is not shown, and is found
// by the next refresh.
func TestSightingIsStoredFirst(t *testing.T) {
	c := chaintest.New("sighting", xmr.Regtest)
	st := journal.NewMemory()
	s := create(t, st, host())
	src := chaintest.NewSource(c)
	paid, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 5}}}, nil)
	src.SetPool(paid)
	st.Fault = func(journal.Op, []byte) (int, error) { return 0, errHost }
	require.Error(t, s.RefreshPool(context.Background(), src))
	s.View(func(w *wallet.Wallet) { require.Empty(t, w.Pool()) })
	st.Fault = nil
	s = open(t, st.Content)
	news := s.Changed()
	require.NoError(t, s.RefreshPool(context.Background(), src))
	<-news
	s.View(func(w *wallet.Wallet) {
		require.Len(t, w.Pool(), 1)
		require.EqualValues(t, 1, w.LastNotice())
	})
}

// TestRestoreHeight checks that scanning starts at the given block, even if the daemon has fewer blocks.
func TestRestoreHeight(t *testing.T) {
	c, _ := lively(t, "restore", 20)
	for _, from := range []uint64{0, 1, 2, 10, 20, 21, 500} {
		s := create(t, journal.NewMemory(), host())
		src := chaintest.NewSource(c)
		src.Batch = 4
		r, err := s.Refresh(context.Background(), src, from)
		require.NoError(t, err)
		first := max(from, 1)
		require.Equal(t, c.Height()-min(c.Height(), first), r.Blocks, "from %d", from)
		s.View(func(w *wallet.Wallet) {
			_, ok := w.BlockAt(first)
			require.Equal(t, first < c.Height(), ok)
			_, ok = w.BlockAt(first - 1)
			require.False(t, ok)
		})
	}
}

func TestOpenAndClose(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	require.NoError(t, s.CheckPassword(t.Context(), []byte("password")))
	require.ErrorIs(t, s.CheckPassword(t.Context(), []byte("other")), session.ErrPassword)
	_, err := session.Open(&journal.Memory{Content: st.Content}, []byte("other"), host())
	require.ErrorIs(t, err, session.ErrPassword)
	_, err = session.Create(st, nil, journal.WeakestKDF(), wallet.Identity{
		Network: xmr.Regtest, Keys: owner(t),
	}, near, host())
	require.ErrorIs(t, err, journal.ErrExists)
	want := state(t, s)
	require.NoError(t, s.Store())
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	c, _ := lively(t, "closed", 4)
	require.ErrorIs(t, one(s, c), session.ErrClosed)
	require.ErrorIs(t, s.Store(), session.ErrClosed)
	require.Equal(t, want, state(t, s), "a closed wallet can still be read")
	require.Equal(t, want, state(t, open(t, st.Content)))
}

// TestStoredBeforeRelay checks that when Change has returned, a copy of the file has the transaction with its ring
// and reserved inputs; after a failed write there is nothing to submit.
func TestStoredBeforeRelay(t *testing.T) {
	c := chaintest.New("relay", xmr.Regtest)
	image := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: owner(t), Amount: 5}}})[1].Image
	c.Grow(10)
	st := journal.NewMemory()
	s := create(t, st, host())
	_, err := s.Refresh(context.Background(), chaintest.NewSource(c), 0)
	require.NoError(t, err)
	sent := wallet.Sent{
		TxID: xmr.Hash{1}, Blob: []byte{1}, Key: keys.Secret{7}, SentAt: 1000,
		Rings: []wallet.Ring{{Image: image, Indices: []uint64{1, 2, 3}}},
	}
	record := func() error {
		return s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			change, err := w.DecideSend(sent, 1000)
			return change, nil, err
		})
	}
	fail := true
	st.Fault = func(op journal.Op, _ []byte) (int, error) {
		if fail && op == journal.OpAppend {
			return 3, errHost
		}
		return 0, nil
	}
	require.ErrorIs(t, record(), errHost)
	s.View(func(w *wallet.Wallet) { require.Empty(t, w.Unmined()) })
	fail = false
	require.NoError(t, record())
	open(t, st.Content).View(func(w *wallet.Wallet) {
		got, ok := w.SentTx(sent.TxID)
		require.True(t, ok)
		require.Equal(t, sent.Key, got.Key)
		require.Equal(t, sent.Blob, got.Blob)
		require.Equal(t, []uint64{1, 2, 3}, w.KnownRing(image))
		_, err := w.DecideSend(wallet.Sent{TxID: xmr.Hash{2}, Rings: sent.Rings}, 1000)
		require.ErrorIs(t, err, wallet.ErrInputs)
	})
}
