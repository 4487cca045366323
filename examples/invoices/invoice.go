package main

import (
	"time"

	"glim/core/walletrpc"
	"glim/core/xmr"
)

// invoice requests an amount at an address that belongs to no other invoice.
type invoice struct {
	order    string
	address  string
	price    uint64 // atomic units
	expires  time.Time
	payments map[string]*payment // by transaction ID
}

// payment is what one transaction pays to an invoice.
type payment struct {
	amount uint64 // atomic units
	height uint64 // index of its block; 0 in the pool
	seen   time.Time
	locked bool // by an unlock time of the payer's choice
	gone   bool // its block left the chain, and it is not in the pool again yet
}

// The states of an invoice.
const (
	open       = "open"       // before the deadline, and not paid in full
	expired    = "expired"    // after the deadline, and not paid in full: anything received is to be returned
	confirming = "confirming" // paid in full before the deadline, with too few confirmations
	paid       = "paid"       // as confirming, with enough confirmations: deliver
	late       = "late"       // paid in full after the deadline: accept or return it by hand
)

// confirmations returns how many blocks a payment of this amount needs. A payment in the pool can still be replaced by
// another that spends the same outputs, and blocks at the top can be replaced; both cost an attacker more than a small
// amount is worth. Ten blocks later the amount can be spent.
func confirmations(amount uint64) uint64 {
	switch {
	case amount <= xmr.Coin/10:
		return 0
	case amount <= xmr.Coin:
		return 1
	case amount <= 20*xmr.Coin:
		return 3
	default:
		return xmr.SpendableAge
	}
}

// state returns the state at a time, when the chain has height blocks, and what is overpaid, in atomic units.
func (i *invoice) state(height uint64, now time.Time) (state string, over uint64) {
	var all, inTime, deep uint64 // what was paid, of it before the deadline, of it with enough confirmations
	for _, p := range i.payments {
		if p.gone || p.locked {
			continue
		}
		all += p.amount
		if p.seen.After(i.expires) {
			continue
		}
		inTime += p.amount
		needed := confirmations(i.price)
		if needed == 0 || p.height > 0 && height >= p.height+needed {
			deep += p.amount
		}
	}
	switch {
	case deep >= i.price:
		return paid, all - i.price
	case inTime >= i.price:
		return confirming, all - i.price
	case all >= i.price:
		return late, all - i.price
	case now.After(i.expires):
		return expired, 0
	}
	return open, 0
}

// apply records an event of the invoice's address.
func (i *invoice) apply(e walletrpc.Event) {
	p := i.payments[e.TxID]
	if p == nil {
		p = &payment{amount: e.Amount, seen: time.Unix(int64(e.Timestamp), 0), locked: e.UnlockTime > 0}
		i.payments[e.TxID] = p
	}
	switch e.Type {
	case walletrpc.EventPool:
		p.height, p.gone = 0, false
	case walletrpc.EventConfirmed:
		p.height, p.gone = e.Height, false
	case walletrpc.EventUnlocked:
		p.locked = false
	case walletrpc.EventReorganised:
		p.height, p.gone = 0, true
	}
}

// book holds the invoices of a wallet. A shop stores it in its database, in one transaction with each event.
type book struct {
	invoices map[string]*invoice // by address
	cursor   uint64              // of the last numbered event
	height   uint64              // number of blocks
}

func (b *book) add(i *invoice) {
	i.payments = map[string]*payment{}
	b.invoices[i.address] = i
}

// apply records an event of the wallet. A numbered event that arrives again changes nothing.
func (b *book) apply(e walletrpc.Event) {
	if e.Type == walletrpc.EventHeight {
		b.height = e.Height
	}
	if e.TxID == "" || e.Cursor <= b.cursor {
		return
	}
	b.cursor = e.Cursor
	if i := b.invoices[e.Address]; i != nil && e.Direction == "in" {
		i.apply(e)
	}
}
