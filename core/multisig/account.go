// Package multisig is one signer's part in a wallet of several people: any M of N must sign.
//
// Every private part of the group's spend key is held by N−M+1 signers, so that M of them together hold all. The parts are
// made in rounds: Make takes the first messages, Exchange those of every further round, the last of which shows that all
// signers came to the same keys. The view key is everybody's.
//
// Source: ZtM2 chapter 9; MRL-0009; src/multisig of release 0.18.
package multisig

import (
	"errors"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/xmr"
)

// Errors of the key exchange. After any of them the account is what it was.
var (
	// ErrConfig: a number of signers, or a threshold, that no group can have.
	ErrConfig = errors.New("multisig: no group has that many signers or that threshold")
	// ErrMessage: a text that is no message, or not whole.
	ErrMessage = errors.New("multisig: malformed message")
	// ErrOld: a message of an older exchange, which is not safe.
	ErrOld = errors.New("multisig: messages of version 1 are not safe and not taken")
	// ErrSignature: a message that was changed, or that its signer did not sign.
	ErrSignature = errors.New("multisig: the message's signature does not verify")
	// ErrKey: a key of small order, or that is no point, in a message.
	ErrKey = errors.New("multisig: a message holds a key that nobody may use")
	// ErrRound: a message of another round than the one under way.
	ErrRound = errors.New("multisig: message of another round")
	// ErrDuplicate: two messages of one signer where one is expected.
	ErrDuplicate = errors.New("multisig: two messages of one signer")
	// ErrStranger: a message of somebody who is not of the group.
	ErrStranger = errors.New("multisig: message of somebody who is not among the signers")
	// ErrMissing: messages of some signers are not there.
	ErrMissing = errors.New("multisig: messages of more signers are needed")
	// ErrDisagree: the signers' messages do not fit together, or not with this account. One of them is wrong or lies.
	ErrDisagree = errors.New("multisig: the signers' keys do not fit together")
	// ErrDone: there is no round left.
	ErrDone = errors.New("multisig: the key exchange is over")
)

// MaxSigners is the largest group: parts of keys grow with binomials of it.
// Source: src/cryptonote_config.h, MULTISIG_MAX_SIGNERS.
const MaxSigners = 16

// Account is one signer's part. It never changes: what takes it further returns another. It never prints a secret.
type Account struct {
	threshold uint32
	signers   []xmr.PublicKey // ascending
	base      *edwards.Scalar // signs messages; its public key names the signer
	self      xmr.PublicKey
	view      *edwards.Scalar // of all signers
	viewKey   xmr.PublicKey
	spendKey  xmr.PublicKey // of the group; the identity until Complete
	shares    []*edwards.Scalar
	round     uint32          // rounds behind it
	shared    []xmr.PublicKey // this signer's keys of the round under way, ascending; none when Complete
}

// String names the public half only, so that no log can hold a secret.
func (a *Account) String() string {
	return say.Sprintf("signer %s of %d of %d, round %d", a.self, a.threshold, len(a.signers), a.round)
}

// GoString is String.
func (a *Account) GoString() string { return a.String() }

// Threshold returns how many must sign.
func (a *Account) Threshold() uint32 { return a.threshold }

// Total returns how many signers there are.
func (a *Account) Total() uint32 { return uint32(len(a.signers)) }

// Signers returns the public keys that name the signers, ascending. Read only.
func (a *Account) Signers() []xmr.PublicKey { return a.signers }

// Self returns this signer's own.
func (a *Account) Self() xmr.PublicKey { return a.self }

// BaseSecret returns the secret of Self, with which this signer signs messages. It is no part of the group's spend key once
// other signers' parts are known, but N of N are made of it.
func (a *Account) BaseSecret() *edwards.Scalar { return edwards.NewScalar().Set(a.base) }

// ViewSecret returns the group's view key, which every signer has.
func (a *Account) ViewSecret() keys.Secret { return edwards.EncodeScalar(a.view) }

// View returns the public half of the group's view key.
func (a *Account) View() xmr.PublicKey { return a.viewKey }

// Spend returns the group's public spend key; the identity before Complete.
func (a *Account) Spend() xmr.PublicKey { return a.spendKey }

// Shares returns the parts of the group's private spend key this signer has: once Complete, the key is the sum of all
// signers' distinct shares, and there are as many here as Shares of a group says. The order is that of their first public keys.
func (a *Account) Shares() []*edwards.Scalar {
	out := make([]*edwards.Scalar, len(a.shares))
	for i, s := range a.shares {
		out[i] = edwards.NewScalar().Set(s)
	}
	return out
}

// Round returns how many rounds are behind the account.
func (a *Account) Round() uint32 { return a.round }

// Complete reports that the group's keys are made, though perhaps not by all.
func (a *Account) Complete() bool { return a.round >= mainRounds(a.Total(), a.threshold) }

// Ready reports that all signers are known to have the same keys: only now the group may be paid.
func (a *Account) Ready() bool { return a.round >= Rounds(a.Total(), a.threshold) }

// Keys returns the wallet's keys: what sees the group's money, without a spend key.
func (a *Account) Keys() (*keys.Keys, error) { return keys.ViewOnly(a.ViewSecret(), a.spendKey) }

// mainRounds returns after how many rounds the group's keys are there: N−M+1.
// Source: src/multisig/multisig_account.cpp, multisig_kex_rounds_required.
func mainRounds(total, threshold uint32) uint32 { return total - threshold + 1 }

// Rounds returns how many rounds make an account Ready: N−M+2, the last of them a verification.
// Source: src/multisig/multisig_account.cpp, multisig_setup_rounds_required.
func Rounds(total, threshold uint32) uint32 { return mainRounds(total, threshold) + 1 }

// ShareCount returns how many parts of the spend key each signer has: one for every choice of N−M others.
// Source: src/wallet/wallet2.cpp, num_priv_multisig_keys_post_setup.
func ShareCount(total, threshold uint32) int { return choose(total-1, total-threshold) }

// choose returns the binomial coefficient; 0 for k > n. With n up to 15 nothing overflows.
func choose(n, k uint32) int {
	if k > n {
		return 0
	}
	c := 1
	for i := range int(k) {
		c = c * (int(n) - i) / (i + 1)
	}
	return c
}

// checkGroup returns ErrConfig for numbers no group has.
func checkGroup(total, threshold uint32) error {
	if total < 2 || total > MaxSigners || threshold < 1 || threshold > total {
		return ErrConfig
	}
	return nil
}

// identity is the neutral element's encoding: where a key is not known yet.
var identity = xmr.PublicKey(edwards.Identity().Encode())

// publicOf returns s·G.
func publicOf(s *edwards.Scalar) xmr.PublicKey {
	return new(edwards.Point).ScalarBaseMult(s).Encode()
}

// sortKeys orders keys as the reference compares them: byte by byte from the first.
// Source: src/crypto/crypto.h, operator<.
func sortKeys(k []xmr.PublicKey) { order.Sort(k, compareKeys) }

func (a *Account) isSigner(k xmr.PublicKey) bool {
	_, found := slices.BinarySearchFunc(a.signers, k, compareKeys)
	return found
}
