package fee

import "math/bits"

// Priority is a user's haste as the RPC numbers it. Values beyond Fastest count as Fastest.
type Priority uint32

// The priorities. Default leaves the choice to Resolve; unresolved it counts as Slow.
const (
	Default Priority = iota
	Slow
	Normal
	Fast
	Fastest
)

// level returns the index into Levels. Source: src/wallet/wallet2.cpp, get_base_fee.
func (p Priority) level() int { return int(min(max(p, Slow), Fastest)) - 1 }

// PoolEntry is a transaction waiting for a block.
type PoolEntry struct{ Weight, Fee uint64 } // bytes, atomic units

// Demand is how busy the chain is, as a daemon tells it. All it can do by lying is turn Slow into Normal or back.
type Demand struct {
	Pool        []PoolEntry
	WeightLimit uint64   // block_weight_limit of get_info, in bytes: twice the penalty-free zone
	Recent      []uint64 // weights of the last RecentBlocks blocks, in bytes
}

// RecentBlocks is how many blocks Resolve looks at.
const RecentBlocks = 10

// Backlog returns how many full blocks of waiting transactions pay at least perByte; false when d has no weight limit.
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

// Resolve turns a request's priority into one that is not Default. Anything but Default is kept; Default becomes
// preferred, the wallet's own setting, unless that is Default too. Then, when auto is set, it is Normal if a block's worth of
// transactions that pay the slow level waits or the last ten blocks are more than four fifths full, and Slow otherwise
// or when d cannot tell; without auto it is Slow.
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
