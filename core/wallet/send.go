package wallet

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"glim/core/build"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/xmr"
)

// ErrInputs reports that an output chosen for a transaction can no longer be spent; choosing anew helps.
var ErrInputs = errors.New("an output chosen for the transaction was spent or dropped meanwhile; try again")

// Spendable returns the outputs of account that may be spent at clock, of the given addresses or of all when none is
// given: first those that a failed transaction spent, then the others, each in chain order.
// Source: src/wallet/wallet2.cpp, create_transactions_2.
func (w *Wallet) Spendable(account uint32, minors []uint32, clock Clock) []build.Input {
	var out []build.Input
	tried := w.tried()
	minors = slices.Sorted(slices.Values(minors))
	wanted := func(minor uint32) bool {
		_, ok := slices.BinarySearch(minors, minor)
		return ok || len(minors) == 0
	}
	for i := range w.outputs {
		o := &w.outputs[i]
		if o.Address.Major == account && w.ledger.marks[i]&counted != 0 && wanted(o.Address.Minor) && w.canSpend(o, clock) {
			in := o.Input()
			in.Tried = tried[o.Image]
			out = append(out, in)
		}
	}
	order.Stable(out, func(a, b build.Input) int {
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

// tried returns the key images that failed transactions spent: perhaps they are on their way all the same.
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

func (w *Wallet) canSpend(o *Output, clock Clock) bool {
	if w.origin.Multisig != nil && !o.ImageKnown {
		return false // the other signers' infos are needed first
	}
	return !w.IsSpent(o, false) && !w.IsFrozen(o) && clock.Unlocked(o.UnlockTime, o.Height)
}

// Input describes o as something to spend.
func (o *Output) Input() build.Input {
	return build.Input{
		TxID: o.TxID, Index: o.Index, Global: o.Global, Amount: o.Amount, Mask: o.Mask, Key: o.Key,
		Derivation: o.Derivation, Address: o.Address, Height: o.Height, RingCT: o.RingCT,
	}
}

// Images returns the key images that s spends. Read only.
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
func (w *Wallet) OutputByKey(k xmr.PublicKey) (*Output, bool) {
	n, ok := w.byKey[k]
	if !ok {
		return nil, false
	}
	return &w.outputs[n], true
}

// before orders transactions by when they were sent, those of one second by ID.
func (s *Sent) before(o *Sent) bool {
	return cmp.Or(cmp.Compare(s.SentAt, o.SentAt), bytes.Compare(s.TxID[:], o.TxID[:])) < 0
}

// NewSent describes a built transaction for the wallet's records; now is POSIX seconds.
func NewSent(r *build.Result, account uint32, now uint64) Sent {
	s := Sent{
		TxID: r.ID, Blob: r.Blob, Weight: r.Weight, PaymentID: r.PaymentID, Fee: r.Fee, Change: r.Change, Account: account,
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

// DecideRefused frees the outputs of a transaction that no daemon took, and keeps why, for people.
func (w *Wallet) DecideRefused(id xmr.Hash, reason string) ChangeSet {
	return ChangeSet{User: UserChange{States: []SendChange{{TxID: id, State: SendFailed, Reason: reason}}}}
}

// ErrLookahead reports a lookahead that sees nothing or more than a wallet can hold.
var ErrLookahead = errors.New("wallet: a lookahead of 1 to 1000000 addresses altogether is possible")

// DecideLookahead sets how far the wallet looks for payments. A smaller one keeps all addresses that exist and looks no
// further than it says. ErrLookahead.
func (w *Wallet) DecideLookahead(l Lookahead) (ChangeSet, error) {
	if l.Major == 0 || l.Minor == 0 || !l.possible() {
		return ChangeSet{}, ErrLookahead
	}
	return ChangeSet{User: UserChange{Lookahead: &l}}, nil
}

// DecideAccount adds an account whose primary address has this label.
func (w *Wallet) DecideAccount(label string) (ChangeSet, uint32) {
	major := w.Accounts()
	return ChangeSet{User: UserChange{Labels: []Label{{keys.Index{Major: major}, label}}}}, major
}

// ErrLabel reports a text too long to give to that many addresses or accounts.
var ErrLabel = errors.New("the text is too long for so many addresses or accounts")

// maxLabels is how many bytes the labels or tags of one change may take: each address and account keeps its own copy.
const maxLabels = 1 << 24

// DecideAddresses adds count addresses with one label to account and returns the index of the first. Errors:
// ErrAccount, ErrLabel.
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

// DecideLabel labels an existing address. Errors: ErrAccount, ErrAddress.
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
