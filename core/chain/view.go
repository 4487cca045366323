package chain

import (
	"bytes"
	"errors"
	"slices"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/fee"
	"glim/core/xmr"
)

// ErrGrace reports that View.Fees was called for too many blocks.
var ErrGrace = errors.New("chain: too many grace blocks")

// View is the chain at one moment. It is valid only during the call of Chain.View or Options.OnBlockAdded that it is
// passed to.
type View struct {
	c   *Chain
	now uint64
}

// View calls read with the chain, which does not change during the call. Changes wait for the call, so it should be
// short.
func (c *Chain) View(read func(View)) {
	now := c.o.Now()
	c.mu.RLock()
	defer c.mu.RUnlock()
	read(View{c, now})
}

// Network returns the network of the chain.
func (v View) Network() xmr.Network { return v.c.o.Network }

// Forks returns the hard forks of the chain. Do not modify them.
func (v View) Forks() consensus.Schedule { return v.c.o.Forks }

// VersionAt returns the version of the block at an index.
func (v View) VersionAt(height uint64) uint8 { return v.c.o.Forks.VersionAt(height) }

// NextTree returns the tree that the next block commits to, or nil before the next hard fork.
func (v View) NextTree() *block.Tree {
	if !v.c.rulesAt(v.c.height()).HasTree() {
		return nil
	}
	t, err := v.c.treeAfter(v.c.top().Height, nil)
	if err != nil {
		panic("unreachable: only trees of branches may lack a transaction")
	}
	return t
}

// Now returns the time of the view in POSIX seconds.
func (v View) Now() uint64 { return v.now }

// Height returns the number of blocks.
func (v View) Height() uint64 { return v.c.height() }

// Size returns the length of the main chain's blocks and their transactions in bytes.
func (v View) Size() uint64 { return v.c.size }

// Top returns the last block.
func (v View) Top() *Block { return v.c.top() }

// Block returns the main chain's block at an index, or nil beyond the tip.
func (v View) Block(height uint64) *Block {
	if height >= v.c.height() {
		return nil
	}
	return v.c.blocks[height]
}

// BlockByID returns a block, or nil if it is unknown, and whether it is in the main chain.
func (v View) BlockByID(id xmr.Hash) (*Block, bool) {
	if height, ok := v.c.byID[id]; ok {
		return v.c.blocks[height], true
	}
	return v.c.branches.get(id), false
}

// Limits returns the weight limits of the next block.
func (v View) Limits() consensus.Limits { return v.c.limits }

// NextDifficulty returns the difficulty of the next block, or zero if it exceeds 128 bits.
func (v View) NextDifficulty() consensus.Difficulty {
	d, err := v.c.nextDifficulty(v.c.blocks)
	if err != nil {
		return consensus.Difficulty{}
	}
	return d
}

// AdjustedTime returns the time that unlock times are compared with, in POSIX seconds.
func (v View) AdjustedTime() uint64 { return consensus.AdjustedTime(v.now, v.c.recentTimes()) }

// Unlocked reports whether an output with this unlock time may be a ring member now.
func (v View) Unlocked(unlock uint64) bool {
	return consensus.Unlocked(unlock, v.c.height(), v.AdjustedTime())
}

// Fees returns the fee levels that suffice for the next grace blocks if these are empty: four, or five with the next
// hard fork. It returns ErrGrace if grace is consensus.ShortWindow or more; with the next hard fork, more than
// consensus.LongWindow.
// Source: src/cryptonote_core/blockchain.cpp, get_dynamic_base_fee_estimate.
func (v View) Fees(grace uint64) ([]uint64, error) {
	c := v.c
	next := c.rulesAt(c.height()).HasTree()
	if grace >= consensus.ShortWindow && !next || grace > consensus.LongWindow {
		return nil, ErrGrace
	}
	base := consensus.BaseReward(c.top().Coins)
	long := c.long.Clone()
	for i := range grace {
		if long.Len() == consensus.LongWindow {
			long.Remove(c.blocks[c.height()-consensus.LongWindow+i].LongTerm)
		}
		long.Add(0)
	}
	if next {
		return consensus.NextFees(base, long.Median()), nil
	}
	zone := max(long.Median(), consensus.FullRewardZone)
	short := append(c.recentWeights(consensus.ShortWindow-grace), make([]uint64, grace)...)
	median := min(max(consensus.Median(short), zone), consensus.SurgeFactor*zone)
	levels := fee.Compute(base, median, zone)
	return levels[:], nil
}

// Tx returns the location of a mined transaction, and false if the chain has no such transaction.
func (v View) Tx(id xmr.Hash) (TxLocation, bool) {
	p, ok := v.c.txs[id]
	return p, ok
}

// TxIDs returns the IDs of the chain's transactions, coinbases included, for which match returns true, in no order.
func (v View) TxIDs(match func(xmr.Hash) bool) (ids []xmr.Hash) {
	for id := range v.c.txs {
		if match(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// TxCount returns the number of transactions in the main chain, coinbases included.
func (v View) TxCount() uint64 { return uint64(len(v.c.txs)) }

// Spent reports whether a key image is in the main chain.
func (v View) Spent(image xmr.KeyImage) bool {
	_, ok := v.c.images[image]
	return ok
}

// Output returns the output of an amount, 0 for RingCT, at a global index, and false if the chain has no such output.
func (v View) Output(amount, index uint64) (Output, bool) {
	list := v.c.outputs[amount]
	if index >= uint64(len(list)) {
		return Output{}, false
	}
	return list[index], true
}

// Outputs returns the outputs of an amount, 0 for RingCT, in the order of their global indices.
func (v View) Outputs(amount uint64) []Output { return v.c.outputs[amount] }

// Amounts returns the amounts that outputs have, ascending.
func (v View) Amounts() []uint64 {
	list := make([]uint64, 0, len(v.c.outputs))
	for amount := range v.c.outputs {
		list = append(list, amount)
	}
	slices.Sort(list)
	return list
}

// Common returns the index of the first block of history that is in the main chain. history lists block IDs, newest
// first, and must end with the genesis block; otherwise Common returns false.
// Source: src/cryptonote_core/blockchain.cpp, find_blockchain_supplement.
func (v View) Common(history []xmr.Hash) (uint64, bool) {
	if len(history) == 0 || history[len(history)-1] != v.c.blocks[0].ID {
		return 0, false
	}
	for _, id := range history {
		if height, ok := v.c.byID[id]; ok {
			return height, true
		}
	}
	return 0, false
}

// Branches returns the alternative branches, one for each block off the main chain that has no child, sorted by the ID
// of that block. Each branch lists its blocks, lowest first.
func (v View) Branches() [][]*Block {
	parents := map[xmr.Hash]bool{}
	for _, b := range v.c.branches.byID {
		parents[b.Block.Prev] = true
	}
	var tips []xmr.Hash
	for id := range v.c.branches.byID {
		if !parents[id] {
			tips = append(tips, id)
		}
	}
	slices.SortFunc(tips, func(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) })
	out := make([][]*Block, len(tips))
	for i, id := range tips {
		out[i], _ = v.c.branch(id)
	}
	return out
}

// OffMain returns the IDs of all blocks off the main chain, sorted.
func (v View) OffMain() []xmr.Hash {
	ids := make([]xmr.Hash, 0, len(v.c.branches.byID))
	for id := range v.c.branches.byID {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

// SeedHeight returns the height of the block whose ID is the RandomX seed for a height of the main chain.
func (v View) SeedHeight(height uint64) uint64 { return v.c.epochs().SeedHeight(height) }

// Work returns the proof-of-work hash of a block of the main chain. It returns ErrNoPoW or the error of Options.PoW.
func (v View) Work(b *Block) (xmr.Hash, error) { return v.c.hash(b, b.Height, v.c.seed(b.Height, nil)) }

// PoolTx returns a transaction of the pool, or nil if it is not there.
func (v View) PoolTx(id xmr.Hash) *PoolTx { return v.c.pool.byID[id] }

// PoolCount returns the number of transactions in the pool.
func (v View) PoolCount() int { return len(v.c.pool.byID) }

// Pool returns the transactions of the pool in the order in which miners take them.
func (v View) Pool() []*PoolTx { return v.c.pool.sorted() }

// Ready returns the transactions of the pool that the next block can hold together, in the order in which miners take
// them, up to an eighth more than the weight without penalty. It leaves out transactions that hidden reports true for.
// Source: src/cryptonote_core/tx_pool.cpp, get_block_template_backlog.
func (v View) Ready(hidden func(*PoolTx) bool) (list []*PoolTx) {
	most := v.c.limits.Median + v.c.limits.Median/8
	spent := map[xmr.KeyImage]struct{}{}
	weight := uint64(0)
	for _, p := range v.c.pool.sorted() {
		if weight > most {
			break
		}
		if hidden(p) || taken(spent, p.Tx.Tx) {
			continue
		}
		if _, err := v.c.validateTx(p.Tx, v.now); err != nil {
			continue
		}
		spend(spent, p.Tx.Tx)
		list = append(list, p)
		weight += p.Weight
	}
	return list
}

// PoolSpends returns the IDs of the pool's transactions that spend a key image, sorted.
func (v View) PoolSpends(image xmr.KeyImage) []xmr.Hash {
	var ids []xmr.Hash
	for id := range v.c.pool.images[image] {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

// PoolImages returns the key images that the pool spends, sorted.
func (v View) PoolImages() []xmr.KeyImage {
	images := make([]xmr.KeyImage, 0, len(v.c.pool.images))
	for i := range v.c.pool.images {
		images = append(images, i)
	}
	slices.SortFunc(images, func(a, b xmr.KeyImage) int { return bytes.Compare(a[:], b[:]) })
	return images
}
