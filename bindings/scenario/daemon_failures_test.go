package scenario

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// gate is a proxy of a daemon that can delay requests or make the daemon seem unreachable.
type gate struct {
	*httptest.Server
	mu      sync.Mutex
	path    string        // of the delayed requests
	passed  int           // how many of them still pass
	held    chan struct{} // receives once for each delayed request
	release chan struct{}
	drop    bool // delayed requests fail
}

func newGate(t *testing.T, d *peers.Daemon) *gate {
	t.Helper()
	to, err := url.Parse(d.URL)
	require.NoError(t, err)
	g := &gate{held: make(chan struct{}, 100), release: make(chan struct{})}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if release := g.stop(r.URL.Path); release != nil {
			g.held <- struct{}{}
			select {
			case <-release:
			case <-r.Context().Done():
				return
			}
			if g.dropping() {
				panic(http.ErrAbortHandler)
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	t.Cleanup(g.open)
	return g
}

func (g *gate) stop(path string) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.path == "" || !strings.HasSuffix(path, g.path) {
		return nil
	}
	if g.passed > 0 {
		g.passed--
		return nil
	}
	return g.release
}

// hold delays requests for path, after a number of them have passed.
func (g *gate) hold(path string, pass int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.path, g.passed, g.release, g.drop = path, pass, make(chan struct{}), false
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.path != "" {
		g.path = ""
		close(g.release)
	}
}

// cut makes delayed and later requests fail.
func (g *gate) cut() {
	g.mu.Lock()
	g.drop = true
	g.mu.Unlock()
	g.open()
}

func (g *gate) dropping() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.drop
}

// behindGate returns alice's wallet, which has read no blocks, with a gate in front of a daemon that has mined blocks
// to it.
func behindGate(t *testing.T, blocks int) (*peers.Daemon, *gate, *glim) {
	t.Helper()
	d := newDaemon(t)
	mine(t, d, blocks, at(t, alice, 0, 0))
	g := newGate(t, d)
	ours := newGlim(t, g.URL, options{})
	restore(t, ours, "alice", alice)
	return d, g, ours
}

// refreshing starts a refresh and returns a channel for its result.
func refreshing(c caller) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- c.JSON(context.Background(), "refresh", nil, nil) }()
	return ended
}

func wait(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-deadline(t).Done():
		t.Fatal("timed out")
	}
}

// TestReadsAnswerDuringRefresh: read operations answer while a refresh waits for blocks, and so do changes that need no
// daemon.
func TestReadsAnswerDuringRefresh(t *testing.T) {
	t.Parallel()
	d, g, ours := behindGate(t, 5)
	refresh(t, ours)
	before := ledger(t, ours)
	mine(t, d, 5, at(t, alice, 0, 0))

	g.hold("blocks.bin", 0) // of any operation that returns blocks
	ended := refreshing(ours)
	wait(t, g.held)
	require.Equal(t, before, ledger(t, ours))
	for method, params := range map[string]object{
		"get_address":        {"account_index": 0},
		"get_height":         {},
		"get_accounts":       {},
		"get_transfers":      {"in": true, "out": true},
		"incoming_transfers": {"transfer_type": "all"}, "validate_address": {"address": at(t, bob, 0, 0)},
		"create_address": {"account_index": 0, "label": "meanwhile"}, "create_account": {}, "store": {},
	} {
		do(t, ours, method, params)
	}
	select {
	case err := <-ended:
		t.Fatalf("the refresh did not wait: %v", err)
	default:
	}
	g.open()
	require.NoError(t, <-ended)
	require.Greater(t, ledger(t, ours).Balance, before.Balance)
	require.EqualValues(t, 11, call[struct{ Height uint64 }](t, ours, "get_height", nil).Height)
}

// TestCloseEndsRefresh: closing the wallet ends its refresh.
func TestCloseEndsRefresh(t *testing.T) {
	t.Parallel()
	_, g, ours := behindGate(t, 5)
	g.hold("blocks.bin", 0)
	ended := refreshing(ours)
	wait(t, g.held)
	do(t, ours, "close_wallet", nil)
	require.Error(t, <-ended)
	g.open()
	do(t, ours, "open_wallet", object{"filename": "alice", "password": ""})
	refresh(t, ours)
	require.NotZero(t, ledger(t, ours).Balance)
}

// TestDaemonGoneDuringRefresh: a daemon that ends during a refresh is reported, and the refresh continues when it is
// back.
func TestDaemonGoneDuringRefresh(t *testing.T) {
	t.Parallel()
	d, g, ours := behindGate(t, 30)
	g.hold("blocks.bin", 0)
	ended := refreshing(ours)
	wait(t, g.held)
	require.NoError(t, d.Stop())
	g.open()
	var refused *peers.Error
	require.ErrorAs(t, <-ended, &refused)
	require.Equal(t, peers.Error{Code: -38, Message: "no connection to daemon"}, *refused)
	require.Equal(t, -38, refusal(t, ours, "refresh", nil).Code)
	do(t, ours, "get_balance", object{"account_index": 0}) // needs no daemon

	require.NoError(t, d.Restart())
	mirror := newReference(t, d)
	restore(t, mirror, "alice", alice)
	do(t, ours, "set_daemon", object{"address": d.URL, "trusted": true})
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 1)
	require.NotZero(t, ledger(t, ours).Balance)
}

// TestDoubleSpend: two copies of a wallet spend the same output. The daemon refuses the second payment, which releases
// its inputs.
func TestDoubleSpend(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	mirror := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	restore(t, mirror, "carol", carol)
	restore(t, ours, "carol", carol)
	refresh(t, mirror, ours)
	before := ledger(t, ours)
	first := pay(t, mirror, []destination{{at(t, bob, 0, 0), coin}}, nil)

	transfer := object{"destinations": []destination{{at(t, bob, 0, 0), 2 * coin}}}
	e := refusal(t, ours, "transfer", transfer)
	require.Equal(t, -4, e.Code)
	require.Contains(t, e.Message, "already spent")
	require.Equal(t, before, ledger(t, ours), "the inputs are free again")
	failed := call[struct {
		Failed  []struct{ TxID, Type string }
		Pending []struct{ TxID string }
	}](t, ours, "get_transfers", object{"failed": true, "pending": true})
	require.Len(t, failed.Failed, 1)
	require.Equal(t, "failed", failed.Failed[0].Type)
	require.Empty(t, failed.Pending)

	refresh(t, ours)
	require.Equal(t, -37, refusal(t, ours, "transfer", transfer).Code,
		"now it has seen that its only output is spent")
	mine(t, d, 11, at(t, nobody, 0, 0))
	refresh(t, mirror, ours)
	compareAll(t, mirror, ours, 1)
	do(t, ours, "get_transfer_by_txid", object{"txid": first.TxHash})
	pay(t, ours, []destination{{at(t, bob, 0, 0), coin}}, nil)
}
