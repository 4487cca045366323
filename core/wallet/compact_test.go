package wallet_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chaintest"
	"glim/core/internal/compact"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/tx"
)

// made returns blocks after a round trip through compact blocks.
func made(t testing.TB, blocks []syncer.Block) []syncer.Block {
	t.Helper()
	out := make([]syncer.Block, len(blocks))
	for i, b := range blocks {
		blk := &block.Block{Major: b.Version, Timestamp: b.Timestamp, Prev: b.Prev, MinerTx: *b.Txs[0].Tx}
		if blk.MinerTx.Carrot != nil {
			blk.Tree = &block.Tree{Layers: 1}
		}
		var txs []*tx.Transaction
		indices := [][]uint64{b.Txs[0].Indices}
		for _, x := range b.Txs[1:] {
			txs, indices, blk.TxHashes = append(txs, x.Tx), append(indices, x.Indices), append(blk.TxHashes, x.ID)
		}
		bytes, err := compact.Append(nil, blk, b.Hash, txs, indices)
		require.NoError(t, err)
		got, err := compact.Parse(nil, bytes)
		require.NoError(t, err)
		require.Equal(t, indices, got.Indices)
		require.Equal(t, blk.TxHashes, got.Block.TxHashes)
		out[i] = b
		out[i].Txs = []syncer.Tx{{ID: b.Txs[0].ID, Tx: &got.Block.MinerTx, Indices: got.Indices[0]}}
		for k, x := range got.Txs {
			if x.RingCT.CommitmentDigests != nil {
				// Seal sets it; but in these chains the ID of a block is not the hash of its bytes.
				x.RingCT.CommitmentDigests.Block = b.Hash
			}
			out[i].Txs = append(out[i].Txs, syncer.Tx{ID: b.Txs[1+k].ID, Tx: x, Indices: got.Indices[1+k]})
		}
	}
	return out
}

// TestCompactBlocksAreEnough checks that scanning compact blocks gives the same wallet as scanning full blocks, after
// every change: with reorganisations, outputs with false amounts, and without the spend key.
func TestCompactBlocksAreEnough(t *testing.T) {
	whole := owner(t, "compact")
	for seed := range 6 {
		for _, k := range []*keys.Keys{whole, viewOnly(t, whole)} {
			c, l := livelyChain(t, fmt.Sprint("compact ", seed), whole, 50)
			full, lean := create(t, k, near), create(t, k, near)
			read := func(c *chaintest.Chain, sizes ...int) {
				for _, b := range c.Batches(full.Height(), sizes...) {
					want := full.scan(b, c.Height()-1)
					require.Equal(t, want, lean.scan(made(t, b), c.Height()-1))
				}
				same(t, full.Wallet, lean.Wallet, seed)
			}
			read(c, 1+seed)
			for n := range 3 {
				at := c.Height() - uint64(3+7*n)
				c = c.Fork(fmt.Sprint("fork ", seed, n), at)
				c.GrowWith(l, 12)
				full.detach(at)
				lean.detach(at)
				read(c, 4)
			}
			same(t, lean.Wallet, lean.reloaded())
			require.NotEmpty(t, lean.Outputs())
			if k == whole {
				require.NotEmpty(t, lean.Spends())
			}
		}
	}
}

// TestCompactAcrossTheFork checks the same for chains that cross the next hard fork, for wallets with today's keys and
// with Carrot's.
func TestCompactAcrossTheFork(t *testing.T) {
	whole := owner(t, "compact fork")
	for seed := range 3 {
		name := fmt.Sprint("compact fork ", seed)
		c, rnd := forkingChain(name), chaintest.NewRandom(name)
		for _, k := range []*keys.Keys{whole, viewOnly(t, whole)} {
			full, lean := create(t, k, near), create(t, k, near)
			for range 8 {
				if c.Height() > forking+4 && rnd.OneIn(3) {
					at := c.Height() - 3
					c = c.Fork(fmt.Sprint(rnd.Uint64()), at)
					full.detach(min(at, full.Height()))
					lean.detach(min(at, lean.Height()))
				}
				c.GrowWith(&chaintest.Activity{Owner: whole, Accounts: 2, Subaddresses: 4}, 3)
				for _, b := range c.Batches(full.Height(), 1+seed) {
					want := full.scan(b, c.Height()-1)
					require.Equal(t, want, lean.scan(made(t, b), c.Height()-1))
				}
				same(t, full.Wallet, lean.Wallet, seed)
			}
			require.Greater(t, c.Height(), uint64(forking))
			if k == whole {
				require.Equal(t, paidUnspent(c, whole), unspent(lean.Wallet))
			}
		}
	}
}
