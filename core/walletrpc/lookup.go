package walletrpc

import "glim/core/rpc"

// GetPaymentsRequest names a payment ID.
type GetPaymentsRequest struct {
	PaymentID string `json:"payment_id"` // 16 or 64 hex digits
}

// Payment is money received with a payment ID.
type Payment struct {
	PaymentID    string          `json:"payment_id"`
	TxHash       string          `json:"tx_hash"`
	Amount       uint64          `json:"amount"`       // atomic units
	BlockHeight  uint64          `json:"block_height"` // index of the block that holds it
	UnlockTime   uint64          `json:"unlock_time"`  // block index, or POSIX time from 500000000 on; 0 is not locked
	Locked       bool            `json:"locked"`
	SubaddrIndex SubaddressIndex `json:"subaddr_index"`
	Address      string          `json:"address"`
}

// GetPaymentsResponse lists payments.
type GetPaymentsResponse struct {
	Payments []Payment `json:"payments"`
}

// GetPayments returns what was received with a payment ID. Errors: CodeWrongPaymentID.
var GetPayments = rpc.Method[GetPaymentsRequest, GetPaymentsResponse]{Name: "get_payments"}

// GetBulkPaymentsRequest names payment IDs and where to begin.
type GetBulkPaymentsRequest struct {
	PaymentIDs     []string `json:"payment_ids"`      // 16 or 64 hex digits each; none for every payment
	MinBlockHeight uint64   `json:"min_block_height"` // blocks above this index only
}

// GetBulkPayments returns what was received with any of some payment IDs. Errors: CodeWrongPaymentID.
var GetBulkPayments = rpc.Method[GetBulkPaymentsRequest, GetPaymentsResponse]{Name: "get_bulk_payments"}

// IncomingTransfersRequest filters the outputs received.
type IncomingTransfersRequest struct {
	TransferType   string   `json:"transfer_type"` // all, available (not spent), unavailable (spent)
	AccountIndex   uint32   `json:"account_index"`
	SubaddrIndices []uint32 `json:"subaddr_indices"` // none for all
}

// IncomingTransfer is one output received.
type IncomingTransfer struct {
	Amount       uint64          `json:"amount"` // atomic units
	Spent        bool            `json:"spent"`
	GlobalIndex  uint64          `json:"global_index"`
	TxHash       string          `json:"tx_hash"`
	SubaddrIndex SubaddressIndex `json:"subaddr_index"`
	KeyImage     string          `json:"key_image"`    // empty when the wallet does not know it
	PubKey       string          `json:"pubkey"`       // one-time public key
	BlockHeight  uint64          `json:"block_height"` // index of the block that holds it
	Frozen       bool            `json:"frozen"`
	Unlocked     bool            `json:"unlocked"`
}

// IncomingTransfersResponse lists outputs in the order of the chain.
type IncomingTransfersResponse struct {
	Transfers []IncomingTransfer `json:"transfers"`
}

// IncomingTransfers returns the outputs an account received. Errors: CodeTransferType.
var IncomingTransfers = rpc.Method[IncomingTransfersRequest, IncomingTransfersResponse]{Name: "incoming_transfers"}

// GetTransfersRequest chooses the lists wanted and filters them.
type GetTransfersRequest struct {
	In             bool     `json:"in"`
	Out            bool     `json:"out"`
	Pending        bool     `json:"pending"`
	Failed         bool     `json:"failed"`
	Pool           bool     `json:"pool"`
	FilterByHeight bool     `json:"filter_by_height"`               // min_height and max_height hold
	MinHeight      uint64   `json:"min_height"`                     // blocks above this index
	MaxHeight      uint64   `json:"max_height" default:"500000000"` // and up to this one
	AccountIndex   uint32   `json:"account_index"`
	SubaddrIndices []uint32 `json:"subaddr_indices"` // none for all
	AllAccounts    bool     `json:"all_accounts"`    // the two above are ignored
}

// TransferEntry is a transaction as the wallet's owner sees it.
type TransferEntry struct {
	TxID            string            `json:"txid"`
	PaymentID       string            `json:"payment_id"` // 16 hex digits, or 64 when long; zeros for none
	Height          uint64            `json:"height"`     // index of its block, 0 when not mined
	Timestamp       uint64            `json:"timestamp"`  // POSIX, of its block, or when first seen
	Amount          uint64            `json:"amount"`     // atomic units
	Amounts         []uint64          `json:"amounts"`    // of each output received, atomic units
	Fee             uint64            `json:"fee"`        // atomic units
	Note            string            `json:"note"`
	Destinations    []Destination     `json:"destinations"` // of what this wallet sent
	Type            string            `json:"type"`         // in, out, pending, failed, pool, block
	UnlockTime      uint64            `json:"unlock_time"`  // block index, or POSIX time from 500000000 on; 0 is not locked
	Locked          bool              `json:"locked"`
	SubaddrIndex    SubaddressIndex   `json:"subaddr_index"`
	SubaddrIndices  []SubaddressIndex `json:"subaddr_indices"`
	Address         string            `json:"address"`
	DoubleSpendSeen bool              `json:"double_spend_seen"`
	Confirmations   uint64            `json:"confirmations,omitempty"`
	// SuggestedConfirmationsThreshold is how many confirmations are worth waiting for with this amount.
	SuggestedConfirmationsThreshold uint64 `json:"suggested_confirmations_threshold,omitempty"`
}

// GetTransfersResponse holds the lists asked for.
type GetTransfersResponse struct {
	In      []TransferEntry `json:"in"`
	Out     []TransferEntry `json:"out"`
	Pending []TransferEntry `json:"pending"`
	Failed  []TransferEntry `json:"failed"`
	Pool    []TransferEntry `json:"pool"`
}

// GetTransfers returns the wallet's history.
var GetTransfers = rpc.Method[GetTransfersRequest, GetTransfersResponse]{Name: "get_transfers", Restricted: true}

// GetTransferByTxIDRequest names a transaction.
type GetTransferByTxIDRequest struct {
	TxID         string `json:"txid"`
	AccountIndex uint32 `json:"account_index"`
}

// GetTransferByTxIDResponse is what a transaction did to an account.
type GetTransferByTxIDResponse struct {
	Transfer  TransferEntry   `json:"transfer"`  // the first of the list
	Transfers []TransferEntry `json:"transfers"` // one a receiving address
}

// GetTransferByTxID returns one transaction's part in an account's history.
// Errors: CodeWrongTxID, also for a transaction the account has no part in; CodeAccountIndexOutOfBounds.
var GetTransferByTxID = rpc.Method[GetTransferByTxIDRequest, GetTransferByTxIDResponse]{Name: "get_transfer_by_txid", Restricted: true}
