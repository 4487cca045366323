// Package chain is a blockchain that validates its own blocks. It keeps the main chain with its outputs and key images,
// alternative branches, and the pool of transactions that are not in a block yet.
//
// Package consensus has the rules; this package has the state that they apply to, and how blocks change it. Methods
// may be called from several goroutines. Callers must not modify what they return, because it is shared.
package chain

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/tx"
	"glim/core/xmr"
)

// Errors of this package. Errors of package consensus tell which rule a block or transaction breaks.
var (
	// ErrNoPoW: the proof of work must be checked, but Options.PoW is nil.
	ErrNoPoW = errors.New("chain: no function to check proofs of work")
	// ErrInvalid: the block was rejected before, or builds on such a block.
	ErrInvalid = errors.New("chain: block known to be invalid")
	// ErrOrphan: the block's parent is unknown. It may arrive later.
	ErrOrphan = errors.New("chain: parent unknown")
	// ErrMissing: the block refers to a transaction that was not supplied and is not in the pool.
	ErrMissing = errors.New("chain: transaction missing")
	// ErrMined: the transaction is in the chain already.
	ErrMined = errors.New("chain: transaction already mined")
	// ErrInPool: the transaction is in the pool already.
	ErrInPool = errors.New("chain: transaction already in the pool")
	// ErrTimedOut: the transaction was in the pool before and has been removed because of its age.
	ErrTimedOut = errors.New("chain: transaction has timed out before")
	// ErrFull: there are too many blocks off the main chain, and this one has less cumulative work than the others.
	ErrFull = errors.New("chain: too many blocks off the main chain")
	// ErrNotStored: the store has failed, so nothing has changed. It wraps the store's error.
	ErrNotStored = errors.New("chain: not stored")
	// ErrStored: the records of the store are not a chain, or are damaged.
	ErrStored = errors.New("chain: stored chain is damaged")
	// ErrNetwork: the store has the chain of another network.
	ErrNetwork = errors.New("chain: stored chain belongs to another network")
	// ErrNext: Options.Forks has the next hard fork, but Options.Next is nil.
	ErrNext = errors.New("chain: nothing is given for the next hard fork")
)

// Options configure a Chain. Now is required.
type Options struct {
	Network xmr.Network
	// Forks are the hard forks of the chain; nil means those of the network. If they include the next one, Next is
	// required.
	Forks consensus.Schedule
	// Next is what the chain needs for blocks of the next hard fork.
	Next Next
	// FixedDifficulty, if not 0, is the difficulty of every block but the first. Otherwise it is computed.
	FixedDifficulty uint64
	// PoW computes proof-of-work hashes. If it is nil, only blocks of difficulty 1, which any hash meets, are accepted.
	PoW consensus.PoW
	// PoWs computes several hashes together, for HashAhead and for mining. It may be nil.
	PoWs consensus.PoWs
	// Now returns the time in POSIX seconds.
	Now func() uint64
	// Random provides the keys of coinbases and the weights of batch verification. It is read by one goroutine at a
	// time.
	Random io.Reader
	// OnBlockAdded, if not nil, is called for each block that AddBlock has made the top, in order, after it was stored
	// and before readers see it. The view shows the chain after everything that was stored together with the block. The
	// function must not call methods of the chain.
	OnBlockAdded func(View, Added)
	// OnPoolAdded, if not nil, is called with transactions that have entered the pool and may be relayed, or that have
	// arrived with a block. It is called after they were stored, and before OnBlockAdded for that block. The function
	// must not call methods of the chain.
	OnPoolAdded func([]*PoolTx)
	// SeedEpochBlocks and SeedEpochLag say when the RandomX seed changes, for tests: after how many blocks, and how
	// many blocks after the one that it names. They are powers of two up to 2048 and 64, which 0 means.
	SeedEpochBlocks, SeedEpochLag uint64
	// MaxPoolWeight is the maximum weight of the pool in bytes; 0 means the constant MaxPoolWeight.
	MaxPoolWeight uint64
	// Workers is how many goroutines verify at the same time; 0 means one for each processor.
	Workers int
	// Store stores the main chain and the pool. If it is nil, they are only in memory.
	Store Store
}

// Tx is a transaction that is not a coinbase.
type Tx struct {
	ID     xmr.Hash
	Blob   []byte
	Tx     *tx.Transaction // pruned if Membership is not nil
	Weight uint64          // bytes
	Fee    uint64          // atomic units
	// Membership has the proofs of a transaction of the next hard fork; nil for one with rings.
	Membership *Membership
	// PrunableHash is the hash of the part of Blob that Pruned omits. With it, the ID follows from Pruned.
	PrunableHash xmr.Hash
	pruned       int // bytes before the prunable part
}

// Pruned returns the transaction's bytes without the prunable part. They share memory with Blob.
func (t *Tx) Pruned() []byte { return t.Blob[:t.pruned:t.pruned] }

// newTx parses a transaction. It returns consensus.ErrMalformed or consensus.ErrTooBig if that fails.
func (c *Chain) newTx(blob []byte) (*Tx, error) {
	if len(blob) > consensus.MaxTxSize {
		return nil, fmt.Errorf("%w: %d bytes", consensus.ErrTooBig, len(blob))
	}
	parsed, id, err := tx.ParseWithHash(blob)
	if errors.Is(err, tx.ErrOutput) && c.o.Forks.HasTree() {
		return c.newProven(blob)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", consensus.ErrMalformed, err)
	}
	t := &Tx{ID: id, Blob: blob, Tx: parsed, Weight: parsed.Weight(), pruned: len(parsed.AppendPruned(nil))}
	t.PrunableHash = keccak.Sum256(blob[t.pruned:])
	if t.Fee, err = parsed.Fee(); err != nil {
		return nil, fmt.Errorf("%w: %w", consensus.ErrMalformed, err)
	}
	return t, nil
}

// Block is a block with the values that follow from the chain before it.
type Block struct {
	ID         xmr.Hash
	Block      *block.Block
	Blob       []byte
	CoinbaseID xmr.Hash
	Txs        []*Tx
	Height     uint64               // index
	Weight     uint64               // bytes; 0 if unknown, which is possible only off the main chain
	LongTerm   uint64               // bytes; what counts in the long-term median
	Difficulty consensus.Difficulty // of this block
	Cumulative consensus.Difficulty // of the chain up to and including it
	Coins      uint64               // atomic units created up to and including it
	RingCT     uint64               // number of RingCT outputs up to and including it
	TxCount    uint64               // number of transactions up to and including it, coinbases included
	Indices    [][]uint64           // global output indices: those of the coinbase, then those of each of Txs
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

// TxLocation is the block that has a transaction, and the transaction's position in it: Index 0 is the coinbase, and
// any other Index is Txs[Index−1].
type TxLocation struct{ Height, Index uint64 }

// Chain is a blockchain. Use New to make one.
type Chain struct {
	o  Options
	mu sync.RWMutex

	blocks  []*Block
	byID    map[xmr.Hash]uint64
	txs     map[xmr.Hash]TxLocation
	images  map[xmr.KeyImage]struct{}
	outputs map[uint64][]Output // by amount, 0 for RingCT
	long    consensus.Window    // long-term weights of the last consensus.LongWindow blocks
	limits  consensus.Limits    // weight limits of the next block
	size    uint64              // bytes of blocks and their transactions

	tree treeStates // of all outputs, for the next hard fork

	branches branches // blocks off the main chain
	invalid  map[xmr.Hash]struct{}

	verified verified
	proving  chan struct{} // see maxProving

	pool     pool
	announce []*PoolTx // transactions for OnPoolAdded at the next commit
	pending  pending   // changes that are not stored yet
	pruning  uint32    // see SetPruningSeed
	now      uint64    // time of the operation in progress, in POSIX seconds
}

// New returns the chain of the store, or one of the network's genesis block only. It trusts stored blocks and
// transactions and does not validate them again. It returns an error if Options.Now is nil, ErrNext, ErrStored,
// ErrNetwork or the store's error.
func New(o Options) (*Chain, error) {
	if o.Now == nil {
		return nil, errors.New("chain: Options.Now is not set")
	}
	if o.Forks == nil {
		o.Forks = consensus.Forks(o.Network)
	}
	if o.Forks.HasTree() && o.Next == nil {
		return nil, ErrNext
	}
	if o.Random != nil {
		o.Random = &sharedReader{r: o.Random}
	}
	c := &Chain{
		o: o, byID: map[xmr.Hash]uint64{}, txs: map[xmr.Hash]TxLocation{}, images: map[xmr.KeyImage]struct{}{},
		outputs: map[uint64][]Output{}, branches: newBranches(), invalid: map[xmr.Hash]struct{}{},
		pool: newPool(o.MaxPoolWeight), pending: pending{txs: map[xmr.Hash]struct{}{}},
		proving: make(chan struct{}, maxProving),
	}
	c.verified.forget()
	if err := c.begin(); err != nil {
		return nil, err
	}
	return c, c.load()
}

// lock locks the chain for one operation and returns the function that unlocks it.
func (c *Chain) lock() func() {
	c.mu.Lock()
	c.now = c.o.Now()
	c.pool.news.setTime(c.now)
	return c.mu.Unlock
}

// height returns the number of blocks, which is the index of the next one.
func (c *Chain) height() uint64 { return uint64(len(c.blocks)) }

// rulesAt returns the rules of the block at an index.
func (c *Chain) rulesAt(height uint64) *consensus.Rules {
	return consensus.RulesOf(c.o.Forks.VersionAt(height))
}

func (c *Chain) top() *Block { return c.blocks[len(c.blocks)-1] }

// openCommitment returns the commitment of an output with a public amount: mask 1.
// Source: src/ringct/rctOps.cpp, zeroCommit.
func openCommitment(amount uint64) [32]byte {
	return edwards.CommitPublic(amount).Encode()
}
