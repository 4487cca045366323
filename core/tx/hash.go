package tx

import (
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// ParseWithHash is Parse that also returns the transaction's ID, hashed from b.
func ParseWithHash(b []byte) (*Transaction, xmr.Hash, error) {
	t := new(Transaction)
	r := wire.NewReader(b)
	id := t.DecodeWithHash(r, nil)
	if err := r.Close(); err != nil {
		return nil, xmr.Hash{}, err
	}
	return t, id, nil
}

// DecodeWithHash is Decode that allocates from a and also returns the transaction's ID, hashed from the bytes read.
func (t *Transaction) DecodeWithHash(r *wire.Reader, a *Arena) xmr.Hash {
	start := r.Offset()
	at := t.decode(r, true, a, false)
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

// ParsePrunedWithHash is ParsePruned that also returns the transaction's ID, hashed from b and the hash of the missing
// part. The latter is ignored if the transaction has no such part.
//
// A version 1 transaction without its signatures has no computable ID: the result is the transaction, a zero ID and
// ErrPruned. After any other error the transaction is nil.
func ParsePrunedWithHash(b []byte, prunable xmr.Hash) (*Transaction, xmr.Hash, error) {
	return (*Arena)(nil).ParsePrunedWithHash(b, prunable)
}

// ParsePrunedWithHash is the function of that name, allocating from a.
func (a *Arena) ParsePrunedWithHash(b []byte, prunable xmr.Hash) (*Transaction, xmr.Hash, error) {
	t := a.Transaction()
	r := wire.NewReader(b)
	at := t.decode(r, false, a, false)
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

// PrefixHash returns H(AppendPrefix), a part of the message that signatures sign.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_transaction_prefix_hash.
func (t *Transaction) PrefixHash() xmr.Hash { return keccak.Sum256(t.AppendPrefix(nil)) }

// BaseHash returns H(AppendBase).
func (t *Transaction) BaseHash() xmr.Hash { return keccak.Sum256(t.AppendBase(nil)) }

// PrunableHash returns H(AppendPrunable) as it enters the ID: zero for RingCTNull. It is undefined for a pruned
// transaction and for version 1.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, calculate_transaction_prunable_hash.
func (t *Transaction) PrunableHash() xmr.Hash {
	if t.Version != 1 && t.RingCT.Type == RingCTNull {
		return xmr.Hash{}
	}
	return keccak.Sum256(t.AppendPrunable(nil))
}

// Hash returns the transaction's ID: the hash of the complete transaction for version 1, H(H(prefix), H(base),
// H(prunable)) for version 2. It returns ErrPruned for a pruned one; use PrunedHash then.
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
// RingCTNull. A version 1 transaction has such an ID only if it has no signatures; otherwise the result is zero.
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

// PreMLSAGHash returns the message that the ring signatures of t sign: H(H(prefix), H(base), H(range proof)). t must
// have type RingCTBulletproofPlus and be complete. The reference keeps the name from before CLSAG.
// Source: src/ringct/rctSigs.cpp, get_pre_mlsag_hash.
func (t *Transaction) PreMLSAGHash() [32]byte {
	var proofs [][]byte
	for i := range t.RingCT.Prunable.BulletproofsPlus {
		b := &t.RingCT.Prunable.BulletproofsPlus[i]
		for _, x := range [...]*[32]byte{&b.A, &b.A1, &b.B, &b.R1, &b.S1, &b.D1} {
			proofs = append(proofs, x[:])
		}
		for _, list := range [...][][32]byte{b.L, b.R} {
			for j := range list {
				proofs = append(proofs, list[j][:])
			}
		}
	}
	return join(t.PrefixHash(), t.BaseHash(), keccak.Sum256(proofs...))
}
