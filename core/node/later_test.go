package node

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// These tests are about operations and members that monerod has after the releases 0.18.

// TestBlocksAfterTheCommonOne: with block_ids_exclusive, blocks begin after the newest common block. The hash of the
// top comes with every answer.
func TestBlocksAfterTheCommonOne(t *testing.T) {
	n, _ := newTest(t)
	_, err := n.Mine(t.Context(), 10, UnspendableAddress())
	require.NoError(t, err)
	ids := make([]xmr.Hash, n.Height())
	n.Chain().View(func(v chain.View) {
		for h := range ids {
			ids[h] = v.Block(uint64(h)).ID
		}
	})
	top := uint64(len(ids) - 1)
	for _, c := range []struct {
		history     []xmr.Hash
		exclusive   bool
		start, want uint64 // index to start at in the request and in the response
		blocks      uint64
	}{
		{[]xmr.Hash{ids[4], ids[0]}, false, 0, 4, top - 3},
		{[]xmr.Hash{ids[4], ids[0]}, true, 0, 5, top - 4},
		{[]xmr.Hash{{1}, ids[top], ids[0]}, true, 0, top + 1, 0},
		{[]xmr.Hash{ids[top], ids[0]}, true, 0, 0, 0},
		{[]xmr.Hash{ids[4], ids[0]}, true, 7, 7, top - 6},
	} {
		r := ask(t, n.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{
			BlockIDs: c.history, BlockIDsExclusive: c.exclusive, StartHeight: c.start})
		require.Equal(t, "OK", r.Status)
		require.Equal(t, c.want, r.StartHeight)
		require.Equal(t, top+1, r.CurrentHeight)
		require.Len(t, r.Blocks, int(c.blocks))
		require.Equal(t, ids[top], r.TopBlockHash)
		for i := range r.Blocks {
			b, err := block.Parse(r.Blocks[i].Block)
			require.NoError(t, err)
			require.Equal(t, c.want+uint64(i), b.Height())
		}
	}
}

// TestMergeMiningSlots: another chain finds its block by the slot that follows from its ID and the nonce in the depth.
func TestMergeMiningSlots(t *testing.T) {
	n, _ := newTest(t)
	template := ask(t, n.Registry(), daemonrpc.GetBlockTemplate,
		daemonrpc.GetBlockTemplateRequest{WalletAddress: UnspendableAddress()})
	for count := 1; count <= 12; count++ {
		req := daemonrpc.AddAuxPowRequest{BlockTemplateBlob: template.BlockTemplateBlob}
		for i := range count {
			id, hash := sha256.Sum256([]byte{1, byte(i)}), sha256.Sum256([]byte{2, byte(i)})
			req.AuxPow = append(req.AuxPow, daemonrpc.AuxPow{
				ID: hex.EncodeToString(id[:]), Hash: hex.EncodeToString(hash[:])})
		}
		r := ask(t, n.Registry(), daemonrpc.AddAuxPow, req)
		require.ElementsMatch(t, req.AuxPow, r.AuxPow)
		// Source: src/cryptonote_basic/merge_mining.cpp, decode_mm_depth and get_aux_slot.
		size := 1 + r.MerkleTreeDepth&7
		require.EqualValues(t, count, 1+r.MerkleTreeDepth>>3&(1<<size-1))
		nonce := uint32(r.MerkleTreeDepth >> (3 + size))
		leaves := make([]xmr.Hash, count)
		for slot, a := range r.AuxPow {
			id, err := xmr.ParseHash(a.ID)
			require.NoError(t, err)
			h := sha256.Sum256(append(binary.LittleEndian.AppendUint32(id[:], nonce), 'm'))
			require.EqualValues(t, slot, binary.LittleEndian.Uint32(h[:])%uint32(count))
			leaves[slot], err = xmr.ParseHash(a.Hash)
			require.NoError(t, err)
		}
		require.Equal(t, block.MerkleRoot(leaves).String(), r.MerkleRoot)
		blob, err := hex.DecodeString(r.BlockTemplateBlob)
		require.NoError(t, err)
		b, err := block.Parse(blob)
		require.NoError(t, err)
		extra, _ := tx.ParseExtra(b.MinerTx.Extra)
		require.Equal(t, r.MerkleTreeDepth, extra.MergeMining.Depth)
	}
}
