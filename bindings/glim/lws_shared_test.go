//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/xmr"
)

// walletOf is an account of a light-wallet server.
type walletOf struct{ address, view string }

// ask returns the body of the response of the server at a port, or "" if it refuses or does not answer.
func (w walletOf) ask(port, path, more string) string {
	body := fmt.Sprintf(`{"address":%q,"view_key":%q%s}`, w.address, w.view, more)
	client := http.Client{Timeout: time.Minute}
	r, err := client.Post("http://127.0.0.1:"+port+path, "application/json", strings.NewReader(body))
	if err != nil {
		return ""
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		return ""
	}
	return string(text)
}

// TestLWSKilledAndPaused: three processes share a database. One is killed and another one paused while blocks arrive.
// The third one has all accounts soon, and the paused one damages nothing when it continues: both answer like a server
// that has been alone all the time.
func TestLWSKilledAndPaused(t *testing.T) {
	database, err := peers.NewPostgres(t).Create(t.Context(), "lws")
	require.NoError(t, err)
	d, err := inprocess.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Kill() })
	var wallets []walletOf
	for i := range 6 {
		k, err := keys.FromSeed([32]byte{byte(1 + i)})
		require.NoError(t, err)
		spend, public := k.Address(keys.Index{})
		view := k.ViewSecret()
		a := address.At(xmr.Regtest, keys.Index{}, spend, public)
		wallets = append(wallets, walletOf{a.String(), fmt.Sprintf("%x", view[:])})
	}
	require.NoError(t, d.Mine(t.Context(), 3, wallets[0].address))
	top := 3
	folder := t.TempDir()
	serve := func(more ...string) (*process, string) {
		port := aPort(t)
		p := runProcess(t, append([]string{
			"lws", "--regtest", "--daemon", strings.TrimPrefix(d.URL, "http://"), "--auto-accept-creation",
			"--auto-accept-import", "--scan-threads", "1", "--rest-server", "http://127.0.0.1:" + port,
		}, more...)...)
		p.await(t, "serves wallets")
		return p, port
	}
	var processes []*process
	var ports []string
	for range 3 {
		p, port := serve("--database", database, "--db-path", folder)
		processes, ports = append(processes, p), append(ports, port)
	}
	_, alone := serve("--db-path", t.TempDir())
	until := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(50 * time.Millisecond) {
			require.True(t, time.Now().Before(deadline), what)
		}
	}

	for i, w := range wallets {
		for _, port := range []string{ports[i%3], alone} {
			until("the account", func() bool {
				return w.ask(port, "/login", `,"create_account":true,"generated_locally":true`) != ""
			})
			until("the scan from the first block", func() bool {
				answer := w.ask(port, "/import_wallet_request", `,"from_height":1`)
				return strings.Contains(answer, `"request_fulfilled":true`)
			})
		}
	}
	mineToAll := func() {
		t.Helper()
		for _, w := range wallets {
			require.NoError(t, d.Mine(t.Context(), 1, w.address))
			top++
		}
	}
	same := func(what string, ports ...string) {
		t.Helper()
		for _, w := range wallets {
			for _, path := range []string{"/get_address_info", "/get_address_txs"} {
				until(what, func() bool {
					want := w.ask(alone, path, "")
					if !strings.Contains(want, fmt.Sprintf(`"scanned_block_height":%d,`, top)) {
						return false
					}
					for _, port := range ports {
						if w.ask(port, path, "") != want {
							return false
						}
					}
					return true
				})
			}
		}
	}
	mineToAll()
	same("before", ports...)

	require.NoError(t, d.Mine(t.Context(), 1, wallets[0].address))
	top++
	require.NoError(t, processes[0].Process.Kill())
	require.NoError(t, processes[1].Process.Signal(syscall.SIGSTOP))
	mineToAll()
	same("after the kill and the pause", ports[2])

	require.NoError(t, processes[1].Process.Signal(syscall.SIGCONT))
	same("after the pause", ports[1:]...)
	mineToAll()
	same("at the end", ports[1:]...)
	require.NoError(t, processes[1].Process.Signal(syscall.SIGTERM))
	mineToAll()
	same("alone", ports[2])
}
