package chain

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/tx"
	"glim/core/xmr"
)

// An output enters the tree when it unlocks: the tree after block b has the outputs whose last locked block has at most
// the index b + 9, ordered by that index and then by their place in the chain. The block after b commits to it, so that
// nine more blocks confirm it before a transaction can refer to it.
//
// The states of the tree after recent blocks are kept, and some older ones. The state after any block is computed from
// the kept one before it, when a block or a template needs it: blocks before the fork cost nothing, and popping blocks
// only drops states. Nothing of it is stored: after a restart it is computed from the outputs of the chain.
// Source: src/cryptonote_core/blockchain.cpp of the beta, handle_fcmp_tree; src/blockchain_db/blockchain_db.cpp,
// advance_tree and trim_block.

// States are kept after each of the last treeRecent blocks, and after one in treeRecent before them.
const treeRecent = 720

// treeBatch is the number of outputs that enter the tree together, if there are more.
const treeBatch = 4096

// treeStates are trees after some blocks of the main chain, in the order of heights.
type treeStates struct {
	mu     sync.Mutex // held by all methods of Chain that compute trees, which only lock the chain for reading
	list   []treeState
	late   lateOutputs
	branch map[xmr.Hash]Tree // after some blocks off the main chain, by their IDs
	early  []block.Tree      // see earlyTree
}

// maxBranchTrees is how many trees of blocks off the main chain are kept. If there are more, all are forgotten.
const maxBranchTrees = 1024

type treeState struct {
	height uint64 // the last block
	tree   Tree
}

// lateOutputs are transactions of the main chain whose outputs unlock neither ten blocks after theirs nor as a
// coinbase's: by the index of the last locked block. They are collected up to the height next.
type lateOutputs struct {
	next uint64
	list map[uint64][]TxLocation
}

// cut forgets the states after block b, which is the top, and its transactions.
func (s *treeStates) cut(b *Block) {
	for n := len(s.list); n > 0 && s.list[n-1].height >= b.Height; n-- {
		s.list[n-1] = treeState{}
		s.list = s.list[:n-1]
	}
	s.early = s.early[:min(uint64(len(s.early)), b.Height)]
	if s.late.next <= b.Height {
		return
	}
	s.late.next = b.Height
	forget := func(t *tx.Transaction) {
		last := consensus.LastLocked(t.UnlockTime, b.Height)
		list := s.late.list[last]
		for n := len(list); n > 0 && list[n-1].Height == b.Height; n-- {
			list = list[:n-1]
		}
		if s.late.list[last] = list; len(list) == 0 {
			delete(s.late.list, last)
		}
	}
	forget(&b.Block.MinerTx)
	for _, t := range b.Txs {
		forget(t.Tx)
	}
}

// keep adds the newest state and forgets older ones that need not be kept.
func (s *treeStates) keep(height uint64, t Tree) {
	s.list = append(s.list, treeState{height, t})
	if len(s.list)%treeRecent == 0 {
		kept := uint64(0)
		s.list = slices.DeleteFunc(s.list, func(old treeState) bool {
			if old.height+treeRecent > height || old.height >= kept+treeRecent {
				kept = old.height
				return false
			}
			return true
		})
	}
}

// treeAfter returns what the block after the block at height commits to. branch are the blocks off the main chain that
// end at that height, lowest first, or nil for the main chain. It returns ErrMissing if a transaction of a branch is
// not known.
func (c *Chain) treeAfter(height uint64, branch []*Block) (*block.Tree, error) {
	c.tree.mu.Lock()
	defer c.tree.mu.Unlock()
	t, err := c.branchTree(branch)
	if len(branch) == 0 {
		t = c.mainTree(height)
	}
	if err != nil {
		return nil, err
	}
	out := new(block.Tree)
	out.Layers, out.Root = t.Root()
	return out, nil
}

// branchTree returns the tree after the last block of a branch, and keeps it. It returns nil if there is no branch.
func (c *Chain) branchTree(branch []*Block) (Tree, error) {
	n := len(branch)
	if n == 0 {
		return nil, nil
	}
	from, t := 0, Tree(nil)
	for i := n; i > 0 && t == nil; i-- {
		from, t = i, c.tree.branch[branch[i-1].ID]
	}
	if t == nil {
		from, t = 0, c.mainTree(branch[0].Height-1)
	}
	for i := from; i < n; i++ {
		due, err := c.dueOnBranch(branch[i].Height, branch[:i+1])
		if err != nil {
			return nil, err
		}
		t = t.Grow(due)
	}
	if c.tree.branch == nil || len(c.tree.branch) >= maxBranchTrees {
		c.tree.branch = map[xmr.Hash]Tree{}
	}
	c.tree.branch[branch[n-1].ID] = t
	return t, nil
}

// mainTree returns the tree after a block of the main chain, and keeps it.
func (c *Chain) mainTree(height uint64) Tree {
	s := &c.tree
	from, t := uint64(0), c.o.Next.NewTree()
	i := len(s.list)
	for i > 0 && s.list[i-1].height > height {
		i--
	}
	if i > 0 {
		from, t = s.list[i-1].height+1, s.list[i-1].tree
	}
	if from > height {
		return t
	}
	c.collectLate()
	var due []TreeOutput
	for h := from; h <= height; h++ {
		for _, at := range c.dueAt(h, height+1) {
			due = consensus.AppendTreeOutputs(due, c.txAt(at))
		}
		if len(due) >= treeBatch {
			t, due = t.Grow(due), due[:0]
		}
	}
	t = t.Grow(due)
	if i == len(s.list) {
		s.keep(height, t)
	}
	return t
}

// earlyTree returns the tree after a block of the main chain whose next block is from before the fork and therefore has
// no tree. It computes those after all such blocks together, so that transactions that refer to many of them cost no
// more than one does.
func (c *Chain) earlyTree(height uint64) block.Tree {
	s := &c.tree
	s.mu.Lock()
	defer s.mu.Unlock()
	if height < uint64(len(s.early)) {
		return s.early[height]
	}
	c.collectLate()
	t, last := c.o.Next.NewTree(), block.Tree{}
	s.early = s.early[:0]
	for h := uint64(0); h < c.height() && !c.rulesAt(h+1).HasTree(); h++ {
		var due []TreeOutput
		for _, at := range c.dueAt(h, h+1) {
			due = consensus.AppendTreeOutputs(due, c.txAt(at))
		}
		if len(due) > 0 {
			t = t.Grow(due)
			last.Layers, last.Root = t.Root()
		}
		s.early = append(s.early, last)
	}
	return s.early[height]
}

// collectLate adds the transactions of new blocks to lateOutputs.
func (c *Chain) collectLate() {
	l := &c.tree.late
	if l.list == nil {
		l.list = map[uint64][]TxLocation{}
	}
	for ; l.next < c.height(); l.next++ {
		b := c.blocks[l.next]
		for i := range b.Indices {
			at := TxLocation{l.next, uint64(i)}
			unlock := c.txAt(at).UnlockTime
			if last := consensus.LastLocked(unlock, l.next); last != usual(at) {
				l.list[last] = append(l.list[last], at)
			}
		}
	}
}

// usual returns the index of the last block in which outputs of a transaction are locked if its unlock time is the
// usual one: that of a coinbase, and otherwise 0.
func usual(at TxLocation) uint64 {
	if at.Index == 0 {
		return at.Height + xmr.CoinbaseUnlock - 1
	}
	return at.Height + xmr.SpendableAge - 1
}

func (c *Chain) txAt(at TxLocation) *tx.Transaction {
	b := c.blocks[at.Height]
	if at.Index == 0 {
		return &b.Block.MinerTx
	}
	return b.Txs[at.Index-1].Tx
}

// dueAt returns the transactions of the main chain below end whose outputs enter the tree with the block at height, in
// the order of the chain.
func (c *Chain) dueAt(height, end uint64) []TxLocation {
	last := height + xmr.SpendableAge - 1
	list := slices.Clone(c.tree.late.list[last])
	list = slices.DeleteFunc(list, func(at TxLocation) bool { return at.Height >= end })
	add := func(at TxLocation) {
		if at.Height < end && consensus.LastLocked(c.txAt(at).UnlockTime, at.Height) == last {
			list = append(list, at)
		}
	}
	if mined := last + 1 - xmr.CoinbaseUnlock; mined <= height {
		add(TxLocation{mined, 0})
	}
	if height < end {
		for i := range c.blocks[height].Txs {
			add(TxLocation{height, uint64(i) + 1})
		}
	}
	slices.SortFunc(list, func(a, b TxLocation) int {
		return cmp.Or(cmp.Compare(a.Height, b.Height), cmp.Compare(a.Index, b.Index))
	})
	return list
}

// dueOnBranch returns the outputs that enter the tree with the last block of a branch: those of the main chain below
// the branch, and those of the branch.
func (c *Chain) dueOnBranch(height uint64, branch []*Block) ([]TreeOutput, error) {
	c.collectLate()
	var due []TreeOutput
	for _, at := range c.dueAt(height, branch[0].Height) {
		due = consensus.AppendTreeOutputs(due, c.txAt(at))
	}
	last := height + xmr.SpendableAge - 1
	for _, b := range branch {
		if consensus.LastLocked(b.Block.MinerTx.UnlockTime, b.Height) == last {
			due = consensus.AppendTreeOutputs(due, &b.Block.MinerTx)
		}
		for _, id := range b.Block.TxHashes {
			t := c.find(id)
			if t == nil {
				return nil, fmt.Errorf("%w: %s", ErrMissing, id)
			}
			if consensus.LastLocked(t.Tx.UnlockTime, b.Height) == last {
				due = consensus.AppendTreeOutputs(due, t.Tx)
			}
		}
	}
	return due, nil
}
