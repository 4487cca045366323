package chain

import (
	"encoding/hex"
	"fmt"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/tx"
	"glim/core/xmr"
)

// Genesis coinbases and nonces. Source: src/cryptonote_config.h, GENESIS_TX and GENESIS_NONCE.
const (
	firstTx = "013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd088071210177" +
		"67aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1"
	firstTxStagenet = "013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f21" +
		"01168d0c4ca86fb55a4cf6a36d31431be1c53a3bd7411bb24e8832410289fa6f3b"
)

// begin adds the genesis block. Source: src/cryptonote_core/cryptonote_tx_utils.cpp, generate_genesis_block.
func (c *Chain) begin() error {
	text, nonce := firstTx, uint32(10000)
	switch c.o.Network {
	case xmr.Testnet:
		nonce = 10001
	case xmr.Stagenet:
		text, nonce = firstTxStagenet, 10002
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return err
	}
	coinbase, err := tx.Parse(raw)
	if err != nil {
		return err
	}
	first := &block.Block{Major: 1, Nonce: nonce, MinerTx: *coinbase}
	b, err := newBlock(first, first.Append(nil))
	if err != nil {
		return err
	}
	if b.ID != c.o.Network.GenesisHash() {
		return fmt.Errorf("%w: genesis block %s", ErrStored, b.ID)
	}
	b.Weight = first.MinerTx.Weight()
	b.LongTerm, b.Coins = b.Weight, b.Reward()
	b.Difficulty = consensus.Difficulty{Lo: 1}
	b.Cumulative = b.Difficulty
	c.apply(b)
	return nil
}

// newBlock returns a block with its IDs, or an error of package block.
func newBlock(parsed *block.Block, blob []byte) (*Block, error) {
	id, err := parsed.Hash()
	if err != nil {
		return nil, err
	}
	coinbase, err := parsed.MinerTx.Hash()
	if err != nil {
		return nil, err
	}
	return &Block{ID: id, Block: parsed, Blob: blob, CoinbaseID: coinbase, Height: parsed.Height()}, nil
}

// measure sets the values of b that follow from the chain and from the block's transactions and difficulty.
func (c *Chain) measure(b *Block) {
	prev := c.top()
	b.Height = c.height()
	b.Weight = b.Block.MinerTx.Weight()
	var fees uint64
	for _, t := range b.Txs {
		b.Weight += t.Weight
		fees += t.Fee
	}
	b.LongTerm = c.rulesAt(b.Height).LongTermWeight(c.limits, b.Weight)
	b.Cumulative = prev.Cumulative.Add(b.Difficulty)
	b.Coins = consensus.AddCoins(prev.Coins, b.Reward()-fees)
}

// apply makes a measured block the top. It cannot fail. revert undoes it.
func (c *Chain) apply(b *Block) {
	b.Indices = make([][]uint64, 0, 1+len(b.Txs))
	c.addTx(b, b.CoinbaseID, &b.Block.MinerTx)
	for _, t := range b.Txs {
		c.addTx(b, t.ID, t.Tx)
	}
	b.RingCT = uint64(len(c.outputs[0]))
	b.TxCount = uint64(len(c.txs))
	c.byID[b.ID] = b.Height
	c.blocks = append(c.blocks, b)
	c.size += b.size()
	c.long.Add(b.LongTerm)
	if n := c.height(); n > consensus.LongWindow {
		c.long.Remove(c.blocks[n-1-consensus.LongWindow].LongTerm)
	}
	c.limit()
}

// size returns the length of the block and its transactions in bytes.
func (b *Block) size() uint64 {
	n := len(b.Blob)
	for _, t := range b.Txs {
		n += len(t.Blob)
	}
	return uint64(n)
}

func (c *Chain) addTx(b *Block, id xmr.Hash, t *tx.Transaction) {
	indices := make([]uint64, len(t.Outputs))
	for i := range t.Outputs {
		amount := t.Outputs[i].Amount
		out := Output{Key: t.Outputs[i].Key, Unlock: t.UnlockTime, Height: b.Height, TxID: id}
		if t.RingCT.Commitments != nil {
			out.Commitment = t.RingCT.Commitments[i]
		} else {
			out.Commitment = openCommitment(amount)
		}
		if t.Version >= 2 {
			amount = 0
		}
		indices[i] = uint64(len(c.outputs[amount]))
		c.outputs[amount] = append(c.outputs[amount], out)
	}
	for i := range t.Inputs {
		if !t.Inputs[i].Coinbase {
			c.images[t.Inputs[i].KeyImage] = struct{}{}
		}
	}
	c.txs[id] = TxLocation{b.Height, uint64(len(b.Indices))}
	b.Indices = append(b.Indices, indices)
}

// revert removes the top block, which must not be the genesis block, and returns it.
func (c *Chain) revert() *Block {
	b := c.top()
	n := c.height()
	c.long.Remove(b.LongTerm)
	if n > consensus.LongWindow {
		c.long.Add(c.blocks[n-1-consensus.LongWindow].LongTerm)
	}
	c.blocks[n-1] = nil
	c.blocks = c.blocks[:n-1]
	c.tree.cut(b)
	c.size -= b.size()
	delete(c.byID, b.ID)
	for i := len(b.Txs) - 1; i >= 0; i-- {
		c.removeTx(b.Txs[i].ID, b.Txs[i].Tx)
	}
	c.removeTx(b.CoinbaseID, &b.Block.MinerTx)
	c.limit()
	return b
}

func (c *Chain) removeTx(id xmr.Hash, t *tx.Transaction) {
	for i := len(t.Outputs) - 1; i >= 0; i-- {
		amount := t.Outputs[i].Amount
		if t.Version >= 2 {
			amount = 0
		}
		list := c.outputs[amount]
		if len(list) == 1 {
			delete(c.outputs, amount)
			continue
		}
		list[len(list)-1] = Output{}
		c.outputs[amount] = list[:len(list)-1]
	}
	for i := range t.Inputs {
		delete(c.images, t.Inputs[i].KeyImage)
	}
	delete(c.txs, id)
}

// limit updates the weight limits of the next block.
func (c *Chain) limit() {
	short := consensus.Median(c.recentWeights(consensus.ShortWindow))
	c.limits = c.rulesAt(c.height()).Limits(c.long.Median(), short)
}

// recentWeights returns the weights of the last n blocks in bytes, oldest first, or of all blocks if there are fewer.
func (c *Chain) recentWeights(n uint64) []uint64 {
	list := c.blocks[c.height()-min(n, c.height()):]
	weights := make([]uint64, len(list))
	for i, b := range list {
		weights[i] = b.Weight
	}
	return weights
}

// recentTimes returns the timestamps of the last consensus.TimestampWindow blocks, oldest first, or of all if there
// are fewer.
func (c *Chain) recentTimes() []uint64 {
	list := c.blocks[c.height()-min(consensus.TimestampWindow, c.height()):]
	times := make([]uint64, len(list))
	for i, b := range list {
		times[i] = b.Block.Timestamp
	}
	return times
}

// nextDifficulty returns the difficulty of the block after the given ones, which may start with the genesis block or
// later.
// Source: src/cryptonote_core/blockchain.cpp, get_difficulty_for_next_block.
func (c *Chain) nextDifficulty(blocks []*Block) (consensus.Difficulty, error) {
	if c.o.FixedDifficulty > 0 {
		return consensus.Difficulty{Lo: c.o.FixedDifficulty}, nil
	}
	blocks = blocks[max(len(blocks)-consensus.DifficultyBlocks, 0):]
	if len(blocks) > 0 && blocks[0].Height == 0 {
		blocks = blocks[1:]
	}
	times := make([]uint64, len(blocks))
	sums := make([]consensus.Difficulty, len(blocks))
	for i, b := range blocks {
		times[i], sums[i] = b.Block.Timestamp, b.Cumulative
	}
	return consensus.NextDifficulty(times, sums, xmr.TargetSeconds)
}
