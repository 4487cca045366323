package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
)

// limit is a generous time limit, because machines may be busy.
const limit = 5 * time.Minute

type object = map[string]any

// daemon starts a private chain that ends with the test.
func daemon(t *testing.T) *peers.Daemon {
	t.Helper()
	d, err := inprocess.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Stop() })
	return d
}

// open returns an engine on a private chain; the test closes it.
func open(t *testing.T, d *peers.Daemon, change func(*Options)) *Engine {
	t.Helper()
	o := NewOptions()
	o.Network, o.Accounts, o.Addresses = "regtest", 2, 5
	if d != nil {
		o.Daemon, o.Trusted = d.URL, true
	}
	if change != nil {
		change(o)
	}
	e, err := Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// outcome is a Receiver that records the outcome.
type outcome struct {
	mu       sync.Mutex
	notified int
	result   string
	code     int32
	message  string
}

func (o *outcome) Result(json string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.notified++
	o.result = json
	return nil
}

func (o *outcome) Failure(code int32, message string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.notified++
	o.code, o.message = code, message
	return nil
}

// params returns an object as JSON.
func params(t *testing.T, v object) string {
	t.Helper()
	if v == nil {
		return ""
	}
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// do calls an operation that must succeed.
func do(t *testing.T, e *Engine, wallet, method string, v object) object {
	t.Helper()
	var o outcome
	e.Start(wallet, method, params(t, v), &o).Join()
	require.Equal(t, 1, o.notified)
	require.Zero(t, o.code, "%s: %s", method, o.message)
	var result object
	require.NoError(t, json.Unmarshal([]byte(o.result), &result))
	return result
}

// fails calls an operation that must fail.
func fails(t *testing.T, e *Engine, wallet, method string, v object) (code int32, message string) {
	t.Helper()
	var o outcome
	e.Start(wallet, method, params(t, v), &o).Join()
	require.Equal(t, 1, o.notified)
	require.NotZero(t, o.code, "%s: %s", method, o.result)
	return o.code, o.message
}

// create makes a wallet and returns its address.
func create(t *testing.T, e *Engine, wallet string) string {
	t.Helper()
	do(t, e, wallet, "create_wallet", object{"password": "secret", "language": "English"})
	return do(t, e, wallet, "get_address", nil)["address"].(string)
}

// mine adds blocks.
func mine(t *testing.T, d *peers.Daemon, n int, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	require.NoError(t, d.Mine(ctx, n, address))
}

// ear is a Listener that records events.
type ear struct {
	mu     sync.Mutex
	events []object
	ended  int
	code   int32
	why    string
	fail   error
}

func (l *ear) Events(text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []object
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return err
	}
	l.events = append(l.events, list...)
	return l.fail
}

func (l *ear) End(code int32, message string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended++
	l.code, l.why = code, message
	return nil
}

// heard waits until events of these types have arrived, in this order, with any others in between.
func (l *ear) heard(t *testing.T, kinds ...string) {
	t.Helper()
	require.Eventually(t, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		i := 0
		for _, e := range l.events {
			if i < len(kinds) && e["type"] == kinds[i] {
				i++
			}
		}
		return i == len(kinds)
	}, limit, 20*time.Millisecond, "%v", kinds)
}

// stack is a host's HTTP: net/http, with a goroutine per request.
type stack struct {
	mu      sync.Mutex
	sent    int
	aborted int
	hold    chan struct{} // if not nil, requests wait for it
	broken  error
	panics  bool
}

func (s *stack) Send(r *Request) error {
	s.mu.Lock()
	s.sent++
	hold, broken, panics := s.hold, s.broken, s.panics
	s.mu.Unlock()
	if panics {
		panic("the host's own")
	}
	if broken != nil {
		return broken
	}
	go func() {
		if hold != nil {
			<-hold
		}
		req, err := http.NewRequest(http.MethodPost, r.URL(), bytes.NewReader(r.Body()))
		if err != nil {
			r.Fail(err.Error())
			return
		}
		req.Header.Set("Content-Type", r.ContentType())
		if a := r.Authorization(); a != "" {
			req.Header.Set("Authorization", a)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			r.Fail(err.Error())
			return
		}
		defer res.Body.Close()
		body, err := io.ReadAll(io.LimitReader(res.Body, r.Limit()+1))
		if err != nil {
			r.Fail(err.Error())
			return
		}
		r.Answer(int32(res.StatusCode), strings.Join(res.Header.Values("Www-Authenticate"), "\n"), body)
		clear(body) // the host may reuse it
	}()
	return nil
}

func (s *stack) Abort(*Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aborted++
	return nil
}

// shelf is a Storage in memory.
type shelf struct {
	mu    sync.Mutex
	files map[string]*[]byte
	open  map[string]bool
	full  bool
}

func newShelf() *shelf { return &shelf{files: map[string]*[]byte{}, open: map[string]bool{}} }

type paper struct {
	shelf *shelf
	name  string
}

var errFull = errors.New("no space left")

func (s *shelf) Has(name string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name] != nil, nil
}

func (s *shelf) Open(name string) (File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[name] {
		return nil, fmt.Errorf("%s is opened twice", name)
	}
	if s.files[name] == nil {
		s.files[name] = &[]byte{}
	}
	s.open[name] = true
	return &paper{s, name}, nil
}

func (s *shelf) Remove(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, name)
	return nil
}

func (p *paper) change(f func(old []byte) []byte) error {
	p.shelf.mu.Lock()
	defer p.shelf.mu.Unlock()
	if p.shelf.full {
		return errFull
	}
	next := f(*p.shelf.files[p.name])
	p.shelf.files[p.name] = &next
	return nil
}

func (p *paper) Load() ([]byte, error) {
	p.shelf.mu.Lock()
	defer p.shelf.mu.Unlock()
	return bytes.Clone(*p.shelf.files[p.name]), nil
}

func (p *paper) Append(b []byte) error {
	return p.change(func(old []byte) []byte { return append(bytes.Clone(old), b...) })
}
func (p *paper) Replace(b []byte) error {
	return p.change(func([]byte) []byte { return bytes.Clone(b) })
}
func (p *paper) Truncate(size int64) error {
	return p.change(func(old []byte) []byte { return bytes.Clone(old[:size]) })
}
func (p *paper) Close() error {
	p.shelf.mu.Lock()
	defer p.shelf.mu.Unlock()
	delete(p.shelf.open, p.name)
	return nil
}
