// Package syncer decides what to ask a daemon next and what its answer means for a wallet's chain.
package syncer

import (
	"context"
	"errors"

	"glim/core/say"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Block is a block whose header, transactions and indices belong together, as far as its source could check.
type Block struct {
	Height    uint64 // index
	Hash      xmr.Hash
	Prev      xmr.Hash
	Version   uint8
	Timestamp uint64 // POSIX seconds
	Txs       []Tx   // the miner's first
}

// Tx is a transaction of a block or of the pool.
type Tx struct {
	ID              xmr.Hash
	Tx              *tx.Transaction // pruned is enough
	Indices         []uint64        // global indices of its outputs; none in the pool
	DoubleSpendSeen bool            // the daemon's word about a pool transaction
	Proven          bool            // Tx is what ID says; otherwise the source claims so, see Prover
	Compact         bool            // Tx lacks what package compact leaves out
}

// Question says which blocks are wanted: those from the newest of History on the source's chain on or, when Start is not 0, from Start.
type Question struct {
	History []xmr.Hash // from the newest down, the genesis block last
	Newest  uint64     // index of the first of History
	Start   uint64     // index
	Height  uint64     // number of blocks the source's chain has, as it said last
}

// Batch is a run of consecutive blocks. The first is one that the history named, the one after the newest of it, or one at or before the start
// asked for.
type Batch struct {
	Blocks []Block
	Height uint64 // number of blocks the source's chain has
}

// Source gives blocks and the transaction pool.
type Source interface {
	// Height returns the number of blocks the source's chain has.
	Height(ctx context.Context) (uint64, error)
	// Blocks returns some of the blocks asked for.
	Blocks(ctx context.Context, q Question) (Batch, error)
	// Pool returns the transaction pool. known reports whether the caller has a transaction from an earlier answer of the same Telling.
	Pool(ctx context.Context, known func(*Telling, xmr.Hash) bool) (Pool, error)
}

// Lean is a Source whose transactions may lack rings, and the ends of key images.
type Lean interface {
	// WithRings returns the Source of the same chain whose transactions are as they are but for signatures and proofs.
	WithRings() Source
}

// Prover is a Source that says what it takes to prove the transactions of its blocks. Who asked for those alone that concern him would tell it
// which these are; so he asks for whole blocks, and for some that do not.
type Prover interface {
	// Cover returns how many blocks, with left others after them on the chain, go by on average until one is to be proven that need not be; 0
	// where nothing can be proven.
	Cover(left uint64) uint64
	// Prove asks for the transactions of blocks that are not Proven, and compares. It fails when they are not what their IDs say.
	Prove(ctx context.Context, blocks []Block) error
}

// Proven reports whether all transactions of b are.
func (b *Block) Proven() bool {
	for i := range b.Txs {
		if !b.Txs[i].Proven {
			return false
		}
	}
	return true
}

// Telling identifies the answers that tell of one pool: those of one daemon since it was last asked for all of its pool. What an earlier
// telling said of a transaction is not relied on in the next.
type Telling struct{ _ byte }

// Pool is what a transaction pool holds: all IDs, and the transactions among them that were not known.
type Pool struct {
	IDs     []xmr.Hash
	Txs     []Tx
	Telling *Telling // nil where all answers are one telling
}

// Chain is what a wallet remembers of the blocks it scanned.
type Chain interface {
	Tip() (wallet.BlockID, bool)
	BlockAt(height uint64) (xmr.Hash, bool)
	History() []xmr.Hash
}

// ErrChain reports an answer that does not connect to what was asked; the daemon is broken or lies.
var ErrChain = errors.New("syncer: the daemon's blocks do not connect")

// Step is what a batch means.
type Step struct {
	Detach *uint64 // drop the wallet's blocks at and above this index first
	Blocks []Block // then scan these
	Done   bool    // the wallet is then at the source's tip
}

// Ask returns what to ask a source whose chain has height blocks for. from is the first block that can hold anything of the wallet.
func Ask(c Chain, from, height uint64) Question {
	q := Question{History: c.History(), Height: height}
	tip, begun := c.Tip()
	if !begun && height > 0 {
		q.Start = min(from, height-1)
	}
	q.Newest = tip.Height
	return q
}

// After returns the question for what follows a block that is not remembered yet.
func (q Question) After(b *Block) Question {
	q.History, q.Newest, q.Start = append([]xmr.Hash{b.Hash}, q.History...), b.Height, 0
	return q
}

// Next says what b, the answer to what Ask returned, means for c. Blocks that c knows are passed over, and those before
// from, which must not lie above the first block of a chain that has begun. Where the two chains part, c ends. A source
// that is merely behind changes nothing.
// Errors: ErrChain.
func Next(c Chain, from uint64, b Batch) (Step, error) {
	for i := 1; i < len(b.Blocks); i++ {
		if b.Blocks[i].Prev != b.Blocks[i-1].Hash || b.Blocks[i].Height != b.Blocks[i-1].Height+1 {
			return Step{}, say.Errorf("%w: block %d does not follow the one before", ErrChain, b.Blocks[i].Height)
		}
	}
	if len(b.Blocks) == 0 {
		return Step{Done: true}, nil
	}
	first, last := b.Blocks[0].Height, b.Blocks[len(b.Blocks)-1].Height
	step := Step{Done: last+1 >= b.Height}
	tip, begun := c.Tip()
	if !begun {
		if first > from {
			return Step{}, say.Errorf("%w: blocks from %d on, asked from %d", ErrChain, first, from)
		}
		step.Blocks = since(from, b.Blocks)
		return step, nil
	}
	// Some blocks in the middle may not be remembered here: the last that is decides.
	common, found := first, first == 0
	if first > 0 {
		if known, ok := c.BlockAt(first - 1); ok && known == b.Blocks[0].Prev {
			common, found = first-1, true
		}
	}
	for i := range b.Blocks {
		if known, ok := c.BlockAt(b.Blocks[i].Height); ok && known == b.Blocks[i].Hash {
			common, found = b.Blocks[i].Height, true
		}
	}
	if !found {
		return Step{}, say.Errorf("%w: block %d is not one of those offered", ErrChain, first)
	}
	if common == last {
		// All are known, and the fork may lie beyond. One block alone, though, would be answered for ever.
		return Step{Done: step.Done || len(b.Blocks) == 1}, nil
	}
	if common < tip.Height {
		at := common + 1
		step.Detach = &at
	}
	step.Blocks = b.Blocks[common+1-first:]
	if common < from { // nothing is left of the chain: it begins anew
		step.Blocks = since(from, step.Blocks)
	}
	return step, nil
}

func since(from uint64, blocks []Block) []Block {
	for len(blocks) > 0 && blocks[0].Height < from {
		blocks = blocks[1:]
	}
	return blocks
}
