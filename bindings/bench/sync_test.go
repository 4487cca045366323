package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/internal/chainfile"
	"glim/bindings/native"
	corechain "glim/core/chain"
	"glim/core/daemon"
	"glim/core/journal"
	"glim/core/node"
	"glim/core/rpc"
	coreservice "glim/core/service"
	"glim/core/wallet"
	"glim/core/xmr"
)

// recorded repeats the first answer of a daemon to the same request, so that the time of the daemon is not measured.
type recorded struct {
	from *rpc.Registry

	mu      sync.Mutex
	answers map[string][]byte
	bytes   int // of all answers
}

func (r *recorded) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := path + string(body)
	answer, ok := r.answers[key]
	if !ok {
		var err error
		if answer, err = r.from.Post(ctx, path, body); err != nil {
			return nil, err
		}
		r.answers[key] = answer
	}
	r.bytes += len(answer)
	return answer, nil
}

// onForged returns a daemon of ours on the chain of r.
func onForged(t testing.TB, r recipe) *recorded {
	t.Helper()
	made, err := forge(r, t.TempDir(), io.Discard)
	require.NoError(t, err)
	file, err := chainfile.Open(filepath.Join(made.Dir, "chain", "fake"), false)
	require.NoError(t, err)
	n, err := node.New(node.Config{Chain: corechain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader, Store: file,
	}})
	require.NoError(t, err)
	t.Cleanup(func() {
		n.Close()
		require.NoError(t, file.Close())
	})
	return &recorded{from: n.Registry(), answers: map[string][]byte{}}
}

// reader is a wallet service that reads a forged chain.
type reader struct {
	*coreservice.Service
	words string
	made  int // wallets so far
}

func newReader(t testing.TB, from rpc.Transport, c coreservice.CompactBlocks, workers int) *reader {
	t.Helper()
	s, err := coreservice.New(coreservice.Config{
		Network: xmr.Regtest, Files: native.WalletDir(t.TempDir()), Random: rand.Reader, Now: now, Workers: workers,
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 10, Minor: 20}, Compact: c,
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(coreservice.DaemonConfig) (rpc.Transport, error) { return from, nil },
	}, coreservice.DaemonConfig{Address: "recorded"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	seed, err := words(ourKeys("measured"))
	require.NoError(t, err)
	return &reader{Service: s, words: seed}
}

// call calls an operation that must succeed.
func (r *reader) call(t testing.TB, method string, params map[string]any, out any) {
	t.Helper()
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 0, "method": method, "params": params})
	require.NoError(t, err)
	answer, err := r.Serve(t.Context(), "/json_rpc", request, rpc.Options{})
	require.NoError(t, err)
	var a struct {
		Result json.RawMessage
		Error  *rpc.Error
	}
	require.NoError(t, json.Unmarshal(answer, &a))
	require.Nil(t, a.Error, method)
	if out != nil {
		require.NoError(t, json.Unmarshal(a.Result, out))
	}
}

// restore restores the measured wallet under a new name.
func (r *reader) restore(t testing.TB) {
	t.Helper()
	r.made++
	r.call(t, "restore_deterministic_wallet", map[string]any{
		"filename": fmt.Sprint(r.made), "password": "", "seed": r.words,
		"restore_height": 0, "language": "English"}, nil)
}

// TestForged reads a forged chain as full and as compact blocks: all payments are found. A second forge uses the same
// chain.
func TestForged(t *testing.T) {
	r := recipe{Blocks: 60, Txs: 90, Payments: 20, Swept: 10}
	from := onForged(t, r)
	for _, c := range []coreservice.CompactBlocks{{Off: true}, {ProveEvery: 1}} {
		s := newReader(t, from, c, 2)
		s.restore(t)
		s.call(t, "refresh", map[string]any{}, nil)
		var b balance
		s.call(t, "get_balance", map[string]any{"account_index": 0, "all_accounts": true}, &b)
		require.EqualValues(t, uint64(r.Payments+r.Swept)*paymentAmount, b.Balance)
		s.call(t, "get_balance", map[string]any{"account_index": sweptAccount}, &b)
		require.EqualValues(t, uint64(r.Swept)*paymentAmount, b.Balance)
		s.call(t, "get_balance", map[string]any{"account_index": loneAccount}, &b)
		require.EqualValues(t, paymentAmount, b.Balance)
	}
	dir := t.TempDir()
	first, err := forge(r, dir, io.Discard)
	require.NoError(t, err)
	file, err := chainfile.Open(filepath.Join(first.Dir, "chain", "fake"), false) // locks the chain against writing
	require.NoError(t, err)
	again, err := forge(r, dir, io.Discard)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.NoError(t, file.Close())
}

// BenchmarkSync measures a wallet that reads a chain with few payments to it, from answers in memory: all work of a
// synchronisation except for the network.
func BenchmarkSync(b *testing.B) {
	r := recipe{Blocks: 1500, Txs: 9000, Payments: 20}
	from := onForged(b, r)
	for _, c := range []struct {
		name string
		coreservice.CompactBlocks
	}{{"full", coreservice.CompactBlocks{Off: true}}, {"compact", coreservice.CompactBlocks{}}} {
		b.Run(c.name, func(b *testing.B) {
			s := newReader(b, from, c.CompactBlocks, runtime.GOMAXPROCS(0))
			for n := 0; b.Loop(); n++ {
				b.StopTimer()
				s.restore(b)
				before := from.bytes
				if n == 0 {
					s.call(b, "refresh", map[string]any{}, nil)
					s.restore(b)
				}
				b.StartTimer()
				s.call(b, "refresh", map[string]any{}, nil)
				b.ReportMetric(float64(from.bytes-before), "bytes")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(r.Blocks+1+r.Txs)), "ns/key")
			b.ReportAllocs()
		})
	}
}

// TestForeignTransactionsAllocateNothing: decoding the answer allocates no memory for each transaction. Three times as
// many transactions in as many blocks take about as many allocations, because they share large pieces of memory.
func TestForeignTransactionsAllocateNothing(t *testing.T) {
	const few, many = 200, 600
	read := func(txs int) (full, compact float64) {
		client := daemon.New(onForged(t, recipe{Blocks: 10, Txs: txs}))
		q := daemon.BlocksRequest{Start: 1}
		full = testing.AllocsPerRun(5, func() {
			raw, err := client.RawBlocks(t.Context(), q)
			if err == nil {
				_, err = raw.Decode()
			}
			require.NoError(t, err)
		})
		compact = testing.AllocsPerRun(5, func() {
			raw, err := client.RawCompact(t.Context(), q)
			if err == nil {
				_, err = raw.Decode()
			}
			require.NoError(t, err)
		})
		return full, compact
	}
	full, compact := read(few)
	full3, compact3 := read(many)
	require.Less(t, full3-full, 0.25*(many-few))
	require.Less(t, compact3-compact, 0.25*(many-few))
}
