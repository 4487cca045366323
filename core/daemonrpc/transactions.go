package daemonrpc

import (
	"glim/core/rpc"
	"glim/core/xmr"
)

// GetTransactionsRequest selects transactions, at most 100 on restricted services.
type GetTransactionsRequest struct {
	Payer
	TxsHashes    []string `json:"txs_hashes"`
	DecodeAsJSON bool     `json:"decode_as_json"`
	Prune        bool     `json:"prune"` // omit prunable parts
	Split        bool     `json:"split"` // return each transaction in two parts
}

// TxEntry is one transaction. Relayed and ReceivedTimestamp are set for pool transactions, the other pointers and
// OutputIndices for mined ones.
type TxEntry struct {
	TxHash            string   `json:"tx_hash"` // as written in the request
	AsHex             string   `json:"as_hex"`  // empty if split, pruned or not completely available
	PrunedAsHex       string   `json:"pruned_as_hex"`
	PrunableAsHex     string   `json:"prunable_as_hex"`
	PrunableHash      string   `json:"prunable_hash"`
	AsJSON            string   `json:"as_json"`
	InPool            bool     `json:"in_pool"`
	DoubleSpendSeen   bool     `json:"double_spend_seen"`
	BlockHeight       *uint64  `json:"block_height,omitempty"` // index
	Confirmations     *uint64  `json:"confirmations,omitempty"`
	BlockTimestamp    *uint64  `json:"block_timestamp,omitempty"`
	OutputIndices     []uint64 `json:"output_indices"` // global
	Relayed           *bool    `json:"relayed,omitempty"`
	ReceivedTimestamp *uint64  `json:"received_timestamp,omitempty"`
}

// GetTransactionsResponse contains the transactions found, in the order of the request.
type GetTransactionsResponse struct {
	Metered
	TxsAsHex  []string   `json:"txs_as_hex" max:"txs_hashes"`  // the as_hex of each of Txs
	TxsAsJSON []string   `json:"txs_as_json" max:"txs_hashes"` // the as_json of each, if requested
	Txs       []TxEntry  `json:"txs" max:"txs_hashes"`
	MissedTx  []xmr.Hash `json:"missed_tx" max:"txs_hashes"`
}

// GetTransactions returns transactions of the chain and the pool.
var GetTransactions = rpc.Method[GetTransactionsRequest, GetTransactionsResponse]{
	Name:    "get_transactions",
	Aliases: []string{"gettransactions"},
	Wire:    rpc.Path,
}

// Values of IsKeyImageSpentResponse.SpentStatus.
const (
	KeyImageUnspent      = 0
	KeyImageSpentInChain = 1
	KeyImageSpentInPool  = 2
)

// IsKeyImageSpentRequest selects key images, at most 5,000 on restricted services.
type IsKeyImageSpentRequest struct {
	Payer
	KeyImages []string `json:"key_images"`
}

// IsKeyImageSpentResponse contains the status of each key image.
type IsKeyImageSpentResponse struct {
	Metered
	SpentStatus []int32 `json:"spent_status" max:"key_images"`
}

// IsKeyImageSpent reports which key images are in the chain or the pool.
var IsKeyImageSpent = rpc.Method[IsKeyImageSpentRequest, IsKeyImageSpentResponse]{
	Name: "is_key_image_spent", Wire: rpc.Path,
}

// SendRawTransactionRequest is a signed transaction.
type SendRawTransactionRequest struct {
	Payer
	TxAsHex        string `json:"tx_as_hex"`
	DoNotRelay     bool   `json:"do_not_relay"`
	DoSanityChecks bool   `json:"do_sanity_checks" default:"true"` // check the ages of ring members
}

// SendRawTransactionResponse reports whether the transaction was accepted and, if not, why.
type SendRawTransactionResponse struct {
	Metered
	Reason            string `json:"reason"`
	NotRelayed        bool   `json:"not_relayed"`
	LowMixin          bool   `json:"low_mixin"`
	DoubleSpend       bool   `json:"double_spend"`
	InvalidInput      bool   `json:"invalid_input"`
	InvalidOutput     bool   `json:"invalid_output"`
	TooBig            bool   `json:"too_big"`
	Overspend         bool   `json:"overspend"`
	FeeTooLow         bool   `json:"fee_too_low"`
	TooFewOutputs     bool   `json:"too_few_outputs"`
	SanityCheckFailed bool   `json:"sanity_check_failed"`
	TxExtraTooBig     bool   `json:"tx_extra_too_big"`
	NonzeroUnlockTime bool   `json:"nonzero_unlock_time"`
	NotRCT            bool   `json:"not_rct,omitempty"` // newer services never set it
}

// SendRawTransaction adds a transaction to the pool and relays it.
var SendRawTransaction = rpc.Method[SendRawTransactionRequest, SendRawTransactionResponse]{
	Name:    "send_raw_transaction",
	Aliases: []string{"sendrawtransaction"},
	Wire:    rpc.Path,
}

// RelayTxRequest selects pool transactions.
type RelayTxRequest struct {
	Payer
	TxIDs []string `json:"txids"`
}

// RelayTx relays pool transactions. Restricted.
var RelayTx = rpc.Method[RelayTxRequest, PlainMetered]{Name: "relay_tx", Restricted: true}

// GetTxIDsLooseRequest selects transactions by the last bits of their IDs.
type GetTxIDsLooseRequest struct {
	TxIDTemplate    string `json:"txid_template"`     // hexadecimal; bits that need not match are zero
	NumMatchingBits uint32 `json:"num_matching_bits"` // at most 256, counted from the most significant of the last byte
}

// GetTxIDsLooseResponse lists IDs, those of the chain first, each part in ascending order of their bytes read as
// little-endian numbers.
type GetTxIDsLooseResponse struct {
	Common
	TxIDs []xmr.Hash `json:"txids" max:"50000"`
}

// GetTxIDsLoose returns the IDs of all transactions, of the chain and the pool, that match a template, so that a client
// can request one of them without naming it. It returns CodeWrongParam if more than 50,000 match, or 5,000 for
// restricted callers. Releases 0.18 of the reference do not have it.
// Source: src/rpc/core_rpc_server.cpp, on_get_txids_loose, master of August 2026.
var GetTxIDsLoose = rpc.Method[GetTxIDsLooseRequest, GetTxIDsLooseResponse]{Name: "get_txids_loose"}

// LooseTemplate returns id with all bits but the first bits set to zero, counted as in GetTxIDsLooseRequest.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, make_hash32_loose_template.
func LooseTemplate(id xmr.Hash, bits uint32) xmr.Hash {
	for i := len(id) - 1; i >= 0; i-- {
		n := min(bits, 8)
		id[i] &= ^byte(0xff >> n)
		bits -= n
	}
	return id
}
