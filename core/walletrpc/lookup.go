package walletrpc

import "glim/core/rpc"

// GetPaymentsRequest is a payment ID.
type GetPaymentsRequest struct {
	PaymentID string `json:"payment_id"` // 16 or 64 hex digits
}

// Payment is an output received with a payment ID.
type Payment struct {
	PaymentID   string `json:"payment_id"`
	TxHash      string `json:"tx_hash"`
	Amount      uint64 `json:"amount"`       // atomic units
	BlockHeight uint64 `json:"block_height"` // index of its block
	// block index, or seconds since 1970 from 500000000 on; 0 if not locked
	UnlockTime   uint64          `json:"unlock_time"`
	Locked       bool            `json:"locked"`
	SubaddrIndex SubaddressIndex `json:"subaddr_index"`
	Address      string          `json:"address"`
}

// GetPaymentsResponse lists payments.
type GetPaymentsResponse struct {
	Payments []Payment `json:"payments"`
}

// GetPayments returns the payments received with a payment ID. Errors: CodeWrongPaymentID.
var GetPayments = rpc.Method[GetPaymentsRequest, GetPaymentsResponse]{Name: "get_payments"}

// GetBulkPaymentsRequest is a list of payment IDs and the height to begin at.
type GetBulkPaymentsRequest struct {
	PaymentIDs     []string `json:"payment_ids"`      // 16 or 64 hex digits each; empty for every payment
	MinBlockHeight uint64   `json:"min_block_height"` // blocks above this index only
}

// GetBulkPayments returns the payments received with any of several payment IDs. Errors: CodeWrongPaymentID.
var GetBulkPayments = rpc.Method[GetBulkPaymentsRequest, GetPaymentsResponse]{Name: "get_bulk_payments"}

// IncomingTransfersRequest filters the received outputs.
type IncomingTransfersRequest struct {
	TransferType   string   `json:"transfer_type"` // all, available (unspent) or unavailable (spent)
	AccountIndex   uint32   `json:"account_index"`
	SubaddrIndices []uint32 `json:"subaddr_indices"` // empty for all
}

// IncomingTransfer is one received output.
type IncomingTransfer struct {
	Amount       uint64          `json:"amount"` // atomic units
	Spent        bool            `json:"spent"`
	GlobalIndex  uint64          `json:"global_index"`
	TxHash       string          `json:"tx_hash"`
	SubaddrIndex SubaddressIndex `json:"subaddr_index"`
	KeyImage     string          `json:"key_image"`    // empty if unknown, as in a view-only wallet
	PubKey       string          `json:"pubkey"`       // one-time public key
	BlockHeight  uint64          `json:"block_height"` // index of its block
	Frozen       bool            `json:"frozen"`
	Unlocked     bool            `json:"unlocked"`
}

// IncomingTransfersResponse lists outputs in the order of the chain.
type IncomingTransfersResponse struct {
	Transfers []IncomingTransfer `json:"transfers"`
}

// IncomingTransfers returns the outputs received by an account. Errors: CodeTransferType.
var IncomingTransfers = rpc.Method[IncomingTransfersRequest, IncomingTransfersResponse]{Name: "incoming_transfers"}

// GetTransfersRequest selects and filters lists of transfers.
type GetTransfersRequest struct {
	In             bool     `json:"in"`
	Out            bool     `json:"out"`
	Pending        bool     `json:"pending"`
	Failed         bool     `json:"failed"`
	Pool           bool     `json:"pool"`
	FilterByHeight bool     `json:"filter_by_height"`               // apply min_height and max_height
	MinHeight      uint64   `json:"min_height"`                     // blocks above this index
	MaxHeight      uint64   `json:"max_height" default:"500000000"` // blocks up to this index
	AccountIndex   uint32   `json:"account_index"`
	SubaddrIndices []uint32 `json:"subaddr_indices"` // empty for all
	AllAccounts    bool     `json:"all_accounts"`    // ignore the two fields above
}

// TransferEntry is a transaction from the point of view of the wallet.
type TransferEntry struct {
	TxID      string   `json:"txid"`
	PaymentID string   `json:"payment_id"` // 16 hex digits, or 64 if long; zeros for none
	Height    uint64   `json:"height"`     // index of its block; 0 if not mined
	Timestamp uint64   `json:"timestamp"`  // seconds since 1970, of its block, or when first seen
	Amount    uint64   `json:"amount"`     // atomic units
	Amounts   []uint64 `json:"amounts"`    // of each received output, atomic units
	Fee       uint64   `json:"fee"`        // atomic units
	// ChangeAmount is what an outgoing transfer returns to its account, in atomic units. From 0.19 on.
	ChangeAmount uint64        `json:"change_amount,omitempty"`
	Note         string        `json:"note"`
	Destinations []Destination `json:"destinations"` // of outgoing transfers
	Type         string        `json:"type"`         // in, out, pending, failed, pool or block
	// block index, or seconds since 1970 from 500000000 on; 0 if not locked
	UnlockTime      uint64            `json:"unlock_time"`
	Locked          bool              `json:"locked"`
	SubaddrIndex    SubaddressIndex   `json:"subaddr_index"`
	SubaddrIndices  []SubaddressIndex `json:"subaddr_indices"`
	Address         string            `json:"address"`
	DoubleSpendSeen bool              `json:"double_spend_seen"`
	Confirmations   uint64            `json:"confirmations,omitempty"`
	// SuggestedConfirmationsThreshold is the number of confirmations to wait for with this amount.
	SuggestedConfirmationsThreshold uint64 `json:"suggested_confirmations_threshold,omitempty"`
}

// GetTransfersResponse holds the requested lists.
type GetTransfersResponse struct {
	In      []TransferEntry `json:"in"`
	Out     []TransferEntry `json:"out"`
	Pending []TransferEntry `json:"pending"`
	Failed  []TransferEntry `json:"failed"`
	Pool    []TransferEntry `json:"pool"`
}

// GetTransfers returns the wallet's history. For clients of a restricted service it does not ask the daemon for its
// pool. The reference denies it to them up to 0.18.5.1.
var GetTransfers = rpc.Method[GetTransfersRequest, GetTransfersResponse]{Name: "get_transfers"}

// GetTransferByTxIDRequest selects a transaction of an account.
type GetTransferByTxIDRequest struct {
	TxID         string `json:"txid"`
	AccountIndex uint32 `json:"account_index"`
}

// GetTransferByTxIDResponse is the transfers of a transaction in an account.
type GetTransferByTxIDResponse struct {
	Transfer  TransferEntry   `json:"transfer"`  // the first of the list
	Transfers []TransferEntry `json:"transfers"` // one for each receiving address
}

// GetTransferByTxID returns the transfers of a transaction in an account.
// Errors: CodeWrongTxID, also if the transaction does not concern the account; CodeAccountIndexOutOfBounds.
// For clients of a restricted service it is like GetTransfers.
var GetTransferByTxID = rpc.Method[GetTransferByTxIDRequest, GetTransferByTxIDResponse]{
	Name: "get_transfer_by_txid",
}
