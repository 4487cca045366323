package chain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"glim/core/consensus"
	"glim/core/tx"
	"glim/core/xmr"
)

// How long transactions stay in the pool. Source: src/cryptonote_config.h, CRYPTONOTE_MEMPOOL_TX_LIVETIME and
// CRYPTONOTE_MEMPOOL_TX_FROM_ALT_BLOCK_LIVETIME.
const (
	poolSeconds      = 3 * 86400
	poolBlockSeconds = 7 * 86400 // for transactions that have been in a block
)

// MaxPoolWeight is the default of Options.MaxPoolWeight, in bytes. Source: src/cryptonote_config.h,
// DEFAULT_TXPOOL_MAX_WEIGHT.
const MaxPoolWeight = 648_000_000

// PoolTx is a transaction of the pool.
type PoolTx struct {
	*Tx
	MaxUsedHeight    uint64   // index of the newest block its rings refer to
	MaxUsedID        xmr.Hash // ID of that block; zero if the inputs were invalid when the transaction was added
	LastFailedHeight uint64   // index of the top block when a block template last left the transaction out
	LastFailedID     xmr.Hash
	Received         uint64 // POSIX seconds
	LastRelayed      uint64 // POSIX seconds
	KeptByBlock      bool   // it has been in a block; it stays even while its inputs are invalid
	Relayed          bool
	DoNotRelay       bool
	DoubleSpendSeen  bool
}

// pool is the transaction pool. Entries are replaced and never modified, because readers hold them.
type pool struct {
	byID     map[xmr.Hash]*PoolTx
	before   map[xmr.Hash]*PoolTx // the entries changed since the last commit, as they were; nil for a new entry
	images   map[xmr.KeyImage]map[xmr.Hash]struct{}
	timedOut map[xmr.Hash]struct{}
	weight   uint64
	limit    uint64
	cookie   uint64 // counts changes
	news     news
}

func newPool(limit uint64) pool {
	if limit == 0 {
		limit = MaxPoolWeight
	}
	return pool{
		byID:     map[xmr.Hash]*PoolTx{},
		before:   map[xmr.Hash]*PoolTx{},
		images:   map[xmr.KeyImage]map[xmr.Hash]struct{}{},
		timedOut: map[xmr.Hash]struct{}{},
		limit:    limit,
		news:     news{added: map[xmr.Hash]uint64{}},
	}
}

func (p *pool) add(t *PoolTx) { p.put(t.ID, t) }

func (p *pool) remove(id xmr.Hash) {
	if p.byID[id] != nil {
		p.put(id, nil)
	}
}

// change replaces the entry of id by a modified copy.
func (p *pool) change(id xmr.Hash, how func(*PoolTx)) {
	if t := p.byID[id]; t != nil {
		next := *t
		how(&next)
		p.put(id, &next)
	}
}

// put sets the entry of id to next, or removes it if next is nil.
func (p *pool) put(id xmr.Hash, next *PoolTx) {
	old := p.byID[id]
	if _, noted := p.before[id]; !noted {
		p.before[id] = old
	}
	if old != nil {
		delete(p.byID, id)
		p.weight -= old.Weight
		for i := range old.Tx.Tx.Inputs {
			image := old.Tx.Tx.Inputs[i].KeyImage
			delete(p.images[image], id)
			if len(p.images[image]) == 0 {
				delete(p.images, image)
			}
		}
	}
	if next != nil {
		p.byID[id] = next
		p.weight += next.Weight
		for i := range next.Tx.Tx.Inputs {
			image := next.Tx.Tx.Inputs[i].KeyImage
			if p.images[image] == nil {
				p.images[image] = map[xmr.Hash]struct{}{}
			}
			p.images[image][id] = struct{}{}
		}
	}
	p.news.note(id, old, next)
	p.cookie++
}

// undo reverts the pool to the last commit.
func (p *pool) undo() {
	for id, old := range p.before {
		p.put(id, old)
	}
	clear(p.before)
}

// rivals returns the IDs of the pool's transactions that spend an input of t.
func (p *pool) rivals(t *tx.Transaction, id xmr.Hash) []xmr.Hash {
	var list []xmr.Hash
	for i := range t.Inputs {
		for other := range p.images[t.Inputs[i].KeyImage] {
			if other != id {
				list = append(list, other)
			}
		}
	}
	return list
}

// sorted returns the transactions in the order in which miners take them: by fee per byte, highest first, then by age,
// oldest first. Source: src/cryptonote_core/tx_pool.h, txCompare.
func (p *pool) sorted() []*PoolTx {
	list := make([]*PoolTx, 0, len(p.byID))
	for _, t := range p.byID {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *PoolTx) int {
		return cmp.Or(
			cmp.Compare(float64(b.Fee)/float64(b.Weight), float64(a.Fee)/float64(a.Weight)),
			cmp.Compare(a.Received, b.Received),
			bytes.Compare(a.ID[:], b.ID[:]))
	})
	return list
}

// shrink removes the transactions with the lowest fee per byte until the pool's weight is within its limit. It keeps
// those that have been in a block, and the one with the highest fee. Source: src/cryptonote_core/tx_pool.cpp, prune.
func (p *pool) shrink() {
	if p.weight <= p.limit {
		return
	}
	list := p.sorted()
	for i := len(list) - 1; i > 0 && p.weight > p.limit; i-- {
		if !list[i].KeptByBlock {
			p.remove(list[i].ID)
		}
	}
}

// expire removes transactions that are too old. Source: src/cryptonote_core/tx_pool.cpp, remove_stuck_transactions.
func (p *pool) expire(now uint64) {
	for id, t := range p.byID {
		patience := uint64(poolSeconds)
		if t.KeptByBlock {
			patience = poolBlockSeconds
		}
		if now > t.Received && now-t.Received > patience {
			if len(p.timedOut) >= maxVerified {
				clear(p.timedOut)
			}
			p.timedOut[id] = struct{}{}
			p.remove(id)
		}
	}
}

// AddTx validates a transaction and adds it to the pool. doNotRelay forbids to relay it. AddTx returns an error of
// packages tx and consensus, ErrMined, ErrInPool, ErrTimedOut or ErrNotStored.
// Source: src/cryptonote_core/cryptonote_core.cpp, handle_incoming_txs; tx_pool.cpp, add_tx.
func (c *Chain) AddTx(blob []byte, doNotRelay bool) (xmr.Hash, error) {
	t, err := c.newTx(blob)
	if err != nil {
		return xmr.Hash{}, err
	}
	k := &incomingTx{Tx: t}
	refused := func(k *incomingTx) bool { return c.admit(k) != nil || len(c.pool.rivals(t.Tx, t.ID)) > 0 }
	c.ahead([]*incomingTx{k}, refused)

	defer c.lock()()
	c.pool.expire(c.now)
	if err := c.admit(k); err != nil {
		return t.ID, err
	}
	if rivals := c.pool.rivals(t.Tx, t.ID); len(rivals) > 0 {
		for _, id := range rivals {
			c.pool.change(id, func(p *PoolTx) { p.DoubleSpendSeen = true })
		}
		return t.ID, fmt.Errorf("%w: another transaction of the pool spends the same", consensus.ErrDoubleSpend)
	}
	if t.Membership != nil { // its membership proofs last, because they take longest
		if _, err := c.referenced(t); err != nil {
			return t.ID, err
		}
		if err := c.checkProofs(t); err != nil {
			return t.ID, err
		}
	}
	newest, err := c.validateTx(t, c.now)
	if err != nil {
		return t.ID, err
	}
	if err := c.checkProofs(t); err != nil {
		return t.ID, err
	}
	p := &PoolTx{Tx: t, MaxUsedHeight: newest, MaxUsedID: c.blocks[newest].ID, Received: c.now, DoNotRelay: doNotRelay}
	if !doNotRelay {
		p.Relayed, p.LastRelayed = true, c.now
	}
	c.pool.add(p)
	if !doNotRelay {
		c.announce = append(c.announce, p)
	}
	c.pool.shrink()
	return t.ID, c.commit()
}

// admit makes the cheap checks of a transaction for the pool.
func (c *Chain) admit(k *incomingTx) error {
	if c.pool.byID[k.ID] != nil {
		return ErrInPool
	}
	if _, mined := c.txs[k.ID]; mined {
		return ErrMined
	}
	if _, late := c.pool.timedOut[k.ID]; late {
		return ErrTimedOut
	}
	// The order matters, because the reference reports the first fault: the transaction by itself, then the fee, then
	// the rules for relaying, then the inputs. The reference verifies range proofs and the sum of amounts before the
	// fee; here that follows last, because it is expensive.
	// Source: src/cryptonote_core/tx_verification_utils.cpp, ver_non_input_consensus; tx_pool.cpp, add_tx, 0.18.5.1.
	fault := c.check(k, c.rulesAt(c.height()))
	late := errors.Is(fault, consensus.ErrTooFewOutputs) || errors.Is(fault, consensus.ErrRingSize)
	if fault != nil && !late {
		return fault
	}
	base := consensus.BaseReward(c.top().Coins)
	if err := c.rulesAt(c.height()).CheckFee(k.Weight, k.Fee, base, c.limits); err != nil {
		return err
	}
	if err := consensus.CheckRelay(len(k.Tx.Tx.Extra), k.Tx.Tx.UnlockTime); err != nil {
		return err
	}
	return fault
}

// readIncoming parses the transactions that arrive with a block.
func (c *Chain) readIncoming(blobs [][]byte) ([]*incomingTx, error) {
	incoming := make([]*incomingTx, len(blobs))
	for i, blob := range blobs {
		t, err := c.newTx(blob)
		if err != nil {
			return nil, err
		}
		incoming[i] = &incomingTx{Tx: t}
	}
	return incoming, nil
}

// keepForBlock adds the transactions that have arrived with a block to the pool, even if they conflict with others. If
// their inputs are invalid now, they may become valid later.
func (c *Chain) keepForBlock(incoming []*incomingTx) error {
	c.pool.expire(c.now)
	var fresh []*Tx
	for _, k := range incoming {
		if c.find(k.ID) != nil {
			continue
		}
		if err := c.check(k, c.rulesAt(c.height())); err != nil {
			return fmt.Errorf("transaction %s: %w", k.ID, err)
		}
		if err := c.checkProofs(k.Tx); err != nil {
			return err
		}
		fresh = append(fresh, k.Tx)
	}
	c.proveTogether(fresh, false)
	for _, t := range fresh {
		c.announce = append(c.announce, c.putBack(t))
	}
	return nil
}

// putBack adds a transaction to the pool that is or was in a block.
func (c *Chain) putBack(t *Tx) *PoolTx {
	p := &PoolTx{Tx: t, Received: c.now, LastRelayed: c.now, KeptByBlock: true, Relayed: true}
	if newest, err := c.validateTx(t, c.now); err == nil {
		p.MaxUsedHeight, p.MaxUsedID = newest, c.blocks[newest].ID
	} else {
		if t.Membership != nil {
			p.MaxUsedHeight = t.Membership.Reference
		}
		p.DoubleSpendSeen = len(c.pool.rivals(t.Tx, t.ID)) > 0
	}
	delete(c.pool.timedOut, t.ID)
	c.pool.add(p)
	c.pool.shrink()
	return p
}

// FlushPool removes transactions from the pool, or all of them if ids is empty. The error is ErrNotStored.
// Source: src/rpc/core_rpc_server.cpp, on_flush_txpool.
func (c *Chain) FlushPool(ids ...xmr.Hash) error {
	defer c.lock()()
	if len(ids) == 0 {
		for id := range c.pool.byID {
			c.pool.remove(id)
		}
	}
	for _, id := range ids {
		c.pool.remove(id)
	}
	return c.commit()
}

// SetRelayed notes that a transaction of the pool is being relayed. It returns false if the transaction is not in the
// pool. The error is ErrNotStored.
func (c *Chain) SetRelayed(id xmr.Hash) (bool, error) {
	defer c.lock()()
	old := c.pool.byID[id]
	if old == nil {
		return false, nil
	}
	c.pool.change(id, func(p *PoolTx) { p.DoNotRelay, p.Relayed, p.LastRelayed = false, true, c.now })
	if old.DoNotRelay {
		c.announce = append(c.announce, c.pool.byID[id])
	}
	return true, c.commit()
}
