// Package chaintest makes chains for tests out of nothing: blocks whose transactions pay and spend as told, well-formed
// or not, without proofs or work. Everything follows from a seed, so that a failure repeats.
package chaintest

import (
	"slices"

	"glim/core/crypto/keccak"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// Chain is one branch. Blocks and what they hold must not be changed, for branches share them.
type Chain struct {
	Random *Random
	Blocks []syncer.Block
	Made   [][]Made // outputs of each block, in chain order

	globals map[uint64]uint64 // number of outputs by amount; RingCT outputs count as amount 0
}

// StartTime is the genesis block's timestamp; every block is two minutes later.
const StartTime = 1_600_000_000

// New returns the chain of one block, the genesis of network n, which pays nobody.
func New(seed string, n xmr.Network) *Chain {
	c := &Chain{Random: NewRandom(seed), globals: map[uint64]uint64{}}
	c.push(syncer.Block{Hash: n.GenesisHash(), Version: 16, Timestamp: StartTime}, nil)
	return c
}

func (c *Chain) push(b syncer.Block, made []Made) {
	c.Blocks = append(c.Blocks, b)
	c.Made = append(c.Made, made)
}

// Height returns the number of blocks.
func (c *Chain) Height() uint64 { return uint64(len(c.Blocks)) }

// Fork returns a branch that shares the first height blocks with c and goes its own way from there.
func (c *Chain) Fork(seed string, height uint64) *Chain {
	f := &Chain{Random: NewRandom(seed), globals: map[uint64]uint64{},
		Blocks: slices.Clone(c.Blocks[:height]), Made: slices.Clone(c.Made[:height])}
	for i := range f.Blocks {
		for _, t := range f.Blocks[i].Txs {
			f.number(&t)
		}
	}
	return f
}

// number gives t the global indices that come next.
func (c *Chain) number(t *syncer.Tx) {
	t.Indices = make([]uint64, len(t.Tx.Outputs))
	for i := range t.Tx.Outputs {
		amount := t.Tx.Outputs[i].Amount
		if t.Tx.Version >= 2 {
			amount = 0
		}
		t.Indices[i] = c.globals[amount]
		c.globals[amount]++
	}
}

// Add appends a block whose miner is a stranger, with these transactions, and returns what it made besides the reward.
func (c *Chain) Add(specs ...Spec) []Made {
	return c.Mine(Spec{Pay: []Payment{{Amount: 600_000_000_000}}}, specs...)
}

// Mine appends a block whose reward goes where miner says, with these transactions. It returns all outputs, the
// miner's first.
func (c *Chain) Mine(miner Spec, specs ...Spec) []Made {
	height := c.Height()
	prev := c.Blocks[height-1]
	b := syncer.Block{Height: height, Prev: prev.Hash, Version: 16, Timestamp: prev.Timestamp + xmr.TargetSeconds}
	b.Hash = keccak.Sum256(prev.Hash[:], c.seal())
	miner.UnlockTime = max(miner.UnlockTime, height+xmr.CoinbaseUnlock)
	var all []Made
	for i, s := range append([]Spec{miner}, specs...) {
		var at *uint64
		if i == 0 {
			at = &height
		}
		t, made := c.Tx(s, at)
		c.number(&t)
		b.Txs = append(b.Txs, t)
		all = append(all, made...)
	}
	c.push(b, all)
	return all
}

func (c *Chain) seal() []byte {
	b := c.Random.Bytes32()
	return b[:]
}

// Include appends a block with transactions made before, such as those of a pool.
func (c *Chain) Include(txs ...syncer.Tx) {
	c.Add()
	b := &c.Blocks[len(c.Blocks)-1]
	for _, t := range txs {
		c.number(&t)
		b.Txs = append(b.Txs, t)
	}
}

// Tx makes a transaction on no block; with a height, that block's coinbase.
func (c *Chain) Tx(s Spec, coinbase *uint64) (syncer.Tx, []Made) {
	t, made := c.Random.make(s, coinbase)
	for i := range t.Inputs {
		c.ring(&t.Inputs[i])
	}
	id := xmr.Hash(c.Random.Bytes32())
	for i := range made {
		made[i].TxID = id
	}
	return syncer.Tx{ID: id, Tx: t}, made
}

// ring puts the output that in spends into its ring, when it is on the chain.
func (c *Chain) ring(in *tx.Input) {
	for height, made := range c.Made {
		for _, m := range made {
			if in.Coinbase || m.Flaw != Sound || m.Image != in.KeyImage {
				continue
			}
			for _, t := range c.Blocks[height].Txs {
				if t.ID != m.TxID {
					continue
				}
				if t.Tx.Version == 1 {
					in.Amount = t.Tx.Outputs[m.Index].Amount
				}
				in.KeyOffsets[0] = t.Indices[m.Index]
				return
			}
		}
	}
}

// Grow appends n blocks without transactions.
func (c *Chain) Grow(n int) {
	for range n {
		c.Add()
	}
}

// Batches cuts the blocks from index from on into runs of the given sizes, over and over.
func (c *Chain) Batches(from uint64, sizes ...int) [][]syncer.Block {
	var out [][]syncer.Block
	rest := c.Blocks[from:]
	for i := 0; len(rest) > 0; i++ {
		n := min(sizes[i%len(sizes)], len(rest))
		out = append(out, rest[:n])
		rest = rest[n:]
	}
	return out
}
