package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/codec/epee"
	"glim/core/consensus"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/xmr"
)

var errGone = errors.New("gone")

// peer is a daemon that counts requests, and can forge responses or be unreachable.
type peer struct {
	*node.Regtest
	mu     sync.Mutex
	asked  map[string]int
	away   bool
	modify func(path string, answer []byte) []byte
}

func (p *peer) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	name := path[1:]
	if path == "/json_rpc" {
		name = stringOf(body, "method")
	}
	p.mu.Lock()
	p.asked[name]++
	away, modify := p.away, p.modify
	p.mu.Unlock()
	if away {
		return nil, errGone
	}
	answer, err := p.Restricted().Serve(ctx, path, body, rpc.Options{Restricted: true})
	if err == nil && modify != nil {
		answer = modify(name, answer)
	}
	return answer, err
}

func (p *peer) set(change func(*peer)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// questions returns the number of requests of the named operations since the last call.
func (p *peer) questions(names ...string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range names {
		n += p.asked[name]
		delete(p.asked, name)
	}
	return n
}

// memoryCache is a Cache in memory that counts hits of segments.
type memoryCache struct {
	mu     sync.Mutex
	values map[string][]byte
	hits   int // number of Get calls that returned a segment
}

func (s *memoryCache) Get(_ context.Context, name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[name]
	if ok && strings.HasPrefix(name, "compact-") {
		s.hits++
	}
	return v, ok
}

func (s *memoryCache) Put(_ context.Context, name string, value []byte, _ uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[name] = slices.Clone(value)
}

// segments returns the number of cached segments.
func (s *memoryCache) segments() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.values {
		if strings.HasPrefix(name, "compact-") {
			n++
		}
	}
	return n
}

// world is a gateway with three daemons. Their chains are equal after mine or spread.
type world struct {
	*Gateway
	config  Config
	peers   []*peer
	cache   *memoryCache
	clock   uint64
	mu      sync.Mutex
	reports []string
}

func newWorld(t testing.TB, change ...func(*Config)) *world {
	t.Helper()
	return newWorldWith(t, nil, change...)
}

// newWorldWith is newWorld for a chain with these hard forks; nil for those of a private chain.
func newWorldWith(t testing.TB, forks consensus.Schedule, change ...func(*Config)) *world {
	t.Helper()
	w := &world{cache: &memoryCache{values: map[string][]byte{}}, clock: 1_700_000_000}
	now := func() uint64 {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.clock
	}
	w.config = Config{
		Network: xmr.Regtest.String(), Depth: 10, Cache: w.cache, Now: now,
		Report: func(upstream, reason string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.reports = append(w.reports, upstream+": "+reason)
		},
	}
	for i := range 3 {
		n, err := node.New(node.Config{Chain: chain.Options{
			Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader,
			Forks: forks, Next: nextfork.Fork{},
		}})
		require.NoError(t, err)
		t.Cleanup(func() { _ = n.Close() })
		p := &peer{Regtest: &node.Regtest{Node: n}, asked: map[string]int{}}
		w.peers = append(w.peers, p)
		w.config.Upstreams = append(w.config.Upstreams, Upstream{fmt.Sprint("peer ", i), p})
	}
	for _, f := range change {
		f(&w.config)
	}
	w.Gateway = New(w.config)
	return w
}

func (w *world) later() { w.wait(60) }

func (w *world) wait(seconds uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock += seconds
}

func (w *world) takeReports() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	reports := w.reports
	w.reports = nil
	return reports
}

// mine extends the chains of all daemons by the same n blocks.
func (w *world) mine(t testing.TB, n int) {
	t.Helper()
	_, err := w.peers[0].Mine(t.Context(), n, node.UnspendableAddress())
	require.NoError(t, err)
	w.spread(t)
}

// spread copies the chain of the first daemon to the others.
func (w *world) spread(t testing.TB) {
	t.Helper()
	c := daemon.New(w.peers[0].Registry())
	info, err := c.Info(t.Context())
	require.NoError(t, err)
	for _, p := range w.peers[1:] {
		for h := uint64(1); h < info.Height; h++ {
			_, raw, err := c.BlocksAt(t.Context(), []uint64{h})
			require.NoError(t, err)
			_, err = p.Chain().AddBlock(raw[0].Block)
			require.NoError(t, err)
		}
	}
}

func (w *world) post(path, body string) Answer {
	return w.Answer(context.Background(), Request{Method: "POST", Path: path, Body: []byte(body)})
}

// TestAllowed: the gateway permits the operations of a restricted daemon, under all their names, except mining and
// payments.
func TestAllowed(t *testing.T) {
	ops := map[string]*rpc.Operation{}
	for _, op := range daemonrpc.Operations() {
		for _, name := range append([]string{op.Name}, op.Aliases...) {
			ops[fmt.Sprint(op.Wire == rpc.JSONRPC, name)] = op
		}
	}
	for i, list := range []map[string]string{paths, methods} {
		for name, real := range list {
			op := ops[fmt.Sprint(i == 1, name)]
			require.NotNil(t, op, name)
			require.False(t, op.Restricted, name)
			if real == "" {
				real = name
			}
			require.Equal(t, op.Name, real)
			for _, alias := range op.Aliases {
				require.Contains(t, list, alias)
			}
		}
	}
	not := map[string]bool{
		"get_block_template": true,
		"get_miner_data":     true,
		"submit_block":       true,
		"calc_pow":           true,
		"add_aux_pow":        true,
		"generateblocks":     true,
		"get_limit":          true,
		"get_public_nodes":   true,
		"mining_status":      true,
	}
	for _, op := range daemonrpc.Operations() {
		list := paths
		if op.Wire == rpc.JSONRPC {
			list = methods
		}
		_, allowed := list[op.Name]
		require.Equal(t, !op.Restricted && !not[op.Name] && !strings.HasPrefix(op.Name, "rpc_access"), allowed, op.Name)
	}
}

// TestUncheckedRequestsAreNotForwarded: no daemon receives a request that the gateway has not checked.
func TestUncheckedRequestsAreNotForwarded(t *testing.T) {
	w := newWorld(t)
	var bodies [][]byte
	w.Gateway = New(Config{
		Network: "fakechain",
		Now:     func() uint64 { return 1 },
		Upstreams: []Upstream{{"all", transport(func(path string, body []byte) ([]byte, error) {
			if m := stringOf(body, "method"); path != "/json_rpc" || m != "get_info" && m != "get_fee_estimate" &&
				m != "on_get_block_hash" {
				bodies = append(bodies, body)
			}
			return w.peers[0].Post(context.Background(), path, body)
		})}},
	})
	for _, body := range []string{
		`{"method":"stop_mining"}`, `{"method":"get_block_template"}`, `{"meth\u006fd":"get_version"}`,
		`[{"method":"get_version"}]`, `{"method":5}`, ``, `{`,
		`{"method":"get_version"`, `{"params":{"method":"get_version"}}`, `{"method":"get_version" "method":"x"}`,
	} {
		a := w.post("/json_rpc", body)
		require.Equal(t, 200, a.Status)
		require.Contains(t, string(a.Body), "Method not found", body)
	}
	for _, path := range []string{
		"/stop_daemon", "/start_mining", "get_info", "", "/", "/json_rpc/", "/get_info/", "/GET_INFO",
		"/set_bootstrap_daemon", "//get_info",
	} {
		require.Equal(t, 404, w.post(path, "{}").Status, path)
	}
	require.Empty(t, bodies)
	a := w.post(
		"/json_rpc",
		`{"method":"get_version","id":"x","method":"stop_mining","params":{"method":"stop_mining"},"params":[]}`,
	)
	require.Equal(t, 200, a.Status)
	require.Len(t, bodies, 1)
	require.JSONEq(
		t, `{"jsonrpc":"2.0","method":"get_version","id":"x","params":{"method":"stop_mining"}}`, string(bodies[0]),
	)
}

type transport func(path string, body []byte) ([]byte, error)

func (f transport) Post(_ context.Context, path string, body []byte) ([]byte, error) {
	return f(path, body)
}

// TestAllowedOriginsAndSizes: only pages of the configured origins can read responses, and the size of requests is
// limited.
func TestAllowedOriginsAndSizes(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Origins, c.MaxBody = []string{"https://wallet.example"}, 100 })
	header := func(a Answer, name string) string {
		for _, h := range a.Header {
			if h[0] == name {
				return h[1]
			}
		}
		return ""
	}
	ask := func(method, origin, body string) Answer {
		return w.Answer(t.Context(), Request{Method: method, Path: "/get_height", Origin: origin, Body: []byte(body)})
	}
	a := ask("GET", "https://wallet.example", "")
	require.Equal(t, 200, a.Status)
	require.Equal(t, "https://wallet.example", header(a, "access-control-allow-origin"))
	require.Equal(t, "no-store", header(a, "cache-control"))
	require.Empty(t, header(ask("GET", "", ""), "access-control-allow-origin"))
	a = ask("OPTIONS", "https://wallet.example", "")
	require.Equal(t, 204, a.Status)
	require.Contains(t, header(a, "access-control-allow-methods"), "POST")
	require.Equal(t, 403, ask("POST", "https://evil.example", "").Status)
	require.Equal(t, 403, ask("OPTIONS", "https://evil.example", "").Status)
	require.Equal(t, 405, ask("PUT", "", "").Status)
	require.Equal(t, 413, ask("POST", "", strings.Repeat(" ", 101)).Status)
	w.Gateway.c.Origins = []string{"*"}
	require.Equal(t, "*", header(ask("GET", "https://any.example", ""), "access-control-allow-origin"))
}

// TestFailover: a daemon that does not respond is skipped, reported once, and tried again later. If no daemon
// responds, the gateway returns an error.
func TestFailover(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 3)
	require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
	require.Equal(t, 1, w.peers[0].questions("get_transactions"))
	w.peers[0].set(func(p *peer) { p.away = true })
	for range 3 {
		require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
	}
	require.Equal(t, 1, w.peers[0].questions("get_transactions"))
	require.Equal(t, 3, w.peers[1].questions("get_transactions"))
	require.Equal(t, []string{"peer 0: gone"}, w.takeReports())
	w.later()
	w.peers[0].set(func(p *peer) { p.away = false })
	require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
	require.Equal(t, 1, w.peers[0].questions("get_transactions"))
	for _, p := range w.peers {
		p.set(func(p *peer) { p.away = true })
	}
	require.Equal(t, 502, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
	w.later()
	require.Equal(t, 502, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
	require.Equal(t, 502, w.post("/get_compact_blocks.bin", string(question(t, 1))).Status)
	for _, p := range w.peers {
		p.set(func(p *peer) { p.away = false })
	}
	w.later()
	require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
}

func question(t testing.TB, start uint64) []byte {
	t.Helper()
	b, err := epee.Marshal(&daemonrpc.GetCompactBlocksRequest{Version: 1, StartHeight: start})
	require.NoError(t, err)
	return b
}

// TestContradictedByOthers: a daemon that contradicts the two others is reported and receives no further requests until
// it agrees again.
func TestContradictedByOthers(t *testing.T) {
	replace := func(name, old, new string) func(string, []byte) []byte {
		return func(path string, answer []byte) []byte {
			if path == name {
				return []byte(strings.ReplaceAll(string(answer), old, new))
			}
			return answer
		}
	}
	for name, lie := range map[string]func(string, []byte) []byte{
		"far ahead": replace("get_info", `"height":21`, `"height":2100`),
		"behind":    replace("get_info", `"height":21`, `"height":2`),
		"a fee":     replace("get_fee_estimate", `"fee":`, `"fee":9`),
		"a block": func(path string, answer []byte) []byte {
			if path == "on_get_block_hash" {
				return []byte(`{"id":"0","jsonrpc":"2.0","result":"` + strings.Repeat("77", 32) + `"}`)
			}
			return answer
		},
		"another network": replace("get_info", `"fakechain"`, `"mainnet"`),
		"no answer":       replace("get_info", `"height"`, `"depth"`),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.mine(t, 20)
			w.peers[0].set(func(p *peer) { p.modify = lie })
			for range 3 {
				a := w.post("/get_height", "")
				require.Equal(t, 200, a.Status)
				require.Contains(t, string(a.Body), `"height":21`)
				require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
				w.later()
			}
			require.Zero(t, w.peers[0].questions("get_transactions", "get_height"))
			reports := w.takeReports()
			require.Len(t, reports, 1)
			require.Contains(t, reports[0], "peer 0: ")
			w.peers[0].set(func(p *peer) { p.modify = nil })
			w.later()
			require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
			require.Equal(t, 1, w.peers[0].questions("get_transactions"))
		})
	}
}

// TestTwoDaemonsDisagree: if two daemons disagree, the gateway cannot decide which is right and reports both.
func TestTwoDaemonsDisagree(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Upstreams = c.Upstreams[:2] })
	_, err := w.peers[0].Mine(t.Context(), 5, node.UnspendableAddress())
	require.NoError(t, err)
	for range 4 {
		_, err = w.peers[1].Mine(t.Context(), 1, node.UnspendableAddress())
		require.NoError(t, err)
	}
	require.Equal(t, 200, w.post("/get_height", "").Status)
	require.Len(t, w.takeReports(), 2)
}

// blocks returns all compact blocks from height from, in as many requests to c as necessary.
func (w *world) blocks(t testing.TB, c rpc.Transport, from uint64) (all []daemon.Block) {
	t.Helper()
	for at := from; ; {
		raw, err := daemon.New(c).RawCompact(t.Context(), daemon.BlocksRequest{Start: at})
		require.NoError(t, err)
		got, err := raw.Decode()
		require.NoError(t, err)
		require.NotEmpty(t, got)
		if len(all) > 0 {
			require.Equal(t, all[len(all)-1].Hash, got[0].Prev)
		}
		all = append(all, got...)
		if at += uint64(len(got)); at == raw.Current {
			return all
		}
	}
}

// TestSegments: compact blocks equal those of the daemons, wherever a request begins. Buried blocks are requested once
// by all gateways that share a cache. After a reorganisation deeper than Config.Depth, responses are those of the new
// chain.
func TestSegments(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 330)
	want := w.blocks(t, w.peers[0].Registry(), 1)
	require.Equal(t, want, w.blocks(t, w.Gateway, 1))
	require.Equal(t, want[249:], w.blocks(t, w.Gateway, 250))
	require.Equal(t, 3, w.cache.segments())
	w.peers[0].questions("get_blocks.bin")

	other := New(w.config)
	require.Equal(t, want[:299], w.blocks(t, other, 1)[:299])
	require.Equal(t, 3, w.cache.hits)
	require.Zero(t, w.peers[0].questions("get_blocks.bin"), "the end of the chain is there, too, for a while")
	require.Equal(t, want[:299], w.blocks(t, w.Gateway, 1)[:299])
	require.Equal(t, 3, w.cache.hits, "its own memory has them")

	// By history, as wallets request blocks: also a history whose newest blocks are on no chain.
	c := daemon.New(w.Gateway)
	raw, err := c.RawCompact(
		t.Context(), daemon.BlocksRequest{History: []xmr.Hash{{9}, want[149].Hash, xmr.Mainnet.GenesisHash()}, Max: 3},
	)
	require.NoError(t, err)
	got, err := raw.Decode()
	require.NoError(t, err)
	require.Equal(t, want[149:152], got)
	raw, err = c.RawCompact(t.Context(), daemon.BlocksRequest{History: []xmr.Hash{xmr.Mainnet.GenesisHash()}})
	require.NoError(t, err)
	require.Zero(t, raw.Start)
	raw, err = c.RawCompact(t.Context(), daemon.BlocksRequest{History: []xmr.Hash{want[329].Hash}})
	require.NoError(t, err)
	require.Zero(t, raw.Len())
	require.EqualValues(t, 331, raw.Current)
	_, err = c.RawCompact(t.Context(), daemon.BlocksRequest{History: []xmr.Hash{{9}}})
	require.ErrorIs(t, err, daemon.ErrRefused)
	_, err = c.RawCompact(t.Context(), daemon.BlocksRequest{Start: 1000})
	require.ErrorIs(t, err, daemon.ErrRefused)

	_, err = w.peers[0].Reorganise(t.Context(), 150, node.UnspendableAddress())
	require.NoError(t, err)
	w.spread(t)
	w.later()
	want = w.blocks(t, w.peers[0].Registry(), 1)
	require.Equal(t, want, w.blocks(t, w.Gateway, 1))
	require.Equal(t, 5, w.cache.segments())
}

// TestReorganisationDuringFailure: a deep reorganisation is noticed also if the request that would have shown it fails.
func TestReorganisationDuringFailure(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 330)
	w.blocks(t, w.Gateway, 1)
	_, err := w.peers[0].Reorganise(t.Context(), 150, node.UnspendableAddress())
	require.NoError(t, err)
	w.spread(t)
	w.later()
	id := regexp.MustCompile(`"result": *"[0-9a-f]{64}"`)
	for _, p := range w.peers {
		p.set(func(p *peer) {
			p.modify = func(_ string, answer []byte) []byte { return id.ReplaceAll(answer, []byte(`"result":""`)) }
		})
	}
	_, err = daemon.New(w.Gateway).RawCompact(t.Context(), daemon.BlocksRequest{Start: 1})
	require.Error(t, err)
	for _, p := range w.peers {
		p.set(func(p *peer) { p.modify = nil })
	}
	want := w.blocks(t, w.peers[0].Registry(), 1)
	require.Equal(t, want, w.blocks(t, w.Gateway, 1))
	w.takeReports()
}

// TestForgedBlocks: block data that does not match the block IDs is refused, and the next daemon receives the request.
func TestForgedBlocks(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 130)
	want := w.blocks(t, w.peers[1].Registry(), 1)
	for name, change := range map[string]func(*daemonrpc.GetBlocksResponse){
		"another block": func(r *daemonrpc.GetBlocksResponse) { r.Blocks[2] = r.Blocks[1] },
		"no block":      func(r *daemonrpc.GetBlocksResponse) { r.Blocks[2].Block = []byte{1} },
		"a transaction": func(r *daemonrpc.GetBlocksResponse) {
			r.Blocks[2].Txs = []daemonrpc.TxBlob{daemonrpc.WholeTx([]byte{2})}
		},
		"no indices":      func(r *daemonrpc.GetBlocksResponse) { r.OutputIndices[2].Indices = nil },
		"wrong indices":   func(r *daemonrpc.GetBlocksResponse) { r.OutputIndices[2].Indices[0].Indices[0] = 1 << 60 },
		"another start":   func(r *daemonrpc.GetBlocksResponse) { r.StartHeight++ },
		"fewer indices":   func(r *daemonrpc.GetBlocksResponse) { r.OutputIndices = r.OutputIndices[1:] },
		"a failed status": func(r *daemonrpc.GetBlocksResponse) { r.Status = "BUSY" },
	} {
		w.Gateway = New(w.config)
		clear(w.cache.values)
		w.later()
		w.peers[0].set(func(p *peer) {
			p.modify = func(path string, answer []byte) []byte {
				var r daemonrpc.GetBlocksResponse
				if path != "get_blocks.bin" || epee.Unmarshal(answer, &r) != nil {
					return answer
				}
				change(&r)
				b, err := epee.Marshal(&r)
				require.NoError(t, err)
				return b
			}
		})
		require.Equal(t, want, w.blocks(t, w.Gateway, 1), name)
		require.Len(t, w.takeReports(), 1, name)
	}
}

// TestHeightIsFresh: every response that contains the height of the chain includes a new block within seconds.
func TestHeightIsFresh(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 2)
	heights := func() (version, height uint64) {
		a := w.post("/json_rpc", `{"method":"get_version","id":1}`)
		require.Equal(t, 200, a.Status)
		var v struct {
			Result struct {
				CurrentHeight uint64 `json:"current_height"`
			} `json:"result"`
		}
		require.NoError(t, json.Unmarshal(a.Body, &v))
		a = w.post("/get_height", "")
		require.Equal(t, 200, a.Status)
		var h struct {
			Height uint64 `json:"height"`
		}
		require.NoError(t, json.Unmarshal(a.Body, &h))
		return v.Result.CurrentHeight, h.Height
	}
	version, height := heights()
	require.EqualValues(t, 3, height)
	require.Equal(t, height, version)
	w.mine(t, 1)
	w.wait(4)
	version, height = heights()
	require.EqualValues(t, 4, height)
	require.Equal(t, height, version)
	for range 2 { // the second request follows after the first response has expired
		require.Equal(t, 200, w.post("/json_rpc", `{"method":"hard_fork_info","id":1}`).Status)
		asked := 0
		for _, p := range w.peers {
			asked += p.questions("hard_fork_info")
		}
		require.Equal(t, 1, asked)
		w.wait(4)
	}
}

// TestIdenticalRequestsAreSentOnce: identical requests are sent once within some seconds, without anything that
// identifies the client.
func TestIdenticalRequestsAreSentOnce(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 2)
	for range 5 {
		require.Equal(t, 200, w.post("/get_height", "").Status)
		require.Equal(t, 200, w.post("/json_rpc", `{"method":"get_version","id":1}`).Status)
	}
	require.Equal(t, 1, w.peers[0].questions("get_height"))
	require.Equal(t, 1, w.peers[0].questions("get_version"))
	w.later()
	require.Equal(t, 200, w.post("/get_height", "").Status)
	require.Equal(t, 1, w.peers[0].questions("get_height"))
	for n := range 1000 {
		require.Equal(t, 200, w.post("/json_rpc", fmt.Sprintf(`{"method":"get_version","id":%d}`, n)).Status)
	}
	require.Positive(t, w.memory.size)
	require.LessOrEqual(t, len(w.memory.items), maxMemos)
}
