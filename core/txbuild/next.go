package txbuild

import (
	"math"

	"glim/core/address"
	"glim/core/fee"
	"glim/core/xmr"
)

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

// weight returns the weight of a transaction that sweeps, and whether no input may be added.
func (w *Sweep) weight(inputs int) (weight uint64, full bool) {
	if w.Weigh != nil {
		return w.Weigh(inputs, w.Outputs+1), w.Weigh.full(inputs, w.Outputs+1)
	}
	weight = w.ringWeight(inputs, w.Outputs)
	return weight, weight >= fee.TargetWeight
}

// inputWeight returns how much an input adds to a transaction's weight.
func (w *Sweep) inputWeight() uint64 {
	if w.Weigh != nil {
		return w.Weigh(2, 2) - w.Weigh(1, 2)
	}
	return w.ringWeight(2, 2) - w.ringWeight(1, 2)
}

func (w *Sweep) ringWeight(inputs, outputs int) uint64 {
	id := 0
	if w.To.Address.Kind == address.Integrated {
		id = 11
	}
	return fee.Shape{Inputs: inputs, RingSize: xmr.RingSize, Outputs: max(outputs, 2), Extra: id}.Weight()
}
