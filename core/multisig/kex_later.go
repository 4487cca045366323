package multisig

import (
	"io"
	"maps"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/xmr"
)

// Message returns the message of the current round, for all other signers; of a Complete account, that of the last
// round. It has the same contents each time and a new signature. The error is random's.
// Source: src/multisig/multisig_account_kex_impl.cpp, finalize_kex_update.
func (a *Account) Message(random io.Reader) (string, error) {
	m := KexMessage{Round: a.round + 1, Signer: a.self, Keys: a.kexKeys}
	if a.Complete() {
		m.Round, m.Keys = Rounds(a.Total(), a.threshold), []xmr.PublicKey{a.spendKey, a.viewKey}
	}
	return m.Sign(random, a.base)
}

// Exchange returns the account after the current round, given the other signers' messages in texts, and the message of
// the next round. texts may contain a signer's message twice if the contents are equal, and the account's own. All
// signers' messages are required unless incomplete is set: then one per group of signers with a common key suffices,
// and in the last round any one. That helps when signers, at most N−M of them, are lost; but the contents of missing
// messages are not compared. It returns the errors of ParseKexMessage, ErrDone, ErrRound, ErrForeignSigner,
// ErrDuplicate, ErrMissing, ErrDisagree, or random's error. Source: src/multisig/multisig_account.cpp, kex_update;
// src/multisig/multisig_account_kex_impl.cpp.
func (a *Account) Exchange(random io.Reader, texts []string, incomplete bool) (*Account, string, error) {
	if a.Ready() {
		return nil, "", ErrDone
	}
	said, err := a.read(texts)
	if err != nil {
		return nil, "", err
	}
	var next *Account
	switch {
	case a.Complete():
		next, err = a.verify(said, incomplete)
	case a.threshold == 1 && a.round+1 == mainRounds(a.Total(), 1):
		if err = a.agree(said, incomplete); err == nil {
			next, err = a.advance(nil)
		}
	default:
		var others []xmr.PublicKey
		if others, err = a.evaluate(said, incomplete); err == nil {
			next, err = a.advance(others)
		}
	}
	if err != nil {
		return nil, "", err
	}
	text, err := next.Message(random)
	return next, text, err
}

// agree checks the last key round of a 1-of-N group, in which all signers have one key. It returns ErrMissing or
// ErrDisagree.
func (a *Account) agree(said map[xmr.PublicKey][]xmr.PublicKey, incomplete bool) error {
	for _, list := range said {
		if !slices.Equal(list, a.kexKeys) {
			return ErrDisagree
		}
	}
	said[a.self] = a.kexKeys
	if len(said) < len(a.signers) && !incomplete {
		return ErrMissing
	}
	return nil
}

// read returns the contents of each signer's message, including its own. It returns the errors of ParseKexMessage,
// ErrRound, ErrForeignSigner, ErrDuplicate for two different messages of one signer, and ErrMissing without any.
func (a *Account) read(texts []string) (map[xmr.PublicKey][]xmr.PublicKey, error) {
	good := map[xmr.PublicKey]bool{}
	for _, k := range slices.Concat(a.signers, a.kexKeys) {
		good[k] = true
	}
	said := map[xmr.PublicKey][]xmr.PublicKey{}
	known := map[string]bool{}
	for _, text := range texts {
		if known[text] {
			continue
		}
		if len(known) == 2*MaxSigners {
			return nil, ErrDuplicate
		}
		known[text] = true
		m, err := parseKexMessage(text, good)
		switch {
		case err != nil:
			return nil, err
		case m.Round != a.round+1:
			return nil, ErrRound
		case !a.isSigner(m.Signer):
			return nil, ErrForeignSigner
		}
		sortKeys(m.Keys)
		m.Keys = slices.Compact(m.Keys)
		if before, twice := said[m.Signer]; twice && !slices.Equal(before, m.Keys) {
			return nil, ErrDuplicate
		}
		said[m.Signer] = m.Keys
	}
	if len(said) == 0 {
		return nil, ErrMissing
	}
	return said, nil
}

// evaluate returns the keys of this round that others have and this signer does not. In round r every r signers have a
// common key: each of the others must name the keys that it shares with other signers, all holders of a key must name
// it, and there must be one for every choice of r others. It returns ErrMissing or ErrDisagree.
// Source: src/multisig/multisig_account_kex_impl.cpp, evaluate_multisig_kex_round_msgs.
func (a *Account) evaluate(said map[xmr.PublicKey][]xmr.PublicKey, incomplete bool) ([]xmr.PublicKey, error) {
	n, r := a.Total(), a.round+1
	own := map[xmr.PublicKey]bool{}
	for _, k := range a.kexKeys {
		own[k] = true
	}
	if len(own) != choose(n-1, r-1) {
		return nil, ErrDisagree
	}
	counts := map[xmr.PublicKey]int{} // number of signers that name a key
	senders := 0
	for signer, list := range said {
		if signer == a.self {
			continue
		}
		senders++
		foreign := 0
		for _, k := range list {
			if !own[k] {
				foreign++
				counts[k]++
			}
		}
		if foreign != choose(n-2, r-1) {
			return nil, ErrDisagree
		}
	}
	absent := int(n) - 1 - senders
	if absent > 0 && (!incomplete || absent > int(r)-1) {
		return nil, ErrMissing
	}
	for _, count := range counts {
		if count > int(r) || count < max(int(r)-absent, 1) {
			return nil, ErrDisagree
		}
	}
	if len(counts) != choose(n-1, r) {
		return nil, ErrDisagree
	}
	return smallsort.Sorted(maps.Keys(counts), compareKeys), nil
}
