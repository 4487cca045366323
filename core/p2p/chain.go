package p2p

import (
	"glim/core/chain"
	"glim/core/xmr"
)

// Chain is what a machine asks the chain it keeps up. The methods above AddBlocks are called by the machine and answer from
// memory; the others by Job.Do, elsewhere at the same time. What is returned is shared and must not be changed. Of returns one.
type Chain interface {
	// Tip returns the end of the main chain.
	Tip() Tip
	// Version returns the hard fork that the block at an index keeps to.
	Version(height uint64) uint8
	// History returns IDs of the main chain, newest first: the last ten, then ever fewer, and the first block's.
	History() []xmr.Hash
	// After returns the IDs of the main chain from the newest block of history on, that block first, at most limit; false when there is none.
	After(history []xmr.Hash, limit int) (Entry, bool)
	// Has reports whether a block is here, on the main chain or a branch, and its index.
	Has(id xmr.Hash) (height uint64, here bool)
	// Known returns how many of the IDs, up to the first that is not, are of blocks that are here.
	Known(ids []xmr.Hash) int
	// HasTx reports whether a transaction is in the pool or the main chain.
	HasTx(id xmr.Hash) bool
	// Block returns a block, wherever it is; its transactions whole or pruned; false when one of them is not here any more.
	Block(id xmr.Hash, pruned bool) (BlockData, bool)
	// PoolTx returns a transaction of the pool as bytes; false when it is not there.
	PoolTx(id xmr.Hash) ([]byte, bool)
	// Hidden reports whether a transaction of the pool may not be passed on.
	Hidden(id xmr.Hash) bool
	// Pool returns the IDs of the pool's transactions that may be passed on.
	Pool() []xmr.Hash
	// Unheard returns transactions of the pool that may be passed on and last were longer ago than they deserve, in POSIX seconds.
	Unheard(now uint64) []xmr.Hash

	// AddBlocks judges blocks, each with such of its transactions as may not be here, in order and up to the first that is refused.
	AddBlocks(list []NewBlock) ([]chain.Added, error)
	// AddTx judges a transaction and puts it into the pool; hidden, it is shown to no stranger until SetRelayed.
	AddTx(blob []byte, hidden bool) (xmr.Hash, error)
	// SetRelayed notes that a transaction of the pool goes out.
	SetRelayed(id xmr.Hash) error
}

// Entry is a piece of the main chain as peers ask for it.
type Entry struct {
	Start      uint64 // index of the first of IDs, which is also of the history asked with
	IDs        []xmr.Hash
	Weights    []uint64
	FirstBlock []byte // the block after the first of IDs, as bytes; nothing when there is none
}

// NewBlock is a block that came, as bytes.
type NewBlock struct {
	Blob []byte
	Txs  [][]byte
}

// BlockData is a block of the chain as bytes.
type BlockData struct {
	Height uint64 // index
	Blob   []byte
	Weight uint64     // bytes
	TxIDs  []xmr.Hash // as the block lists them
	Txs    [][]byte
	// Prunable are the hashes of what pruned transactions lack, one each; nothing when they are whole.
	Prunable []xmr.Hash
}
