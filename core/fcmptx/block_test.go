package fcmptx

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestBlocks writes and reads blocks, and finds the reward.
func TestBlocks(t *testing.T) {
	r := newRandom(20)
	miner := r.wallet(t)
	for transactions := range 5 {
		blk := r.block(t, miner, transactions)
		b := blk.Append(nil)
		again, _, _, err := Beta.ParseBlockForWallet(b)
		require.NoError(t, err)
		require.Equal(t, blk, again)
		list, err := CoinbaseEnotes(&again.MinerTx)
		require.NoError(t, err)
		got, ok := miner.ScanCoinbase(&list[0])
		require.True(t, ok)
		require.Equal(t, uint64(600_000_000_000), got.Amount)
		require.Equal(t, uint64(3_500_061), again.MinerTx.UnlockTime)
		_, _, _, err = block.ParseWithIDs(new(tx.Arena), b)
		require.ErrorIs(t, err, block.ErrNextFork)
	}
}

// TestBlockLayout reads a block byte by byte, as the beta's serialisation has it.
// Source: src/cryptonote_basic/cryptonote_basic.h, block_header, block, txout_to_carrot_v1.
func TestBlockLayout(t *testing.T) {
	blk := newRandom(23).block(t, newRandom(24).wallet(t), 2)
	in := wire.NewReader(blk.Append(nil))
	next := func(want ...byte) {
		t.Helper()
		require.Equal(t, want, in.Bytes(len(want)))
	}
	next(17, 17)
	require.Equal(t, blk.Timestamp, in.Varint())
	next(blk.Prev[:]...)
	next(7, 0, 0, 0) // nonce
	miner := &blk.MinerTx
	next(2) // version
	require.Equal(t, miner.UnlockTime, in.Varint())
	next(1, 0xff) // inputs, tag
	require.Equal(t, blk.Height(), in.Varint())
	next(1) // outputs
	require.Equal(t, miner.Outputs[0].Amount, in.Varint())
	next(0) // tag
	next(miner.Outputs[0].Key[:]...)
	next(miner.Carrot[0].ViewTag[:]...)
	next(miner.Carrot[0].Anchor[:]...)
	next(byte(len(miner.Extra)))
	next(miner.Extra...)
	next(0, 2) // RingCT type, transactions
	next(blk.TxHashes[0][:]...)
	next(blk.TxHashes[1][:]...)
	next(7) // layers
	next(blk.Tree.Root[:]...)
	require.NoError(t, in.Close())
}

// TestContentHash pairs hashes by hand: the coinbase, the layers, the root, and up to two transactions.
func TestContentHash(t *testing.T) {
	r := newRandom(21)
	pair := func(a, b xmr.Hash) xmr.Hash { return keccak.Sum256(a[:], b[:]) }
	for transactions := range 3 {
		blk := r.block(t, r.wallet(t), transactions)
		id, err := blk.MinerTx.Hash()
		require.NoError(t, err)
		var want xmr.Hash
		switch layers := (xmr.Hash{7}); transactions {
		case 0:
			want = pair(id, pair(layers, blk.Tree.Root))
		case 1:
			want = pair(pair(id, layers), pair(blk.Tree.Root, blk.TxHashes[0]))
		case 2:
			want = pair(pair(id, layers), pair(blk.Tree.Root, pair(blk.TxHashes[0], blk.TxHashes[1])))
		}
		blob, err := blk.HashingBlob()
		require.NoError(t, err)
		header := bytes.Clone(blk.Append(nil)[:2+wire.VarintLen(blk.Timestamp)+32+4])
		require.Equal(t, append(append(header, want[:]...), byte(transactions+1)), blob)
		hash, err := blk.Hash()
		require.NoError(t, err)
		require.Equal(t, xmr.Hash(keccak.Sum256([]byte{byte(len(blob))}, blob)), hash)
	}
}

// TestBlocksRefused cuts, extends and changes a block. Every change of a byte is refused or changes the ID.
func TestBlocksRefused(t *testing.T) {
	r := newRandom(22)
	blk := r.block(t, r.wallet(t), 2)
	b := blk.Append(nil)
	id, err := blk.Hash()
	require.NoError(t, err)
	for n := range b {
		_, _, _, err := Beta.ParseBlockForWallet(b[:n])
		require.Error(t, err, n)
		changed := bytes.Clone(b)
		changed[n] ^= 1 << (n % 8)
		other, hash, _, err := Beta.ParseBlockForWallet(changed)
		if err != nil {
			continue
		}
		require.Equal(t, changed, other.Append(nil))
		require.NotEqual(t, id, hash, n)
	}
	_, _, _, err = Beta.ParseBlockForWallet(append(bytes.Clone(b), 0))
	require.ErrorIs(t, err, wire.ErrTrailing)

	many := make([]tx.Output, 10_001)
	for name, c := range map[string]struct {
		change func(blk *block.Block)
		want   error
	}{
		"from before the fork": {func(blk *block.Block) { blk.Major = 16 }, tx.ErrOutput},
		"a coinbase from before it": {
			func(blk *block.Block) { blk.MinerTx.Carrot, blk.Tree = nil, nil }, ErrBlock},
		"too many layers": {func(blk *block.Block) { blk.Tree = &block.Tree{Layers: 13} }, wire.ErrLimit},
		"not a coinbase":  {func(blk *block.Block) { blk.MinerTx.Inputs = make([]tx.Input, 1) }, tx.ErrOutput},
		"two coinbases": {func(blk *block.Block) {
			blk.MinerTx.Inputs = append(blk.MinerTx.Inputs, tx.Input{Coinbase: true})
		}, tx.ErrOutput},
		"a coinbase of version 1": {func(blk *block.Block) { blk.MinerTx.Version = 1 }, ErrVersion},
		"too many outputs": {func(blk *block.Block) {
			blk.MinerTx.Outputs, blk.MinerTx.Carrot = many, make([]tx.Carrot, len(many))
		}, ErrOutput},
	} {
		wrong := *r.block(t, r.wallet(t), 1)
		c.change(&wrong)
		_, _, _, err := Beta.ParseBlockForWallet(wrong.Append(nil))
		require.ErrorIs(t, err, c.want, name)
	}
}
