package service

import (
	"encoding/hex"

	"glim/core/coldset"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// sendOptions are the options that all sending operations have.
type sendOptions struct {
	key, blob, metadata, keep bool
	request                   string // idempotency key
}

// builtTx is a transaction that is not recorded yet. For a view-only or multisig wallet, it still needs signatures.
type builtTx struct {
	sent     wallet.Sent
	weight   uint64
	result   *txbuild.Result       // nil if unfinished
	unsigned *coldset.Construction // for the cold signer of a view-only wallet
	draft    xmr.Hash              // of a view-only wallet's transaction before it is signed
	shared   *coldset.PendingTx    // for the other signers of a multisig wallet
	metadata string                // if requested
	next     bool                  // it is of the next hard fork
	cold     []byte                // of the next hard fork, for the cold signer of a view-only wallet
}

// builtBatch is the result of one operation.
type builtBatch struct {
	all      []builtTx
	unsigned string // the set for the cold signer
	shared   string // the set for the other signers
}

// transferResponse returns the response of an operation that makes one transaction.
func transferResponse(b builtBatch, w sendOptions) walletrpc.TransferResponse {
	b.all = b.all[:1]
	list := splitResponse(b, w)
	return walletrpc.TransferResponse{
		TxHash: first(list.TxHashList), Amount: list.AmountList[0], AmountsByDest: list.AmountsByDestList[0],
		Fee: list.FeeList[0], Weight: list.WeightList[0], SpentKeyImages: list.SpentKeyImagesList[0],
		TxKey: first(list.TxKeyList), TxBlob: first(list.TxBlobList), TxMetadata: first(list.TxMetadataList),
		UnsignedTxSet: list.UnsignedTxSet, MultisigTxSet: list.MultisigTxSet,
	}
}

// splitResponse returns the response of an operation that may make several transactions.
// Source: src/wallet/wallet_rpc_server.cpp, fill_response.
func splitResponse(b builtBatch, w sendOptions) (resp walletrpc.SplitResponse) {
	resp.UnsignedTxSet, resp.MultisigTxSet = b.unsigned, b.shared
	for _, m := range b.all {
		var amounts walletrpc.AmountsList
		total := uint64(0)
		for _, d := range m.sent.Destinations {
			total += d.Amount
			amounts.Amounts = append(amounts.Amounts, d.Amount)
		}
		var images walletrpc.KeyImageList
		for _, i := range m.sent.Images() {
			images.KeyImages = append(images.KeyImages, i.String())
		}
		resp.AmountList = append(resp.AmountList, total)
		resp.AmountsByDestList = append(resp.AmountsByDestList, amounts)
		resp.FeeList = append(resp.FeeList, m.sent.Fee)
		resp.WeightList = append(resp.WeightList, m.weight)
		resp.SpentKeyImagesList = append(resp.SpentKeyImagesList, images)
		if w.key && m.unsigned == nil && m.cold == nil {
			resp.TxKeyList = append(resp.TxKeyList, txKeyText(m.sent.Key, m.sent.AdditionalKeys))
		}
		if m.unsigned != nil {
			resp.TxHashList = append(resp.TxHashList, m.draft.String())
		}
		if m.result == nil {
			continue
		}
		resp.TxHashList = append(resp.TxHashList, m.result.ID.String())
		if w.blob {
			resp.TxBlobList = append(resp.TxBlobList, hex.EncodeToString(m.result.Blob))
		}
		if w.metadata {
			resp.TxMetadataList = append(resp.TxMetadataList, m.metadata)
		}
	}
	return resp
}
