// Package chaintest makes synthetic chains for tests. Tests specify what the transactions of each block pay and spend,
// valid or not. There are no proofs and no proof of work. Everything is derived from a seed, so failures can be
// reproduced.
package chaintest

import (
	"slices"

	"glim/core/crypto/keccak"
	"glim/core/fcmptx"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// Chain is a chain of blocks. Blocks must not be modified, because branches share them.
type Chain struct {
	Random *Random
	Blocks []syncer.Block
	Made   [][]MadeOutput // outputs of each block, in the order of the chain

	// CarrotFrom is the index of the first block of the next hard fork; 0 without such blocks.
	CarrotFrom uint64

	globals map[uint64]uint64 // number of outputs by amount, 0 for RingCT
}

// StartTime is the genesis block's timestamp; every block is two minutes later.
const StartTime = 1_600_000_000

// New returns a chain that consists of the genesis block of network n, without outputs.
func New(seed string, n xmr.Network) *Chain {
	c := &Chain{Random: NewRandom(seed), globals: map[uint64]uint64{}}
	c.push(syncer.Block{Hash: n.GenesisHash(), Version: 16, Timestamp: StartTime}, nil)
	return c
}

func (c *Chain) push(b syncer.Block, made []MadeOutput) {
	c.Blocks = append(c.Blocks, b)
	c.Made = append(c.Made, made)
}

// Height returns the number of blocks.
func (c *Chain) Height() uint64 { return uint64(len(c.Blocks)) }

// Fork returns a branch that shares the first height blocks with c. seed determines the random data of its other
// blocks.
func (c *Chain) Fork(seed string, height uint64) *Chain {
	f := &Chain{Random: NewRandom(seed), globals: map[uint64]uint64{},
		Blocks: slices.Clone(c.Blocks[:height]), Made: slices.Clone(c.Made[:height]), CarrotFrom: c.CarrotFrom}
	for i := range f.Blocks {
		for _, t := range f.Blocks[i].Txs {
			f.number(&t)
		}
	}
	return f
}

// number assigns the next global indices to t.
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

// Add appends a block with these transactions, whose reward goes to an unknown address. It returns the outputs without
// the reward.
func (c *Chain) Add(specs ...Spec) []MadeOutput {
	return c.Mine(Spec{Pay: []Payment{{Amount: 600_000_000_000}}}, specs...)
}

// Mine appends a block with these transactions, whose coinbase is miner. It returns all outputs, those of the coinbase
// first.
func (c *Chain) Mine(miner Spec, specs ...Spec) []MadeOutput {
	height := c.Height()
	prev := c.Blocks[height-1]
	b := syncer.Block{
		Height: height, Prev: prev.Hash, Version: c.version(), Timestamp: prev.Timestamp + xmr.TargetSeconds,
	}
	b.Hash = keccak.Sum256(prev.Hash[:], c.seal())
	miner.UnlockTime = max(miner.UnlockTime, height+xmr.CoinbaseUnlock)
	var all []MadeOutput
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

// version returns the version of the next block.
func (c *Chain) version() uint8 {
	if c.CarrotFrom > 0 && c.Height() >= c.CarrotFrom {
		return fcmptx.Default.BlockVersion
	}
	return 16
}

func (c *Chain) seal() []byte {
	b := c.Random.Bytes32()
	return b[:]
}

// Include appends a block with existing transactions, such as those of a pool.
func (c *Chain) Include(txs ...syncer.Tx) {
	c.Add()
	b := &c.Blocks[len(c.Blocks)-1]
	for _, t := range txs {
		c.number(&t)
		b.Txs = append(b.Txs, t)
	}
}

// Tx makes a transaction without adding it to a block. If coinbase is not nil, it is the coinbase of the block at that
// height.
func (c *Chain) Tx(s Spec, coinbase *uint64) (syncer.Tx, []MadeOutput) {
	if c.version() >= fcmptx.Default.BlockVersion {
		return c.Random.carrot(s, coinbase)
	}
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

// ring adds the output that in spends to its ring, if the output is in the chain.
func (c *Chain) ring(in *tx.Input) {
	for height, made := range c.Made {
		for _, m := range made {
			if in.Coinbase || m.Flaw != NoFlaw || m.Image != in.KeyImage {
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

// Batches splits the blocks from index from on into batches of the given sizes, which repeat.
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
