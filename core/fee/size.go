package fee

import (
	"errors"
	"math/bits"

	"glim/core/xmr"
)

const (
	// MaxWeight is the heaviest transaction that wallets build, in bytes: half the penalty-free zone less a reserve for
	// the coinbase.
	// Source: src/wallet/wallet2.cpp, get_upper_transaction_weight_limit.
	MaxWeight = minMedian/2 - 600
	// TargetWeight is the weight at which wallets stop adding to a transaction, in bytes. Source:
	// src/wallet/wallet2.cpp, TX_WEIGHT_TARGET.
	TargetWeight = MaxWeight * 2 / 3
	// TypicalExtra is the extra field of a payment with one public key and an encrypted payment ID, in bytes.
	// Source: src/wallet/wallet_rpc_server.cpp, on_estimate_tx_size_and_weight.
	TypicalExtra = 44
)

// ErrShape reports counts that no transaction has.
var ErrShape = errors.New("fee: a transaction has at least one input and no negative counts")

// Shape holds the counts that determine the size of a transaction with CLSAG signatures, one Bulletproofs+ proof and
// view tags.
type Shape struct {
	Inputs   int
	RingSize int // members of each ring, the real one included
	Outputs  int
	Extra    int // bytes
}

// Check returns ErrShape if Inputs is below one, another number is negative, or one exceeds 2^20.
func (s Shape) Check() error {
	const most = 1 << 20
	if s.Inputs < 1 || s.RingSize < 0 || s.Outputs < 0 || s.Extra < 0 ||
		s.Inputs > most || s.RingSize > most || s.Outputs > most || s.Extra > most {
		return ErrShape
	}
	return nil
}

// Size returns the reference's estimate of the serialised length in bytes. It assumes typical lengths of varints,
// mostly above the real ones. s must pass Check.
// Source: src/wallet/wallet2.cpp, estimate_rct_tx_size.
func (s Shape) Size() uint64 {
	in, ring, out := uint64(s.Inputs), uint64(s.RingSize), uint64(s.Outputs)
	const (
		prefix     = 1 + 6 // version, unlock time
		rctType    = 1
		feeField   = 4
		outputSize = 6 + 32 // amount, key
		outputRct  = 8 + 32 // encrypted amount, commitment
		viewTag    = 1
		pseudoOut  = 32
		clsagRest  = 64         // c and D; plus one response per member
		inputRest  = 1 + 6 + 32 // kind, amount, key image; plus an offset of two bytes per member
	)
	size := prefix + rctType + feeField + uint64(s.Extra)
	size += in * (inputRest + 2*ring + 32*ring + clsagRest + pseudoOut)
	size += out * (outputSize + outputRct + viewTag)
	return size + proofSize(log2Up(s.Outputs)) + 3
}

// Weight returns Size plus the clawback for proofs of more than two outputs, in bytes: one such proof is smaller than
// several proofs of two outputs but as slow to verify, so four fifths of the difference are charged. s must pass Check.
// Source: src/wallet/wallet2.cpp, estimate_tx_weight.
func (s Shape) Weight() uint64 { return s.Size() + Clawback(s.Outputs) }

// Clawback returns the difference between weight and size of a Bulletproofs+ transaction in bytes.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_transaction_weight_clawback.
func Clawback(outputs int) uint64 {
	if outputs <= 2 {
		return 0
	}
	log := log2Up(outputs)
	return (proofSize(1)/2<<log - proofSize(log)) * 4 / 5
}

// proofSize is the length of a Bulletproofs+ proof of 2^log amounts: six fixed elements and two per round.
func proofSize(log uint) uint64 { return 32 * (6 + 2*(6+uint64(log))) }

// log2Up returns the smallest l with 2^l ≥ n.
func log2Up(n int) uint {
	if n <= 1 {
		return 0
	}
	return uint(bits.Len(uint(n - 1)))
}

// RPCEstimate computes the answer of estimate_tx_size_and_weight, in bytes: ring size 0 means xmr.RingSize, one output
// means two, extra is TypicalExtra. With ringCT false both numbers follow the reference's estimate for transactions
// before RingCT. It returns ErrShape for invalid counts.
// Source: src/wallet/wallet2.cpp, estimate_tx_size_and_weight and estimate_tx_size.
func RPCEstimate(s Shape, ringCT bool) (size, weight uint64, err error) {
	if s.RingSize == 0 {
		s.RingSize = xmr.RingSize
	}
	if s.Outputs == 1 {
		s.Outputs = 2
	}
	s.Extra = TypicalExtra
	if err := s.Check(); err != nil {
		return 0, 0, err
	}
	if !ringCT {
		size = uint64(s.Inputs)*uint64(s.RingSize)*80 + uint64(s.Extra) + uint64(s.Outputs)
		return size, size, nil
	}
	return s.Size(), s.Weight(), nil
}
