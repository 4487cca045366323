package wallet

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/xmr"
)

// Dump returns the complete state, one line for each item in a fixed order, with the block IDs if blocks is set.
func (w *Wallet) Dump(blocks bool) []string {
	var out []string
	add := func(name string, v ...any) { out = append(out, name+": "+fmt.Sprint(v...)) }
	sorted := func(lines []string) { slices.Sort(lines); out = append(out, lines...) }
	add("multisig", w.identity.Multisig, w.multisigEnabled)
	for key, list := range w.cosigning.nonces {
		for i := range list {
			add("nonce", key, i, " ", [32]byte(list[i]))
		}
	}
	for key, list := range w.cosigning.received {
		add("told", key, list)
	}
	slices.Sort(out)
	add("lookahead", w.lookahead, " table ", w.table.filled().sizes, " of ", len(w.table.filled().index))
	for i, labels := range w.accounts {
		add("account", i, fmt.Sprintf(" %q", labels))
	}
	if blocks {
		add("blocks", w.chain.ids)
		add("reward", w.reward, " ", w.total)
		t := &w.notices
		for i, n := range t.list.slice(0, t.list.len()) {
			add("notice", t.first()+uint64(i), fmt.Sprintf(" %+v", n))
		}
		add(
			"notices", t.last, " ", sortedMap(t.latest, func(n uint64) string { return fmt.Sprint(n) }),
			t.delivered, t.mark, t.locks,
		)
		add("awaited", fmt.Sprintf("%+v ", t.leftOver(^uint64(0))), len(t.awaiting))
	}
	for i, o := range w.outputs {
		add("output", i, " ", w.byKey[o.Key], " ", w.byImage[begin(o.Image)], fmt.Sprintf(" %+v", o))
	}
	var lines []string
	for _, o := range w.burnt {
		lines = append(lines, fmt.Sprintf("burnt: %+v", o))
	}
	sorted(lines)
	add("sizes", len(w.byKey), " ", len(w.byImage))
	for _, p := range w.payments {
		add("payment", fmt.Sprintf("%+v", p))
	}
	add("spends", sortedMap(w.spends, func(s *Spend) string { return fmt.Sprintf("%+v", *s) }))
	add("spent by", sortedMap(w.spentBy, xmr.Hash.String))
	add("frozen", sortedMap(w.frozen, func(b bool) string { return fmt.Sprint(b) }))
	if w.takeover != nil {
		add("takeover", fmt.Sprintf("%+v", *w.takeover))
	}
	add("sent", sortedMap(w.sent, func(s *Sent) string {
		return fmt.Sprintf("%+v %x %v", *s, [32]byte(s.Key), plain(s.AdditionalKeys))
	}))
	add("drafts", sortedMap(w.drafts, func(s *Sent) string { return fmt.Sprintf("%+v", *s) }))
	add("notes", sortedMap(w.annotations.notes, strconv.Quote))
	add("attributes", fmt.Sprintf("%q %v %q", w.annotations.attributes, w.annotations.tags, w.annotations.described))
	add("book", fmt.Sprintf("%q", w.annotations.book))
	add("images", sortedMap(w.images, func(k KnownImage) string { return fmt.Sprintf("%+v", k) }))
	add("image owners", sortedMap(w.imageOwner, xmr.PublicKey.String))
	add("signed", sortedMap(w.txKeys, func(k TxKey) string {
		return fmt.Sprintf("%x %v", [32]byte(k.Key), plain(k.Additional))
	}))
	add("hidden", sortedMap(w.ringRecords, func(h *RingRecord) string { return fmt.Sprintf("%+v", *h) }))
	add("unmined", sortedMap(w.unmined, func(s *Sent) string { return fmt.Sprint(s.State, s.SentAt) }))
	out = append(out, w.ledger.dump()...)
	add("reserved", sortedMap(w.reserved, xmr.Hash.String))
	return out
}

// TableOf returns the complete address table.
func (w *Wallet) TableOf() map[xmr.PublicKey]keys.Index { return maps.Clone(w.table.filled().index) }

// TrailLength returns the number of block IDs kept.
func (w *Wallet) TrailLength() int { return len(w.chain.ids) }

// Burnt returns the number of outputs kept that cannot be spent.
func (w *Wallet) Burnt() int { return len(w.burnt) }

func plain(secrets []keys.Secret) (out [][32]byte) {
	for _, s := range secrets {
		out = append(out, s)
	}
	return out
}

func sortedMap[K interface {
	comparable
	fmt.Stringer
}, V any](m map[K]V, text func(V) string) string {
	var lines []string
	for k, v := range m {
		lines = append(lines, "\n"+k.String()+" "+text(v))
	}
	slices.Sort(lines)
	return fmt.Sprint(lines)
}

// dump returns the content of a ledger, without addresses that have no outputs.
func (l *ledger) dump() (out []string) {
	out = append(out, fmt.Sprint("marks: ", l.height, l.shared, l.marks))
	for _, major := range slices.Sorted(maps.Keys(l.accounts)) {
		a := l.accounts[major]
		if a.all.outputs == 0 {
			continue
		}
		out = append(
			out, fmt.Sprintf("ledger %d: %+v, waiting %v", major, a.all, slices.Sorted(slices.Values(a.waiting))),
		)
		for _, p := range a.addresses {
			if p.outputs > 0 {
				out = append(out, fmt.Sprintf("purse %d: %+v", major, *p))
			}
		}
	}
	return out
}

// Recounted returns the ledger computed from scratch.
func (w *Wallet) Recounted() []string {
	n := *w
	n.recount()
	return n.ledger.dump()
}

// Ledger returns the current ledger.
func (w *Wallet) Ledger() []string { return w.ledger.dump() }

// Balances returns AddressBalances by address.
func (w *Wallet) Balances(account uint32, strict bool, now uint64) map[uint32]Balance {
	out := map[uint32]Balance{}
	for _, b := range w.AddressBalances(account, nil, strict, now) {
		out[b.Minor] = b.Balance
	}
	return out
}

// Plain computes AddressBalances by plain sums over all outputs and transactions.
func (w *Wallet) Plain(account uint32, strict bool, now uint64) map[uint32]AddressBalance {
	out := map[uint32]AddressBalance{}
	clock := w.Clock(now)
	for i := range w.outputs {
		o := &w.outputs[i]
		if o.Address.Major != account || w.plainSpent(o, strict) || w.IsFrozen(o) {
			continue
		}
		b := out[o.Address.Minor]
		one := Balance{Total: o.Amount}
		if clock.Unlocked(o.UnlockTime, o.Height) {
			one.Unlocked = o.Amount
		} else {
			one.BlocksToUnlock, one.TimeToUnlock = clock.LockedFor(o.UnlockTime, o.Height)
		}
		b.Add(one)
		out[o.Address.Minor] = b
	}
	add := func(minor uint32, amount uint64) {
		b := out[minor]
		b.Add(Balance{Total: amount})
		out[minor] = b
	}
	for id, s := range w.sent {
		if strict || w.spends[id] != nil || s.Account != account || s.State == SendFailed || !w.holds(s) ||
			s.State == SendReorganised && w.pool[id] == nil {
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
		if strict {
			break
		}
		if p.Spend != nil && w.sent[id] == nil && p.Spend.Account == account {
			add(0, p.Spend.Change)
		}
		for _, pay := range p.Payments {
			if pay.Address.Major == account {
				add(pay.Address.Minor, pay.Amount)
			}
		}
	}
	for minor, b := range out {
		b.Minor, b.Unspent = minor, w.PlainUnspent(keys.Index{Major: account, Minor: minor})
		out[minor] = b
	}
	return out
}

// PlainUnspent computes UnspentOutputs by a plain count.
func (w *Wallet) PlainUnspent(i keys.Index) (n uint64) {
	for j := range w.outputs {
		if o := &w.outputs[j]; o.Address == i && !w.plainSpent(o, false) {
			n++
		}
	}
	return n
}

// plainSpent reports whether balances count o as spent.
func (w *Wallet) plainSpent(o *OwnedOutput, strict bool) bool {
	if id, reserved := w.reserved[o.Image]; reserved && !strict && o.ImageKnown {
		s, pool := w.sent[id], w.inPool[o.Image] != (xmr.Hash{})
		if _, mined := w.SpentBy(o); !mined && !pool && s.State == SendReorganised && w.pool[id] == nil {
			return false
		}
	}
	return w.IsSpent(o, strict)
}

// ownAddress returns the index of the wallet's address with this text.
func (w *Wallet) ownAddress(text string) (keys.Index, bool) {
	a, err := address.ParseFor(w.identity.Network, text)
	if err != nil {
		return keys.Index{}, false
	}
	return w.IndexOf(a.Spend)
}

// Clone returns w.clone().
func (w *Wallet) Clone() *Wallet { return w.clone() }
