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

// story is a worker before three ways to one daemon, and three wallets of the same keys: two ask the worker, one the daemon.
type story struct {
	ctx      context.Context
	dir      string
	build    string
	all      bool // of the chapters that are no part of the tests
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
	through engine.Wallet // reads through the worker what the sender does, as direct does
	direct  engine.Wallet
}

// lines is what the worker writes.
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

// depth is how many blocks make one stay, for the worker.
const depth = 20

// check runs the commands of README.md with which a deployed worker is checked.
func (s *story) check() error {
	text, err := os.ReadFile("wasm/worker/README.md")
	if err != nil {
		return err
	}
	_, after, found := strings.Cut(string(text), "```sh\ncurl ")
	commands, _, ended := strings.Cut("curl "+after, "```\n")
	if !found || !ended {
		return errors.New("README.md has no commands to check a worker with")
	}
	c := exec.CommandContext(s.ctx, "sh", "-euc", strings.ReplaceAll(commands, "https://gateway.example", s.url))
	c.Dir = s.dir
	out, err := c.CombinedOutput()
	got := strings.ReplaceAll(string(out), " ", "")
	if err != nil || strings.Count(got, `"status":"OK"`) != 2 || strings.Count(got, `"height":`) != 2 || !strings.HasSuffix(got, "404\n") {
		return errors.Join(err, fmt.Errorf("the check in README.md says %s", out))
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
	s.proxies[0].be(lying)
	var err error
	if s.bindings, err = json.Marshal(map[string]string{
		"NETWORK": "fakechain", "UPSTREAMS": strings.Join(upstreams, ","), "ORIGINS": "https://wallet.example", "DEPTH": fmt.Sprint(depth),
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
	// So many that there are decoys, and a segment that stays.
	rewards, others := 65, 57
	if s.all {
		rewards, others = 160, 80
	}
	if err := s.daemon.Mine(s.ctx, rewards, s.address); err != nil {
		return err
	}
	return s.daemon.Mine(s.ctx, others, nobody)
}

// serve starts a worker that answers so many requests of one client in a minute, with the bucket of those before it.
func (s *story) serve(limit int) error {
	s.worker = exec.CommandContext(s.ctx, "node", "serve.mjs", string(s.bindings), filepath.Join(s.dir, "bucket"), fmt.Sprint(limit))
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

// nobody is the address of a key that no wallet here has, to mine to.
var nobody = func() string {
	k, err := keys.FromSeed([32]byte{1})
	if err != nil {
		panic("unreachable: every seed is a key's")
	}
	return addressOf(k)
}()

// wallet restores the story's wallet with a daemon.
func (s *story) wallet(name, daemon string) (engine.Wallet, error) {
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Lookahead: wallet.Lookahead{Major: 2, Minor: 5}, KDF: journal.WeakestKDF(), Random: rand.Reader, Workers: 2, Wait: native.Wait,
		Now: func() uint64 { return uint64(time.Now().Unix()) }, Files: native.WalletDir(s.dir),
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
		Filename: name, Address: addressOf(s.key), SpendKey: fmt.Sprintf("%x", secret[:]), ViewKey: fmt.Sprintf("%x", view[:]),
	})
	return w, err
}

func call[Req, Resp any](s *story, t rpc.Transport, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	return rpc.Call(s.ctx, t, m, req)
}

// same refreshes both wallets until they tell the same: what the worker says of the chain's end and of the pool is some seconds old.
func (s *story) same() error {
	var last error
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline) && s.ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
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
			last = fmt.Errorf("through the worker ...%.200s, directly ...%.200s", ours[max(0, n-50):], theirs[max(0, n-50):])
		default:
			return nil
		}
	}
	return last
}

// tells refreshes a wallet and returns what it says, and the number of blocks it has seen.
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
		return errors.New("nobody was asked for blocks")
	}
	if !strings.Contains(s.reports.String(), "its chain has") {
		return errors.New("nobody was told that an upstream lies")
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
			Destinations: []walletrpc.Destination{{Amount: xmr.Coin, Address: nobody}, {Amount: 2 * xmr.Coin, Address: s.address}},
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
	if err := s.daemon.Mine(s.ctx, 2, nobody); err != nil {
		return err
	}
	return s.same()
}

// reference lets the reference's wallet of the same keys live through the worker.
func (s *story) reference() error {
	w, err := peers.StartWalletRPC(s.ctx, &peers.Daemon{Client: peers.Client{URL: s.url}}, peers.Options{Dir: filepath.Join(s.dir, "reference")})
	if err != nil {
		return err
	}
	defer func() { _ = w.Kill() }()
	secret, _ := s.key.SpendSecret()
	view := s.key.ViewSecret()
	if err := w.JSON(s.ctx, "generate_from_keys", map[string]any{
		"filename": "same", "password": "", "address": s.address, "spendkey": fmt.Sprintf("%x", secret[:]), "viewkey": fmt.Sprintf("%x", view[:]),
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
		return fmt.Errorf("%d, and of glim %d", theirs.Balance, ours.Balance)
	}
	if err := w.JSON(s.ctx, "transfer", map[string]any{
		"destinations": []map[string]any{{"amount": xmr.Coin, "address": nobody}},
	}, nil); err != nil {
		return err
	}
	if err := s.daemon.Mine(s.ctx, 1, nobody); err != nil {
		return err
	}
	return s.same()
}

// told waits until the worker reports something.
func (s *story) told(what string) error {
	for deadline := time.Now().Add(5 * time.Minute); !strings.Contains(s.reports.String(), what); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) || s.ctx.Err() != nil {
			return fmt.Errorf("the worker never said %q", what)
		}
		if _, err := call(s, s.through, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) lie() error {
	if err := s.told("it agrees again"); err != nil {
		return err
	}
	s.reports.forget()
	s.proxies[0].be(lying)
	if err := s.told("its chain has"); err != nil {
		return err
	}
	if err := s.daemon.Mine(s.ctx, 1, nobody); err != nil {
		return err
	}
	if err := s.same(); err != nil {
		return err
	}
	s.proxies[0].be(honest)
	return s.told("it agrees again")
}

func (s *story) stall() error {
	s.proxies[0].be(stalling)
	if err := s.daemon.Mine(s.ctx, 1, nobody); err != nil {
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
	if err := s.daemon.Mine(s.ctx, 1, nobody); err != nil {
		return err
	}
	return s.same()
}

// reorganise lets the chain take another way above what is taken to stay, and below.
func (s *story) reorganise() error {
	for _, blocks := range []int{5, 130} {
		// What waits in the pool would go into the new blocks, which may not have what it spends.
		if err := s.daemon.Mine(s.ctx, 1, nobody); err != nil {
			return err
		}
		var info struct{ Height uint64 }
		if err := s.daemon.JSON(s.ctx, "get_info", nil, &info); err != nil {
			return err
		}
		var at string
		if err := s.daemon.JSON(s.ctx, "on_get_block_hash", []uint64{info.Height - 1 - uint64(blocks)}, &at); err != nil {
			return err
		}
		if err := s.daemon.Mine(s.ctx, blocks+1, nobody, at); err != nil {
			return err
		}
		if err := s.same(); err != nil {
			return fmt.Errorf("%d blocks: %w", blocks, err)
		}
	}
	return nil
}

// elsewhere starts the worker in another place of the platform, where nothing is cached yet: what never changes comes from the bucket. And who
// asks too much there is refused, and nobody else.
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
		return fmt.Errorf("an upstream was asked for blocks %d times, which are in the bucket", n)
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

// questions returns how often a path of the daemons was asked since the last time, and how many bytes all answers had.
func (s *story) questions(path string) (n, size int) {
	for _, p := range s.proxies {
		k, b := p.questions(path)
		n, size = n+k, size+b
	}
	return n, size
}
