package lws

import (
	"cmp"
	"encoding/hex"
	"errors"
	"slices"

	"glim/core/keys"
	"glim/core/smallfmt"
)

// Event is what a webhook reports.
type Event uint8

// The events.
const (
	Confirmation Event = iota // a payment to an account, at each of its first confirmations
	NewAccount                // a new account, or a request for one
	Spent                     // a ring that contains an output of an account
)

var events = []string{"tx-confirmation", "new-account", "tx-spend"}

// String returns the name of the event in administrators' requests.
func (e Event) String() string { return events[e] }

// MarshalText returns the name of the event.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText accepts the names of events.
func (e *Event) UnmarshalText(text []byte) error {
	for i, name := range events {
		if name == string(text) {
			*e = Event(i)
			return nil
		}
	}
	return errors.New("lws: the type of a webhook must be tx-confirmation, new-account or tx-spend")
}

// HookID identifies a webhook.
type HookID [16]byte

// MarshalText returns 32 hexadecimal digits.
func (h HookID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText accepts 32 hexadecimal digits.
func (h *HookID) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return invalid("event_ids must have 32 hexadecimal digits each")
	}
	if _, err := hex.Decode(h[:], text); err != nil {
		return invalid("event_ids must have 32 hexadecimal digits each")
	}
	return nil
}

// Hook is a webhook: calls of a URL report events.
type Hook struct {
	ID      HookID
	Event   Event
	Account uint64 // 0 for NewAccount
	// PaymentID selects payments with this ID; zeros select all payments.
	PaymentID     [8]byte
	Token         string // is sent in each call
	Confirmations uint32 // number of confirmations that are reported, each with a call
	URL           string
}

// Limits of webhooks.
const (
	maxHooks         = 10_000
	maxToken         = 1 << 10 // bytes
	maxURL           = 2 << 10 // bytes
	maxConfirmations = 1000
)

// check returns an error for fields that are not accepted.
func (h *Hook) check() error {
	switch {
	case len(h.URL) > maxURL:
		return invalid("url has more than %d bytes", maxURL)
	case len(h.Token) > maxToken:
		return invalid("token has more than %d bytes", maxToken)
	case h.Confirmations > maxConfirmations:
		return invalid("confirmations must not exceed %d", maxConfirmations)
	}
	return nil
}

// Errors of webhooks.
var (
	ErrHookAddress = &Error{400, "address must be that of an account for tx-confirmation and tx-spend, and be absent " +
		"for new-account"}
	ErrHooksFull = &Error{503, "too many webhooks; delete some first"}
)

// hooks are the webhooks of a Book, and the payments whose confirmations are being reported.
type hooks struct {
	all     map[HookID]*Hook
	of      map[uint64][]*Hook   // by account; 0 for NewAccount
	ongoing map[uint64][]ongoing // by account
}

// ongoing is a payment that a webhook has not reported with all confirmations.
type ongoing struct {
	hook            HookID
	height          uint64
	position, index int
}

func ongoingOf(h *Hook, o *Output) ongoing { return ongoing{h.ID, o.Height, o.Position, o.Index} }

func (g *ongoing) key(account uint64) []byte {
	o := Output{Height: g.height, Position: g.position, Index: g.index}
	return slices.Concat([]byte{ongoingRecord}, g.hook[:], outputKey(account, &o)[1:])
}

// output returns the index of the payment in outputs, which are in the order of the chain.
func (g *ongoing) output(outputs []Output) (int, bool) {
	return slices.BinarySearchFunc(outputs, g, func(o Output, g *ongoing) int {
		return cmp.Or(cmp.Compare(o.Height, g.height), cmp.Compare(o.Position, g.position),
			cmp.Compare(o.Index, g.index))
	})
}

// load takes stored webhooks. It returns ErrRecord if a record refers to a missing one.
func (h *hooks) load(c *contents) error {
	h.all, h.of, h.ongoing = c.hooks, map[uint64][]*Hook{}, c.ongoing
	for _, hook := range h.all {
		if (hook.Event == NewAccount) != (hook.Account == 0) || hook.Account != 0 && c.accounts[hook.Account] == nil {
			return smallfmt.Errorf("%w: a webhook without its account", ErrRecord)
		}
		h.of[hook.Account] = append(h.of[hook.Account], hook)
	}
	for _, list := range h.of {
		slices.SortFunc(list, func(a, b *Hook) int { return slices.Compare(a.ID[:], b.ID[:]) })
	}
	for account, list := range h.ongoing {
		for i := range list {
			hook, a := h.all[list[i].hook], c.accounts[account]
			if hook == nil || hook.Account != account || a == nil {
				return smallfmt.Errorf("%w: a payment without its webhook", ErrRecord)
			}
			if _, ok := list[i].output(a.outputs); !ok {
				return smallfmt.Errorf("%w: a confirmation without its payment", ErrRecord)
			}
		}
	}
	return nil
}

// from returns the records of ongoing payments of an account from block height on.
func (h *hooks) from(account, height uint64) (drop [][]byte) {
	for _, g := range h.ongoing[account] {
		if g.height >= height {
			drop = append(drop, g.key(account))
		}
	}
	return drop
}

// cut forgets ongoing payments of an account from block height on.
func (h *hooks) cut(account, height uint64) {
	h.set(account, slices.DeleteFunc(slices.Clone(h.ongoing[account]), func(g ongoing) bool {
		return g.height >= height
	}))
}

func (h *hooks) set(account uint64, list []ongoing) {
	if len(list) == 0 {
		delete(h.ongoing, account)
		return
	}
	h.ongoing[account] = list
}

// AddHook stores a webhook with a new ID. address is nil for NewAccount. It returns ErrHookAddress, ErrHooksFull,
// an error for fields that exceed a limit, or an error of the store.
func (b *Book) AddHook(h Hook, address *Address) error {
	if err := h.check(); err != nil {
		return err
	}
	b.lock()
	defer b.unlock()
	h.Account = 0
	if address != nil {
		if a := b.at[*address]; a != nil {
			h.Account = a.ID
		}
	}
	switch {
	case (h.Event == NewAccount) != (address == nil), h.Event != NewAccount && h.Account == 0:
		return ErrHookAddress
	case len(b.hooks.all) >= maxHooks:
		return ErrHooksFull
	}
	if err := b.commit([]Record{record(hookKey(h.ID), &h)}, nil); err != nil {
		return err
	}
	b.hooks.all[h.ID] = &h
	b.hooks.of[h.Account] = append(b.hooks.of[h.Account], &h)
	return nil
}

// DeleteHooks deletes the webhooks with these IDs, and those of the accounts of these addresses, with their calls that
// were not made. Unknown ones are ignored. It returns an error of the store.
func (b *Book) DeleteHooks(ids []HookID, addresses []Address) error {
	b.lock()
	defer b.unlock()
	gone := map[HookID]bool{}
	for _, id := range ids {
		gone[id] = b.hooks.all[id] != nil
	}
	for _, a := range addresses {
		if acct := b.at[a]; acct != nil {
			for _, h := range b.hooks.of[acct.ID] {
				gone[h.ID] = true
			}
		}
	}
	var drop [][]byte
	left := map[uint64][]ongoing{}
	for id, known := range gone {
		if !known {
			continue
		}
		drop = append(drop, hookKey(id))
		account := b.hooks.all[id].Account
		left[account] = nil
	}
	for account := range left {
		for _, g := range b.hooks.ongoing[account] {
			if gone[g.hook] {
				drop = append(drop, g.key(account))
			} else {
				left[account] = append(left[account], g)
			}
		}
	}
	unmade := b.calls.where(func(c *Call) bool { return gone[c.Hook] })
	for _, c := range unmade {
		drop = append(drop, callKey(c.Number))
	}
	if len(drop) == 0 {
		return nil
	}
	if err := b.commit(nil, drop); err != nil {
		return err
	}
	for account, list := range left {
		b.hooks.set(account, list)
		b.hooks.of[account] = slices.DeleteFunc(slices.Clone(b.hooks.of[account]), func(h *Hook) bool {
			return gone[h.ID]
		})
		if len(b.hooks.of[account]) == 0 {
			delete(b.hooks.of, account)
		}
	}
	for id, known := range gone {
		if known {
			delete(b.hooks.all, id)
		}
	}
	b.calls.remove(unmade)
	return nil
}

// Hooks returns the webhooks in the order of accounts, events and payment IDs.
func (b *Book) Hooks() []Hook {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := make([]Hook, 0, len(b.hooks.all))
	for _, h := range b.hooks.all {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(x, y Hook) int {
		return cmp.Or(cmp.Compare(x.Account-1, y.Account-1), cmp.Compare(x.Event, y.Event),
			slices.Compare(x.PaymentID[:], y.PaymentID[:]), slices.Compare(x.ID[:], y.ID[:]))
	})
	return out
}

// selects reports whether a payment has the payment ID of h.
func (h *Hook) selects(o *Output) bool {
	return h.PaymentID == [8]byte{} || len(o.PaymentID) == 8 && [8]byte(o.PaymentID) == h.PaymentID
}

// found is what the scan of some blocks means for the webhooks of an account.
type found struct {
	calls   []*Call
	put     []Record
	drop    [][]byte
	ongoing []ongoing // of the account afterwards
}

// report returns the calls about blocks first to last, in which a scan found outputs and spends of an account. The
// caller has called lock.
func (b *Book) report(a *account, outputs []Output, spends []Spend, first, last uint64) (f found) {
	all := slices.Concat(a.outputs, outputs)
	old := b.hooks.ongoing[a.ID]
	going := slices.Clone(old)
	for i := range outputs {
		for _, h := range b.hooks.of[a.ID] {
			if h.Event == Confirmation && h.selects(&outputs[i]) {
				going = append(going, ongoingOf(h, &outputs[i]))
			}
		}
	}
	for i := range going {
		g := &going[i]
		h := b.hooks.all[g.hook]
		at, ok := g.output(all)
		if !ok {
			panic("unreachable: payments are removed with their confirmations")
		}
		o, wanted := &all[at], max(uint64(h.Confirmations), 1)
		reached := uint64(0)
		var form confirmationForm
		for height := max(first, o.Height); height <= last && height-o.Height < wanted; height++ {
			reached = height - o.Height + 1
			if form.Confirmations == 0 {
				form = paymentForm(a, h, o)
			}
			form.Confirmations = uint32(reached)
			f.calls = append(f.calls, h.call(a.Address, height, form))
		}
		switch {
		case reached < wanted:
			f.ongoing = append(f.ongoing, *g)
			if i >= len(old) {
				f.put = append(f.put, Record{g.key(a.ID), []byte{}})
			}
		case i < len(old):
			f.drop = append(f.drop, g.key(a.ID))
		}
	}
	f.calls = append(f.calls, b.spendCalls(a, all, spends)...)
	slices.SortStableFunc(f.calls, func(x, y *Call) int { return cmp.Compare(x.Height, y.Height) })
	return f
}

// spendCalls returns the calls about rings that contain outputs of an account.
func (b *Book) spendCalls(a *account, outputs []Output, spends []Spend) (calls []*Call) {
	var sources map[Ref]*Output
	for _, h := range b.hooks.of[a.ID] {
		if h.Event != Spent {
			continue
		}
		if sources == nil {
			sources = make(map[Ref]*Output, len(outputs))
			for i := range outputs {
				sources[outputs[i].Ref] = &outputs[i]
			}
		}
		for i := range spends {
			if o := sources[spends[i].Source]; o != nil {
				calls = append(calls, h.call(a.Address, spends[i].Height, spentForm(h, &spends[i], o)))
			}
		}
	}
	return calls
}

// announce returns the calls about a new account or a request for one. The caller has called lock.
func (b *Book) announce(a Address) (calls []*Call) {
	for _, h := range b.hooks.of[0] {
		calls = append(calls, h.call(a, 0, accountForm{NewAccount, h.ID, h.Token, a.text(b.o.Network)}))
	}
	return calls
}

// plainMask returns the mask that opens the commitment of a RingCT output.
func plainMask(a *account, o *Output) []byte {
	switch {
	case len(o.Rct) != 96:
		return nil
	case o.Coinbase, o.Carrot:
		return o.Rct[32:64]
	}
	shared, err := deriveFor(a, o)
	if err != nil {
		return nil // the output was paid with the neutral element
	}
	_, mask := keys.DecryptLongAmount(shared, [32]byte(o.Rct[32:]), [32]byte(o.Rct[64:]))
	return mask.Bytes()
}
