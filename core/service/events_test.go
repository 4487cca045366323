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

// timeout limits how long a test waits for events.
const timeout = 3 * time.Minute

// eventful is a service with a wallet that reads blocks only from the test.
func eventful(t *testing.T) (*Service, *openWallet, *keys.Keys) {
	t.Helper()
	s, err := New(Config{Network: xmr.Regtest, Random: rand.Reader, Now: func() uint64 { return 1000 }, Workers: 2},
		DaemonConfig{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	k, err := keys.FromSeed(chaintest.NewRandom("eventful").Bytes32())
	require.NoError(t, err)
	st := memoryStorage{journal.NewMemory()}
	opened, err := session.Create(st, nil, journal.WeakestKDF(),
		wallet.Identity{Network: xmr.Regtest, Keys: k, RestoreHeight: 1},
		wallet.Lookahead{Major: 2, Minor: 4}, s.config.host(""))
	require.NoError(t, err)
	require.NoError(t, s.replace(s.operations.files.track(nil, "", opened, st, "")))
	o, err := s.current()
	require.NoError(t, err)
	return s, o, k
}

// pages requests all events after cursor, limit at a time.
func pages(t *testing.T, s *Service, cursor, limit uint64) (out []walletrpc.Event) {
	t.Helper()
	for {
		r, err := rpc.Call(context.Background(), s.Registry(), walletrpc.GetEvents,
			walletrpc.GetEventsRequest{Cursor: cursor, Limit: limit})
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

// numbered returns the events that the wallet stores under a number, which excludes those about synchronisation.
func numbered(events []walletrpc.Event) (out []walletrpc.Event) {
	for _, e := range events {
		if e.TxID != "" {
			out = append(out, e)
		}
	}
	return out
}

// follow reads until the wallet closes.
func follow(f *EventStream) (out []walletrpc.Event, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
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

// TestReplayEqualsLive checks that clients get the same events, each once, whether they follow from the beginning,
// start later at any cursor, or request pages afterwards. The chain is reorganised in the meantime.
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
	l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 3}
	c := chaintest.New("replay", xmr.Regtest)
	src := chaintest.NewSource(c)
	src.Batch = 3
	for i := range 12 {
		c.GrowWith(l, 6)
		if i%4 == 3 {
			c = c.Fork(fmt.Sprint(i), c.Height()-12) // the wallet has read six of these
			c.GrowWith(l, 13)
			src.Switch(c)
		}
		_, err := o.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		watch(NewEventsOnly)
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
		got := numbered(r.events)
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

// TestSlowFollower checks that a client that does not read does not delay changes, and gets all events when it reads.
func TestSlowFollower(t *testing.T) {
	s, o, _ := eventful(t)
	f, err := s.Follow(0)
	require.NoError(t, err)
	const changes, each = 300, 10
	for range changes {
		require.NoError(t, o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return wallet.ChangeSet{Notices: wallet.NoticeChange{Add: make([]wallet.Notice, each)}}, nil, nil
		}))
	}
	seen := 0
	for seen < changes*each {
		events, err := f.Next(context.Background())
		require.NoError(t, err)
		for _, e := range numbered(events) {
			seen++
			require.EqualValues(t, seen, e.Cursor)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = f.Next(ctx)
	require.ErrorIs(t, err, context.Canceled, "nothing is left")
}

// TestLostEvents checks that a cursor that is too old or beyond the last event is reported as lost, together with the
// cursor to continue from.
func TestLostEvents(t *testing.T) {
	s, o, _ := eventful(t)
	add := func(n int) {
		require.NoError(t, o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return wallet.ChangeSet{Notices: wallet.NoticeChange{Add: make([]wallet.Notice, n)}}, nil, nil
		}))
	}
	ask := func(cursor uint64) walletrpc.GetEventsResponse {
		r, err := rpc.Call(context.Background(), s.Registry(), walletrpc.GetEvents,
			walletrpc.GetEventsRequest{Cursor: cursor, Limit: 2})
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
	require.EqualValues(t, newest+1, events[0].Cursor, "and continues from there")

	require.NoError(t, s.Close())
	_, err = s.Follow(0)
	require.Equal(t, walletrpc.Fail(walletrpc.CodeNotOpen, ""), err)
}

// TestProvingProgress checks that a wallet reports how far the proofs of a transaction are, and nothing after them.
func TestProvingProgress(t *testing.T) {
	_, o, _ := eventful(t)
	f := o.follow(NewEventsOnly)
	_, err := f.Next(t.Context())
	require.NoError(t, err, "the height")
	for _, percent := range []int{2, 40, 85} {
		o.SetProving(percent)
		events, err := f.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, []walletrpc.Event{{Type: walletrpc.EventProving, Percent: uint64(percent)}}, events)
	}
	o.SetProving(85)
	o.SetProving(0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = f.Next(ctx)
	require.ErrorIs(t, err, context.Canceled, "nothing is left")
}

// TestSyncProgress checks that a wallet reports its progress while it is behind, and the end of synchronisation.
func TestSyncProgress(t *testing.T) {
	s, o, _ := eventful(t)
	f, err := s.Follow(0)
	require.NoError(t, err)
	c := chaintest.New("progress", xmr.Regtest)
	c.Grow(20)
	src := chaintest.NewSource(c)
	src.Batch = 5
	var received []walletrpc.Event
	src.Before = func(ctx context.Context, call string) error {
		if call == "pool" {
			return nil
		}
		ctx, cancel := context.WithCancel(ctx)
		cancel() // the existing events, without waiting
		if events, err := f.Next(ctx); err == nil {
			received = append(received, events...)
		}
		return nil
	}
	_, err = o.Refresh(context.Background(), src, 0)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	atTop := func() bool {
		n := len(received)
		return n > 0 && received[n-1].Type == walletrpc.EventHeight && received[n-1].Height == c.Height()
	}
	for !atTop() {
		events, err := f.Next(ctx)
		require.NoError(t, err)
		received = append(received, events...)
	}
	last, synced := uint64(0), false
	for _, e := range received {
		require.GreaterOrEqual(t, e.Height, last)
		last = e.Height
		if e.Type == walletrpc.EventSync {
			require.Equal(t, c.Height(), e.TargetHeight)
			synced = e.Height == e.TargetHeight
		}
	}
	require.True(t, synced)
}

// TestEventStreamFollowsOnePath checks that a stream belongs to a path, and ends when the wallet is closed on that
// path, even if it stays open on another.
func TestEventStreamFollowsOnePath(t *testing.T) {
	m := newMany(t)
	for _, path := range []string{"/event", "/wallets/", "/wallets/a", "/wallets//events", "/wallets/a/events/",
		"/wallets/a/b/events", "/x/events"} {
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

// TestReceiversPosition checks that a new receiver begins with future events, and continues from its recorded position
// when the wallet is opened again.
func TestReceiversPosition(t *testing.T) {
	m := newMany(t)
	var opened []OpenedWallet
	reconfigure(m.plain, func(c *Config) { c.Opened = func(w OpenedWallet) { opened = append(opened, w) } })
	_, code := m.ask("/json_rpc", "create_wallet", `{"filename":"a","language":"English"}`)
	require.Zero(t, code)
	require.Len(t, opened, 1)
	w := opened[0]
	require.Equal(t, "a", w.Name())
	add := func() {
		require.NoError(t, w.o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
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
	require.Len(t, numbered(events), 4)
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

	// Opened is not called again when another service opens the same wallet.
	_, code = m.ask("/wallets/a/json_rpc", "open_wallet", `{}`)
	require.Zero(t, code)
	require.Len(t, opened, 2)
}

// TestFollowWithoutTheSpendKey checks that a stream continues while the spend key is absent and after it is back,
// with each event once.
func TestFollowWithoutTheSpendKey(t *testing.T) {
	s := onChain(t, newFolder())
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "a", Language: "English"})
	do(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
		BackgroundSyncType: "reuse-wallet-password", WalletPassword: "a"})
	o, err := s.current()
	require.NoError(t, err)
	spend, ok := o.Keys().SpendSecret()
	require.True(t, ok)
	k, err := keys.FromSecrets(spend, o.Keys().ViewSecret()) // the wallet's own copy is erased
	require.NoError(t, err)
	f, err := s.Follow(0)
	require.NoError(t, err)
	got := make(chan []walletrpc.Event)
	go func() {
		events, err := follow(f)
		if err != nil {
			t.Error(err)
		}
		got <- numbered(events)
	}()
	l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 2}
	c := chaintest.New("away", xmr.Regtest)
	src := chaintest.NewSource(c)
	live := func() {
		c.GrowWith(l, 15)
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
