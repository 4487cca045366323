package scenario

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/daemonrpc"
)

// messengers are both daemons with the same blocks and pool, and connections for their operations over ZeroMQ.
type messengers struct {
	publishers
	sockets [2]*peers.Socket // theirs and ours
	asked   map[string]bool  // methods that answered with a result
}

// newMessengers starts both daemons with the given arguments.
func newMessengers(t *testing.T, args ...string) *messengers {
	t.Helper()
	path, err := build()
	require.NoError(t, err)
	m := &messengers{publishers: publishers{T: t}, asked: map[string]bool{}}
	m.theirs, m.sockets[0] = newMessenger(t, peers.Options{Dir: t.TempDir(), Args: args})
	ours := peers.Options{Command: []string{path, "daemon"}, Dir: t.TempDir(), Args: args}
	m.ours, m.sockets[1] = newMessenger(t, ours)
	return m
}

// newMessenger starts a daemon and connects to it over ZeroMQ. It tries again if another process takes the port first.
func newMessenger(t *testing.T, o peers.Options) (*peers.Daemon, *peers.Socket) {
	t.Helper()
	args := o.Args
	for attempt := 1; ; attempt++ {
		port, err := peers.FreePort()
		require.NoError(t, err)
		o.Args = append([]string{"--zmq-rpc-bind-port", port}, args...)
		d, err := peers.StartDaemon(context.Background(), o)
		if err != nil {
			require.Less(t, attempt, 3, err)
			continue
		}
		t.Cleanup(func() { _ = d.Kill() })
		s, err := peers.DialZMQ(deadline(t), "tcp", net.JoinHostPort("127.0.0.1", port), "REQ")
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close() })
		return d, s
	}
}

// raw sends a request to both and returns the decoded answers.
func (m *messengers) raw(request string) (answers [2]map[string]any) {
	m.Helper()
	for i, s := range m.sockets {
		answer, err := s.Ask([]byte(request))
		require.NoError(m, err, "%s: %s", [2]string{"theirs", "ours"}[i], request)
		d := json.NewDecoder(strings.NewReader(string(answer)))
		d.UseNumber()
		require.NoError(m, d.Decode(&answers[i]), string(answer))
	}
	return answers
}

// same sends a request to both and requires equal answers, but for the members of results named in ignore.
func (m *messengers) same(request string, ignore ...string) {
	m.Helper()
	answers := m.raw(request)
	for _, a := range answers {
		for _, name := range ignore {
			leaveOut(a["result"], name)
		}
	}
	require.Equal(m, answers[0], answers[1], "%.300s", request)
}

// leaveOut removes a member of an object and of everything within it.
func leaveOut(v any, name string) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, name)
		for _, e := range v {
			leaveOut(e, name)
		}
	case []any:
		for _, e := range v {
			leaveOut(e, name)
		}
	}
}

func messageOf(method, params string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + params + `}`
}

// result compares the results of an operation and requires that there is one.
func (m *messengers) result(method, params string, ignore ...string) {
	m.Helper()
	answers := m.raw(messageOf(method, params))
	require.Contains(m, answers[1], "result", "%s: %v", method, answers[1]["error"])
	m.asked[method] = true
	m.same(messageOf(method, params), ignore...)
}

// failure compares the errors of an operation and requires that there is one.
func (m *messengers) failure(method, params string) {
	m.Helper()
	require.Contains(m, m.raw(messageOf(method, params))[0], "error", method)
	m.same(messageOf(method, params))
}

// fill mines blocks with a payment and a branch, and leaves a payment in the pool. It returns the payments' IDs.
func (m *messengers) fill() (mined, waiting string) {
	m.Helper()
	t := m.T
	m.generate(78, "")
	w := newGlim(t, m.theirs.URL, options{})
	restore(t, w, "alice", alice)
	paid := func() string {
		refresh(t, w)
		p := call[struct {
			Hash string `json:"tx_hash"`
			Blob string `json:"tx_blob"`
		}](t, w, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}, "get_tx_hex": true})
		require.Equal(t, "OK", handOver(t, m.ours, unhex(t, p.Blob)).Status)
		return p.Hash
	}
	mined = paid()
	old := m.generate(3, "")
	m.generate(2, old[0])
	waiting = paid()
	until(t, func() bool { // the reference delays the payment for a moment
		var pool daemonrpc.GetTransactionPoolResponse
		require.NoError(t, m.theirs.Path(deadline(t), "/get_transaction_pool", nil, &pool))
		return len(pool.Transactions) == 1 && pool.Transactions[0].Relayed
	})
	return mined, waiting
}

// TestMessagesEqual: over ZeroMQ both daemons give the same answers to every operation and to invalid requests.
func TestMessagesEqual(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	if !referenceAtLeast(t, 0, 18, 5) {
		return // the release before leaves out the signatures of transactions
	}
	m := newMessengers(t)
	mined, waiting := m.fill()
	m.chainMessages(mined)
	m.txMessages(mined, waiting)
	m.stateMessages()
	m.sendMessages()
	m.invalidMessages()
	// get_peer_list has no result.
	m.failure("get_peer_list", `{}`)
	m.miningMessages() // may find a block
	require.Len(t, m.asked, 26)
}

func (m *messengers) chainMessages(mined string) {
	m.Helper()
	var top, genesis, branch struct {
		Header struct{ Hash string } `json:"block_header"`
	}
	require.NoError(m, m.theirs.JSON(deadline(m.T), "get_last_block_header", nil, &top))
	require.NoError(m, m.theirs.JSON(deadline(m.T), "get_block_header_by_height", object{"height": 0}, &genesis))
	var chains struct {
		Chains []struct {
			Hash string `json:"block_hash"`
		}
	}
	require.NoError(m, m.theirs.JSON(deadline(m.T), "get_alternate_chains", nil, &chains))
	require.Len(m, chains.Chains, 1)
	branch.Header.Hash = chains.Chains[0].Hash
	unknown := strings.Repeat("5", 64)

	m.result("get_height", `{}`)
	m.result("get_height", `[3]`)
	m.result("get_rpc_version", `{}`)
	m.result("get_last_block_header", `{}`)
	m.result("get_block_hash", `{"height":3}`)
	m.failure("get_block_hash", `{"height":1000}`)
	m.failure("get_block_hash", `{"height":"3"}`)
	m.failure("get_block_hash", `{"height":-3}`)
	m.failure("get_block_hash", `{"height":3.0}`)
	m.failure("get_block_hash", `{"height":18446744073709551616}`)
	m.failure("get_block_hash", `{}`)
	for _, hash := range []string{top.Header.Hash, genesis.Header.Hash, branch.Header.Hash} {
		m.result("get_block_header_by_hash", `{"hash":"`+hash+`"}`)
	}
	m.failure("get_block_header_by_hash", `{"hash":"`+unknown+`"}`)
	m.failure("get_block_header_by_hash", `{"hash":"55"}`)
	m.failure("get_block_header_by_hash", `{"hash":5}`)
	m.result("get_block_header_by_height", `{"height":80}`)
	m.failure("get_block_header_by_height", `{"height":800}`)
	m.result("get_block_headers_by_height", `{"heights":[0,7,7,80]}`)
	m.result("get_block_headers_by_height", `{"heights":[]}`)
	m.failure("get_block_headers_by_height", `{"heights":[0,800]}`)
	for _, prune := range []string{"true", "false"} {
		m.result("get_blocks_fast",
			`{"block_ids":["`+top.Header.Hash+`","`+genesis.Header.Hash+`"],"start_height":0,"prune":`+prune+`}`)
		m.result("get_blocks_fast", `{"block_ids":[],"start_height":70,"prune":`+prune+`}`)
	}
	m.failure("get_blocks_fast", `{"block_ids":[],"start_height":0,"prune":true}`)
	m.failure("get_blocks_fast", `{"block_ids":[],"start_height":700,"prune":true}`)
	m.failure("get_blocks_fast", `{"block_ids":[],"start_height":70,"prune":1}`)
	m.result("get_hashes_fast", `{"known_hashes":["`+genesis.Header.Hash+`"],"start_height":5}`)
	m.failure("get_hashes_fast", `{"known_hashes":["`+unknown+`"],"start_height":0}`)
	m.failure("get_hashes_fast", `{"known_hashes":[]}`)
	m.result("get_tx_global_output_indices", `{"tx_hash":"`+mined+`"}`)
	m.failure("get_tx_global_output_indices", `{"tx_hash":"`+unknown+`"}`)
}

func (m *messengers) txMessages(mined, waiting string) {
	m.Helper()
	unknown := strings.Repeat("5", 64)
	list := `"` + strings.Join([]string{mined, waiting, unknown, mined, waiting}, `","`) + `"`
	m.result("get_transactions", `{"tx_hashes":[`+list+`]}`)
	m.result("get_transactions", `{"tx_hashes":[]}`)
	m.result("get_transaction_pool", `{}`, "receive_time", "last_relayed_time")
	var images []string
	for _, id := range []string{mined, waiting} {
		var txs daemonrpc.GetTransactionsResponse
		require.NoError(m, m.theirs.Path(deadline(m.T), "/get_transactions",
			object{"txs_hashes": []string{id}, "decode_as_json": true}, &txs))
		var decoded struct {
			Vin []struct {
				Key struct {
					Image string `json:"k_image"`
				}
			}
		}
		require.NoError(m, json.Unmarshal([]byte(txs.Txs[0].AsJSON), &decoded))
		images = append(images, decoded.Vin[0].Key.Image)
	}
	m.result("key_images_spent", `{"key_images":["`+strings.Join(append(images, unknown), `","`)+`"]}`)
	m.failure("key_images_spent", `{"key_images":["5"]}`)
	m.failure("key_images_spent", `{"key_images":[5]}`)
}

func (m *messengers) stateMessages() {
	m.Helper()
	m.result("get_info", `{}`, "start_time", "version", "adjusted_time")
	m.result("hard_fork_info", `{"version":0}`)
	m.result("hard_fork_info", `{"version":15}`)
	m.failure("hard_fork_info", `{"version":256}`)
	m.result("get_dynamic_fee_estimate", `{"num_grace_blocks":10}`)
	m.failure("get_dynamic_fee_estimate", `{"num_grace_blocks":101}`)
	m.result("get_output_histogram",
		`{"amounts":[0],"min_count":0,"max_count":0,"unlocked":true,"recent_cutoff":1}`)
	m.result("get_output_histogram",
		`{"amounts":[],"min_count":0,"max_count":0,"unlocked":false,"recent_cutoff":0}`)
	m.result("get_output_keys", `{"outputs":[{"amount":0,"index":5},{"amount":0,"index":81}]}`)
	m.failure("get_output_keys", `{"outputs":[{"amount":0,"index":5000}]}`)
	m.failure("get_output_keys", `{"outputs":[{"amount":7,"index":0}]}`)
	for _, cumulative := range []string{"true", "false"} {
		m.result("get_output_distribution",
			`{"amounts":[0],"from_height":5,"to_height":20,"cumulative":`+cumulative+`}`)
		m.result("get_output_distribution",
			`{"amounts":[0],"from_height":0,"to_height":0,"cumulative":`+cumulative+`}`)
	}
	m.failure("get_output_distribution", `{"amounts":[0],"from_height":0,"to_height":2000,"cumulative":false}`)
	m.result("set_log_level", `{"level":0}`)
	m.failure("set_log_level", `{"level":5}`)
	m.failure("set_log_level", `{"level":-129}`)
	m.failure("set_log_level", `{"level":128}`)
	m.result("save_bc", `{}`)
	m.result("stop_mining", `{}`)
	m.result("mining_status", `{}`)
	start := func(address, threads string) string {
		return `{"miner_address":"` + address + `","threads_count":` + threads +
			`,"do_background_mining":false,"ignore_battery":true}`
	}
	m.failure("start_mining", start("nobody", "1"))
	m.failure("start_mining", start(at(m.T, alice, 0, 1), "1"))
	m.failure("start_mining", start(at(m.T, alice, 0, 0), "100000"))
}

// sendMessages sends transactions, and mines: after that the chains differ.
func (m *messengers) sendMessages() {
	m.Helper()
	t := m.T
	w := newGlim(t, m.theirs.URL, options{})
	restore(t, w, "alice", alice)
	refresh(t, w)
	p := call[struct {
		Hash string `json:"tx_hash"`
		Blob string `json:"tx_blob"`
	}](t, w, "transfer", object{
		"destinations": []destination{{at(t, bob, 0, 0), coin}}, "get_tx_hex": true, "do_not_relay": true,
	})
	m.failure("send_raw_tx_hex", `{"tx_as_hex":"5","relay":true}`)
	m.failure("send_raw_tx_hex", `{"tx_as_hex":"55","relay":true}`)
	spoiled := []byte(p.Blob)
	spoiled[len(spoiled)-1] ^= 1
	m.failure("send_raw_tx_hex", `{"tx_as_hex":"`+string(spoiled)+`","relay":true}`)
	m.failure("send_raw_tx", `{"tx":{},"relay":true}`)
	m.failure("send_raw_tx", `{"tx":5,"relay":true}`)

	// The form for send_raw_tx is that of get_transactions, which knows only relayed transactions.
	m.result("send_raw_tx_hex", `{"tx_as_hex":"`+p.Blob+`","relay":false}`)
	m.failure("get_transactions", `{}`)
	m.same(messageOf("get_transactions", `{"tx_hashes":["`+p.Hash+`"]}`))
	for _, d := range []*peers.Daemon{m.theirs, m.ours} {
		require.NoError(t, d.JSON(deadline(t), "relay_tx", object{"txids": []string{p.Hash}}, nil))
	}
	var form string
	until(t, func() bool {
		found := true
		for i, a := range m.raw(messageOf("get_transactions", `{"tx_hashes":["`+p.Hash+`"]}`)) {
			e, is := a["result"].(map[string]any)["txs"].(map[string]any)[p.Hash].(map[string]any)
			if found = found && is; is && i == 0 {
				form = string(text(t, e["transaction"]))
			}
		}
		return found
	})
	for _, d := range []*peers.Daemon{m.theirs, m.ours} {
		require.NoError(t, d.JSON(deadline(t), "flush_txpool", object{"txids": []string{p.Hash}}, nil))
	}
	forged := strings.Replace(form, `"fee":`, `"fee":1`, 1)
	m.failure("send_raw_tx", `{"tx":`+forged+`,"relay":true}`)
	m.failure("send_raw_tx", `{"tx":`+strings.Replace(form, `"view_tag":"`, `"view_tag":"0`, 1)+`,"relay":true}`)
	m.failure("send_raw_tx", `{"tx":`+strings.Replace(form, `"clsags"`, `"clsag"`, 1)+`,"relay":true}`)
	for range 2 { // one daemon may send it to the other before that one is asked
		m.result("send_raw_tx", `{"tx":`+form+`,"relay":true}`, "relayed")
	}
}

// miningMessages starts and stops mining.
func (m *messengers) miningMessages() {
	m.Helper()
	mine := `{"miner_address":"` + at(m.T, bob, 0, 0) +
		`","threads_count":1,"do_background_mining":false,"ignore_battery":true}`
	// Only ours mines: the reference prepares two gigabytes of memory first, and ends only after that.
	only := &messengers{publishers: m.publishers, sockets: [2]*peers.Socket{m.sockets[1], m.sockets[1]}, asked: m.asked}
	done := map[string]any{"jsonrpc": "2.0", "id": json.Number("7"), "result": map[string]any{
		"rpc_version": json.Number("131072"),
	}}
	for _, a := range only.raw(messageOf("start_mining", mine)) {
		if _, failed := a["error"]; !failed {
			require.Equal(m, done, a)
			m.asked["start_mining"] = true
		}
	}
	only.failure("start_mining", mine)
	status := only.raw(messageOf("mining_status", `{}`))[1]["result"].(map[string]any)
	require.Equal(m, []any{true, json.Number("1"), at(m.T, bob, 0, 0), false},
		[]any{status["active"], status["threads_count"], status["address"], status["is_background_mining_enabled"]})
	require.Equal(m, done, only.raw(messageOf("stop_mining", `{}`))[1])
	require.Equal(m, false, only.raw(messageOf("mining_status", `{}`))[1]["result"].(map[string]any)["active"])
}

// invalidMessages sends requests that are no requests.
func (m *messengers) invalidMessages() {
	m.Helper()
	for _, r := range []string{
		"", "{", "[]", "5", "{}", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","method":"get_height"}`,
		`{"jsonrpc":"2.0","method":"get_height","params":{}}`,
		`{"jsonrpc":"2.0","method":7,"params":{},"id":1}`,
		`{"jsonrpc":"2.0","method":"get_height","params":{},"id":[]}`,
		`{"jsonrpc":"2.0","method":"get_height","params":{},"id":true}`,
		`{"jsonrpc":"2.0","method":"get_height","params":{},"id":null}`,
		`{"jsonrpc":"2.0","method":"get_height","params":{},"id":"a \u00e9\"<>"}`,
		`{"jsonrpc":"2.0","method":"get_height","params":{},"id":-5}`,
		`{"jsonrpc":5,"method":"get_height","params":null,"id":5,"id":6,"more":[]}`,
		`{"jsonrpc":"2.0","method":"get_nothing","params":{},"id":5}`,
		`{"jsonrpc":"2.0","method":"","params":{},"id":5}`,
		`{"jsonrpc":"2.0","method":"get_bans","params":{},"id":5}`,
		`{"jsonrpc":"2.0","method":"get_block_hash","params":{"height":1,"height":2},"id":5}`,
		`{"jsonrpc":"2.0","method":"get_height","params":{},"id":5} trailing`,
		` {"jsonrpc":"2.0","method":"get_height","params":{},"id":5} `,
	} {
		m.same(r)
	}
}

// TestRestrictedMessagesEqual: with --restricted-zmq-rpc, both daemons refuse the same over ZeroMQ.
func TestRestrictedMessagesEqual(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	if !referenceAtLeast(t, 0, 18, 5) {
		return // the release before has no restricted RPC over ZeroMQ
	}
	m := newMessengers(t, "--restricted-zmq-rpc")
	m.generate(3, "")
	for _, method := range []string{
		"flush_txpool", "get_peer_list", "mining_status", "relay_tx", "save_bc", "set_log_categories",
		"set_log_level", "start_mining", "stop_mining",
	} {
		m.failure(method, `{}`)
	}
	hash := `"` + strings.Repeat("5", 64) + `"`
	many := func(n int, element string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
	}
	m.result("get_transactions", `{"tx_hashes":`+many(100, hash)+`}`)
	m.failure("get_transactions", `{"tx_hashes":`+many(101, hash)+`}`)
	m.result("key_images_spent", `{"key_images":`+many(5000, hash)+`}`)
	m.failure("key_images_spent", `{"key_images":`+many(5001, hash)+`}`)
	m.result("get_block_headers_by_height", `{"heights":`+many(1000, "1")+`}`)
	m.failure("get_block_headers_by_height", `{"heights":`+many(1001, "1")+`}`)
	m.failure("get_output_keys", `{"outputs":`+many(5001, `{"amount":0,"index":0}`)+`}`)
	m.failure("get_output_histogram",
		`{"amounts":[],"min_count":0,"max_count":0,"unlocked":true,"recent_cutoff":0}`)
	m.failure("get_output_histogram",
		`{"amounts":[0],"min_count":0,"max_count":0,"unlocked":true,"recent_cutoff":0}`)
	m.failure("get_output_distribution", `{"amounts":[1],"from_height":0,"to_height":0,"cumulative":true}`)
	m.failure("get_output_distribution", `{"amounts":[0,0],"from_height":0,"to_height":0,"cumulative":true}`)
	m.result("get_info", `{}`, "adjusted_time")
	m.result("get_transaction_pool", `{}`)
}
