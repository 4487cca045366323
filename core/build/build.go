// Package build makes transactions: which outputs to spend, how the result looks, its proofs and its final check.
package build

import (
	"errors"
	"slices"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/xmr"
)

// Errors a caller can act on. Messages are for people and reach the client.
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
	ErrInsane         = errors.New("build: the finished transaction is not what was asked for; nothing was sent")
)

// Input is an output the wallet may spend.
type Input struct {
	TxID       xmr.Hash
	Index      uint64 // in its transaction
	Global     uint64
	Amount     uint64 // atomic units
	Mask       [32]byte
	Key        xmr.PublicKey
	Derivation [32]byte
	Address    keys.Index
	Height     uint64 // of its block
	RingCT     bool
	// Tried says that an earlier transaction spent it and failed, as far as known. It is chosen before others, so that of the
	// two at most one can be mined.
	Tried bool
}

// Commitment returns the output's commitment as the chain has it. The masks of outputs that hid no amount are 1.
func (in *Input) Commitment() [32]byte {
	mask, err := edwards.DecodeScalar(in.Mask)
	if err != nil {
		return [32]byte{} // no commitment is that
	}
	return edwards.Commit(mask, in.Amount).Encode()
}

// Destination is who gets how much, in atomic units.
type Destination struct {
	Address address.Address
	Amount  uint64
	Text    string // the address as the user wrote it, for the records
}

func (d *Destination) subaddress() bool { return d.Address.Kind == address.Subaddress }

func sameKeys(a, b address.Address) bool { return a.Spend == b.Spend && a.View == b.View }

// Plan is a transaction decided on but for its decoys and its exact fee.
type Plan struct {
	Inputs       []Input
	Destinations []Destination // without change
	Change       address.Address
	Fee          uint64 // the estimate the inputs suffice for
	// Subtract lists the destinations that pay the fee, in equal parts; none for the sender.
	Subtract []int
	// Sweep shares all that the inputs hold, less the fee, among the destinations; their amounts say nothing.
	Sweep bool
}

// paying returns p with the amounts that remain when the fee is fee. ErrNotPossible when too little does.
func (p Plan) paying(fee uint64) (Plan, error) {
	p.Fee = fee
	p.Destinations = slices.Clone(p.Destinations)
	if p.Sweep {
		return p, p.share()
	}
	return p, p.subtract()
}

// share gives every destination as much as the others, and the first ones an atomic unit more while there is a rest.
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

// subtract takes the fee from the destinations that pay it.
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

// paymentID returns the payment ID of the destinations' integrated address, if there is one; ErrPaymentIDs when
// there are different ones.
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

// Rate is what a byte of weight costs.
type Rate struct {
	Fees     fee.Estimate
	Priority fee.Priority
}

// fee returns the fee of so much weight in atomic units.
func (r Rate) fee(weight uint64) (uint64, error) { return r.Fees.Fee(r.Priority, weight) }

// perByte returns the fee of one byte before rounding.
func (r Rate) perByte() uint64 { return r.Fees.PerByte(r.Priority) }

// insane wraps ErrInsane with what is wrong.
func insane(format string, args ...any) error {
	return say.Errorf("%w: %s", ErrInsane, say.Sprintf(format, args...))
}
