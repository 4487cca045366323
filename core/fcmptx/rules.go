// Package fcmptx reads, writes and hashes the transactions of Monero's next hard fork: RingCT type 7, whose proofs are
// about all outputs of the chain (FCMP++) and not about rings, with outputs of Carrot. It does not check proofs. The
// fork's blocks are read by package block, and their coinbases by package tx; this package applies the limits of Rules
// to both, and returns transactions in the types of those packages, for wallets.
//
// Sources, quoted by file and function, are of github.com/j-berman/monero, branch prep-v0.19.0.0-beta.2.1, called the
// beta, unless another one is named. They may change before the fork; Rules has the numbers that are most likely to.
package fcmptx

import (
	"errors"

	"glim/core/block"
	"glim/core/tx"
)

// Errors of decoding in addition to those of packages wire and tx. The bytes are not valid; retrying is pointless.
var (
	ErrVersion  = errors.New("fcmptx: transaction does not have version 2")
	ErrInput    = errors.New("fcmptx: input of an unknown kind, or a number of inputs that is not allowed")
	ErrOutput   = errors.New("fcmptx: output of an unknown kind, or a number of outputs that is not allowed")
	ErrType     = errors.New("fcmptx: RingCT type is not that of the inputs")
	ErrLayers   = errors.New("fcmptx: number of tree layers is not allowed")
	ErrCoinbase = errors.New("fcmptx: transaction is a coinbase, which package tx reads")
	ErrBlock    = errors.New("fcmptx: block is from before the fork, or its coinbase is")
)

// Errors of Enotes and CoinbaseEnotes: the transaction is valid, but no wallet can find an output of it.
var (
	ErrEphemeral = errors.New("fcmptx: ephemeral keys in extra do not fit the outputs")
	ErrPruned    = errors.New("fcmptx: transaction is pruned")
)

// Rules are the numbers of the fork. They are immutable.
type Rules struct {
	BlockVersion    uint8  // first major version of blocks with a tree
	OutputTag       byte   // tag of a Carrot output in a transaction
	MaxInputs       int    // of a transaction that is not a coinbase
	MaxOutputs      int    // of a transaction that is not a coinbase
	MaxMinerOutputs int    // of a coinbase
	MaxLayers       uint8  // of the tree
	MaxWeight       uint64 // of a transaction; Parse does not check it
	WeightLayers    uint8  // the layers that a weight is computed with, whatever the tree has
}

// Beta are the rules of the beta.
// Source: src/cryptonote_config.h, HF_VERSION_FCMP_PLUS_PLUS and FCMP_PLUS_PLUS_MAX_*; cryptonote_basic.h, VARIANT_TAG;
// cryptonote_format_utils.cpp, get_fcmp_pp_transaction_weight_v1.
var Beta = &Rules{
	BlockVersion: block.TreeVersion, OutputTag: tx.CarrotTag, MaxInputs: 128, MaxOutputs: 16, MaxMinerOutputs: 10_000,
	MaxLayers: block.MaxLayers, MaxWeight: 178_063, WeightLayers: 7,
}

// Default are the rules that glim follows.
var Default = Beta
