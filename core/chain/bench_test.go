package chain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/fee"
)

// BenchmarkAddTx adds an unknown transaction with two inputs and two outputs to the pool.
func BenchmarkAddTx(b *testing.B) {
	l := newTestChain(b)
	l.mine(80)
	blob := l.pay(fee.Slow, 40e12, 3, 4)
	b.ReportAllocs()
	for b.Loop() {
		_, err := l.chain.AddTx(blob, false)
		require.NoError(b, err)
		require.NoError(b, l.chain.FlushPool())
		l.chain.verified.forget()
	}
}

// BenchmarkAddBlock adds a block that arrives with 16 such transactions. Their range proofs are verified in batches.
func BenchmarkAddBlock(b *testing.B) {
	l := newTestChain(b)
	l.mine(100)
	var txs []*Tx
	var blobs [][]byte
	for i := range uint64(16) {
		blob := l.pay(fee.Slow, 40e12, 2*i+1, 2*i+2)
		t, err := l.chain.newTx(blob)
		require.NoError(b, err)
		txs, blobs = append(txs, t), append(blobs, blob)
	}
	block := l.blockOf(txs...)
	b.ReportAllocs()
	for b.Loop() {
		_, err := l.chain.AddBlock(block, blobs...)
		require.NoError(b, err)
		_, err = l.chain.PopBlocks(1)
		require.NoError(b, err)
		require.NoError(b, l.chain.FlushPool())
		l.chain.verified.forget()
	}
}

// BenchmarkMine makes and adds empty blocks.
func BenchmarkMine(b *testing.B) {
	l := newTestChain(b)
	b.ReportAllocs()
	for b.Loop() {
		l.mine(1)
	}
}
