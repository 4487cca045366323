package chain

import (
	"fmt"

	"glim/core/block"
)

// Store keeps the blocks of a main chain, each with its transactions, durable when a method returns. Heights are
// indices; the first block is not stored. Methods are called one at a time.
type Store interface {
	// Load hands every block to visit in order and passes its error on.
	Load(visit func(block []byte, txs [][]byte) error) error
	// Append adds the block at height, which is the one after the last.
	Append(height uint64, block []byte, txs [][]byte) error
	// Truncate drops the block at height, the last.
	Truncate(height uint64) error
}

// nowhere keeps nothing.
type nowhere struct{}

func (nowhere) Load(func([]byte, [][]byte) error) error { return nil }
func (nowhere) Append(uint64, []byte, [][]byte) error   { return nil }
func (nowhere) Truncate(uint64) error                   { return nil }

// load grows the chain from its store.
func (c *Chain) load() error {
	return c.o.Store.Load(func(blob []byte, txs [][]byte) error {
		parsed, err := block.Parse(blob)
		if err != nil {
			return fmt.Errorf("%w: block %d: %w", ErrStored, c.height(), err)
		}
		b, err := newBlock(parsed, blob)
		if err != nil || parsed.Prev != c.top().ID || parsed.Height() != c.height() || len(txs) != len(parsed.TxHashes) {
			return fmt.Errorf("%w: block %d does not fit", ErrStored, c.height())
		}
		b.Txs = make([]*Tx, 0, len(txs))
		for i := range txs {
			t, err := newTx(txs[i])
			if err != nil || t.ID != parsed.TxHashes[i] {
				return fmt.Errorf("%w: transaction %d of block %d does not fit", ErrStored, i, c.height())
			}
			b.Txs = append(b.Txs, t)
		}
		if b.Difficulty, err = c.nextDifficulty(c.blocks); err != nil {
			return err
		}
		c.measure(b)
		c.apply(b)
		return nil
	})
}
