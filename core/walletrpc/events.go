package walletrpc

import "glim/core/rpc"

// Types of events. Those of transfers have a number of their own; the others tell how things stand and are not kept.
const (
	EventPool        = "pool"        // a transfer was seen in the daemon's pool
	EventConfirmed   = "confirmed"   // a block holds it
	EventUnlocked    = "unlocked"    // what it brought can be spent
	EventReorganised = "reorganised" // the block that held it, of index height, is not on the chain any more
	EventHeight      = "height"      // the wallet has seen height blocks
	EventSync        = "sync"        // the wallet has seen height blocks of target_height
	EventLost        = "lost"        // there are events before cursor that are no longer kept: read get_transfers
	EventWarning     = "warning"     // text says what the wallet's file told when it was opened
	EventTakeover    = "takeover"    // text says what the wallet took over from monero-wallet-rpc's cache
	EventClosed      = "closed"      // the wallet was closed; nothing follows
	EventShutdown    = "shutdown"    // the service ends; nothing follows
)

// Event is something that happened. Members that do not apply are left out, and numbers that are 0. A transfer is what one transaction brought to one
// address, or what it took from one account.
type Event struct {
	// Cursor is the number of this event, or of the last one before an event without a number. Asked for what is after it, the
	// wallet tells what comes next.
	Cursor       uint64           `json:"cursor"`
	Type         string           `json:"type"`
	Direction    string           `json:"direction,omitempty"` // in or out
	TxID         string           `json:"txid,omitempty"`
	PaymentID    string           `json:"payment_id,omitempty"`    // 16 hex digits, or 64 when long; zeros for none
	SubaddrIndex *SubaddressIndex `json:"subaddr_index,omitempty"` // that received; of what was sent, the account's first
	Address      string           `json:"address,omitempty"`
	Amount       uint64           `json:"amount,omitempty"` // atomic units, without fee and change
	Fee          uint64           `json:"fee,omitempty"`    // atomic units
	Height       uint64           `json:"height,omitempty"` // of transfers the index of the block, of height and sync a number of blocks
	TargetHeight uint64           `json:"target_height,omitempty"`
	Timestamp    uint64           `json:"timestamp,omitempty"`   // POSIX, of the block, or when first seen
	UnlockTime   uint64           `json:"unlock_time,omitempty"` // block index, or POSIX time from 500000000 on
	Coinbase     bool             `json:"coinbase,omitempty"`    // a mining reward
	Text         string           `json:"text,omitempty"`        // of a warning and a takeover, for people
}

// MaxEvents is how many events one answer holds at most.
const MaxEvents = 10000

// GetEventsRequest says what is known already.
type GetEventsRequest struct {
	Cursor uint64 `json:"cursor"`               // of the last event known; 0 for none
	Limit  uint64 `json:"limit" default:"1000"` // events, at most MaxEvents
}

// GetEventsResponse holds the events after a cursor, oldest first.
type GetEventsResponse struct {
	Events []Event `json:"events"`
	Cursor uint64  `json:"cursor"` // to ask with next
	// Lost says that events after the cursor asked with are no longer kept, or that the wallet never had it. Then there are no
	// events here: get_transfers, asked now, knows what they told, and Cursor is where to go on.
	Lost bool `json:"lost"`
}

// GetEvents returns what happened to transfers since a cursor. Glim's own.
var GetEvents = rpc.Method[GetEventsRequest, GetEventsResponse]{Name: "get_events", Restricted: true}
