// Package network tests networks of daemons, glim's and the reference's.
package network

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

var (
	size   = flag.Int("daemons", 4, "how many daemons a network has, 4 at least")
	rounds = flag.Int("rounds", 1, "how often it is split and heals")
)

// patience limits every wait of a test. It only prevents hanging, and is not a measurement.
const patience = 10 * time.Minute

// build builds the command, once for all tests.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "glim-network-")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "glim")
	out, err := exec.Command("go", "build", "-o", path, "glim/bindings/glim").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return path, err
})

var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// member is a daemon of a network.
type member struct {
	*peers.Daemon
	t    *testing.T
	name string
	ours bool
	dir  string
	peer string // its address for peers
}

// start starts a daemon, glim's or the reference's, that connects only to the given others.
func start(t *testing.T, name string, ours bool, others []*member, args ...string) *member {
	t.Helper()
	port, err := peers.FreePort()
	require.NoError(t, err)
	m := &member{t: t, name: name, ours: ours, dir: t.TempDir(), peer: net.JoinHostPort("127.0.0.1", port)}
	o := peers.Options{
		Dir:       m.dir,
		KeepChain: true,
		P2PPort:   port,
		Args:      append(args, "--max-connections-per-ip", "100", "--allow-local-ip"),
	}
	for _, other := range others {
		o.Args = append(o.Args, "--add-exclusive-node", other.peer)
	}
	if ours {
		path, err := build()
		require.NoError(t, err)
		o.Command = []string{path, "daemon"}
	} else {
		o.Args = append(o.Args, "--db-sync-mode", "fastest:async:1000")
	}
	m.Daemon, err = peers.StartDaemon(context.Background(), o)
	require.NoError(t, err, name)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(m.tail())
		}
		_ = m.Kill()
	})
	return m
}

// tail returns the end of the daemon's output.
func (m *member) tail() string {
	var text strings.Builder
	logs, _ := filepath.Glob(filepath.Join(m.dir, "*.log*"))
	for _, path := range logs {
		b, _ := os.ReadFile(path)
		fmt.Fprintf(&text, "%s, %s:\n%s\n", m.name, filepath.Base(path), b[max(0, len(b)-4000):])
	}
	return text.String()
}

func ctx(t *testing.T) context.Context {
	c, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return c
}

// ask calls a JSON-RPC operation.
func ask[R any](m *member, method string, params any) (r R) {
	m.t.Helper()
	require.NoError(m.t, m.JSON(ctx(m.t), method, params, &r), "%s: %s", m.name, method)
	return r
}

// askPath calls an operation with its own path.
func askPath[R any](m *member, path string, params any) (r R) {
	m.t.Helper()
	require.NoError(m.t, m.Path(ctx(m.t), path, params, &r), "%s: %s", m.name, path)
	return r
}

func (m *member) info() daemonrpc.GetInfoResponse {
	m.t.Helper()
	return ask[daemonrpc.GetInfoResponse](m, "get_info", nil)
}

func (m *member) connections() []daemonrpc.Connection {
	m.t.Helper()
	return ask[daemonrpc.GetConnectionsResponse](m, "get_connections", nil).Connections
}

// mine mines n blocks to an address.
func (m *member) mine(n int, address string) {
	m.t.Helper()
	for ; n > 0; n -= 20 {
		// The reference is busy until it is synchronised with its peers.
		until(m.t, m.name+" mines", func() string { return describe([]*member{m}) }, func() bool {
			r := ask[daemonrpc.GenerateBlocksResponse](m, "generateblocks",
				map[string]any{"amount_of_blocks": min(n, 20), "wallet_address": address, "starting_nonce": 0})
			return r.Status == daemonrpc.StatusOK
		})
	}
}

// pool returns the transactions of the pool.
func (m *member) pool() map[string]bool {
	m.t.Helper()
	ids := map[string]bool{}
	r := askPath[daemonrpc.GetTransactionPoolHashesResponse](m, "/get_transaction_pool_hashes", nil)
	for _, id := range r.TxHashes {
		ids[id.String()] = true
	}
	return ids
}

// until waits until done returns true. state returns the text of the failure.
func until(t *testing.T, what string, state func() string, done func() bool) {
	t.Helper()
	began := time.Now()
	defer func() { t.Log(what, time.Since(began)) }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for c := ctx(t); !done(); {
		select {
		case <-tick.C:
		case <-c.Done():
			t.Fatalf("timed out: %s\n%s", what, state())
		}
	}
}

// describe describes the state of daemons.
func describe(all []*member) string {
	var text strings.Builder
	for _, m := range all {
		i := m.info()
		fmt.Fprintf(
			&text,
			"%s: %d blocks, top %s, %d out, %d in, target %d, synchronized %v, %d in the pool\n",
			m.name,
			i.Height,
			i.TopBlockHash,
			i.OutgoingConnectionsCount,
			i.IncomingConnectionsCount,
			i.TargetHeight,
			i.Synchronized,
			i.TxPoolSize,
		)
		b, _ := json.Marshal(m.connections())
		fmt.Fprintf(&text, "    %s\n", b)
	}
	return text.String()
}

// agree waits until all daemons have the chain of one of them.
func agree(t *testing.T, what string, with *member, all []*member) {
	t.Helper()
	until(t, what, func() string { return describe(all) }, func() bool {
		top := with.info().TopBlockHash
		for _, m := range all {
			if m.info().TopBlockHash != top {
				return false
			}
		}
		return true
	})
}

// heard waits until a transaction is in every pool.
func heard(t *testing.T, what, id string, all []*member) {
	t.Helper()
	until(t, what, func() string { return id + "\n" + describe(all) }, func() bool {
		for _, m := range all {
			if !m.pool()[id] {
				return false
			}
		}
		return true
	})
}

// purse is a wallet of glim that uses a daemon.
type purse struct {
	engine.Wallet
	t       *testing.T
	address string
}

func newPurse(t *testing.T, m *member) *purse {
	t.Helper()
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(t.TempDir()), Random: rand.Reader, KDF: journal.WeakestKDF(),
		Workers: 2, Wait: native.Wait,
		Now: func() uint64 { return uint64(time.Now().Unix()) },
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			return native.NewTransport(
				native.TransportOptions{Address: d.Address, SSL: native.SSL{Mode: native.SSLDisabled}},
			)
		},
	}, service.DaemonConfig{Address: m.URL, Trusted: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	p := &purse{Wallet: e.Wallet("purse"), t: t}
	_, err = rpc.Call(ctx(t), p, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx(t), p, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	p.address = a.Address
	return p
}

func (p *purse) refresh() {
	p.t.Helper()
	_, err := rpc.Call(ctx(p.t), p, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(p.t, err)
}

// pay pays an address and returns the transaction's ID.
func (p *purse) pay(to string) string {
	p.t.Helper()
	p.refresh()
	sent, err := rpc.Call(ctx(p.t), p, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: 1e11, Address: to}}})
	require.NoError(p.t, err)
	return sent.TxHash
}
