package chain

import (
	"fmt"
	"slices"

	"glim/core/consensus"
	"glim/core/xmr"
)

// Who sends a block without work costs no more than it takes to see that, and leaves nothing behind: its transactions are neither
// looked at nor asked for nor kept. Source: src/cryptonote_core/blockchain.cpp, handle_block_to_main_chain.

// place is where a block stands, which says what its work is.
type place struct {
	prev   *Block
	branch []*Block // those before it that are off the main chain, lowest first
	seed   xmr.Hash // the key of its proof of work
}

// stands returns where a block may be, as far as shows without its transactions and its work: it follows a block that is here, at a time
// that can be. It notes the block's difficulty. Errors: ErrOrphan, ErrInvalid, package consensus's.
func (c *Chain) stands(b *Block) (place, error) {
	if b.Block.Prev == c.top().ID {
		return c.standsOnTop(b)
	}
	return c.standsOnBranch(b)
}

// standsOnTop is stands for a block that follows the top.
func (c *Chain) standsOnTop(b *Block) (at place, err error) {
	at.prev = c.top()
	if err = consensus.CheckVersion(c.o.Network, c.height(), b.Block.Major, b.Block.Minor); err != nil {
		return at, err
	}
	if err = consensus.CheckTimestamp(b.Block.Timestamp, c.now, c.recentTimes()); err != nil {
		return at, err
	}
	if b.Difficulty, err = c.nextDifficulty(c.blocks); err != nil {
		return at, err
	}
	at.seed = c.seed(c.height(), nil)
	return at, nil
}

// standsOnBranch is stands for any other.
func (c *Chain) standsOnBranch(b *Block) (at place, err error) {
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
	if err = consensus.CheckVersion(c.o.Network, at.prev.Height+1, b.Block.Major, b.Block.Minor); err != nil {
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

// checkWork returns nil when a block has the work its difficulty asks for at its place. It reads nothing of the chain: hashing takes long,
// and nobody is to wait for it who only reads. Errors: package consensus's, ErrNoPoW, the host's.
func (c *Chain) checkWork(b *Block, at place) error {
	if b.Difficulty == (consensus.Difficulty{Lo: 1}) || c.verified.hasWork(b.ID) {
		return nil // every hash is good, or this one is known to be
	}
	hash, err := c.hash(b, at.prev.Height+1, at.seed)
	if err != nil {
		return err
	}
	if !consensus.CheckWork(hash, b.Difficulty) {
		return fmt.Errorf("%w: %s for %s", consensus.ErrWork, hash, b.Difficulty)
	}
	c.verified.addWork(b.ID)
	return nil
}

// checkBranchTime holds a block's time against the median of those before it, the first of the chain left out.
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
