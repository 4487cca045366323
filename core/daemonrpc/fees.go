package daemonrpc

import "glim/core/rpc"

// GetFeeEstimateRequest is the number of blocks for which the estimate should hold.
type GetFeeEstimateRequest struct {
	Payer
	GraceBlocks uint64 `json:"grace_blocks"`
}

// GetFeeEstimateResponse contains fees in atomic units per byte of weight.
type GetFeeEstimateResponse struct {
	Metered
	Fee              uint64 `json:"fee"`                           // of the lowest priority
	QuantizationMask uint64 `json:"quantization_mask" default:"1"` // fees are rounded up to a multiple of it
	// by priority, lowest first: four since hard fork 15
	Fees []uint64 `json:"fees" max:"16"`
}

// GetFeeEstimate returns the fees that get a transaction mined soon.
var GetFeeEstimate = rpc.Method[GetFeeEstimateRequest, GetFeeEstimateResponse]{Name: "get_fee_estimate"}
