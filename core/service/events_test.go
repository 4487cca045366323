package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// patience is the deadline of whatever a test waits for.
const patience = 3 * time.Minute

// eventful is a service with a wallet that no daemon feeds but a chain of the test.
func eventful(t *testing.T) (*Service, *open, *keys.Keys) {
	t.Helper()
	s, err := New(Config{Network: xmr.Regtest, Random: rand.Reader, Now: func() uint64 { return 1000 }, Workers: 2}, DaemonConfig{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	k, err := keys.FromSeed(chaintest.NewRandom("eventful").Bytes32())
	require.NoError(t, err)
	st := memory{journal.NewMemory()}
	opened, err := session.Create(st, nil, journal.WeakestKDF(), wallet.Origin{Network: xmr.Regtest, Keys: k, RestoreHeight: 1},
		wallet.Lookahead{Major: 2, Minor: 4}, s.host(""))
	require.NoError(t, err)
	require.NoError(t, s.replace(s.opened(nil, "", opened, st, "")))
	o, err := s.current()
	require.NoError(t, err)
	return s, o, k
}

// pages asks for all events after cursor, limit at a time.
func pages(t *testing.T, s *Service, cursor, limit uint64) (out []walletrpc.Event) {
	t.Helper()
	for {
		r, err := rpc.Call(context.Background(), s.Registry(), walletrpc.GetEvents, walletrpc.GetEventsRequest{Cursor: cursor, Limit: limit})
		require.NoError(t, err)
		require.False(t, r.Lost)
		require.LessOrEqual(t, len(r.Events), int(limit))
		out = append(out, r.Events...)
		if len(r.Events) == 0 {
			require.Equal(t, cursor, r.Cursor)
			return out
		}
		cursor = r.Cursor
	}
}

// lasting are the events with a number of their own.
func lasting(events []walletrpc.Event) (out []walletrpc.Event) {
	for _, e := range events {
		if e.TxID != "" {
			out = append(out, e)
		}
	}
	return out
}

// follow reads until the wallet closes.
func follow(f *Follower) (out []walletrpc.Event, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		events, err := f.Next(ctx)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, events...)
	}
}

// TestReplayEqualsLive: who follows from the beginning, who comes in the middle with any cursor, and who asks for pages afterwards all get
// the same events, each once, whatever the chain does meanwhile.
func TestReplayEqualsLive(t *testing.T) {
	s, o, k := eventful(t)
	type result struct {
		from   uint64
		events []walletrpc.Event
		err    error
	}
	results := make(chan result, 100)
	var group sync.WaitGroup
	watch := func(from uint64) {
		f, err := s.Follow(from)
		require.NoError(t, err)
		from = f.Cursor()
		group.Go(func() {
			events, err := follow(f)
			results <- result{from, events, err}
		})
	}
	watch(0)
	l := &chaintest.Life{Owner: k, Accounts: 2, Minors: 3}
	c := chaintest.New("replay", xmr.Regtest)
	src := chaintest.NewSource(c)
	src.Batch = 3
	for i := range 12 {
		c.Live(l, 6)
		if i%4 == 3 {
			c = c.Fork(fmt.Sprint(i), c.Height()-12) // six of these the wallet has seen
			c.Live(l, 13)
			src.Switch(c)
		}
		_, err := o.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		watch(FromNow)
		watch(uint64(i * i))
	}
	all := pages(t, s, 0, 1000)
	require.Greater(t, len(all), 100)
	for i, e := range all {
		require.EqualValues(t, i+1, e.Cursor)
	}
	require.Equal(t, all, pages(t, s, 0, 7))
	require.NoError(t, s.Close())
	group.Wait()
	close(results)
	n := 0
	for r := range results {
		n++
		require.NoError(t, r.err)
		got := lasting(r.events)
		require.Equal(t, len(all)-int(r.from), len(got))
		if len(got) > 0 {
			require.Equal(t, all[r.from:], got)
		}
		last := r.events[len(r.events)-1]
		require.Equal(t, walletrpc.Event{Type: walletrpc.EventClosed, Cursor: uint64(len(all))}, last)
		require.Equal(t, walletrpc.EventHeight, r.events[len(r.events)-2].Type)
		require.Equal(t, c.Height(), r.events[len(r.events)-2].Height)
	}
	require.Equal(t, 25, n)
	kinds := map[string]int{}
	for _, e := range all {
		kinds[e.Type+" "+e.Direction]++
	}
	for _, kind := range []string{"confirmed in", "confirmed out", "unlocked in", "reorganised in"} {
		require.Positive(t, kinds[kind], kind)
	}
}

// TestSlowFollower: one that does not read holds up nobody, and finds everything when it does.
func TestSlowFollower(t *testing.T) {
	s, o, _ := eventful(t)
	f, err := s.Follow(0)
	require.NoError(t, err)
	const changes, each = 300, 10
	for range changes {
		require.NoError(t, o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return wallet.ChangeSet{Notices: wallet.NoticeChange{Add: make([]wallet.Notice, each)}}, nil, nil
		}))
	}
	seen := 0
	for seen < changes*each {
		events, err := f.Next(context.Background())
		require.NoError(t, err)
		for _, e := range lasting(events) {
			seen++
			require.EqualValues(t, seen, e.Cursor)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = f.Next(ctx)
	require.ErrorIs(t, err, context.Canceled, "nothing is left")
}

// TestLostEvents: a cursor that is too old, or of another wallet, is told so, with where to go on.
func TestLostEvents(t *testing.T) {
	s, o, _ := eventful(t)
	add := func(n int) {
		require.NoError(t, o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return wallet.ChangeSet{Notices: wallet.NoticeChange{Add: make([]wallet.Notice, n)}}, nil, nil
		}))
	}
	ask := func(cursor uint64) walletrpc.GetEventsResponse {
		r, err := rpc.Call(context.Background(), s.Registry(), walletrpc.GetEvents, walletrpc.GetEventsRequest{Cursor: cursor, Limit: 2})
		require.NoError(t, err)
		return r
	}
	add(wallet.KeptNotices)
	require.Len(t, ask(0).Events, 2)
	f, err := s.Follow(3)
	require.NoError(t, err)
	add(5)
	const newest = wallet.KeptNotices + 5
	for _, cursor := range []uint64{0, 4, newest + 1, ^uint64(0)} {
		require.Equal(t, walletrpc.GetEventsResponse{Cursor: newest, Lost: true}, ask(cursor), "%d", cursor)
	}
	require.Len(t, ask(5).Events, 2)
	require.Equal(t, walletrpc.GetEventsResponse{Cursor: newest}, ask(newest))
	events, err := f.Next(context.Background())
	require.NoError(t, err)
	require.Equal(t, []walletrpc.Event{{Type: walletrpc.EventLost, Cursor: newest}}, events)
	add(1)
	events, err = f.Next(context.Background())
	require.NoError(t, err)
	require.EqualValues(t, newest+1, events[0].Cursor, "and goes on from there")

	require.NoError(t, s.Close())
	_, err = s.Follow(0)
	require.Equal(t, walletrpc.Fail(walletrpc.CodeNotOpen, ""), err)
}

// TestSyncProgress: a wallet that is behind says how far it has come, and that it is no more.
func TestSyncProgress(t *testing.T) {
	s, o, _ := eventful(t)
	f, err := s.Follow(0)
	require.NoError(t, err)
	c := chaintest.New("progress", xmr.Regtest)
	c.Grow(20)
	src := chaintest.NewSource(c)
	src.Batch = 5
	var told []walletrpc.Event
	src.Before = func(ctx context.Context, call string) error {
		if call == "pool" {
			return nil
		}
		ctx, cancel := context.WithCancel(ctx)
		cancel() // what there is, without waiting
		if events, err := f.Next(ctx); err == nil {
			told = append(told, events...)
		}
		return nil
	}
	_, err = o.Refresh(context.Background(), src, 0)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for len(told) == 0 || told[len(told)-1].Type != walletrpc.EventHeight || told[len(told)-1].Height != c.Height() {
		events, err := f.Next(ctx)
		require.NoError(t, err)
		told = append(told, events...)
	}
	last, synced := uint64(0), false
	for _, e := range told {
		require.GreaterOrEqual(t, e.Height, last)
		last = e.Height
		if e.Type == walletrpc.EventSync {
			require.Equal(t, c.Height(), e.TargetHeight)
			synced = e.Height == e.TargetHeight
		}
	}
	require.True(t, synced)
}

// TestFollowOneOfMany: a stream belongs to a path, and ends when the path's wallet does, not before and not later.
func TestFollowOneOfMany(t *testing.T) {
	m := newMany(t)
	for _, path := range []string{"/event", "/wallets/", "/wallets/a", "/wallets//events", "/wallets/a/events/", "/wallets/a/b/events", "/x/events"} {
		_, err := m.Follow(path, 0)
		require.ErrorIs(t, err, rpc.ErrNoPath, path)
	}
	for _, path := range []string{"/events", "/wallets/a/events"} {
		_, err := m.Follow(path, 0)
		require.Equal(t, walletrpc.Fail(walletrpc.CodeNotOpen, ""), err, path)
	}
	_, code := m.ask("/wallets/a/json_rpc", "create_wallet", `{"language":"English"}`)
	require.Zero(t, code)
	_, code = m.ask("/json_rpc", "open_wallet", `{"filename":"a"}`)
	require.Zero(t, code)
	type end struct {
		path   string
		events []walletrpc.Event
	}
	ends := make(chan end)
	for _, path := range []string{"/events", "/wallets/a/events"} {
		f, err := m.Follow(path, 0)
		require.NoError(t, err)
		go func() {
			events, err := follow(f)
			if err != nil {
				t.Error(err)
			}
			ends <- end{path, events}
		}()
	}
	for _, path := range []string{"/events", "/wallets/a/events"} {
		_, code = m.ask(strings.TrimSuffix(path, "events")+"json_rpc", "close_wallet", `{}`)
		require.Zero(t, code)
		e := <-ends
		require.Equal(t, path, e.path)
		require.Equal(t, walletrpc.EventClosed, e.events[len(e.events)-1].Type)
	}
}

// TestReceiversPosition: a receiver begins when it is first known, and goes on where it was when the wallet is opened again.
func TestReceiversPosition(t *testing.T) {
	m := newMany(t)
	var opened []Opened
	m.plain.config.Opened = func(w Opened) { opened = append(opened, w) }
	_, code := m.ask("/json_rpc", "create_wallet", `{"filename":"a","language":"English"}`)
	require.Zero(t, code)
	require.Len(t, opened, 1)
	w := opened[0]
	require.Equal(t, "a", w.Name())
	add := func() {
		require.NoError(t, w.o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return wallet.ChangeSet{Notices: wallet.NoticeChange{Add: make([]wallet.Notice, 3)}}, nil, nil
		}))
	}
	position := func(name string, want uint64) {
		t.Helper()
		at, err := w.Position(name)
		require.NoError(t, err)
		require.Equal(t, want, at)
	}
	position("early", 0)
	add()
	position("early", 0)
	position("late", 3)
	add()
	require.NoError(t, w.Delivered("early", 2))
	events, err := w.Follow(2).Next(context.Background())
	require.NoError(t, err)
	require.Len(t, lasting(events), 4)
	_, code = m.ask("/json_rpc", "close_wallet", `{}`)
	require.Zero(t, code)
	<-w.Context().Done()
	require.ErrorIs(t, w.Delivered("early", 6), session.ErrClosed)

	_, code = m.ask("/json_rpc", "open_wallet", `{"filename":"a"}`)
	require.Zero(t, code)
	require.Len(t, opened, 2)
	w = opened[1]
	position("early", 2)
	position("late", 3)
	position("new", 6)

	// It is one wallet however many have it open.
	_, code = m.ask("/wallets/a/json_rpc", "open_wallet", `{}`)
	require.Zero(t, code)
	require.Len(t, opened, 2)
}

// TestFollowWithoutTheSpendKey: a stream goes on while the spend key is away and when it is back, each event once.
func TestFollowWithoutTheSpendKey(t *testing.T) {
	s := onChain(t, &folder{files: map[string]*shelf{}})
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "a", Language: "English"})
	do(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
		BackgroundSyncType: "reuse-wallet-password", WalletPassword: "a"})
	o, err := s.current()
	require.NoError(t, err)
	spend, ok := o.Keys().SpendSecret()
	require.True(t, ok)
	k, err := keys.FromSecrets(spend, o.Keys().ViewSecret()) // the wallet's own are wiped
	require.NoError(t, err)
	f, err := s.Follow(0)
	require.NoError(t, err)
	got := make(chan []walletrpc.Event)
	go func() {
		events, err := follow(f)
		if err != nil {
			t.Error(err)
		}
		got <- lasting(events)
	}()
	l := &chaintest.Life{Owner: k, Accounts: 2, Minors: 2}
	c := chaintest.New("away", xmr.Regtest)
	src := chaintest.NewSource(c)
	live := func() {
		c.Live(l, 15)
		_, err := o.Refresh(t.Context(), src, 0)
		require.NoError(t, err)
	}
	live()
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	live()
	away := pages(t, s, 0, 100)
	require.Equal(t, k.SpendPublic, o.Keys().SpendPublic)
	do(t, s, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{WalletPassword: "a"})
	live()
	all := pages(t, s, 0, 100)
	require.Greater(t, len(all), len(away))
	require.Equal(t, away, all[:len(away)])
	require.NoError(t, s.Close())
	require.Equal(t, all, <-got)
}
