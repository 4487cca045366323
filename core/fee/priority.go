package fee

import "math/bits"

// Priority is the fee priority as numbered by the RPC. Values above Fastest count as Fastest.
type Priority uint32

// The priorities. Resolve replaces Default; otherwise it counts as Slow.
const (
	Default Priority = iota
	Slow
	Normal
	Fast
	Fastest
)

// level returns the index into Levels. Source: src/wallet/wallet2.cpp, get_base_fee.
func (p Priority) level() int { return int(min(max(p, Slow), Fastest)) - 1 }

// PoolEntry is a transaction in the pool.
type PoolEntry struct{ Weight, Fee uint64 } // bytes, atomic units

// Demand describes how busy the chain is, according to a daemon. A malicious daemon can only turn Slow into Normal or
// back.
type Demand struct {
	Pool        []PoolEntry
	WeightLimit uint64   // block_weight_limit of get_info, in bytes: twice the penalty-free zone
	Recent      []uint64 // weights of the last RecentBlocks blocks, in bytes
}

// RecentBlocks is the number of blocks that Resolve considers.
const RecentBlocks = 10

// Backlog returns the number of full blocks that the pool transactions paying at least perByte would fill; ok is false
// if d has no weight limit.
// Source: src/wallet/wallet2.cpp, estimate_backlog.
func (d Demand) Backlog(perByte uint64) (blocks uint64, ok bool) {
	zone := d.WeightLimit / 2
	if zone == 0 {
		return 0, false
	}
	var waiting uint64
	for _, e := range d.Pool {
		if e.Weight == 0 {
			continue
		}
		// fee / weight ≥ perByte, without the division's rounding
		if hi, need := bits.Mul64(perByte, e.Weight); hi == 0 && e.Fee >= need {
			sum, carry := bits.Add64(waiting, e.Weight, 0)
			if carry != 0 {
				sum = ^uint64(0)
			}
			waiting = sum
		}
	}
	return waiting / zone, true
}

// Resolve replaces Default. It returns requested unless that is Default, then preferred, the wallet's setting, unless
// that is Default too. Otherwise, with auto, it returns Normal if at least a block of pool transactions pays the slow
// level or the last ten blocks are more than four fifths full; in all other cases, or when d has no data, Slow.
// Source: src/wallet/wallet2.cpp, adjust_priority; a wallet's setting is honoured here for every caller.
func (e Estimate) Resolve(requested, preferred Priority, auto bool, d Demand) Priority {
	if requested != Default {
		return requested
	}
	if preferred != Default {
		return preferred
	}
	if !auto {
		return Slow
	}
	backlog, ok := d.Backlog(e.PerByte(Slow))
	if !ok {
		return Slow
	}
	if backlog > 0 {
		return Normal
	}
	if len(d.Recent) != RecentBlocks {
		return Slow
	}
	zone := d.WeightLimit / 2
	var filled uint64
	for _, w := range d.Recent {
		filled += min(w, d.WeightLimit, ^uint64(0)/(100*RecentBlocks))
	}
	if 100*filled/RecentBlocks/zone > 80 {
		return Normal
	}
	return Slow
}
