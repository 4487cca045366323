// Package decoy chooses ring members exactly as the reference wallet does, so that its rings do not identify glim.
package decoy

import (
	"errors"
	"sort"

	"glim/core/xmr"
)

// Errors about a daemon's answers. Nothing was revealed or spent; another daemon may answer correctly.
var (
	ErrDistribution = errors.New("decoy: the daemon's output distribution is not that of a chain; choose " +
		"another daemon")
	ErrShort     = errors.New("decoy: the chain has too few blocks with RingCT outputs; wait for more")
	ErrNoOutputs = errors.New("decoy: the chain has no usable RingCT outputs; wait for more")
)

// maxOutputs is the largest count for which a float64 is exact.
const maxOutputs = 1 << 53

// Distribution is the cumulative number of RingCT outputs per block, from one height on. Global indices number those
// outputs in chain order.
type Distribution struct {
	start      uint64
	cumulative []uint64
}

// NewDistribution checks the cumulative counts of the blocks from height start on and keeps the slice, which must not
// change afterwards. It returns ErrShort for ten blocks or fewer, and ErrDistribution if a count decreases, or if start
// or a count is out of range.
//
// A malicious daemon can still shift outputs between blocks: CheckOutput and CheckHeight compare with the wallet's own
// data.
func NewDistribution(start uint64, cumulative []uint64) (*Distribution, error) {
	if len(cumulative) <= xmr.SpendableAge {
		return nil, ErrShort
	}
	if start >= xmr.MaxHeightUnlock || cumulative[len(cumulative)-1] >= maxOutputs {
		return nil, ErrDistribution
	}
	var last uint64
	for _, c := range cumulative {
		if c < last {
			return nil, ErrDistribution
		}
		last = c
	}
	return &Distribution{start, cumulative}, nil
}

// Start returns the height of the first block in the distribution.
func (d *Distribution) Start() uint64 { return d.start }

// Height returns the height after the last block in the distribution: the chain's block count if it is complete.
func (d *Distribution) Height() uint64 { return d.start + uint64(len(d.cumulative)) }

// Total returns the number of outputs, locked ones included.
func (d *Distribution) Total() uint64 { return d.cumulative[len(d.cumulative)-1] }

// CheckHeight returns ErrDistribution unless the distribution ends within slack blocks of a chain of height blocks. A
// truncated distribution would make every decoy too old.
func (d *Distribution) CheckHeight(height, slack uint64) error {
	if max(height, d.Height())-min(height, d.Height()) > slack {
		return ErrDistribution
	}
	return nil
}

// UpTo returns the distribution of the blocks below height. It returns ErrShort if ten blocks or fewer are left.
func (d *Distribution) UpTo(height uint64) (*Distribution, error) {
	if height >= d.Height() {
		return d, nil
	}
	return NewDistribution(d.start, d.cumulative[:max(height, d.start)-d.start])
}

// CheckTotal returns ErrDistribution unless the count up to and including the block at height is total, or, if the
// distribution ends before that block, at most total. It accepts any total for a height below Start.
func (d *Distribution) CheckTotal(height, total uint64) error {
	if height < d.start || height >= d.Height() && d.Total() <= total ||
		height < d.Height() && d.cumulative[height-d.start] == total {
		return nil
	}
	return ErrDistribution
}

// CheckOutput returns ErrDistribution unless the output with this global index was created in the block at height.
func (d *Distribution) CheckOutput(index, height uint64) error {
	b := sort.Search(len(d.cumulative), func(i int) bool { return d.cumulative[i] > index })
	if b == len(d.cumulative) || d.start+uint64(b) != height {
		return ErrDistribution
	}
	return nil
}
