package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// sendPath is the path of requests that hand a transaction over.
const sendPath = "/send_raw_transaction"

// recorded is a daemon that accepts any host name and records the paths of requests.
type recorded struct {
	address string
	hangUp  func() // closes its connections

	mu    sync.Mutex
	paths map[string]int
}

func newRecorded(t *testing.T, d *peers.Daemon) *recorded {
	t.Helper()
	to, err := url.Parse(d.URL)
	require.NoError(t, err)
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	r := &recorded{paths: map[string]int{}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.paths[req.URL.Path]++
		r.mu.Unlock()
		forward.ServeHTTP(w, req)
	}))
	t.Cleanup(s.Close)
	r.address, r.hangUp = s.Listener.Addr().String(), s.CloseClientConnections
	return r
}

// requested returns the recorded paths and forgets them.
func (r *recorded) requested() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	paths := r.paths
	r.paths = map[string]int{}
	return paths
}

// txPayer is a wallet service with money that reads from one daemon and sends transactions in another way.
type txPayer struct {
	t       *testing.T
	w       *native.Transport
	d       *peers.Daemon
	address string
}

func newTxPayer(t *testing.T, d *peers.Daemon, flags ...string) txPayer {
	t.Helper()
	port := aPort(t)
	start(t, append([]string{"wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", port,
		"--disable-rpc-login", "--trusted-daemon"}, flags...)...)
	p := txPayer{t: t, w: dial(t, port, digest.Login{}), d: d}
	_, err := rpc.Call(t.Context(), p.w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(t.Context(), p.w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	p.address = a.Address
	require.NoError(t, d.Mine(t.Context(), 80, a.Address))
	p.refresh()
	return p
}

func (p txPayer) refresh() {
	p.t.Helper()
	_, err := rpc.Call(p.t.Context(), p.w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(p.t, err)
}

func (p txPayer) pay(ctx context.Context, keep bool) (walletrpc.TransferResponse, error) {
	return rpc.Call(ctx, p.w, walletrpc.Transfer, walletrpc.TransferRequest{DoNotRelay: keep, GetTxMetadata: keep,
		Destinations: []walletrpc.Destination{{Amount: xmr.Coin / 2, Address: p.address}}})
}

// requirePaid checks that the next block confirms a transaction.
func (p txPayer) requirePaid(id string) {
	p.t.Helper()
	require.NoError(p.t, p.d.Mine(p.t.Context(), 1, p.address))
	p.refresh()
	got, err := rpc.Call(p.t.Context(), p.w, walletrpc.GetTransferByTxID,
		walletrpc.GetTransferByTxIDRequest{TxID: id})
	require.NoError(p.t, err)
	require.EqualValues(p.t, 1, got.Transfer.Confirmations)
}

// TestTransactionsToAnotherDaemon: transactions go to the daemon of --tx-daemon-address, through --tx-proxy and nothing
// else, which is asked for nothing else. If it fails, they do not go to the daemon that is read.
func TestTransactionsToAnotherDaemon(t *testing.T) {
	lookups := noNames(t)
	ctx := t.Context()
	d, err := inprocess.Start(ctx)
	require.NoError(t, err)
	reading, other, sending := newRecorded(t, d), newRecorded(t, d), newRecorded(t, d)
	proxy := newSocks(t, sending.address)
	p := newTxPayer(t, d, "--daemon-address", reading.address, "--tx-daemon-address", "pay.onion:18081",
		"--tx-proxy", proxy.Addr().String())
	require.Empty(t, sending.requested(), "nothing is asked before there is a transaction")

	paid, err := p.pay(ctx, false)
	require.NoError(t, err)
	p.requirePaid(paid.TxHash)
	kept, err := p.pay(ctx, true)
	require.NoError(t, err)
	require.Equal(t, map[string]int{sendPath: 1}, sending.requested())
	_, err = rpc.Call(ctx, p.w, walletrpc.RelayTx, walletrpc.RelayTxRequest{Hex: kept.TxMetadata})
	require.NoError(t, err)
	p.requirePaid(kept.TxHash)
	require.Equal(t, map[string]int{sendPath: 1}, sending.requested())
	names := proxy.requested()
	require.Positive(t, names["pay.onion:18081"])
	require.Len(t, names, 1, "reading does not use the proxy")
	require.NotContains(t, reading.requested(), sendPath)

	// It stays that way when a client chooses another daemon to read.
	_, err = rpc.Call(ctx, p.w, walletrpc.SetDaemon,
		walletrpc.SetDaemonRequest{Address: other.address, SSLSupport: "disabled", Trusted: true})
	require.NoError(t, err)
	p.refresh()
	paid, err = p.pay(ctx, false)
	require.NoError(t, err)
	p.requirePaid(paid.TxHash)
	require.Equal(t, map[string]int{sendPath: 1}, sending.requested())
	require.NotContains(t, other.requested(), sendPath)

	require.NoError(t, proxy.Close())
	sending.hangUp()
	_, err = p.pay(ctx, false)
	var refusal *rpc.Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, walletrpc.CodeNoDaemonConnection, refusal.Code)
	require.Equal(t, "no connection to the daemon that transactions are sent to, pay.onion:18081", refusal.Message)
	p.refresh()
	failed, err := rpc.Call(ctx, p.w, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Failed: true})
	require.NoError(t, err)
	require.Len(t, failed.Failed, 1)
	require.NotContains(t, reading.requested(), sendPath)
	require.NotContains(t, other.requested(), sendPath)
	require.Empty(t, sending.requested())
	require.Zero(t, lookups.Load(), "no name was looked up")
}

// TestTransactionsThroughAnotherProxy: with --tx-proxy alone, the daemon that is read receives transactions through it.
func TestTransactionsThroughAnotherProxy(t *testing.T) {
	ctx := t.Context()
	d, err := inprocess.Start(ctx)
	require.NoError(t, err)
	reading, sending := newRecorded(t, d), newRecorded(t, d)
	readers, payers := newSocks(t, reading.address), newSocks(t, sending.address)
	p := newTxPayer(t, d, "--daemon-address", "node.onion:18081", "--proxy", readers.Addr().String(),
		"--tx-proxy", payers.Addr().String())
	paid, err := p.pay(ctx, false)
	require.NoError(t, err)
	p.requirePaid(paid.TxHash)
	require.Equal(t, map[string]int{sendPath: 1}, sending.requested())
	require.NotContains(t, reading.requested(), sendPath)
	require.Positive(t, payers.requested()["node.onion:18081"])
	require.Positive(t, readers.requested()["node.onion:18081"])
}

// TestSendingFlags checks which ways --tx-daemon-address and --tx-proxy describe, and which are refused.
func TestSendingFlags(t *testing.T) {
	const isolated = "socks5://transactions:transactions@127.0.0.1:9050"
	for line, expected := range map[string][2]string{
		"": {},
		"--proxy 9050 --daemon-address a.onion:1": {},
		"--tx-daemon-address b:1":                 {"b:1", ""},
		"--tx-proxy 9050":                         {"", "127.0.0.1:9050"},
		"--tx-daemon-address https://b --tx-proxy 9050 --proxy 127.0.0.1:9150": {"https://b", "127.0.0.1:9050"},
		"--tx-proxy 9050 --proxy 9050":                                         {"", isolated},
		"--tx-daemon-address b:1 --proxy 9050":                                 {"b:1", isolated},
		"--tx-daemon-address a:1 --daemon-address a:1 --tx-proxy 9050":         {"a:1", "127.0.0.1:9050"},
	} {
		c, err := parse(least + line)
		require.NoError(t, err, line)
		d := sendingOf(c)
		require.Equal(t, expected, [2]string{d.Address, d.Proxy}, line)
	}
	for line, text := range map[string]string{
		"--tx-proxy x":                                 "tx-proxy",
		"--tx-daemon-address a:b:c":                    "--tx-daemon-address: ",
		"--tx-daemon-address a:1 --daemon-address a:1": "--tx-daemon-address is the daemon that is read",
		"--tx-daemon-address http://localhost":         "--tx-daemon-address is the daemon that is read",
	} {
		_, err := parse(least + line)
		require.ErrorContains(t, err, text, line)
	}
}
