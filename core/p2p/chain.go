package p2p

import (
	"glim/core/chain"
	"glim/core/xmr"
)

// Chain is the chain that a machine synchronises. The machine calls the methods above AddBlocks, which answer from
// memory. Job.Do calls the others, concurrently. Returned values are shared and must not be changed. FromChain returns
// a Chain.
type Chain interface {
	// Tip returns the top of the main chain.
	Tip() Tip
	// Version returns the hard fork version of the block at a height.
	Version(height uint64) uint8
	// History returns IDs of the main chain, newest first: the last ten, then ever fewer, and the genesis block.
	History() []xmr.Hash
	// After returns at most limit IDs of the main chain: the newest known block of history, and the blocks that follow
	// it. It returns false if no block of history is known.
	After(history []xmr.Hash, limit int) (Entry, bool)
	// LargestWeight returns the largest weight of the last n blocks of the main chain in bytes.
	LargestWeight(n int) uint64
	// Has reports whether a block is known, on the main chain or a branch, and its height.
	Has(id xmr.Hash) (height uint64, here bool)
	// Known returns how many of the IDs, up to the first unknown one, are of known blocks.
	Known(ids []xmr.Hash) int
	// HasTx reports whether a transaction is in the pool or on the main chain.
	HasTx(id xmr.Hash) bool
	// Block returns a known block with its transactions, in full or pruned. It returns false if a transaction is
	// missing.
	Block(id xmr.Hash, pruned bool) (BlockData, bool)
	// PoolTx returns a transaction of the pool as bytes, or false.
	PoolTx(id xmr.Hash) ([]byte, bool)
	// Hidden reports whether a transaction of the pool must not be relayed.
	Hidden(id xmr.Hash) bool
	// Pool returns the IDs of the pool's transactions that may be relayed.
	Pool() []xmr.Hash
	// Unheard returns the transactions of the pool that are due to be relayed again. now is in POSIX seconds.
	Unheard(now uint64) []xmr.Hash

	// AddBlocks verifies and adds blocks, each with those of its transactions that may not be in the pool, in order and
	// up to the first invalid one.
	AddBlocks(list []NewBlock) ([]chain.Added, error)
	// AddTx verifies a transaction and adds it to the pool. A hidden one is not shown to others until SetRelayed.
	AddTx(blob []byte, hidden bool) (xmr.Hash, error)
	// SetRelayed records that a transaction of the pool is relayed.
	SetRelayed(id xmr.Hash) error
}

// Entry is a part of the main chain, as peers request it.
type Entry struct {
	Start      uint64 // height of the first of IDs, which is also in the requested history
	IDs        []xmr.Hash
	Weights    []uint64
	FirstBlock []byte // the block after the first of IDs, as bytes, or nil
}

// NewBlock is a received block, as bytes.
type NewBlock struct {
	Blob []byte
	Txs  [][]byte
}

// BlockData is a block of the chain as bytes.
type BlockData struct {
	Height uint64
	Blob   []byte
	Weight uint64     // bytes
	TxIDs  []xmr.Hash // in the order of the block
	Txs    [][]byte
	// Prunable are the hashes of the parts that pruned transactions lack, one each; nil for full transactions.
	Prunable []xmr.Hash
}
