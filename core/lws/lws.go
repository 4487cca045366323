// Package lws is a light-wallet server: it scans the chain for accounts that deposit their view keys, and answers the
// REST interface that MyMonero and monero-lws serve. A Book holds the accounts and reads blocks, an API answers
// requests of wallets, and an Admin answers requests of the operator. The package does no I/O: it is given a store, a
// source of blocks and a daemon.
package lws

import (
	"errors"

	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Status says what the server does for an account.
type Status uint8

// The statuses.
const (
	Active   Status = iota // scanned, and served to its owner
	Inactive               // served to its owner, but not scanned
	Hidden                 // neither
)

var statuses = []string{"active", "inactive", "hidden"}

// String returns the name of the status in administrators' requests.
func (s Status) String() string { return statuses[s] }

// MarshalText returns the name of the status.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts the names of statuses.
func (s *Status) UnmarshalText(text []byte) error {
	for i, name := range statuses {
		if name == string(text) {
			*s = Status(i)
			return nil
		}
	}
	return errors.New("lws: status must be active, inactive or hidden")
}

// Address is the primary address of an account.
type Address struct{ Spend, View xmr.PublicKey }

// Account is a wallet that has deposited its view key.
type Account struct {
	ID      uint64
	Address Address
	View    keys.Secret
	Status  Status
	Start   uint64 // index of the first block that is scanned for the account
	// Live says that the account is scanned up to the top of the chain. Otherwise Next is the index of the next block
	// to scan, and Prev the ID of the block before it, or zero if it is not known.
	Live             bool
	Next             uint64
	Prev             xmr.Hash
	Created          uint64 // POSIX seconds
	Access           uint64 // time of the last request of the owner, in POSIX seconds
	GeneratedLocally bool   // the owner says that the wallet was new when the account was created
	// Imports counts the scans from an earlier block that were accepted without approval since ImportsFrom, in POSIX
	// seconds.
	Imports     uint32
	ImportsFrom uint64
	// Lookahead is the number of accounts, and of addresses in each of them, that are watched beyond the last ones
	// paid. LookaheadFail is the index of the first block at which the limit of subaddresses prevented that; 0 if none.
	Lookahead     Lookahead
	LookaheadFail uint64
	Subaddresses  []Subaddresses // in the order of Major
}

// Lookahead counts accounts and addresses.
type Lookahead struct {
	Major uint32 `json:"maj_i"`
	Minor uint32 `json:"min_i"`
}

// Output is an output that an account received.
type Output struct {
	Height    uint64 // index of the block
	Timestamp uint64 // of the block, POSIX seconds
	Position  int    // of the transaction in the block; the coinbase is 0
	TxID      xmr.Hash
	Prefix    xmr.Hash // hash of the transaction's prefix
	Index     int      // in the transaction
	Ref       Ref
	Amount    uint64 // atomic units
	Key       xmr.PublicKey
	TxKey     xmr.PublicKey // the public key of the transaction that the output was found with
	// Rct has the commitment, the encrypted mask and the encrypted amount of a RingCT output, 32 bytes each, the latter
	// two in the form from before Bulletproofs. For a coinbase it has zeros, the number 1 as the mask, and zeros. For
	// an output of the next hard fork, mask and amount are not encrypted.
	Rct        []byte
	Carrot     bool `json:",omitempty"` // of the next hard fork
	Coinbase   bool
	Mixin      uint32 // decoys in the transaction's last ring
	UnlockTime uint64
	Fee        uint64 // of the transaction, atomic units
	PaymentID  []byte // 8 or 32 bytes; nil for none
	At         keys.Index
}

// Ref identifies an output by its amount, which is 0 for RingCT, and its index among the outputs of that amount.
type Ref struct{ Amount, Index uint64 }

// Spend is a ring that contains an output of an account. The server cannot tell whether the ring spends the output or
// uses it as a decoy: the owner can, with the key image.
type Spend struct {
	Height     uint64 // index of the block
	Timestamp  uint64 // of the block, POSIX seconds
	Position   int    // of the transaction in the block
	Input      int    // in the transaction
	Member     int    // in the ring
	TxID       xmr.Hash
	Image      xmr.KeyImage
	Source     Ref
	Mixin      uint32 // decoys in the ring
	UnlockTime uint64
	Fee        uint64 // of the transaction, atomic units
	PaymentID  []byte // 32 bytes; nil for none
}

// Kind is what a request asks the operator for.
type Kind uint8

// The kinds.
const (
	Create Kind = iota // an account
	Import             // a scan from an earlier block, or with more subaddresses
)

var kinds = []string{"create", "import"}

// String returns the name of the kind in administrators' requests.
func (k Kind) String() string { return kinds[k] }

// MarshalText returns the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText accepts the names of kinds.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kinds {
		if name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return errors.New("lws: the type of a request must be create or import")
}

// Request is a request of an owner that the operator accepts or rejects.
type Request struct {
	Kind             Kind
	Address          Address
	View             keys.Secret // of Create
	Start            uint64      // index of the first block to scan
	Created          uint64      // POSIX seconds
	GeneratedLocally bool
	Lookahead        Lookahead
}

// Error is an error with the HTTP status of its response. Its text never contains a secret.
type Error struct {
	Status int
	Text   string
}

// Error returns the text.
func (e *Error) Error() string { return "lws: " + e.Text }

// HTTPStatus returns the status of the response.
func (e *Error) HTTPStatus() int { return e.Status }

// Errors of requests. ErrForbidden does not say whether the account or the view key is wrong, so that a client
// without the view key cannot find out whether an address has an account.
var (
	ErrForbidden       = &Error{403, "no account has this address and view key"}
	ErrNoCreation      = &Error{403, "no account has this address, and none was requested"}
	ErrDuplicate       = &Error{403, "the same request is already waiting for approval"}
	ErrQueueFull       = &Error{503, "too many requests wait for approval; try again later"}
	ErrMaxSubaddresses = &Error{409, "the limit of subaddresses would be exceeded"}
	ErrRange           = &Error{400, "invalid range of subaddresses"}
	ErrNotEnough       = &Error{400, "the account received less than the amount"}
	ErrTx              = &Error{400, "not a transaction"}
	ErrLimits          = &Error{400, "too many outputs requested"}
	ErrOldAmounts      = &Error{501, "decoys of outputs from before RingCT are not served"}
	ErrDaemon          = &Error{503, "the daemon does not answer"}
	ErrExists          = &Error{500, "the address already has an account"}
)

// invalid returns an error for a malformed request.
func invalid(format string, args ...any) error {
	return &Error{400, smallfmt.Sprintf(format, args...)}
}
