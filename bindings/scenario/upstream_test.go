package scenario

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/chain"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/upstream"
	"glim/core/xmr"
)

// serveFront serves a daemon that forwards requests to other daemons, as `glim daemon` does, and allows one web origin.
func serveFront(t *testing.T, upstreams ...string) (*peers.Daemon, *upstream.Front) {
	t.Helper()
	now := func() uint64 { return uint64(time.Now().Unix()) }
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader,
	}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = n.Close() })
	f, err := upstream.New(upstream.Config{
		Network: xmr.Regtest, Local: n, Always: true, Now: now, Depth: 20,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Connect: func(s upstream.Server) (rpc.Transport, error) {
			return native.NewTransport(native.TransportOptions{
				Address: s.Address, SSL: native.SSL{Mode: native.SSLDisabled},
			})
		},
	})
	require.NoError(t, err)
	require.NoError(t, f.Name(upstream.Server{Address: strings.Join(upstreams, ",")}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := native.NewServer(native.ServerConfig{Service: f.Registry(), Origins: []string{"https://wallet.example"}})
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, server.Shutdown(ctx))
		require.NoError(t, <-done)
	})
	return &peers.Daemon{Client: peers.Client{URL: "http://" + listener.Addr().String()}}, f
}

// TestWalletsBehindTheFront: our wallet and the reference's read the chain of monerod through our daemon, pay
// through it and follow a reorganisation, with the same results as a wallet that uses monerod directly.
func TestWalletsBehindTheFront(t *testing.T) {
	t.Parallel()
	d := newMonerod(t)
	front, _ := serveFront(t, d.URL)
	mine(t, d, 30, at(t, alice, 0, 0))
	mine(t, d, 60, at(t, nobody, 0, 0))

	direct := newReference(t, d)
	theirs := newReference(t, front)
	ours := newGlim(t, front.URL, options{})
	for _, c := range []caller{direct, theirs, ours} {
		restore(t, c, "alice", alice)
	}
	equal := func() {
		t.Helper()
		refresh(t, direct, theirs, ours)
		compareAll(t, direct, theirs, 1)
		compareAll(t, direct, ours, 1)
	}
	refresh(t, direct, theirs, ours)
	pay(t, theirs, []destination{{at(t, bob, 0, 0), 2 * coin}, {at(t, carol, 0, 3), coin}}, nil)
	refresh(t, ours)
	sent := pay(t, ours, []destination{{at(t, bob, 0, 1), coin}}, nil)
	mine(t, d, 3, at(t, nobody, 0, 0))
	refresh(t, theirs)
	require.Equal(t, "out", typeOf(t, theirs, sent.TxHash))

	// The last blocks are replaced, including those with the payments.
	var count struct{ Count uint64 }
	require.NoError(t, d.JSON(deadline(t), "get_block_count", nil, &count))
	var header struct {
		BlockHeader struct {
			Hash string `json:"hash"`
		} `json:"block_header"`
	}
	require.NoError(t, d.JSON(deadline(t), "get_block_header_by_height", object{"height": count.Count - 4}, &header))
	require.NoError(t, d.Mine(deadline(t), 4, at(t, nobody, 0, 0), header.BlockHeader.Hash))
	refresh(t, ours)
	require.Equal(t, "pending", typeOf(t, ours, sent.TxHash))
	mine(t, d, 1, at(t, nobody, 0, 0))
	equal()
	mine(t, d, 12, at(t, nobody, 0, 0))
	refresh(t, theirs)
	swept := call[struct {
		Hashes []string `json:"tx_hash_list"`
	}](t, theirs, "sweep_all", object{"address": at(t, alice, 0, 0)})
	require.NotEmpty(t, swept.Hashes)
	mine(t, d, 1, at(t, nobody, 0, 0))
	equal()

	// A new wallet uses the cached blocks.
	late := newGlim(t, front.URL, options{})
	restore(t, late, "alice", alice)
	refresh(t, late)
	compare(t, direct, late, "get_balance", object{"account_index": 0})
}

// TestBootstrapInfo compares what our daemon and monerod report about themselves when they use a bootstrap daemon.
func TestBootstrapInfo(t *testing.T) {
	t.Parallel()
	d := newMonerod(t)
	mine(t, d, 40, at(t, nobody, 0, 0))
	address := strings.TrimPrefix(d.URL, "http://")
	theirs := peers.NewDaemon(t, peers.Options{Args: []string{"--bootstrap-daemon-address", address, "--no-sync"}})
	ours, _ := serveFront(t, address)
	ask := func(d *peers.Daemon) (r object) {
		t.Helper()
		require.NoError(t, d.JSON(deadline(t), "get_info", nil, &r))
		for _, moving := range []string{"adjusted_time", "free_space", "rpc_connections_count", "database_size"} {
			delete(r, moving)
		}
		return r
	}
	want := ask(theirs)
	require.Equal(t, true, want["untrusted"])
	require.Equal(t, address, want["bootstrap_daemon_address"])
	require.Equal(t, want, ask(ours))
	for _, method := range []string{
		"get_last_block_header", "get_fee_estimate", "hard_fork_info", "get_version", "get_txpool_backlog",
	} {
		var their, our object
		require.NoError(t, theirs.JSON(deadline(t), method, nil, &their), method)
		require.NoError(t, ours.JSON(deadline(t), method, nil, &our), method)
		require.Equal(t, their, our, method)
	}
	for _, path := range []string{
		"/get_height", "/get_transaction_pool", "/get_transaction_pool_hashes", "/get_transaction_pool_stats",
	} {
		var their, our object
		require.NoError(t, theirs.Path(deadline(t), path, nil, &their), path)
		require.NoError(t, ours.Path(deadline(t), path, nil, &our), path)
		require.Equal(t, their, our, path)
	}
	var their, our object
	require.NoError(t, theirs.JSON(deadline(t), "get_block", object{"height": 20}, &their))
	require.NoError(t, ours.JSON(deadline(t), "get_block", object{"height": 20}, &our))
	require.JSONEq(t, their["json"].(string), our["json"].(string))
	delete(their, "json") // line breaks are not compared
	delete(our, "json")
	require.Equal(t, their, our)
	for _, request := range []object{
		{"amounts": []int{0}, "cumulative": true, "binary": false},
		{"amounts": []int{0}, "from_height": 30, "binary": false},
	} {
		var their, our object
		require.NoError(t, theirs.JSON(deadline(t), "get_output_distribution", request, &their))
		require.NoError(t, ours.JSON(deadline(t), "get_output_distribution", request, &our))
		require.Equal(t, their, our)
	}

	// Operations that neither offers with a bootstrap daemon.
	var refusedTheirs, refusedOurs *peers.Error
	require.ErrorAs(t, theirs.JSON(deadline(t), "submit_block", []string{"00"}, nil), &refusedTheirs)
	require.ErrorAs(t, ours.JSON(deadline(t), "submit_block", []string{"00"}, nil), &refusedOurs)
	require.Equal(t, *refusedTheirs, *refusedOurs)

	// It can be set and removed while they run.
	for _, one := range []*peers.Daemon{theirs, ours} {
		var status struct{ Status string }
		require.NoError(t, one.Path(deadline(t), "/set_bootstrap_daemon", object{"address": ""}, &status))
		require.Equal(t, "OK", status.Status)
		require.NoError(t, one.Path(deadline(t), "/set_bootstrap_daemon", object{"address": address}, &status))
		require.Equal(t, "OK", status.Status)
	}
	require.Equal(t, ask(theirs), ask(ours))
}

// TestFrontFailsOver kills a real daemon, and then the daemon of ours that replaced it.
func TestFrontFailsOver(t *testing.T) {
	t.Parallel()
	first, second := newMonerod(t), newDaemon(t)
	mine(t, first, 20, at(t, nobody, 0, 0))
	front, _ := serveFront(t, first.URL, second.URL)
	info := func() (r struct {
		Height  uint64
		Address string `json:"bootstrap_daemon_address"`
	}) {
		t.Helper()
		require.NoError(t, front.JSON(deadline(t), "get_info", nil, &r))
		return r
	}
	require.EqualValues(t, 21, info().Height)
	require.NoError(t, first.Kill())
	require.EqualValues(t, 1, info().Height)
	require.Equal(t, strings.TrimPrefix(second.URL, "http://"), info().Address)
	require.NoError(t, second.Kill())
	var refused *peers.Error
	require.ErrorAs(t, front.JSON(deadline(t), "get_info", nil, &refused), &refused)
	require.Equal(t, -9, refused.Code)
	var status struct{ Status string }
	require.NoError(t, front.Path(deadline(t), "/get_height", nil, &status))
	require.Equal(t, "BUSY", status.Status)
}

// TestFrontServesWebPages: a page of an allowed origin can use a daemon that allows no page itself.
func TestFrontServesWebPages(t *testing.T) {
	t.Parallel()
	d := newMonerod(t)
	front, _ := serveFront(t, d.URL)
	ask := func(url, method, origin string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(deadline(t), method, url+"/json_rpc",
			bytes.NewReader([]byte(`{"method":"get_info"}`)))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Origin", origin)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res, string(body)
	}
	res, body := ask(front.URL, http.MethodPost, "https://wallet.example")
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, "https://wallet.example", res.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, body, `"untrusted":true`)
	res, _ = ask(front.URL, http.MethodOptions, "https://wallet.example")
	require.Equal(t, "https://wallet.example", res.Header.Get("Access-Control-Allow-Origin"))
	res, body = ask(front.URL, http.MethodPost, "https://other.example")
	require.Equal(t, http.StatusForbidden, res.StatusCode)
	require.Empty(t, body)
	res, _ = ask(d.URL, http.MethodPost, "https://wallet.example")
	require.Empty(t, res.Header.Get("Access-Control-Allow-Origin"), "the daemon itself allows no web page")
}
