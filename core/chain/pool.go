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

// How long the pool keeps. Source: src/cryptonote_config.h, CRYPTONOTE_MEMPOOL_TX_LIVETIME and
// CRYPTONOTE_MEMPOOL_TX_FROM_ALT_BLOCK_LIVETIME.
const (
	poolSeconds      = 3 * 86400
	poolBlockSeconds = 7 * 86400 // of transactions that were in a block
)

// MaxPoolWeight is how much the pool holds unless told otherwise, in bytes. Source: src/cryptonote_config.h, DEFAULT_TXPOOL_MAX_WEIGHT.
const MaxPoolWeight = 648_000_000

// PoolTx is a transaction that waits for a block.
type PoolTx struct {
	*Tx
	MaxUsedHeight    uint64   // index of the newest block its rings refer to
	MaxUsedID        xmr.Hash // of that block; zero when its inputs were not valid when it came
	LastFailedHeight uint64   // where a block template last left it out
	LastFailedID     xmr.Hash
	Received         uint64 // POSIX seconds
	LastRelayed      uint64 // POSIX seconds
	KeptByBlock      bool   // it was in a block, and stays even while its inputs are not valid
	Relayed          bool
	DoNotRelay       bool
	DoubleSpendSeen  bool
}

// pool is what waits. Its entries are replaced, not changed, for readers hold them.
type pool struct {
	byID     map[xmr.Hash]*PoolTx
	before   map[xmr.Hash]*PoolTx // what changed since the last commit, as it was then; nil for what was not there
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
	return pool{byID: map[xmr.Hash]*PoolTx{}, before: map[xmr.Hash]*PoolTx{}, images: map[xmr.KeyImage]map[xmr.Hash]struct{}{},
		timedOut: map[xmr.Hash]struct{}{}, limit: limit, news: news{added: map[xmr.Hash]uint64{}}}
}

func (p *pool) add(t *PoolTx) { p.put(t.ID, t) }

func (p *pool) remove(id xmr.Hash) {
	if p.byID[id] != nil {
		p.put(id, nil)
	}
}

// change replaces the entry of id by a changed copy.
func (p *pool) change(id xmr.Hash, how func(*PoolTx)) {
	if t := p.byID[id]; t != nil {
		next := *t
		how(&next)
		p.put(id, &next)
	}
}

// put makes next what waits under id, nil for nothing.
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

// undo makes the pool what it was when the last commit was made.
func (p *pool) undo() {
	for id, old := range p.before {
		p.put(id, old)
	}
	clear(p.before)
}

// rivals returns the pool's transactions that spend what t spends.
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

// sorted returns what waits in the order miners take it: by fee a byte, highest first, then by age, oldest first.
// Source: src/cryptonote_core/tx_pool.h, txCompare.
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

// shrink drops what pays least until the pool's weight is within its limit; what was in a block and the best payer stay.
// Source: src/cryptonote_core/tx_pool.cpp, prune.
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

// expire drops what has waited too long. Source: src/cryptonote_core/tx_pool.cpp, remove_stuck_transactions.
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

// AddTx judges a transaction and puts it into the pool, its relay being forbidden or not. Errors: those of packages tx
// and consensus, ErrKnown, ErrWaiting, ErrTimedOut, the store's.
// Source: src/cryptonote_core/cryptonote_core.cpp, handle_incoming_txs; tx_pool.cpp, add_tx.
func (c *Chain) AddTx(blob []byte, doNotRelay bool) (xmr.Hash, error) {
	t, err := newTx(blob)
	if err != nil {
		return xmr.Hash{}, err
	}
	k := &claim{Tx: t}
	c.ahead([]*claim{k}, func(k *claim) bool { return c.admit(k) != nil || len(c.pool.rivals(t.Tx, t.ID)) > 0 })

	defer c.lock()()
	c.pool.expire(c.now)
	if err := c.admit(k); err != nil {
		return t.ID, err
	}
	if rivals := c.pool.rivals(t.Tx, t.ID); len(rivals) > 0 {
		for _, id := range rivals {
			c.pool.change(id, func(p *PoolTx) { p.DoubleSpendSeen = true })
		}
		return t.ID, fmt.Errorf("%w: the pool spends it already", consensus.ErrDoubleSpend)
	}
	newest, err := c.judgeTx(t)
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
		c.coming = append(c.coming, p)
	}
	c.pool.shrink()
	return t.ID, c.commit()
}

// admit returns why a transaction cannot come into the pool, as far as that is cheap to say.
func (c *Chain) admit(k *claim) error {
	if c.pool.byID[k.ID] != nil {
		return ErrWaiting
	}
	if _, mined := c.txs[k.ID]; mined {
		return ErrKnown
	}
	if _, late := c.pool.timedOut[k.ID]; late {
		return ErrTimedOut
	}
	// Of several faults the reference names the first of these: what breaks the transaction itself, the fee, the rest.
	// Source: src/cryptonote_core/cryptonote_core.cpp, check_tx_semantic; tx_pool.cpp, add_tx.
	fault := k.check()
	if errors.Is(fault, consensus.ErrMalformed) || len(k.Blob) > consensus.MaxTxSize {
		return fault
	}
	if err := consensus.CheckFee(k.Weight, k.Fee, consensus.BaseReward(c.top().Coins), c.limits); err != nil {
		return err
	}
	if fault != nil {
		return fault
	}
	return consensus.CheckRelay(len(k.Tx.Tx.Extra), k.Tx.Tx.UnlockTime)
}

// readClaims reads the transactions that come with a block.
func readClaims(blobs [][]byte) ([]*claim, error) {
	claims := make([]*claim, len(blobs))
	for i, blob := range blobs {
		t, err := newTx(blob)
		if err != nil {
			return nil, err
		}
		claims[i] = &claim{Tx: t}
	}
	return claims, nil
}

// keepForBlock puts the transactions that came with a block into the pool, whatever else is there. Those whose inputs are
// not valid now may become so.
func (c *Chain) keepForBlock(claims []*claim) error {
	c.pool.expire(c.now)
	var fresh []*Tx
	for _, k := range claims {
		if c.find(k.ID) != nil {
			continue
		}
		if err := k.check(); err != nil {
			return fmt.Errorf("transaction %s: %w", k.ID, err)
		}
		if err := c.checkProofs(k.Tx); err != nil {
			return err
		}
		fresh = append(fresh, k.Tx)
	}
	for _, t := range fresh {
		c.coming = append(c.coming, c.putBack(t))
	}
	return nil
}

// putBack puts a transaction that is or was in a block into the pool.
func (c *Chain) putBack(t *Tx) *PoolTx {
	p := &PoolTx{Tx: t, Received: c.now, LastRelayed: c.now, KeptByBlock: true, Relayed: true}
	if newest, err := c.judgeTx(t); err == nil {
		p.MaxUsedHeight, p.MaxUsedID = newest, c.blocks[newest].ID
	} else {
		p.DoubleSpendSeen = len(c.pool.rivals(t.Tx, t.ID)) > 0
	}
	delete(c.pool.timedOut, t.ID)
	c.pool.add(p)
	c.pool.shrink()
	return p
}

// FlushPool drops transactions from the pool, all of them when none is named. Errors are the store's.
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

// SetRelayed notes that a transaction of the pool goes out; false when it is not there. Errors are the store's.
func (c *Chain) SetRelayed(id xmr.Hash) (bool, error) {
	defer c.lock()()
	old := c.pool.byID[id]
	if old == nil {
		return false, nil
	}
	c.pool.change(id, func(p *PoolTx) { p.DoNotRelay, p.Relayed, p.LastRelayed = false, true, c.now })
	if old.DoNotRelay {
		c.coming = append(c.coming, c.pool.byID[id])
	}
	return true, c.commit()
}
