package walletrpc

import "glim/core/rpc"

// KeyImageRequest names an output by its key image.
type KeyImageRequest struct {
	KeyImage string `json:"key_image"`
}

// Freeze keeps an output from being spent. Errors: CodeUnknown without a key image or with an unknown one,
// CodeWrongKeyImage for a malformed one.
var Freeze = rpc.Method[KeyImageRequest, Empty]{Name: "freeze", Restricted: true}

// Thaw undoes Freeze. Errors: as Freeze.
var Thaw = rpc.Method[KeyImageRequest, Empty]{Name: "thaw", Restricted: true}

// FrozenResponse tells whether an output is frozen.
type FrozenResponse struct {
	Frozen bool `json:"frozen"`
}

// Frozen tells whether an output is frozen. Errors: as Freeze.
var Frozen = rpc.Method[KeyImageRequest, FrozenResponse]{Name: "frozen"}

// ExportOutputsRequest chooses outputs by their order in the wallet.
type ExportOutputsRequest struct {
	All   bool   `json:"all"` // not only those since the last export
	Start uint32 `json:"start"`
	Count uint32 `json:"count" default:"4294967295"`
}

// ExportOutputsResponse is the outputs, encrypted with the view key.
type ExportOutputsResponse struct {
	OutputsDataHex string `json:"outputs_data_hex"`
}

// ExportOutputs packs outputs for the wallet that holds the spend key. Errors: CodeUnknown.
var ExportOutputs = rpc.Method[ExportOutputsRequest, ExportOutputsResponse]{Name: "export_outputs", Restricted: true}

// ImportOutputsRequest is what ExportOutputs packed.
type ImportOutputsRequest struct {
	OutputsDataHex string `json:"outputs_data_hex"`
}

// ImportOutputsResponse counts the outputs.
type ImportOutputsResponse struct {
	NumImported uint64 `json:"num_imported"`
}

// ImportOutputs takes outputs from a view-only wallet. Errors: CodeBadHex, CodeUnknown.
var ImportOutputs = rpc.Method[ImportOutputsRequest, ImportOutputsResponse]{Name: "import_outputs", Restricted: true}

// ExportKeyImagesRequest chooses key images.
type ExportKeyImagesRequest struct {
	All bool `json:"all"` // not only those since the last export
}

// SignedKeyImage is a key image with the proof that it is the output's.
type SignedKeyImage struct {
	KeyImage  string `json:"key_image"`
	Signature string `json:"signature"`
}

// ExportKeyImagesResponse lists key images.
type ExportKeyImagesResponse struct {
	Offset          uint32           `json:"offset"` // outputs left out at the beginning
	SignedKeyImages []SignedKeyImage `json:"signed_key_images"`
}

// ExportKeyImages returns key images for a view-only wallet. Errors: CodeUnknown.
var ExportKeyImages = rpc.Method[ExportKeyImagesRequest, ExportKeyImagesResponse]{Name: "export_key_images", Restricted: true}

// ImportKeyImagesRequest is what ExportKeyImages returned.
type ImportKeyImagesRequest struct {
	Offset          uint32           `json:"offset"`
	SignedKeyImages []SignedKeyImage `json:"signed_key_images"`
}

// ImportKeyImagesResponse is what the wallet then knows of spending.
type ImportKeyImagesResponse struct {
	Height  uint64 `json:"height"`  // index of the last output's block
	Spent   uint64 `json:"spent"`   // atomic units
	Unspent uint64 `json:"unspent"` // atomic units
}

// ImportKeyImages teaches a view-only wallet what is spent.
// Errors: CodeUnknown with a daemon not trusted, CodeWrongKeyImage, CodeWrongSignature.
var ImportKeyImages = rpc.Method[ImportKeyImagesRequest, ImportKeyImagesResponse]{Name: "import_key_images", Restricted: true}

// RefreshRequest says where to begin.
type RefreshRequest struct {
	StartHeight uint64 `json:"start_height"` // block index; what is below the last one read has no effect
}

// RefreshResponse tells what was read.
type RefreshResponse struct {
	BlocksFetched uint64 `json:"blocks_fetched"`
	ReceivedMoney bool   `json:"received_money"`
}

// Refresh reads the chain to its end. Errors: CodeNoDaemonConnection, CodeDaemonBusy, CodeUnknown.
var Refresh = rpc.Method[RefreshRequest, RefreshResponse]{Name: "refresh", Restricted: true}

// AutoRefreshRequest sets the rhythm.
type AutoRefreshRequest struct {
	Enable bool   `json:"enable" default:"true"`
	Period uint32 `json:"period"` // seconds; 0 for the default of 20
}

// AutoRefresh makes the service read the chain on its own. It needs no wallet.
var AutoRefresh = rpc.Method[AutoRefreshRequest, Empty]{Name: "auto_refresh", Restricted: true}

// ScanTxRequest names transactions.
type ScanTxRequest struct {
	TxIDs []string `json:"txids"`
}

// ScanTx reads single transactions out of turn. The daemon learns which, and which others of the wallet's came since.
// Errors: CodeWrongTxID; CodeUnknown, also in a block not read yet, or for those others with a daemon not trusted.
var ScanTx = rpc.Method[ScanTxRequest, Empty]{Name: "scan_tx", Restricted: true}

// RescanSpent asks the daemon which outputs are spent. Errors: CodeUnknown with a daemon not trusted.
var RescanSpent = rpc.Method[Empty, Empty]{Name: "rescan_spent", Restricted: true}

// RescanBlockchainRequest says how much to forget.
type RescanBlockchainRequest struct {
	Hard bool `json:"hard"` // also what the chain cannot give back: destinations, transaction keys, notes
}

// RescanBlockchain reads the chain again from the restore height. Errors: CodeUnknown.
var RescanBlockchain = rpc.Method[RescanBlockchainRequest, Empty]{Name: "rescan_blockchain", Restricted: true}
