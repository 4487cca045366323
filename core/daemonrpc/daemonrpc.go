// Package daemonrpc lists the operations of a Monero daemon with the fields they carry.
//
// It serves clients and servers of the contract alike. Hashes and keys that a daemon leaves empty in failing answers
// are plain strings here, as are all those of requests, because a daemon answers malformed ones with a status of its
// own; hashes that are always there are xmr types. Heights say whether they count blocks (the next index) or index one.
//
// Source: src/rpc/core_rpc_server_commands_defs.h and core_rpc_server.h.
package daemonrpc

// Values of the status member. Anything else is a failure in free text.
const (
	StatusOK              = "OK"
	StatusBusy            = "BUSY" // still synchronising: ask again later
	StatusNotMining       = "NOT MINING"
	StatusPaymentRequired = "PAYMENT REQUIRED"
	StatusFailed          = "Failed"
)

// Common is part of almost every answer.
type Common struct {
	Status    string `json:"status"`
	Untrusted bool   `json:"untrusted"` // the answer was passed on from a bootstrap daemon
}

// OK reports whether the daemon says it did what was asked.
func (c Common) OK() bool { return c.Status == StatusOK }

// StatusText returns the status, for code that handles all answers alike.
func (c Common) StatusText() string { return c.Status }

// SetStatus replaces the status.
func (c *Common) SetStatus(text string) { c.Status = text }

// SetUntrusted marks the answer as passed on from another daemon.
func (c *Common) SetUntrusted() { c.Untrusted = true }

// Metered is part of the answers that a daemon may charge for; without payments Credits is 0 and TopHash empty.
type Metered struct {
	Common
	Credits uint64 `json:"credits"`
	TopHash string `json:"top_hash"`
}

// Payer is part of the requests that a daemon may charge for.
type Payer struct {
	Client string `json:"client" epee:"omitempty"` // signed payment ID of the caller; empty without payments
}

// Anonymous takes the caller's ID out.
func (p *Payer) Anonymous() { p.Client = "" }

// None is the request of operations that take nothing.
type None struct{}

// PayerOnly is the request of operations that take nothing but the payer.
type PayerOnly struct{ Payer }

// Plain is the answer of operations that only succeed or fail.
type Plain struct{ Common }

// PlainMetered is Plain where a daemon may charge.
type PlainMetered struct{ Metered }
