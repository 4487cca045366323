package multisig

import (
	"io"
	"maps"
	"slices"

	"glim/core/internal/order"
	"glim/core/xmr"
)

// Message returns the message of the round under way, to be sent to all other signers; of a complete account, that of the last.
// It can be had as often as needed: what it says is the same each time, its signature another. The error is random's.
// Source: src/multisig/multisig_account_kex_impl.cpp, finalize_kex_update.
func (a *Account) Message(random io.Reader) (string, error) {
	m := Message{Round: a.round + 1, Signer: a.self, Keys: a.shared}
	if a.Complete() {
		m.Round, m.Keys = Rounds(a.Total(), a.threshold), []xmr.PublicKey{a.spendKey, a.viewKey}
	}
	return m.Sign(random, a.base)
}

// Exchange returns the account after the round under way, with the other signers' messages of it in texts, and the message of the
// next round. A signer's message may come twice when it says the same, and the own one may be among them. All signers' messages are
// needed, unless incomplete is set: then one of each group of signers who share a key suffices, and in the last round any one. That
// helps when signers are gone, and they may be no more than N−M; but what those who are missing would have said is not compared.
// Errors: ParseMessage's, ErrDone, ErrRound, ErrStranger, ErrDuplicate, ErrMissing, ErrDisagree, random's.
// Source: src/multisig/multisig_account.cpp, kex_update; src/multisig/multisig_account_kex_impl.cpp.
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

// agree checks the last of the rounds that make keys of 1 of N, in which all signers have one key. Errors: ErrMissing, ErrDisagree.
func (a *Account) agree(said map[xmr.PublicKey][]xmr.PublicKey, incomplete bool) error {
	for _, list := range said {
		if !slices.Equal(list, a.shared) {
			return ErrDisagree
		}
	}
	said[a.self] = a.shared
	if len(said) < len(a.signers) && !incomplete {
		return ErrMissing
	}
	return nil
}

// read returns what each signer said, by signer, the own message too. Errors: ParseMessage's, ErrRound, ErrStranger,
// ErrDuplicate for one who said two things, ErrMissing without any message.
func (a *Account) read(texts []string) (map[xmr.PublicKey][]xmr.PublicKey, error) {
	good := map[xmr.PublicKey]bool{}
	for _, k := range slices.Concat(a.signers, a.shared) {
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
		m, err := parseMessage(text, good)
		switch {
		case err != nil:
			return nil, err
		case m.Round != a.round+1:
			return nil, ErrRound
		case !a.isSigner(m.Signer):
			return nil, ErrStranger
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

// evaluate returns the keys of this round that others have and this signer has not. In round r every r signers have a key in
// common: each of the others must name those he shares with yet others, all who have a key must name it, and there must be one
// for every choice of r others. Errors: ErrMissing, ErrDisagree.
// Source: src/multisig/multisig_account_kex_impl.cpp, evaluate_multisig_kex_round_msgs.
func (a *Account) evaluate(said map[xmr.PublicKey][]xmr.PublicKey, incomplete bool) ([]xmr.PublicKey, error) {
	n, r := a.Total(), a.round+1
	own := map[xmr.PublicKey]bool{}
	for _, k := range a.shared {
		own[k] = true
	}
	if len(own) != choose(n-1, r-1) {
		return nil, ErrDisagree
	}
	who := map[xmr.PublicKey]int{} // how many name a key
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
				who[k]++
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
	for _, count := range who {
		if count > int(r) || count < max(int(r)-absent, 1) {
			return nil, ErrDisagree
		}
	}
	if len(who) != choose(n-1, r) {
		return nil, ErrDisagree
	}
	return order.Sorted(maps.Keys(who), compareKeys), nil
}
