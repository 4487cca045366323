// Package syncer decides which blocks to request from a daemon and what its answers mean for the chain of a wallet.
package syncer

import (
	"context"
	"errors"

	"glim/core/block"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Block is a block that is not scanned yet. Its header, transactions and indices are consistent as far as the source
// could check. Scan turns it into a wallet.ScannedBlock; the types differ so that only scanned blocks can be decided
// on.
type Block struct {
	Height    uint64 // index
	Hash      xmr.Hash
	Prev      xmr.Hash
	Version   uint8
	Timestamp uint64      // POSIX seconds
	Tree      *block.Tree // that the header commits to, from the next hard fork on; nil if a transaction is Compact
	Txs       []Tx        // the coinbase transaction first
}

// Tx is a transaction of a block or of the pool that is not scanned yet.
type Tx struct {
	ID              xmr.Hash
	Tx              *tx.Transaction // a pruned one suffices
	Indices         []uint64        // global indices of its outputs; nil in the pool
	DoubleSpendSeen bool            // the daemon claims so about a pool transaction
	Proven          bool            // Tx hashes to ID; otherwise the source only claims that it does, see Prover
	Compact         bool            // Tx lacks the fields that package compact omits
}

// Request selects blocks: those from the newest block of History that the source has, or from Start if that is not 0.
type Request struct {
	History []xmr.Hash // from the newest to the oldest, the genesis block last
	Newest  uint64     // index of the block of History[0]
	Start   uint64     // index
	Height  uint64     // number of blocks of the source's chain, as last reported
}

// Batch is a run of consecutive blocks. The first is a block of the requested history, the successor of its newest
// block, or a block at or before the requested start.
type Batch struct {
	Blocks []Block
	Height uint64 // number of blocks of the source's chain
}

// Source provides blocks and the transaction pool, usually from a daemon.
type Source interface {
	// Height returns the number of blocks of the source's chain.
	Height(ctx context.Context) (uint64, error)
	// Blocks returns some of the requested blocks.
	Blocks(ctx context.Context, q Request) (Batch, error)
	// Pool returns the transaction pool. It omits transactions for which known returns true: the caller has them from
	// an earlier answer of the same epoch.
	Pool(ctx context.Context, known func(*PoolEpoch, xmr.Hash) bool) (Pool, error)
}

// RinglessSource is a Source whose transactions may lack rings and the last bytes of key images.
type RinglessSource interface {
	// WithRings returns a Source of the same chain whose transactions lack nothing but signatures and proofs.
	WithRings() Source
}

// Prover is a Source that can prove that the transactions of its blocks match their IDs. To hide from the source
// which blocks concern the wallet, the caller requests whole blocks, and some that do not concern it as decoys.
type Prover interface {
	// DecoyInterval returns the average number of blocks per decoy, for a block with left blocks after it on the
	// chain. It returns 0 if nothing can be proven.
	DecoyInterval(left uint64) uint64
	// Prove requests the transactions of blocks that are not Proven and compares them. It fails if they do not match
	// their IDs.
	Prove(ctx context.Context, blocks []Block) error
}

// Proven reports whether all transactions of b are proven.
func (b *Block) Proven() bool {
	for i := range b.Txs {
		if !b.Txs[i].Proven {
			return false
		}
	}
	return true
}

// PoolEpoch identifies consecutive answers about one pool: those of one daemon since its complete pool was last
// requested. Knowledge about a transaction from an earlier epoch is not relied on.
type PoolEpoch struct{ _ byte }

// Pool is the content of a transaction pool: all IDs, and those transactions that the caller did not know.
type Pool struct {
	IDs   []xmr.Hash
	Txs   []Tx
	Epoch *PoolEpoch // nil if all answers belong to one epoch
}

// Chain is what a wallet remembers of the blocks it has scanned.
type Chain interface {
	Tip() (wallet.BlockID, bool)
	BlockAt(height uint64) (xmr.Hash, bool)
	History() []xmr.Hash
}

// ErrChain reports an answer that does not connect to the request: the daemon is faulty or malicious.
var ErrChain = errors.New("syncer: the daemon's blocks do not connect")

// Step is the consequence of a batch.
type Step struct {
	Detach *uint64 // first drop the wallet's blocks from this index on
	Blocks []Block // then scan these
	Done   bool    // the wallet has then reached the tip of the source
}

// NewRequest returns the request to send to a source whose chain has height blocks. from is the index of the first
// block that can concern the wallet.
func NewRequest(c Chain, from, height uint64) Request {
	q := Request{History: c.History(), Height: height}
	tip, begun := c.Tip()
	if !begun && height > 0 {
		q.Start = min(from, height-1)
	}
	q.Newest = tip.Height
	return q
}

// After returns the request for the blocks after b, a block that the wallet does not remember yet.
func (q Request) After(b *Block) Request {
	q.History, q.Newest, q.Start = append([]xmr.Hash{b.Hash}, q.History...), b.Height, 0
	return q
}

// Next determines what b, the answer to the request of NewRequest, means for c. It skips blocks that c already has
// and blocks before from, which must not be above the first block of a chain that has begun. If the chains diverge,
// it detaches c's blocks after the fork. An answer from a source that is merely behind changes nothing. It returns
// ErrChain if the blocks do not connect.
func Next(c Chain, from uint64, b Batch) (Step, error) {
	for i := 1; i < len(b.Blocks); i++ {
		if b.Blocks[i].Prev != b.Blocks[i-1].Hash || b.Blocks[i].Height != b.Blocks[i-1].Height+1 {
			return Step{}, smallfmt.Errorf("%w: block %d does not follow the one before", ErrChain, b.Blocks[i].Height)
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
			return Step{}, smallfmt.Errorf("%w: blocks from %d on, requested from %d", ErrChain, first, from)
		}
		step.Blocks = since(from, b.Blocks)
		return step, nil
	}
	// c may not remember every block: the last common one counts.
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
		return Step{}, smallfmt.Errorf("%w: block %d does not follow the requested history", ErrChain, first)
	}
	if common == last {
		// All blocks are known, and the fork may lie after them. With a single block, however, the same request would
		// be repeated forever.
		return Step{Done: step.Done || len(b.Blocks) == 1}, nil
	}
	if common < tip.Height {
		at := common + 1
		step.Detach = &at
	}
	step.Blocks = b.Blocks[common+1-first:]
	if common < from { // nothing of the chain remains: it begins anew
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
