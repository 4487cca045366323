package rpc_test

import (
	"context"
	"strings"
	"testing"

	"glim/core/rpc"
)

// BenchmarkAnswer decodes an answer with 100 transactions in the form of get_transactions, and 10,000 numbers.
func BenchmarkAnswer(b *testing.B) {
	type entry struct {
		Hash    string   `json:"tx_hash"`
		Hex     string   `json:"as_hex"`
		InPool  bool     `json:"in_pool"`
		Height  *uint64  `json:"block_height"`
		Indices []uint64 `json:"output_indices"`
	}
	type entries struct {
		Status  string   `json:"status"`
		Txs     []entry  `json:"txs"`
		Numbers []uint64 `json:"numbers"`
	}
	one := `{"tx_hash":"` + strings.Repeat("ab", 32) + `","as_hex":"` + strings.Repeat("cd", 1500) +
		`","in_pool":false,"unknown":{"a":[1,2]},` +
		`"block_height":3000000,"output_indices":[100000001,100000002]}`
	text := answer(`{"id":"0","jsonrpc":"2.0","result":{"status":"OK","txs":[` + strings.Repeat(one+",", 99) + one +
		`],"numbers":[` +
		strings.Repeat("1234567,", 9999) + `7]}}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := rpc.Call(context.Background(), text, rpc.Method[struct{}, entries]{Name: "x"}, struct{}{})
		if err != nil || len(r.Txs) != 100 || len(r.Numbers) != 10000 {
			b.Fatal(err)
		}
	}
}

// BenchmarkBind decodes a request with 1,000 destinations.
func BenchmarkBind(b *testing.B) {
	one := `{"amount":123456789,"address":"` + strings.Repeat("x", 95) + `"}`
	text := []byte(`{"name":"x","relay":true,"indices":[1,2,3],"to":[` + strings.Repeat(one+",", 999) + one + `]}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var r request
		if err := rpc.Bind(text, &r); err != nil || len(r.To) != 1000 {
			b.Fatal(err)
		}
	}
}
