package daemonrpc

import (
	"encoding/json"

	"glim/core/rpc"
	"glim/core/xmr"
)

// GetOutputIndicesRequest names a mined transaction.
type GetOutputIndicesRequest struct {
	Payer
	TxID xmr.Hash `json:"txid"`
}

// GetOutputIndicesResponse carries the global index of each output.
type GetOutputIndicesResponse struct {
	Metered
	OIndexes []uint64 `json:"o_indexes" max:"131072"`
}

// GetOutputIndices returns where a transaction's outputs stand among all of their amount (0 for RingCT).
var GetOutputIndices = rpc.Method[GetOutputIndicesRequest, GetOutputIndicesResponse]{Name: "get_o_indexes.bin", Wire: rpc.Binary}

// OutputRef names an output by amount, 0 for RingCT, and global index.
type OutputRef struct {
	Amount uint64 `json:"amount"`
	Index  uint64 `json:"index"`
}

// GetOutsBinRequest names outputs, at most 5,000 on restricted services.
type GetOutsBinRequest struct {
	Payer
	Outputs []OutputRef `json:"outputs"`
	GetTxID bool        `json:"get_txid" default:"true"`
}

// OutKeyBin is an output: one-time key, commitment, whether it may be spent, where it is.
type OutKeyBin struct {
	Key      xmr.PublicKey `json:"key"`
	Mask     xmr.PublicKey `json:"mask"`
	Unlocked bool          `json:"unlocked"`
	Height   uint64        `json:"height"` // index of its block
	TxID     xmr.Hash      `json:"txid"`   // zero unless asked for
}

// GetOutsBinResponse carries the outputs in the order asked for.
type GetOutsBinResponse struct {
	Metered
	Outs []OutKeyBin `json:"outs" max:"outputs"`
}

// GetOutsBin returns outputs by global index, as ring members are fetched.
var GetOutsBin = rpc.Method[GetOutsBinRequest, GetOutsBinResponse]{Name: "get_outs.bin", Wire: rpc.Binary}

// GetOutsRequest is GetOutsBinRequest in JSON, where get_txid is false unless set.
type GetOutsRequest struct {
	Payer
	Outputs []OutputRef `json:"outputs"`
	GetTxID bool        `json:"get_txid"`
}

// OutKey is OutKeyBin in hexadecimal.
type OutKey struct {
	Key      string `json:"key"`
	Mask     string `json:"mask"`
	Unlocked bool   `json:"unlocked"`
	Height   uint64 `json:"height"`
	TxID     string `json:"txid"` // empty unless asked for
}

// Text returns the output as JSON has it, with its transaction's ID when that was asked for.
func (o *OutKeyBin) Text(withTxID bool) OutKey {
	t := OutKey{Key: o.Key.String(), Mask: o.Mask.String(), Unlocked: o.Unlocked, Height: o.Height}
	if withTxID {
		t.TxID = o.TxID.String()
	}
	return t
}

// GetOutsResponse carries the outputs in the order asked for.
type GetOutsResponse struct {
	Metered
	Outs []OutKey `json:"outs" max:"outputs"`
}

// GetOuts returns outputs by global index, in JSON.
var GetOuts = rpc.Method[GetOutsRequest, GetOutsResponse]{Name: "get_outs", Wire: rpc.Path}

// GetOutputHistogramRequest names amounts and filters.
type GetOutputHistogramRequest struct {
	Payer
	Amounts      []uint64 `json:"amounts"` // restricted services demand some
	MinCount     uint64   `json:"min_count"`
	MaxCount     uint64   `json:"max_count"`
	Unlocked     bool     `json:"unlocked"`
	RecentCutoff uint64   `json:"recent_cutoff"` // seconds since 1970, 0 for none
}

// HistogramEntry counts the outputs of one amount.
type HistogramEntry struct {
	Amount            uint64 `json:"amount"`
	TotalInstances    uint64 `json:"total_instances"`
	UnlockedInstances uint64 `json:"unlocked_instances"`
	RecentInstances   uint64 `json:"recent_instances"`
}

// GetOutputHistogramResponse answers get_output_histogram.
type GetOutputHistogramResponse struct {
	Metered
	Histogram []HistogramEntry `json:"histogram" max:"131072"`
}

// GetOutputHistogram counts outputs by amount; RingCT outputs count as amount 0.
var GetOutputHistogram = rpc.Method[GetOutputHistogramRequest, GetOutputHistogramResponse]{Name: "get_output_histogram"}

// GetOutputDistributionRequest names amounts, on restricted services only 0, and a run of blocks.
type GetOutputDistributionRequest struct {
	Payer
	Amounts    []uint64 `json:"amounts"`
	FromHeight uint64   `json:"from_height" epee:"omitempty"` // index
	ToHeight   uint64   `json:"to_height" epee:"omitempty"`   // index, included; 0 for the top
	Cumulative bool     `json:"cumulative" epee:"omitempty"`
	Binary     bool     `json:"binary" default:"true" epee:"omitempty"`
	Compress   bool     `json:"compress" epee:"omitempty"`
}

// DistributionBin says how many outputs of an amount each block added, or had added when cumulative.
type DistributionBin struct {
	Amount         uint64   `json:"amount"`
	StartHeight    uint64   `json:"start_height"` // index of the first entry
	Binary         bool     `json:"binary"`
	Compress       bool     `json:"compress"`
	CompressedData []byte   `json:"compressed_data" epee:"omitempty"` // varints, when Compress
	Distribution   []uint64 `json:"distribution" epee:"blob"`
	Base           uint64   `json:"base"` // outputs before the first entry
}

// GetOutputDistributionBinResponse answers the binary operation.
type GetOutputDistributionBinResponse struct {
	Metered
	Distributions []DistributionBin `json:"distributions" max:"amounts"`
}

// GetOutputDistributionBin returns distributions in epee; it demands binary, which is the default.
var GetOutputDistributionBin = rpc.Method[GetOutputDistributionRequest, GetOutputDistributionBinResponse]{Name: "get_output_distribution.bin", Wire: rpc.Binary}

// Distribution is DistributionBin in JSON. Its list is an array of numbers, or with Binary one raw string of 64-bit
// little-endian numbers, or with Compress a raw string of varints: see QuoteBlob.
type Distribution struct {
	Amount         uint64          `json:"amount"`
	StartHeight    uint64          `json:"start_height"`
	Binary         bool            `json:"binary"`
	Compress       bool            `json:"compress"`
	CompressedData json.RawMessage `json:"compressed_data,omitempty"`
	Distribution   json.RawMessage `json:"distribution,omitempty"`
	Base           uint64          `json:"base"`
}

// GetOutputDistributionResponse answers the JSON operation.
type GetOutputDistributionResponse struct {
	Metered
	Distributions []Distribution `json:"distributions" max:"amounts"`
}

// GetOutputDistribution returns distributions in JSON, with raw bytes in strings when asked with Binary.
var GetOutputDistribution = rpc.Method[GetOutputDistributionRequest, GetOutputDistributionResponse]{Name: "get_output_distribution"}
