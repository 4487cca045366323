package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/internal/metrics/read"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
)

// scrape requests a page as Prometheus does.
func scrape(t *testing.T, port string) (map[string]float64, string) {
	t.Helper()
	res, err := http.Get("http://127.0.0.1:" + port + "/metrics")
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, "text/plain; version=0.0.4; charset=utf-8", res.Header.Get("Content-Type"))
	samples, err := read.Page(string(text))
	require.NoError(t, err, string(text))
	return samples, string(text)
}

// TestMetrics checks the metrics of requests, wallets, daemon and chain, and that they contain nothing private.
func TestMetrics(t *testing.T) {
	daemonPort, walletPort, daemonPage, walletPage := aPort(t), aPort(t), aPort(t), aPort(t)
	daemonEnded := start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", daemonPort,
		"--metrics-bind-address", "127.0.0.1:"+daemonPage)
	log := filepath.Join(t.TempDir(), "log")
	walletEnded := start(t, "wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", walletPort,
		"--rpc-login", "me:secret", "--daemon-address", "127.0.0.1:"+daemonPort, "--metrics-bind-address",
		"127.0.0.1:"+walletPage, "--log-file", log)
	ctx := t.Context()
	d, w := dial(t, daemonPort, digest.Login{}), dial(t, walletPort, digest.NewLogin("me", "secret"))

	before, _ := scrape(t, walletPage)
	require.Zero(t, before["glim_wallets_open{}"])
	require.NotContains(t, before, `glim_daemon_up{daemon="daemon"}`, "no request was made, and the page makes none")
	_, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "confidential", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 80, WalletAddress: a.Address})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 5e11, Address: a.Address}}})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: strings.Repeat("0", 64)})
	require.Error(t, err)

	got, text := scrape(t, walletPage)
	for key, want := range map[string]float64{
		"glim_wallets_open{}": 1, "glim_wallets_height_min{}": 81, "glim_wallets_lag_blocks_max{}": 0,
		"glim_wallets_target_height{}":                                  81,
		`glim_rpc_requests_total{operation="transfer",code="0"}`:        1,
		`glim_rpc_requests_total{operation="refresh",code="0"}`:         1,
		`glim_rpc_requests_total{operation="get_tx_key",code="-24"}`:    1,
		`glim_rpc_request_duration_seconds_count{operation="transfer"}`: 1,
		`glim_daemon_up{daemon="daemon"}`:                               1,
		`glim_http_responses_total{status="401"}`:                       1,
		`glim_http_connections_refused_total{}`:                         0,
	} {
		require.Contains(t, text, strings.TrimSuffix(key, "{}"))
		require.Equal(t, want, got[key], key)
	}
	require.GreaterOrEqual(t, got["glim_wallets_notices{}"], 80.0)
	require.Positive(t, got["glim_http_connections{}"])
	require.Positive(t, got["go_memstats_heap_alloc_bytes{}"])
	for _, secret := range []string{"confidential", a.Address, "secret", "127.0.0.1"} {
		require.NotContains(t, text, secret)
	}
	got, text = scrape(t, daemonPage)
	for key, want := range map[string]float64{
		"glim_chain_up{}": 1, "glim_chain_height{}": 81, "glim_pool_transactions{}": 1,
		`glim_peers{direction="out"}`:                                  0,
		`glim_rpc_requests_total{operation="generateblocks",code="0"}`: 1,
	} {
		require.Contains(t, text, strings.TrimSuffix(key, "{}"))
		require.Equal(t, want, got[key], key)
	}

	requireMetricsPageOnly(t, walletPage)
	_, err = rpc.Call(ctx, w, walletrpc.StopWallet, walletrpc.Empty{})
	require.NoError(t, err)
	require.Zero(t, <-walletEnded)
	_, err = rpc.Call(ctx, d, daemonrpc.StopDaemon, daemonrpc.None{})
	require.NoError(t, err)
	require.Zero(t, <-daemonEnded)
}

// requireMetricsPageOnly checks that a server serves the page and nothing else, and not to web pages.
func requireMetricsPageOnly(t *testing.T, port string) {
	t.Helper()
	for _, c := range []struct {
		path, header, value string
		status              int
	}{
		{"/", "", "", http.StatusNotFound}, {"/json_rpc", "", "", http.StatusNotFound},
		{"/metrics", "Host", "rebound.example", http.StatusForbidden},
		{"/metrics", "Origin", "http://page.example", http.StatusForbidden},
		{"/metrics", "Sec-Fetch-Site", "cross-site", http.StatusForbidden},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+c.path, nil)
		require.NoError(t, err)
		if req.Header.Set(c.header, c.value); c.header == "Host" {
			req.Host = c.value
		}
		if c.header == "" {
			req.Header = http.Header{}
		}
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		_ = res.Body.Close()
		require.Equal(t, c.status, res.StatusCode, "%+v", c)
	}
}

// TestMetricsOfFailures checks the metrics of failing daemons, and wallet names with --metrics-wallet-names.
func TestMetricsOfFailures(t *testing.T) {
	dead, walletPort, page, front, frontPage := aPort(t), aPort(t), aPort(t), aPort(t), aPort(t)
	start(t, "wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", walletPort,
		"--disable-rpc-login", "--daemon-address", "127.0.0.1:"+dead, "--metrics-bind-address", "127.0.0.1:"+page,
		"--metrics-wallet-names")
	w := dial(t, walletPort, digest.Login{})
	_, err := rpc.Call(t.Context(), w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.Error(t, err)
	got, _ := scrape(t, page)
	require.Contains(t, got, `glim_wallet_height{wallet="a"}`)
	require.Zero(t, got[`glim_daemon_up{daemon="daemon"}`])
	require.Positive(t, got[`glim_daemon_requests_total{daemon="daemon",result="failed"}`])

	start(t, "daemon", "--stagenet", "--bootstrap-daemon-address", "127.0.0.1:"+dead+",localhost:"+dead,
		"--rpc-bind-port", front, "--metrics-bind-address", "127.0.0.1:"+frontPage)
	_, err = dial(t, front, digest.Login{}).Post(context.Background(), "/get_height", []byte("{}"))
	require.NoError(t, err, "the failure is in the status")
	got, _ = scrape(t, frontPage)
	require.Zero(t, got["glim_chain_up{}"])
	require.NotContains(t, got, "glim_chain_height{}")
	for _, n := range []string{"1", "2"} {
		require.Contains(t, got, `glim_daemon_up{daemon="`+n+`"}`)
		require.Zero(t, got[`glim_daemon_up{daemon="`+n+`"}`])
	}
}

func TestMetricsFlags(t *testing.T) {
	for args, why := range map[string]string{
		"--metrics-bind-address 9100":         "is not IP:PORT",
		"--metrics-bind-address 0.0.0.0:9100": "--confirm-external-bind",
		"--metrics-bind-address name:9100":    "not an IP address",
		"--metrics-wallet-names":              "--metrics-bind-address",
		"--log-format xml":                    "text or json",
	} {
		_, err := parse(least + args)
		require.ErrorContains(t, err, why, args)
	}
	_, err := parse(least + "--metrics-bind-address 0.0.0.0:9100 --confirm-external-bind")
	require.NoError(t, err)
	c, err := parse(least)
	require.NoError(t, err)
	l, err := c.listenMetrics()
	require.NoError(t, err)
	require.Nil(t, l, "disabled by default")
	require.Nil(t, newMeters(c.Metrics))
}
