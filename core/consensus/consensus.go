// Package consensus holds the rules of hard fork 16 that blocks and transactions must keep, as functions of values.
//
// It has no state: who calls it knows the chain, the clock and the proof of work. Blocks of earlier forks are dated here
// and not judged.
package consensus

import (
	"errors"
	"fmt"

	"glim/core/xmr"
)

// Constants of the protocol. Source: src/cryptonote_config.h.
const (
	Version         = 16                              // the hard fork whose rules these are
	MoneySupply     = 1<<64 - 1                       // atomic units; what the tail emission adds beyond is not counted
	FullRewardZone  = 300_000                         // bytes of block weight that never cost a penalty
	CoinbaseRoom    = 600                             // bytes kept free for the coinbase
	MaxTxSize       = 1_000_000                       // bytes
	MaxTxWeight     = FullRewardZone/2 - CoinbaseRoom // bytes
	ShortWindow     = 100                             // blocks whose median weight is the short-term one
	LongWindow      = 100_000                         // blocks whose median long-term weight is the long-term one
	SurgeFactor     = 50                              // how many times the long-term median the short-term one may count
	TimestampWindow = 60                              // blocks
	FutureSeconds   = 2 * 60 * 60
	BlobLeeway      = 100 // bytes a block's own bytes may exceed the weight limit by, before anybody looks at them
)

// Why a transaction is refused. Refusals wrap one of these and say what is wrong; each is a flag of the answer to
// send_raw_transaction. The same transaction stays refused, but for ErrInput, ErrRingSize and ErrDoubleSpend, which depend on the
// chain. Source: src/cryptonote_basic/verification_context.h, tx_verification_context.
var (
	ErrMalformed     = errors.New("consensus: malformed transaction")
	ErrTooBig        = errors.New("consensus: transaction too big")
	ErrRingSize      = errors.New("consensus: bad ring size")
	ErrInput         = errors.New("consensus: invalid input")
	ErrOutput        = errors.New("consensus: invalid output")
	ErrTooFewOutputs = errors.New("consensus: too few outputs")
	ErrFeeTooLow     = errors.New("consensus: fee too low")
	ErrDoubleSpend   = errors.New("consensus: double spend")
	ErrExtraTooBig   = errors.New("consensus: extra too big")
	ErrUnlockTime    = errors.New("consensus: unlock time is not zero")
)

// Why a block is refused, besides its transactions.
var (
	ErrVersion    = errors.New("consensus: block of another hard fork")
	ErrTimestamp  = errors.New("consensus: block time out of range")
	ErrWork       = errors.New("consensus: not enough proof of work")
	ErrCoinbase   = errors.New("consensus: invalid coinbase")
	ErrReward     = errors.New("consensus: coinbase pays another amount than it may")
	ErrWeight     = errors.New("consensus: block too heavy")
	ErrDifficulty = errors.New("consensus: difficulty exceeds 128 bits")
)

func refuse(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: %w", kind, fmt.Errorf(format, args...))
}

// PoW returns the proof-of-work hash of a block: seed is the ID of the block that keys it, blob the block's
// hashing blob. Errors are the host's.
type PoW func(major uint8, height uint64, seed xmr.Hash, blob []byte) (xmr.Hash, error)
