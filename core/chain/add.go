package chain

import (
	"errors"
	"fmt"
	"slices"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/xmr"
)

// Added is the result of adding a block.
type Added struct {
	ID     xmr.Hash
	Height uint64 // index
	Known  bool   // the block was already known, on any branch; nothing has changed
	Main   bool   // the block is the new top of the main chain
	// Joined lists the blocks that are new in the main chain, lowest first: the block itself, after the rest of its
	// branch if the branch has overtaken the main chain.
	Joined []xmr.Hash
	// Left lists the blocks that are no longer in the main chain because a branch has overtaken it, lowest first.
	Left []xmr.Hash
}

// AddBlock validates a block and adds it to the main chain or to a branch. A branch that has more work than the main
// chain then replaces it. txs are transactions of the block; those that the pool has may be missing. If the block
// follows a known block and has its proof of work, they are added to the pool, and stay there even if the block is
// rejected. AddBlock returns ErrOrphan, ErrMissing, ErrInvalid, ErrFull, ErrNoPoW, ErrNotStored, or an error of
// packages block, tx and consensus.
// Source: src/cryptonote_core/blockchain.cpp, add_new_block.
func (c *Chain) AddBlock(blob []byte, txs ...[]byte) (Added, error) {
	incoming, unreadable := c.readIncoming(txs)
	if unreadable == nil && (len(incoming) > 0 || c.o.FixedDifficulty != 1) {
		if b, err := c.precheck(blob); errors.Is(err, consensus.ErrWork) {
			return Added{ID: b.ID, Height: b.Height}, err
		} else if err == nil {
			c.ahead(incoming, nil)
		}
	}
	defer c.lock()()
	added, err := c.addBlock(blob, incoming, unreadable)
	if err != nil {
		return added, err
	}
	if err := c.commit(); err != nil {
		return Added{ID: added.ID, Height: added.Height}, err
	}
	c.joined(added)
	return added, nil
}

// joined calls OnBlockAdded for the blocks that have become the top.
func (c *Chain) joined(list ...Added) {
	for _, added := range list {
		if added.Main && c.o.OnBlockAdded != nil {
			c.o.OnBlockAdded(View{c, c.now}, added)
		}
	}
}

// errHere reports a block that is known, or was rejected before.
var errHere = errors.New("chain: block is known")

// precheck returns nil if it is worth verifying a block's transactions: the block is new, has a position and has its
// proof of work. It does not hold the lock while it checks the work.
func (c *Chain) precheck(blob []byte) (*Block, error) {
	parsed, err := block.Parse(blob)
	if err != nil {
		return nil, err
	}
	b, err := newBlock(parsed, blob)
	if err != nil {
		return nil, err
	}
	at, err := c.locateNew(b)
	if err != nil {
		return b, err
	}
	return b, c.checkWork(b, at)
}

func (c *Chain) addBlock(blob []byte, txs []*incomingTx, unreadable error) (Added, error) {
	if uint64(len(blob)) > c.limits.Limit+consensus.BlockSizeLeeway {
		return Added{}, fmt.Errorf("%w: %d bytes", consensus.ErrWeight, len(blob))
	}
	parsed, err := block.Parse(blob)
	if err != nil {
		return Added{}, err
	}
	b, err := newBlock(parsed, blob)
	if err != nil {
		return Added{}, err
	}
	added := Added{ID: b.ID, Height: b.Height}
	if _, known := c.byID[b.ID]; known || c.branches.get(b.ID) != nil {
		added.Known = true
		return added, nil
	}
	if _, bad := c.invalid[b.ID]; bad {
		return added, ErrInvalid
	}
	if len(parsed.TxHashes) > 0 { // see position: work first
		at, err := c.locate(b, c.now)
		if err == nil {
			err = c.checkWork(b, at)
		}
		if err != nil {
			return added, err
		}
	}
	if unreadable != nil {
		return added, unreadable
	}
	if err := c.keepForBlock(txs); err != nil {
		return added, err
	}
	if parsed.Prev != c.top().ID {
		return c.addToBranch(b, added)
	}
	if err := c.push(b); err != nil {
		return added, err
	}
	added.join([]*Block{b})
	return added, nil
}

// join adds blocks to Joined, lowest first, of which the last is the new top.
func (a *Added) join(list []*Block) {
	a.Main = true
	for _, b := range list {
		a.Joined = append(a.Joined, b.ID)
	}
}

// push validates a block that follows the top, with its transactions from the pool, and makes a copy of it the top.
func (c *Chain) push(b *Block) error {
	next := *b
	next.Txs = make([]*Tx, 0, len(b.Block.TxHashes))
	seen := map[xmr.Hash]bool{}
	for _, id := range b.Block.TxHashes {
		if seen[id] {
			return fmt.Errorf("%w: %s twice in a block", ErrMined, id)
		}
		seen[id] = true
		if _, ok := c.txs[id]; ok {
			return fmt.Errorf("%w: %s", ErrMined, id)
		}
		t := c.pool.byID[id]
		if t == nil {
			return fmt.Errorf("%w: %s", ErrMissing, id)
		}
		next.Txs = append(next.Txs, t.Tx)
	}
	if err := c.validate(&next); err != nil {
		return err
	}
	c.accept(&next)
	return nil
}

// accept makes a validated and measured block the top, and removes its transactions from the pool.
func (c *Chain) accept(b *Block) {
	c.apply(b)
	for _, t := range b.Txs {
		c.pool.remove(t.ID)
	}
}

// pop removes the top block and returns its transactions to the pool.
func (c *Chain) pop() *Block {
	b := c.revert()
	c.pending.popped(b)
	for _, t := range b.Txs {
		c.putBack(t)
	}
	return b
}

// PopBlocks removes up to n blocks from the top, but never the genesis block, and returns the number of blocks left.
// It returns their transactions to the pool. The error is ErrNotStored. Source: src/cryptonote_core/blockchain.cpp,
// pop_blocks.
func (c *Chain) PopBlocks(n uint64) (uint64, error) {
	return c.popBlocks(n, func() { c.pop() })
}

// DropBlocks is PopBlocks without returning the transactions to the pool.
func (c *Chain) DropBlocks(n uint64) (uint64, error) {
	return c.popBlocks(n, func() { c.pending.popped(c.revert()) })
}

func (c *Chain) popBlocks(n uint64, pop func()) (uint64, error) {
	defer c.lock()()
	for range min(n, c.height()-1) {
		pop()
	}
	err := c.commit()
	return c.height(), err
}

// branch returns the blocks off the main chain that end in id, lowest first. The list is empty if id is in the main
// chain. The bool is false if the branch does not reach the main chain.
func (c *Chain) branch(id xmr.Hash) ([]*Block, bool) {
	var list []*Block
	for b := c.branches.get(id); b != nil; b = c.branches.get(id) {
		list = append(list, b)
		id = b.Block.Prev
	}
	slices.Reverse(list)
	_, main := c.byID[id]
	return list, main
}

// addToBranch checks a block whose parent is not the top, as far as that is possible without its branch being the main
// chain.
// Source: src/cryptonote_core/blockchain.cpp, handle_alternative_block.
func (c *Chain) addToBranch(b *Block, added Added) (Added, error) {
	at, err := c.locateOnBranch(b)
	if err != nil {
		return added, err
	}
	if err := c.checkWork(b, at); err != nil {
		return added, err
	}
	list, prev := at.branch, at.prev
	if err := c.rulesAt(prev.Height+1).CheckCoinbase(&b.Block.MinerTx, prev.Height+1); err != nil {
		return added, err
	}
	b.Cumulative = prev.Cumulative.Add(b.Difficulty)
	weight, fees := c.branchSums(b)
	b.Weight = weight
	// With the limits of the top, because those of the branch are unknown.
	b.LongTerm = c.rulesAt(b.Height).LongTermWeight(c.limits, weight)
	b.Coins = consensus.AddCoins(prev.Coins, b.Reward()-min(fees, b.Reward()))
	c.branches.put(b)
	if !c.top().Cumulative.Less(b.Cumulative) {
		c.branches.trim()
		if c.branches.get(b.ID) == nil {
			return added, ErrFull
		}
		return added, nil
	}
	list = append(list, b)
	if added.Left, err = c.overtake(list); err != nil {
		return added, err
	}
	added.join(list)
	return added, nil
}

// branchSums returns the weight of a block off the main chain, or 0 if a transaction is missing, and the fees of the
// known transactions. The reference counts these fees as new coins; this shows only in blocks that build on this one.
func (c *Chain) branchSums(b *Block) (weight, fees uint64) {
	weight = b.Block.MinerTx.Weight()
	missing := false
	for _, id := range b.Block.TxHashes {
		t := c.find(id)
		if t == nil {
			missing = true
			continue
		}
		weight += t.Weight
		fees += t.Fee
	}
	if missing {
		weight = 0
	}
	return weight, fees
}

// find returns a transaction of the pool or the main chain, or nil if it is in neither.
func (c *Chain) find(id xmr.Hash) *Tx {
	if t := c.pool.byID[id]; t != nil {
		return t.Tx
	}
	if at, ok := c.txs[id]; ok && at.Index > 0 {
		return c.blocks[at.Height].Txs[at.Index-1]
	}
	return nil
}

// maxInvalid is how many rejected blocks are remembered. If there are more, all are forgotten, and are validated again.
const maxInvalid = 1 << 16

// overtake makes a branch, lowest block first, the main chain, and makes the replaced blocks a branch. It returns the
// IDs of the replaced blocks, lowest first. If the branch is invalid, the main chain does not change and the branch is
// removed.
// Source: src/cryptonote_core/blockchain.cpp, switch_to_alternative_blockchain.
func (c *Chain) overtake(list []*Block) ([]xmr.Hash, error) {
	fork := list[0].Height
	var left []*Block
	for c.height() > fork {
		left = append(left, c.pop())
	}
	slices.Reverse(left)
	for i, b := range list {
		err := c.push(b)
		if err == nil {
			c.branches.remove(b.ID)
			continue
		}
		if len(c.invalid) >= maxInvalid {
			clear(c.invalid)
		}
		for _, bad := range list[i:] {
			c.invalid[bad.ID] = struct{}{}
			c.branches.remove(bad.ID)
		}
		c.restore(fork, left)
		for _, good := range list[:i] {
			c.branches.put(good)
		}
		return nil, err
	}
	ids := make([]xmr.Hash, len(left))
	for i, b := range left {
		ids[i] = b.ID
		c.branches.put(b)
	}
	c.branches.trim()
	return ids, nil
}

// restore removes blocks down to height fork and adds blocks that were in the main chain before, without validation.
func (c *Chain) restore(fork uint64, left []*Block) {
	for c.height() > fork {
		c.pop()
	}
	for _, b := range left {
		again := *b
		c.accept(&again)
	}
}

// ForgetInvalid forgets which blocks were rejected, so that they are validated again.
func (c *Chain) ForgetInvalid() {
	defer c.lock()()
	clear(c.invalid)
}
