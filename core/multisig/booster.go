package multisig

import (
	"errors"
	"io"
	"maps"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/xmr"
)

// ErrRevealing: a booster of a wallet that is not multisig yet would contain secrets, from which the other signers
// could compute this wallet's shares if the group were later made with one signer more to sign.
var ErrRevealing = errors.New("multisig: for this group the wallet must be made multisig first")

// Booster returns this signer's message of the round after the current one, with the keys that follow from texts, the
// messages of the current round that have arrived. Another signer can then complete that round without waiting for
// messages that are missing here. The account does not change. It returns ErrDone if no key round follows the current
// one, ErrMissing if texts contains no key of another signer, the errors of ParseKexMessage, ErrRound,
// ErrForeignSigner, ErrDuplicate, ErrDisagree, or random's error.
// Source: src/multisig/multisig_account_kex_impl.cpp, get_multisig_kex_round_booster, master of August 2026.
func (a *Account) Booster(random io.Reader, texts []string) (string, error) {
	if a.round+1 >= mainRounds(a.Total(), a.threshold) {
		return "", ErrDone
	}
	said, err := a.read(texts)
	if err != nil {
		return "", err
	}
	others := map[xmr.PublicKey]bool{}
	for signer, list := range said {
		for _, k := range list {
			if signer != a.self {
				others[k] = true
			}
		}
	}
	for _, k := range a.kexKeys {
		delete(others, k)
	}
	return a.boost(random, others)
}

// FirstBooster is Booster for a wallet with keys k that is not multisig yet, in a group of total signers. texts are
// first messages. It returns ErrRevealing for a group in which more than one signer may be absent, ErrConfig, and
// keys.ErrKey without a spend key.
func FirstBooster(random io.Reader, k *keys.Keys, threshold, total uint32, texts []string) (string, error) {
	if err := checkGroup(total, threshold); err != nil {
		return "", err
	}
	switch {
	case total == threshold:
		return "", ErrDone
	case total-threshold > 1:
		return "", ErrRevealing
	case len(texts) > int(total):
		return "", ErrDuplicate
	}
	base, _, err := initialSecrets(k)
	if err != nil {
		return "", err
	}
	a := &Account{threshold: threshold, base: base, self: publicOf(base), signers: make([]xmr.PublicKey, total)}
	others := map[xmr.PublicKey]bool{}
	for _, text := range texts {
		m, err := ParseKexMessage(text)
		switch {
		case err != nil:
			return "", err
		case m.Round != 1:
			return "", ErrRound
		case others[m.Signer]:
			return "", ErrDuplicate
		}
		clear(m.Secret[:])
		if m.Signer != a.self {
			others[m.Signer] = true
		}
	}
	return a.boost(random, others)
}

// boost returns the message of the round after the current one, made with others' keys of the current round.
func (a *Account) boost(random io.Reader, others map[xmr.PublicKey]bool) (string, error) {
	if len(others) == 0 {
		return "", ErrMissing
	}
	next, err := a.advance(smallsort.Sorted(maps.Keys(others), compareKeys))
	if err != nil {
		return "", err
	}
	return next.Message(random)
}
