package walletrpc

import "glim/core/rpc"

// IsMultisigResponse describes the multisig group.
type IsMultisigResponse struct {
	Multisig  bool   `json:"multisig"`
	KexIsDone bool   `json:"kex_is_done"` // the group's keys are known, but perhaps not yet verified; from 0.19 on
	Ready     bool   `json:"ready"`       // the key exchange is complete
	Threshold uint32 `json:"threshold"`   // signers required
	Total     uint32 `json:"total"`       // signers in the group
}

// IsMultisig tells whether the wallet is multisig.
var IsMultisig = rpc.Method[Empty, IsMultisigResponse]{Name: "is_multisig"}

// PrepareMultisigRequest enables multisig.
type PrepareMultisigRequest struct {
	EnableMultisigExperimental bool `json:"enable_multisig_experimental"`
}

// PrepareMultisigResponse is the message for the other signers.
type PrepareMultisigResponse struct {
	MultisigInfo string `json:"multisig_info"`
}

// PrepareMultisig returns the first message of the key exchange. Errors: CodeAlreadyMultisig, CodeWatchOnly,
// CodeDisabled.
var PrepareMultisig = rpc.Method[PrepareMultisigRequest, PrepareMultisigResponse]{
	Name: "prepare_multisig", Restricted: true,
}

// MakeMultisigRequest is the other signers' first messages.
type MakeMultisigRequest struct {
	MultisigInfo []string `json:"multisig_info"`
	Threshold    uint32   `json:"threshold"` // signers required
	Password     string   `json:"password"`  // the wallet's
}

// MultisigRoundResponse is the message of the next round, or the address after the last round.
type MultisigRoundResponse struct {
	Address      string `json:"address"`       // empty until the last round
	MultisigInfo string `json:"multisig_info"` // empty after the last round
}

// MakeMultisig converts the wallet to multisig. Errors: CodeAlreadyMultisig, CodeWatchOnly, CodeDisabled, CodeUnknown.
var MakeMultisig = rpc.Method[MakeMultisigRequest, MultisigRoundResponse]{Name: "make_multisig", Restricted: true}

// ExportMultisigInfoResponse is the information for the other signers.
type ExportMultisigInfoResponse struct {
	Info string `json:"info"`
}

// ExportMultisigInfo returns the information that the other signers need to spend. Errors: CodeNotMultisig,
// CodeDisabled.
var ExportMultisigInfo = rpc.Method[Empty, ExportMultisigInfoResponse]{Name: "export_multisig_info", Restricted: true}

// ImportMultisigInfoRequest is the information exported by the other signers.
type ImportMultisigInfoRequest struct {
	Info               []string `json:"info"`
	RefreshAfterImport bool     `json:"refresh_after_import" default:"true"`
}

// ImportMultisigInfoResponse is the number of outputs that were updated.
type ImportMultisigInfoResponse struct {
	NOutputs uint64 `json:"n_outputs"`
}

// ImportMultisigInfo imports the information exported by the other signers.
// Errors: CodeNotMultisig, CodeThresholdNotReached, CodeBadHex, CodeDisabled, CodeUnknown.
var ImportMultisigInfo = rpc.Method[ImportMultisigInfoRequest, ImportMultisigInfoResponse]{
	Name: "import_multisig_info", Restricted: true,
}

// FinalizeMultisigRequest is the other signers' messages of the last round.
type FinalizeMultisigRequest struct {
	Password     string   `json:"password"`
	MultisigInfo []string `json:"multisig_info"`
}

// FinalizeMultisigResponse is the address of the multisig wallet.
type FinalizeMultisigResponse struct {
	Address string `json:"address"`
}

// FinalizeMultisig is the older name of the last round of ExchangeMultisigKeys, with the same errors. The reference
// removed it in 0.18.5.1; the published interface still lists it.
var FinalizeMultisig = rpc.Method[FinalizeMultisigRequest, FinalizeMultisigResponse]{
	Name: "finalize_multisig", Restricted: true,
}

// ExchangeMultisigKeysRequest is the other signers' messages of a round.
type ExchangeMultisigKeysRequest struct {
	Password     string   `json:"password"`
	MultisigInfo []string `json:"multisig_info"`
	// continue with fewer messages than signers
	ForceUpdateUseWithCaution bool `json:"force_update_use_with_caution"`
}

// ExchangeMultisigKeys carries out one round of the key exchange.
// Errors: CodeNotMultisig, CodeAlreadyMultisig, CodeDisabled, CodeUnknown.
var ExchangeMultisigKeys = rpc.Method[ExchangeMultisigKeysRequest, MultisigRoundResponse]{
	Name: "exchange_multisig_keys", Restricted: true,
}

// GetMultisigKeyExchangeBoosterRequest has messages of the current round.
type GetMultisigKeyExchangeBoosterRequest struct {
	Password     string   `json:"password"`
	MultisigInfo []string `json:"multisig_info"`
	Threshold    uint32   `json:"threshold"`   // signers required
	NumSigners   uint32   `json:"num_signers"` // signers in the group
}

// GetMultisigKeyExchangeBoosterResponse is this signer's message of the round after the current one.
type GetMultisigKeyExchangeBoosterResponse struct {
	MultisigInfo string `json:"multisig_info"`
}

// GetMultisigKeyExchangeBooster returns this signer's message of the round after the current one, made of the messages
// that have arrived, so that another signer does not wait for the missing ones. From 0.19 on. For a wallet that is not
// multisig yet it fails unless all signers but one must sign, because the message would contain secrets.
// Errors: CodeAlreadyMultisig, CodeThresholdNotReached, CodeInvalidPassword, CodeUnknown.
var GetMultisigKeyExchangeBooster = rpc.Method[
	GetMultisigKeyExchangeBoosterRequest, GetMultisigKeyExchangeBoosterResponse,
]{Name: "get_multisig_key_exchange_booster", Restricted: true}

// SignMultisigRequest is a multisig transaction set.
type SignMultisigRequest struct {
	TxDataHex string `json:"tx_data_hex"`
}

// SignMultisigResponse is the set with one more signature.
type SignMultisigResponse struct {
	TxDataHex  string   `json:"tx_data_hex"`
	TxHashList []string `json:"tx_hash_list"` // only from the last signer
}

// SignMultisig signs a multisig transaction set. Errors: CodeNotMultisig, CodeBadHex, CodeBadMultisigTxData,
// CodeMultisigSignature, CodeDisabled.
var SignMultisig = rpc.Method[SignMultisigRequest, SignMultisigResponse]{Name: "sign_multisig", Restricted: true}

// SubmitMultisigRequest is a multisig transaction set with all required signatures.
type SubmitMultisigRequest struct {
	TxDataHex string `json:"tx_data_hex"`
}

// SubmitMultisig relays the transactions of a multisig transaction set. Errors: CodeNotMultisig, CodeBadHex,
// CodeBadMultisigTxData, CodeThresholdNotReached, CodeMultisigSubmission, CodeDisabled.
var SubmitMultisig = rpc.Method[SubmitMultisigRequest, SubmitTransferResponse]{
	Name: "submit_multisig", Restricted: true,
}
