package walletrpc

import "glim/core/rpc"

// IsMultisigResponse tells how many must sign.
type IsMultisigResponse struct {
	Multisig  bool   `json:"multisig"`
	Ready     bool   `json:"ready"`     // key exchange is over
	Threshold uint32 `json:"threshold"` // signers needed
	Total     uint32 `json:"total"`     // signers there are
}

// IsMultisig tells whether the wallet is multisig.
var IsMultisig = rpc.Method[Empty, IsMultisigResponse]{Name: "is_multisig"}

// PrepareMultisigRequest turns multisig on.
type PrepareMultisigRequest struct {
	EnableMultisigExperimental bool `json:"enable_multisig_experimental"`
}

// PrepareMultisigResponse is for the other signers.
type PrepareMultisigResponse struct {
	MultisigInfo string `json:"multisig_info"`
}

// PrepareMultisig returns the first message of the key exchange. Errors: CodeAlreadyMultisig, CodeWatchOnly,
// CodeDisabled.
var PrepareMultisig = rpc.Method[PrepareMultisigRequest, PrepareMultisigResponse]{Name: "prepare_multisig", Restricted: true}

// MakeMultisigRequest is the other signers' first messages.
type MakeMultisigRequest struct {
	MultisigInfo []string `json:"multisig_info"`
	Threshold    uint32   `json:"threshold"` // signers needed
	Password     string   `json:"password"`  // the wallet's
}

// MultisigRoundResponse is the next message, or the address when none is left.
type MultisigRoundResponse struct {
	Address      string `json:"address"`       // empty until the last round
	MultisigInfo string `json:"multisig_info"` // empty after the last round
}

// MakeMultisig makes the wallet multisig. Errors: CodeAlreadyMultisig, CodeWatchOnly, CodeDisabled, CodeUnknown.
var MakeMultisig = rpc.Method[MakeMultisigRequest, MultisigRoundResponse]{Name: "make_multisig", Restricted: true}

// ExportMultisigInfoResponse is for the other signers.
type ExportMultisigInfoResponse struct {
	Info string `json:"info"`
}

// ExportMultisigInfo returns what the others need before spending. Errors: CodeNotMultisig, CodeDisabled.
var ExportMultisigInfo = rpc.Method[Empty, ExportMultisigInfoResponse]{Name: "export_multisig_info", Restricted: true}

// ImportMultisigInfoRequest is what the others exported.
type ImportMultisigInfoRequest struct {
	Info               []string `json:"info"`
	RefreshAfterImport bool     `json:"refresh_after_import" default:"true"`
}

// ImportMultisigInfoResponse counts the outputs.
type ImportMultisigInfoResponse struct {
	NOutputs uint64 `json:"n_outputs"`
}

// ImportMultisigInfo takes what the others exported.
// Errors: CodeNotMultisig, CodeThresholdNotReached, CodeBadHex, CodeDisabled, CodeUnknown.
var ImportMultisigInfo = rpc.Method[ImportMultisigInfoRequest, ImportMultisigInfoResponse]{Name: "import_multisig_info", Restricted: true}

// FinalizeMultisigRequest is the other signers' messages of the last round.
type FinalizeMultisigRequest struct {
	Password     string   `json:"password"`
	MultisigInfo []string `json:"multisig_info"`
}

// FinalizeMultisigResponse is the wallet made.
type FinalizeMultisigResponse struct {
	Address string `json:"address"`
}

// FinalizeMultisig is the older name of the last ExchangeMultisigKeys. Errors: as there. The reference dropped it in
// 0.18.5.1; the published interface has it.
var FinalizeMultisig = rpc.Method[FinalizeMultisigRequest, FinalizeMultisigResponse]{Name: "finalize_multisig", Restricted: true}

// ExchangeMultisigKeysRequest is the other signers' messages of a round.
type ExchangeMultisigKeysRequest struct {
	Password                  string   `json:"password"`
	MultisigInfo              []string `json:"multisig_info"`
	ForceUpdateUseWithCaution bool     `json:"force_update_use_with_caution"` // go on with fewer messages than signers
}

// ExchangeMultisigKeys takes a round of the key exchange further.
// Errors: CodeNotMultisig, CodeAlreadyMultisig, CodeDisabled, CodeUnknown.
var ExchangeMultisigKeys = rpc.Method[ExchangeMultisigKeysRequest, MultisigRoundResponse]{Name: "exchange_multisig_keys", Restricted: true}

// SignMultisigRequest is a multisig set.
type SignMultisigRequest struct {
	TxDataHex string `json:"tx_data_hex"`
}

// SignMultisigResponse is the set with one signature more.
type SignMultisigResponse struct {
	TxDataHex  string   `json:"tx_data_hex"`
	TxHashList []string `json:"tx_hash_list"` // only from the last signer
}

// SignMultisig signs a multisig set. Errors: CodeNotMultisig, CodeBadHex, CodeBadMultisigTxData,
// CodeMultisigSignature, CodeDisabled.
var SignMultisig = rpc.Method[SignMultisigRequest, SignMultisigResponse]{Name: "sign_multisig", Restricted: true}

// SubmitMultisigRequest is a multisig set with every signature it needs.
type SubmitMultisigRequest struct {
	TxDataHex string `json:"tx_data_hex"`
}

// SubmitMultisig relays a multisig set. Errors: CodeNotMultisig, CodeBadHex, CodeBadMultisigTxData,
// CodeThresholdNotReached, CodeMultisigSubmission, CodeDisabled.
var SubmitMultisig = rpc.Method[SubmitMultisigRequest, SubmitTransferResponse]{Name: "submit_multisig", Restricted: true}
