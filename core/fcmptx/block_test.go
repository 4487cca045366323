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
		b := Beta.AppendBlock(nil, blk)
		again, err := Beta.ParseBlock(b)
		require.NoError(t, err)
		require.Equal(t, blk, again)
		list, err := again.Coinbase.CoinbaseEnotes()
		require.NoError(t, err)
		got, ok := miner.ScanCoinbase(&list[0])
		require.True(t, ok)
		require.Equal(t, uint64(600_000_000_000), got.Amount)
		require.Equal(t, uint64(3_500_061), again.Coinbase.UnlockTime)
		same, err := block.Parse(b)
		require.NoError(t, err)
		require.Equal(t, b, same.Append(nil))
		id, err := Beta.BlockHash(blk)
		require.NoError(t, err)
		hash, err := same.Hash()
		require.NoError(t, err)
		require.Equal(t, id, hash, "packages block and fcmptx agree")
		_, _, _, err = block.ParseWithIDs(new(tx.Arena), b)
		require.ErrorIs(t, err, block.ErrNextFork, "wallets do not read it")
	}
}

// TestContentHash pairs hashes by hand: the coinbase, the layers, the root, and up to two transactions.
func TestContentHash(t *testing.T) {
	r := newRandom(21)
	pair := func(a, b xmr.Hash) xmr.Hash { return keccak.Sum256(a[:], b[:]) }
	for transactions := range 3 {
		blk := r.block(t, r.wallet(t), transactions)
		id, err := Beta.Hash(&blk.Coinbase)
		require.NoError(t, err)
		var want xmr.Hash
		switch layers := (xmr.Hash{7}); transactions {
		case 0:
			want = pair(id, pair(layers, blk.Root))
		case 1:
			want = pair(pair(id, layers), pair(blk.Root, blk.TxHashes[0]))
		case 2:
			want = pair(pair(id, layers), pair(blk.Root, pair(blk.TxHashes[0], blk.TxHashes[1])))
		}
		content, err := Beta.ContentHash(blk)
		require.NoError(t, err)
		require.Equal(t, want, content)
		blob, err := Beta.HashingBlob(blk)
		require.NoError(t, err)
		require.Equal(t, append(append(blk.appendHeader(nil), content[:]...), byte(transactions+1)), blob)
		hash, err := Beta.BlockHash(blk)
		require.NoError(t, err)
		require.Equal(t, xmr.Hash(keccak.Sum256([]byte{byte(len(blob))}, blob)), hash)
	}
}

// TestBlocksRefused cuts, extends and changes a block. Every change of a byte is refused or changes the ID.
func TestBlocksRefused(t *testing.T) {
	r := newRandom(22)
	blk := r.block(t, r.wallet(t), 2)
	b := Beta.AppendBlock(nil, blk)
	id, err := Beta.BlockHash(blk)
	require.NoError(t, err)
	for n := range b {
		_, err := Beta.ParseBlock(b[:n])
		require.Error(t, err, n)
		changed := bytes.Clone(b)
		changed[n] ^= 1 << (n % 8)
		other, err := Beta.ParseBlock(changed)
		if err != nil {
			continue
		}
		require.Equal(t, changed, Beta.AppendBlock(nil, other))
		hash, err := Beta.BlockHash(other)
		require.NoError(t, err)
		require.NotEqual(t, id, hash, n)
	}
	_, err = Beta.ParseBlock(append(bytes.Clone(b), 0))
	require.ErrorIs(t, err, wire.ErrTrailing)

	old := *blk
	old.Major = 16
	_, err = Beta.ParseBlock(Beta.AppendBlock(nil, &old))
	require.ErrorIs(t, err, ErrBlock)
	high := *blk
	high.Layers = 13
	_, err = Beta.ParseBlock(Beta.AppendBlock(nil, &high))
	require.ErrorIs(t, err, ErrLayers)
	wrong := *blk
	wrong.Coinbase = *r.transaction(t, r.wallet(t), r.wallet(t), 1, 2, 1)
	_, err = Beta.ParseBlock(Beta.AppendBlock(nil, &wrong))
	require.ErrorIs(t, err, ErrCoinbase)
	many := *blk
	many.Coinbase.Outputs = make([]Output, 10_001)
	_, err = Beta.ParseBlock(Beta.AppendBlock(nil, &many))
	require.ErrorIs(t, err, ErrOutput)
	wrong.Coinbase.Proofs = nil
	_, err = Beta.BlockHash(&wrong)
	require.ErrorIs(t, err, ErrPruned)
}
