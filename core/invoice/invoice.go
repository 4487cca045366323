// Package invoice decides whether requests for payment are paid: each asks for an amount at an address of its own,
// until a deadline, with a number of confirmations.
package invoice

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"glim/core/xmr"
)

// Limits of an invoice.
const (
	MaxConfirmations = 10_000
	// MaxTime is the largest number of seconds of a deadline: 100 years.
	MaxTime = 100 * 365 * 24 * 60 * 60
)

// Invoice is a request for payment.
type Invoice struct {
	Account, Address uint32 // index of the address
	Amount           uint64 // atomic units
	Created          uint64 // seconds since 1970
	Expires          uint64 // seconds since 1970; 0 for never
	Confirmations    uint64 // that a payment needs
	Notice           uint64 // number of the wallet's last notice when it was created
	Cancelled        bool
}

// ErrText reports a text that Invoice.Text has not returned.
var ErrText = errors.New("invoice: not an invoice")

// version is the first field of a text.
const version = "1"

func (i *Invoice) fields() []uint64 {
	cancelled := uint64(0)
	if i.Cancelled {
		cancelled = 1
	}
	return []uint64{uint64(i.Account), uint64(i.Address), i.Amount, i.Created, i.Expires, i.Confirmations, i.Notice,
		cancelled}
}

// Text returns the invoice as a text for Parse, of at most 200 bytes.
func (i *Invoice) Text() string {
	return version + " " + strings.Trim(fmt.Sprint(i.fields()), "[]")
}

// Parse returns the invoice of a text. It returns ErrText if Invoice.Text does not return such a text.
func Parse(text string) (i Invoice, err error) {
	list := strings.Split(text, " ")
	if len(list) != len(i.fields())+1 || list[0] != version {
		return i, ErrText
	}
	n := make([]uint64, len(list)-1)
	for k, field := range list[1:] {
		if n[k], err = strconv.ParseUint(field, 10, 64); err != nil {
			return Invoice{}, ErrText
		}
	}
	i = Invoice{Account: uint32(n[0]), Address: uint32(n[1]), Amount: n[2], Created: n[3], Expires: n[4],
		Confirmations: n[5], Notice: n[6], Cancelled: n[7] == 1}
	if i.Text() != text || i.Amount == 0 || i.Confirmations > MaxConfirmations {
		return Invoice{}, ErrText
	}
	return i, nil
}

// Payment is what one transaction pays to the address of an invoice.
type Payment struct {
	TxID   xmr.Hash
	Amount uint64 // atomic units
	Height uint64 // index of its block; 0 in the pool
	Seen   uint64 // when the wallet first saw it, in seconds since 1970
	Locked bool   // by an unlock time of the payer's choice; it does not count then
}

// State is the state of an invoice.
type State string

// The states.
const (
	Pending   State = "pending"   // nothing has arrived, and the deadline has not passed
	Underpaid State = "underpaid" // less than the amount has arrived
	Seen      State = "seen"      // the amount has arrived before the deadline; confirmations are missing
	Confirmed State = "confirmed" // the amount has arrived before the deadline, with enough confirmations
	Overpaid  State = "overpaid"  // as Confirmed, and more than the amount has arrived
	Expired   State = "expired"   // nothing has arrived, and the deadline has passed
	Late      State = "late"      // the amount has arrived, but some of it after the deadline
	Cancelled State = "cancelled" // whatever has arrived
)

// States returns all states.
func States() []State {
	return []State{Pending, Underpaid, Seen, Confirmed, Overpaid, Expired, Late, Cancelled}
}

// Status is the state of an invoice at one time.
type Status struct {
	State         State
	Received      uint64 // atomic units, before and after the deadline, without what is locked
	Confirmations uint64 // of the amount: that of the payment with the fewest that it needs; 0 if it has not arrived
}

// Status returns the status of an invoice when the chain has height blocks. payments are those to its address that are
// in the chain or in the pool, and now is in seconds since 1970.
func (i *Invoice) Status(payments []Payment, height, now uint64) Status {
	type part struct{ amount, confirmations uint64 }
	var s Status
	var all, inTime []part
	for _, p := range payments {
		if p.Locked {
			continue
		}
		one := part{p.Amount, 0}
		if p.Height > 0 && p.Height < height {
			one.confirmations = height - p.Height
		}
		s.Received = add(s.Received, p.Amount)
		all = append(all, one)
		if i.Expires == 0 || p.Seen <= i.Expires {
			inTime = append(inTime, one)
		}
	}
	// reached returns whether the parts have the amount, and the confirmations that it has.
	reached := func(parts []part) (bool, uint64) {
		slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(b.confirmations, a.confirmations) })
		sum := uint64(0)
		for _, p := range parts {
			if sum = add(sum, p.amount); sum >= i.Amount {
				return true, p.confirmations
			}
		}
		return false, 0
	}
	paid, confirmations := reached(inTime)
	late, lately := reached(all)
	s.Confirmations = max(confirmations, lately)
	switch {
	case i.Cancelled:
		s.State = Cancelled
	case paid && confirmations < i.Confirmations:
		s.State, s.Confirmations = Seen, confirmations
	case paid && s.Received > i.Amount:
		s.State, s.Confirmations = Overpaid, confirmations
	case paid:
		s.State, s.Confirmations = Confirmed, confirmations
	case late:
		s.State = Late
	case s.Received > 0:
		s.State = Underpaid
	case i.Expires > 0 && now > i.Expires:
		s.State = Expired
	default:
		s.State = Pending
	}
	return s
}

// add returns a + b, or the largest number.
func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
