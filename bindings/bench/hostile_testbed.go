package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"glim/bindings/peers"
	"glim/bindings/peers/malicious"
	"glim/core/chain"
	"glim/core/node"
	"glim/core/xmr"
)

// testbed is the environment of the attacked processes: a chain in this process, a malicious daemon that serves it, and
// the folder of a wallet that has read most of it.
type testbed struct {
	glim, dir string
	chain     *node.Regtest
	proxy     *malicious.Daemon
	daemon    string // URL of the malicious daemon
	server    *http.Server
	wallets   string // folder of the wallet w
	known     map[string]string
	viewKey   string
	genesis   xmr.Hash
	tx        xmr.Hash
	traffic   atomic.Int64 // bytes of requests and answers since the last attack began
}

// place is a command that is attacked.
type place struct {
	name  string
	start func(ctx context.Context, w *testbed, dir string) (*target, error)
}

// target is a running command that is attacked.
type target struct {
	pid        int
	url        string  // of the unrestricted port, with every operation
	restricted string  // URL of the restricted port, if any
	peers      string  // address for peers, if any
	idle       float64 // memory when idle, MiB
	wanted     bool    // its end is expected
	well       func(ctx context.Context) bool
	kill       func()
	stop       func()
}

const walletName = "w"

// ownWallet is the wallet of the testbed while it is being made.
type ownWallet struct {
	peers.Client
	address string
	sent    struct { // its payment to itself
		Hash string `json:"tx_hash"`
		Blob string `json:"tx_blob"`
		Key  string `json:"tx_key"`
	}
	images struct {
		Signed []struct {
			Image     string `json:"key_image"`
			Signature string `json:"signature"`
		} `json:"signed_key_images"`
	}
}

// newTestbed makes a chain and a wallet.
func newTestbed(ctx context.Context, glim, dir string) (*testbed, error) {
	w := &testbed{glim: glim, dir: dir, wallets: filepath.Join(dir, "wallets"), known: map[string]string{}}
	var err error
	if w.chain, err = node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader); err != nil {
		return nil, err
	}
	w.proxy = malicious.New(w.chain.Registry())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w.daemon = "http://" + l.Addr().String()
	w.server = &http.Server{Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.traffic.Add(max(r.ContentLength, 0))
		w.proxy.ServeHTTP(counted{out, &w.traffic}, r)
	})}
	go func() { _ = w.server.Serve(l) }()
	if err := os.MkdirAll(w.wallets, 0o700); err != nil {
		return nil, err
	}
	v, err := startWallets(ctx, w, w.wallets)
	if err != nil {
		return nil, err
	}
	defer v.stop()
	own := &ownWallet{Client: peers.Client{URL: v.url}}
	if err := w.makeWallet(ctx, own); err != nil {
		return nil, err
	}
	w.setKnown(own)
	return w, nil
}

// mine mines blocks to an address, and then others to an address that no wallet can spend from.
func (w *testbed) mine(ctx context.Context, first int, to string, second int) error {
	if _, err := w.chain.Mine(ctx, first, to); err != nil {
		return err
	}
	_, err := w.chain.Mine(ctx, second, node.UnspendableAddress())
	return err
}

// makeWallet makes a wallet with payments and rewards, some of them in blocks that it has not read.
func (w *testbed) makeWallet(ctx context.Context, own *ownWallet) error {
	create := map[string]any{"filename": walletName, "language": "English"}
	if err := own.JSON(ctx, "create_wallet", create, nil); err != nil {
		return err
	}
	var at struct{ Address string }
	if err := own.JSON(ctx, "get_address", nil, &at); err != nil {
		return err
	}
	own.address = at.Address
	if err := w.mine(ctx, 30, own.address, 70); err != nil {
		return err
	}
	pay := map[string]any{
		"destinations": []map[string]any{{"amount": 1000, "address": own.address}},
		"get_tx_hex":   true, "get_tx_key": true,
	}
	if err := own.JSON(ctx, "refresh", nil, nil); err != nil {
		return err
	}
	if err := own.JSON(ctx, "transfer", pay, &own.sent); err != nil {
		return err
	}
	if _, err := w.chain.Mine(ctx, 2, node.UnspendableAddress()); err != nil {
		return err
	}
	var key struct{ Key string }
	if err := own.JSON(ctx, "query_key", map[string]any{"key_type": "view_key"}, &key); err != nil {
		return err
	}
	w.viewKey = key.Key
	var err error
	if w.tx, err = xmr.ParseHash(own.sent.Hash); err != nil {
		return err
	}
	for _, call := range []struct {
		method string
		params any
		out    any
	}{{"refresh", nil, nil}, {"export_key_images", map[string]any{"all": true}, &own.images}, {"store", nil, nil}} {
		if err := own.JSON(ctx, call.method, call.params, call.out); err != nil {
			return err
		}
	}
	if len(own.images.Signed) == 0 {
		return errors.New("the wallet has no key images")
	}
	// Not read by the wallet: its own payment, its own rewards, and others.
	more := map[string]any{"destinations": []map[string]any{{"amount": 1000, "address": own.address}}}
	if err := own.JSON(ctx, "transfer", more, nil); err != nil {
		return err
	}
	return w.mine(ctx, 3, own.address, 12)
}

// setKnown sets the valid values of members of requests.
func (w *testbed) setKnown(own *ownWallet) {
	var top, template string
	w.chain.Chain().View(func(v chain.View) {
		b := v.Block(v.Height() - 1)
		w.genesis = v.Block(0).ID
		top = b.ID.String()
		template = hex.EncodeToString(b.Block.Append(nil))
	})
	text := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	image := own.images.Signed[0]
	for value, names := range map[string][]string{
		own.address:    {"address", "wallet_address", "miner_address", "standard_address"},
		own.sent.Hash:  {"txid", "txs_hashe"},
		own.sent.Key:   {"tx_key"},
		own.sent.Blob:  {"tx_as_hex"},
		top:            {"hashe", "hash", "prev_block", "seed_hash"},
		template:       {"block_blob", "blocktemplate_blob"},
		image.Image:    {"key_image"},
		"00":           {"tx_data_hex", "unsigned_txset", "outputs_data_hex", "hex"},
		"x":            {"filename"},
		"English":      {"language"},
		"all":          {"transfer_type"},
		"mnemonic":     {"key_type"},
		"t":            {"tag"},
		"192.0.2.1":    {"host"},
		"spend":        {"signature_type"},
		"*:WARNING":    {"categories"},
		"disabled":     {"ssl_support"},
		"2024-01-01":   {"restore_date"},
		"check":        {"command"},
		zeroPaymentID:  {"payment_id"},
		reusesPassword: {"background_sync_type"},
		"": {
			"password", "old_password", "new_password", "wallet_password", "background_cache_password", "client",
			"username", "proxy", "seed_type", "seed_offset", "extra_nonce", "path", "ssl_private_key_path",
			"ssl_certificate_path", "ssl_ca_file",
		},
	} {
		for _, name := range names {
			w.known[name] = text(value)
		}
	}
	destination := `{"amount":1000,"address":` + text(own.address) + `}`
	for value, names := range map[string][]string{
		"[" + destination + "]": {"destinations"},
		destination:             {"destination"},
		`{"key_image":` + text(image.Image) + `,"signature":` + text(image.Signature) + `}`: {"signed_key_image"},

		"0":       {"to_height"},
		"1":       {"count", "threads_count", "n_inputs", "amount_of_blocks", "threshold"},
		"2":       {"n_outputs"},
		"8":       {"reserve_size"},
		"16":      {"ring_size", "major_version"},
		"100":     {"height", "end_height"},
		"1000":    {"max_height"},
		"1000000": {"period"},
	} {
		for _, name := range names {
			w.known[name] = value
		}
	}
}

const (
	zeroPaymentID  = "0000000000000000"
	reusesPassword = "reuse-wallet-password"
)

func (w *testbed) close() {
	_ = w.server.Close()
	_ = w.chain.Close()
}

// counted counts the bytes of an answer.
type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.n.Add(int64(n))
	return n, err
}

// launch starts the command and waits until ready succeeds.
func launch(
	ctx context.Context, glim, dir string, args []string, ready func(ctx context.Context) error,
) (*target, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	printed, err := os.Create(filepath.Join(dir, "printed"))
	if err != nil {
		return nil, err
	}
	defer printed.Close()
	cmd := exec.Command(glim, args...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = printed, printed, dir
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	kill := sync.OnceFunc(func() { _ = cmd.Process.Kill() })
	v := &target{pid: cmd.Process.Pid, kill: kill, stop: func() { kill(); <-ended }}
	deadline := time.Now().Add(attackLimit)
	for {
		err := ready(ctx)
		if err == nil {
			break
		}
		select {
		case <-ended:
			text, _ := os.ReadFile(printed.Name())
			return nil, fmt.Errorf("it ended: %s", text)
		case <-ctx.Done():
			v.stop()
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			v.stop()
			return nil, fmt.Errorf("it does not answer: %w", err)
		}
	}
	return v, nil
}

// settle measures a target's memory when idle.
func (v *target) settle() error {
	v.idle = 1 << 30
	for same := 0; same < 3; {
		u, err := usage(v.pid)
		if err != nil {
			return err
		}
		if u.memory < v.idle-0.5 {
			v.idle, same = u.memory, 0
		} else {
			same++
		}
		time.Sleep(30 * time.Millisecond)
	}
	return nil
}

// walletPlace returns the wallet service with an open wallet, which uses the malicious daemon.
func walletPlace(name string, args ...string) *place {
	return &place{name, func(ctx context.Context, w *testbed, dir string) (*target, error) {
		return startWallet(ctx, w, dir, args...)
	}}
}

func startWallet(ctx context.Context, w *testbed, dir string, args ...string) (*target, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(w.wallets)); err != nil {
		return nil, err
	}
	v, err := startWallets(ctx, w, dir, args...)
	if err != nil {
		return nil, err
	}
	c := peers.Client{URL: v.url}
	w.proxy.Inject(malicious.NotFound("nothing", "")) // so that it reads no blocks before auto_refresh is off
	for _, call := range []struct {
		method, params string
	}{{"open_wallet", `{"filename":"` + walletName + `"}`}, {"auto_refresh", `{"enable":false}`}} {
		if err := c.JSON(ctx, call.method, json.RawMessage(call.params), nil); err != nil {
			v.stop()
			return nil, err
		}
	}
	w.proxy.Inject(malicious.Fault{})
	v.well = func(ctx context.Context) bool {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		return !v.wanted && c.JSON(ctx, "get_height", nil, nil) == nil
	}
	return v, v.settle()
}

func startWallets(ctx context.Context, w *testbed, dir string, args ...string) (*target, error) {
	port, err := peers.FreePort()
	if err != nil {
		return nil, err
	}
	w.proxy.Inject(malicious.Fault{})
	c := peers.Client{URL: "http://127.0.0.1:" + port}
	v, err := launch(ctx, w.glim, dir,
		append([]string{"wallet-rpc", "--non-interactive", "--wallet-dir", dir, "--rpc-bind-port", port,
			"--disable-rpc-login", "--rpc-ssl", "disabled",
			"--daemon-ssl", "disabled", "--trusted-daemon", "--daemon-address", w.daemon}, args...),
		func(ctx context.Context) error {
			return c.JSON(ctx, "get_version", nil, nil)
		})
	if err != nil {
		return nil, err
	}
	v.url = c.URL
	return v, nil
}

// daemonPlace returns a daemon with two ports, and one for peers if it has its own chain.
func daemonPlace(name string, args func(w *testbed) []string) *place {
	return &place{name, func(ctx context.Context, w *testbed, dir string) (*target, error) {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		ports := [3]string{}
		for i := range ports {
			var err error
			if ports[i], err = peers.FreePort(); err != nil {
				return nil, err
			}
		}
		w.proxy.Inject(malicious.Fault{})
		c := peers.Client{URL: "http://127.0.0.1:" + ports[0]}
		all := append([]string{
			"daemon", "--regtest", "--non-interactive", "--rpc-ssl", "disabled", "--rpc-bind-port", ports[0],
			"--rpc-restricted-bind-port", ports[1],
		}, args(w)...)
		own := name == theDaemon
		if own {
			all = append(all, "--fixed-difficulty", "1", "--p2p-bind-ip", "127.0.0.1", "--p2p-bind-port", ports[2],
				"--max-connections-per-ip", "100")
		}
		v, err := launch(ctx, w.glim, dir, all, func(ctx context.Context) error {
			return c.Path(ctx, "/get_height", nil, nil)
		})
		if err != nil {
			return nil, err
		}
		if own {
			if err := c.JSON(ctx, "generateblocks",
				map[string]any{"amount_of_blocks": 110, "wallet_address": node.UnspendableAddress()}, nil); err != nil {
				v.stop()
				return nil, err
			}
			v.peers = "127.0.0.1:" + ports[2]
		}
		v.url, v.restricted = c.URL, "http://127.0.0.1:"+ports[1]
		v.well = func(ctx context.Context) bool {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			return c.Path(ctx, "/get_height", nil, nil) == nil
		}
		return v, v.settle()
	}}
}

const theDaemon = "daemon"

var (
	wallets = walletPlace("wallet-rpc")
	full    = walletPlace("wallet-rpc, blocks in full", "--compare-blocks", "0")
	daemons = daemonPlace(theDaemon, func(*testbed) []string { return nil })
	fronts  = daemonPlace("front", func(w *testbed) []string {
		return []string{"--no-sync", "--bootstrap-daemon-address", w.daemon}
	})
	gateways = daemonPlace("gateway", func(w *testbed) []string {
		return []string{"--no-sync", "--gateway", "--bootstrap-daemon-address", w.daemon}
	})
)

// sendBody sends a body, reads the answer and returns its length.
func sendBody(ctx context.Context, url string, body []byte) (status int, answered int64, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := patient.Do(req)
	if err != nil {
		return 0, 0, err
	}
	defer res.Body.Close()
	answered, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, answered, err
}

// patient opens a new connection for every request, so that idle connections do not count against the limit of the
// server.
var patient = &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}

// together sends a body n times at once and returns the bytes that were accepted and answered.
func together(ctx context.Context, url string, body []byte, n int) int64 {
	var taken atomic.Int64
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			if status, answered, err := sendBody(ctx, url, body); err == nil &&
				status != http.StatusServiceUnavailable {
				taken.Add(int64(len(body)) + answered)
			}
		})
	}
	group.Wait()
	return taken.Load()
}
