package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// story is a worker in front of three connections to one daemon, and three wallets with the same keys: two use the
// worker, one uses the daemon.
type story struct {
	ctx      context.Context
	dir      string
	build    string
	all      bool // also run tests that are not regular ones
	daemon   *peers.Daemon
	proxies  []*proxy
	bindings []byte
	worker   *exec.Cmd
	stdin    io.Closer
	url      string
	reports  lines
	close    []func() error

	key     *keys.Keys
	address string
	sender  engine.Wallet // sends through the worker
	through engine.Wallet // reads through the worker what direct reads from the daemon
	direct  engine.Wallet
}

// lines collects the output of the worker.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Reset()
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (s *story) end() {
	for _, f := range s.close {
		_ = f()
	}
	s.stop()
	for _, p := range s.proxies {
		p.close()
	}
	if s.daemon != nil {
		_ = s.daemon.Kill()
	}
}

// depth is the number of blocks after which the worker treats a block as final.
const depth = 20

// check runs the commands in README.md that check a deployed worker.
func (s *story) check() error {
	text, err := os.ReadFile("wasm/worker/README.md")
	if err != nil {
		return err
	}
	_, after, found := strings.Cut(string(text), "```sh\ncurl ")
	commands, _, ended := strings.Cut("curl "+after, "```\n")
	if !found || !ended {
		return errors.New("README.md has no commands to check a worker")
	}
	c := exec.CommandContext(s.ctx, "sh", "-euc", strings.ReplaceAll(commands, "https://gateway.example", s.url))
	c.Dir = s.dir
	out, err := c.CombinedOutput()
	got := strings.ReplaceAll(string(out), " ", "")
	ok := strings.Count(got, `"status":"OK"`) == 2 && strings.Count(got, `"height":`) == 2
	if err != nil || !ok || !strings.HasSuffix(got, "404\n") {
		return errors.Join(err, fmt.Errorf("the check in README.md printed %s", out))
	}
	return nil
}

func (s *story) begin() error {
	var upstreams []string
	for range 3 {
		p, err := newProxy(s.daemon.URL)
		if err != nil {
			return err
		}
		s.proxies, upstreams = append(s.proxies, p), append(upstreams, p.URL)
	}
	s.proxies[0].be(forging)
	var err error
	if s.bindings, err = json.Marshal(map[string]string{
		"NETWORK":             "fakechain",
		"UPSTREAMS":           strings.Join(upstreams, ","),
		"ORIGINS":             "https://wallet.example",
		"DEPTH":               fmt.Sprint(depth),
		"UPSTREAM_TIMEOUT_MS": "1500",
	}); err != nil {
		return err
	}
	if err := s.serve(1_000_000); err != nil {
		return err
	}
	if s.key, err = keys.FromSeed([32]byte{42, 8}); err != nil {
		return err
	}
	if s.sender, err = s.wallet("sender", s.url); err != nil {
		return err
	}
	if s.through, err = s.wallet("through", s.url); err != nil {
		return err
	}
	if s.direct, err = s.wallet("direct", s.daemon.URL); err != nil {
		return err
	}
	r, err := call(s, s.direct, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	if err != nil {
		return err
	}
	s.address = r.Address
	// Enough blocks for decoys, and for one complete segment of final blocks.
	rewards, others := 65, 57
	if s.all {
		rewards, others = 160, 80
	}
	if err := s.daemon.Mine(s.ctx, rewards, s.address); err != nil {
		return err
	}
	return s.daemon.Mine(s.ctx, others, otherAddress)
}

// serve starts a worker with a limit of requests per client and minute, and with the bucket of earlier workers.
func (s *story) serve(limit int) error {
	args := []string{"serve.mjs", string(s.bindings), filepath.Join(s.dir, "bucket"), fmt.Sprint(limit)}
	s.worker = exec.CommandContext(s.ctx, "node", args...)
	s.worker.Dir = s.build
	s.worker.Stderr = &s.reports
	out, err := s.worker.StdoutPipe()
	if err != nil {
		return err
	}
	if s.stdin, err = s.worker.StdinPipe(); err != nil {
		return err
	}
	if err := s.worker.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("no address: %w", err)
	}
	s.url = strings.TrimSuffix(strings.TrimSpace(line), "/")
	return nil
}

// stop ends the worker.
func (s *story) stop() {
	if s.worker != nil {
		_ = s.stdin.Close()
		_ = s.worker.Wait()
		s.worker = nil
	}
}

// otherAddress is an address, unknown to the wallets here, to mine to.
var otherAddress = func() string {
	k, err := keys.FromSeed([32]byte{1})
	if err != nil {
		panic("unreachable: every seed is a key's")
	}
	return addressOf(k)
}()

// wallet restores the wallet with a daemon.
func (s *story) wallet(name, daemon string) (engine.Wallet, error) {
	e, err := engine.New(service.Config{
		Network:   xmr.Regtest,
		Lookahead: wallet.Lookahead{Major: 2, Minor: 5},
		KDF:       journal.WeakestKDF(),
		Random:    rand.Reader,
		Workers:   2,
		Wait:      native.Wait,
		Now:       func() uint64 { return uint64(time.Now().Unix()) }, Files: native.WalletDir(s.dir),
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) { return native.DaemonTransport(d, 18081, false) },
	}, service.DaemonConfig{Address: daemon, SSL: service.SSL{Support: "disabled"}})
	if err != nil {
		return engine.Wallet{}, err
	}
	s.close = append(s.close, e.Close)
	w := e.Wallet(name)
	secret, _ := s.key.SpendSecret()
	view := s.key.ViewSecret()
	_, err = call(s, w, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename: name,
		Address:  addressOf(s.key),
		SpendKey: fmt.Sprintf("%x", secret[:]),
		ViewKey:  fmt.Sprintf("%x", view[:]),
	})
	return w, err
}

func call[Req, Resp any](s *story, t rpc.Transport, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	return rpc.Call(s.ctx, t, m, req)
}

// same refreshes both wallets until they agree: the worker's view of the chain's top and of the pool is a few seconds
// old.
func (s *story) same() error {
	var last error
	deadline := time.Now().Add(5 * time.Minute)
	for ; time.Now().Before(deadline) && s.ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		var there struct{ Count uint64 }
		if err := s.daemon.JSON(s.ctx, "get_block_count", nil, &there); err != nil {
			return err
		}
		ours, height, err := s.tells(s.through)
		if err != nil {
			return err
		}
		theirs, _, err := s.tells(s.direct)
		if err != nil {
			return err
		}
		n := 0
		for n < min(len(ours), len(theirs)) && ours[n] == theirs[n] {
			n++
		}
		switch {
		case height != there.Count:
			last = fmt.Errorf("at block %d of %d", height, there.Count)
		case ours != theirs:
			ours, theirs = ours[max(0, n-50):], theirs[max(0, n-50):]
			last = fmt.Errorf("through the worker ...%.200s, directly ...%.200s", ours, theirs)
		default:
			return nil
		}
	}
	return last
}

// tells refreshes a wallet and returns its state and the number of blocks it has scanned.
func (s *story) tells(w engine.Wallet) (string, uint64, error) {
	if _, err := call(s, w, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return "", 0, err
	}
	height, err := call(s, w, walletrpc.GetHeight, walletrpc.Empty{})
	if err != nil {
		return "", 0, err
	}
	b, err := call(s, w, walletrpc.GetBalance, walletrpc.GetBalanceRequest{AllAccounts: true})
	if err != nil {
		return "", 0, err
	}
	in, err := call(s, w, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"})
	if err != nil {
		return "", 0, err
	}
	if len(in.Transfers) == 0 {
		return "", 0, errors.New("nothing was received")
	}
	text, err := json.Marshal([]any{b, in.Transfers})
	return string(text), height.Height, err
}

func (s *story) synchronise() error {
	if err := s.same(); err != nil {
		return err
	}
	n := 0
	for _, p := range s.proxies {
		k, _ := p.questions("/get_blocks.bin")
		n += k
	}
	if n == 0 {
		return errors.New("no upstream got a request for blocks")
	}
	if !strings.Contains(s.reports.String(), "its chain has") {
		return errors.New("the worker did not report that an upstream sent invalid data")
	}
	s.proxies[0].be(honest)
	return nil
}

func (s *story) send() error {
	if _, err := call(s, s.sender, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return err
	}
	for range 2 {
		if _, err := call(s, s.sender, walletrpc.Transfer, walletrpc.TransferRequest{
			Destinations: []walletrpc.Destination{
				{Amount: xmr.Coin, Address: otherAddress},
				{Amount: 2 * xmr.Coin, Address: s.address},
			},
		}); err != nil {
			return err
		}
	}
	var pool struct {
		Transactions []json.RawMessage `json:"transactions"`
	}
	if err := s.daemon.Path(s.ctx, "/get_transaction_pool", nil, &pool); err != nil {
		return err
	}
	if len(pool.Transactions) != 2 {
		return fmt.Errorf("%d transactions in the pool", len(pool.Transactions))
	}
	if err := s.daemon.Mine(s.ctx, 2, otherAddress); err != nil {
		return err
	}
	return s.same()
}

// reference uses the reference's wallet with the same keys through the worker.
func (s *story) reference() error {
	daemon := &peers.Daemon{Client: peers.Client{URL: s.url}}
	w, err := peers.StartWalletRPC(s.ctx, daemon, peers.Options{Dir: filepath.Join(s.dir, "reference")})
	if err != nil {
		return err
	}
	defer func() { _ = w.Kill() }()
	secret, _ := s.key.SpendSecret()
	view := s.key.ViewSecret()
	if err := w.JSON(s.ctx, "generate_from_keys", map[string]any{
		"filename": "same",
		"password": "",
		"address":  s.address,
		"spendkey": fmt.Sprintf("%x", secret[:]),
		"viewkey":  fmt.Sprintf("%x", view[:]),
	}, nil); err != nil {
		return err
	}
	if err := w.JSON(s.ctx, "refresh", nil, nil); err != nil {
		return err
	}
	var theirs struct{ Balance, Height uint64 }
	if err := w.JSON(s.ctx, "get_balance", nil, &theirs); err != nil {
		return err
	}
	ours, err := call(s, s.direct, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	if err != nil {
		return err
	}
	if theirs.Balance != ours.Balance || ours.Balance == 0 {
		return fmt.Errorf("the balance is %d; with glim it is %d", theirs.Balance, ours.Balance)
	}
	if err := w.JSON(s.ctx, "transfer", map[string]any{
		"destinations": []map[string]any{{"amount": xmr.Coin, "address": otherAddress}},
	}, nil); err != nil {
		return err
	}
	if err := s.daemon.Mine(s.ctx, 1, otherAddress); err != nil {
		return err
	}
	return s.same()
}

// reported waits until the worker reports a text.
func (s *story) reported(what string) error {
	deadline := time.Now().Add(5 * time.Minute)
	for ; !strings.Contains(s.reports.String(), what); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) || s.ctx.Err() != nil {
			return fmt.Errorf("the worker never reported %q", what)
		}
		if _, err := call(s, s.through, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) forge() error {
	if err := s.reported("it agrees again"); err != nil {
		return err
	}
	s.reports.forget()
	s.proxies[0].be(forging)
	if err := s.reported("its chain has"); err != nil {
		return err
	}
	if err := s.daemon.Mine(s.ctx, 1, otherAddress); err != nil {
		return err
	}
	if err := s.same(); err != nil {
		return err
	}
	s.proxies[0].be(honest)
	return s.reported("it agrees again")
}

func (s *story) stall() error {
	s.proxies[0].be(stalling)
	if err := s.daemon.Mine(s.ctx, 1, otherAddress); err != nil {
		return err
	}
	if err := s.same(); err != nil {
		return err
	}
	s.proxies[0].be(honest)
	return nil
}

func (s *story) die() error {
	s.proxies[0].close()
	s.proxies = s.proxies[1:]
	if err := s.daemon.Mine(s.ctx, 1, otherAddress); err != nil {
		return err
	}
	return s.same()
}

// reorganise reorganises the chain, first above and then below the height that the worker treats as final.
func (s *story) reorganise() error {
	for _, blocks := range []int{5, 130} {
		// Transactions in the pool would enter the new blocks, which may lack the outputs that they spend.
		if err := s.daemon.Mine(s.ctx, 1, otherAddress); err != nil {
			return err
		}
		var info struct{ Height uint64 }
		if err := s.daemon.JSON(s.ctx, "get_info", nil, &info); err != nil {
			return err
		}
		var at string
		fork := []uint64{info.Height - 1 - uint64(blocks)}
		if err := s.daemon.JSON(s.ctx, "on_get_block_hash", fork, &at); err != nil {
			return err
		}
		if err := s.daemon.Mine(s.ctx, blocks+1, otherAddress, at); err != nil {
			return err
		}
		if err := s.same(); err != nil {
			return fmt.Errorf("%d blocks: %w", blocks, err)
		}
	}
	return nil
}

// elsewhere starts the worker in another location of the platform with an empty cache, so that immutable data is read
// from the bucket. Only a client that sends too many requests there is refused.
func (s *story) elsewhere() error {
	s.stop()
	const limit = 20
	if err := s.serve(limit); err != nil {
		return err
	}
	s.questions("/get_blocks.bin")
	q, err := epee.Marshal(&daemonrpc.GetCompactBlocksRequest{Version: 1, StartHeight: 1, MaxBlockCount: 99})
	if err != nil {
		return err
	}
	b, _, err := s.post("/get_compact_blocks.bin", q, "192.0.2.1")
	if err != nil {
		return err
	}
	var r daemonrpc.GetCompactBlocksResponse
	if err := epee.Unmarshal(b, &r); err != nil || len(r.Blocks) != 99 {
		return fmt.Errorf("%d blocks: %w", len(r.Blocks), err)
	}
	if n, _ := s.questions("/get_blocks.bin"); n > 0 {
		return fmt.Errorf("an upstream got %d requests for blocks that are in the bucket", n)
	}
	answered := 0
	for ; answered <= 3*limit; answered++ {
		if _, _, err = s.post("/get_height", nil, fmt.Sprintf("2001:db8:1:2::%d", answered)); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "429") || answered > limit {
		return fmt.Errorf("after %d requests of a client: %w", answered, err)
	}
	_, _, err = s.post("/get_height", nil, "2001:db8:1:3::1")
	return err
}

// questions returns the number of requests to a path of the daemons since the last call, and the bytes of all
// responses.
func (s *story) questions(path string) (n, size int) {
	for _, p := range s.proxies {
		k, b := p.questions(path)
		n, size = n+k, size+b
	}
	return n, size
}
