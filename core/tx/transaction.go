// Package tx parses, hashes and serialises transactions of every version and proof type, complete or pruned.
package tx

import (
	"errors"

	"glim/core/xmr"
)

// Errors of decoding besides those of package wire. The bytes are not a valid transaction; retrying is pointless.
var (
	ErrVersion = errors.New("tx: version is not 1 or 2")
	ErrInput   = errors.New("tx: input of an unknown kind, or no inputs")
	ErrOutput  = errors.New("tx: output of an unknown kind")
	ErrType    = errors.New("tx: unknown RingCT type")
	ErrRing    = errors.New("tx: first ring is empty")
	ErrProof   = errors.New("tx: range proofs do not fit the outputs")
)

// ErrPruned reports an operation that needs the signatures or proofs of a pruned transaction: request the complete
// transaction, or its prunable hash.
var ErrPruned = errors.New("tx: transaction is pruned")

// Transaction is a Monero transaction. Version 1 has visible amounts and a ring signature per input; version 2 hides
// amounts with RingCT.
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction_prefix and transaction.
type Transaction struct {
	Version    uint64 // 1 or 2
	UnlockTime uint64 // below xmr.MaxHeightUnlock a block height, otherwise POSIX seconds; 0 is unlocked
	Inputs     []Input
	Outputs    []Output
	Carrot     []Carrot      // from the next hard fork on: one per output; otherwise nil. See package fcmptx
	Extra      []byte        // see ParseExtra; aliases the bytes it was parsed from
	Signatures [][]Signature // version 1: per input and ring member; nil when pruned or coinbase
	RingCT     RingCT        // version 2
}

// Input is an input of a transaction: a block reward, or one member of a ring of outputs.
// Source: src/cryptonote_basic/cryptonote_basic.h, txin_gen and txin_to_key.
type Input struct {
	Coinbase   bool
	Height     uint64   // coinbase only: index of the block it is in
	Amount     uint64   // atomic units of every ring member; 0 for RingCT outputs
	KeyOffsets []uint64 // global indices of the ring among outputs of Amount: the first, then differences
	KeyImage   xmr.KeyImage
	// ShortKeyImage says that only the first ShortKeyImageSize bytes of KeyImage and no KeyOffsets are known, as in a
	// compact block.
	ShortKeyImage bool
}

// ShortKeyImageSize is the number of bytes of a key image in compact blocks. Finding a second key image with the same
// prefix takes 2^96 attempts, and among the 2^40 key images of a wallet's lifetime no two share one by chance.
const ShortKeyImageSize = 12

// Output is an output of a transaction.
// Source: src/cryptonote_basic/cryptonote_basic.h, txout_to_key and txout_to_tagged_key.
type Output struct {
	Amount  uint64 // atomic units; 0 when RingCT hides it
	Key     xmr.PublicKey
	Tagged  bool // has a ViewTag: hard fork 15 on
	ViewTag byte
}

// Carrot is what an output of Carrot, the addressing of the next hard fork, has besides its key and amount.
// Source: src/cryptonote_basic/cryptonote_basic.h, txout_to_carrot_v1, of the beta that package fcmptx names.
type Carrot struct {
	ViewTag [3]byte
	Anchor  [16]byte // encrypted
}

// Signature is the part of a version 1 ring signature for one member.
// Source: src/crypto/crypto.h, signature.
type Signature struct{ C, R [32]byte }

// RingCTType is the kind of proofs a version 2 transaction carries.
// Source: src/ringct/rctTypes.h, RCTTypeNull and following.
type RingCTType uint8

// The types, in the order of their hard forks.
const (
	RingCTNull            RingCTType = iota // coinbase: nothing to prove
	RingCTFull                              // one MLSAG for all inputs, Borromean range proofs
	RingCTSimple                            // one MLSAG an input, Borromean range proofs
	RingCTBulletproof                       // one MLSAG an input, Bulletproof
	RingCTBulletproof2                      // as before with eight-byte amounts
	RingCTCLSAG                             // one CLSAG an input, Bulletproof
	RingCTBulletproofPlus                   // one CLSAG an input, Bulletproof+
	RingCTFCMP                              // the next hard fork: proofs about all outputs, see Transaction.Carrot
)

// compact reports whether amounts have eight bytes and no mask.
func (t RingCTType) compact() bool { return t >= RingCTBulletproof2 }

// bulletproof reports whether the range proof is a Bulletproof, not a Bulletproof+.
func (t RingCTType) bulletproof() bool { return t >= RingCTBulletproof && t <= RingCTCLSAG }

// clsag reports whether ring signatures are CLSAGs.
func (t RingCTType) clsag() bool { return t >= RingCTCLSAG }

// latePseudoOuts reports whether the pseudo-outputs are in the prunable part.
func (t RingCTType) latePseudoOuts() bool { return t >= RingCTBulletproof }

// RingCT has the encrypted amounts, commitments and proofs of a version 2 transaction.
// Source: src/ringct/rctTypes.h, rctSigBase and rctSigPrunable.
type RingCT struct {
	Type RingCTType
	Fee  uint64 // atomic units
	// RingCTSimple only: commitments of the inputs; later types have them in Prunable
	PseudoOuts        [][32]byte
	Ecdh              []EcdhInfo         // one per output
	Commitments       [][32]byte         // one per output
	Prunable          *Prunable          // nil when pruned or RingCTNull
	CommitmentDigests *CommitmentDigests // compact blocks have these instead of Commitments; otherwise nil
}

// EcdhInfo has the amount and mask of an output, encrypted for its recipient.
// Source: src/ringct/rctTypes.h, ecdhTuple.
type EcdhInfo struct {
	Mask   [32]byte // RingCTFull to RingCTBulletproof
	Amount [32]byte // from RingCTBulletproof2 on only the first 8 bytes
}

// Prunable has the proofs that a pruned node discards.
// Source: src/ringct/rctTypes.h, rctSigPrunable.
type Prunable struct {
	RangeSigs        []RangeSig        // RingCTFull, RingCTSimple: one per output
	Bulletproofs     []Bulletproof     // RingCTBulletproof to RingCTCLSAG: one
	BulletproofsPlus []BulletproofPlus // RingCTBulletproofPlus: one
	MLSAGs           []MLSAG           // RingCTFull: one; RingCTSimple to RingCTBulletproof2: one per input
	CLSAGs           []CLSAG           // from RingCTCLSAG on: one per input
	PseudoOuts       [][32]byte        // from RingCTBulletproof on: commitments of the inputs
}

// RangeSig is a Borromean proof that an amount has 64 bits.
// Source: src/ringct/rctTypes.h, rangeSig and boroSig.
type RangeSig struct {
	S0, S1 [64][32]byte
	EE     [32]byte
	C      [64][32]byte // commitments to the bits
}

// MLSAG is a multilayered ring signature.
// Source: src/ringct/rctTypes.h, mgSig.
type MLSAG struct {
	S [][][32]byte // S[member][row]
	C [32]byte
}

// CLSAG is a concise ring signature. Its key image is the input's.
// Source: src/ringct/rctTypes.h, clsag.
type CLSAG struct {
	S  [][32]byte // one per ring member
	C1 [32]byte
	D  [32]byte // commitment key image, divided by eight
}

// Bulletproof is an aggregated range proof of all outputs.
// Source: src/ringct/rctTypes.h, Bulletproof; the commitments V are the outputs' divided by eight.
type Bulletproof struct {
	A, S, T1, T2, TauX, Mu [32]byte
	L, R                   [][32]byte // equally long: 6 and the logarithm of the padded number of outputs
	InnerA, InnerB, T      [32]byte   // a, b and t at the end of the inner product argument
}

// BulletproofPlus is an aggregated range proof of all outputs.
// Source: src/ringct/rctTypes.h, BulletproofPlus; the commitments V are the outputs' divided by eight.
type BulletproofPlus struct {
	A, A1, B, R1, S1, D1 [32]byte
	L, R                 [][32]byte // equally long: 6 and the logarithm of the padded number of outputs
}

// IsCoinbase reports whether t pays a block reward: it has exactly one input, which is a coinbase.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, is_coinbase.
func (t *Transaction) IsCoinbase() bool { return len(t.Inputs) == 1 && t.Inputs[0].Coinbase }

// IsPruned reports whether t lacks the signatures or proofs of its type.
func (t *Transaction) IsPruned() bool {
	if t.Version != 1 {
		return t.RingCT.Type != RingCTNull && t.RingCT.Prunable == nil
	}
	if t.Signatures != nil {
		return false
	}
	for i := range t.Inputs {
		if len(t.Inputs[i].KeyOffsets) > 0 {
			return true
		}
	}
	return false
}
