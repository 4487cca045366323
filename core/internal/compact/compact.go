// Package compact writes and reads blocks with only what finding a wallet's money takes.
//
// A compact block is made of a block, its transactions without proofs, and the global indices of their outputs. Equal blocks have equal bytes:
// whoever has a block in full can check a compact one by making it again. Numbers are varints, all else comes in the order below.
//
//	header       major, minor, timestamp; nonce, 4 bytes. The ID of the block before is known to who reads a chain.
//	coinbase     as in the block itself
//	base         global index of the coinbase's first output, 0 if there is none
//	coinbase     as for each transaction: 1 and nothing, or 0 and an index for each output
//	transactions their number, then each of them
//
//	transaction  ID, 32 bytes; form, a byte of the flags below
//	             version, unlock time: unless formUsual
//	             type of RingCT, 1 byte: unless formPlus or version 1
//	             inputs: their number; of each amount: unless formHidden; first 12 bytes of the key image
//	             outputs: their number; of each amount and 0 or 1 for a view tag: unless formTagged; key, 32 bytes; view tag, 1 byte, if it
//	             has one
//	             extra: transaction key, 32 bytes: formKey; payment ID, encrypted, 8 bytes: formKey and formID; without formKey: number of
//	             transaction keys, keys; number of keys by output, keys; 0, or 1 and a payment ID of 32 bytes, or 2 and an encrypted one
//	             fee: unless RingCT is empty; with formTens in units of 10,000
//	             of each output, unless RingCT is empty: amount, encrypted, 8 bytes, before RingCTBulletproof2 mask and amount, 64; digest
//	             of the commitment, 8 bytes
//	             global indices, one for each output: unless formNext
//
// Indices "next" follow those before: the base, or the last index said, plus one.
//
// What is left out: rings, so that nobody learns what a transaction may spend; the end of key images, see tx.ShortImage; commitments but
// for a digest, see tx.Digest; what extra says besides; proofs. The list of IDs is proven by the block's ID, the coinbase, too. That a
// transaction is the one its ID names is not: see Append for who wants to know.
package compact

import (
	"errors"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// Version is the version of the format.
const Version = 1

// ErrForm reports bytes that are no compact block, or a block that none can be made of.
var ErrForm = errors.New("compact: malformed")

// The flags of a transaction's form.
const (
	formUsual  = 1 << iota // version 2, never locked
	formPlus               // RingCTBulletproofPlus
	formHidden             // inputs have amount 0
	formTagged             // outputs have amount 0 and a view tag
	formKey                // one transaction key, and none by output
	formID                 // with formKey: an encrypted payment ID
	formTens               // a fee in units of 10,000
	formNext               // indices follow those before
)

// feeUnit is what fees of version 2 are rounded to since hard fork 10.
// Source: src/cryptonote_config.h, PER_KB_FEE_QUANTIZATION_DECIMALS.
const feeUnit = 10_000

// Bounds of what is decoded: what a block may have, and far more than one had.
const (
	maxTxs     = 1 << 20
	maxParts   = 1 << 16 // inputs or outputs or keys of one transaction
	minTx      = 37      // bytes
	minInput   = tx.ShortImage
	minOutput  = 33
	maxIndices = 1 << 16
)

// Segment is how many blocks are asked for and kept together: a segment begins at a multiple of it, so that all who read it ask in the same
// words, wherever they are.
const Segment = 100

// Whole returns how many of n blocks, the first with index start, end with a segment; n when no segment ends among them.
func Whole(start, n uint64) uint64 {
	if end := (start + n) / Segment * Segment; end > start {
		return end - start
	}
	return n
}

// Block is a compact block that was read.
type Block struct {
	// Block has no Prev until Seal.
	Block *block.Block
	// Coinbase is the ID of its coinbase.
	Coinbase xmr.Hash
	// Txs are the transactions besides the coinbase, in order: version, unlock time, amounts and the beginnings of key images, outputs, of
	// extra what wallets look for, type, fee, encrypted amounts and digests of the commitments. IDs are Block.TxHashes.
	Txs []*tx.Transaction
	// Indices are global, of the outputs of the coinbase first, then of each of Txs.
	Indices [][]uint64
}

// Seal says which block comes before, and returns the ID that follows. Errors: those of block.Block.HashWith.
func (b *Block) Seal(prev xmr.Hash) (xmr.Hash, error) {
	b.Block.Prev = prev
	id, err := b.Block.HashWith(b.Coinbase)
	if err != nil {
		return id, err
	}
	for _, t := range b.Txs {
		if t.RingCT.Digests != nil {
			t.RingCT.Digests.Block = id
		}
	}
	return id, nil
}
