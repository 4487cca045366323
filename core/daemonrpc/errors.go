package daemonrpc

import "glim/core/rpc"

// JSON-RPC error codes of a daemon. Source: src/rpc/core_rpc_server_error_codes.h.
const (
	CodeWrongParam           = -1
	CodeTooBigHeight         = -2
	CodeTooBigReserveSize    = -3
	CodeWrongWalletAddress   = -4
	CodeInternal             = -5
	CodeWrongBlockBlob       = -6
	CodeBlockNotAccepted     = -7
	CodeCoreBusy             = -9
	CodeWrongBlockBlobSize   = -10
	CodeUnsupportedRPC       = -11
	CodeMiningToSubaddress   = -12
	CodeRegtestRequired      = -13
	CodePaymentRequired      = -14
	CodeInvalidClient        = -15
	CodePaymentTooLow        = -16
	CodeDuplicatePayment     = -17
	CodeStalePayment         = -18
	CodeRestricted           = -19
	CodeUnsupportedBootstrap = -20
	CodePaymentsNotEnabled   = -21
)

// Message returns the reference's standard text of an error code, "Unknown error" for others.
func Message(code int) string {
	switch code {
	case CodeWrongParam:
		return "Invalid parameter"
	case CodeTooBigHeight:
		return "Height is too large"
	case CodeTooBigReserveSize:
		return "Reserve size is too large"
	case CodeWrongWalletAddress:
		return "Wrong wallet address"
	case CodeInternal:
		return "Internal error"
	case CodeWrongBlockBlob:
		return "Wrong block blob"
	case CodeBlockNotAccepted:
		return "Block not accepted"
	case CodeCoreBusy:
		return "Core is busy"
	case CodeWrongBlockBlobSize:
		return "Wrong block blob size"
	case CodeUnsupportedRPC:
		return "Unsupported RPC"
	case CodeMiningToSubaddress:
		return "Mining to subaddress is not supported"
	case CodeRegtestRequired:
		return "Regtest mode required"
	case CodePaymentRequired:
		return "Payment required"
	case CodeInvalidClient:
		return "Invalid client"
	case CodePaymentTooLow:
		return "Payment too low"
	case CodeDuplicatePayment:
		return "Duplicate payment"
	case CodeStalePayment:
		return "Stale payment"
	case CodeRestricted:
		return "Parameters beyond restricted allowance"
	case CodeUnsupportedBootstrap:
		return "Command is unsupported in bootstrap mode"
	case CodePaymentsNotEnabled:
		return "Payments not enabled"
	}
	return "Unknown error"
}

// Fail returns the error of code with its standard text.
func Fail(code int) *rpc.Error { return &rpc.Error{Code: code, Message: Message(code)} }
