// Package compact serializes blocks with only the data that wallets need to find their money.
//
// A compact block is made from a block, its transactions without proofs, and the global indices of their outputs. Equal
// blocks have equal bytes, so anyone with the complete block can check a compact one by making it again. Numbers are
// varints. All fields have the following order:
//
//	header       major, minor, timestamp; nonce, 4 bytes. Without the ID of the previous block, which readers know.
//	coinbase     as in the block; if its outputs are those of Carrot, then also the number of layers of the tree of
//	             outputs, 1 byte, and its root, 32 bytes
//	base         global index of the coinbase's first output, or 0
//	coinbase     indices as for transactions: 1, or 0 and an index for each output
//	transactions their number, then each of them
//
//	transaction  ID, 32 bytes; form, one byte of the flags below
//	             version, unlock time: unless formUsual
//	             RingCT type, 1 byte: unless formPlus or version 1
//	             inputs: their number; for each: amount, unless formHidden; first 12 bytes of the key image
//	             outputs: their number; for each: amount and 0 or 1 for a view tag, unless formTagged; key, 32 bytes;
//	             view tag, 1 byte, if it has one
//	             extra, with formKey: transaction key, 32 bytes; with formID also encrypted payment ID, 8 bytes
//	             extra, without formKey: number of transaction keys, keys; number of additional keys, keys;
//	             0, or 1 and a payment ID of 32 bytes, or 2 and an encrypted one
//	             fee: unless the RingCT type is null; with formTens in units of 10,000
//	             for each output, unless the RingCT type is null: encrypted amount, 8 bytes (before
//	             RingCTBulletproof2 mask and amount, 64 bytes); digest of the commitment, 8 bytes
//	             global indices, one for each output: unless formNext
//
// A transaction of the next hard fork, which has RingCT type 7, differs from that:
//
//	inputs       the first has its complete key image, which Carrot's derivations need
//	outputs      amount, unless formTagged; key, 32 bytes; view tag, 3 bytes; encrypted anchor, 16 bytes
//	             for each output: encrypted amount, 8 bytes; commitment, 32 bytes, which Carrot's derivations need
//
// With formNext, the indices continue after the previous ones: after base, or after the last explicit index.
//
// Compact blocks do not contain rings, so that they do not reveal what a transaction may spend, the ends of key images
// (see tx.ShortKeyImageSize), commitments except a digest (see tx.CommitmentDigest), other fields of extra, and proofs.
// The block's ID proves the list of transaction IDs and the coinbase. Nothing proves that a transaction belongs to its
// ID; to check that, make the compact block again with Append.
package compact

import (
	"errors"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// MinVersion is the first version of the format. Version 2 adds blocks of the next hard fork; other blocks have the
// same form in both.
const MinVersion = 1

// Fits reports whether a version of the format has a form for blocks of the version major.
func Fits(version, major uint8) bool { return version > MinVersion || major < block.TreeVersion }

// TooOld is the status with which a daemon refuses blocks of the next hard fork to a client that reads only version 1.
const TooOld = "Failed, blocks of the next hard fork need version 2 of compact blocks"

// ErrFormat reports bytes that are not a compact block, or a block that cannot be made compact.
var ErrFormat = errors.New("compact: malformed")

// The flags of a transaction's form.
const (
	formUsual  = 1 << iota // version 2, unlock time 0
	formPlus               // RingCTBulletproofPlus
	formHidden             // inputs have amount 0
	formTagged             // outputs have amount 0 and a view tag of one byte, or are those of Carrot with amount 0
	formKey                // one transaction key, no additional keys
	formID                 // with formKey: an encrypted payment ID
	formTens               // the fee is in units of 10,000
	formNext               // the global indices continue after the previous ones
)

// feeUnit is the unit that fees are rounded to since hard fork 10, in atomic units.
// Source: src/cryptonote_config.h, PER_KB_FEE_QUANTIZATION_DECIMALS.
const feeUnit = 10_000

// Limits of decoding, far above what real blocks have.
const (
	maxTxs     = 1 << 20
	maxParts   = 1 << 16 // inputs, outputs or keys of a transaction
	minTx      = 37      // bytes
	minInput   = tx.ShortKeyImageSize
	minOutput  = 33
	maxIndices = 1 << 16
)

// Segment is the number of blocks that are requested and cached together. Segments start at multiples of it, so that
// all clients make the same requests.
const Segment = 100

// WholeSegments returns how many of n blocks, the first with index start, end with a complete segment, or n if no
// segment ends among them.
func WholeSegments(start, n uint64) uint64 {
	if end := (start + n) / Segment * Segment; end > start {
		return end - start
	}
	return n
}

// Block is a parsed compact block.
type Block struct {
	// Block has no Prev before SetPrev.
	Block *block.Block
	// Coinbase is the ID of the coinbase.
	Coinbase xmr.Hash
	// Txs are the transactions without the coinbase, in order. They have version, unlock time, amounts and first bytes
	// of key images, outputs, the fields of extra that wallets need, type, fee, encrypted amounts and digests of
	// commitments. Their IDs are Block.TxHashes.
	Txs []*tx.Transaction
	// Indices are the global indices of the outputs: those of the coinbase, then those of each of Txs.
	Indices [][]uint64
}

// SetPrev sets the ID of the previous block and returns the ID of this one. It returns the errors of
// block.Block.HashWith.
func (b *Block) SetPrev(prev xmr.Hash) (xmr.Hash, error) {
	b.Block.Prev = prev
	id, err := b.Block.HashWith(b.Coinbase)
	if err != nil {
		return id, err
	}
	for _, t := range b.Txs {
		if t.RingCT.CommitmentDigests != nil {
			t.RingCT.CommitmentDigests.Block = id
		}
	}
	return id, nil
}
