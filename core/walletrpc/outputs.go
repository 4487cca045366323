package walletrpc

import "glim/core/rpc"

// KeyImageRequest names one output by its key image, or several by a label.
type KeyImageRequest struct {
	KeyImage string `json:"key_image"`
	// Label, instead of KeyImage, names all outputs that the wallet has received so far at addresses with this label,
	// of any account. The label of an account is that of its first address, which also receives change. An extension
	// of glim.
	Label string `json:"label"`
}

// Freeze prevents outputs from being spent. Errors: CodeUnknown for a missing or unknown key image, for a label without
// outputs, and for both a key image and a label; CodeWrongKeyImage for a malformed key image.
var Freeze = rpc.Method[KeyImageRequest, Empty]{Name: "freeze", Restricted: true}

// Thaw reverses Freeze, with the same errors.
var Thaw = rpc.Method[KeyImageRequest, Empty]{Name: "thaw", Restricted: true}

// FrozenResponse tells whether an output, or every output of a label, is frozen.
type FrozenResponse struct {
	Frozen bool `json:"frozen"`
}

// Frozen tells whether an output, or every output of a label, is frozen. It returns the errors of Freeze.
var Frozen = rpc.Method[KeyImageRequest, FrozenResponse]{Name: "frozen"}

// ExportOutputsRequest selects outputs by their position in the wallet.
type ExportOutputsRequest struct {
	All   bool   `json:"all"` // export all, not only those since the last export
	Start uint32 `json:"start"`
	Count uint32 `json:"count" default:"4294967295"`
}

// ExportOutputsResponse is the outputs, encrypted with the view key.
type ExportOutputsResponse struct {
	OutputsDataHex string `json:"outputs_data_hex"`
}

// ExportOutputs exports outputs for the wallet with the spend key. Errors: CodeUnknown.
var ExportOutputs = rpc.Method[ExportOutputsRequest, ExportOutputsResponse]{Name: "export_outputs", Restricted: true}

// ImportOutputsRequest is the data returned by ExportOutputs.
type ImportOutputsRequest struct {
	OutputsDataHex string `json:"outputs_data_hex"`
}

// ImportOutputsResponse is the number of imported outputs.
type ImportOutputsResponse struct {
	NumImported uint64 `json:"num_imported"`
}

// ImportOutputs imports outputs exported by a view-only wallet. Errors: CodeBadHex, CodeUnknown.
var ImportOutputs = rpc.Method[ImportOutputsRequest, ImportOutputsResponse]{Name: "import_outputs", Restricted: true}

// ExportKeyImagesRequest selects key images.
type ExportKeyImagesRequest struct {
	All bool `json:"all"` // export all, not only those since the last export
}

// SignedKeyImage is a key image with a proof that it belongs to the output.
type SignedKeyImage struct {
	KeyImage  string `json:"key_image"`
	Signature string `json:"signature"`
}

// ExportKeyImagesResponse lists key images.
type ExportKeyImagesResponse struct {
	Offset          uint32           `json:"offset"` // number of outputs skipped at the beginning
	SignedKeyImages []SignedKeyImage `json:"signed_key_images"`
}

// ExportKeyImages returns key images for a view-only wallet. Errors: CodeUnknown.
var ExportKeyImages = rpc.Method[ExportKeyImagesRequest, ExportKeyImagesResponse]{
	Name: "export_key_images", Restricted: true,
}

// ImportKeyImagesRequest is the data returned by ExportKeyImages.
type ImportKeyImagesRequest struct {
	Offset          uint32           `json:"offset"`
	SignedKeyImages []SignedKeyImage `json:"signed_key_images"`
}

// ImportKeyImagesResponse is the spent and unspent totals after the import.
type ImportKeyImagesResponse struct {
	Height  uint64 `json:"height"`  // index of the last output's block
	Spent   uint64 `json:"spent"`   // atomic units
	Unspent uint64 `json:"unspent"` // atomic units
}

// ImportKeyImages imports key images into a view-only wallet, so that it can detect spent outputs.
// Errors: CodeUnknown with an untrusted daemon, CodeWrongKeyImage, CodeWrongSignature.
var ImportKeyImages = rpc.Method[ImportKeyImagesRequest, ImportKeyImagesResponse]{
	Name: "import_key_images", Restricted: true,
}

// RefreshRequest is the height to begin at.
type RefreshRequest struct {
	StartHeight uint64 `json:"start_height"` // block index; no effect below the last scanned block
}

// RefreshResponse is the result of a refresh.
type RefreshResponse struct {
	BlocksFetched uint64 `json:"blocks_fetched"`
	ReceivedMoney bool   `json:"received_money"`
}

// Refresh scans the chain to its end. Errors: CodeNoDaemonConnection, CodeDaemonBusy, CodeUnknown.
var Refresh = rpc.Method[RefreshRequest, RefreshResponse]{Name: "refresh", Restricted: true}

// AutoRefreshRequest configures automatic refresh.
type AutoRefreshRequest struct {
	Enable bool   `json:"enable" default:"true"`
	Period uint32 `json:"period"` // seconds; 0 for the default of 20
}

// AutoRefresh enables or disables periodic refresh by the service. It needs no open wallet.
var AutoRefresh = rpc.Method[AutoRefreshRequest, Empty]{Name: "auto_refresh", Restricted: true}

// ScanTxRequest is a list of transactions.
type ScanTxRequest struct {
	TxIDs []string `json:"txids"`
}

// ScanTx scans single transactions out of order. It reveals to the daemon which transactions these are, and which later
// ones belong to the wallet. Errors: CodeWrongTxID; CodeUnknown, also if a transaction is in a block that has not been
// scanned, or if later transactions must be requested from an untrusted daemon.
var ScanTx = rpc.Method[ScanTxRequest, Empty]{Name: "scan_tx", Restricted: true}

// RescanSpent queries the daemon which outputs are spent. Errors: CodeUnknown with an untrusted daemon.
var RescanSpent = rpc.Method[Empty, Empty]{Name: "rescan_spent", Restricted: true}

// RescanBlockchainRequest selects what is discarded before the rescan.
type RescanBlockchainRequest struct {
	Hard bool `json:"hard"` // also discard data that is not on the chain: destinations, transaction keys, notes
	// KeepKeyImages keeps imported key images, and excludes Hard. glim always keeps them. From 0.19 on.
	KeepKeyImages bool `json:"keep_key_images"`
}

// RescanBlockchain scans the chain again from the restore height. Errors: CodeUnknown.
var RescanBlockchain = rpc.Method[RescanBlockchainRequest, Empty]{Name: "rescan_blockchain", Restricted: true}
