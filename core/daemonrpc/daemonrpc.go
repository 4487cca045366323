// Package daemonrpc defines the operations of a Monero daemon, with their requests and responses.
//
// Clients and servers share it. Hashes and keys of requests are strings, because a daemon answers malformed ones with a
// status; so are those that are empty in failed responses. All other hashes are xmr types. The comment of a height
// states whether it is a number of blocks or the index of a block.
//
// Source: src/rpc/core_rpc_server_commands_defs.h and core_rpc_server.h.
package daemonrpc

// Values of the status field. Any other value is an error message.
const (
	StatusOK              = "OK"
	StatusBusy            = "BUSY" // still synchronising: try again later
	StatusNotMining       = "NOT MINING"
	StatusPaymentRequired = "PAYMENT REQUIRED"
	StatusFailed          = "Failed"
)

// Common is part of almost every response.
type Common struct {
	Status    string `json:"status"`
	Untrusted bool   `json:"untrusted"` // the response comes from a bootstrap daemon
}

// OK reports whether the status is OK.
func (c Common) OK() bool { return c.Status == StatusOK }

// StatusText returns the status. All responses have this method.
func (c Common) StatusText() string { return c.Status }

// SetStatus replaces the status.
func (c *Common) SetStatus(text string) { c.Status = text }

// SetUntrusted marks the response as that of another daemon.
func (c *Common) SetUntrusted() { c.Untrusted = true }

// Metered is part of the responses of operations that a daemon may charge for. Without RPC payment, Credits is 0 and
// TopHash is empty.
type Metered struct {
	Common
	Credits uint64 `json:"credits"`
	TopHash string `json:"top_hash"`
}

// Payer is part of the requests of operations that a daemon may charge for.
type Payer struct {
	Client string `json:"client" epee:"omitempty"` // signed payment ID of the client; empty without RPC payment
}

// Anonymous removes the ID of the client.
func (p *Payer) Anonymous() { p.Client = "" }

// None is a request without fields.
type None struct{}

// PayerOnly is a request without fields other than those of Payer.
type PayerOnly struct{ Payer }

// Plain is the response of operations that return only a status.
type Plain struct{ Common }

// PlainMetered is Plain for operations that a daemon may charge for.
type PlainMetered struct{ Metered }
