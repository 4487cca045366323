package gateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// same sends a request to the gateway and to a daemon, and requires equal decoded responses.
func same[Req, Resp any](t *testing.T, w *world, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	want, err := rpc.Call(t.Context(), w.peers[2], m, req)
	require.NoError(t, err)
	got, err := rpc.Call(t.Context(), w.Gateway, m, req)
	require.NoError(t, err)
	require.Equal(t, want, got)
	return got
}

func refs(indices ...uint64) (list []daemonrpc.OutputRef) {
	for _, i := range indices {
		list = append(list, daemonrpc.OutputRef{Index: i})
	}
	return list
}

// TestOutputs: outputs equal those of the daemon, and are requested in ranges, once for all clients. After a
// reorganisation, outputs of the new chain are returned.
func TestOutputs(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 250)
	ask := func(withID bool, indices ...uint64) {
		t.Helper()
		same(t, w, daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{Outputs: refs(indices...), GetTxID: withID})
	}
	ask(true, 47, 3, 120, 47)
	require.Equal(t, 1, w.peers[0].questions("get_outs.bin"))
	require.Equal(t, 1, w.peers[1].questions("get_outs.bin"), "it has to say the same")
	ask(false, 41, 19, 139, 0)
	w.wait(7200)
	ask(true, 59, 121)
	require.Zero(t, w.peers[0].questions("get_outs.bin"), "others of the same ranges")
	ask(true, 205, 47)
	ask(true, 206)
	require.Equal(t, 1, w.peers[0].questions("get_outs.bin"), "near the end, while that is the end")
	w.mine(t, 1)
	w.later()
	ask(true, 206, 47)
	require.Equal(t, 1, w.peers[0].questions("get_outs.bin"))
	ask(true, 249)
	ask(true, 249, 3)
	require.Positive(t, w.peers[0].questions("get_outs.bin"), "a range that is not full is nobody's")
	_, err := rpc.Call(t.Context(), w.Gateway, daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{Outputs: refs(5000)})
	_, direct := rpc.Call(
		t.Context(), w.peers[2], daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{Outputs: refs(5000)},
	)
	require.Equal(t, direct == nil, err == nil)

	_, err = w.peers[0].Reorganise(t.Context(), 220, node.UnspendableAddress())
	require.NoError(t, err)
	w.spread(t)
	w.later()
	ask(true, 47, 3, 120, 206)

	// A daemon that forges outputs is contradicted by the two others and reported, and its response is not cached.
	w.takeReports()
	w.peers[0].set(func(p *peer) {
		p.modify = func(path string, answer []byte) []byte {
			var r daemonrpc.GetOutsBinResponse
			if path != "get_outs.bin" || epee.Unmarshal(answer, &r) != nil {
				return answer
			}
			for i := range r.Outs {
				r.Outs[i].Key[0] ^= 1
			}
			b, err := epee.Marshal(&r)
			require.NoError(t, err)
			return b
		}
	})
	ask(true, 61, 141)
	reports := w.takeReports()
	require.Len(t, reports, 1)
	require.Contains(t, reports[0], "peer 0: gateway: two other daemons contradict")

	// Unreachable daemons cause no repeated requests, and the response of the only other daemon is not cached for long.
	for _, p := range w.peers[:2] {
		p.set(func(p *peer) { p.away = true })
		p.questions("get_outs.bin")
	}
	w.later()
	for range 3 {
		ask(true, 81)
	}
	for _, p := range w.peers[:2] {
		require.LessOrEqual(t, p.questions("get_outs.bin"), 1)
	}
	ask(true, 82)
	require.Zero(t, w.peers[0].questions("get_outs.bin")+w.peers[1].questions("get_outs.bin"))
}

// TestDistribution: the output distribution equals that of the daemon. The part of buried blocks is requested once,
// from two daemons.
func TestDistribution(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 250)
	large := 0
	ask := func() {
		t.Helper()
		for _, q := range []daemonrpc.GetOutputDistributionRequest{
			{
				Cumulative: true,
			}, {
				Cumulative: true, ToHeight: 240,
			}, {}, {FromHeight: 150}, {FromHeight: 150, Cumulative: true, ToHeight: 249},
			{ToHeight: 100, Cumulative: true}, {FromHeight: 230},
		} {
			q.Amounts, q.Binary, q.Compress = []uint64{0}, true, true
			same(t, w, daemonrpc.GetOutputDistributionBin, q)
		}
	}
	ask()
	for _, p := range w.peers[:2] {
		p.set(func(p *peer) {
			p.modify = func(path string, answer []byte) []byte {
				var r daemonrpc.GetOutputDistributionBinResponse
				if path == "get_output_distribution.bin" && epee.Unmarshal(answer, &r) == nil &&
					len(r.Distributions[0].CompressedData) > 120 {
					large++
				}
				return answer
			}
		})
	}
	w.mine(t, 3)
	w.later()
	ask()
	require.Zero(t, large, "only what is new was asked for")
	_, err := w.peers[0].Reorganise(t.Context(), 120, node.UnspendableAddress())
	require.NoError(t, err)
	w.spread(t)
	w.later()
	ask()
	require.Positive(t, large)
}

// TestTransactions: every transaction equals that of the daemon. Simultaneous requests for new transactions are sent
// once; buried transactions are cached, and their confirmations are updated.
func TestTransactions(t *testing.T) {
	w := newWorld(t)
	k, err := keysOf(9)
	require.NoError(t, err)
	_, err = w.peers[0].Mine(t.Context(), 90, addressOf(k))
	require.NoError(t, err)
	w.spread(t)
	payer := restored(t, w, k, w.peers[0].Registry(), 0)
	snapshot(t, payer)
	pay := func() string {
		t.Helper()
		r, err := rpc.Call(t.Context(), payer, walletrpc.Transfer, walletrpc.TransferRequest{
			Destinations: []walletrpc.Destination{{
				Amount: xmr.Coin, Address: node.UnspendableAddress(),
			}}, GetTxHex: true})
		require.NoError(t, err)
		for _, p := range w.peers[1:] {
			_, err := rpc.Call(
				t.Context(), p.Registry(), daemonrpc.SendRawTransaction,
				daemonrpc.SendRawTransactionRequest{TxAsHex: r.TxBlob},
			)
			require.NoError(t, err)
		}
		return r.TxHash
	}
	ask := func(ids ...string) daemonrpc.GetTransactionsResponse {
		t.Helper()
		var last daemonrpc.GetTransactionsResponse
		for _, q := range []daemonrpc.GetTransactionsRequest{{}, {Prune: true}, {Split: true, DecodeAsJSON: true}} {
			q.TxsHashes = ids
			want, err := rpc.Call(t.Context(), w.peers[2], daemonrpc.GetTransactions, q)
			require.NoError(t, err)
			last, err = rpc.Call(t.Context(), w.Gateway, daemonrpc.GetTransactions, q)
			require.NoError(t, err)
			require.Equal(t, want, last)
		}
		return last
	}
	id, none := pay(), strings.Repeat("ab", 32)
	ask(id, none)
	ask(none, id, id)
	require.LessOrEqual(t, w.peers[0].questions("get_transactions"), 6, "what is there was asked for once in each form")
	w.mine(t, 1)
	w.wait(transactionSeconds)
	require.EqualValues(t, 1, *ask(id).Txs[0].Confirmations)
	w.mine(t, 30)
	w.later()
	ask(id)
	w.peers[0].questions("get_transactions")
	w.mine(t, 4)
	w.later()
	require.EqualValues(t, 35, *ask(id, none).Txs[0].Confirmations)
	require.EqualValues(t, 3, w.peers[0].questions("get_transactions"), "the one that is nowhere, in each form")
	for _, odd := range []string{
		`{}`, `{"txs_hashes":[]}`, `{"txs_hashes":["x"]}`, `{"txs_hashes":["` + id + `"],"prune":1}`, `[`,
		`{"txs_hashes":"` + id + `"}`,
	} {
		want, failed := w.peers[0].Post(t.Context(), "/get_transactions", []byte(odd))
		a := w.post("/get_transactions", odd)
		if failed == nil {
			require.Equal(t, string(want), string(a.Body), odd)
		}
	}
}

// TestPoolOnce: pool requests of wallets with about the same last request are sent once.
func TestPoolOnce(t *testing.T) {
	w := newWorld(t)
	w.mine(t, 3)
	for i := range uint64(100) {
		raw, err := daemon.New(w.Gateway).RawBlocks(
			t.Context(), daemon.BlocksRequest{Pool: daemon.OnlyPool, PoolSince: 1_600_000_000 + i%poolSeconds},
		)
		require.NoError(t, err)
		change, err := raw.DecodePool()
		require.NoError(t, err)
		require.True(t, change.Known)
	}
	require.Equal(t, 1, w.peers[0].questions("get_blocks.bin"))
}

// FuzzTransactions: of arbitrary daemon responses about transactions, the gateway returns JSON or nothing.
func FuzzTransactions(f *testing.F) {
	id := strings.Repeat("cd", 32)
	f.Add(
		[]byte(`{"status":"OK","txs":[{"tx_hash":"`+id+
			`","as_hex":"00","confirmations":5,"block_height":3,"output_indices":[1, 2]}]}`),
		[]byte(`{"txs_hashes":["`+id+`"],"prune":true}`),
	)
	f.Add([]byte(`{"status":"OK","txs":[{}]`), []byte(`{"txs_hashes":["",{}]}`))
	f.Fuzz(func(t *testing.T, answer, question []byte) {
		ids, flags := transactionsAsked(question)
		if len(ids) > 0 && !json.Valid(transactionsQuestion(ids, flags)) {
			t.Fatal("no question")
		}
		found, err := transactionsOf(answer)
		if err != nil || !json.Valid(answer) {
			return
		}
		if out := writeTransactions(append(ids, id), found, 100); !json.Valid(out) {
			t.Fatalf("%s", out)
		}
		if _, err := transactionsSense(answer, ids); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzDistribution: a response that decodes has one distribution.
func FuzzDistribution(f *testing.F) {
	b, err := epee.Marshal(&daemonrpc.GetOutputDistributionBinResponse{
		Distributions: []daemonrpc.DistributionBin{{Compress: true, CompressedData: []byte{1, 2}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, _ := distributionOf(b); len(r.Distributions) != 1 {
			t.Fatal(fmt.Sprint(len(r.Distributions)))
		}
	})
}
