package scenario

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc/digest"
)

// event is an event as a client receives it.
type event struct {
	Cursor    uint64 `json:"cursor"`
	Type      string `json:"type"`
	Direction string `json:"direction"`
	TxID      string `json:"txid"`
	Address   string `json:"address"`
	Amount    uint64 `json:"amount"`
	Height    uint64 `json:"height"`
}

// watcher reads the event stream of a service like a browser: after a broken connection it requests the events after
// the last one that it has.
type watcher struct {
	t    *testing.T
	mu   sync.Mutex
	all  []event
	last string // Last-Event-ID
	cut  func()
	done chan struct{}
}

// connect continues after the last event.
func (w *watcher) connect(c *command) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}} // a login is valid on its connection
	user, password, _ := strings.Cut(login, ":")
	login := digest.NewClient(digest.NewLogin(user, password), rand.Reader)
	var resp *http.Response
	for range 2 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL+"/events", nil)
		require.NoError(w.t, err)
		w.mu.Lock()
		req.Header.Set("Last-Event-ID", w.last)
		w.mu.Unlock()
		proof, err := login.Authorize(http.MethodGet, "/events")
		require.NoError(w.t, err)
		if proof != "" {
			req.Header.Set("Authorization", proof)
		}
		resp, err = client.Do(req)
		require.NoError(w.t, err)
		if resp.StatusCode != http.StatusUnauthorized {
			break
		}
		login.Challenge(resp.Header.Values("Www-Authenticate"))
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(w.t, err)
		require.NoError(w.t, resp.Body.Close())
	}
	require.Equal(w.t, http.StatusOK, resp.StatusCode)
	require.Equal(w.t, "text/event-stream", resp.Header.Get("Content-Type"))
	done := make(chan struct{})
	w.done = done
	w.cut = func() { cancel(); <-done; client.CloseIdleConnections() }
	go func() {
		defer close(done)
		defer resp.Body.Close()
		w.read(resp.Body)
	}()
}

func (w *watcher) read(r io.Reader) {
	id := ""
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return // an incomplete line of a broken connection
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			id = value
		case "data":
			var e event
			if err := json.Unmarshal([]byte(value), &e); err != nil {
				w.t.Errorf("%v: %s", err, value)
			}
			w.mu.Lock()
			w.last = id
			w.all = append(w.all, e)
			w.mu.Unlock()
		}
	}
}

// seen returns the events of one transaction in short form.
func (w *watcher) seen(txID string) (out []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.all {
		if e.TxID == txID {
			out = append(out, e.Type+" "+e.Direction)
		}
	}
	return out
}

// lasting returns the events of transfers.
func (w *watcher) lasting() (out []event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.all {
		if e.TxID != "" {
			out = append(out, e)
		}
	}
	return out
}

// history returns all events of a wallet, read in small parts.
func history(t *testing.T, c caller) (all []event) {
	t.Helper()
	for cursor := uint64(0); ; {
		page := call[struct {
			Events []event
			Cursor uint64
			Lost   bool
		}](t, c, "get_events", object{"cursor": cursor, "limit": 5})
		require.False(t, page.Lost)
		if cursor = page.Cursor; len(page.Events) == 0 {
			return all
		}
		all = append(all, page.Events...)
	}
}

// TestEventsOfAPayment: a payment enters the pool, is confirmed and unlocked, is reorganised away and returns, while
// one client listens continuously and another reconnects, and the service is killed. Both clients get every event once.
func TestEventsOfAPayment(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	payer := newGlim(t, d.URL, options{})
	restore(t, payer, "bob", bob)
	refresh(t, payer)
	dir := t.TempDir()
	c := start(t, d, dir)
	restore(t, c, "alice", alice)
	refresh(t, c)
	require.Len(t, history(t, c), 40, "20 rewards, confirmed and unlocked")

	steady, reconnecting := &watcher{t: t, last: "0"}, &watcher{t: t, last: "0"}
	steady.connect(c)
	reconnecting.connect(c)
	t.Cleanup(func() { steady.cut() })
	expect := func(id string, events ...string) {
		t.Helper()
		refresh(t, c)
		until(t, func() bool { return len(steady.seen(id)) >= len(events) })
		require.Equal(t, events, steady.seen(id))
	}
	paid := pay(t, payer, []destination{{at(t, alice, 0, 3), 2 * coin}}, nil)
	expect(paid.TxHash, "pool in")
	first, _ := chainTop(t, d)
	reconnecting.cut()
	mine(t, d, 1, at(t, nobody, 0, 0))
	expect(paid.TxHash, "pool in", "confirmed in")
	reconnecting.connect(c)
	mine(t, d, 8, at(t, nobody, 0, 0))
	expect(paid.TxHash, "pool in", "confirmed in")
	mine(t, d, 1, at(t, nobody, 0, 0))
	expect(paid.TxHash, "pool in", "confirmed in", "unlocked in")
	e := steady.lasting()[len(steady.lasting())-1]
	require.Equal(t,
		event{
			Cursor: 43, Type: "unlocked", Direction: "in", TxID: paid.TxHash, Address: at(t, alice, 0, 3),
			Amount: 2 * coin, Height: first,
		},
		e)
	reconnecting.cut()

	// The chain is reorganised, and the service is killed before the second client learns of it.
	fork(t, d, first, at(t, nobody, 0, 0))
	expect(paid.TxHash, "pool in", "confirmed in", "unlocked in", "reorganised in", "pool in")
	c.kill()
	<-steady.done
	c = start(t, d, dir)
	do(t, c, "open_wallet", object{"filename": "alice", "password": ""})
	reconnecting.connect(c)
	steady.connect(c)
	mine(t, d, 1, at(t, nobody, 0, 0))
	expect(paid.TxHash, "pool in", "confirmed in", "unlocked in", "reorganised in", "pool in", "confirmed in")

	// Payments to itself; a rescan repeats no events.
	sent := pay(t, c, []destination{{at(t, bob, 0, 1), coin}, {at(t, alice, 1, 0), coin}}, nil)
	expect(sent.TxHash, "pool out", "pool in")
	mine(t, d, 1, at(t, nobody, 0, 0))
	expect(sent.TxHash, "pool out", "pool in", "confirmed out", "confirmed in")
	all := history(t, c)
	do(t, c, "rescan_blockchain", nil)
	refresh(t, c)
	require.Equal(t, all, history(t, c))
	for i, e := range all {
		require.EqualValues(t, i+1, e.Cursor)
	}

	do(t, c, "close_wallet", nil)
	<-steady.done
	<-reconnecting.done
	for name, w := range map[string]*watcher{"steady": steady, "reconnecting": reconnecting} {
		require.Equal(t, all, w.lasting(), name)
		require.Equal(t, "closed", w.all[len(w.all)-1].Type, name)
	}
	require.Equal(t, fmt.Sprint(len(all)), reconnecting.last)
}
