package scenario

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native/webhook"
)

// desk is the web service of a shop.
type desk struct {
	t      *testing.T
	secret []byte
	mu     sync.Mutex
	closed bool // it answers with a failure
	tries  int  // since then
	took   []told
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the sender was killed meanwhile
	}
	var got struct {
		Wallet string
		Event  told
	}
	if err := webhook.Verify(d.secret, r.Header, body, time.Now()); err != nil {
		d.t.Errorf("%v: %s", err, body)
	}
	if err := json.Unmarshal(body, &got); err != nil || got.Wallet != "alice" {
		d.t.Errorf("%v: %s", err, body)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tries++; d.closed {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if got.Event.TxID == "" {
		return
	}
	// The last one may come again when its sender was killed before it could note that it was taken.
	if n := len(d.took); n == 0 || d.took[n-1] != got.Event {
		d.took = append(d.took, got.Event)
	}
}

func (d *desk) set(closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed, d.tries = closed, 0
}

func (d *desk) state() (took []told, tries int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.took, d.tries
}

// TestWebhook: a shop is told of a payment, fails for a while, and the service is killed and started again in between.
// The shop gets every event since it was known, in order.
func TestWebhook(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	payer := newGlim(t, d.URL, options{})
	restore(t, payer, "bob", bob)
	refresh(t, payer)
	dir := t.TempDir()
	before := start(t, d, dir)
	restore(t, before, "alice", alice)
	refresh(t, before)
	known := len(history(t, before))
	before.kill()

	shop := &desk{t: t, secret: []byte("only the shop and the wallet know")}
	server := httptest.NewServer(shop)
	t.Cleanup(server.Close)
	secretFile := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secretFile, append(shop.secret, '\n'), 0o600))
	hook := []string{"--webhook-url", server.URL + "/paid?token=hidden", "--webhook-secret-file", secretFile}
	open := object{"filename": "alice", "password": ""}
	c := start(t, d, dir, hook...)
	do(t, c, "open_wallet", open)
	taken := func(n int) {
		t.Helper()
		refresh(t, c)
		until(t, func() bool { took, _ := shop.state(); return len(took) >= n })
	}
	paid := pay(t, payer, []destination{{at(t, alice, 0, 2), 3 * coin}}, nil)
	taken(1)
	took, _ := shop.state()
	require.Equal(t, told{Cursor: uint64(known) + 1, Type: "pool", Direction: "in", TxID: paid.TxHash, Address: at(t, alice, 0, 2), Amount: 3 * coin}, took[0])

	shop.set(true)
	mine(t, d, 10, at(t, nobody, 0, 0))
	refresh(t, c)
	until(t, func() bool { _, tries := shop.state(); return tries >= 3 })
	c.kill()
	shop.set(false)
	c = start(t, d, dir, hook...)
	do(t, c, "open_wallet", open)
	taken(3)

	// Ended in order, nothing comes again.
	do(t, c, "stop_wallet", nil)
	<-c.ended
	require.Zero(t, c.cmd.ProcessState.ExitCode())
	c = start(t, d, dir, hook...)
	do(t, c, "open_wallet", open)
	pay(t, payer, []destination{{at(t, alice, 0, 2), coin}}, nil)
	taken(4)
	took, _ = shop.state()
	require.Equal(t, history(t, c)[known:], took)
}
