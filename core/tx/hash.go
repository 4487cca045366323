package tx

import (
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// ParseWithHash is Parse that returns the transaction's ID too, hashed from b without writing it again.
func ParseWithHash(b []byte) (*Transaction, xmr.Hash, error) {
	t := new(Transaction)
	r := wire.NewReader(b)
	id := t.DecodeWithHash(r, nil)
	if err := r.Close(); err != nil {
		return nil, xmr.Hash{}, err
	}
	return t, id, nil
}

// DecodeWithHash is Decode that takes its memory from a, and returns the transaction's ID too, hashed from the bytes read.
func (t *Transaction) DecodeWithHash(r *wire.Reader, a *Arena) xmr.Hash {
	start := r.Offset()
	at := t.decode(r, true, a)
	if r.Err() != nil {
		return xmr.Hash{}
	}
	b := r.Since(start)
	if t.Version == 1 {
		return keccak.Sum256(b)
	}
	if t.RingCT.Type == RingCTNull {
		return join(keccak.Sum256(b[:at.prefix]), emptyBase, xmr.Hash{})
	}
	return join(keccak.Sum256(b[:at.prefix]), keccak.Sum256(b[at.prefix:at.base]), keccak.Sum256(b[at.base:]))
}

// emptyBase is the hash of the base of RingCTNull, which is one byte.
var emptyBase = keccak.Sum256([]byte{byte(RingCTNull)})

// ParsePrunedWithHash is ParsePruned that returns the transaction's ID too, hashed from b and the hash of the part that
// is missing, which is ignored where a transaction has no such part.
//
// A version 1 transaction that has lost its signatures has no computable ID: the transaction is returned with a zero ID
// and ErrPruned. After any other error the transaction is nil.
func ParsePrunedWithHash(b []byte, prunable xmr.Hash) (*Transaction, xmr.Hash, error) {
	return (*Arena)(nil).ParsePrunedWithHash(b, prunable)
}

// ParsePrunedWithHash is ParsePrunedWithHash in a's memory.
func (a *Arena) ParsePrunedWithHash(b []byte, prunable xmr.Hash) (*Transaction, xmr.Hash, error) {
	t := a.Transaction()
	r := wire.NewReader(b)
	at := t.decode(r, false, a)
	if err := r.Close(); err != nil {
		return nil, xmr.Hash{}, err
	}
	if t.Version == 1 {
		if t.IsPruned() {
			return t, xmr.Hash{}, ErrPruned
		}
		return t, keccak.Sum256(b), nil
	}
	if t.RingCT.Type == RingCTNull {
		prunable = xmr.Hash{}
	}
	return t, join(keccak.Sum256(b[:at.prefix]), keccak.Sum256(b[at.prefix:at.base]), prunable), nil
}

func join(prefix, base, prunable xmr.Hash) xmr.Hash {
	return keccak.Sum256(prefix[:], base[:], prunable[:])
}

// PrefixHash returns H(AppendPrefix): the part of the message that every signature signs.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_transaction_prefix_hash.
func (t *Transaction) PrefixHash() xmr.Hash { return keccak.Sum256(t.AppendPrefix(nil)) }

// BaseHash returns H(AppendBase).
func (t *Transaction) BaseHash() xmr.Hash { return keccak.Sum256(t.AppendBase(nil)) }

// PrunableHash returns H(AppendPrunable) as it enters the ID: zero for RingCTNull. Meaningless for a pruned transaction
// and for version 1, whose ID has no such part.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, calculate_transaction_prunable_hash.
func (t *Transaction) PrunableHash() xmr.Hash {
	if t.Version != 1 && t.RingCT.Type == RingCTNull {
		return xmr.Hash{}
	}
	return keccak.Sum256(t.AppendPrunable(nil))
}

// Hash returns the transaction's ID: the hash of the whole for version 1, H(H(prefix), H(base), H(prunable)) for
// version 2. Errors: ErrPruned; use PrunedHash then.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, calculate_transaction_hash.
func (t *Transaction) Hash() (xmr.Hash, error) {
	if t.IsPruned() {
		return xmr.Hash{}, ErrPruned
	}
	if t.Version == 1 {
		return keccak.Sum256(t.Append(nil)), nil
	}
	return join(t.PrefixHash(), t.BaseHash(), t.PrunableHash()), nil
}

// PrunedHash returns the ID of a version 2 transaction given the hash of its prunable part, which is ignored for
// RingCTNull. Of version 1 only a transaction without signatures has such an ID; otherwise the zero hash is returned.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_pruned_transaction_hash.
func (t *Transaction) PrunedHash(prunable xmr.Hash) xmr.Hash {
	if t.Version == 1 {
		if t.Signatures != nil || t.IsPruned() {
			return xmr.Hash{}
		}
		return keccak.Sum256(t.AppendPrefix(nil))
	}
	if t.RingCT.Type == RingCTNull {
		prunable = xmr.Hash{}
	}
	return join(t.PrefixHash(), t.BaseHash(), prunable)
}
