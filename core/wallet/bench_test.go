package wallet_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// BenchmarkDecideBlocks decides on a thousand scanned blocks of two transactions each, one percent of them the
// wallet's.
func BenchmarkDecideBlocks(b *testing.B) {
	k := owner(b, "bench")
	c := chaintest.New("bench", xmr.Regtest)
	for i := range 1000 {
		to := chaintest.Payment{Amount: 5}
		if i%100 == 0 {
			to.To = k
		}
		c.Add(chaintest.Spec{Pay: []chaintest.Payment{to, {Amount: 1}}}, chaintest.Spec{
			Pay: []chaintest.Payment{{Amount: 5}, {Amount: 1}},
		})
	}
	blocks, err := syncer.Scan(context.Background(), k.ViewSecret(), c.Blocks[1:], syncer.Workers{})
	require.NoError(b, err)
	w := wallet.New(origin(k), near)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := w.DecideBlocks(blocks, 1000); err != nil {
			b.Fatal(err)
		}
	}
}

// large returns the log of a wallet with n outputs, a third of them spent, in changes of a hundred.
func large(t testing.TB, n int) [][]byte {
	t.Helper()
	r := create(t, owner(t, "large"), near)
	rnd := chaintest.NewRandom("large")
	for i := 0; i < n; i += 100 {
		var c wallet.ChainChange
		for j := i; j < i+100; j++ {
			h := uint64(j/10 + 1)
			o := wallet.OwnedOutput{
				TxID: rnd.Bytes32(), GlobalIndex: uint64(j) * 50, Amount: 1 + rnd.Uint64()%(1<<40),
				Mask: rnd.Bytes32(), Key: rnd.Bytes32(), Image: rnd.Bytes32(), ImageKnown: true,
				Derivation: rnd.Bytes32(), Height: h, Timestamp: 1_700_000_000, RingCT: true,
			}
			c.Outputs = append(c.Outputs, o)
			c.Payments = append(c.Payments, wallet.Payment{
				TxID: o.TxID, Amount: o.Amount, Amounts: []uint64{o.Amount}, Height: h,
			})
			if j%3 == 0 {
				c.Spends = append(c.Spends, wallet.Spend{
					TxID: rnd.Bytes32(), AmountIn: o.Amount, Height: h, Indices: []uint32{0},
					Images: []xmr.KeyImage{o.Image},
				})
			}
			if j%10 == 0 {
				c.Blocks = append(c.Blocks, wallet.BlockID{Height: h, Hash: rnd.Bytes32()})
			}
		}
		r.change(wallet.ChangeSet{Chain: c})
	}
	return r.log
}

// BenchmarkReplay replays a wallet with fifty thousand outputs from its log and from its snapshot, and reports the
// bytes per output in the log and in memory.
func BenchmarkReplay(b *testing.B) {
	const n = 50_000
	log := large(b, n)
	w, err := wallet.Replay(log)
	require.NoError(b, err)
	snapshot, err := w.Snapshot()
	require.NoError(b, err)
	for name, records := range map[string][][]byte{"log": log, "snapshot": snapshot} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for _, r := range records {
				size += len(r)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			w, err := wallet.Replay(records)
			require.NoError(b, err)
			require.Len(b, w.Outputs(), n)
			runtime.GC()
			runtime.ReadMemStats(&after)
			for b.Loop() {
				if _, err := wallet.Replay(records); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(size)/n, "logged-B/output")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "heap-B/output")
			runtime.KeepAlive(w)
		})
	}
}

// BenchmarkBalances computes balances over fifty thousand outputs.
func BenchmarkBalances(b *testing.B) {
	w, err := wallet.Replay(large(b, 50_000))
	require.NoError(b, err)
	for b.Loop() {
		w.AccountBalance(0, false, 1_800_000_000)
	}
}

// TestForeignBlocksDoNotAllocate checks that deciding on blocks that do not concern the wallet allocates nothing per
// transaction.
func TestForeignBlocksDoNotAllocate(t *testing.T) {
	k := owner(t, "bench")
	c := chaintest.New("foreign", xmr.Regtest)
	for range 50 {
		c.Add(chaintest.Spec{Pay: []chaintest.Payment{{Amount: 1}}}, chaintest.Spec{
			Pay: []chaintest.Payment{{Amount: 1}},
		})
	}
	blocks, err := syncer.Scan(context.Background(), k.ViewSecret(), c.Blocks[1:], syncer.Workers{})
	require.NoError(t, err)
	w := wallet.New(origin(k), near)
	per := testing.AllocsPerRun(5, func() {
		if _, _, err := w.DecideBlocks(blocks, 50); err != nil {
			t.Error(fmt.Sprint(err))
		}
	}) / 150
	require.Less(t, per, 0.5, "allocations a transaction")
}
