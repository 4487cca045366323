package fee

import "glim/core/xmr"

// Ceiling is the most a daemon can make a wallet pay. The zero value allows nothing: obtain one from CeilingFor.
type Ceiling struct{ perByte Levels }

// CeilingFor returns the ceiling of a network: the reference's own formula where it is largest, at the smallest medians
// and the largest reward. On mainnet that reward is the tail emission's, known for good, so that the ceiling is what an
// uncongested mainnet charges: 20000, 80000, 320000 and 4000000 atomic units a byte. The other networks are bounded by
// the first reward of a chain, whose coins are worth nothing.
func CeilingFor(network xmr.Network) Ceiling {
	reward := FirstReward
	if network == xmr.Mainnet {
		reward = TailReward
	}
	return Ceiling{Compute(reward, minMedian, minMedian)}
}

// PerByte returns the largest fees per byte of weight, in atomic units.
func (c Ceiling) PerByte() Levels { return c.perByte }

// Check returns a *TooHighError when fee is more than a transaction of weight bytes can need at priority p, or more than
// one of MaxWeight could need, however heavy this one claims to be. It is meant for every fee before a signature, whoever
// computed it; where the priority is unknown, as in a transaction prepared elsewhere, p is Fastest.
func (c Ceiling) Check(fee uint64, p Priority, weight uint64) error {
	limit, err := FromWeight(c.perByte[p.level()], min(weight, MaxWeight), Quantum)
	if err != nil {
		return err
	}
	if fee > limit {
		return &TooHighError{Asked: fee, Limit: limit}
	}
	return nil
}
