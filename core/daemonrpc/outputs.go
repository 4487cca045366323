package daemonrpc

import (
	"encoding/json"

	"glim/core/rpc"
	"glim/core/xmr"
)

// GetOutputIndicesRequest selects a mined transaction.
type GetOutputIndicesRequest struct {
	Payer
	TxID xmr.Hash `json:"txid"`
}

// GetOutputIndicesResponse contains the global index of each output.
type GetOutputIndicesResponse struct {
	Metered
	OIndexes []uint64 `json:"o_indexes" max:"131072"`
}

// GetOutputIndices returns the global indices of a transaction's outputs: their positions among all outputs of the same
// amount, which is 0 for RingCT.
var GetOutputIndices = rpc.Method[GetOutputIndicesRequest, GetOutputIndicesResponse]{
	Name: "get_o_indexes.bin", Wire: rpc.Binary,
}

// OutputRef identifies an output by amount, which is 0 for RingCT, and global index.
type OutputRef struct {
	Amount uint64 `json:"amount"`
	Index  uint64 `json:"index"`
}

// GetOutsBinRequest selects outputs, at most 5,000 on restricted services.
type GetOutsBinRequest struct {
	Payer
	Outputs []OutputRef `json:"outputs"`
	GetTxID bool        `json:"get_txid" default:"true"`
}

// OutKeyBin is an output: one-time public key, commitment, lock state and position.
type OutKeyBin struct {
	Key      xmr.PublicKey `json:"key"`
	Mask     xmr.PublicKey `json:"mask"`
	Unlocked bool          `json:"unlocked"`
	Height   uint64        `json:"height"` // index of its block
	TxID     xmr.Hash      `json:"txid"`   // zero unless requested
}

// GetOutsBinResponse contains the outputs in the order of the request.
type GetOutsBinResponse struct {
	Metered
	Outs []OutKeyBin `json:"outs" max:"outputs"`
}

// GetOutsBin returns outputs by global index, for use as ring members.
var GetOutsBin = rpc.Method[GetOutsBinRequest, GetOutsBinResponse]{Name: "get_outs.bin", Wire: rpc.Binary}

// GetOutsRequest is GetOutsBinRequest in JSON, where get_txid defaults to false.
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
	TxID     string `json:"txid"` // empty unless requested
}

// Text returns the output in its JSON form, with the transaction ID if withTxID is set.
func (o *OutKeyBin) Text(withTxID bool) OutKey {
	t := OutKey{Key: o.Key.String(), Mask: o.Mask.String(), Unlocked: o.Unlocked, Height: o.Height}
	if withTxID {
		t.TxID = o.TxID.String()
	}
	return t
}

// GetOutsResponse contains the outputs in the order of the request.
type GetOutsResponse struct {
	Metered
	Outs []OutKey `json:"outs" max:"outputs"`
}

// GetOuts returns outputs by global index, in JSON.
var GetOuts = rpc.Method[GetOutsRequest, GetOutsResponse]{Name: "get_outs", Wire: rpc.Path}

// GetOutputHistogramRequest selects and filters amounts.
type GetOutputHistogramRequest struct {
	Payer
	Amounts      []uint64 `json:"amounts"` // required by restricted services
	MinCount     uint64   `json:"min_count"`
	MaxCount     uint64   `json:"max_count"`
	Unlocked     bool     `json:"unlocked"`
	RecentCutoff uint64   `json:"recent_cutoff"` // seconds since 1970; 0 for none
}

// HistogramEntry counts the outputs of one amount.
type HistogramEntry struct {
	Amount            uint64 `json:"amount"`
	TotalInstances    uint64 `json:"total_instances"`
	UnlockedInstances uint64 `json:"unlocked_instances"`
	RecentInstances   uint64 `json:"recent_instances"`
}

// GetOutputHistogramResponse is the response of get_output_histogram.
type GetOutputHistogramResponse struct {
	Metered
	Histogram []HistogramEntry `json:"histogram" max:"131072"`
}

// GetOutputHistogram counts outputs by amount, which is 0 for RingCT outputs.
var GetOutputHistogram = rpc.Method[GetOutputHistogramRequest, GetOutputHistogramResponse]{Name: "get_output_histogram"}

// GetOutputDistributionRequest selects amounts and a range of blocks. Restricted services accept only the amount 0.
type GetOutputDistributionRequest struct {
	Payer
	Amounts    []uint64 `json:"amounts"`
	FromHeight uint64   `json:"from_height" epee:"omitempty"` // index
	ToHeight   uint64   `json:"to_height" epee:"omitempty"`   // index of the last block; 0 for the top
	Cumulative bool     `json:"cumulative" epee:"omitempty"`
	Binary     bool     `json:"binary" default:"true" epee:"omitempty"`
	Compress   bool     `json:"compress" epee:"omitempty"`
}

// DistributionBin is the number of outputs of an amount, in each block or, if cumulative, up to each block.
type DistributionBin struct {
	Amount         uint64   `json:"amount"`
	StartHeight    uint64   `json:"start_height"` // index of the first entry
	Binary         bool     `json:"binary"`
	Compress       bool     `json:"compress"`
	CompressedData []byte   `json:"compressed_data" epee:"omitempty"` // varints, if Compress is set
	Distribution   []uint64 `json:"distribution" epee:"blob"`
	Base           uint64   `json:"base"` // number of outputs before the first entry
}

// GetOutputDistributionBinResponse contains one distribution for each amount.
type GetOutputDistributionBinResponse struct {
	Metered
	Distributions []DistributionBin `json:"distributions" max:"amounts"`
}

// GetOutputDistributionBin returns distributions in epee. Binary must be set, which is the default.
var GetOutputDistributionBin = rpc.Method[GetOutputDistributionRequest, GetOutputDistributionBinResponse]{
	Name: "get_output_distribution.bin", Wire: rpc.Binary,
}

// Distribution is DistributionBin in JSON. Its list is an array of numbers, or with Binary a raw string of 64-bit
// little-endian numbers, or with Compress a raw string of varints. See QuoteBlob.
type Distribution struct {
	Amount         uint64          `json:"amount"`
	StartHeight    uint64          `json:"start_height"`
	Binary         bool            `json:"binary"`
	Compress       bool            `json:"compress"`
	CompressedData json.RawMessage `json:"compressed_data,omitempty"`
	Distribution   json.RawMessage `json:"distribution,omitempty"`
	Base           uint64          `json:"base"`
}

// GetOutputDistributionResponse contains one distribution for each amount.
type GetOutputDistributionResponse struct {
	Metered
	Distributions []Distribution `json:"distributions" max:"amounts"`
}

// GetOutputDistribution returns distributions in JSON, with raw bytes in strings if Binary is set.
var GetOutputDistribution = rpc.Method[GetOutputDistributionRequest, GetOutputDistributionResponse]{
	Name: "get_output_distribution",
}
