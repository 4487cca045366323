package bridge

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/node"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

const coin = 1_000_000_000_000

// number reads a 64-bit number of a result.
func number(t *testing.T, v any) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(v.(string), 10, 64)
	require.NoError(t, err)
	return n
}

// TestWalletInUse makes a wallet, receives and sends a payment, follows its events, and continues after closing.
func TestWalletInUse(t *testing.T) {
	t.Parallel()
	d := daemon(t)
	dir := filepath.Join(t.TempDir(), "made", "here")
	o := NewOptions()
	o.Network, o.Folder, o.Daemon, o.Trusted, o.Accounts, o.Addresses = "regtest", dir, d.URL, true, 2, 5
	e, err := Open(o)
	require.NoError(t, err)
	me, you := create(t, e, "me"), create(t, e, "you")
	var mine1, all ear
	s, err := e.Follow("me", "", &mine1)
	require.NoError(t, err)
	mine(t, d, 3, me)
	mine(t, d, xmr.CoinbaseUnlock+16, node.UnspendableAddress()) // and enough decoys
	do(t, e, "me", "refresh", nil)
	mine1.heard(t, "confirmed", "unlocked")
	before := number(t, do(t, e, "me", "get_balance", nil)["unlocked_balance"])
	require.Greater(t, before, uint64(coin))

	sent := do(t, e, "me", "transfer", object{
		"destinations":    []object{{"amount": strconv.Itoa(coin), "address": you}},
		"idempotency_key": "rent",
	})
	require.Equal(t, sent["tx_hash"], do(t, e, "me", "transfer", object{
		"destinations": []object{{"amount": coin, "address": you}}, "idempotency_key": "rent"})["tx_hash"])
	mine(t, d, 1, node.UnspendableAddress())
	do(t, e, "me", "refresh", nil)
	do(t, e, "you", "refresh", nil)
	require.EqualValues(t, coin, number(t, do(t, e, "you", "get_balance", nil)["balance"]))
	after := number(t, do(t, e, "me", "get_balance", nil)["balance"])
	require.Equal(t, before-coin-number(t, sent["fee"]), after)

	s.Cancel()
	s.Join()
	require.Equal(t, 1, mine1.ended)
	require.Zero(t, mine1.code)
	var last ear
	_, err = e.Follow("you", "0", &last)
	require.NoError(t, err)
	last.heard(t, "confirmed")
	require.NoError(t, e.Close())
	require.NoError(t, e.Close(), "twice is harmless")
	require.Equal(t, 1, last.ended)
	code, _ := fails(t, e, "me", "get_balance", nil)
	require.Equal(t, CodeCancelled, code)
	_, err = e.Call("me", "get_balance", "")
	require.Error(t, err)
	_, err = e.Follow("me", "", &last)
	require.Error(t, err)

	e, err = Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	code, message := fails(t, e, "me", "get_balance", nil)
	require.EqualValues(t, walletrpc.CodeNotOpen, code, message)
	_, err = e.Follow("me", "", &last)
	require.Error(t, err, "nothing is open")
	do(t, e, "me", "open_wallet", object{"password": "secret"})
	require.Equal(t, after, number(t, do(t, e, "me", "get_balance", nil)["balance"]))
	s, err = e.Follow("me", "0", &all)
	require.NoError(t, err)
	all.heard(t, "confirmed", "unlocked", "confirmed")
	do(t, e, "me", "close_wallet", nil)
	s.Join()
	all.heard(t, "closed")
	require.Equal(t, 1, all.ended)
}

// TestHostsHTTP reaches a daemon only through the host's HTTP, with and without a login, and checks that a request is
// aborted when its caller is cancelled.
func TestHostsHTTP(t *testing.T) {
	t.Parallel()
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	require.NoError(t, err)
	d, err := peers.Serve(t.Context(), chain, func() peers.Server {
		return native.NewServer(native.ServerConfig{
			Service: chain.Registry(), Login: digest.NewLogin("ada", "lovelace"), Random: rand.Reader,
			Limits: native.ServerLimits{Connections: 100, ConnectionsLocal: 100},
		})
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Stop() })
	d.Client.Login = "ada:lovelace"
	host := &stack{}
	e := open(t, d, func(o *Options) { o.HTTP, o.Username, o.Password = host, "ada", "lovelace" })
	me := create(t, e, "")
	mine(t, d, 2, me)
	do(t, e, "", "refresh", nil)
	require.EqualValues(t, 3, number(t, do(t, e, "", "get_height", nil)["height"]))
	host.mu.Lock()
	require.Positive(t, host.sent)
	hold := make(chan struct{})
	host.hold = hold
	host.mu.Unlock()
	do(t, e, "", "auto_refresh", object{"enable": false})

	var o outcome
	task := e.Start("", "refresh", "", &o)
	require.Eventually(t, func() bool {
		host.mu.Lock()
		defer host.mu.Unlock()
		return host.sent > 0
	}, limit, time.Millisecond)
	task.Cancel()
	task.Join()
	require.Equal(t, CodeCancelled, o.code)
	close(hold)

	host.mu.Lock()
	host.hold, host.broken = nil, errors.New("no network")
	host.mu.Unlock()
	code, message := fails(t, e, "", "refresh", nil)
	require.EqualValues(t, walletrpc.CodeNoDaemonConnection, code, message)
	host.mu.Lock()
	host.broken, host.panics = nil, true
	host.mu.Unlock()
	_, message = fails(t, e, "", "refresh", nil)
	require.NotContains(t, message, "the host's own")
	host.mu.Lock()
	host.panics = false
	host.mu.Unlock()
	// a request of the last refresh may still be failing, and an equal request would share its answer
	require.Eventually(t, func() bool {
		var o outcome
		e.Start("", "refresh", "", &o).Join()
		return o.code == 0
	}, limit, time.Millisecond)
	stranger := open(t, d, func(o *Options) { o.HTTP, o.Username, o.Password = host, "ada", "byron" })
	create(t, stranger, "")
	code, message = fails(t, stranger, "", "refresh", nil)
	require.EqualValues(t, walletrpc.CodeNoDaemonConnection, code, message)

	for _, bad := range []func(*Options){
		func(o *Options) { o.Proxy = "127.0.0.1:9050" }, func(o *Options) { o.Fingerprints = "00" },
		func(o *Options) { o.Daemon = "ftp://x" }, func(o *Options) { o.Daemon, o.TLS = "http://x", "enabled" },
	} {
		o := NewOptions()
		o.HTTP, o.Daemon = host, "x"
		bad(o)
		_, err := Open(o)
		require.Error(t, err)
	}
}

// TestHostsStorage stores wallets in a host's Storage, used by one engine after another.
func TestHostsStorage(t *testing.T) {
	t.Parallel()
	d := daemon(t)
	keep := newShelf()
	use := func(o *Options) { o.Storage = keep }
	e := open(t, d, use)
	me := create(t, e, "me")
	code, message := fails(t, e, "me", "create_wallet", object{"password": "x", "language": "English"})
	require.EqualValues(t, walletrpc.CodeWalletAlreadyExists, code, message)
	for _, bad := range []string{"a/b", "..", "y.glim"} {
		_, err := e.Call("", "create_wallet", fmt.Sprintf(`{"filename":%q,"password":"x","language":"English"}`, bad))
		require.Error(t, err, bad)
	}
	mine(t, d, 2, me)
	do(t, e, "me", "refresh", nil)
	balance := do(t, e, "me", "get_balance", nil)["balance"]
	do(t, e, "me", "export_keys_file", object{"filename": "taken", "password": "k"})
	_, err := e.Call("", "create_wallet", `{"filename":"taken","password":"x","language":"English"}`)
	require.Error(t, err)
	_, err = e.Call("me", "export_keys_file", `{"filename":"taken","password":"k"}`)
	require.Error(t, err)
	require.NoError(t, e.Close())
	require.Empty(t, keep.open, "closed is closed")

	e = open(t, d, use)
	_, err = e.Call("me", "open_wallet", `{"password":"wrong"}`)
	require.Error(t, err)
	_, err = e.Call("nobody", "open_wallet", `{"password":"secret"}`)
	require.Error(t, err)
	require.NotContains(t, keep.files, "nobody", "looking makes nothing")
	do(t, e, "me", "open_wallet", object{"password": "secret"})
	require.Equal(t, balance, do(t, e, "me", "get_balance", nil)["balance"])
	do(t, e, "taken", "open_wallet", object{"password": "k"}) // from the keys file alone
	require.Equal(t, me, do(t, e, "taken", "get_address", nil)["address"])

	do(t, e, "me", "setup_background_sync", object{"background_sync_type": "custom-background-password",
		"wallet_password": "secret", "background_cache_password": "watch"})
	require.Contains(t, keep.files, "me.background")
	do(t, e, "me", "setup_background_sync", object{"background_sync_type": "off", "wallet_password": "secret"})
	require.NotContains(t, keep.files, "me.background")

	keep.mu.Lock()
	keep.full = true
	keep.mu.Unlock()
	_, err = e.Call("me", "label_address", `{"index":{"major":0,"minor":0},"label":"x"}`)
	require.Error(t, err)
	keep.mu.Lock()
	keep.full = false
	keep.mu.Unlock()
}

// guardian is a KeyStore with a simulated user.
type guardian struct {
	mu       sync.Mutex
	asked    []string
	forgot   int
	password string
	refuse   bool
	silent   bool
}

func (g *guardian) Ask(q *Question) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, q.Wallet()+" "+q.Operation())
	refuse, silent, password := g.refuse, g.silent, g.password
	go func() {
		switch {
		case silent:
		case refuse:
			q.Refuse()
		default:
			q.Answer(password)
			q.Refuse() // ignored, because it is too late
		}
	}()
	return nil
}

func (g *guardian) Forget(*Question) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forgot++
	return nil
}

// TestKeyStore removes the spend key from memory, still receives payments, and pays only with the user's consent.
func TestKeyStore(t *testing.T) {
	t.Parallel()
	d := daemon(t)
	host := &guardian{password: "secret"}
	dir := t.TempDir()
	e := open(t, d, func(o *Options) { o.KeyStore, o.Folder = host, dir })
	me := create(t, e, "me")
	do(t, e, "me", "setup_background_sync", object{
		"background_sync_type": "reuse-wallet-password",
		"wallet_password":      "secret",
	})
	do(t, e, "me", "start_background_sync", nil)
	require.Empty(t, host.asked)
	require.FileExists(t, filepath.Join(dir, "me.background"))
	mine(t, d, 2, me)
	mine(t, d, xmr.CoinbaseUnlock+16, node.UnspendableAddress())
	do(t, e, "me", "refresh", nil)
	require.Positive(t, number(t, do(t, e, "me", "get_balance", nil)["unlocked_balance"]))
	require.Empty(t, host.asked, "to look takes no key")

	pay := object{"destinations": []object{{"amount": "5", "address": me}}}
	host.refuse = true
	code, _ := fails(t, e, "me", "transfer", pay)
	require.Equal(t, CodeNoKey, code)
	host.refuse, host.password = false, "wrong"
	code, _ = fails(t, e, "me", "transfer", pay)
	require.EqualValues(t, walletrpc.CodeInvalidPassword, code)
	host.password = "secret"
	require.Len(t, do(t, e, "me", "transfer", pay)["tx_hash"], 64)
	require.Equal(t, []string{"me transfer", "me transfer", "me transfer"}, host.asked)
	require.FileExists(t, filepath.Join(dir, "me.background"), "the key is away again")
	invalid := object{"destinations": []object{{"amount": "5", "address": "nonsense"}}}
	code, message := fails(t, e, "me", "transfer", invalid)
	require.EqualValues(t, walletrpc.CodeWrongAddress, code, message)
	require.FileExists(t, filepath.Join(dir, "me.background"), "also after a failure")
	require.Len(t, host.asked, 4)

	// Concurrent requests reach the user one after another, and a user who does not answer does not block them forever.
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			var o outcome
			e.Start("me", "query_key", `{"key_type":"mnemonic"}`, &o).Join()
			if o.code != 0 {
				t.Errorf("%d %s", o.code, o.message)
			}
		})
	}
	wait.Wait()
	host.mu.Lock()
	host.silent = true
	asked := len(host.asked)
	host.mu.Unlock()
	var o outcome
	task := e.Start("me", "query_key", `{"key_type":"mnemonic"}`, &o)
	require.Eventually(t, func() bool {
		host.mu.Lock()
		defer host.mu.Unlock()
		return len(host.asked) > asked
	}, limit, time.Millisecond)
	task.Cancel()
	task.Join()
	require.Equal(t, CodeCancelled, o.code)
	require.Eventually(t, func() bool {
		host.mu.Lock()
		defer host.mu.Unlock()
		return host.forgot == 1
	}, limit, time.Millisecond)

	do(t, e, "me", "stop_background_sync", object{"wallet_password": "secret"})
	require.NoFileExists(t, filepath.Join(dir, "me.background"))
	do(t, e, "me", "query_key", object{"key_type": "mnemonic"})
	require.Len(t, host.asked, asked+1, "the key is here")
}

// TestNothingPanics calls methods too early and with invalid arguments, as a host might.
func TestNothingPanics(t *testing.T) {
	var zero Engine
	require.NoError(t, zero.Close())
	_, err := zero.Call("", "get_version", "")
	require.Error(t, err)
	_, err = zero.Follow("", "", &ear{})
	require.Error(t, err)
	code, _ := fails(t, &zero, "", "get_version", nil)
	require.Equal(t, CodeCancelled, code)
	(&Task{}).Cancel()
	(&Task{}).Join()
	(&Subscription{}).Cancel()
	(&Subscription{}).Join()
	(&Question{}).Answer("x")
	(&Question{}).Refuse()
	(&Request{}).Fail("x")
	(&Request{}).Answer(200, "", []byte("x"))
	require.Empty(t, (&Request{}).URL()+(&Question{}).Wallet())

	e, err := Open(nil)
	require.NoError(t, err)
	defer e.Close()
	e.Start("", "get_version", "", nil).Join()
	_, err = e.Follow("", "0", nil)
	require.Error(t, err)
	_, err = e.Follow("", "-1", &ear{})
	require.Error(t, err)
	for _, c := range [][3]string{
		{"", "nonsense", ""},
		{"", "get_version", "["},
		{"", "get_version", "nonsense"},
		{"a/b", "get_version", ""},
		{"\x00", "open_wallet", "{}"},
		{"", "", ""},
		{"x", "\xff", "{\"\xff\":1}"},
	} {
		var o outcome
		e.Start(c[0], c[1], c[2], &o).Join()
		require.NotZero(t, o.code, "%q", c)
	}
	for _, o := range []*Options{
		{Network: "moon"},
		{Folder: "x", Storage: newShelf()},
		{Accounts: -1},
		{Accounts: 1},
		{Daemon: "a b"},
		{Folder: "/dev/null/x"},
		{Daemon: "x:18081", TLS: "perhaps"},
	} {
		_, err := Open(o)
		require.Error(t, err, "%+v", o)
	}
}

// TestVersionAsText checks the text of results and failures.
func TestVersionAsText(t *testing.T) {
	t.Parallel()
	e := open(t, nil, nil)
	text, err := e.Call("", "get_version", "")
	require.NoError(t, err)
	require.Contains(t, text, `"version":`)
	_, err = e.Call("", "get_balance", "")
	require.EqualError(t, err, "No wallet file (-13)")
}

// grumpy is a Receiver, a Listener and a Logger that always fails.
type grumpy struct{ lines chan string }

func (grumpy) Result(string) error         { return errors.New("no") }
func (grumpy) Failure(int32, string) error { return errors.New("no") }
func (g grumpy) Log(level int32, line string) error {
	g.lines <- fmt.Sprint(level, " ", line)
	return errors.New("no")
}

// TestFailingHosts checks that a host's errors are reported to the right caller and have no other effect.
func TestFailingHosts(t *testing.T) {
	t.Parallel()
	d := daemon(t)
	host := grumpy{make(chan string, 1000)}
	e := open(t, d, func(o *Options) { o.Logger = host })
	create(t, e, "")
	e.Start("", "get_height", "", host).Join()
	require.Equal(t, "1 a receiver failed operation=get_height error=no", <-host.lines)
	l := &ear{fail: errors.New("full")}
	s, err := e.Follow("", "0", l)
	require.NoError(t, err)
	s.Join()
	require.Equal(t, 1, l.ended)
	require.Equal(t, CodeBroken, l.code)
	require.Equal(t, "the listener failed: full", l.why)
	do(t, e, "", "get_height", nil)
}

// TestMemory sets the memory limit of the process.
func TestMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	open(t, nil, func(o *Options) { o.Memory = 200 << 20 })
	require.EqualValues(t, 200<<20, debug.SetMemoryLimit(-1))
	open(t, nil, func(o *Options) { o.Memory = 1 })
	require.EqualValues(t, 96<<20, debug.SetMemoryLimit(-1), "no wallet could be opened within less")
	Trim()
}

func FuzzCall(f *testing.F) {
	f.Add("", "get_balance", "{}")
	f.Add("a", "open_wallet", `{"filename":"x","password":"y"}`)
	f.Add("", "parse_uri", `{"uri":"monero:4"}`)
	f.Fuzz(func(t *testing.T, wallet, method, params string) {
		if method == "create_wallet" || method == "restore_deterministic_wallet" || method == "generate_from_keys" {
			return // each round takes a second
		}
		e, err := Open(nil)
		require.NoError(t, err)
		var o outcome
		e.Start(wallet, method, params, &o).Join()
		require.Equal(t, 1, o.notified)
		require.NoError(t, e.Close())
	})
}
