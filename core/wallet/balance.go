package wallet

import (
	"cmp"

	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/xmr"
)

// Balance is the money of one address or of several. Amounts are in atomic units.
type Balance struct {
	Total          uint64
	Unlocked       uint64
	BlocksToUnlock uint64 // until all of Total is unlocked, as far as blocks decide
	TimeToUnlock   uint64 // seconds, likewise for unlock times that are dates
}

// Clock is what locks are measured by.
type Clock struct {
	Height uint64 // number of blocks the wallet has seen
	Now    uint64 // POSIX seconds
}

// LockedFor returns how long an output of block height stays locked: blocks, and seconds.
// Source: src/wallet/wallet2.cpp, is_transfer_unlocked, unlocked_balance_per_subaddress.
func (c Clock) LockedFor(unlockTime, height uint64) (blocks, seconds uint64) {
	if c.Unlocked(unlockTime, height) {
		return 0, 0
	}
	until := height + max(xmr.SpendableAge, xmr.LockedDeltaBlocks)
	if unlockTime < xmr.MaxHeightUnlock {
		until = max(until, unlockTime)
	} else if unlockTime > c.Now {
		seconds = unlockTime - c.Now
	}
	if until > c.Height {
		blocks = until - c.Height
	}
	return blocks, seconds
}

// Unlocked reports whether an output of block height with this unlock time may be spent.
func (c Clock) Unlocked(unlockTime, height uint64) bool {
	if height+xmr.SpendableAge > c.Height {
		return false
	}
	if unlockTime < xmr.MaxHeightUnlock {
		return c.Height-1+xmr.LockedDeltaBlocks >= unlockTime
	}
	return c.Now+xmr.LockedDeltaSeconds >= unlockTime
}

// Clock returns the wallet's clock at now, POSIX seconds.
func (w *Wallet) Clock(now uint64) Clock { return Clock{Height: w.Height(), Now: now} }

// AddressBalance is the balance of one address.
type AddressBalance struct {
	Minor uint32
	Balance
	Unspent uint64 // outputs that nothing spends, not even on its way, frozen ones included
}

// AddressBalances returns the balances of the given addresses of account, in the order given, or when none is given of
// every address that has or awaits money, ascending. Strict counts the chain alone; otherwise what is on its way, in or
// out, counts too. Frozen outputs never count. now is POSIX seconds. Its time grows with the addresses asked for and with
// what is locked or on its way, not with the outputs.
// Source: src/wallet/wallet2.cpp, balance_per_subaddress, unlocked_balance_per_subaddress.
func (w *Wallet) AddressBalances(account uint32, minors []uint32, strict bool, now uint64) []AddressBalance {
	a, v := w.ledger.accounts[account], w.way[account]
	if a == nil {
		a = &accountLedger{}
	}
	waits := map[uint32]Balance{}
	for _, n := range a.waiting {
		if o := &w.outputs[n]; strict || !w.isOnTheWay(o) {
			b := waits[o.Address.Minor]
			b.wait(o, w.Clock(now))
			waits[o.Address.Minor] = b
		}
	}
	row := func(minor uint32, p *purse) (b AddressBalance, has bool) {
		b = AddressBalance{Minor: minor, Balance: waits[minor]}
		var way *onTheWay
		if v != nil {
			way = v.byMinor[minor]
		}
		if p == nil {
			p = &purse{}
		}
		b.Unspent, has = p.unspent, p.counted > 0
		if way != nil {
			b.Unspent -= way.out.unspent
			if !strict {
				has = p.counted > way.out.counted || way.comes
			}
		}
		b.add(p, way, strict)
		return b, has
	}
	if len(minors) > 0 {
		out := make([]AddressBalance, len(minors))
		for i, minor := range minors {
			out[i], _ = row(minor, a.byMinor[minor])
		}
		return out
	}
	var out []AddressBalance
	for _, p := range a.purses {
		if b, has := row(p.minor, p); has {
			out = append(out, b)
		}
	}
	if v != nil && !strict {
		found := len(out)
		for minor, way := range v.byMinor {
			if way.comes && a.byMinor[minor] == nil {
				b, _ := row(minor, nil)
				out = append(out, b)
			}
		}
		if len(out) > found {
			order.Sort(out, func(a, b AddressBalance) int { return cmp.Compare(a.Minor, b.Minor) })
		}
	}
	return out
}

// AccountBalance returns the balance of all addresses of account together; see AddressBalances.
func (w *Wallet) AccountBalance(account uint32, strict bool, now uint64) Balance {
	a, v := w.ledger.accounts[account], w.way[account]
	if a == nil {
		a = &accountLedger{}
	}
	var b Balance
	for _, n := range a.waiting {
		if o := &w.outputs[n]; strict || !w.isOnTheWay(o) {
			b.wait(o, w.Clock(now))
		}
	}
	var way *onTheWay
	if v != nil {
		way = &v.all
	}
	b.add(&a.all, way, strict)
	return b
}

// wait enters an output that counts and is not settled: what a date unlocked, and how long the others take.
func (b *Balance) wait(o *Output, clock Clock) {
	if clock.Unlocked(o.UnlockTime, o.Height) {
		b.Unlocked = saturated(b.Unlocked, o.Amount)
		return
	}
	blocks, seconds := clock.LockedFor(o.UnlockTime, o.Height)
	b.BlocksToUnlock = max(b.BlocksToUnlock, blocks)
	b.TimeToUnlock = max(b.TimeToUnlock, seconds)
}

// add enters what is settled, and what is on its way unless strict.
func (b *Balance) add(p *purse, way *onTheWay, strict bool) {
	total, settled := p.total, p.settled
	if way != nil && !strict {
		total, settled = total.minus(way.out.total).plus(way.in), settled.minus(way.out.settled)
	}
	b.Total = total.atomic()
	b.Unlocked = saturated(b.Unlocked, settled.atomic())
}

// holds reports whether s is the one of several transactions spending the same outputs that counts.
func (w *Wallet) holds(s *Sent) bool {
	for _, image := range s.Images() {
		if w.reserved[image] != s.TxID {
			return false
		}
	}
	return true
}

// Add sums two balances; the waits are the longer of each. No sum exceeds what a number holds.
func (b *Balance) Add(o Balance) {
	b.Total = saturated(b.Total, o.Total)
	b.Unlocked = saturated(b.Unlocked, o.Unlocked)
	b.BlocksToUnlock = max(b.BlocksToUnlock, o.BlocksToUnlock)
	b.TimeToUnlock = max(b.TimeToUnlock, o.TimeToUnlock)
}

// saturated is a + b, or the largest number there is when it is more. No chain holds that much; a daemon that lies may.
func saturated(a, b uint64) uint64 {
	if s := a + b; s >= a {
		return s
	}
	return ^uint64(0)
}

// UnspentOutputs returns the number of outputs of address i that nothing spends.
func (w *Wallet) UnspentOutputs(i keys.Index) uint64 {
	return w.AddressBalances(i.Major, []uint32{i.Minor}, false, 0)[0].Unspent
}

// IsUsed reports whether address i has received anything.
func (w *Wallet) IsUsed(i keys.Index) bool {
	a := w.ledger.accounts[i.Major]
	return a != nil && a.byMinor[i.Minor] != nil && a.byMinor[i.Minor].outputs > 0
}
