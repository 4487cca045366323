package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
)

// patience is the deadline of each wait in a test.
const patience = 2 * time.Minute

var secret = []byte("a secret of many bytes")

// ledger is a wallet that stores positions and returns the events after any cursor.
type ledger struct {
	name string
	mu   sync.Mutex
	at   map[string]uint64
	list []walletrpc.Event
	more chan struct{}
	ctx  context.Context
	end  context.CancelFunc
}

func newLedger(name string, events int) *ledger {
	l := &ledger{name: name, at: map[string]uint64{}, more: make(chan struct{})}
	l.open()
	l.add(events)
	return l
}

func (l *ledger) open() { l.ctx, l.end = context.WithCancel(context.Background()) }

func (l *ledger) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range n {
		l.list = append(l.list, walletrpc.Event{Cursor: uint64(len(l.list) + 1), Type: "confirmed", Amount: 1 << 60})
	}
	close(l.more)
	l.more = make(chan struct{})
}

func (l *ledger) Name() string             { return l.name }
func (l *ledger) Context() context.Context { return l.ctx }

func (l *ledger) Position(receiver string) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at[receiver], nil
}

func (l *ledger) Delivered(receiver string, cursor uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at[receiver] = cursor
	return nil
}

func (l *ledger) source() source {
	return source{l, func(cursor uint64) stream { return &reader{l, cursor} }}
}

type reader struct {
	l      *ledger
	cursor uint64
}

func (r *reader) Next(ctx context.Context) ([]walletrpc.Event, error) {
	for {
		r.l.mu.Lock()
		list, more := slices.Clone(r.l.list[r.cursor:]), r.l.more
		r.l.mu.Unlock()
		if len(list) > 0 {
			r.cursor += uint64(len(list))
			return append(list, walletrpc.Event{Cursor: r.cursor, Type: "height", Height: 7}), nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// receiver is a server that receives deliveries. It verifies each, responds with the status that answer returns, and
// records the accepted deliveries of transfers.
type receiver struct {
	t      *testing.T
	mu     sync.Mutex
	took   map[string][]uint64 // cursors by wallet
	seen   int                 // number of deliveries, accepted or not
	answer func(n int) int     // the status of the nth delivery
	wake   chan struct{}
}

func newReceiver(t *testing.T, answer func(int) int) *receiver {
	return &receiver{t: t, took: map[string][]uint64{}, answer: answer, wake: make(chan struct{}, 1)}
}

func (d *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the request was cut off
	}
	if err := Verify(secret, r.Header, body, time.Now()); err != nil {
		d.t.Errorf("%v: %s", err, body)
	}
	var got Delivery
	if err := json.Unmarshal(body, &got); err != nil || r.Method != http.MethodPost ||
		r.Header.Get("Content-Type") != "application/json" {
		d.t.Errorf("%v: %s %s", err, r.Method, body)
	}
	d.mu.Lock()
	status := d.answer(d.seen)
	d.seen++
	if status == http.StatusOK && got.Event.Type == "confirmed" {
		d.took[got.Wallet] = append(d.took[got.Wallet], got.Event.Cursor)
	}
	d.mu.Unlock()
	if status >= 300 && status < 400 {
		w.Header().Set("Location", "/elsewhere")
	}
	w.WriteHeader(status)
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// until waits until done returns true. It calls done with mu locked.
func (d *receiver) until(done func() bool) {
	d.t.Helper()
	deadline := time.After(patience)
	for {
		d.mu.Lock()
		ok := done()
		d.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-d.wake:
		case <-deadline:
			d.t.Fatal("waited in vain")
		}
	}
}

func fine(int) int { return http.StatusOK }

func count(n int) (out []uint64) {
	for i := range n {
		out = append(out, uint64(i+1))
	}
	return out
}

func newSender(t *testing.T, o Options) *Sender {
	t.Helper()
	o.Secret = secret
	if o.First == 0 {
		o.First, o.Last = time.Millisecond, 4*time.Millisecond
	}
	s, err := New(o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// TestDeliveriesInOrder checks that a server that often fails receives every event of every wallet in order, each only
// after it has accepted the one before.
func TestDeliveriesInOrder(t *testing.T) {
	d := newReceiver(t, func(n int) int { return []int{500, 200, 404, 301, 200, 200, 503}[n%7] })
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	good := newReceiver(t, fine)
	other := httptest.NewServer(good)
	t.Cleanup(other.Close)
	s := newSender(t, Options{URLs: []string{server.URL + "/hook?token=hidden", other.URL}})
	a, b := newLedger("a", 20), newLedger("b", 3)
	s.open(a.source())
	s.open(b.source())
	a.add(10)
	for _, receiver := range []*receiver{d, good} {
		receiver.until(func() bool { return len(receiver.took["a"]) >= 30 && len(receiver.took["b"]) >= 3 })
		receiver.mu.Lock()
		require.Equal(t, map[string][]uint64{"a": count(30), "b": count(3)}, receiver.took)
		receiver.mu.Unlock()
	}
}

// TestDeliveriesContinueAfterRestart checks that no event is lost or delivered twice if a sender is closed while a
// server refuses deliveries.
func TestDeliveriesContinueAfterRestart(t *testing.T) {
	open := 5 // guarded by the receiver's mu
	d := newReceiver(t, nil)
	d.answer = func(int) int {
		if len(d.took["a"]) < open {
			return http.StatusOK
		}
		return http.StatusInternalServerError
	}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	a := newLedger("a", 12)
	s := newSender(t, Options{URLs: []string{server.URL}})
	s.open(a.source())
	d.until(func() bool { return d.seen > 8 })
	s.Close()
	s.open(a.source()) // has no effect after Close
	require.Equal(t, []uint64{5}, values(a.at))

	// The wallet is closed while the sender stays open.
	allow := func(n int) { d.mu.Lock(); open = n; d.mu.Unlock() }
	allow(8)
	s = newSender(t, Options{URLs: []string{server.URL}})
	s.open(a.source())
	d.until(func() bool { return len(d.took["a"]) == 8 && d.seen > 20 })
	a.end()
	s.running.Wait()
	a.open()
	allow(100)
	s.open(a.source())
	d.until(func() bool { return len(d.took["a"]) >= 12 })
	require.Equal(t, count(12), d.took["a"])
}

func values(m map[string]uint64) (out []uint64) {
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

// TestRedirectsAndUntrustedServersGetNothing checks that redirects are not followed and that servers without a trusted
// certificate receive nothing.
func TestRedirectsAndUntrustedServersGetNothing(t *testing.T) {
	var log lockedBuffer
	untrusted := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a server without a trusted certificate received an event")
	}))
	untrusted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(untrusted.Close)
	var server *httptest.Server
	redirected := make(chan struct{}, 1)
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/hook" {
			t.Errorf("a redirect to %s was followed", r.URL.Path)
		}
		select {
		case redirected <- struct{}{}:
		default: // seen often enough
		}
		http.Redirect(w, r, server.URL+"/elsewhere", http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	s := newSender(t, Options{URLs: []string{untrusted.URL + "/?token=hidden", server.URL + "/hook?token=hidden"},
		Log: slog.New(slog.NewTextHandler(&log, nil))})
	s.open(newLedger("a", 1).source())
	for range 3 {
		<-redirected
	}
	for deadline := time.Now().Add(patience); !strings.Contains(log.String(), "certificate"); {
		require.True(t, time.Now().Before(deadline), log.String())
		<-redirected
	}
	s.Close()
	require.NotContains(t, log.String(), "hidden")
	require.NotContains(t, log.String(), string(secret))

	// Deliveries to a server with a trusted certificate succeed.
	d := newReceiver(t, fine)
	known := httptest.NewTLSServer(d)
	t.Cleanup(known.Close)
	s = newSender(
		t,
		Options{URLs: []string{known.URL}, Roots: known.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs},
	)
	s.open(newLedger("a", 2).source())
	d.until(func() bool { return len(d.took["a"]) == 2 })
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestReceiverThatHangs checks that a delivery without a response is retried, and that a long response is cut off.
func TestReceiverThatHangs(t *testing.T) {
	d := newReceiver(t, fine)
	var n atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) < 3 {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		d.ServeHTTP(w, r)
		_, _ = w.Write(make([]byte, 8*maxAnswer))
	}))
	t.Cleanup(server.Close)
	s := newSender(t, Options{URLs: []string{server.URL}, Timeout: 300 * time.Millisecond})
	s.open(newLedger("a", 3).source())
	d.until(func() bool { return len(d.took["a"]) >= 3 })
}

func TestOptionsRefused(t *testing.T) {
	for _, text := range []string{
		"", "host", "ftp://host", "file:///etc/passwd", "https://", "https://user:pw@host", "https://host/#part",
		"https://ho st", "://",
	} {
		_, err := New(Options{URLs: []string{text}, Secret: secret})
		require.Equal(t, ErrURL, err, text)
	}
	_, err := New(Options{URLs: []string{"https://host"}, Secret: make([]byte, MinSecret-1)})
	require.ErrorIs(t, err, ErrSecret)
	_, err = New(Options{URLs: []string{"https://host/{txid}", "https://host"}})
	require.ErrorIs(t, err, ErrSecret, "one of them is signed")
	_, err = New(Options{URLs: []string{"https://{txid}/"}})
	require.ErrorIs(t, err, ErrURL)
}

// TestGet checks that a URL with TxIDTag receives a GET request for each event of a payment to the wallet and no other
// requests. They are in order, each is repeated until accepted, and the wallet stores the position.
func TestGet(t *testing.T) {
	id := func(n byte) string { return strings.Repeat(fmt.Sprintf("%02x", n), 32) }
	type asked struct{ path, query string }
	var mu sync.Mutex
	var all []asked
	more := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) != 0 || r.Method != http.MethodGet || r.Header.Get(SignatureHeader) != "" {
			t.Errorf("%v: %s %s %s", err, r.Method, r.Header, body)
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, asked{r.URL.Path, r.URL.RawQuery})
		if len(all)%3 == 2 { // the request is repeated
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		more <- struct{}{}
	}))
	t.Cleanup(server.Close)
	l := newLedger("a", 0)
	for i, e := range []walletrpc.Event{
		{
			Type: walletrpc.EventPool, Direction: "in", TxID: id(1),
		}, {Type: walletrpc.EventPool, Direction: "out", TxID: id(2)},
		{
			Type: walletrpc.EventConfirmed, Direction: "in", TxID: id(1),
		}, {Type: walletrpc.EventUnlocked, Direction: "in", TxID: id(1)},
	} {
		e.Cursor = uint64(i) + 1
		l.list = append(l.list, e)
	}
	s, err := New(Options{
		URLs:  []string{server.URL + "/paid/{txid}?cryptoCode=xmr&hash={txid}"},
		First: time.Millisecond, Last: 4 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	s.open(l.source())
	deadline := time.After(patience)
	for range 4 {
		select {
		case <-more:
		case <-deadline:
			t.Fatal("waited in vain")
		}
	}
	want := asked{"/paid/" + id(1), "cryptoCode=xmr&hash=" + id(1)}
	mu.Lock()
	require.Equal(t, []asked{want, want, want, want}, all)
	mu.Unlock()
	for until := time.Now().Add(patience); ; {
		l.mu.Lock()
		at := values(l.at)
		l.mu.Unlock()
		if len(at) == 1 && at[0] == 4 {
			break
		}
		require.True(t, time.Now().Before(until), "%v", at)
		time.Sleep(time.Millisecond)
	}
}

// TestProxy checks that only connections to this machine bypass a configured proxy.
func TestProxy(t *testing.T) {
	o := ClientOptions{Proxy: "127.0.0.1:9050"}
	for host, through := range map[string]bool{
		"example.org":       true,
		"192.168.0.1":       true,
		"[2001:db8::1]":     true,
		"127.0.0.1:80":      false,
		"localhost":         false,
		"[::1]:1":           false,
		"localhost.example": true,
	} {
		r := httptest.NewRequest("POST", "http://"+host+"/", nil)
		u, err := o.proxy(r)
		require.NoError(t, err)
		require.Equal(t, through, u != nil, host)
	}
}

// TestThroughProxy checks that the proxy receives the host name unresolved.
func TestThroughProxy(t *testing.T) {
	d := newReceiver(t, fine)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	asked := make(chan string, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go socks(c, server.Listener.Addr().String(), asked)
		}
	}()
	s := newSender(t, Options{URLs: []string{"http://shop.invalid/paid"}, Proxy: l.Addr().String()})
	s.open(newLedger("a", 2).source())
	d.until(func() bool { return len(d.took["a"]) == 2 })
	require.Equal(t, "shop.invalid", <-asked)
}

// socks serves one client as a SOCKS5 proxy that connects it to place and sends the requested host to asked.
// Source: RFC 1928.
func socks(c net.Conn, place string, asked chan<- string) {
	defer c.Close()
	b := make([]byte, 262)
	if _, err := io.ReadFull(c, b[:2]); err != nil { // version, number of methods
		return
	}
	if _, err := io.ReadFull(c, b[:b[1]]); err != nil {
		return
	}
	_, _ = c.Write([]byte{5, 0})
	if _, err := io.ReadFull(c, b[:5]); err != nil || b[3] != 3 { // version, connect, 0, a name, its length
		return
	}
	n := b[4]
	if _, err := io.ReadFull(c, b[:int(n)+2]); err != nil {
		return
	}
	asked <- string(b[:n])
	_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	to, err := net.Dial("tcp", place)
	if err != nil {
		return
	}
	defer to.Close()
	go func() { _, _ = io.Copy(to, c) }()
	_, _ = io.Copy(c, to)
}

// FuzzVerify checks that arbitrary input without the secret is refused.
func FuzzVerify(f *testing.F) {
	body := []byte(`{"a":1}`)
	f.Add("1700000000", "v1="+Sign([]byte("another secret, as long"), 1700000000, body), body)
	f.Add("", "", []byte{})
	f.Fuzz(func(t *testing.T, timestamp, signature string, body []byte) {
		h := http.Header{TimestampHeader: {timestamp}, SignatureHeader: {signature}}
		require.ErrorIs(t, Verify(secret, h, body, time.Unix(1700000000, 0)), ErrSignature)
	})
}

// TestSign compares a signature with the output of OpenSSL:
// printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac 'a secret of many bytes'
func TestSign(t *testing.T) {
	body := []byte(`{"a":1}`)
	require.Equal(t, "60100b0f69e94879bfe60f455f411f1f634d161ccb09f8d30cd94905cf0cfe33", Sign(secret, 1700000000, body))
	now := time.Unix(1700000000, 0)
	h := http.Header{}
	h.Set(TimestampHeader, "1700000000")
	h.Set(SignatureHeader, "v1="+Sign(secret, 1700000000, body))
	require.NoError(t, Verify(secret, h, body, now.Add(MaxAge)))
	require.NoError(t, Verify(secret, h, body, now.Add(-MaxAge)))
	require.ErrorIs(t, Verify(secret, h, body, now.Add(MaxAge+time.Second)), ErrSignature)
	require.ErrorIs(t, Verify(secret, h, body, now.Add(-MaxAge-time.Second)), ErrSignature)
	require.ErrorIs(t, Verify(secret, h, []byte(`{"a":2}`), now), ErrSignature)
	require.ErrorIs(t, Verify([]byte("another secret, as long"), h, body, now), ErrSignature)
	for _, name := range []string{TimestampHeader, SignatureHeader} {
		for _, bad := range []string{"", "v1=", "1700000001", "v1=00", "x"} {
			g := h.Clone()
			g.Set(name, bad)
			require.ErrorIs(t, Verify(secret, g, body, now), ErrSignature, fmt.Sprint(name, bad))
		}
	}
}
