package chain

import (
	"errors"
	"fmt"
	"slices"

	"glim/core/address"
	"glim/core/xmr"
)

// Store keeps records for a chain: values under keys of a few bytes. Methods are called one at a time.
type Store interface {
	// Load hands every record to visit, in order of keys, byte by byte, and passes its error on. What visit is given may
	// change when it returns.
	Load(visit func(key, value []byte) error) error
	// Commit replaces records and drops others, which may not be there. When it returns nil all of that is done and
	// durable; otherwise all or nothing of it is. It keeps nothing of what it is given.
	Commit(put []Record, drop [][]byte) error
}

// Record is a value under its key.
type Record struct{ Key, Value []byte }

// pending is how the store differs from the chain since the last commit.
type pending struct {
	base  uint64   // blocks of the main chain that were there at the last commit
	taken []*Block // which that chain had above them, highest first
	// What a commit that failed may have left: at heights from same on, below end, and under the IDs of transactions.
	same, end uint64
	txs       map[xmr.Hash]struct{}
}

// popped notes that a block is no longer the top.
func (p *pending) popped(b *Block) {
	if b.Height < p.base {
		p.base = b.Height
		p.taken = append(p.taken, b)
		p.same = min(p.same, p.base)
	}
}

// settle notes that chain and store are the same.
func (c *Chain) settle() {
	height := c.height()
	p := &c.pending
	p.base, p.taken, p.same, p.end = height, nil, height, height
	clear(p.txs)
	clear(c.pool.before)
}

// commit stores what has changed since the last commit. When that fails nothing has changed: what has not been stored
// is not there. Errors: ErrNotStored.
func (c *Chain) commit() error {
	coming := c.coming
	c.coming = nil
	if c.o.Store == nil {
		c.settle()
		c.pooled(coming)
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
	c.pooled(coming)
	return nil
}

// pooled tells the host of what has come into the pool.
func (c *Chain) pooled(list []*PoolTx) {
	if len(list) > 0 && c.o.Pooled != nil {
		c.o.Pooled(list)
	}
}

// undo makes chain and pool what they were at the last commit, after another one failed.
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
	// What came from a branch goes back there. What made a branch overtake is forgotten, so that it can come again.
	for _, b := range slices.Backward(added) {
		if _, back := c.byID[b.ID]; !back && !c.top().Cumulative.Less(b.Cumulative) {
			c.branches.put(b)
		}
	}
	c.branches.trim()
}

// Save stores what may be lost without harm, and so has waited for the next commit: when blocks were last made of the
// pool without a transaction. Everything else is stored when a method returns. Errors are the store's.
func (c *Chain) Save() error {
	defer c.lock()()
	return c.commit()
}

// Batch is a chain that nobody else reads or changes meanwhile: see Chain.Batch.
type Batch struct {
	c     *Chain
	added *[]Added // what became the top
}

// Batch calls do with the chain held, and stores all that it did at once: what it added is on no disk before, and nobody
// has seen it. When do fails, what it did before stays. Errors: do's, the store's.
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

// AddBlock is Chain.AddBlock; what it says holds when the batch is stored.
func (b Batch) AddBlock(blob []byte, txs ...[]byte) (Added, error) {
	claims, unreadable := readClaims(txs)
	added, err := b.c.addBlock(blob, claims, unreadable)
	if err == nil && added.Main {
		*b.added = append(*b.added, added)
	}
	return added, err
}
