package upstream_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/address"
	"glim/core/chain"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/mnemonic/languages"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/upstream"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

const depth = 5 // Config.Depth in tests

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now uint64
}

func (c *clock) read() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(seconds uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += seconds
}

var errGone = errors.New("nobody listens")

// origin is an upstream daemon that counts requests, and can forge responses or be unreachable.
type origin struct {
	*node.Regtest
	mu    sync.Mutex
	asked map[string]int
	away  bool
	// modify modifies responses. May be nil.
	modify func(operation string, answer []byte) []byte
	hold   chan struct{} // if not nil, requests wait until it is closed
	// pruned makes it respond like a pruned daemon.
	pruned bool
}

func newOrigin(t testing.TB, c *clock) *origin {
	t.Helper()
	return newOriginWith(t, chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: rand.Reader})
}

func newOriginWith(t testing.TB, o chain.Options) *origin {
	t.Helper()
	n, err := node.New(node.Config{Chain: o})
	require.NoError(t, err)
	t.Cleanup(func() { _ = n.Close() })
	return &origin{Regtest: &node.Regtest{Node: n}, asked: map[string]int{}}
}

func (o *origin) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	name := path[1:]
	if path == "/json_rpc" {
		var req struct{ Method string }
		if err := json.Unmarshal(body, &req); err != nil {
			return nil, err
		}
		name = req.Method
	}
	o.mu.Lock()
	o.asked[name]++
	away, modify, hold, pruned := o.away, o.modify, o.hold, o.pruned
	o.mu.Unlock()
	if hold != nil {
		<-hold
	}
	if away {
		return nil, errGone
	}
	if pruned {
		var err error
		if body, err = lessProofs(name, body); err != nil {
			return nil, err
		}
	}
	answer, err := o.Registry().Post(ctx, path, body)
	if err == nil && modify != nil {
		answer = modify(name, answer)
	}
	return answer, err
}

// lessProofs changes a request so that a full daemon responds to it as a pruned daemon does to the original.
func lessProofs(name string, body []byte) ([]byte, error) {
	switch name {
	case "get_blocks.bin":
		var q daemonrpc.GetBlocksRequest
		if err := epee.Unmarshal(body, &q); err != nil {
			return nil, err
		}
		if !q.Prune {
			q.StartHeight = 1 << 40 // makes the request fail
		}
		return epee.Marshal(&q)
	case "get_transactions":
		var q daemonrpc.GetTransactionsRequest
		if err := json.Unmarshal(body, &q); err != nil {
			return nil, err
		}
		q.Prune = true
		return json.Marshal(&q)
	}
	return body, nil
}

// questions returns the number of requests of the named operations since the last call, and resets all counts.
func (o *origin) questions(names ...string) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range names {
		n += o.asked[name]
	}
	o.asked = map[string]int{}
	return n
}

func (o *origin) set(change func(*origin)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change(o)
}

// stranger returns an address of a random wallet.
func stranger(t testing.TB) string {
	t.Helper()
	var seed [32]byte
	_, err := rand.Read(seed[:])
	require.NoError(t, err)
	k, err := keys.FromSeed(seed)
	require.NoError(t, err)
	return address.Address{
		Network: xmr.Regtest, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic,
	}.String()
}

func (o *origin) mine(t testing.TB, n int) {
	t.Helper()
	_, err := o.Mine(context.Background(), n, stranger(t))
	require.NoError(t, err)
}

// world is a front with a local daemon and two upstreams, first and second. See copyChain.
type world struct {
	*upstream.Front
	clock         *clock
	local         *node.Node
	first, second *origin
	connected     int // transports made
}

func newWorld(t testing.TB, change ...func(*upstream.Config)) *world {
	t.Helper()
	w := &world{clock: &clock{now: 1_700_000_000}}
	w.first, w.second = newOrigin(t, w.clock), newOrigin(t, w.clock)
	var err error
	w.local, err = node.New(node.Config{
		Chain: chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: w.clock.read, Random: rand.Reader},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.local.Close() })
	c := upstream.Config{
		Network: xmr.Regtest, Local: w.local, Always: true, Now: w.clock.read, Depth: depth,
		Connect: func(s upstream.Server) (rpc.Transport, error) {
			w.connected++
			switch s.Address {
			case "first:1":
				return w.first, nil
			case "second:1":
				return w.second, nil
			}
			return nil, errGone
		},
	}
	c.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	for _, f := range change {
		f(&c)
	}
	w.Front, err = upstream.New(c)
	require.NoError(t, err)
	require.NoError(t, w.Name(upstream.Server{Address: "first:1,second:1"}))
	return w
}

// copyChain copies the chain of the first daemon to the second.
func (w *world) copyChain(t testing.TB) {
	t.Helper()
	var blocks []*chain.Block
	w.first.Chain().View(func(v chain.View) {
		w.second.Chain().View(func(u chain.View) {
			for h := u.Height(); h < v.Height(); h++ {
				blocks = append(blocks, v.Block(h))
			}
		})
	})
	for _, b := range blocks {
		var txs [][]byte
		for _, x := range b.Txs {
			txs = append(txs, x.Blob)
		}
		_, err := w.second.Chain().AddBlock(b.Blob, txs...)
		require.NoError(t, err)
	}
}

// ask sends a request to the front, a daemon or a wallet, and requires success.
func ask[Req, Resp any](t testing.TB, r rpc.Transport, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	resp, err := rpc.Call(context.Background(), r, m, req)
	require.NoError(t, err, m.Name)
	return resp
}

func refused[Req, Resp any](t testing.TB, r rpc.Transport, m rpc.Method[Req, Resp], req Req) *rpc.Error {
	t.Helper()
	_, err := rpc.Call(context.Background(), r, m, req)
	var e *rpc.Error
	require.ErrorAs(t, err, &e, m.Name)
	return e
}

// newWallets returns an engine whose wallets use the daemon d.
func newWallets(t testing.TB, c *clock, d rpc.Transport, change ...func(*service.Config)) *engine.Engine {
	t.Helper()
	config := service.Config{
		Network:   xmr.Regtest,
		Files:     native.WalletDir(t.TempDir()),
		KDF:       journal.WeakestKDF(),
		Random:    rand.Reader,
		Now:       c.read,
		Workers:   2,
		Languages: languages.All(),
		Wait:      native.Wait,
		Connect:   func(service.DaemonConfig) (rpc.Transport, error) { return d, nil },
	}
	for _, f := range change {
		f(&config)
	}
	e, err := engine.New(config, service.DaemonConfig{Address: "in.process:1"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// newWallet creates a wallet and returns it with its address.
func newWallet(t testing.TB, e *engine.Engine, name string) (engine.Wallet, string) {
	t.Helper()
	w := e.Wallet(name)
	ask(t, w, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "English"})
	return w, ask(t, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
}

// live extends the first daemon's chain with payments, some in buried blocks and some in recent ones, and returns their
// transaction IDs.
func (w *world) live(t testing.TB) (ids []string) {
	t.Helper()
	wallets := newWallets(t, w.clock, w.first.Registry())
	payer, to := newWallet(t, wallets, "payer")
	require.NoError(t, w.first.Fund(context.Background(), 20, to))
	for range 3 {
		ask(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
		sent := ask(t, payer, walletrpc.Transfer, walletrpc.TransferRequest{
			Destinations: []walletrpc.Destination{
				{Amount: xmr.Coin, Address: to},
				{Amount: 2 * xmr.Coin, Address: stranger(t)},
			}})
		ids = append(ids, sent.TxHash)
		w.first.mine(t, 4)
	}
	return ids
}
