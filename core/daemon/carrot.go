//go:build !nocarrot

package daemon

import (
	"glim/core/block"
	"glim/core/fcmptx"
	"glim/core/tx"
	"glim/core/xmr"
)

// serializedProofs is the type of Tx.Proofs.
type serializedProofs = []byte

// parseNewBlock is block.ParseWithIDs for blocks of the next hard fork. It does not allocate from the arena.
func parseNewBlock(_ *tx.Arena, b []byte) (blk *block.Block, id, coinbase xmr.Hash, err error) {
	return fcmptx.Default.ParseBlockForWallet(b)
}

// decodeNewTx is the part of decodeTx for transactions of the next hard fork: it also returns the ID of the bytes, or
// id if they do not determine it.
func decodeNewTx(id xmr.Hash, blob []byte, whole bool, prunable xmr.Hash) (out Tx, is xmr.Hash, err error) {
	out = Tx{ID: id, Proven: true}
	if whole {
		out.Transaction, is, err = fcmptx.Default.ParseForWallet(blob)
		if err == nil && !out.IsCoinbase() {
			out.Proofs = blob[len(out.AppendPruned(nil)):]
		}
		return out, is, err
	}
	out.Transaction, is, err = fcmptx.Default.ParsePrunedForWallet(blob, prunable)
	if prunable.IsZero() && err == nil && !out.IsCoinbase() {
		is, out.Proven = id, false
	}
	return out, is, err
}
