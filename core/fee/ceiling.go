package fee

import "glim/core/xmr"

// Ceiling is the highest fee that a daemon can make a wallet pay. Obtain one from CeilingFor; the zero value allows
// nothing.
type Ceiling struct {
	perByte  Levels
	heaviest uint64 // bytes
	higher   int    // number of levels that daemons return, and that no priority pays
}

// CeilingFor returns the ceiling of a network: the maximum of the reference's formula, at the smallest medians and the
// largest reward. On mainnet that reward is the tail emission, so the ceiling is the fee of an uncongested mainnet:
// 20000, 80000, 320000 and 4000000 atomic units per byte. Other networks use the first reward of a chain; their coins
// have no value.
func CeilingFor(network xmr.Network) Ceiling {
	reward := FirstReward
	if network == xmr.Mainnet {
		reward = TailReward
	}
	return Ceiling{perByte: Compute(reward, minMedian, minMedian), heaviest: MaxWeight}
}

// NextCeiling returns the ceiling for transactions of the next hard fork, of at most heaviest bytes. perByte are the
// largest fees that its rules ask for, in atomic units. Daemons return a fifth level there, which no priority pays.
// Source: src/wallet/wallet2.cpp of the beta, get_base_fee.
func NextCeiling(perByte Levels, heaviest uint64) Ceiling { return Ceiling{perByte, heaviest, 1} }

// PerByte returns the largest fees per byte of weight, in atomic units.
func (c Ceiling) PerByte() Levels { return c.perByte }

// Check returns a *TooHighError if fee is more than a transaction of weight bytes needs at priority p, or more than one
// of MaxWeight needs, or of the largest weight of NextCeiling. Every fee is checked before signing, wherever it was
// computed. Where the priority is unknown, as in a transaction prepared by another wallet, p is Fastest.
func (c Ceiling) Check(fee uint64, p Priority, weight uint64) error {
	limit, err := FromWeight(c.perByte[p.level()], min(weight, c.heaviest), Quantum)
	if err != nil {
		return err
	}
	if fee > limit {
		return &TooHighError{Asked: fee, Limit: limit}
	}
	return nil
}
