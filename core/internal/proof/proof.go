// Package proof makes, or checks, the texts by which people convince others of a payment, a spend, a holding, a message.
//
// The texts are the reference's, in both directions. Of a whole transaction the ID is computed; that of a pruned one, and
// that a transaction is mined, is for whoever fetched it to know.
package proof

import (
	"errors"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/base58"
	"glim/core/tx"
	"glim/core/xmr"
)

// Errors of this package.
var (
	// ErrMalformed: the text is no proof of its kind, or not one of this transaction. The reference answers with an
	// error.
	ErrMalformed = errors.New("proof: malformed")
	// ErrInvalid: well formed, but it does not prove what it should: another message, address or transaction, or a
	// forgery. The reference answers that it is not good.
	ErrInvalid = errors.New("proof: does not verify")
	// ErrNothing: the address received nothing in the transaction, so there is nothing to prove.
	ErrNothing = errors.New("proof: no funds received in this transaction")
	// ErrViewOnly: the proof takes the spend key, which the wallet lacks.
	ErrViewOnly = errors.New("proof: needs the spend key, and the wallet is view-only")
	// ErrSecret: the secret keys do not belong to the transaction or the outputs they were given for.
	ErrSecret = errors.New("proof: the secret keys belong to something else")
	// ErrTransaction: a transaction that lacks what a proof is about, such as a public key or the output itself; or
	// another transaction than the one asked for.
	ErrTransaction = errors.New("proof: not the transaction, or it lacks what the proof needs")
	// ErrTxKey: text that is no row of transaction keys, or has the wrong number of them for the transaction.
	ErrTxKey = errors.New("proof: malformed transaction key")
	// ErrAddress: a subaddress where only a standard address can be.
	ErrAddress = errors.New("proof: the address must not be a subaddress")
	// ErrAmount: a reserve proof of nothing was asked for.
	ErrAmount = errors.New("proof: the amount to prove must be greater than 0")
	// ErrNotEnough: the wallet or the account holds less than what is to be proven.
	ErrNotEnough = errors.New("proof: not enough balance for the amount to prove")
	// ErrMessage: a reserve proof with a message that would make it the signature of something else.
	ErrMessage = errors.New("proof: a message that begins like this one would sign something else")
	// ErrUnconfirmed: a reserve proof of an output that is not mined.
	ErrUnconfirmed = errors.New("proof: transaction is unconfirmed")
)

// Texts of 32 and 64 bytes in base 58.
const (
	keyLetters       = 44
	signatureLetters = 88
)

// identify returns ErrTransaction when t has another ID than id, as far as t tells.
func identify(id xmr.Hash, t *tx.Transaction) error {
	if t == nil {
		return ErrTransaction
	}
	if got, err := t.Hash(); err == nil && got != id {
		return ErrTransaction
	}
	return nil
}

// bound returns the hash that binds a proof to transaction id and to message.
func bound(id xmr.Hash, message string) [32]byte { return keccak.Sum256(id[:], []byte(message)) }

func encodeSignature(c, r [32]byte) string { return base58.Encode(append(c[:], r[:]...)) }

func decodeSignature(s string) (c, r [32]byte, err error) {
	b, err := base58.Decode(s)
	if err != nil || len(b) != 64 {
		return c, r, ErrMalformed
	}
	return [32]byte(b), [32]byte(b[32:]), nil
}

func decodeKey(s string) ([32]byte, error) {
	b, err := base58.Decode(s)
	if err != nil || len(b) != 32 {
		return [32]byte{}, ErrMalformed
	}
	return [32]byte(b), nil
}

// times returns s·p as bytes; edwards.ErrPoint when p is none. Constant time in s.
func times(s *edwards.Scalar, p [32]byte) ([32]byte, error) {
	q, err := edwards.DecodePoint(p)
	if err != nil {
		return [32]byte{}, err
	}
	return q.ScalarMult(s, q).Encode(), nil
}

// derivation returns 8·shared, given s·P of a secret and a public key: what edwards.Derive makes of those two.
func derivation(shared [32]byte) (edwards.Derivation, error) {
	return edwards.Derive(edwards.ScalarFromUint64(1), shared)
}
