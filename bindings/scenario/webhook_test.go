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

// webhookReceiver is the web service of a shop.
type webhookReceiver struct {
	t      *testing.T
	secret []byte
	mu     sync.Mutex
	closed bool // it answers with an error
	tries  int  // requests since then
	took   []event
}

func (d *webhookReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the service was killed meanwhile
	}
	var got struct {
		Wallet string
		Event  event
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
	// The last event may be repeated if the service was killed before it recorded the delivery.
	if n := len(d.took); n == 0 || d.took[n-1] != got.Event {
		d.took = append(d.took, got.Event)
	}
}

func (d *webhookReceiver) set(closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed, d.tries = closed, 0
}

func (d *webhookReceiver) state() (took []event, tries int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.took, d.tries
}

// TestWebhookForBTCPay: a webhook with GET requests passes each transaction ID, like a command of --tx-notify, when it
// enters the pool and when it is mined. Such requests are not signed, so that no secret is needed.
func TestWebhookForBTCPay(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	payer := newGlim(t, d.URL, options{})
	restore(t, payer, "bob", bob)
	refresh(t, payer)
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.RequestURI)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	before := start(t, d, dir) // so that earlier events are not sent
	restore(t, before, "alice", alice)
	refresh(t, before)
	do(t, before, "stop_wallet", nil)
	<-before.ended
	const path = "/monerolikedaemoncallback/tx?cryptoCode=xmr&hash="
	c := start(t, d, dir, "--webhook-url", server.URL+path+"{txid}")
	do(t, c, "open_wallet", object{"filename": "alice", "password": ""})
	paid := pay(t, payer, []destination{{at(t, alice, 0, 2), 3 * coin}}, nil)
	want := "GET " + path + paid.TxHash
	heard := func(n int) {
		t.Helper()
		refresh(t, c)
		until(t, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(asked) >= n
		})
	}
	heard(1)
	mine(t, d, 1, at(t, nobody, 0, 0))
	heard(2)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{want, want}, asked)
}

// TestWebhook: a shop receives events of a payment, fails for a while, and the service is killed and restarted
// meanwhile. The shop gets every event in order.
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

	shop := &webhookReceiver{t: t, secret: []byte("only the shop and the wallet know")}
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
	require.Equal(t,
		event{
			Cursor: uint64(known) + 1, Type: "pool", Direction: "in", TxID: paid.TxHash, Address: at(t, alice, 0, 2),
			Amount: 3 * coin,
		},
		took[0])

	shop.set(true)
	mine(t, d, 10, at(t, nobody, 0, 0))
	refresh(t, c)
	until(t, func() bool { _, tries := shop.state(); return tries >= 3 })
	c.kill()
	shop.set(false)
	c = start(t, d, dir, hook...)
	do(t, c, "open_wallet", open)
	taken(3)

	// After an orderly end nothing is repeated.
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
