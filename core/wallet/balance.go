package wallet

import (
	"glim/core/address"
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

// Balances returns the balance of every address of account that has or awaits money. Strict counts the chain alone;
// otherwise what is on its way, in or out, counts too. Frozen outputs never count.
// Source: src/wallet/wallet2.cpp, balance_per_subaddress, unlocked_balance_per_subaddress.
func (w *Wallet) Balances(account uint32, strict bool, now uint64) map[uint32]Balance {
	out := map[uint32]Balance{}
	clock := w.Clock(now)
	for i := range w.outputs {
		o := &w.outputs[i]
		if o.Address.Major != account {
			continue
		}
		if w.IsSpent(o, strict) || w.IsFrozen(o) {
			continue
		}
		b := out[o.Address.Minor]
		b.Total += o.Amount
		if clock.Unlocked(o.UnlockTime, o.Height) {
			b.Unlocked += o.Amount
		} else {
			blocks, seconds := clock.LockedFor(o.UnlockTime, o.Height)
			b.BlocksToUnlock = max(b.BlocksToUnlock, blocks)
			b.TimeToUnlock = max(b.TimeToUnlock, seconds)
		}
		out[o.Address.Minor] = b
	}
	if !strict {
		w.addOnTheWay(account, out)
	}
	return out
}

// addOnTheWay adds change and payments to oneself that no block holds yet.
func (w *Wallet) addOnTheWay(account uint32, out map[uint32]Balance) {
	add := func(minor uint32, amount uint64) {
		b := out[minor]
		b.Total += amount
		out[minor] = b
	}
	for _, s := range w.Unmined() {
		if s.Account != account || s.State == SendFailed || !w.holds(s) {
			continue
		}
		add(0, s.Change)
		for _, d := range s.Destinations {
			if i, ok := w.ownAddress(d.Address); ok && i.Major == account {
				add(i.Minor, d.Amount)
			}
		}
	}
	for id, p := range w.pool {
		if p.Spend != nil && w.sent[id] == nil && p.Spend.Account == account {
			add(0, p.Spend.Change)
		}
		for _, pay := range p.Payments {
			if pay.Address.Major == account {
				add(pay.Address.Minor, pay.Amount)
			}
		}
	}
}

// holds reports whether s is the one of several transactions spending the same outputs that counts.
func (w *Wallet) holds(s *Sent) bool {
	for _, r := range s.Rings {
		if w.reserved[r.Image] != s.TxID {
			return false
		}
	}
	return true
}

// AccountBalance sums Balances of account.
func (w *Wallet) AccountBalance(account uint32, strict bool, now uint64) Balance {
	var sum Balance
	for _, b := range w.Balances(account, strict, now) {
		sum.Add(b)
	}
	return sum
}

// Add sums two balances; the waits are the longer of each.
func (b *Balance) Add(o Balance) {
	b.Total += o.Total
	b.Unlocked += o.Unlocked
	b.BlocksToUnlock = max(b.BlocksToUnlock, o.BlocksToUnlock)
	b.TimeToUnlock = max(b.TimeToUnlock, o.TimeToUnlock)
}

// UnspentOutputs returns the number of outputs of address i that nothing spends.
func (w *Wallet) UnspentOutputs(i keys.Index) uint64 {
	n := uint64(0)
	for j := range w.outputs {
		if o := &w.outputs[j]; o.Address == i && !w.IsSpent(o, false) {
			n++
		}
	}
	return n
}

// ownAddress returns which of the wallet's addresses text is.
func (w *Wallet) ownAddress(text string) (keys.Index, bool) {
	a, err := address.ParseFor(w.origin.Network, text)
	if err != nil {
		return keys.Index{}, false
	}
	return w.IndexOf(a.Spend)
}
