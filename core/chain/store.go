package chain

import (
	"errors"
	"fmt"
	"slices"

	"glim/core/address"
	"glim/core/xmr"
)

// Store stores the records of a chain: values under keys of a few bytes. The chain never calls two methods at the same
// time.
type Store interface {
	// Load calls visit for every record in the order of keys, compared byte by byte, and returns the error of visit.
	// key and value are valid only during the call.
	Load(visit func(key, value []byte) error) error
	// Commit writes the records of put and deletes those of drop, which may be missing. If it returns nil, all changes
	// are durable; otherwise either all or none of them are made. It must not keep its arguments.
	Commit(put []Record, drop [][]byte) error
}

// Record is a key with its value.
type Record struct{ Key, Value []byte }

// pending is the difference between the store and the chain since the last commit.
type pending struct {
	base  uint64   // number of blocks that are the same as at the last commit
	taken []*Block // blocks above base at the last commit, highest first
	// A failed commit may have left records of blocks with indices from same to end−1, and of the transactions in txs.
	same, end uint64
	txs       map[xmr.Hash]struct{}
}

// popped notes that a block was removed from the top.
func (p *pending) popped(b *Block) {
	if b.Height < p.base {
		p.base = b.Height
		p.taken = append(p.taken, b)
		p.same = min(p.same, p.base)
	}
}

// settle notes that the store has the current state.
func (c *Chain) settle() {
	height := c.height()
	p := &c.pending
	p.base, p.taken, p.same, p.end = height, nil, height, height
	clear(p.txs)
	clear(c.pool.before)
}

// commit stores the changes since the last commit. If that fails, it undoes them and returns ErrNotStored.
func (c *Chain) commit() error {
	announce := c.announce
	c.announce = nil
	if c.o.Store == nil {
		c.settle()
		c.pooled(announce)
		return nil
	}
	var put []Record
	var drop [][]byte
	for height := c.pending.same; height < c.height(); height++ {
		put = append(put, c.blocks[height].Record())
	}
	for height := c.height(); height < c.pending.end; height++ {
		drop = append(drop, blockKey(height))
	}
	for id := range c.pool.before {
		c.pending.txs[id] = struct{}{}
	}
	for id := range c.pending.txs {
		if t := c.pool.byID[id]; t != nil {
			put = append(put, poolRecord(t))
		} else {
			drop = append(drop, poolKey(id))
		}
	}
	if len(put)+len(drop) > 0 {
		if err := c.o.Store.Commit(put, drop); err != nil {
			c.undo()
			return fmt.Errorf("%w: %w", ErrNotStored, err)
		}
	}
	c.settle()
	c.pooled(announce)
	return nil
}

// pooled calls OnPoolAdded.
func (c *Chain) pooled(list []*PoolTx) {
	if len(list) > 0 && c.o.OnPoolAdded != nil {
		c.o.OnPoolAdded(list)
	}
}

// undo reverts the chain and the pool to the last commit, after another commit has failed.
func (c *Chain) undo() {
	p := &c.pending
	p.end = max(p.end, c.height())
	var added []*Block
	for c.height() > p.base {
		added = append(added, c.revert())
	}
	for _, b := range slices.Backward(p.taken) {
		again := *b
		c.apply(&again)
		c.branches.remove(b.ID)
	}
	p.base, p.taken = c.height(), nil
	c.pool.undo()
	// Blocks of a branch become a branch again. The block that made the branch overtake is dropped, so that it can be
	// added again.
	for _, b := range slices.Backward(added) {
		if _, back := c.byID[b.ID]; !back && !c.top().Cumulative.Less(b.Cumulative) {
			c.branches.put(b)
		}
	}
	c.branches.trim()
}

// Save stores changes that may be lost without harm and therefore wait for the next commit: at which block a
// transaction was last left out of a template. Everything else is stored when a method returns. The error is
// ErrNotStored.
func (c *Chain) Save() error {
	defer c.lock()()
	return c.commit()
}

// Batch changes a chain exclusively, see Chain.Batch.
type Batch struct {
	c     *Chain
	added *[]Added // blocks that have become the top
}

// Batch calls do while it holds the lock, and then stores all changes at once; until then no reader sees them. If do
// fails, the changes that it has made before are kept. Batch returns the error of do and ErrNotStored.
func (c *Chain) Batch(do func(Batch) error) error {
	defer c.lock()()
	var added []Added
	failed := do(Batch{c, &added})
	if err := c.commit(); err != nil {
		return errors.Join(failed, err)
	}
	c.joined(added...)
	return failed
}

// NewTemplate is Chain.NewTemplate.
func (b Batch) NewTemplate(to address.Address, nonce []byte, prev *xmr.Hash) (*Template, error) {
	return b.c.newTemplate(to, nonce, prev)
}

// AddBlock is Chain.AddBlock. The block is stored at the end of the batch.
func (b Batch) AddBlock(blob []byte, txs ...[]byte) (Added, error) {
	incoming, unreadable := b.c.readIncoming(txs)
	added, err := b.c.addBlock(blob, incoming, unreadable)
	if err == nil && added.Main {
		*b.added = append(*b.added, added)
	}
	return added, err
}
