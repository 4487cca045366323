package chain

import (
	"errors"
	"fmt"

	"glim/core/address"
	"glim/core/block"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// ErrTemplate reports that no block could be made.
var ErrTemplate = errors.New("chain: no block template")

// Template is a block that needs only its proof of work.
type Template struct {
	Block      *block.Block
	Height     uint64 // index
	Difficulty consensus.Difficulty
	Reward     uint64 // atomic units, fees included, for a coinbase of weight 0
	Weight     uint64 // bytes, coinbase included
	SeedHeight uint64
	Seed       xmr.Hash
	NextSeed   xmr.Hash // differs from Seed only if the next seed is known
	Key        xmr.PublicKey
}

// NewTemplate returns a block on top of block prev, or of the main chain if prev is nil, with transactions of the pool
// and the reward for address to, which must not be a subaddress. nonce, at most 255 bytes, is added to the coinbase's
// extra. NewTemplate returns ErrOrphan, ErrTemplate, consensus.ErrDifficulty, or the error of Options.Random.
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
		// The limits at that block are unknown. The lowest possible ones are always valid.
		limits = c.rulesAt(parent.Height+1).Limits(0, 0)
	}
	t := &Template{Height: parent.Height + 1, SeedHeight: c.epochs().SeedHeight(parent.Height + 1)}
	t.Seed = c.seed(t.Height, branch)
	t.NextSeed = t.Seed
	if next := c.epochs().NextSeedHeight(t.Height); next != t.SeedHeight && next < c.height() {
		t.NextSeed = c.blocks[next].ID
	}
	var err error
	if t.Difficulty, err = c.nextDifficulty(before); err != nil {
		return nil, err
	}
	t.Block = &block.Block{
		Major: c.o.Forks.VersionAt(t.Height), Minor: max(consensus.Version, c.o.Forks.Last()), Prev: parent.ID,
		Timestamp: c.now,
	}
	if c.rulesAt(t.Height).HasTree() {
		if t.Block.Tree, err = c.treeAfter(parent.Height, branch); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTemplate, err)
		}
	}
	if recent := c.recentTimes(); len(recent) == consensus.TimestampWindow {
		t.Block.Timestamp = max(c.now, consensus.Median(recent))
	}
	weight, fees := c.fill(t, limits, parent.Coins, branch, parent != c.top())
	err = c.pay(t, to, nonce, weight, fees, limits, parent.Coins)
	t.Weight = weight + t.Block.MinerTx.Weight()
	return t, err
}

// fill takes transactions from the pool while they raise the reward, and returns their weight and fees. If alternative
// is set, the block does not follow the top. fill then leaves out transactions that the branch has, and those with
// ring members that are too young there, or whose tree may differ; everything else is validated against the main chain
// only.
// Source: src/cryptonote_core/tx_pool.cpp, fill_block_template.
func (c *Chain) fill(
	t *Template, limits consensus.Limits, coins uint64, branch []*Block, alternative bool,
) (weight, fees uint64) {
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
		if weight+p.Weight+consensus.CoinbaseReserved > limits.Limit {
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
		newest, err := c.validateTx(p.Tx, c.now)
		if err != nil || alternative && !c.fits(p.Tx, newest, t.Height, branch) {
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

// unlockedAt reports whether all ring members of a valid transaction are unlocked for a block at height.
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

// spend adds the key images of t to spent.
func spend(spent map[xmr.KeyImage]struct{}, t *tx.Transaction) {
	for i := range t.Inputs {
		spent[t.Inputs[i].KeyImage] = struct{}{}
	}
}

// taken reports whether spent has a key image of t.
func taken(spent map[xmr.KeyImage]struct{}, t *tx.Transaction) bool {
	for i := range t.Inputs {
		if _, ok := spent[t.Inputs[i].KeyImage]; ok {
			return true
		}
	}
	return false
}

// pay makes the coinbase. Its amount depends on its weight, and its weight on the length of the amount, so pay repeats
// until both match. Zeros in extra fill a coinbase that has become shorter.
// Source: src/cryptonote_core/cryptonote_tx_utils.cpp, construct_miner_tx.
func (c *Chain) pay(
	t *Template, to address.Address, nonce []byte, weight, fees uint64, limits consensus.Limits, coins uint64,
) error {
	miner, err := c.miner(t.Height, to)
	if err != nil {
		return err
	}
	total := weight
	for range 10 {
		reward, err := consensus.Reward(limits.Median, total, coins)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrTemplate, err)
		}
		coinbase := tx.Transaction{
			Version: 2, UnlockTime: t.Height + xmr.CoinbaseUnlock,
			Inputs: []tx.Input{{Coinbase: true, Height: t.Height}},
		}
		if t.Key, err = miner(&coinbase, reward+fees, nonce); err != nil {
			return err
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
	return fmt.Errorf("%w: the length of the coinbase does not converge", ErrTemplate)
}

// miner returns a function that adds the output with a reward and extra to a coinbase, and returns the public key that
// extra begins with. The output pays an address in the block at height.
func (c *Chain) miner(height uint64, to address.Address) (
	pay func(coinbase *tx.Transaction, reward uint64, nonce []byte) (xmr.PublicKey, error), err error,
) {
	if c.rulesAt(height).HasTree() {
		return c.o.Next.Miner(c.o.Random, to, height)
	}
	secret, err := edwards.RandomScalar(c.o.Random)
	if err != nil {
		return nil, err
	}
	public := new(edwards.Point).ScalarBaseMult(secret).Encode()
	derivation, err := edwards.Derive(secret, to.View)
	if err != nil {
		return nil, err
	}
	key, err := derivation.PublicKey(0, to.Spend)
	if err != nil {
		return nil, err
	}
	return func(coinbase *tx.Transaction, reward uint64, nonce []byte) (xmr.PublicKey, error) {
		coinbase.Outputs = []tx.Output{{Amount: reward, Key: key, Tagged: true, ViewTag: derivation.ViewTag(0)}}
		coinbase.Extra = tx.AppendPublicKey(nil, public)
		if len(nonce) > 0 {
			coinbase.Extra, err = tx.AppendNonce(coinbase.Extra, nonce)
		}
		return public, err
	}, nil
}
