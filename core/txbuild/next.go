package txbuild

import "math"

// Weigher returns the weight in bytes of a transaction of the next hard fork with so many inputs and outputs;
// math.MaxUint64 if it must not have as many. One of the outputs is change, if need be of zero.
type Weigher func(inputs, outputs int) uint64

// full reports whether a transaction must not have more than so many inputs.
func (w Weigher) full(inputs, outputs int) bool { return w(inputs+1, outputs) == math.MaxUint64 }

// Settled returns p with the amounts that its destinations get with its fee, which is exact after the next hard fork:
// there weights follow from the numbers of inputs and outputs. It returns ErrNotPossible if too little remains.
func (p Plan) Settled() (Plan, error) {
	settled, err := p.paying(p.Fee)
	settled.Subtract, settled.Sweep = nil, false
	return settled, err
}
