package chain

import (
	"errors"
	"fmt"

	"glim/core/internal/codec/wire"
)

// PruningSeed returns the number set by SetPruningSeed, 0 if none.
func (v View) PruningSeed() uint32 { return v.c.pruning }

// SetPruningSeed stores the number that selects which blocks a pruned node keeps, for a node that was asked to prune.
// The chain keeps all blocks. The error is ErrNotStored.
func (c *Chain) SetPruningSeed(seed uint32) error {
	defer c.lock()()
	if c.o.Store != nil {
		if err := c.o.Store.Commit([]Record{pruningRecord(seed)}, nil); err != nil {
			return fmt.Errorf("%w: %w", ErrNotStored, err)
		}
	}
	c.pruning = seed
	return nil
}

func pruningRecord(seed uint32) Record {
	return seal([]byte{recordPruning}, wire.AppendVarint(make([]byte, sumSize), uint64(seed)))
}

// readPruning reads the record of SetPruningSeed.
func (c *Chain) readPruning(key, value []byte) error {
	r := wire.NewReader(value)
	seed := r.Varint()
	if err := r.Close(); err != nil || len(key) != 1 || seed > 1<<32-1 {
		return errors.Join(fmt.Errorf("%w: record %x", ErrStored, key), err)
	}
	c.pruning = uint32(seed)
	return nil
}
