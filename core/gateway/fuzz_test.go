package gateway

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
)

// FuzzMember: in JSON, members are found as by encoding/json; other input causes no panic.
func FuzzMember(f *testing.F) {
	for _, s := range []string{
		`{"a":1}`, `{"b":[{"a":"x"}],"a":{"a":"\"}"}}`, `{"a" : -1.5e3 , "c":null}`, `{`, `{"a":}`, `[1]`,
		`{"a":1,"a":2}`,
	} {
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

// FuzzAnswer: every request has a response, and none causes a panic.
func FuzzAnswer(f *testing.F) {
	w := newWorld(f)
	w.mine(f, 120)
	f.Add("/get_compact_blocks.bin", question(f, 1))
	f.Add("/json_rpc", []byte(`{"method":"get_block","params":{"height":1}}`))
	f.Add("/get_outs", []byte(`{}`))
	f.Add("/get_transactions", []byte(`{"txs_hashes":["`+strings.Repeat("ab", 32)+`"],"prune":true}`))
	for path, q := range map[string]any{
		"/get_outs.bin": &daemonrpc.GetOutsBinRequest{Outputs: []daemonrpc.OutputRef{{Index: 1}}},
		"/get_output_distribution.bin": &daemonrpc.GetOutputDistributionRequest{
			Amounts:  []uint64{0},
			Binary:   true,
			Compress: true,
		},
		"/get_blocks.bin": &daemonrpc.GetBlocksRequest{RequestedInfo: daemonrpc.PoolOnly, PoolInfoSince: 5},
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

// FuzzBlocks: of arbitrary daemon responses, only linked blocks are passed on.
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
