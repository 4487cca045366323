package chain

import (
	"errors"
	"fmt"

	"glim/core/address"
	"glim/core/block"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/internal/crypto/randomx"
	"glim/core/tx"
	"glim/core/xmr"
)

// ErrTemplate: a block could not be made of what there is.
var ErrTemplate = errors.New("chain: no block template")

// Template is a block that lacks nothing but its proof of work.
type Template struct {
	Block      *block.Block
	Height     uint64 // index
	Difficulty consensus.Difficulty
	Reward     uint64 // atomic units before the coinbase's own weight counts, fees included
	SeedHeight uint64
	Seed       xmr.Hash
	NextSeed   xmr.Hash // equal to Seed unless the epoch is about to change
	Key        xmr.PublicKey
}

// NewTemplate returns a block on top of prev, or of the main chain, that pays to and holds what the pool has to offer.
// nonce are bytes for the coinbase's extra, at most 255. The address must not be a subaddress. Errors: ErrOrphan,
// ErrTemplate, consensus.ErrDifficulty, the random source's.
// Source: src/cryptonote_core/blockchain.cpp, create_block_template.
func (c *Chain) NewTemplate(to address.Address, nonce []byte, prev *xmr.Hash) (*Template, error) {
	defer c.lock()()
	return c.newTemplate(to, nonce, prev)
}

func (c *Chain) newTemplate(to address.Address, nonce []byte, prev *xmr.Hash) (*Template, error) {
	c.pool.expire(c.now)
	parent, limits := c.top(), c.limits
	var branch []*Block
	before := c.blocks
	if prev != nil && *prev != parent.ID {
		var ok bool
		if branch, ok = c.branch(*prev); !ok {
			return nil, ErrOrphan
		}
		if len(branch) > 0 {
			parent = branch[len(branch)-1]
			before = c.blocks[:branch[0].Height]
		} else {
			parent = c.blocks[c.byID[*prev]]
			before = c.blocks[:parent.Height+1]
		}
		before = append(before[:len(before):len(before)], branch...)
		// What the limits were there is not at hand; the least there can be are always allowed.
		limits = consensus.NewLimits(0, 0)
	}
	t := &Template{Height: parent.Height + 1, SeedHeight: randomx.SeedHeight(parent.Height + 1)}
	t.Seed = c.seed(t.Height, branch)
	t.NextSeed = t.Seed
	if next := randomx.NextSeedHeight(t.Height); next != t.SeedHeight && next < c.height() {
		t.NextSeed = c.blocks[next].ID
	}
	var err error
	if t.Difficulty, err = c.nextDifficulty(before); err != nil {
		return nil, err
	}
	t.Block = &block.Block{
		Major: consensus.VersionAt(c.o.Network, t.Height), Minor: consensus.Version, Prev: parent.ID, Timestamp: c.now,
	}
	if recent := c.recentTimes(); len(recent) == consensus.TimestampWindow {
		t.Block.Timestamp = max(c.now, consensus.Median(recent))
	}
	weight, fees := c.fill(t, limits, parent.Coins, branch, parent != c.top())
	return t, c.pay(t, to, nonce, weight, fees, limits, parent.Coins)
}

// fill takes transactions from the pool while that pays, and returns their weight and fees. For a block aside, which is
// not to follow the top, it leaves out what its branch has already and what is too young there; the rest is known to be
// valid on the main chain only.
// Source: src/cryptonote_core/tx_pool.cpp, fill_block_template.
func (c *Chain) fill(t *Template, limits consensus.Limits, coins uint64, branch []*Block, aside bool) (weight, fees uint64) {
	best := consensus.BaseReward(coins)
	spent := map[xmr.KeyImage]struct{}{}
	for _, b := range branch {
		for _, id := range b.Block.TxHashes {
			if mined := c.find(id); mined != nil {
				spend(spent, mined.Tx)
			}
		}
	}
	for _, p := range c.pool.sorted() {
		if weight+p.Weight+consensus.CoinbaseRoom > limits.Limit {
			continue
		}
		reward, err := consensus.Reward(limits.Median, weight+p.Weight, coins)
		if err != nil {
			continue
		}
		sum, err := xmr.Sum(reward, fees, p.Fee)
		if err != nil || sum < best {
			continue
		}
		if newest, err := c.judgeTx(p.Tx); err != nil || aside && (newest+xmr.SpendableAge > t.Height || !c.unlockedAt(p.Tx.Tx, t.Height)) {
			c.pool.change(p.ID, func(p *PoolTx) {
				p.LastFailedHeight, p.LastFailedID = c.top().Height, c.top().ID
				p.DoubleSpendSeen = p.DoubleSpendSeen || errors.Is(err, consensus.ErrDoubleSpend)
			})
			continue
		}
		if taken(spent, p.Tx.Tx) {
			continue
		}
		spend(spent, p.Tx.Tx)
		t.Block.TxHashes = append(t.Block.TxHashes, p.ID)
		weight += p.Weight
		fees += p.Fee
		best = sum
	}
	t.Reward = best
	return weight, fees
}

// unlockedAt reports whether the outputs that a valid transaction refers to can be spent by a block at height.
func (c *Chain) unlockedAt(t *tx.Transaction, height uint64) bool {
	time := consensus.AdjustedTime(c.now, c.recentTimes())
	for i := range t.Inputs {
		for _, at := range tx.AbsoluteOffsets(t.Inputs[i].KeyOffsets) {
			if !consensus.Unlocked(c.outputs[t.Inputs[i].Amount][at].Unlock, height, time) {
				return false
			}
		}
	}
	return true
}

func spend(spent map[xmr.KeyImage]struct{}, t *tx.Transaction) {
	for i := range t.Inputs {
		spent[t.Inputs[i].KeyImage] = struct{}{}
	}
}

func taken(spent map[xmr.KeyImage]struct{}, t *tx.Transaction) bool {
	for i := range t.Inputs {
		if _, ok := spent[t.Inputs[i].KeyImage]; ok {
			return true
		}
	}
	return false
}

// pay makes the coinbase. Its amount depends on the block's weight and its own weight on the amount's length, so it is
// made until both fit; zeros fill up a coinbase that became shorter.
// Source: src/cryptonote_core/cryptonote_tx_utils.cpp, construct_miner_tx.
func (c *Chain) pay(
	t *Template, to address.Address, nonce []byte, weight, fees uint64, limits consensus.Limits, coins uint64,
) error {
	secret, err := edwards.RandomScalar(c.o.Random)
	if err != nil {
		return err
	}
	t.Key = new(edwards.Point).ScalarBaseMult(secret).Encode()
	derivation, err := edwards.Derive(secret, to.View)
	if err != nil {
		return err
	}
	key, err := derivation.PublicKey(0, to.Spend)
	if err != nil {
		return err
	}
	extra := tx.AppendPublicKey(nil, t.Key)
	if len(nonce) > 0 {
		if extra, err = tx.AppendNonce(extra, nonce); err != nil {
			return err
		}
	}
	total := weight
	for range 10 {
		reward, err := consensus.Reward(limits.Median, total, coins)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrTemplate, err)
		}
		coinbase := tx.Transaction{
			Version: 2, UnlockTime: t.Height + xmr.CoinbaseUnlock,
			Inputs:  []tx.Input{{Coinbase: true, Height: t.Height}},
			Outputs: []tx.Output{{Amount: reward + fees, Key: key, Tagged: true, ViewTag: derivation.ViewTag(0)}},
			Extra:   append([]byte(nil), extra...),
		}
		for weight+coinbase.Weight() < total {
			coinbase.Extra = append(coinbase.Extra, 0)
		}
		if weight+coinbase.Weight() == total {
			t.Block.MinerTx = coinbase
			return nil
		}
		total = weight + coinbase.Weight()
	}
	return fmt.Errorf("%w: the coinbase's length does not settle", ErrTemplate)
}
