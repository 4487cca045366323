package wallet

import (
	"cmp"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/xmr"
)

// Balance is the balance of one or several addresses. Amounts are in atomic units.
type Balance struct {
	Total    uint64
	Unlocked uint64
	// BlocksToUnlock is the number of blocks until Total is unlocked. Until the next hard fork, which converts them to
	// blocks, it ignores unlock times that are dates.
	BlocksToUnlock uint64
	TimeToUnlock   uint64 // seconds until the last unlock time that is a date
}

// Clock is the time against which locks are measured.
type Clock struct {
	Height uint64 // number of blocks the wallet has scanned
	Now    uint64 // POSIX seconds
	Forked bool   // the last of these blocks is of the next hard fork, which converts unlock times to blocks
}

// LockedFor returns how long an output with this unlock time in the block with index height remains locked, in blocks
// and in seconds.
// Source: src/wallet/wallet2.cpp, is_transfer_unlocked, unlocked_balance_per_subaddress.
func (c Clock) LockedFor(unlockTime, height uint64) (blocks, seconds uint64) {
	if c.Unlocked(unlockTime, height) {
		return 0, 0
	}
	until := height + max(xmr.SpendableAge, xmr.LockedDeltaBlocks)
	switch {
	case unlockTime < xmr.MaxHeightUnlock:
		until = max(until, unlockTime)
	case keys.HasHierarchies && c.Forked:
		until = lastLocked(unlockTime, height) + 1
	case unlockTime > c.Now:
		seconds = unlockTime - c.Now
	}
	if until > c.Height {
		blocks = until - c.Height
	}
	return blocks, seconds
}

// Unlocked reports whether an output with this unlock time in the block with index height may be spent.
func (c Clock) Unlocked(unlockTime, height uint64) bool {
	if height+xmr.SpendableAge > c.Height {
		return false
	}
	if unlockTime < xmr.MaxHeightUnlock {
		return c.Height-1+xmr.LockedDeltaBlocks >= unlockTime
	}
	if keys.HasHierarchies && c.Forked {
		return lastLocked(unlockTime, height) < c.Height
	}
	return c.Now+xmr.LockedDeltaSeconds >= unlockTime
}

// Clock returns the wallet's clock at now, in POSIX seconds.
func (w *Wallet) Clock(now uint64) Clock {
	return Clock{Height: w.Height(), Now: now, Forked: w.forked}
}

// AddressBalance is the balance of one address.
type AddressBalance struct {
	Minor uint32
	Balance
	Unspent uint64 // number of outputs without a mined or pending spend, including frozen ones
}

// AddressBalances returns the balances of the addresses of account with the given minor indices, in that order;
// without indices, of every address with a balance or an incoming payment, ascending. If strict, only the chain
// counts; otherwise pending transactions count as well. Frozen outputs never count. now is in POSIX seconds. Its
// running time depends on the number of addresses and of locked and pending outputs only.
// Source: src/wallet/wallet2.cpp, balance_per_subaddress, unlocked_balance_per_subaddress.
func (w *Wallet) AddressBalances(account uint32, indices []uint32, strict bool, now uint64) []AddressBalance {
	a, v := w.ledger.accounts[account], w.pending[account]
	if a == nil {
		a = &accountLedger{}
	}
	waits := map[uint32]Balance{}
	for _, n := range a.waiting {
		if o := &w.outputs[n]; strict || !w.spentByPending(o) {
			b := waits[o.Address.Minor]
			b.wait(o, w.Clock(now))
			waits[o.Address.Minor] = b
		}
	}
	row := func(minor uint32, p *addressSums) (b AddressBalance, has bool) {
		b = AddressBalance{Minor: minor, Balance: waits[minor]}
		var way *pendingSums
		if v != nil {
			way = v.byMinor[minor]
		}
		if p == nil {
			p = &addressSums{}
		}
		b.Unspent, has = p.unspent, p.counted > 0
		if way != nil {
			b.Unspent -= way.out.unspent
			if !strict {
				has = p.counted > way.out.counted || way.incoming
			}
		}
		b.add(p, way, strict)
		return b, has
	}
	if len(indices) > 0 {
		out := make([]AddressBalance, len(indices))
		for i, minor := range indices {
			out[i], _ = row(minor, a.byMinor[minor])
		}
		return out
	}
	var out []AddressBalance
	for _, p := range a.addresses {
		if b, has := row(p.minor, p); has {
			out = append(out, b)
		}
	}
	if v != nil && !strict {
		found := len(out)
		for minor, way := range v.byMinor {
			if way.incoming && a.byMinor[minor] == nil {
				b, _ := row(minor, nil)
				out = append(out, b)
			}
		}
		if len(out) > found {
			smallsort.Sort(out, func(a, b AddressBalance) int { return cmp.Compare(a.Minor, b.Minor) })
		}
	}
	return out
}

// AccountBalance returns the balance of all addresses of account together, see AddressBalances.
func (w *Wallet) AccountBalance(account uint32, strict bool, now uint64) Balance {
	a, v := w.ledger.accounts[account], w.pending[account]
	if a == nil {
		a = &accountLedger{}
	}
	var b Balance
	for _, n := range a.waiting {
		if o := &w.outputs[n]; strict || !w.spentByPending(o) {
			b.wait(o, w.Clock(now))
		}
	}
	var way *pendingSums
	if v != nil {
		way = &v.all
	}
	b.add(&a.all, way, strict)
	return b
}

// wait adds an output that is not settled: its amount if a date has unlocked it, otherwise the time until it unlocks.
func (b *Balance) wait(o *OwnedOutput, clock Clock) {
	if clock.Unlocked(o.UnlockTime, o.Height) {
		b.Unlocked = saturated(b.Unlocked, o.Amount)
		return
	}
	blocks, seconds := clock.LockedFor(o.UnlockTime, o.Height)
	b.BlocksToUnlock = max(b.BlocksToUnlock, blocks)
	b.TimeToUnlock = max(b.TimeToUnlock, seconds)
}

// add adds settled outputs and, unless strict, pending transactions.
func (b *Balance) add(p *addressSums, way *pendingSums, strict bool) {
	total, settled := p.total, p.settled
	if way != nil && !strict {
		total, settled = total.minus(way.out.total).plus(way.in), settled.minus(way.out.settled)
	}
	b.Total = total.atomic()
	b.Unlocked = saturated(b.Unlocked, settled.atomic())
}

// holds reports whether s holds all outputs it spends: of several transactions that spend the same outputs, only one
// counts.
func (w *Wallet) holds(s *Sent) bool {
	for _, image := range s.Images() {
		if w.reserved[image] != s.TxID {
			return false
		}
	}
	return true
}

// Add adds o to b. Sums saturate at the maximum of uint64; the times to unlock are the longer of both.
func (b *Balance) Add(o Balance) {
	b.Total = saturated(b.Total, o.Total)
	b.Unlocked = saturated(b.Unlocked, o.Unlocked)
	b.BlocksToUnlock = max(b.BlocksToUnlock, o.BlocksToUnlock)
	b.TimeToUnlock = max(b.TimeToUnlock, o.TimeToUnlock)
}

// saturated returns a + b, or the maximum of uint64 if the sum overflows, which only a malicious daemon can cause.
func saturated(a, b uint64) uint64 {
	if s := a + b; s >= a {
		return s
	}
	return ^uint64(0)
}

// UnspentOutputs returns the number of outputs of address i without a mined or pending spend.
func (w *Wallet) UnspentOutputs(i keys.Index) uint64 {
	return w.AddressBalances(i.Major, []uint32{i.Minor}, false, 0)[0].Unspent
}

// IsUsed reports whether address i has received anything.
func (w *Wallet) IsUsed(i keys.Index) bool {
	a := w.ledger.accounts[i.Major]
	return a != nil && a.byMinor[i.Minor] != nil && a.byMinor[i.Minor].outputs > 0
}
