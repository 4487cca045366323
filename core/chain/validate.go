package chain

import (
	"fmt"

	"glim/core/consensus"
	"glim/core/crypto/clsag"
	"glim/core/internal/crypto/randomx"
	"glim/core/tx"
	"glim/core/xmr"
)

// validateTx returns nil if a transaction may be in the next block, and the index of the newest block that it refers
// to. It checks the inputs and their signatures or membership proofs, but not what consensus.CheckTransaction and
// CheckProofs check. now is in POSIX seconds.
// Source: src/cryptonote_core/blockchain.cpp, check_tx_inputs.
func (c *Chain) validateTx(t *Tx, now uint64) (newest uint64, err error) {
	// It may have come before the fork, which changed the rules, or the fork may have been reorganised away.
	if rules := c.rulesAt(c.height()); rules.HasTree() || t.Membership != nil {
		if err := c.checkForm(t, rules); err != nil {
			return 0, err
		}
	}
	if t.Membership != nil {
		tree, err := c.referenced(t)
		if err != nil {
			return 0, err
		}
		return t.Membership.Reference, c.checkMemberships(Spent{t, tree})
	}
	rings, newest, err := c.rings(t, now)
	if err != nil {
		return 0, err
	}
	return newest, c.checkSignatures(t, rings)
}

// rings returns the ring of each input, and the index of the newest block that a ring member is in. It returns
// consensus.ErrInput if an input may not be in the next block. now is in POSIX seconds.
func (c *Chain) rings(t *Tx, now uint64) (rings [][]clsag.Member, newest uint64, err error) {
	count := func(amount uint64) uint64 { return uint64(len(c.outputs[amount])) }
	if err := consensus.CheckRingSize(t.Tx, count); err != nil {
		return nil, 0, err
	}
	time := consensus.AdjustedTime(now, c.recentTimes())
	rings = make([][]clsag.Member, len(t.Tx.Inputs))
	for i := range t.Tx.Inputs {
		in := &t.Tx.Inputs[i]
		if _, spent := c.images[in.KeyImage]; spent {
			return nil, 0, fmt.Errorf("%w: %w: key image %s", consensus.ErrInput, consensus.ErrDoubleSpend, in.KeyImage)
		}
		outputs := c.outputs[in.Amount]
		for _, at := range tx.AbsoluteOffsets(in.KeyOffsets) {
			if at >= uint64(len(outputs)) {
				return nil, 0, fmt.Errorf("%w: no output %d of amount %d", consensus.ErrInput, at, in.Amount)
			}
			o := &outputs[at]
			if !consensus.Unlocked(o.Unlock, c.height(), time) {
				return nil, 0, fmt.Errorf("%w: output %d is locked", consensus.ErrInput, at)
			}
			newest = max(newest, o.Height)
			rings[i] = append(rings[i], clsag.Member{Key: o.Key, Commitment: o.Commitment})
		}
	}
	if newest+xmr.SpendableAge > c.height() {
		return nil, 0, fmt.Errorf("%w: an output of block %d has too few confirmations", consensus.ErrInput, newest)
	}
	return rings, newest, nil
}

// validate returns nil if a block with its transactions may follow the top, and calls measure for it. The transactions
// must have passed the checks that validateTx leaves out. It returns an error of package consensus, ErrNoPoW, or the
// error of Options.PoW.
// Source: src/cryptonote_core/blockchain.cpp, handle_block_to_main_chain.
func (c *Chain) validate(b *Block) error {
	height, prev := c.height(), c.top()
	at, err := c.locateOnTop(b, c.now)
	if err != nil {
		return err
	}
	if err := c.checkWork(b, at); err != nil {
		return err
	}
	rules := c.rulesAt(height)
	if err := rules.CheckCoinbase(&b.Block.MinerTx, height); err != nil {
		return err
	}
	if err := c.checkTree(b, rules); err != nil {
		return err
	}
	if _, ok := c.txs[b.CoinbaseID]; ok {
		return fmt.Errorf("%w: %s is in the chain", consensus.ErrCoinbase, b.CoinbaseID)
	}
	c.proveTogether(b.Txs, true)
	weight, fees := b.Block.MinerTx.Weight(), uint64(0)
	seen := map[xmr.KeyImage]struct{}{}
	for _, t := range b.Txs {
		if _, ok := c.txs[t.ID]; ok {
			return fmt.Errorf("%w: %s", ErrMined, t.ID)
		}
		for i := range t.Tx.Inputs {
			image := t.Tx.Inputs[i].KeyImage
			if _, ok := seen[image]; ok {
				return fmt.Errorf("%w: key image %s twice in a block", consensus.ErrDoubleSpend, image)
			}
			seen[image] = struct{}{}
		}
		if _, err := c.validateTx(t, c.now); err != nil {
			return fmt.Errorf("transaction %s: %w", t.ID, err)
		}
		weight += t.Weight
		if fees, err = xmr.Sum(fees, t.Fee); err != nil {
			return fmt.Errorf("%w: fees: %w", consensus.ErrReward, err)
		}
	}
	if _, err := consensus.CheckReward(&b.Block.MinerTx, weight, fees, prev.Coins, c.limits); err != nil {
		return err
	}
	c.measure(b)
	return nil
}

// hash returns the proof-of-work hash of a block at height, with a RandomX seed. It does not access the chain. It
// returns ErrNoPoW or the error of Options.PoW.
func (c *Chain) hash(b *Block, height uint64, seed xmr.Hash) (xmr.Hash, error) {
	if c.o.PoW == nil {
		return xmr.Hash{}, ErrNoPoW
	}
	blob, err := b.Block.HashingBlob()
	if err != nil {
		return xmr.Hash{}, err
	}
	return c.o.PoW(b.Block.Major, height, seed, blob)
}

// epochs returns when the RandomX seed changes.
func (c *Chain) epochs() randomx.Epochs {
	return randomx.Epochs{Blocks: c.o.SeedEpochBlocks, Lag: c.o.SeedEpochLag}
}

// seed returns the RandomX seed at height on a branch; branch is nil for the main chain.
func (c *Chain) seed(height uint64, branch []*Block) xmr.Hash {
	at := c.epochs().SeedHeight(height)
	if len(branch) > 0 && at >= branch[0].Height {
		return branch[at-branch[0].Height].ID
	}
	return c.blocks[at].ID
}
