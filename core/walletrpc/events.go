package walletrpc

import "glim/core/rpc"

// Types of events. Events of transfers are numbered and stored; the others report a state and are not stored.
const (
	EventPool        = "pool"        // the transfer was seen in the daemon's pool
	EventConfirmed   = "confirmed"   // the transfer was mined in a block
	EventUnlocked    = "unlocked"    // the received amount became spendable
	EventReorganised = "reorganised" // the transfer's block, of index height, left the chain
	EventInvoice     = "invoice"     // the invoice with address has another invoice_state: call get_invoices
	EventHeight      = "height"      // the wallet has scanned height blocks
	EventSync        = "sync"        // the wallet has scanned height of target_height blocks
	EventProving     = "proving"     // percent of the work for a transaction with membership proofs is done
	EventLost        = "lost"        // events before cursor are no longer stored: call get_transfers
	EventWarning     = "warning"     // text describes a problem found in the wallet file when it was opened
	EventTakeover    = "takeover"    // text describes what was imported from monero-wallet-rpc's cache
	EventClosed      = "closed"      // the wallet was closed; the last event
	EventShutdown    = "shutdown"    // the service shuts down; the last event
)

// Event reports a change of a transfer or of the wallet. Fields that do not apply are omitted, as are zero numbers. A
// transfer is the amount that one transaction pays to one address, or spends from one account.
type Event struct {
	// Cursor is the number of this event or, for an event without a number, of the last numbered one. A request with
	// this cursor continues after this event.
	Cursor    uint64 `json:"cursor"`
	Type      string `json:"type"`
	Direction string `json:"direction,omitempty"` // in or out
	TxID      string `json:"txid,omitempty"`
	PaymentID string `json:"payment_id,omitempty"` // 16 hex digits, or 64 if long; zeros for none
	// the receiving address; for an outgoing transfer, the first address of the account
	SubaddrIndex *SubaddressIndex `json:"subaddr_index,omitempty"`
	Address      string           `json:"address,omitempty"`
	Amount       uint64           `json:"amount,omitempty"` // atomic units, without fee and change
	Fee          uint64           `json:"fee,omitempty"`    // atomic units
	// transfers: index of the block; height and sync: number of blocks
	Height       uint64 `json:"height,omitempty"`
	TargetHeight uint64 `json:"target_height,omitempty"`
	Percent      uint64 `json:"percent,omitempty"`     // of proving
	Timestamp    uint64 `json:"timestamp,omitempty"`   // seconds since 1970, of the block, or when first seen
	UnlockTime   uint64 `json:"unlock_time,omitempty"` // block index, or seconds since 1970 from 500000000 on
	Coinbase     bool   `json:"coinbase,omitempty"`    // a mining reward
	// state of the invoice with address when the event is read; empty without one. See Invoice.
	InvoiceState string `json:"invoice_state,omitempty"`
	Text         string `json:"text,omitempty"` // of warning and takeover, human readable
}

// MaxEvents is the largest number of events in one response.
const MaxEvents = 10000

// GetEventsRequest is the position to continue from.
type GetEventsRequest struct {
	Cursor uint64 `json:"cursor"`               // of the last event received; 0 for the beginning
	Limit  uint64 `json:"limit" default:"1000"` // largest number of events, up to MaxEvents
}

// GetEventsResponse holds the events after a cursor, oldest first.
type GetEventsResponse struct {
	Events []Event `json:"events"`
	Cursor uint64  `json:"cursor"` // for the next request
	// Lost means that events after the requested cursor are no longer stored, or that the wallet never had that cursor.
	// The response then has no events: call get_transfers for the current state, and continue from Cursor.
	Lost bool `json:"lost"`
}

// GetEvents returns the events of transfers after a cursor. An extension of glim.
var GetEvents = rpc.Method[GetEventsRequest, GetEventsResponse]{Name: "get_events", Restricted: true}
