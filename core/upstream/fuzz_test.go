package upstream_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/upstream"
)

// FuzzAnswers: with an arbitrary request and arbitrary bytes as the upstream's response to it, the front does not
// panic, returns well-formed responses, and keeps the cache within its limit.
func FuzzAnswers(f *testing.F) {
	w := newWorld(f, func(c *upstream.Config) { c.Log = nil })
	w.first.mine(f, 30)
	w.copyChain(f)
	ops := w.Registry().Remote()
	for i, op := range ops {
		path, body := "/"+
			op.Name, []byte(
			`{"height":3,"amounts":[0],"heights":[3],"txs_hashes":["00"],"outputs":[{"amount":0,"index":1}]}`,
		)
		switch op.Wire {
		case rpc.JSONRPC:
			path, body = "/json_rpc", []byte(`{"method":"`+op.Name+`","params":`+string(body)+`}`)
		case rpc.Binary:
			b, err := epee.Marshal(&daemonrpc.GetBlocksRequest{StartHeight: 3, MaxBlockCount: 2})
			require.NoError(f, err)
			body = b
		}
		answer, err := w.first.Registry().Post(context.Background(), path, body)
		require.NoError(f, err)
		f.Add(uint8(i), body, answer)
	}
	var spoilt string
	var with []byte
	w.first.modify = func(operation string, answer []byte) []byte {
		if operation == spoilt {
			return with
		}
		return answer
	}
	f.Fuzz(func(t *testing.T, which uint8, body, answer []byte) {
		op := ops[int(which)%len(ops)]
		if op.Name == "set_bootstrap_daemon" {
			return
		}
		spoilt, with = op.Name, answer
		path := "/" + op.Name
		if op.Wire == rpc.JSONRPC {
			path = "/json_rpc"
			var req struct {
				Params json.RawMessage `json:"params"`
			}
			if json.Unmarshal(body, &req) != nil {
				return
			}
			body = []byte(`{"method":"` + op.Name + `","params":` + string(req.Params) + `}`)
			if len(req.Params) == 0 {
				body = []byte(`{"method":"` + op.Name + `"}`)
			}
		}
		for _, s := range []rpc.Transport{w.Registry(), w.Restricted()} {
			got, err := s.Post(context.Background(), path, body)
			raw := op.Name == "get_txpool_backlog" || op.Name == "get_transaction_pool_hashes.bin" ||
				op.Name == "get_output_distribution"
			if err == nil && op.Wire != rpc.Binary && !raw && !json.Valid(got) {
				t.Fatalf("%s: %q", op.Name, got)
			}
		}
		if w.Remembered() > 256<<20 {
			t.Fatal("more is remembered than may be")
		}
	})
}
