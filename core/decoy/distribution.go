// Package decoy chooses ring members exactly as the reference wallet does, so that nobody can tell the two apart.
package decoy

import (
	"errors"
	"sort"

	"glim/core/xmr"
)

// Errors about what a daemon said of the chain's outputs. Nothing was revealed or spent; another daemon may do better.
var (
	ErrDistribution = errors.New("decoy: the daemon's output distribution is not one a chain can have; choose another daemon")
	ErrShort        = errors.New("decoy: the chain has too few blocks with RingCT outputs; wait for more")
	ErrNoOutputs    = errors.New("decoy: the chain has no usable RingCT outputs; wait for more")
)

// maxOutputs is the count up to which a float64 tells neighbouring outputs apart.
const maxOutputs = 1 << 53

// Distribution is the count of RingCT outputs up to and including each block, from one height on. Global indices number
// those outputs in the order of the chain.
type Distribution struct {
	start      uint64
	cumulative []uint64
}

// NewDistribution checks cumulative counts of the blocks from height start on and keeps the slice, which must not change
// afterwards. ErrShort when there are no more than ten blocks; ErrDistribution when a count falls, or when start or a
// count is beyond reason.
//
// What a lying daemon can still do is shift outputs between blocks: CheckOutput and CheckHeight compare with what the wallet
// knows itself.
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

// Start returns the height of the first block counted.
func (d *Distribution) Start() uint64 { return d.start }

// Height returns the height of the block after the last one counted: the chain's block count, when nothing is missing.
func (d *Distribution) Height() uint64 { return d.start + uint64(len(d.cumulative)) }

// Total returns the number of outputs counted, those still locked included.
func (d *Distribution) Total() uint64 { return d.cumulative[len(d.cumulative)-1] }

// CheckHeight returns ErrDistribution unless the distribution ends within slack blocks of a chain of height blocks.
// A distribution cut short would age every decoy.
func (d *Distribution) CheckHeight(height, slack uint64) error {
	if max(height, d.Height())-min(height, d.Height()) > slack {
		return ErrDistribution
	}
	return nil
}

// UpTo returns the distribution without the blocks from height on, or all of it. ErrShort when no more than ten blocks are left.
func (d *Distribution) UpTo(height uint64) (*Distribution, error) {
	if height >= d.Height() {
		return d, nil
	}
	return NewDistribution(d.start, d.cumulative[:max(height, d.start)-d.start])
}

// CheckTotal returns ErrDistribution unless there are total outputs up to and including the block at height, or no more than total when
// that block is not counted.
func (d *Distribution) CheckTotal(height, total uint64) error {
	if height < d.start || height >= d.Height() && d.Total() <= total || height < d.Height() && d.cumulative[height-d.start] == total {
		return nil
	}
	return ErrDistribution
}

// CheckOutput returns ErrDistribution unless the output of global index was created in the block at height.
func (d *Distribution) CheckOutput(index, height uint64) error {
	b := sort.Search(len(d.cumulative), func(i int) bool { return d.cumulative[i] > index })
	if b == len(d.cumulative) || d.start+uint64(b) != height {
		return ErrDistribution
	}
	return nil
}
