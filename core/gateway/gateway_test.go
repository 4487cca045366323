package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/xmr"
)

var errGone = errors.New("gone")

// peer is a daemon that counts what it is asked, and lies or fails when told to.
type peer struct {
	*node.Regtest
	mu    sync.Mutex
	asked map[string]int
	away  bool
	bend  func(path string, answer []byte) []byte
}

func (p *peer) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	name := path[1:]
	if path == "/json_rpc" {
		name = stringOf(body, "method")
	}
	p.mu.Lock()
	p.asked[name]++
	away, bend := p.away, p.bend
	p.mu.Unlock()
	if away {
		return nil, errGone
	}
	answer, err := p.Restricted().Serve(ctx, path, body, rpc.Options{Restricted: true})
	if err == nil && bend != nil {
		answer = bend(name, answer)
	}
	return answer, err
}

func (p *peer) set(change func(*peer)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// questions returns how often these were asked since the last time.
func (p *peer) questions(names ...string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range names {
		n += p.asked[name]
		delete(p.asked, name)
	}
	return n
}

// shelf is a cache.
type shelf struct {
	mu     sync.Mutex
	values map[string][]byte
	hits   int // of segments
}

func (s *shelf) Get(_ context.Context, name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[name]
	if ok && strings.HasPrefix(name, "compact-") {
		s.hits++
	}
	return v, ok
}

func (s *shelf) Put(_ context.Context, name string, value []byte, _ uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[name] = slices.Clone(value)
}

// segments returns how many there are.
func (s *shelf) segments() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.values {
		if strings.HasPrefix(name, "compact-") {
			n++
		}
	}
	return n
}

// world is a gateway before three daemons, the last of which has a chain of its own until it takes that of the first.
type world struct {
	*Gateway
	config  Config
	peers   []*peer
	cache   *shelf
	clock   uint64
	mu      sync.Mutex
	reports []string
}

func newWorld(t testing.TB, change ...func(*Config)) *world {
	t.Helper()
	w := &world{cache: &shelf{values: map[string][]byte{}}, clock: 1_700_000_000}
	now := func() uint64 {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.clock
	}
	w.config = Config{Network: xmr.Regtest.String(), Depth: 10, Cache: w.cache, Now: now, Report: func(upstream, reason string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.reports = append(w.reports, upstream+": "+reason)
	}}
	for i := range 3 {
		n, err := node.NewRegtest(now, rand.Reader)
		require.NoError(t, err)
		t.Cleanup(func() { _ = n.Close() })
		p := &peer{Regtest: n, asked: map[string]int{}}
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

func (w *world) told() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	told := w.reports
	w.reports = nil
	return told
}

// mine gives all daemons the same further blocks.
func (w *world) mine(t testing.TB, n int) {
	t.Helper()
	_, err := w.peers[0].Mine(t.Context(), n, node.Nobody())
	require.NoError(t, err)
	w.spread(t)
}

// spread gives the others the blocks of the first.
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

// TestAllowed: what is let through is what a restricted daemon answers, under all its names, and neither mines nor pays.
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
	not := map[string]bool{"get_block_template": true, "get_miner_data": true, "submit_block": true, "calc_pow": true, "add_aux_pow": true, "generateblocks": true,
		"get_limit": true, "get_public_nodes": true, "mining_status": true}
	for _, op := range daemonrpc.Operations() {
		list := paths
		if op.Wire == rpc.JSONRPC {
			list = methods
		}
		_, allowed := list[op.Name]
		require.Equal(t, !op.Restricted && !not[op.Name] && !strings.HasPrefix(op.Name, "rpc_access"), allowed, op.Name)
	}
}

// TestSmuggled: no daemon is asked for anything that was not looked at.
func TestSmuggled(t *testing.T) {
	w := newWorld(t)
	var bodies [][]byte
	w.Gateway = New(Config{Network: "fakechain", Now: func() uint64 { return 1 }, Upstreams: []Upstream{{"all", transport(func(path string, body []byte) ([]byte, error) {
		if m := stringOf(body, "method"); path != "/json_rpc" || m != "get_info" && m != "get_fee_estimate" && m != "on_get_block_hash" {
			bodies = append(bodies, body)
		}
		return w.peers[0].Post(context.Background(), path, body)
	})}}})
	for _, body := range []string{
		`{"method":"stop_mining"}`, `{"method":"get_block_template"}`, `{"meth\u006fd":"get_version"}`, `[{"method":"get_version"}]`, `{"method":5}`, ``, `{`,
		`{"method":"get_version"`, `{"params":{"method":"get_version"}}`, `{"method":"get_version" "method":"x"}`,
	} {
		a := w.post("/json_rpc", body)
		require.Equal(t, 200, a.Status)
		require.Contains(t, string(a.Body), "Method not found", body)
	}
	for _, path := range []string{"/stop_daemon", "/start_mining", "get_info", "", "/", "/json_rpc/", "/get_info/", "/GET_INFO", "/set_bootstrap_daemon", "//get_info"} {
		require.Equal(t, 404, w.post(path, "{}").Status, path)
	}
	require.Empty(t, bodies)
	a := w.post("/json_rpc", `{"method":"get_version","id":"x","method":"stop_mining","params":{"method":"stop_mining"},"params":[]}`)
	require.Equal(t, 200, a.Status)
	require.Len(t, bodies, 1)
	require.JSONEq(t, `{"jsonrpc":"2.0","method":"get_version","id":"x","params":{"method":"stop_mining"}}`, string(bodies[0]))
}

type transport func(path string, body []byte) ([]byte, error)

func (f transport) Post(_ context.Context, path string, body []byte) ([]byte, error) {
	return f(path, body)
}

// TestPages: only pages of the origins named read answers, and requests have a limit.
func TestPages(t *testing.T) {
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

// TestFailover: a daemon that does not answer is passed over, reported once, and asked again later; when none answers, it is said so.
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
	require.Equal(t, []string{"peer 0: gone"}, w.told())
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

// TestOutvoted: whatever one daemon of three says that the others deny, it is asked nothing more and reported, until it agrees again.
func TestOutvoted(t *testing.T) {
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
			w.peers[0].set(func(p *peer) { p.bend = lie })
			for range 3 {
				a := w.post("/get_height", "")
				require.Equal(t, 200, a.Status)
				require.Contains(t, string(a.Body), `"height":21`)
				require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
				w.later()
			}
			require.Zero(t, w.peers[0].questions("get_transactions", "get_height"))
			told := w.told()
			require.Len(t, told, 1)
			require.Contains(t, told[0], "peer 0: ")
			w.peers[0].set(func(p *peer) { p.bend = nil })
			w.later()
			require.Equal(t, 200, w.post("/get_transactions", `{"txs_hashes":[]}`).Status)
			require.Equal(t, 1, w.peers[0].questions("get_transactions"))
		})
	}
}

// TestTwoThatDisagree: nobody knows which is right, and both are reported.
func TestTwoThatDisagree(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Upstreams = c.Upstreams[:2] })
	_, err := w.peers[0].Mine(t.Context(), 5, node.Nobody())
	require.NoError(t, err)
	for range 4 {
		_, err = w.peers[1].Mine(t.Context(), 1, node.Nobody())
		require.NoError(t, err)
	}
	require.Equal(t, 200, w.post("/get_height", "").Status)
	require.Len(t, w.told(), 2)
}

// blocks asks the gateway for compact blocks, all of them, in as many questions as it takes, and decodes them.
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

// TestSegments: compact blocks are those of the daemons, wherever one begins; what stays is asked for once, by any number of gateways that share a
// cache; and after a reorganisation deeper than what was taken to stay, the answers are of the new chain.
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

	// By history, as wallets ask: also one whose newest blocks are on no chain.
	c := daemon.New(w.Gateway)
	raw, err := c.RawCompact(t.Context(), daemon.BlocksRequest{History: []xmr.Hash{{9}, want[149].Hash, xmr.Mainnet.GenesisHash()}, Max: 3})
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

	_, err = w.peers[0].Reorganise(t.Context(), 150, node.Nobody())
	require.NoError(t, err)
	w.spread(t)
	w.later()
	want = w.blocks(t, w.peers[0].Registry(), 1)
	require.Equal(t, want, w.blocks(t, w.Gateway, 1))
	require.Equal(t, 5, w.cache.segments())
}

// TestLiesInBlocks: what a daemon's blocks say that is not proven by their IDs is refused, and the next daemon is asked.
func TestLiesInBlocks(t *testing.T) {
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
			p.bend = func(path string, answer []byte) []byte {
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
		require.Len(t, w.told(), 1, name)
	}
}

// TestHeightIsFresh: every answer that names the chain's height follows a new block within seconds.
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
	for range 2 { // the second question comes after the first answer has gone stale
		require.Equal(t, 200, w.post("/json_rpc", `{"method":"hard_fork_info","id":1}`).Status)
		asked := 0
		for _, p := range w.peers {
			asked += p.questions("hard_fork_info")
		}
		require.Equal(t, 1, asked)
		w.wait(4)
	}
}

// TestMemo: what all ask in the same words is asked once in some seconds, and nothing that tells who asks.
func TestMemo(t *testing.T) {
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

// FuzzMember: of JSON, members are found as encoding/json finds them; of anything else nothing breaks.
func FuzzMember(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"b":[{"a":"x"}],"a":{"a":"\"}"}}`, `{"a" : -1.5e3 , "c":null}`, `{`, `{"a":}`, `[1]`, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		raw, ok := member(b, "a")
		_, _ = member(b, "a", "a", "b")
		if !json.Valid(b) {
			return
		}
		dec := json.NewDecoder(strings.NewReader(string(b)))
		if first, err := dec.Token(); err != nil || first != json.Delim('{') {
			if ok {
				t.Fatal("a member of no object")
			}
			return
		}
		if strings.Contains(string(b), `\`) {
			return // names with escapes are not found
		}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				t.Fatal(err)
			}
			var v json.RawMessage
			if err := dec.Decode(&v); err != nil {
				t.Fatal(err)
			}
			if name == "a" {
				if ok && string(raw) != string(v) {
					t.Fatalf("%q for %q", raw, v)
				}
				if !ok && len(b) < 60 {
					t.Fatal("not found")
				}
				return
			}
		}
		if ok {
			t.Fatal("found what is not there")
		}
	})
}

// FuzzAnswer: no request breaks a gateway, and each has an answer.
func FuzzAnswer(f *testing.F) {
	w := newWorld(f)
	w.mine(f, 120)
	f.Add("/get_compact_blocks.bin", question(f, 1))
	f.Add("/json_rpc", []byte(`{"method":"get_block","params":{"height":1}}`))
	f.Add("/get_outs", []byte(`{}`))
	f.Add("/get_transactions", []byte(`{"txs_hashes":["`+strings.Repeat("ab", 32)+`"],"prune":true}`))
	for path, q := range map[string]any{
		"/get_outs.bin":                &daemonrpc.GetOutsBinRequest{Outputs: []daemonrpc.OutputRef{{Index: 1}}},
		"/get_output_distribution.bin": &daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0}, Binary: true, Compress: true},
		"/get_blocks.bin":              &daemonrpc.GetBlocksRequest{RequestedInfo: daemonrpc.PoolOnly, PoolInfoSince: 5},
	} {
		b, err := epee.Marshal(q)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(path, b)
	}
	f.Fuzz(func(t *testing.T, path string, body []byte) {
		a := w.Answer(context.Background(), Request{Method: "POST", Path: path, Body: body})
		if a.Status < 200 || a.Status > 599 {
			t.Fatal(a.Status)
		}
		w.later()
	})
}

// FuzzBlocks: of whatever a daemon answers, only blocks that link are handed on.
func FuzzBlocks(f *testing.F) {
	w := newWorld(f)
	w.mine(f, 12)
	q, err := epee.Marshal(&daemonrpc.GetBlocksRequest{StartHeight: 1, MaxBlockCount: 5})
	if err != nil {
		f.Fatal(err)
	}
	honest, err := w.peers[0].Post(context.Background(), "/get_blocks.bin", q)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(honest)
	f.Fuzz(func(t *testing.T, b []byte) {
		var r daemonrpc.GetBlocksResponse
		if epee.Unmarshal(b, &r) != nil || len(r.Blocks) != len(r.OutputIndices) {
			return
		}
		out, err := makeRun(1, r.Blocks, r.OutputIndices)
		if err != nil {
			return
		}
		if len(out.IDs) != len(out.Blocks) || len(out.IDs) != len(r.Blocks) {
			t.Fatal("some are missing")
		}
	})
}
