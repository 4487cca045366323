package wallet

import (
	"glim/core/multisig"
)

// Multisig returns the wallet's part in a multisig group; nil if it is not a multisig wallet.
func (w *Wallet) Multisig() *multisig.Account { return w.identity.Multisig }

// MultisigEnabled reports whether the owner enabled multisig, which is experimental.
func (w *Wallet) MultisigEnabled() bool { return w.multisigEnabled }

// DecideEnableMultisig enables multisig permanently.
func (w *Wallet) DecideEnableMultisig() ChangeSet {
	if w.multisigEnabled {
		return ChangeSet{}
	}
	return ChangeSet{User: UserChange{EnableMultisig: true}}
}

// InGroup returns the wallet of the multisig group that a belongs to. It replaces w, which must not be used
// afterwards. If w already has the group's keys, everything else stays. Otherwise the new wallet has scanned nothing
// and has no money; notes, attributes and the address book are kept. Errors: those of a's keys.
// Source: src/wallet/wallet2.cpp, make_multisig and exchange_multisig_keys.
func (w *Wallet) InGroup(a *multisig.Account) (*Wallet, error) {
	if w.Multisig() != nil && w.HasAddress() && a.Spend() == w.Multisig().Spend() && a.View() == w.Multisig().View() {
		same := w.clone()
		same.identity.Multisig = a
		return same, nil
	}
	o, err := GroupIdentity(a)
	if err != nil {
		return nil, err
	}
	o.Network, o.Language, o.RestoreHeight = w.identity.Network, w.identity.Language, w.identity.RestoreHeight
	next := New(o, w.lookahead)
	var kept UserChange
	w.annotations.snapshot(&kept)
	next.Commit(ChangeSet{User: UserChange{
		Notes: kept.Notes, Attrs: kept.Attrs, Book: kept.Book,
		EnableMultisig: w.multisigEnabled, MaxReorgDepth: &w.maxReorgDepth,
	}})
	return next, nil
}

// GroupIdentity returns the identity of a wallet in a multisig group, without its network. Its keys can view but not
// spend the group's money. Errors: those of a's keys.
func GroupIdentity(a *multisig.Account) (Identity, error) {
	k, err := a.Keys()
	return Identity{Keys: k, Multisig: a}, err
}

// HasAddress reports whether the wallet has an address. A multisig group has none until its key exchange is complete.
func (w *Wallet) HasAddress() bool {
	return w.identity.Multisig == nil || w.identity.Multisig.Complete()
}
