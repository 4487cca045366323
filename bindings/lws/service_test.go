package lws_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	wallets "glim/bindings/internal/phone"
	"glim/bindings/lws"
	"glim/bindings/native"
	"glim/bindings/wallet/regtest"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/xmr"
)

// phone is a wallet that knows the chain only through a light-wallet server.
type phone struct {
	wallets.Wallet
	t   *testing.T
	url string
}

func newPhone(t *testing.T, url string, seed byte) phone {
	k, err := keys.FromSeed([32]byte{seed})
	require.NoError(t, err)
	return phone{wallets.Wallet{Keys: k}, t, url}
}

func (p phone) address(i keys.Index) address.Address { return p.Address(i) }

// post sends a request and returns the status and the body of the response.
func post(t *testing.T, url, body string) (int, []byte) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, b
}

// ask sends a request with the phone's address and view key, and more fields.
func (p phone) ask(path, more string, out any) int {
	p.t.Helper()
	view := p.Keys.ViewSecret()
	status, b := post(p.t, p.url+path, fmt.Sprintf(`{"address":%q,"view_key":"%x"%s}`,
		p.address(keys.Index{}), view[:], more))
	if status == http.StatusOK && out != nil {
		require.NoError(p.t, json.Unmarshal(b, out))
	}
	return status
}

type info struct {
	Received string          `json:"total_received"`
	Sent     string          `json:"total_sent"`
	Scanned  uint64          `json:"scanned_block_height"`
	Spends   []wallets.Spend `json:"spent_outputs"`
}

// until asks for the account's state until it satisfies ok.
func (p phone) until(what string, ok func(i info) bool) (i info) {
	p.t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for {
		i = info{}
		require.Equal(p.t, 200, p.ask("/get_address_info", "", &i))
		if ok(i) {
			return i
		}
		require.True(p.t, time.Now().Before(deadline), what)
		time.Sleep(20 * time.Millisecond)
	}
}

// pay makes a transaction from the answers of the server alone.
func (p phone) pay(to address.Address, amount uint64) []byte {
	p.t.Helper()
	var unspent, random json.RawMessage
	require.Equal(p.t, 200, p.ask("/get_unspent_outs", fmt.Sprintf(`,"amount":"%d"`, amount), &unspent))
	require.Equal(p.t, 200, p.ask("/get_random_outs", `,"count":16,"amounts":["0"]`, &random))
	blob, err := p.Pay(unspent, random, to, amount)
	require.NoError(p.t, err)
	return blob
}

// isSpent reports whether the phone recognises the key image of a candidate.
func (p phone) isSpent(s wallets.Spend) bool {
	p.t.Helper()
	spent, err := p.Spent(s)
	require.NoError(p.t, err)
	return spent
}

// served is a running server.
type served struct {
	url, admin, folder string
	basic              string // serves wallets with a prefix
	stop               func()
}

func serve(t *testing.T, folder string, chain *regtest.Chain, change func(*lws.Config)) served {
	t.Helper()
	cfg := lws.Config{
		Network: xmr.Regtest, Folder: folder, Daemon: chain, Poll: 20 * time.Millisecond, MaxSubaddresses: 100,
		AcceptCreation: true, AcceptImport: true, Random: rand.Reader, Version: "test",
	}
	if change != nil {
		change(&cfg)
	}
	s, err := lws.Open(cfg)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan struct{})
	go func() { s.Run(ctx); close(ran) }()
	out := served{folder: folder}
	var servers []*native.Server
	ended := make(chan error, 3)
	start := func(server *native.Server) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		servers = append(servers, server)
		go func() { ended <- server.Serve(l) }()
		return "http://" + l.Addr().String()
	}
	out.url, out.admin = start(s.Server("")), start(s.AdminServer(""))
	out.basic = start(s.Server("/basic"))
	stopped := false
	out.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		for _, server := range servers {
			require.NoError(t, server.Shutdown(context.Background()))
			require.NoError(t, <-ended)
		}
		<-ran
		require.NoError(t, s.Close())
	}
	t.Cleanup(out.stop)
	deadline := time.Now().Add(3 * time.Minute)
	for s.Book.Top() == 0 {
		require.True(t, time.Now().Before(deadline), "no block was read")
		time.Sleep(10 * time.Millisecond)
	}
	return out
}

// TestPhone: a wallet that only talks to the server receives, pays, and sees what it spent, also after a restart.
func TestPhone(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	folder := filepath.Join(t.TempDir(), "db")
	s := serve(t, folder, chain, nil)
	alice, bob := newPhone(t, s.url, 1), newPhone(t, s.url, 2)
	require.Equal(t, 403, alice.ask("/get_address_info", "", nil))
	const create = `,"create_account":true,"generated_locally":true,"lookahead":{"maj_i":1,"min_i":3}`
	for _, p := range []phone{alice, bob} {
		require.Equal(t, 200, p.ask("/login", create, nil))
	}
	require.NoError(t, chain.Fund(t.Context(), 30, alice.address(keys.Index{}).String()))
	alice.until("the rewards", func(i info) bool { return i.Received != "0" && i.Scanned == chain.Height()-1 })

	// Alice pays an address of Bob.
	blob := alice.pay(bob.address(keys.Index{Minor: 2}), 1_000_000_000_000)
	status, answer := post(t, s.url+"/submit_raw_tx", fmt.Sprintf(`{"tx":"%x"}`, blob))
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"status":"OK"}`, string(answer))
	blob[len(blob)-1] ^= 1
	status, _ = post(t, s.url+"/submit_raw_tx", fmt.Sprintf(`{"tx":"%x"}`, blob))
	require.Equal(t, 400, status)
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	bob.until("the payment", func(i info) bool { return i.Received == "1000000000000" })
	i := alice.until("the spend", func(i info) bool { return slices.ContainsFunc(i.Spends, alice.isSpent) })
	mine := slices.DeleteFunc(slices.Clone(i.Spends), func(s wallets.Spend) bool { return !alice.isSpent(s) })
	require.Len(t, mine, 1)

	// Bob spends what he received, once it is unlocked.
	require.NoError(t, chain.Mine(t.Context(), 10, ""))
	bob.until("the last block", func(i info) bool { return i.Scanned == chain.Height()-1 })
	blob = bob.pay(alice.address(keys.Index{}), 300_000_000_000)
	status, answer = post(t, s.url+"/submit_raw_tx", fmt.Sprintf(`{"tx":"%x"}`, blob))
	require.Equal(t, 200, status, string(answer))
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	before := bob.until("the change", func(i info) bool { return slices.ContainsFunc(i.Spends, bob.isSpent) })

	// After a reorganisation the transaction is pending again, and then in another block.
	require.NoError(t, chain.Reorganise(t.Context(), 1))
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	bob.until("the other branch", func(i info) bool {
		return i.Scanned == chain.Height()-1 && i.Received == before.Received
	})

	s.stop()
	s = serve(t, folder, chain, nil)
	bob.url = s.url
	after := bob.until("the restart", func(i info) bool { return i.Scanned == chain.Height()-1 })
	require.Equal(t, before.Received, after.Received)
	require.Equal(t, before.Sent, after.Sent)

	// An account that is created later finds the same with an import.
	late := newPhone(t, s.url, 3)
	require.Equal(t, 200, late.ask("/login", create, nil))
	require.NoError(t, chain.Mine(t.Context(), 1, late.address(keys.Index{}).String()))
	late.until("the reward", func(i info) bool { return i.Received != "0" })
	require.Equal(t, 200, late.ask("/import_wallet_request", `,"from_height":0,"lookahead":{"maj_i":1,"min_i":3}`, nil))
	late.until("the scan from the beginning", func(i info) bool {
		return i.Received != "0" && i.Scanned == chain.Height()-1
	})
}

// TestHTTP checks methods, origins, sizes and the administrators' server.
func TestHTTP(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	s := serve(t, t.TempDir(), chain, func(c *lws.Config) { c.Origins = []string{"https://wallet.example"} })
	for path, want := range map[string]int{"/login": 405, "/get_version": 200, "/nothing": 404, "/daemon_status": 200} {
		resp, err := http.Get(s.url + path)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode, path)
	}
	for path, want := range map[string]int{
		"/basic/login": 405, "/basic/get_version": 200, "/get_version": 404, "/login": 404, "/basicget_version": 404,
	} {
		resp, err := http.Get(s.basic + path)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode, path)
	}
	status, _ := post(t, s.url+"/submit_raw_tx", strings.Repeat("x", 600<<10))
	require.Equal(t, 413, status)
	for origin, want := range map[string]int{"https://wallet.example": 200, "https://evil.example": 403} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/get_version",
			strings.NewReader("{}"))
		require.NoError(t, err)
		req.Header.Set("Origin", origin)
		req.Header.Set("Content-Type", "application/json")
		req.Host = "lws.example" // a public name
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode, origin)
	}
	status, _ = post(t, s.admin+"/list_accounts", "{}")
	require.Equal(t, 403, status)
	text, err := os.ReadFile(filepath.Join(s.folder, "lws-admin.key"))
	require.NoError(t, err)
	status, b := post(t, s.admin+"/list_accounts", fmt.Sprintf(`{"auth":%q}`, strings.TrimSpace(string(text))))
	require.Equal(t, 200, status)
	require.JSONEq(t, "{}", string(b))
	status, _ = post(t, s.url+"/list_accounts", "{}")
	require.Equal(t, 404, status)
}

// TestKeyIsNotReplaced: a missing key file of an existing database is an error, and no key is made.
func TestKeyIsNotReplaced(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	folder := t.TempDir()
	cfg := lws.Config{Network: xmr.Regtest, Folder: folder, Daemon: chain, Random: rand.Reader}
	s, err := lws.Open(cfg)
	require.NoError(t, err)
	_, err = lws.Open(cfg)
	require.ErrorIs(t, err, lws.ErrLocked)
	require.NoError(t, s.Close())
	require.NoError(t, os.Remove(filepath.Join(folder, "lws.key")))
	_, err = lws.Open(cfg)
	require.ErrorIs(t, err, lws.ErrKeyMissing)
	require.NoFileExists(t, filepath.Join(folder, "lws.key"))
}
