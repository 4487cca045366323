package node

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/crypto/keccak"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// TestFindsTheFirstNonce: generateblocks finds the first valid nonce from the given one on, whether hashes are computed
// one after the other or together.
func TestFindsTheFirstNonce(t *testing.T) {
	one := func(_ uint8, _ uint64, _ xmr.Hash, blob []byte) (xmr.Hash, error) { return keccak.Sum256(blob), nil }
	many := func(_ uint8, _ uint64, _ xmr.Hash, blobs [][]byte) (list []xmr.Hash, err error) {
		for _, b := range blobs {
			list = append(list, keccak.Sum256(b))
		}
		return list, nil
	}
	var ids [2][]xmr.Hash
	for i := range ids {
		c := &clock{1_700_000_000}
		config := Config{Chain: chain.Options{
			Network: xmr.Regtest, FixedDifficulty: 100, Now: c.read, Random: &zeros{}, PoW: one,
		}}
		if i > 0 {
			config.Chain.PoWs = many
		}
		n, err := New(config)
		require.NoError(t, err)
		ids[i] = ask(t, n.Registry(), daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{
			AmountOfBlocks: 20, WalletAddress: UnspendableAddress(), StartingNonce: 1<<32 - 50,
		}).Blocks
		n.Chain().View(func(v chain.View) {
			for h := uint64(1); h < v.Height(); h++ {
				requireFirst(t, v.Block(h).Block)
			}
		})
		require.NoError(t, n.Close())
	}
	require.Equal(t, ids[0], ids[1])
}

// requireFirst checks that no nonce between the first one tried and the block's is valid.
func requireFirst(t *testing.T, b *block.Block) {
	t.Helper()
	tried := *b
	for nonce := uint32(1<<32 - 50); nonce != b.Nonce; nonce++ {
		tried.Nonce = nonce
		blob, err := tried.HashingBlob()
		require.NoError(t, err)
		sum := keccak.Sum256(blob)
		slices.Reverse(sum[:])
		// A hash times the difficulty of 100 overflows 256 bits unless its first 64 bits are small.
		require.Greater(t, binary.BigEndian.Uint64(sum[:]), uint64((1<<64-1)/100-1))
	}
}
