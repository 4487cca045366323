package chain

import (
	"errors"
	"fmt"
	"slices"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/xmr"
)

// Added tells what became of a block.
type Added struct {
	ID     xmr.Hash
	Height uint64 // index
	Known  bool   // it was here before, on whichever branch; nothing has changed
	Main   bool   // it is the top of the main chain now
	// Joined lists the blocks that are of the main chain now and were not before, lowest first: the block, after its branch when that
	// overtook the main chain.
	Joined []xmr.Hash
	// Left lists the blocks that are no longer of the main chain, lowest first, when a branch overtook it.
	Left []xmr.Hash
}

// AddBlock judges a block and adds it: to the main chain, to a branch, or to a branch that thereby becomes the main
// chain. txs are its transactions as far as the pool may not have them; when the block follows one that is here and has its work
// they go there first, and stay when it is refused for another reason. Errors: ErrOrphan, ErrMissing, ErrInvalid, ErrFull, ErrNoPoW,
// those of packages block, tx and consensus, the store's. Source: src/cryptonote_core/blockchain.cpp, add_new_block.
func (c *Chain) AddBlock(blob []byte, txs ...[]byte) (Added, error) {
	claims, unreadable := readClaims(txs)
	if unreadable == nil && (len(claims) > 0 || c.o.FixedDifficulty != 1) {
		if b, err := c.expects(blob); errors.Is(err, consensus.ErrWork) {
			return Added{ID: b.ID, Height: b.Height}, err
		} else if err == nil {
			c.ahead(claims, nil)
		}
	}
	defer c.lock()()
	added, err := c.addBlock(blob, claims, unreadable)
	if err != nil {
		return added, err
	}
	if err := c.commit(); err != nil {
		return Added{ID: added.ID, Height: added.Height}, err
	}
	c.joined(added)
	return added, nil
}

// joined tells the host of what is stored and has made the top.
func (c *Chain) joined(list ...Added) {
	for _, added := range list {
		if added.Main && c.o.Joined != nil {
			c.o.Joined(View{c, c.now}, added)
		}
	}
}

// errHere reports a block that is here already, or was refused.
var errHere = errors.New("chain: block is known")

// expects returns why a look at a block's transactions is not worth the time, nil when it is: the block is new, fits somewhere and
// has its work, which is looked at with the chain free for others.
func (c *Chain) expects(blob []byte) (*Block, error) {
	parsed, err := block.Parse(blob)
	if err != nil {
		return nil, err
	}
	b, err := newBlock(parsed, blob)
	if err != nil {
		return nil, err
	}
	at, err := func() (place, error) {
		c.mu.RLock()
		defer c.mu.RUnlock()
		_, known := c.byID[b.ID]
		if _, bad := c.invalid[b.ID]; known || bad || c.branches.get(b.ID) != nil {
			return place{}, errHere
		}
		return c.stands(b)
	}()
	if err != nil {
		return b, err
	}
	return b, c.checkWork(b, at)
}

func (c *Chain) addBlock(blob []byte, txs []*claim, unreadable error) (Added, error) {
	if uint64(len(blob)) > c.limits.Limit+consensus.BlobLeeway {
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
	if len(parsed.TxHashes) > 0 { // nothing is looked up, asked for or kept for a block without work
		at, err := c.stands(b)
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

// join notes that blocks, lowest first, have become the top of the main chain.
func (a *Added) join(list []*Block) {
	a.Main = true
	for _, b := range list {
		a.Joined = append(a.Joined, b.ID)
	}
}

// push judges a block that follows the top, with its transactions from the pool, and makes a copy of it the top.
func (c *Chain) push(b *Block) error {
	next := *b
	next.Txs = make([]*Tx, 0, len(b.Block.TxHashes))
	seen := map[xmr.Hash]bool{}
	for _, id := range b.Block.TxHashes {
		if seen[id] {
			return fmt.Errorf("%w: %s twice in a block", ErrKnown, id)
		}
		seen[id] = true
		if _, ok := c.txs[id]; ok {
			return fmt.Errorf("%w: %s", ErrKnown, id)
		}
		t := c.pool.byID[id]
		if t == nil {
			return fmt.Errorf("%w: %s", ErrMissing, id)
		}
		next.Txs = append(next.Txs, t.Tx)
	}
	if err := c.judge(&next); err != nil {
		return err
	}
	c.accept(&next)
	return nil
}

// accept makes a block that was judged and measured the top; its transactions leave the pool.
func (c *Chain) accept(b *Block) {
	c.apply(b)
	for _, t := range b.Txs {
		c.pool.remove(t.ID)
	}
}

// pop takes the top block off; its transactions go back to the pool.
func (c *Chain) pop() *Block {
	b := c.revert()
	c.pending.popped(b)
	for _, t := range b.Txs {
		c.putBack(t)
	}
	return b
}

// PopBlocks takes up to n blocks off the top, but never the first, and returns the number of blocks left. Their
// transactions go back to the pool. Errors are the store's. Source: src/cryptonote_core/blockchain.cpp, pop_blocks.
func (c *Chain) PopBlocks(n uint64) (uint64, error) {
	defer c.lock()()
	for range min(n, c.height()-1) {
		c.pop()
	}
	err := c.commit()
	return c.height(), err
}

// branch returns the blocks off the main chain that end in id, lowest first; false when they do not reach the main
// chain. None for a block of the main chain.
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

// addToBranch judges a block whose parent is not the top as far as that is possible before its branch is the main
// chain. Source: src/cryptonote_core/blockchain.cpp, handle_alternative_block.
func (c *Chain) addToBranch(b *Block, added Added) (Added, error) {
	at, err := c.standsOnBranch(b)
	if err != nil {
		return added, err
	}
	if err := c.checkWork(b, at); err != nil {
		return added, err
	}
	list, prev := at.branch, at.prev
	if err := consensus.CheckCoinbase(&b.Block.MinerTx, prev.Height+1); err != nil {
		return added, err
	}
	b.Cumulative = prev.Cumulative.Add(b.Difficulty)
	weight, fees := c.branchSums(b)
	b.Weight = weight
	b.LongTerm = c.limits.LongTermWeight(weight) // as it would be on the top: what came before a branch is not measured again
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

// branchSums returns the weight of a block off the main chain, 0 when a transaction is missing, and the fees of those that
// are not. The reference counts these fees as new coins, which only a block made on this one shows.
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

// find returns a transaction of the pool or the main chain, or nil.
func (c *Chain) find(id xmr.Hash) *Tx {
	if t := c.pool.byID[id]; t != nil {
		return t.Tx
	}
	if at, ok := c.txs[id]; ok && at.Index > 0 {
		return c.blocks[at.Height].Txs[at.Index-1]
	}
	return nil
}

// maxInvalid bounds how many refused blocks are remembered; then all are forgotten and would be judged again.
const maxInvalid = 1 << 16

// overtake makes a branch, lowest block first, the main chain, and a branch of what it replaces, whose IDs it returns. A
// branch that turns out invalid is forgotten and the main chain is as before.
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

// restore goes back to height fork and adds blocks that were of the main chain before, which needs no judging.
func (c *Chain) restore(fork uint64, left []*Block) {
	for c.height() > fork {
		c.pop()
	}
	for _, b := range left {
		again := *b
		c.accept(&again)
	}
}

// ForgetInvalid forgets which blocks were refused on a branch, so that they are judged again.
func (c *Chain) ForgetInvalid() {
	defer c.lock()()
	clear(c.invalid)
}
