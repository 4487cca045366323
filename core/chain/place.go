package chain

import (
	"fmt"
	"slices"

	"glim/core/consensus"
)

// Who sends a block without work costs no more than it takes to see that, and leaves nothing behind: its transactions are neither
// looked at nor asked for nor kept. Source: src/cryptonote_core/blockchain.cpp, handle_block_to_main_chain.

// stands returns nil when a block may be where it says it is, as far as shows without its transactions: it follows a block that is
// here, at a time that can be, and has its work. Errors: ErrOrphan, ErrInvalid, package consensus's, ErrNoPoW, the host's.
func (c *Chain) stands(b *Block) error {
	if b.Block.Prev == c.top().ID {
		return c.standsOnTop(b)
	}
	_, _, err := c.standsOnBranch(b)
	return err
}

// standsOnTop is stands for a block that follows the top.
func (c *Chain) standsOnTop(b *Block) error {
	height := c.height()
	if err := consensus.CheckVersion(c.o.Network, height, b.Block.Major, b.Block.Minor); err != nil {
		return err
	}
	if err := consensus.CheckTimestamp(b.Block.Timestamp, c.now, c.recentTimes()); err != nil {
		return err
	}
	var err error
	if b.Difficulty, err = c.nextDifficulty(c.blocks); err != nil {
		return err
	}
	return c.checkWork(b, height, b.Difficulty, nil)
}

// standsOnBranch is stands for any other. It returns the blocks before it that are off the main chain, lowest first, and the one it follows.
func (c *Chain) standsOnBranch(b *Block) (list []*Block, prev *Block, err error) {
	if _, bad := c.invalid[b.Block.Prev]; bad {
		return nil, nil, ErrInvalid
	}
	list, ok := c.branch(b.Block.Prev)
	if !ok {
		return nil, nil, ErrOrphan
	}
	var fork uint64
	if len(list) > 0 {
		prev, fork = list[len(list)-1], list[0].Height
	} else {
		prev = c.blocks[c.byID[b.Block.Prev]]
		fork = prev.Height + 1
	}
	if err := consensus.CheckVersion(c.o.Network, prev.Height+1, b.Block.Major, b.Block.Minor); err != nil {
		return nil, nil, err
	}
	before := append(slices.Clone(c.blocks[fork-min(fork, consensus.DifficultyBlocks):fork]), list...)
	if err := checkBranchTime(b, before); err != nil {
		return nil, nil, err
	}
	if b.Difficulty, err = c.nextDifficulty(before); err != nil {
		return nil, nil, err
	}
	return list, prev, c.checkWork(b, prev.Height+1, b.Difficulty, list)
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
