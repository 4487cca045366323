package chain

import (
	"fmt"
	"slices"

	"glim/core/consensus"
	"glim/core/xmr"
)

// A block is located and its proof of work checked before its transactions are parsed, requested or stored. A block
// without work therefore costs only that check, and leaves nothing behind.
// Source: src/cryptonote_core/blockchain.cpp, handle_block_to_main_chain.

// position is where a block belongs in the chain. It determines the block's difficulty.
type position struct {
	prev   *Block
	branch []*Block // the blocks before it that are off the main chain, lowest first
	seed   xmr.Hash // RandomX seed of its proof of work
}

// locate returns the position of a block and sets its difficulty. It checks what does not depend on the transactions
// and the proof of work: the parent, the version, and the time against now. It returns ErrOrphan, ErrInvalid or an
// error of package consensus.
func (c *Chain) locate(b *Block, now uint64) (position, error) {
	if b.Block.Prev == c.top().ID {
		return c.locateOnTop(b, now)
	}
	return c.locateOnBranch(b)
}

// locateOnTop is locate for a block that follows the top.
func (c *Chain) locateOnTop(b *Block, now uint64) (at position, err error) {
	at.prev = c.top()
	if err = c.o.Forks.CheckVersion(c.height(), b.Block.Major, b.Block.Minor); err != nil {
		return at, err
	}
	if err = consensus.CheckTimestamp(b.Block.Timestamp, now, c.recentTimes()); err != nil {
		return at, err
	}
	if b.Difficulty, err = c.nextDifficulty(c.blocks); err != nil {
		return at, err
	}
	at.seed = c.seed(c.height(), nil)
	return at, nil
}

// locateOnBranch is locate for any other block.
func (c *Chain) locateOnBranch(b *Block) (at position, err error) {
	if _, bad := c.invalid[b.Block.Prev]; bad {
		return at, ErrInvalid
	}
	list, ok := c.branch(b.Block.Prev)
	if !ok {
		return at, ErrOrphan
	}
	at.branch = list
	var fork uint64
	if len(list) > 0 {
		at.prev, fork = list[len(list)-1], list[0].Height
	} else {
		at.prev = c.blocks[c.byID[b.Block.Prev]]
		fork = at.prev.Height + 1
	}
	if err = c.o.Forks.CheckVersion(at.prev.Height+1, b.Block.Major, b.Block.Minor); err != nil {
		return at, err
	}
	before := append(slices.Clone(c.blocks[fork-min(fork, consensus.DifficultyBlocks):fork]), list...)
	if err = checkBranchTime(b, before); err != nil {
		return at, err
	}
	if b.Difficulty, err = c.nextDifficulty(before); err != nil {
		return at, err
	}
	at.seed = c.seed(at.prev.Height+1, list)
	return at, nil
}

// checkWork returns nil if the block's proof of work meets its difficulty. It does not access the chain, so that it
// needs no lock: hashing is slow, and readers must not wait for it. It returns an error of package consensus,
// ErrNoPoW, or the error of Options.PoW.
func (c *Chain) checkWork(b *Block, at position) error {
	if b.Difficulty == (consensus.Difficulty{Lo: 1}) || c.verified.hasWork(b.ID) {
		return nil // any hash meets difficulty 1
	}
	hash, known := c.verified.hashOf(b.ID)
	if !known {
		var err error
		if hash, err = c.hash(b, at.prev.Height+1, at.seed); err != nil {
			return err
		}
	}
	if !consensus.CheckWork(hash, b.Difficulty) {
		return fmt.Errorf("%w: %s for %s", consensus.ErrWork, hash, b.Difficulty)
	}
	c.verified.addWork(b.ID)
	return nil
}

// checkBranchTime checks a block's time against the median time of the blocks before it, without the genesis block.
// Source: src/cryptonote_core/blockchain.cpp, complete_timestamps_vector.
func checkBranchTime(b *Block, before []*Block) error {
	var times []uint64
	for i := len(before) - 1; i >= 0 && len(times) < consensus.TimestampWindow && before[i].Height > 0; i-- {
		times = append(times, before[i].Block.Timestamp)
	}
	if m := consensus.Median(times); b.Block.Timestamp < m {
		return fmt.Errorf("%w: %d is before the median %d", consensus.ErrTimestamp, b.Block.Timestamp, m)
	}
	return nil
}
