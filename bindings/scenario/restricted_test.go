package scenario

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/xmr"
)

// restricted is the restricted interface of a daemon of ours.
type restricted struct{ *rpc.Registry }

func (s restricted) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return s.Serve(ctx, path, body, rpc.Options{Restricted: true})
}

// TestRestrictedAnswersEqual uses the restricted interface of both daemons: they hide, omit, truncate and refuse the
// same, and both hide transactions that must not be relayed.
func TestRestrictedAnswersEqual(t *testing.T) {
	t.Parallel()
	d, n := newMinedMonerod(t, "--restricted-rpc", "--disable-rpc-ban"), newNode(t)
	feed(t, d, n.Chain(), 1)
	w := daemonPair{t, d, answering{restricted{n.Restricted()}}, n}
	payer := newGlimOn(t, n.Registry())
	restore(t, payer, "alice", alice)
	refresh(t, payer)
	sent := call[struct {
		Hash string `json:"tx_hash"`
		Blob string `json:"tx_blob"`
	}](t, payer, "transfer", object{
		"destinations": []destination{{at(t, bob, 0, 0), coin}}, "get_tx_hex": true, "do_not_relay": true,
	})
	send := object{"tx_as_hex": sent.Blob, "do_not_relay": true}
	w.path("/send_raw_transaction", send)
	w.path("/send_raw_transaction", send)
	ask := func() {
		t.Helper()
		w.path("/get_transaction_pool_hashes", nil)
		w.path("/get_transaction_pool_stats", nil)
		w.path("/get_transactions", object{"txs_hashes": []string{sent.Hash}})
		w.json("get_miner_data", nil)
		w.json("get_info", nil)
	}
	ask()

	// Start time, machine and version are hidden.
	hidden := slices.DeleteFunc(slices.Clone(notCompared(t)), func(name string) bool {
		return slices.Contains([]string{"start_time", "free_space", "version", "rpc_connections_count"}, name)
	})
	compare(t, w.reference, w.ours, "get_info", nil, hidden...)
	restrictedOperations(w)
}

// repeatedHash returns a list of the same unknown hash.
func repeatedHash(n int) []string { return slices.Repeat([]string{unknownHash}, n) }

// restrictedMethods are requests of JSON-RPC methods at their limits and beyond.
var restrictedMethods = map[string][]object{
	"get_block":                  {{"height": 5, "fill_pow_hash": true}, {"hash": unknownHash}},
	"get_last_block_header":      {{"fill_pow_hash": true}},
	"get_block_header_by_hash":   {{"hashes": repeatedHash(1001)}},
	"get_block_header_by_height": {{"height": 5, "fill_pow_hash": true}, {"height": 5000}},
	"get_block_headers_range":    {{"start_height": 2, "end_height": 100}, {"start_height": 2, "end_height": 1003}},
	"hard_fork_info":             {{}, {"version": 17}},
	"get_fee_estimate":           {{}, {"grace_blocks": 10}},
	"get_output_histogram": {{}, {"amounts": []uint64{0}}, {"amounts": []uint64{0}, "recent_cutoff": 5},
		{"amounts": []uint64{5}, "unlocked": true},
		{"amounts": []uint64{0}, "recent_cutoff": uint64(1<<64 - 1)}},
	"get_output_distribution": {
		{"binary": false},
		{"amounts": []uint64{0}, "binary": false},
		{"amounts": []uint64{5}, "binary": false},
	},
	"rpc_access_info": {{"client": ""}},
}

// restrictedPaths are requests of paths at their limits and beyond.
var restrictedPaths = map[string][]object{
	"/get_transactions":   {{}, {"txs_hashes": repeatedHash(100)}, {"txs_hashes": repeatedHash(101)}},
	"/is_key_image_spent": {{}, {"key_images": repeatedHash(5000)}, {"key_images": repeatedHash(5001)}},
	"/get_outs": {
		{},
		{"outputs": slices.Repeat([]object{{"index": 1}}, 5000)},
		{"outputs": slices.Repeat([]object{{"index": 1}}, 5001)},
	},
	"/get_limit":        {{}},
	"/get_public_nodes": {{}, {"gray": true}},
}

// restrictedOperations sends each operation empty requests and requests beyond its limit. Operations that the
// restricted interface does not offer are unknown.
func restrictedOperations(w daemonPair) {
	w.Helper()
	for _, op := range daemonrpc.Operations() {
		if op.Wire == rpc.JSONRPC && op.Restricted {
			w.json(op.Name, nil)
		}
	}
	for method, list := range restrictedMethods {
		for _, params := range list {
			w.json(method, params, "json") // which compareBlocks compares
		}
	}
	for path, list := range restrictedPaths {
		for _, req := range list {
			w.path(path, req)
		}
	}
	binary(w, "/get_blocks_by_height.bin", &daemonrpc.GetBlocksByHeightRequest{Heights: make([]uint64, 1001)},
		func(*daemonrpc.GetBlocksByHeightResponse) {})
	binary(w, "/get_outs.bin", &daemonrpc.GetOutsBinRequest{Outputs: make([]daemonrpc.OutputRef, 5001)},
		func(*daemonrpc.GetOutsBinResponse) {})
	binary(w, "/get_hashes.bin", &daemonrpc.GetHashesRequest{BlockIDs: []xmr.Hash{{1}}, StartHeight: 7},
		func(*daemonrpc.GetHashesResponse) {})
	for _, op := range daemonrpc.Operations() {
		if op.Wire != rpc.JSONRPC && op.Restricted {
			_, err := w.ours.Binary(deadline(w.T), "/"+op.Name, nil)
			require.ErrorIs(w, err, rpc.ErrNoPath, op.Name)
			if op.Name == "get_alt_blocks_hashes" && !referenceAtLeast(w.T, 0, 18, 5) ||
				op.Name == "get_transaction_pool" { // until 0.18.5.1, but not later
				continue // offered to everybody
			}
			_, err = w.reference.Binary(deadline(w.T), "/"+op.Name, nil)
			require.ErrorContains(w, err, "404", op.Name)
		}
	}
}
