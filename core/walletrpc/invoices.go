package walletrpc

import "glim/core/rpc"

// The largest numbers of invoices: that a wallet keeps, and that one response has.
const (
	MaxInvoices       = 10000
	MaxInvoicesAtOnce = 1000
)

// Invoice is a request for payment at an address of its own.
type Invoice struct {
	Address      string          `json:"address"`
	SubaddrIndex SubaddressIndex `json:"subaddr_index"`
	Label        string          `json:"label"`   // of the address; label_address changes it
	Amount       uint64          `json:"amount"`  // atomic units
	Created      uint64          `json:"created"` // seconds since 1970
	Expires      uint64          `json:"expires"` // seconds since 1970; 0 for never
	// how many confirmations the payment needs
	Required uint64 `json:"required_confirmations"`
	// pending: nothing has arrived, underpaid: less than the amount, seen: the amount, with too few confirmations,
	// confirmed: with enough, overpaid: as confirmed, and more than the amount, expired: nothing until the deadline,
	// late: the amount, but some of it after the deadline, cancelled
	State string `json:"state"`
	// what has arrived in blocks and in the pool, in atomic units, also after the deadline; without payments whose
	// payer has locked them for longer
	Received      uint64 `json:"received"`
	Confirmations uint64 `json:"confirmations"` // of the amount; 0 if it has not arrived
	// what has arrived, first what was seen first
	Payments []InvoicePayment `json:"payments"`
}

// InvoicePayment is what one transaction pays to the address of an invoice.
type InvoicePayment struct {
	TxID   string `json:"txid"`
	Amount uint64 `json:"amount"` // atomic units
	Height uint64 `json:"height"` // index of its block; 0 in the pool
	// when the wallet first saw it, or when its block was made if it was not seen in the pool; seconds since 1970
	Seen   uint64 `json:"seen"`
	Locked bool   `json:"locked"` // by the payer, so that it does not count yet
}

// CreateInvoiceRequest is what an invoice asks for.
type CreateInvoiceRequest struct {
	Amount       uint64 `json:"amount"` // atomic units, more than 0
	AccountIndex uint32 `json:"account_index"`
	Label        string `json:"label"`                               // of its address
	ExpiresIn    uint64 `json:"expires_in"`                          // seconds; 0 for never
	Required     uint64 `json:"required_confirmations" default:"10"` // up to 10000; 0 accepts payments in the pool
}

// CreateInvoice creates an address and an invoice for it. Both are stored before it is answered. An extension of glim.
// Errors: CodeZeroAmount, CodeAccountIndexOutOfBounds, and CodeUnknown for a deadline of more than 100 years, more than
// 10000 confirmations, or the wallet's 10001st invoice.
var CreateInvoice = rpc.Method[CreateInvoiceRequest, Invoice]{Name: "create_invoice", Restricted: true}

// GetInvoicesRequest chooses invoices. Empty lists choose all.
type GetInvoicesRequest struct {
	Addresses []string `json:"addresses"`
	States    []string `json:"states"`
	Offset    uint64   `json:"offset"`               // how many of these to leave out at the beginning
	Limit     uint64   `json:"limit" default:"1000"` // the largest number of invoices, up to 1000
}

// GetInvoicesResponse holds invoices, in the order in which they were created.
type GetInvoicesResponse struct {
	Invoices []Invoice `json:"invoices"`
	Total    uint64    `json:"total"` // how many were chosen, with those beyond the limit
}

// GetInvoices returns invoices with their states at this moment. An extension of glim. Errors: CodeWrongAddress for an
// address that has no invoice, and CodeUnknown for an unknown state.
var GetInvoices = rpc.Method[GetInvoicesRequest, GetInvoicesResponse]{Name: "get_invoices"}

// CancelInvoiceRequest names an invoice.
type CancelInvoiceRequest struct {
	Address string `json:"address"`
	Remove  bool   `json:"remove"` // forget it; its address stays
}

// CancelInvoice cancels an invoice, whatever has arrived. Its address stays valid: later payments are the wallet's. An
// extension of glim. Errors: CodeWrongAddress for an address that has no invoice.
var CancelInvoice = rpc.Method[CancelInvoiceRequest, Empty]{Name: "cancel_invoice", Restricted: true}
