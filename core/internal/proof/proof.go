// Package proof makes and checks the reference's proofs of a payment, a spend or a reserve, and its signed messages.
//
// The functions compute the ID of a complete transaction. The caller vouches for the ID of a pruned one, and for
// whether a transaction is mined.
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
	// ErrMalformed: not a proof of this kind, or not for this transaction. The reference returns an error.
	ErrMalformed = errors.New("proof: malformed")
	// ErrInvalid: well formed, but not valid for this message, address or transaction. The reference reports a bad
	// signature.
	ErrInvalid = errors.New("proof: does not verify")
	// ErrNothing: the transaction paid nothing to the address.
	ErrNothing = errors.New("proof: no funds received in this transaction")
	// ErrViewOnly: the proof needs the spend key, which the wallet lacks.
	ErrViewOnly = errors.New("proof: needs the spend key, and the wallet is view-only")
	// ErrSecret: the secret keys do not belong to the given transaction or outputs.
	ErrSecret = errors.New("proof: the secret keys belong to something else")
	// ErrTransaction: another transaction than the requested one, or one without a public key or output that the proof
	// needs.
	ErrTransaction = errors.New("proof: not the transaction, or it lacks what the proof needs")
	// ErrTxKey: not a list of transaction keys, or the wrong number of them for the transaction.
	ErrTxKey = errors.New("proof: malformed transaction key")
	// ErrAddress: a subaddress where a standard address is required.
	ErrAddress = errors.New("proof: the address must not be a subaddress")
	// ErrAmount: a reserve proof of zero was requested.
	ErrAmount = errors.New("proof: the amount to prove must be greater than 0")
	// ErrNotEnough: the wallet or the account holds less than the amount to prove.
	ErrNotEnough = errors.New("proof: not enough balance for the amount to prove")
	// ErrMessage: a message that would turn the signature of a reserve proof into one of another kind.
	ErrMessage = errors.New("proof: a message that begins like this would sign something else")
	// ErrUnconfirmed: a reserve proof of an output that is not mined.
	ErrUnconfirmed = errors.New("proof: transaction is unconfirmed")
)

// Base58 lengths of 32 and 64 bytes.
const (
	keyLetters       = 44
	signatureLetters = 88
)

// identify returns ErrTransaction if t is nil or is known to have another ID than id.
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

// times returns s·p, encoded. It returns edwards.ErrPoint for an invalid p. Constant time in s.
func times(s *edwards.Scalar, p [32]byte) ([32]byte, error) {
	q, err := edwards.DecodePoint(p)
	if err != nil {
		return [32]byte{}, err
	}
	return q.ScalarMult(s, q).Encode(), nil
}

// derivation returns 8·shared for the product shared of a secret and a public key: the result of edwards.Derive for
// those two.
func derivation(shared [32]byte) (edwards.Derivation, error) {
	return edwards.Derive(edwards.ScalarFromUint64(1), shared)
}
