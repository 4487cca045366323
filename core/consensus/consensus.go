// Package consensus checks blocks and transactions against the consensus rules of hard fork 16 and of the next one,
// which only private chains have so far.
//
// It consists of functions without state; callers supply what they need of the chain, the time and the proof of work.
// For earlier hard forks it has only their heights, not their rules.
package consensus

import (
	"errors"
	"fmt"

	"glim/core/xmr"
)

// Constants of the protocol. Source: src/cryptonote_config.h.
const (
	Version          = 16                                  // the hard fork of all networks
	MoneySupply      = 1<<64 - 1                           // atomic units; the tail emission beyond is not counted
	FullRewardZone   = 300_000                             // bytes of block weight without penalty
	CoinbaseReserved = 600                                 // bytes that block templates reserve for the coinbase
	MaxTxSize        = 1_000_000                           // bytes
	MaxTxWeight      = FullRewardZone/2 - CoinbaseReserved // bytes
	ShortWindow      = 100                                 // number of blocks of the short-term median weight
	LongWindow       = 100_000                             // number of blocks of the long-term median weight
	SurgeFactor      = 50                                  // maximum ratio of the short-term to the long-term median
	TimestampWindow  = 60                                  // number of blocks of the median timestamp
	FutureTimeLimit  = 2 * 60 * 60                         // seconds that a block's timestamp may be in the future
	BlockSizeLeeway  = 100                                 // bytes by which a block's size may exceed the weight limit
)

// Reasons why a transaction is invalid. Each corresponds to a flag in the response of send_raw_transaction. Errors
// wrap one of them and add details. They are permanent, except ErrInput, ErrRingSize and ErrDoubleSpend, which depend
// on the chain.
// Source: src/cryptonote_basic/verification_context.h, tx_verification_context.
var (
	ErrMalformed     = errors.New("consensus: malformed transaction")
	ErrBadInput      = fmt.Errorf("%w: input or proof that no chain can contain", ErrMalformed)
	ErrTooBig        = errors.New("consensus: transaction too big")
	ErrRingSize      = errors.New("consensus: bad ring size")
	ErrInput         = errors.New("consensus: invalid input")
	ErrOutput        = errors.New("consensus: invalid output")
	ErrOverspend     = errors.New("consensus: amounts exceed 64 bits")
	ErrTooFewOutputs = errors.New("consensus: too few outputs")
	ErrFeeTooLow     = errors.New("consensus: fee too low")
	ErrDoubleSpend   = errors.New("consensus: double spend")
	ErrExtraTooBig   = errors.New("consensus: extra too big")
	ErrUnlockTime    = errors.New("consensus: unlock time is not zero")
	ErrReference     = fmt.Errorf("%w: reference block that this chain does not have", ErrInput)
)

// Reasons why a block is invalid, in addition to those of its transactions.
var (
	ErrVersion    = errors.New("consensus: block of another hard fork")
	ErrTimestamp  = errors.New("consensus: block time out of range")
	ErrWork       = errors.New("consensus: not enough proof of work")
	ErrCoinbase   = errors.New("consensus: invalid coinbase")
	ErrReward     = errors.New("consensus: wrong coinbase amount")
	ErrWeight     = errors.New("consensus: block too heavy")
	ErrTree       = errors.New("consensus: wrong tree of outputs")
	ErrDifficulty = errors.New("consensus: difficulty exceeds 128 bits")
)

// refuse returns an error that wraps kind and adds details.
func refuse(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: %w", kind, fmt.Errorf(format, args...))
}

// PoW returns the proof-of-work hash of a block with this major version and height. seed is the ID of the block that
// seeds RandomX, and blob the block's hashing blob.
type PoW func(major uint8, height uint64, seed xmr.Hash, blob []byte) (xmr.Hash, error)

// PoWs returns the proof-of-work hashes of several blobs, as PoW does for each. It uses all processors, and computes up
// to Together hashes together on each.
type PoWs func(major uint8, height uint64, seed xmr.Hash, blobs [][]byte) ([]xmr.Hash, error)
