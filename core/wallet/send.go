package wallet

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// ErrInputs reports that a chosen input can no longer be spent. The caller should choose inputs again.
var ErrInputs = errors.New("an output chosen for the transaction was spent or dropped in the meantime; try again")

// Spendable returns the outputs of account that can be spent at clock, from the addresses with the given minor
// indices or, without any, from all: first the inputs of failed transactions, then the others, each in chain order.
// Source: src/wallet/wallet2.cpp, create_transactions_2.
func (w *Wallet) Spendable(account uint32, indices []uint32, clock Clock) []txbuild.Input {
	var out []txbuild.Input
	tried := w.tried()
	indices = slices.Sorted(slices.Values(indices))
	wanted := func(minor uint32) bool {
		_, ok := slices.BinarySearch(indices, minor)
		return ok || len(indices) == 0
	}
	for i := range w.outputs {
		o := &w.outputs[i]
		candidate := o.Address.Major == account && w.ledger.marks[i]&counted != 0 && wanted(o.Address.Minor)
		if candidate && w.canSpend(o, clock) {
			in := o.Input()
			in.Tried = tried[o.Image]
			out = append(out, in)
		}
	}
	smallsort.Stable(out, func(a, b txbuild.Input) int {
		switch {
		case a.Tried == b.Tried:
			return 0
		case a.Tried:
			return -1
		}
		return 1
	})
	return out
}

// tried returns the key images of failed transactions, which may still be mined.
func (w *Wallet) tried() map[xmr.KeyImage]bool {
	out := map[xmr.KeyImage]bool{}
	for _, s := range w.sent {
		if s.State == SendFailed {
			for _, image := range s.Images() {
				out[image] = true
			}
		}
	}
	return out
}

func (w *Wallet) canSpend(o *OwnedOutput, clock Clock) bool {
	if w.identity.Multisig != nil && !o.ImageKnown {
		return false // requires the other signers' multisig info
	}
	if o.Carrot && !(keys.HasHierarchies && w.forked) {
		return false // transactions of today cannot spend it
	}
	return !w.IsSpent(o, false) && !w.IsFrozen(o) && clock.Unlocked(o.UnlockTime, o.Height)
}

// Input returns o as an input for a transaction.
func (o *OwnedOutput) Input() txbuild.Input {
	return txbuild.Input{
		TxID: o.TxID, Index: o.Index, GlobalIndex: o.GlobalIndex, Amount: o.Amount, Mask: o.Mask, Key: o.Key,
		Derivation: o.Derivation, Address: o.Address, Height: o.Height, RingCT: o.RingCT,
	}
}

// Images returns the key images that s spends. The caller must not change the slice.
func (s *Sent) Images() []xmr.KeyImage {
	if len(s.Rings) == 0 {
		return s.Spent
	}
	out := make([]xmr.KeyImage, len(s.Rings))
	for i := range s.Rings {
		out[i] = s.Rings[i].Image
	}
	return out
}

// OutputByKey returns the output with this one-time public key.
func (w *Wallet) OutputByKey(k xmr.PublicKey) (*OwnedOutput, bool) {
	n, ok := w.byKey[k]
	if !ok {
		return nil, false
	}
	return &w.outputs[n], true
}

// before orders transactions by the time they were sent, then by ID.
func (s *Sent) before(o *Sent) bool {
	return cmp.Or(cmp.Compare(s.SentAt, o.SentAt), bytes.Compare(s.TxID[:], o.TxID[:])) < 0
}

// NewSent returns the record of a constructed transaction; now is in POSIX seconds.
func NewSent(r *txbuild.Result, account uint32, now uint64) Sent {
	s := Sent{
		TxID: r.ID, Blob: r.Blob, Weight: r.Weight, PaymentID: r.PaymentID,
		Fee: r.Fee, Change: r.Change, Account: account,
		Key: r.Key, AdditionalKeys: r.AdditionalKeys, SentAt: now,
	}
	for _, d := range r.Destinations {
		s.Destinations = append(s.Destinations, Destination{Address: d.Text, Amount: d.Amount})
	}
	for i := range r.Inputs {
		s.AmountIn += r.Inputs[i].Amount
		s.Rings = append(s.Rings, Ring{Image: r.Tx.Inputs[i].KeyImage, Indices: r.Rings[i].Indices()})
		if minor := r.Inputs[i].Address.Minor; !slices.Contains(s.Indices, minor) {
			s.Indices = append(s.Indices, minor)
		}
	}
	slices.Sort(s.Indices)
	return s
}

// DecideRefused marks a transaction that no daemon accepted as failed, for the given reason, which frees its inputs.
func (w *Wallet) DecideRefused(id xmr.Hash, reason string) ChangeSet {
	return ChangeSet{User: UserChange{States: []SendChange{{TxID: id, State: SendFailed, Reason: reason}}}}
}

// ErrLookahead reports a lookahead that is zero or too large.
var ErrLookahead = errors.New("wallet: the lookahead must cover between 1 and 1000000 addresses in total")

// DecideLookahead sets how far beyond the last used address the wallet looks for payments. A smaller lookahead keeps
// all existing addresses. It returns ErrLookahead.
func (w *Wallet) DecideLookahead(l Lookahead) (ChangeSet, error) {
	if l.Major == 0 || l.Minor == 0 || !l.possible() {
		return ChangeSet{}, ErrLookahead
	}
	return ChangeSet{User: UserChange{Lookahead: &l}}, nil
}

// DecideAccount adds an account whose primary address has this label, and returns its index.
func (w *Wallet) DecideAccount(label string) (ChangeSet, uint32) {
	major := w.Accounts()
	return ChangeSet{User: UserChange{Labels: []Label{{keys.Index{Major: major}, label}}}}, major
}

// ErrLabel reports that a text is too long for the number of addresses or accounts that would get it.
var ErrLabel = errors.New("the text is too long for this many addresses or accounts")

// maxLabels is the maximum total size in bytes of the labels or tags of one change: each address and account keeps
// its own copy.
const maxLabels = 1 << 24

// DecideAddresses adds count addresses with the same label to account and returns the minor index of the first.
// Errors: ErrAccount, ErrLabel.
func (w *Wallet) DecideAddresses(account, count uint32, label string) (ChangeSet, uint32, error) {
	first, err := w.Addresses(account)
	if err != nil {
		return ChangeSet{}, 0, err
	}
	if uint64(len(label))*uint64(count) > maxLabels {
		return ChangeSet{}, 0, ErrLabel
	}
	var u UserChange
	for i := range count {
		u.Labels = append(u.Labels, Label{keys.Index{Major: account, Minor: first + i}, label})
	}
	return ChangeSet{User: u}, first, nil
}

// DecideLabel sets the label of an existing address. Errors: ErrAccount, ErrAddress.
func (w *Wallet) DecideLabel(i keys.Index, text string) (ChangeSet, error) {
	n, err := w.Addresses(i.Major)
	if err != nil {
		return ChangeSet{}, err
	}
	if i.Minor >= n {
		return ChangeSet{}, ErrAddress
	}
	return ChangeSet{User: UserChange{Labels: []Label{{i, text}}}}, nil
}

// AmountPaid returns the atomic units that a mined transaction paid, where found is what it spent, less the fee and all
// that the spending account received. Of a transaction that this wallet made, the change is known, and payments to the
// spending account count as paid, unless everything but the fee returned to it.
// Source: src/wallet/wallet2.cpp, process_unconfirmed and process_new_transaction (0.18.5.1).
func (w *Wallet) AmountPaid(id xmr.Hash, found uint64) uint64 {
	sent, ok := w.sent[id]
	if !ok || found == 0 {
		return found
	}
	back, err := xmr.Sum(sent.Fee, sent.Change)
	if err != nil || back >= sent.AmountIn {
		return found
	}
	return max(found, sent.AmountIn-back)
}
