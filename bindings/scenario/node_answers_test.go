package scenario

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/block"
	"glim/core/chain"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// answering offers the methods of peers.Client on a daemon of ours.
type answering struct{ t rpc.Transport }

func (a answering) JSON(ctx context.Context, method string, params, out any) error {
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": "0", "method": method, "params": params})
	if err != nil {
		return err
	}
	answer, err := a.t.Post(ctx, "/json_rpc", body)
	if err != nil {
		return err
	}
	var r struct {
		Result json.RawMessage
		Error  *peers.Error
	}
	if err := json.Unmarshal(answer, &r); err != nil {
		return err
	}
	if r.Error != nil {
		return r.Error
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(r.Result, out)
}

func (a answering) Path(ctx context.Context, path string, req, out any) error {
	if req == nil {
		req = struct{}{}
	}
	body, err := json.Marshal(req)
	if err != nil {
		return err
	}
	answer, err := a.t.Post(ctx, path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

func (a answering) Binary(ctx context.Context, path string, body []byte) ([]byte, error) {
	return a.t.Post(ctx, path, body)
}

// daemon is what both daemons offer: peers.Client and answering.
type daemon interface {
	caller
	Path(ctx context.Context, path string, req, out any) error
	Binary(ctx context.Context, path string, body []byte) ([]byte, error)
}

// momentary are members that depend on the machine, the program or the time, or that later releases add.
var momentary = []string{
	"adjusted_time", "start_time", "free_space", "database_size", "version", "release", "rpc_connections_count",
	"receive_time", "last_relayed_time", "received_timestamp", "oldest", "histo", "daemon_time", "time", "block_id",
	"last_failed_height", "last_failed_id_hash", "cumulative_weight",
}

// notCompared returns the members that are not compared: momentary ones and those that the installed release lacks.
func notCompared(t *testing.T) []string {
	t.Helper()
	if referenceAtLeast(t, 0, 18, 5) {
		return momentary
	}
	return append(slices.Clone(momentary), "hard_forks", "credits", "top_hash", "pool_info_extent", "tx_extra_too_big",
		"nonzero_unlock_time", "not_rct", "limit_up", "limit_down")
}

// referenceAtLeast reports whether the reference is the release of these numbers or a later one.
func referenceAtLeast(t *testing.T, numbers ...int) bool {
	t.Helper()
	programs, err := peers.Find()
	require.NoError(t, err)
	return programs.Release.AtLeast(numbers...)
}

func (w daemonPair) json(method string, params any, ignore ...string) {
	w.Helper()
	compare(w.T, w.reference, w.ours, method, params, append(ignore, notCompared(w.T)...)...)
}

// loose decodes JSON texts within an answer, so that their contents are compared and not their bytes.
func loose(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			v[k] = loose(m)
		}
		for name, m := range v {
			if list, ok := m.([]any); ok && len(list) == 0 {
				delete(v, name) // the reference leaves out most lists that are empty
			}
		}
	case []any:
		for i := range v {
			v[i] = loose(v[i])
		}
	case string:
		if strings.HasPrefix(v, "{") {
			var inner any
			d := json.NewDecoder(strings.NewReader(v))
			d.UseNumber()
			if d.Decode(&inner) == nil {
				return loose(inner)
			}
		}
	}
	return v
}

func (w daemonPair) path(path string, req any, ignore ...string) {
	w.Helper()
	var want, got json.RawMessage
	require.NoError(w, w.reference.Path(deadline(w.T), path, req, &want), path)
	require.NoError(w, w.ours.Path(deadline(w.T), path, req, &got), path)
	ignore = append(ignore, notCompared(w.T)...)
	difference(w.T, path+" "+string(text(w.T, req)), loose(plain(w.T, want, ignore)), loose(plain(w.T, got, ignore)))
}

// binary compares answers in epee as decoded by a client.
func binary[Resp any](w daemonPair, path string, req any, same func(*Resp)) {
	w.Helper()
	body, err := epee.Marshal(req)
	require.NoError(w, err)
	var answers [2]Resp
	for i, d := range []daemon{w.reference, w.ours} {
		b, err := d.Binary(deadline(w.T), path, body)
		require.NoError(w, err)
		require.NoError(w, epee.Unmarshal(b, &answers[i]))
		same(&answers[i])
	}
	require.Equal(w, answers[0], answers[1], path)
}

// TestNodeAnswersAsTheReference sends the same requests about the same chain to monerod and to our node.
func TestNodeAnswersAsTheReference(t *testing.T) {
	t.Parallel()
	w := newDaemonPair(t)
	var top, forked *chain.Block
	var waiting []*chain.PoolTx
	var mined *chain.Block
	w.node.Chain().View(func(v chain.View) {
		top, waiting = v.Top(), v.Pool()
		forked, _ = v.BlockByID(v.OffMain()[0])
		for h := range v.Height() {
			if b := v.Block(h); len(b.Txs) > 1 {
				mined = b
			}
		}
	})
	compareHeaders(w, top, mined)
	compareOutputs(w, top)
	compareTemplates(w)
	compareSubmitted(w, top, mined, forked)
	compareTransactions(w, top, mined, waiting)
	comparePools(w)
	compareBinary(w, top, mined)
	compareControl(w)
	compareAux(w)

	var branches [2]daemonrpc.GetAltBlocksHashesResponse
	for i, d := range []daemon{w.reference, w.ours} {
		require.NoError(t, d.Path(deadline(t), "/get_alt_blocks_hashes", nil, &branches[i]))
	}
	require.NotEmpty(t, branches[0].BlksHashes)
	require.ElementsMatch(t, branches[0].BlksHashes, branches[1].BlksHashes)
	w.path("/pop_blocks", object{"nblocks": 2})
	sameChain(t, w.reference, w.node.Chain(), 0)
	w.path("/pop_blocks", object{"nblocks": 1000})
	w.json("get_info", nil)
}

// unknownHash is of no block and no transaction.
var unknownHash = strings.Repeat("ab", 32)

// compareHeaders compares blocks, headers and the state of the chain.
func compareHeaders(w daemonPair, top, mined *chain.Block) {
	w.Helper()
	height := top.Height + 1
	first := xmr.Regtest.GenesisHash().String()
	w.json("get_block_count", nil)
	for _, h := range []uint64{0, 50, height - 1} {
		w.json("on_get_block_hash", []uint64{h})
		w.json("get_block_header_by_height", object{"height": h})
		w.json("get_coinbase_tx_sum", object{"height": h, "count": 3})
		compareBlocks(w, object{"height": h})
	}
	compareBlocks(w, object{"hash": mined.ID.String()})
	w.json("on_get_block_hash", []uint64{})
	w.json("get_last_block_header", nil)
	w.json("get_block_header_by_height", object{"height": height})
	w.json("get_block_header_by_hash", object{"hash": first})
	w.json("get_block_header_by_hash", object{"hash": unknownHash})
	w.json("get_block_header_by_hash", object{"hash": "xyz"})
	w.json("get_block_header_by_hash", object{"hash": first, "hashes": []string{top.ID.String(), mined.ID.String()}})
	w.json("get_block_headers_range", object{"start_height": 0, "end_height": height - 1})
	w.json("get_block_headers_range", object{"start_height": 5, "end_height": 4})
	w.json("get_block_headers_range", object{"start_height": 5, "end_height": height})
	w.json("get_block", object{"height": height})
	w.json("get_block", object{"hash": "xyz"})
	w.json("get_coinbase_tx_sum", object{"height": height, "count": 1})
	w.json("get_coinbase_tx_sum", object{"height": 0, "count": height + 1})
	w.json("get_alternate_chains", nil)
	w.json("get_info", nil)
	if referenceAtLeast(w.T, 0, 18, 5) { // earlier ones lack members
		w.json("get_version", nil)
		want := call[daemonrpc.GetVersionResponse](w.T, w.reference, "get_version", nil)
		require.Equal(w, want.Version, call[daemonrpc.GetVersionResponse](w.T, w.ours, "get_version", nil).Version)
	}
	for _, v := range []int{0, 1, 15, 16, 17} {
		w.json("hard_fork_info", object{"version": v})
	}
	for _, n := range []int{0, 1, 10, 99} {
		w.json("get_fee_estimate", object{"grace_blocks": n})
	}
	w.json("get_miner_data", nil, "tx_backlog")
}

// compareOutputs compares statistics of outputs.
func compareOutputs(w daemonPair, top *chain.Block) {
	w.Helper()
	height := top.Height + 1
	for _, req := range []object{
		{},
		{"amounts": []uint64{0}},
		{"amounts": []uint64{0, 17592186044415, 5}},
		{"amounts": []uint64{0}, "unlocked": true},
		{"amounts": []uint64{0}, "recent_cutoff": top.Block.Timestamp},
		{"min_count": 3},
		{"max_count": 3},
		{"amounts": []uint64{7}, "min_count": 1},
	} {
		w.json("get_output_histogram", req)
	}
	for _, req := range []object{
		{"amounts": []uint64{0}},
		{"amounts": []uint64{0}, "cumulative": true},
		{"amounts": []uint64{0}, "from_height": 60},
		{"amounts": []uint64{0}, "from_height": 60, "to_height": 80, "cumulative": true},
		{"amounts": []uint64{0}, "from_height": 60, "to_height": 80},
		{"amounts": []uint64{17592186044415}},
		{"amounts": []uint64{17592186044415}, "cumulative": true},
		{"amounts": []uint64{1}, "from_height": 3, "to_height": 9},
		{"amounts": []uint64{0}, "from_height": height},
		{"amounts": []uint64{0}, "from_height": 9, "to_height": 3},
		{},
	} {
		req["binary"] = false
		w.json("get_output_distribution", req)
	}
}

// compareTemplates compares block templates.
func compareTemplates(w daemonPair) {
	w.Helper()
	miner := at(w.T, alice, 0, 0)
	for _, req := range []object{
		{"wallet_address": "x"},
		{},
		{"wallet_address": at(w.T, alice, 0, 1)},
		{"wallet_address": miner, "reserve_size": 256},
		{"wallet_address": miner, "reserve_size": 1, "extra_nonce": "00"},
		{"wallet_address": miner, "extra_nonce": "0z"},
		{"wallet_address": miner, "prev_block": "xyz"},
		{"wallet_address": miner, "prev_block": unknownHash},
		{"wallet_address": miner, "extra_nonce": strings.Repeat("00", 256)},
	} {
		w.json("get_block_template", req)
	}
	for _, size := range []int{0, 1, 60} {
		w.json("get_block_template", object{"wallet_address": miner, "reserve_size": size},
			"blocktemplate_blob", "blockhashing_blob")
	}
}

// compareSubmitted compares the answers to blocks that are invalid or known, and to other invalid requests.
func compareSubmitted(w daemonPair, top, mined, forked *chain.Block) {
	w.Helper()
	unknown := unknownHash
	w.json("submit_block", []string{})
	w.json("submit_block", []string{"zz"})
	w.json("submit_block", []string{"0102"})
	w.json("submit_block", []string{hex.EncodeToString(top.Blob)})
	w.json("submit_block", []string{hex.EncodeToString(mined.Blob)})
	w.json("submit_block", []string{hex.EncodeToString(forked.Blob)})
	w.json("generateblocks", object{"amount_of_blocks": 1, "wallet_address": "x"})
	w.json("relay_tx", object{"txids": []string{unknown}})
	w.json("relay_tx", object{"txids": []string{"xyz", unknown}})
	w.json("flush_txpool", object{"txids": []string{unknown}})
	w.json("flush_txpool", object{"txids": []string{"xyz"}})
	w.path("/get_height", nil)
}

// compareTransactions compares transactions, key images and outputs.
func compareTransactions(w daemonPair, top, mined *chain.Block, waiting []*chain.PoolTx) {
	w.Helper()
	unknown := unknownHash
	firstCoinbase := call[daemonrpc.GetBlockResponse](w.T, w.ours, "get_block", object{"height": 0}).MinerTxHash
	ids := []string{
		mined.Txs[0].ID.String(), unknown, waiting[0].ID.String(), top.CoinbaseID.String(), mined.Txs[1].ID.String(),
	}
	for _, more := range []object{
		{},
		{"prune": true},
		{"split": true},
		{"decode_as_json": true},
		{"decode_as_json": true, "prune": true},
	} {
		more["txs_hashes"] = ids
		w.path("/get_transactions", more, "block_height", "block_timestamp", "confirmations", "relayed")
	}
	w.path("/get_transactions", object{"txs_hashes": []string{firstCoinbase}, "decode_as_json": true}, "confirmations")
	w.path("/get_transactions", object{"txs_hashes": []string{"xyz"}})
	w.path("/get_transactions", object{"txs_hashes": []string{"abcd"}})
	images := []string{
		unknown, waiting[0].Tx.Tx.Inputs[0].KeyImage.String(), mined.Txs[0].Tx.Inputs[0].KeyImage.String(),
	}
	w.path("/is_key_image_spent", object{"key_images": images})
	w.path("/is_key_image_spent", object{"key_images": []string{"xyz"}})
	if referenceAtLeast(w.T, 0, 18, 4, 1) {
		w.path("/is_key_image_spent", object{"key_images": []string{"abcd"}})
		// An invalid image ends the operation, wherever it is in the list.
		for _, invalid := range []string{"xyz", "abcd", ""} {
			w.path("/is_key_image_spent", object{"key_images": append(images[1:2:2], invalid, images[2])})
			w.path("/is_key_image_spent", object{"key_images": append(images[:2:2], images[2], invalid)})
		}
	}
	w.path("/get_transaction_pool_stats", nil)
	w.path("/get_outs", object{
		"outputs": []object{{"amount": 0, "index": 5}, {"amount": 0, "index": 70}}, "get_txid": true,
	})
	w.path("/get_outs", object{"outputs": []object{{"amount": 0, "index": 5}}})
	w.path("/get_outs", object{"outputs": []object{{"amount": 17592186044415, "index": 0}}, "get_txid": true})
	w.path("/get_outs", object{"outputs": []object{{"amount": 0, "index": 1 << 40}}})
	w.path("/send_raw_transaction", object{"tx_as_hex": "xyz"})
	w.path("/send_raw_transaction", object{"tx_as_hex": "0302"})
	w.path("/send_raw_transaction", object{"tx_as_hex": hex.EncodeToString(mined.Txs[0].Blob)})
	w.path("/send_raw_transaction", object{"tx_as_hex": hex.EncodeToString(waiting[0].Blob)})
}

// compareBlocks compares a block with its description in JSON.
func compareBlocks(w daemonPair, req object) {
	w.Helper()
	want := call[daemonrpc.GetBlockResponse](w.T, w.reference, "get_block", req)
	got := call[daemonrpc.GetBlockResponse](w.T, w.ours, "get_block", req)
	difference(w.T, "json of get_block", loose(plain(w.T, []byte(want.JSON), nil)),
		loose(plain(w.T, []byte(got.JSON), nil)))
	want.JSON, got.JSON = "", ""
	want.Metered, got.Metered = daemonrpc.Metered{}, daemonrpc.Metered{}
	require.Equal(w, want, got)
}

// comparePools compares the transactions in both pools, in any order.
func comparePools(w daemonPair) {
	w.Helper()
	var pools [2]map[string]any
	for i, d := range []daemon{w.reference, w.ours} {
		var pool daemonrpc.GetTransactionPoolResponse
		require.NoError(w, d.Path(deadline(w.T), "/get_transaction_pool", nil, &pool))
		pools[i] = map[string]any{}
		for _, p := range pool.Transactions {
			pools[i][p.IDHash.String()] = loose(plain(w.T, text(w.T, p), notCompared(w.T)))
		}
		for _, k := range pool.SpentKeyImages {
			pools[i][k.IDHash.String()] = k.TxsHashes
		}
		var hashes daemonrpc.GetTransactionPoolHashesResponse
		require.NoError(w, d.Path(deadline(w.T), "/get_transaction_pool_hashes", nil, &hashes))
		require.Len(w, hashes.TxHashes, len(pool.Transactions))
	}
	require.Equal(w, pools[0], pools[1])
}

// compareBinary compares the operations in epee.
func compareBinary(w daemonPair, top, mined *chain.Block) {
	w.Helper()
	history := []xmr.Hash{mined.ID, xmr.Regtest.GenesisHash()}
	blocks := func(r *daemonrpc.GetBlocksResponse) {
		r.Metered.Credits, r.TopHash, r.DaemonTime, r.PoolInfoExtent, r.Untrusted = 0, "", 0, 0, false
		if r.TopBlockHash != (xmr.Hash{}) { // releases 0.18 do not send it
			require.Equal(w, top.ID, r.TopBlockHash)
			r.TopBlockHash = xmr.Hash{}
		}
		dropHashes(w.T, r)
	}
	for _, req := range []daemonrpc.GetBlocksRequest{
		{BlockIDs: history}, {BlockIDs: history, Prune: true}, {BlockIDs: history[1:], Prune: true, NoMinerTx: true},
		{StartHeight: mined.Height - 3, BlockIDs: history},
		{BlockIDs: []xmr.Hash{top.ID, history[1]}},
		{BlockIDs: history[:1]},
		{StartHeight: top.Height + 5, BlockIDs: history}, {BlockIDs: []xmr.Hash{{1}, history[0], history[1]}},
	} {
		binary(w, "/get_blocks.bin", &req, blocks)
	}
	binary(w, "/get_hashes.bin", &daemonrpc.GetHashesRequest{BlockIDs: history}, func(r *daemonrpc.GetHashesResponse) {
		r.Untrusted = false
	})
	binary(w, "/get_hashes.bin", &daemonrpc.GetHashesRequest{BlockIDs: history[:1]},
		func(r *daemonrpc.GetHashesResponse) {
			r.Untrusted = false
		})
	for _, heights := range [][]uint64{{0, mined.Height}, {top.Height + 1}} {
		binary(w, "/get_blocks_by_height.bin", &daemonrpc.GetBlocksByHeightRequest{Heights: heights},
			func(r *daemonrpc.GetBlocksByHeightResponse) {
				if r.Status != "OK" {
					*r = daemonrpc.GetBlocksByHeightResponse{}
				}
			})
	}
	for _, id := range []xmr.Hash{mined.Txs[0].ID, top.CoinbaseID, {5}} {
		binary(w, "/get_o_indexes.bin", &daemonrpc.GetOutputIndicesRequest{TxID: id},
			func(*daemonrpc.GetOutputIndicesResponse) {})
	}
	for _, index := range []uint64{3, 1 << 40} {
		binary(w, "/get_outs.bin", &daemonrpc.GetOutsBinRequest{Outputs: []daemonrpc.OutputRef{{Index: index}}},
			func(*daemonrpc.GetOutsBinResponse) {})
	}
	for _, req := range []daemonrpc.GetOutputDistributionRequest{
		{Amounts: []uint64{0}, Binary: true},
		{Amounts: []uint64{0}, Binary: true, Cumulative: true, Compress: true, FromHeight: 10},
		{Amounts: []uint64{0}},
	} {
		binary(w, "/get_output_distribution.bin", &req, func(*daemonrpc.GetOutputDistributionBinResponse) {})
	}
}

// dropHashes removes the prunable hashes, which releases after 0.18 send, and checks that they prove the transactions.
func dropHashes(t *testing.T, r *daemonrpc.GetBlocksResponse) {
	t.Helper()
	for i := range r.Blocks {
		b, err := block.Parse(r.Blocks[i].Block)
		require.NoError(t, err)
		for k := range r.Blocks[i].Txs {
			x := &r.Blocks[i].Txs[k]
			if x.PrunableHash.IsZero() {
				continue
			}
			_, id, err := tx.ParsePrunedWithHash(x.Blob, x.PrunableHash)
			require.NoError(t, err)
			require.Equal(t, b.TxHashes[k], id)
			x.PrunableHash = xmr.Hash{}
		}
	}
}

// compareControl compares settings, bans and other answers of a daemon without peers.
func compareControl(w daemonPair) {
	w.Helper()
	for _, method := range []string{"get_connections", "sync_info", "get_bans"} {
		w.json(method, nil)
	}
	for _, check := range []bool{true, false, true} {
		w.json("prune_blockchain", object{"check": check}, "pruning_seed")
	}
	w.json("flush_cache", object{"bad_blocks": true})
	w.json("flush_cache", object{"bad_txs": true}) // which releases before 0.18.5.1 have
	for _, bans := range [][]object{
		{{"host": "1.2.3.4", "ban": true, "seconds": 1 << 30}, {"host": "5.6.7.0/24", "ban": true, "seconds": 1 << 30}},
		{{"ip": 0x04030209, "ban": true, "seconds": 1 << 30}, {"host": "9.2.3.4", "ban": false}},
		{{"host": "no host", "ban": true, "seconds": 5}}, {{"host": "8.8.8.8", "ban": false}},
	} {
		w.json("set_bans", object{"bans": bans})
		w.json("get_bans", nil, "seconds")
	}
	if peers.Require(w).Release.AtLeast(0, 18, 4) { // earlier releases ban 0.0.0.0
		w.json("set_bans", object{"bans": []object{{"ban": true, "seconds": 5}}})
	}
	for _, address := range []string{"1.2.3.4", "5.6.7.8", "5.6.8.7", "9.2.3.4", "no host"} {
		w.json("banned", object{"address": address}, "seconds")
	}
	w.path("/get_limit", nil)
	w.path("/set_limit", object{"limit_down": 100, "limit_up": 0})
	w.path("/set_limit", object{"limit_down": -1, "limit_up": 50})
	w.path("/set_limit", object{"limit_down": -2, "limit_up": 50}, "limit_down", "limit_up")
	w.path("/get_limit", nil)
	w.path("/out_peers", object{"out_peers": 5})
	w.path("/out_peers", object{"set": false})
	w.path("/in_peers", object{"in_peers": 7})
	w.path("/get_peer_list", nil)
	w.path("/get_public_nodes", nil)
	w.path("/set_log_level", object{"level": 7})
	w.path("/set_log_hash_rate", object{"visible": true})
	w.path("/start_mining", object{"miner_address": "x"})
	w.path("/start_mining", object{"miner_address": at(w.T, alice, 0, 1), "threads_count": 1})
	w.path("/start_mining", object{"miner_address": at(w.T, alice, 0, 0), "threads_count": 1 << 30})
	w.path("/stop_mining", nil)
	w.path("/mining_status", nil)
	w.path("/save_bc", nil)
	w.path("/update", object{"command": "check"})
}

// compareAux adds merge mining of other chains to a template in both daemons.
func compareAux(w daemonPair) {
	w.Helper()
	blob := hex.EncodeToString(template(w.T, w.node.Chain()).Append(nil))
	var chains []object
	for i := range 7 {
		chains = append(chains, object{
			"id": strings.Repeat(fmt.Sprintf("%02x", 17*i+3), 32), "hash": strings.Repeat(fmt.Sprintf("%02x", i+1), 32),
		})
		// Releases 0.18 return the depth of the tree but do not write it into the block, and leave the chains in the
		// order of the request. The depth of one chain is 0.
		var ignore []string
		if i > 0 {
			ignore = []string{"blocktemplate_blob", "blockhashing_blob", "merkle_root", "aux_pow"}
		}
		w.json("add_aux_pow", object{"blocktemplate_blob": blob, "aux_pow": chains}, ignore...)
		r := call[daemonrpc.AddAuxPowResponse](w.T, w.ours, "add_aux_pow",
			object{"blocktemplate_blob": blob, "aux_pow": chains})
		b, err := block.Parse(unhex(w.T, r.BlockTemplateBlob))
		require.NoError(w, err)
		extra, _ := tx.ParseExtra(b.MinerTx.Extra)
		require.EqualValues(w, r.MerkleTreeDepth, extra.MergeMining.Depth)
		require.Equal(w, r.MerkleRoot, extra.MergeMining.MerkleRoot.String())
		require.Len(w, r.AuxPow, len(chains))
	}
	w.json("add_aux_pow", object{"blocktemplate_blob": blob})
	w.json("add_aux_pow", object{"blocktemplate_blob": "00", "aux_pow": chains})
	w.json("add_aux_pow", object{"blocktemplate_blob": "zz", "aux_pow": chains})
	w.json("add_aux_pow", object{"blocktemplate_blob": blob, "aux_pow": []object{{"id": "zz", "hash": "zz"}}})
}
