package daemon_test

import (
	"encoding/hex"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/block"
	"glim/core/carrot"
	"glim/core/chaintest"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// newBlock returns a block of the next hard fork at index height with a coinbase and one transaction, and what the
// daemon sends of the transaction: its bytes, complete and pruned, and the hash of the omitted part.
func newBlock(t testing.TB, height uint64) (blk *block.Block, whole, pruned []byte, prunable xmr.Hash) {
	t.Helper()
	r := chaintest.NewRandom("new block")
	k, err := keys.FromSeed(r.Bytes32())
	require.NoError(t, err)
	pay := func() *carrot.Payment {
		anchor, err := carrot.RandomAnchor(r)
		require.NoError(t, err)
		return &carrot.Payment{
			To: address.At(xmr.Mainnet, keys.Index{}, k.SpendPublic, k.ViewPublic), Amount: 5, Anchor: anchor,
		}
	}
	reward, err := carrot.Default.NewCoinbaseEnote(pay(), height)
	require.NoError(t, err)
	coinbase, err := fcmptx.NewCoinbase([]carrot.CoinbaseEnote{*reward}, height, nil)
	require.NoError(t, err)
	image := xmr.KeyImage(r.Point())
	var enotes []carrot.Enote
	for range 2 {
		o, _, err := carrot.Default.NewOutput(pay(), image)
		require.NoError(t, err)
		enotes = append(enotes, o.Enote)
	}
	x := fcmptx.New(enotes, []xmr.KeyImage{image}, 7, [8]byte{1})
	pruned = fcmptx.Default.Append(nil, x)
	x.Proofs = &fcmptx.Proofs{
		Layers: 1, Blob: make([]byte, fcmptx.ProofSize(1, 1)), PseudoOuts: make([][32]byte, 1),
		Range: tx.BulletproofPlus{L: make([][32]byte, 7), R: make([][32]byte, 7)},
	}
	id, err := fcmptx.Default.Hash(x)
	require.NoError(t, err)
	blk = &block.Block{
		Major: 17, Minor: 17, Timestamp: 5, Prev: r.Bytes32(), MinerTx: *coinbase, TxHashes: []xmr.Hash{id},
		Tree: &block.Tree{Layers: 1, Root: r.Bytes32()},
	}
	return blk, fcmptx.Default.Append(nil, x), pruned, x.PrunableHash()
}

// newResponse returns a daemon's response with one block of the next hard fork.
func newResponse(start uint64, entry daemonrpc.BlockEntry) daemonrpc.GetBlocksResponse {
	return daemonrpc.GetBlocksResponse{
		Metered: ok(), StartHeight: start, CurrentHeight: start + 1, Blocks: []daemonrpc.BlockEntry{entry},
		OutputIndices: []daemonrpc.BlockOutputIndices{{
			Indices: []daemonrpc.TxOutputIndices{{Indices: []uint64{4}}, {Indices: []uint64{5, 6}}},
		}},
	}
}

// blocksOf decodes a daemon's response with this block at index 9.
func blocksOf(t *testing.T, entry daemonrpc.BlockEntry) (daemon.Blocks, error) {
	r := newResponse(9, entry)
	return serve(daemonrpc.GetBlocks, func(daemonrpc.GetBlocksRequest) daemonrpc.GetBlocksResponse { return r }).
		Blocks(t.Context(), daemon.BlocksRequest{Start: 9})
}

// TestNewBlocks decodes a block of the next hard fork from each of the three forms of its transactions, and refuses
// altered ones. A transaction of the fork is refused in a block from before it.
func TestNewBlocks(t *testing.T) {
	blk, whole, pruned, prunable := newBlock(t, 9)
	b := blk.Append(nil)
	id, err := blk.Hash()
	require.NoError(t, err)
	for name, form := range map[string]daemonrpc.TxBlob{
		"whole": daemonrpc.WholeTx(whole), "pruned": {Blob: pruned, PrunableHash: prunable}, "unproven": {Blob: pruned},
	} {
		got, err := blocksOf(t, daemonrpc.BlockEntry{Block: b, Txs: []daemonrpc.TxBlob{form}})
		require.NoError(t, err, name)
		require.Equal(t, id, got.Blocks[0].Hash)
		require.Equal(t, uint8(17), got.Blocks[0].Major)
		require.Len(t, got.Blocks[0].MinerTx.Carrot, 1)
		coinbase, err := blk.MinerTx.Hash()
		require.NoError(t, err)
		require.Equal(t, coinbase, got.Blocks[0].MinerTx.ID)
		x := got.Blocks[0].Txs[0]
		require.Equal(t, name != "unproven", x.Proven)
		require.Equal(t, blk.TxHashes[0], x.ID)
		require.Len(t, x.Carrot, 2)
		require.Equal(t, tx.RingCTFCMP, x.RingCT.Type)
		require.Equal(t, pruned, x.AppendPruned(nil))
		require.Equal(t, x.ID, x.PrunedHash(prunable))
	}
	altered := append([]byte(nil), pruned...)
	altered[60] ^= 1
	for name, form := range map[string]daemonrpc.TxBlob{
		"another ID": {Blob: altered, PrunableHash: prunable}, "short": {Blob: pruned[:len(pruned)-1]},
		"proofs missing": daemonrpc.WholeTx(pruned),
	} {
		_, err := blocksOf(t, daemonrpc.BlockEntry{Block: b, Txs: []daemonrpc.TxBlob{form}})
		require.ErrorIs(t, err, daemon.ErrInvalidResponse, name)
	}
	for n := range b {
		_, err := blocksOf(t, daemonrpc.BlockEntry{Block: b[:n], Txs: []daemonrpc.TxBlob{daemonrpc.WholeTx(whole)}})
		require.ErrorIs(t, err, daemon.ErrInvalidResponse, n)
	}

	// The coinbase of an older block has no Carrot outputs, and its transactions must not have any.
	old := block.Block{
		Major: 16, Minor: 16, TxHashes: blk.TxHashes,
		MinerTx: tx.Transaction{
			Version: 2, Inputs: []tx.Input{{Coinbase: true, Height: 9}},
			Outputs: []tx.Output{{Amount: 1, Tagged: true}},
		},
	}
	_, err = blocksOf(t,
		daemonrpc.BlockEntry{Block: old.Append(nil), Txs: []daemonrpc.TxBlob{daemonrpc.WholeTx(whole)}})
	require.ErrorIs(t, err, daemon.ErrInvalidResponse)
	require.ErrorContains(t, err, "later version")
}

// TestAlteredViewTag: a daemon that shows another view tag or anchor, which would hide a payment, is found out when its
// transactions are proven.
func TestAlteredViewTag(t *testing.T) {
	_, _, pruned, prunable := newBlock(t, 9)
	honest, id, err := fcmptx.Default.ParsePrunedForWallet(pruned, prunable)
	require.NoError(t, err)
	c := serve(daemonrpc.GetTransactions, func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
		r := daemonrpc.GetTransactionsResponse{Txs: []daemonrpc.TxEntry{{
			TxHash: id.String(), PrunedAsHex: hex.EncodeToString(pruned), PrunableHash: prunable.String(), InPool: true,
		}}}
		r.Metered = ok()
		return r
	})
	require.NoError(t, c.Prove(t.Context(), []daemon.ShownTx{{ID: id, Tx: honest}}))
	for _, alter := range []func(*tx.Carrot){
		func(o *tx.Carrot) { o.ViewTag[2] ^= 1 }, func(o *tx.Carrot) { o.Anchor[0] ^= 1 },
	} {
		shown := *honest
		shown.Carrot = slices.Clone(honest.Carrot)
		alter(&shown.Carrot[1])
		require.ErrorIs(t, c.Prove(t.Context(), []daemon.ShownTx{{ID: id, Tx: &shown}}), daemon.ErrInvalidResponse)
	}
}
