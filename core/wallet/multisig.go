package wallet

import (
	"glim/core/multisig"
)

// Multisig returns the wallet's part in a group of signers; nil when the wallet is one person's.
func (w *Wallet) Multisig() *multisig.Account { return w.origin.Multisig }

// MultisigEnabled reports whether the wallet's owner took the risks of multisig.
func (w *Wallet) MultisigEnabled() bool { return w.multisigEnabled }

// DecideEnableMultisig takes the risks of multisig, for good.
func (w *Wallet) DecideEnableMultisig() ChangeSet {
	if w.multisigEnabled {
		return ChangeSet{}
	}
	return ChangeSet{User: UserChange{EnableMultisig: true}}
}

// InGroup returns a wallet of the group of signers of which a is a part, in the place of w, which is not used afterwards. When the
// group's keys are w's already, all else stays. Otherwise it has read nothing of the chain and has none of w's money; notes, attributes and
// the address book it keeps. Errors: those of a's keys.
// Source: src/wallet/wallet2.cpp, make_multisig and exchange_multisig_keys.
func (w *Wallet) InGroup(a *multisig.Account) (*Wallet, error) {
	if w.Multisig() != nil && w.HasAddress() && a.Spend() == w.Multisig().Spend() && a.View() == w.Multisig().View() {
		same := w.clone()
		same.origin.Multisig = a
		return same, nil
	}
	o, err := GroupOrigin(a)
	if err != nil {
		return nil, err
	}
	o.Network, o.Language, o.RestoreHeight = w.origin.Network, w.origin.Language, w.origin.RestoreHeight
	next := New(o, w.lookahead)
	var kept UserChange
	w.papers.snapshot(&kept)
	next.Commit(ChangeSet{User: UserChange{
		Notes: kept.Notes, Attrs: kept.Attrs, Book: kept.Book, EnableMultisig: w.multisigEnabled, MaxReorgDepth: &w.maxReorgDepth,
	}})
	return next, nil
}

// GroupOrigin returns what a wallet is made of whose owner is one of a group of signers, but for its network. Its keys see the
// group's money and cannot spend. Errors: those of a's keys.
func GroupOrigin(a *multisig.Account) (Origin, error) {
	k, err := a.Keys()
	return Origin{Keys: k, Multisig: a}, err
}

// HasAddress reports whether the wallet can be paid: the address of a group of signers is made in rounds.
func (w *Wallet) HasAddress() bool { return w.origin.Multisig == nil || w.origin.Multisig.Complete() }
