// Package multisig implements one signer of an M-of-N multisig wallet: key exchange, and signing.
//
// Each share of the group's spend key is held by N−M+1 signers, so that any M of them together hold all shares. The
// shares are made in rounds: Make processes the first messages, Exchange those of each further round. The last round
// verifies that all signers have the same keys. All signers have the view key.
//
// Source: ZtM2 chapter 9; MRL-0009; src/multisig of release 0.18.
package multisig

import (
	"errors"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors of the key exchange. They leave the account unchanged.
var (
	// ErrConfig: an invalid number of signers or threshold.
	ErrConfig = errors.New("multisig: invalid number of signers or threshold")
	// ErrMessage: not a message, or a truncated one.
	ErrMessage = errors.New("multisig: malformed message")
	// ErrOld: a message of the older, insecure exchange.
	ErrOld = errors.New("multisig: messages of version 1 are insecure and not accepted")
	// ErrSignature: a message that its signer did not sign.
	ErrSignature = errors.New("multisig: the message's signature does not verify")
	// ErrKey: a message with a key that is not a point, or has small order.
	ErrKey = errors.New("multisig: a message contains an invalid key")
	// ErrRound: a message of another round than the current one.
	ErrRound = errors.New("multisig: message of another round")
	// ErrDuplicate: two messages of one signer.
	ErrDuplicate = errors.New("multisig: two messages of one signer")
	// ErrForeignSigner: a message of a signer outside the group.
	ErrForeignSigner = errors.New("multisig: message of a signer outside the group")
	// ErrMissing: messages of some signers are missing.
	ErrMissing = errors.New("multisig: messages of more signers are needed")
	// ErrDisagree: the signers' messages are inconsistent with each other or with this account. One of them is wrong or
	// malicious.
	ErrDisagree = errors.New("multisig: the signers' keys are inconsistent")
	// ErrDone: the exchange is complete.
	ErrDone = errors.New("multisig: the key exchange is complete")
)

// MaxSigners is the largest group; the number of shares grows with binomial coefficients of it.
// Source: src/cryptonote_config.h, MULTISIG_MAX_SIGNERS.
const MaxSigners = 16

// Account is the state of one signer. It is immutable: each step returns another. Formatting it never prints a secret.
type Account struct {
	threshold uint32
	signers   []xmr.PublicKey // ascending
	base      *edwards.Scalar // signs messages; its public key identifies the signer
	self      xmr.PublicKey
	view      *edwards.Scalar // of all signers
	viewKey   xmr.PublicKey
	spendKey  xmr.PublicKey // of the group; the identity until Complete
	shares    []*edwards.Scalar
	round     uint32          // completed rounds
	kexKeys   []xmr.PublicKey // this signer's keys of the current round, ascending; empty when Complete
}

// String returns public data only, so that no log can contain a secret.
func (a *Account) String() string {
	return smallfmt.Sprintf("signer %s of %d of %d, round %d", a.self, a.threshold, len(a.signers), a.round)
}

// GoString is String.
func (a *Account) GoString() string { return a.String() }

// Threshold returns the number of signers that must sign.
func (a *Account) Threshold() uint32 { return a.threshold }

// Total returns the number of signers.
func (a *Account) Total() uint32 { return uint32(len(a.signers)) }

// Signers returns the public keys that identify the signers, ascending. Read only.
func (a *Account) Signers() []xmr.PublicKey { return a.signers }

// Self returns the key of this signer.
func (a *Account) Self() xmr.PublicKey { return a.self }

// BaseSecret returns the secret key of Self, with which this signer signs messages. In an N-of-N group the spend key is
// made of these secrets; otherwise it is independent of them once other signers' keys are known.
func (a *Account) BaseSecret() *edwards.Scalar { return edwards.NewScalar().Set(a.base) }

// ViewSecret returns the group's view key, which every signer has.
func (a *Account) ViewSecret() keys.Secret { return edwards.EncodeScalar(a.view) }

// View returns the group's public view key.
func (a *Account) View() xmr.PublicKey { return a.viewKey }

// Spend returns the group's public spend key; the identity before the account is Complete.
func (a *Account) Spend() xmr.PublicKey { return a.spendKey }

// Shares returns this signer's shares of the group's spend key. Once Complete, the key is the sum of all signers'
// distinct shares, and each signer has ShareCount of them. They are ordered by their first public keys.
func (a *Account) Shares() []*edwards.Scalar {
	out := make([]*edwards.Scalar, len(a.shares))
	for i, s := range a.shares {
		out[i] = edwards.NewScalar().Set(s)
	}
	return out
}

// Round returns the number of completed rounds.
func (a *Account) Round() uint32 { return a.round }

// Complete reports whether this account has the group's keys; other signers may not have them yet.
func (a *Account) Complete() bool { return a.round >= mainRounds(a.Total(), a.threshold) }

// Ready reports whether all signers are known to have the same keys. Only now may the group receive payments.
func (a *Account) Ready() bool { return a.round >= Rounds(a.Total(), a.threshold) }

// Keys returns the wallet's view-only keys.
func (a *Account) Keys() (*keys.Keys, error) { return keys.ViewOnly(a.ViewSecret(), a.spendKey) }

// mainRounds returns the number of rounds that make the group's keys: N−M+1.
// Source: src/multisig/multisig_account.cpp, multisig_kex_rounds_required.
func mainRounds(total, threshold uint32) uint32 { return total - threshold + 1 }

// Rounds returns the number of rounds until an account is Ready: N−M+2, the last of them a verification.
// Source: src/multisig/multisig_account.cpp, multisig_setup_rounds_required.
func Rounds(total, threshold uint32) uint32 { return mainRounds(total, threshold) + 1 }

// ShareCount returns the number of spend key shares of each signer: one for every choice of N−M other signers.
// Source: src/wallet/wallet2.cpp, num_priv_multisig_keys_post_setup.
func ShareCount(total, threshold uint32) int { return choose(total-1, total-threshold) }

// choose returns the binomial coefficient; 0 for k > n. It does not overflow for n up to 15.
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

// checkGroup returns ErrConfig for an invalid group.
func checkGroup(total, threshold uint32) error {
	if total < 2 || total > MaxSigners || threshold < 1 || threshold > total {
		return ErrConfig
	}
	return nil
}

// identity is the encoding of the neutral element, for a key that is not known yet.
var identity = xmr.PublicKey(edwards.Identity().Encode())

// publicOf returns s·G.
func publicOf(s *edwards.Scalar) xmr.PublicKey {
	return new(edwards.Point).ScalarBaseMult(s).Encode()
}

// sortKeys sorts keys as the reference does: byte by byte from the first.
// Source: src/crypto/crypto.h, operator<.
func sortKeys(k []xmr.PublicKey) { smallsort.Sort(k, compareKeys) }

func (a *Account) isSigner(k xmr.PublicKey) bool {
	_, found := slices.BinarySearchFunc(a.signers, k, compareKeys)
	return found
}
