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
	"glim/bindings/peers/liar"
	"glim/core/chain"
	"glim/core/node"
	"glim/core/xmr"
)

// world is what victims live in: a chain of this process, a daemon that lies about it, and the folder of a wallet that has read most of it.
type world struct {
	glim, dir string
	chain     *node.Regtest
	liar      *liar.Liar
	daemon    string // the liar's URL
	server    *http.Server
	wallets   string // folder of the wallet w
	known     map[string]string
	viewKey   string
	genesis   xmr.Hash
	tx        xmr.Hash
	told      atomic.Int64 // bytes of questions and answers since the last attack began
}

// place is a command that is attacked.
type place struct {
	name  string
	start func(ctx context.Context, w *world, dir string) (*victim, error)
}

// victim is a running command.
type victim struct {
	pid       int
	url       string  // where everything may be asked
	strangers string  // where strangers ask; empty for nowhere
	peers     string  // where peers are let in; empty for nowhere
	idle      float64 // memory while it does nothing, MiB
	wanted    bool    // it was told to end
	well      func(ctx context.Context) bool
	kill      func()
	stop      func()
}

const walletName = "w"

// newWorld makes a chain and a wallet.
func newWorld(ctx context.Context, glim, dir string) (*world, error) {
	w := &world{glim: glim, dir: dir, wallets: filepath.Join(dir, "wallets"), known: map[string]string{}}
	var err error
	if w.chain, err = node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader); err != nil {
		return nil, err
	}
	w.liar = liar.New(w.chain.Registry())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w.daemon = "http://" + l.Addr().String()
	w.server = &http.Server{Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.told.Add(max(r.ContentLength, 0))
		w.liar.ServeHTTP(counted{out, &w.told}, r)
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
	c := peers.Client{URL: v.url}
	if err := c.JSON(ctx, "create_wallet", map[string]any{"filename": walletName, "language": "English"}, nil); err != nil {
		return nil, err
	}
	var own struct{ Address string }
	if err := c.JSON(ctx, "get_address", nil, &own); err != nil {
		return nil, err
	}
	for _, of := range []struct {
		n  int
		to string
	}{{30, own.Address}, {70, node.Nobody()}} {
		if _, err := w.chain.Mine(ctx, of.n, of.to); err != nil {
			return nil, err
		}
	}
	var sent struct {
		Hash string `json:"tx_hash"`
		Blob string `json:"tx_blob"`
		Key  string `json:"tx_key"`
	}
	pay := map[string]any{"destinations": []map[string]any{{"amount": 1000, "address": own.Address}}, "get_tx_hex": true, "get_tx_key": true}
	for _, call := range []struct {
		method string
		params any
		out    any
	}{{"refresh", nil, nil}, {"transfer", pay, &sent}} {
		if err := c.JSON(ctx, call.method, call.params, call.out); err != nil {
			return nil, err
		}
	}
	if _, err := w.chain.Mine(ctx, 2, node.Nobody()); err != nil {
		return nil, err
	}
	var images struct {
		Signed []struct {
			Image     string `json:"key_image"`
			Signature string `json:"signature"`
		} `json:"signed_key_images"`
	}
	var key struct{ Key string }
	if err := c.JSON(ctx, "query_key", map[string]any{"key_type": "view_key"}, &key); err != nil {
		return nil, err
	}
	w.viewKey = key.Key
	if w.tx, err = xmr.ParseHash(sent.Hash); err != nil {
		return nil, err
	}
	for _, call := range []struct {
		method string
		params any
		out    any
	}{{"refresh", nil, nil}, {"export_key_images", map[string]any{"all": true}, &images}, {"store", nil, nil}} {
		if err := c.JSON(ctx, call.method, call.params, call.out); err != nil {
			return nil, err
		}
	}
	// What the wallet has not read: a payment of its own, rewards of its own, others.
	if err := c.JSON(ctx, "transfer", map[string]any{"destinations": []map[string]any{{"amount": 1000, "address": own.Address}}}, nil); err != nil {
		return nil, err
	}
	for _, of := range []struct {
		n  int
		to string
	}{{3, own.Address}, {12, node.Nobody()}} {
		if _, err := w.chain.Mine(ctx, of.n, of.to); err != nil {
			return nil, err
		}
	}
	if len(images.Signed) == 0 {
		return nil, errors.New("the wallet has no key images")
	}
	var top, template string
	w.chain.Chain().View(func(v chain.View) {
		b := v.Block(v.Height() - 1)
		w.genesis = v.Block(0).ID
		top = b.ID.String()
		template = hex.EncodeToString(b.Block.Append(nil))
	})
	text := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	for name, value := range map[string]string{
		"address": own.Address, "wallet_address": own.Address, "miner_address": own.Address, "standard_address": own.Address,
		"txid": sent.Hash, "txs_hashe": sent.Hash, "tx_key": sent.Key, "hashe": top, "hash": top, "prev_block": top, "seed_hash": top,
		"key_image": images.Signed[0].Image, "filename": "x", "language": "English", "password": "", "old_password": "", "new_password": "",
		"transfer_type": "all", "key_type": "mnemonic", "payment_id": "0000000000000000", "tag": "t", "host": "192.0.2.1", "signature_type": "spend",
		"tx_as_hex": sent.Blob, "block_blob": template, "blocktemplate_blob": template, "client": "", "username": "", "proxy": "", "seed_type": "",
		"background_sync_type": "reuse-wallet-password", "wallet_password": "", "background_cache_password": "", "categories": "*:WARNING", "ssl_support": "disabled",
		"ssl_private_key_path": "", "ssl_certificate_path": "", "ssl_ca_file": "", "seed_offset": "", "extra_nonce": "", "restore_date": "2024-01-01",
		"tx_data_hex": "00", "unsigned_txset": "00", "outputs_data_hex": "00", "hex": "00", "command": "check", "path": "",
	} {
		w.known[name] = text(value)
	}
	for name, value := range map[string]string{
		"destinations": `[{"amount":1000,"address":` + text(own.Address) + `}]`, "destination": `{"amount":1000,"address":` + text(own.Address) + `}`,
		"signed_key_image": `{"key_image":` + text(images.Signed[0].Image) + `,"signature":` + text(images.Signed[0].Signature) + `}`,
		"height":           "100", "end_height": "100", "to_height": "0", "count": "1", "threads_count": "1", "ring_size": "16", "n_inputs": "1", "n_outputs": "2",
		"amount_of_blocks": "1", "major_version": "16", "reserve_size": "8", "threshold": "2", "period": "1000000", "max_height": "1000",
	} {
		w.known[name] = value
	}
	return w, nil
}

func (w *world) close() {
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

// launch starts the command and waits until ready does not fail.
func launch(ctx context.Context, glim, dir string, args []string, ready func(ctx context.Context) error) (*victim, error) {
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
	v := &victim{pid: cmd.Process.Pid, kill: kill, stop: func() { kill(); <-ended }}
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

// settle notes what a victim holds while it does nothing.
func (v *victim) settle() error {
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

// wallets is the wallet service with a wallet open, whose daemon is the liar.
func walletPlace(name string, args ...string) *place {
	return &place{name, func(ctx context.Context, w *world, dir string) (*victim, error) {
		return startWallet(ctx, w, dir, args...)
	}}
}

func startWallet(ctx context.Context, w *world, dir string, args ...string) (*victim, error) {
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
	w.liar.Tell(liar.Unknown("nothing", "")) // so that it does not read on before it is told not to
	for _, call := range []struct{ method, params string }{{"open_wallet", `{"filename":"` + walletName + `"}`}, {"auto_refresh", `{"enable":false}`}} {
		if err := c.JSON(ctx, call.method, json.RawMessage(call.params), nil); err != nil {
			v.stop()
			return nil, err
		}
	}
	w.liar.Tell(liar.Lie{})
	v.well = func(ctx context.Context) bool {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		return !v.wanted && c.JSON(ctx, "get_height", nil, nil) == nil
	}
	return v, v.settle()
}

func startWallets(ctx context.Context, w *world, dir string, args ...string) (*victim, error) {
	port, err := peers.FreePort()
	if err != nil {
		return nil, err
	}
	w.liar.Tell(liar.Lie{})
	c := peers.Client{URL: "http://127.0.0.1:" + port}
	v, err := launch(ctx, w.glim, dir, append([]string{"wallet-rpc", "--non-interactive", "--wallet-dir", dir, "--rpc-bind-port", port, "--disable-rpc-login", "--rpc-ssl", "disabled",
		"--daemon-ssl", "disabled", "--trusted-daemon", "--daemon-address", w.daemon}, args...), func(ctx context.Context) error { return c.JSON(ctx, "get_version", nil, nil) })
	if err != nil {
		return nil, err
	}
	v.url = c.URL
	return v, nil
}

// daemonPlace is a daemon with two ports, and one for peers when it has a chain of its own.
func daemonPlace(name string, args func(w *world) []string) *place {
	return &place{name, func(ctx context.Context, w *world, dir string) (*victim, error) {
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
		w.liar.Tell(liar.Lie{})
		c := peers.Client{URL: "http://127.0.0.1:" + ports[0]}
		all := append([]string{"daemon", "--regtest", "--non-interactive", "--rpc-ssl", "disabled", "--rpc-bind-port", ports[0], "--rpc-restricted-bind-port", ports[1]}, args(w)...)
		own := name == theDaemon
		if own {
			all = append(all, "--fixed-difficulty", "1", "--p2p-bind-ip", "127.0.0.1", "--p2p-bind-port", ports[2], "--max-connections-per-ip", "100")
		}
		v, err := launch(ctx, w.glim, dir, all, func(ctx context.Context) error { return c.Path(ctx, "/get_height", nil, nil) })
		if err != nil {
			return nil, err
		}
		if own {
			if err := c.JSON(ctx, "generateblocks", map[string]any{"amount_of_blocks": 110, "wallet_address": node.Nobody()}, nil); err != nil {
				v.stop()
				return nil, err
			}
			v.peers = "127.0.0.1:" + ports[2]
		}
		v.url, v.strangers = c.URL, "http://127.0.0.1:"+ports[1]
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
	wallets  = walletPlace("wallet-rpc")
	full     = walletPlace("wallet-rpc, blocks in full", "--compare-blocks", "0")
	daemons  = daemonPlace(theDaemon, func(*world) []string { return nil })
	fronts   = daemonPlace("front", func(w *world) []string { return []string{"--no-sync", "--bootstrap-daemon-address", w.daemon} })
	gateways = daemonPlace("gateway", func(w *world) []string {
		return []string{"--no-sync", "--gateway", "--bootstrap-daemon-address", w.daemon}
	})
)

// sendBody sends a body and reads the answer. It returns the length of the answer, which is dropped.
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

// patient opens a new connection for every request, so that no idle connection takes a place in the server.
var patient = &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}

// together sends a body n times at once and returns the bytes that were taken and answered.
func together(ctx context.Context, url string, body []byte, n int) int64 {
	var taken atomic.Int64
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			if status, answered, err := sendBody(ctx, url, body); err == nil && status != http.StatusServiceUnavailable {
				taken.Add(int64(len(body)) + answered)
			}
		})
	}
	group.Wait()
	return taken.Load()
}
