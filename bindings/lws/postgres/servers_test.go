package postgres

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	local "glim/bindings/lws"
	"glim/bindings/native"
	"glim/bindings/wallet/regtest"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/rpc"
	"glim/core/xmr"
)

// running is a server whose Run runs.
type running struct {
	*Server
	stop func() // ends Run; the lease stays
}

func start(t *testing.T, cfg Config) running {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	stop := func() { cancel(); <-ended }
	t.Cleanup(stop)
	return running{s, stop}
}

// ask sends a request with the address and the view key of an account, and returns the body of the response and the
// HTTP status. On a slow machine, leases may end and requests wait; then it asks again.
func ask(t *testing.T, s native.Service, k *keys.Keys, path, more string) (body string, status int) {
	t.Helper()
	until(t, path, func() bool {
		body, status = askOnce(t, s, k, path, more)
		return status != http.StatusServiceUnavailable
	})
	return body, status
}

func askOnce(t *testing.T, s native.Service, k *keys.Keys, path, more string) (string, int) {
	t.Helper()
	spend, viewPublic := k.Address(keys.Index{})
	view := k.ViewSecret()
	body, err := s.Serve(t.Context(), path, fmt.Appendf(nil, `{"address":%q,"view_key":"%x"%s}`,
		address.At(xmr.Regtest, keys.Index{}, spend, viewPublic), view[:], more), rpc.Options{})
	var chosen *lws.Error
	if errors.As(err, &chosen) {
		return chosen.Text, chosen.Status
	}
	require.NoError(t, err)
	return string(body), 200
}

// until polls until ok returns true.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), what)
	}
}

// administrate sends a request of an administrator.
func administrate(t *testing.T, s *Server, folder, path, params string) string {
	t.Helper()
	auth, err := os.ReadFile(filepath.Join(folder, "lws-admin.key"))
	require.NoError(t, err)
	var body []byte
	until(t, path, func() bool {
		body, err = administrators{s}.Serve(t.Context(), path,
			fmt.Appendf(nil, `{"auth":%q,"params":%s}`, strings.TrimSpace(string(auth)), params), rpc.Options{})
		var chosen *lws.Error
		return !errors.As(err, &chosen) || chosen.Status != http.StatusServiceUnavailable
	})
	require.NoError(t, err)
	return string(body)
}

// servers: three servers that share a database answer for every account like a single one, also after a
// reorganisation and after one of them is gone.
func servers(t *testing.T, url string) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 3, ""))
	folder := t.TempDir()
	cfg := Config{Config: local.Config{
		Network: xmr.Regtest, Folder: folder, Daemon: chain, Poll: 20 * time.Millisecond, MaxSubaddresses: 100,
		AcceptImport: true, Random: rand.Reader, Version: "test",
	}, URL: url, Lease: 5 * time.Second}
	all := []running{start(t, cfg), start(t, cfg), start(t, cfg)}
	other := cfg
	other.Folder = t.TempDir()
	_, err = Open(t.Context(), other)
	require.ErrorIs(t, err, local.ErrKeyMissing)
	require.NoError(t, os.WriteFile(filepath.Join(other.Folder, "lws.key"), []byte(strings.Repeat("5", 64)), 0o600))
	_, err = Open(t.Context(), other)
	require.ErrorIs(t, err, local.ErrSeal)
	alone := cfg.Config
	alone.Folder = filepath.Join(folder, "alone")
	single, err := local.Open(alone)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, single.Close()) })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { single.Run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	until(t, "the division", func() bool {
		for _, s := range all {
			if h := s.held(); !h.fresh() || len(h.parts) == 0 || len(h.parts) > fair(len(all)) || s.Top() == 0 {
				return false
			}
		}
		return single.Book.Top() > 0
	})

	// Log-ins at any server; an administrator accepts them at one.
	list, at := users(t, 7)
	var texts []string
	for i, k := range list {
		for n := range 3 { // an answer that comes too late makes ask repeat the first one
			body, status := ask(t, wallets{all[(i+n)%3].Server}, k, "/login",
				`,"create_account":true,"generated_locally":true`)
			if status != 200 || n > 0 {
				require.Equal(t, 403, status)
				require.Contains(t, body, "waiting for approval")
				continue
			}
			require.Contains(t, body, `"new_address":true`)
		}
		texts = append(texts, address.Address{Network: xmr.Regtest, Spend: at[i].Spend, View: at[i].View}.String())
	}
	quoted, err := json.Marshal(texts)
	require.NoError(t, err)
	var requests struct{ Create []struct{ Address string } }
	waiting := administrate(t, all[0].Server, folder, "/list_requests", "{}")
	require.NoError(t, json.Unmarshal([]byte(waiting), &requests))
	require.Len(t, requests.Create, len(list))
	for i, k := range list {
		until(t, "the accounts", func() bool { // after an error, an answer lists only what was decided before
			administrate(t, all[1].Server, folder, "/accept_requests",
				fmt.Sprintf(`{"type":"create","addresses":%s}`, quoted))
			_, status := ask(t, wallets{all[0].Server}, k, "/login", `,"create_account":false,"generated_locally":true`)
			return status == 200
		})
		require.NoError(t, single.Book.Add(at[i], k.ViewSecret()))
	}
	forged := []byte(`{"auth":"0","params":{}}`)
	_, err = administrators{all[0].Server}.Serve(t.Context(), "/rescan", forged, rpc.Options{})
	require.Error(t, err, "without the secret")

	// same waits until the servers answer like the single one.
	same := func(what string, servers ...running) {
		t.Helper()
		top := fmt.Sprintf(`"scanned_block_height":%d`, chain.Height()-1)
		for i, k := range list {
			for _, path := range []string{"/get_address_info", "/get_address_txs"} {
				until(t, what, func() bool {
					want, status := ask(t, single.Wallets(), k, path, "")
					require.Equal(t, 200, status)
					if !strings.Contains(want, top) {
						return false
					}
					for _, s := range servers {
						if got, _ := ask(t, wallets{s.Server}, k, path, ""); got != want {
							return false
						}
					}
					return true
				})
			}
			body, _ := ask(t, wallets{servers[i%len(servers)].Server}, k, "/get_unspent_outs", `,"amount":"0"`)
			require.Contains(t, body, `"per_byte_fee"`)
		}
	}
	for _, text := range texts {
		require.NoError(t, chain.Mine(t.Context(), 1, text))
	}
	same("the rewards", all...)
	require.NoError(t, chain.Reorganise(t.Context(), 3))
	require.NoError(t, chain.Mine(t.Context(), 4, texts[0]))
	same("the other branch", all...)

	// One stops without a word. Its accounts move, and requests for them wait.
	gone := all[0]
	gone.stop()
	gone.held().end()
	gone.d.close()
	require.NoError(t, chain.Mine(t.Context(), 1, texts[1]))
	left := all[1:]
	for i, k := range list {
		body, status := ask(t, wallets{left[i%2].Server}, k, "/import_wallet_request", `,"from_height":1`)
		require.Equal(t, 200, status, body)
		body, status = ask(t, single.Wallets(), k, "/import_wallet_request", `,"from_height":1`)
		require.Equal(t, 200, status, body)
		for _, server := range []native.Service{wallets{left[i%2].Server}, single.Wallets()} {
			body, status = ask(t, server, k, "/provision_subaddrs", `,"maj_i":0,"min_i":0,"n_maj":1,"n_min":5`)
			require.Equal(t, 200, status, body)
		}
		want, _ := ask(t, single.Wallets(), k, "/get_subaddrs", "")
		require.Contains(t, want, "[[0,4]]")
		body, _ = ask(t, wallets{left[1-i%2].Server}, k, "/get_subaddrs", "")
		require.Equal(t, want, body)
	}
	for _, text := range texts {
		require.NoError(t, chain.Mine(t.Context(), 1, text))
	}
	same("the accounts of the server that is gone", left...)
	until(t, "the status", func() bool {
		administrate(t, left[0].Server, folder, "/modify_account_status",
			fmt.Sprintf(`{"status":"hidden","addresses":%s}`, quoted))
		var listed map[string][]struct{ Address string }
		answer := administrate(t, left[1].Server, folder, "/list_accounts", "{}")
		require.NoError(t, json.Unmarshal([]byte(answer), &listed))
		return len(listed["hidden"]) == len(list)
	})
	for _, k := range list {
		_, status := ask(t, wallets{left[0].Server}, k, "/get_address_info", "")
		require.Equal(t, 403, status)
	}

	// A server that ends frees its accounts at once.
	left[0].stop()
	require.NoError(t, left[0].Close())
	until(t, "all parts", func() bool { h := left[1].held(); return h.fresh() && len(h.parts) == parts })
	left[1].stop()
	require.NoError(t, left[1].Close())
}
