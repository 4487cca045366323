// Package txbuild makes transactions: it chooses the outputs to spend, lays out the transaction, proves and signs it,
// and checks the finished bytes.
package txbuild

import (
	"errors"
	"slices"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors that a caller can handle. Their texts are shown to users.
var (
	ErrNoDestination  = errors.New("no destinations for this transfer")
	ErrZeroAmount     = errors.New("amount to send is zero")
	ErrNotEnough      = errors.New("not enough money")
	ErrNotUnlocked    = errors.New("not enough unlocked money")
	ErrNotPossible    = errors.New("tx not possible")
	ErrTooManyOutputs = errors.New("too many destinations for one transaction")
	ErrTooHeavy       = errors.New("the transaction would be too large; send in several")
	ErrPaymentIDs     = errors.New("a transaction can carry one payment ID: send to integrated addresses one by one")
	ErrSubtract       = errors.New("subtract_fee_from_outputs names no destination of one transaction")
	ErrViewOnly       = errors.New("a view-only wallet cannot sign")
	ErrMismatch       = errors.New("txbuild: the finished transaction differs from the request; nothing was sent")
)

// Input is an output the wallet may spend.
type Input struct {
	TxID        xmr.Hash
	Index       uint64 // in its transaction
	GlobalIndex uint64
	Amount      uint64 // atomic units
	Mask        [32]byte
	Key         xmr.PublicKey
	Derivation  [32]byte
	Address     keys.Index
	Height      uint64 // of its block
	RingCT      bool
	// Tried marks an output that an earlier transaction spent and that failed, as far as known. It is chosen first, so
	// that at most one of the two transactions can be mined.
	Tried bool
}

// Commitment returns the output's commitment as on the chain. Outputs with a visible amount have mask 1.
func (in *Input) Commitment() [32]byte {
	mask, err := edwards.DecodeScalar(in.Mask)
	if err != nil {
		return [32]byte{} // not a commitment
	}
	return edwards.Commit(mask, in.Amount).Encode()
}

// Destination is a payment of an amount in atomic units to an address.
type Destination struct {
	Address address.Address
	Amount  uint64
	Text    string // the address as the user wrote it
}

func (d *Destination) subaddress() bool { return d.Address.Kind == address.Subaddress }

func sameKeys(a, b address.Address) bool { return a.Spend == b.Spend && a.View == b.View }

// Plan is a transaction with inputs and outputs, but without decoys and the exact fee.
type Plan struct {
	Inputs       []Input
	Destinations []Destination // without change
	Change       address.Address
	// ChangeShares are the proportions in which change is divided into outputs. Change is one output if they are empty.
	ChangeShares []uint64
	Fee          uint64 // the estimate the inputs suffice for
	// Subtract lists the destinations that pay the fee in equal parts; if empty, the sender pays.
	Subtract []int
	// Sweep divides the total of the inputs, less the fee, among the destinations, whose amounts are ignored.
	Sweep bool
}

// paying returns p with the amounts that remain after the fee. It returns ErrNotPossible when too little remains.
func (p Plan) paying(amount uint64) (Plan, error) {
	p.Fee = amount
	p.Destinations = slices.Clone(p.Destinations)
	if p.Sweep {
		return p, p.share()
	}
	return p, p.subtract()
}

// share gives every destination the same amount, and the first ones one atomic unit more until the remainder is used.
// Source: src/wallet/wallet2.cpp, create_transactions_from.
func (p *Plan) share() error {
	in, _, err := p.sums()
	n := uint64(len(p.Destinations))
	if err != nil || n == 0 || in < p.Fee || (in-p.Fee)/n == 0 {
		return ErrNotPossible
	}
	each, rest := (in-p.Fee)/n, (in-p.Fee)%n
	for i := range p.Destinations {
		p.Destinations[i].Amount = each
		if uint64(i) < rest {
			p.Destinations[i].Amount++
		}
	}
	return nil
}

// subtract deducts the fee from the destinations that pay it.
// Source: src/wallet/wallet2.cpp, create_transactions_2, get_adjusted_dsts.
func (p *Plan) subtract() error {
	n := uint64(len(p.Subtract))
	if n == 0 {
		return nil
	}
	each, rest := p.Fee/n, p.Fee%n
	for i, at := range p.Subtract {
		part := each
		if uint64(i) < rest {
			part++
		}
		if at >= len(p.Destinations) || p.Destinations[at].Amount <= part {
			return ErrNotPossible
		}
		p.Destinations[at].Amount -= part
	}
	return nil
}

func (p *Plan) sums() (in, out uint64, err error) {
	for i := range p.Inputs {
		if in, err = xmr.Sum(in, p.Inputs[i].Amount); err != nil {
			return 0, 0, err
		}
	}
	for i := range p.Destinations {
		if out, err = xmr.Sum(out, p.Destinations[i].Amount); err != nil {
			return 0, 0, err
		}
	}
	return in, out, nil
}

// paymentID returns the payment ID of the destinations' integrated address, if any. It returns ErrPaymentIDs when they
// differ.
func paymentID(ds []Destination) (*[8]byte, error) {
	var id *[8]byte
	for i := range ds {
		if ds[i].Address.Kind != address.Integrated {
			continue
		}
		if id != nil && *id != ds[i].Address.PaymentID {
			return nil, ErrPaymentIDs
		}
		id = &ds[i].Address.PaymentID
	}
	return id, nil
}

// Rate is the price of a byte of weight.
type Rate struct {
	Fees     fee.Estimate
	Priority fee.Priority
}

// fee returns the fee for a weight in atomic units.
func (r Rate) fee(weight uint64) (uint64, error) { return r.Fees.Fee(r.Priority, weight) }

// perByte returns the fee of one byte before rounding.
func (r Rate) perByte() uint64 { return r.Fees.PerByte(r.Priority) }

// mismatch wraps ErrMismatch with the difference.
func mismatch(format string, args ...any) error {
	return smallfmt.Errorf("%w: %s", ErrMismatch, smallfmt.Sprintf(format, args...))
}
