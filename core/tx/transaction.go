// Package tx reads, hashes and writes transactions of every version and proof type, whole or pruned.
package tx

import (
	"errors"

	"glim/core/xmr"
)

// Errors of decoding besides those of package wire. The bytes are not a transaction of this protocol; retrying is
// pointless.
var (
	ErrVersion = errors.New("tx: version is neither 1 nor 2")
	ErrInput   = errors.New("tx: input of an unknown kind, or none at all")
	ErrOutput  = errors.New("tx: output of an unknown kind")
	ErrType    = errors.New("tx: unknown RingCT type")
	ErrRing    = errors.New("tx: first ring is empty")
	ErrProof   = errors.New("tx: range proofs do not fit the outputs")
)

// ErrPruned reports that what was asked needs the signatures or proofs of a transaction that has lost them: ask the
// daemon for the whole one, or for its prunable hash.
var ErrPruned = errors.New("tx: transaction is pruned")

// Transaction is one transfer of funds. Version 1 shows amounts and signs each input with a ring signature; version 2
// hides amounts with RingCT.
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction_prefix and transaction.
type Transaction struct {
	Version    uint64 // 1 or 2
	UnlockTime uint64 // below xmr.MaxHeightUnlock a block height, otherwise POSIX seconds; 0 is unlocked
	Inputs     []Input
	Outputs    []Output
	Extra      []byte        // see ParseExtra; aliases the bytes it was parsed from
	Signatures [][]Signature // version 1: one list an input, one signature a ring member; nil when pruned or coinbase
	RingCT     RingCT        // version 2
}

// Input is what a transaction spends: the block reward, or one member of a ring of outputs.
// Source: src/cryptonote_basic/cryptonote_basic.h, txin_gen and txin_to_key.
type Input struct {
	Coinbase   bool
	Height     uint64   // coinbase only: index of the block it is in
	Amount     uint64   // atomic units of every ring member; 0 for RingCT outputs
	KeyOffsets []uint64 // global indices of the ring among outputs of Amount: the first, then differences
	KeyImage   xmr.KeyImage
	// Short says that only the first ShortImage bytes of KeyImage are known, and no KeyOffsets, as in a compact block.
	Short bool
}

// ShortImage is how many bytes of a key image compact blocks tell. Nobody can make a key image that begins like another without
// trying 2^96, and none of 2^40 in a wallet's life begins so by chance.
const ShortImage = 12

// Output is what a transaction creates.
// Source: src/cryptonote_basic/cryptonote_basic.h, txout_to_key and txout_to_tagged_key.
type Output struct {
	Amount  uint64 // atomic units; 0 when RingCT hides it
	Key     xmr.PublicKey
	Tagged  bool // has a ViewTag: hard fork 15 on
	ViewTag byte
}

// Signature is one member's part of a version 1 ring signature.
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
)

// compact reports amounts of eight bytes without a mask.
func (t RingCTType) compact() bool { return t >= RingCTBulletproof2 }

// bulletproof reports a Bulletproof of the first kind.
func (t RingCTType) bulletproof() bool { return t >= RingCTBulletproof && t <= RingCTCLSAG }

// clsag reports CLSAG ring signatures.
func (t RingCTType) clsag() bool { return t >= RingCTCLSAG }

// latePseudoOuts reports that commitments of the inputs are in the prunable part.
func (t RingCTType) latePseudoOuts() bool { return t >= RingCTBulletproof }

// RingCT is what a version 2 transaction proves about its hidden amounts.
// Source: src/ringct/rctTypes.h, rctSigBase and rctSigPrunable.
type RingCT struct {
	Type        RingCTType
	Fee         uint64     // atomic units
	PseudoOuts  [][32]byte // RingCTSimple only: commitments of the inputs; later types have them in Prunable
	Ecdh        []EcdhInfo // one an output
	Commitments [][32]byte // one an output
	Prunable    *Prunable  // nil when pruned or RingCTNull
	Digests     *Digests   // what compact blocks have in the place of Commitments; otherwise nil
}

// EcdhInfo tells the recipient amount and mask of an output, encrypted.
// Source: src/ringct/rctTypes.h, ecdhTuple.
type EcdhInfo struct {
	Mask   [32]byte // RingCTFull to RingCTBulletproof
	Amount [32]byte // from RingCTBulletproof2 on only the first 8 bytes
}

// Prunable holds the proofs: what a pruned node forgets.
// Source: src/ringct/rctTypes.h, rctSigPrunable.
type Prunable struct {
	RangeSigs        []RangeSig        // RingCTFull, RingCTSimple: one an output
	Bulletproofs     []Bulletproof     // RingCTBulletproof to RingCTCLSAG: one
	BulletproofsPlus []BulletproofPlus // RingCTBulletproofPlus: one
	MLSAGs           []MLSAG           // RingCTFull: one; RingCTSimple to RingCTBulletproof2: one an input
	CLSAGs           []CLSAG           // from RingCTCLSAG on: one an input
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
	S  [][32]byte // one a ring member
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

// IsCoinbase reports whether t is a block's reward: exactly one input, which is a coinbase.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, is_coinbase.
func (t *Transaction) IsCoinbase() bool { return len(t.Inputs) == 1 && t.Inputs[0].Coinbase }

// IsPruned reports whether t lacks signatures or proofs that its kind has.
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
