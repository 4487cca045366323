package daemonrpc

import (
	"glim/core/rpc"
	"glim/core/xmr"
)

// GetTransactionsRequest names transactions, at most 100 on restricted services.
type GetTransactionsRequest struct {
	Payer
	TxsHashes    []string `json:"txs_hashes"`
	DecodeAsJSON bool     `json:"decode_as_json"`
	Prune        bool     `json:"prune"` // leave out prunable parts
	Split        bool     `json:"split"` // answer in two parts
}

// TxEntry is one transaction. A pool transaction has Relayed and ReceivedTimestamp, a mined one the other pointers and
// OutputIndices.
type TxEntry struct {
	TxHash            string   `json:"tx_hash"` // as written in the request
	AsHex             string   `json:"as_hex"`  // empty when split, pruned or unavailable whole
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

// GetTransactionsResponse carries the transactions found, in the order asked for.
type GetTransactionsResponse struct {
	Metered
	TxsAsHex  []string   `json:"txs_as_hex" max:"txs_hashes"`  // the as_hex of each of Txs
	TxsAsJSON []string   `json:"txs_as_json" max:"txs_hashes"` // the as_json of each, when asked for
	Txs       []TxEntry  `json:"txs" max:"txs_hashes"`
	MissedTx  []xmr.Hash `json:"missed_tx" max:"txs_hashes"`
}

// GetTransactions returns transactions of the chain and the pool.
var GetTransactions = rpc.Method[GetTransactionsRequest, GetTransactionsResponse]{Name: "get_transactions", Aliases: []string{"gettransactions"}, Wire: rpc.Path}

// Values of IsKeyImageSpentResponse.SpentStatus.
const (
	KeyImageUnspent      = 0
	KeyImageSpentInChain = 1
	KeyImageSpentInPool  = 2
)

// IsKeyImageSpentRequest names key images, at most 5,000 on restricted services.
type IsKeyImageSpentRequest struct {
	Payer
	KeyImages []string `json:"key_images"`
}

// IsKeyImageSpentResponse carries one status for each key image.
type IsKeyImageSpentResponse struct {
	Metered
	SpentStatus []int32 `json:"spent_status" max:"key_images"`
}

// IsKeyImageSpent tells which key images the chain or the pool has.
var IsKeyImageSpent = rpc.Method[IsKeyImageSpentRequest, IsKeyImageSpentResponse]{Name: "is_key_image_spent", Wire: rpc.Path}

// SendRawTransactionRequest carries a signed transaction.
type SendRawTransactionRequest struct {
	Payer
	TxAsHex        string `json:"tx_as_hex"`
	DoNotRelay     bool   `json:"do_not_relay"`
	DoSanityChecks bool   `json:"do_sanity_checks" default:"true"` // of the ring members' ages
}

// SendRawTransactionResponse says whether the transaction went in and, if not, why.
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
	NotRCT            bool   `json:"not_rct,omitempty"` // of the contract; newer services never set it
}

// SendRawTransaction adds a transaction to the pool and passes it to the network.
var SendRawTransaction = rpc.Method[SendRawTransactionRequest, SendRawTransactionResponse]{Name: "send_raw_transaction", Aliases: []string{"sendrawtransaction"}, Wire: rpc.Path}

// RelayTxRequest names pool transactions.
type RelayTxRequest struct {
	Payer
	TxIDs []string `json:"txids"`
}

// RelayTx passes pool transactions to the network. Restricted.
var RelayTx = rpc.Method[RelayTxRequest, PlainMetered]{Name: "relay_tx", Restricted: true}
