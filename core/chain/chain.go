// Package chain owns one chain of blocks that it has judged itself: the main chain, its outputs and key images, branches
// beside it, and the pool of transactions no block has yet.
//
// What is allowed is written in package consensus; here is what the chain is when a block comes or goes. Methods may be
// called from several goroutines. What they return is shared and must not be changed.
package chain

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// Errors of this package besides those of consensus, which tell why a block or transaction is refused.
var (
	// ErrNoPoW: the difficulty asks for work and the host gave no way to check it.
	ErrNoPoW = errors.New("chain: proof of work cannot be checked here")
	// ErrInvalid: the block was refused before, or builds on one that was.
	ErrInvalid = errors.New("chain: block known to be invalid")
	// ErrOrphan: the block's parent is unknown. It may come.
	ErrOrphan = errors.New("chain: parent unknown")
	// ErrMissing: the block names a transaction that is neither at hand nor in the pool.
	ErrMissing = errors.New("chain: transaction missing")
	// ErrKnown: the transaction is in the chain already.
	ErrKnown = errors.New("chain: transaction already mined")
	// ErrWaiting: the transaction is in the pool already.
	ErrWaiting = errors.New("chain: transaction already in the pool")
	// ErrTimedOut: the transaction waited in the pool too long before.
	ErrTimedOut = errors.New("chain: transaction timed out before")
	// ErrFull: there are too many blocks off the main chain, and this one has less work behind it than they.
	ErrFull = errors.New("chain: too many blocks off the main chain")
	// ErrNotStored: the store failed, and so nothing has changed. The store's error is in it, too.
	ErrNotStored = errors.New("chain: not stored")
	// ErrStored: what the store holds is no chain, or damaged.
	ErrStored = errors.New("chain: stored chain is damaged")
	// ErrNetwork: the store holds the chain of another network.
	ErrNetwork = errors.New("chain: stored chain is of another network")
)

// Options say what chain it is and what the host gives.
type Options struct {
	Network xmr.Network
	// FixedDifficulty of every block but the first; 0 lets it follow the blocks' times.
	FixedDifficulty uint64
	// PoW hashes blocks. Without it only blocks of difficulty 1, for which every hash is good, can be judged.
	PoW consensus.PoW
	// Now returns POSIX seconds.
	Now func() uint64
	// Random makes coinbases' keys and weighs proofs that are verified together. The chain reads it from one
	// goroutine at a time.
	Random io.Reader
	// Joined is told of each block that AddBlock has made the top, in order, once it is stored and before anybody sees it. The view shows
	// the chain with all that was stored with it. It must not call the chain. May be nil.
	Joined func(View, Added)
	// Pooled is told of transactions that have come into the pool to be passed on, or came with a block; once that is stored, and before
	// Joined is told of the block. It must not call the chain. May be nil.
	Pooled func([]*PoolTx)
	// MaxPoolWeight is how much the pool holds, in bytes; 0 for MaxPoolWeight.
	MaxPoolWeight uint64
	// Workers is how many goroutines verify at the same time; 0 for as many as there are processors.
	Workers int
	// Store keeps the main chain and the pool. Nil keeps them nowhere but in memory.
	Store Store
}

// Tx is a transaction that is no coinbase.
type Tx struct {
	ID     xmr.Hash
	Blob   []byte
	Tx     *tx.Transaction
	Weight uint64 // bytes
	Fee    uint64 // atomic units
	pruned int    // bytes before the prunable part
}

// Pruned returns the transaction's bytes without its prunable part, which share those of Blob.
func (t *Tx) Pruned() []byte { return t.Blob[:t.pruned:t.pruned] }

// newTx reads a transaction and refuses what is none. Errors: consensus.ErrMalformed, consensus.ErrTooBig.
func newTx(blob []byte) (*Tx, error) {
	if len(blob) > consensus.MaxTxSize {
		return nil, fmt.Errorf("%w: %d bytes", consensus.ErrTooBig, len(blob))
	}
	parsed, id, err := tx.ParseWithHash(blob)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", consensus.ErrMalformed, err)
	}
	t := &Tx{ID: id, Blob: blob, Tx: parsed, Weight: parsed.Weight(), pruned: len(parsed.AppendPruned(nil))}
	if t.Fee, err = parsed.Fee(); err != nil {
		return nil, fmt.Errorf("%w: %w", consensus.ErrMalformed, err)
	}
	return t, nil
}

// Block is a block with what the chain before it makes of it.
type Block struct {
	ID         xmr.Hash
	Block      *block.Block
	Blob       []byte
	CoinbaseID xmr.Hash
	Txs        []*Tx
	Height     uint64               // index
	Weight     uint64               // bytes; of a block of a branch 0 when not known
	LongTerm   uint64               // the weight that counts in the long-term median
	Difficulty consensus.Difficulty // of this block
	Cumulative consensus.Difficulty // of the chain up to it
	Coins      uint64               // atomic units created up to it
	RingCT     uint64               // outputs of amount 0 up to it
	TxCount    uint64               // transactions up to it, coinbases included
	Indices    [][]uint64           // global output indices: of the coinbase, then of each of Txs
}

// Reward returns what the coinbase pays, fees included, in atomic units.
func (b *Block) Reward() uint64 {
	var sum uint64
	for i := range b.Block.MinerTx.Outputs {
		sum += b.Block.MinerTx.Outputs[i].Amount
	}
	return sum
}

// Output is an output of the chain.
type Output struct {
	Key        xmr.PublicKey
	Commitment [32]byte
	Unlock     uint64 // the transaction's unlock time
	Height     uint64 // index of its block
	TxID       xmr.Hash
}

// Place is where a transaction is: Index 0 is a block's coinbase, others are Txs[Index−1].
type Place struct{ Height, Index uint64 }

// Chain is one chain. Its zero value is not usable: call New.
type Chain struct {
	o  Options
	mu sync.RWMutex

	blocks  []*Block
	byID    map[xmr.Hash]uint64
	txs     map[xmr.Hash]Place
	images  map[xmr.KeyImage]struct{}
	outputs map[uint64][]Output // by amount, 0 for RingCT
	long    consensus.Window    // long-term weights of the last blocks
	limits  consensus.Limits    // of the next block

	branches branches // blocks off the main chain
	invalid  map[xmr.Hash]struct{}

	verified verified

	pool    pool
	coming  []*PoolTx // what Pooled is to be told of at the next commit
	pending pending   // what the store does not know yet
	now     uint64    // of the operation under way
}

// New returns the chain that the store holds, or that of the network's first block alone. Errors: Options.Now is not set, ErrStored,
// ErrNetwork, the store's. Stored blocks and transactions have been judged before and are not judged again.
func New(o Options) (*Chain, error) {
	if o.Now == nil {
		return nil, errors.New("chain: Options.Now is not set")
	}
	if o.Random != nil {
		o.Random = &sharedReader{r: o.Random}
	}
	c := &Chain{
		o: o, byID: map[xmr.Hash]uint64{}, txs: map[xmr.Hash]Place{}, images: map[xmr.KeyImage]struct{}{},
		outputs: map[uint64][]Output{}, branches: newBranches(), invalid: map[xmr.Hash]struct{}{},
		pool: newPool(o.MaxPoolWeight), pending: pending{txs: map[xmr.Hash]struct{}{}},
	}
	c.verified.forget()
	if err := c.begin(); err != nil {
		return nil, err
	}
	return c, c.load()
}

func (c *Chain) lock() func() {
	c.mu.Lock()
	c.now = c.o.Now()
	c.pool.news.at(c.now)
	return c.mu.Unlock
}

// height returns the number of blocks, which is the index of the next one.
func (c *Chain) height() uint64 { return uint64(len(c.blocks)) }

func (c *Chain) top() *Block { return c.blocks[len(c.blocks)-1] }

// openCommitment returns what an output that shows its amount commits to: the amount, with mask 1.
// Source: src/ringct/rctOps.cpp, zeroCommit.
func openCommitment(amount uint64) [32]byte {
	return edwards.CommitInTheOpen(amount).Encode()
}
