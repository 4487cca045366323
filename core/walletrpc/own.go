package walletrpc

import "glim/core/rpc"

// ExportKeysFileRequest names the file to make.
type ExportKeysFileRequest struct {
	Filename string `json:"filename"` // a name in the wallet folder that no wallet has, without a slash and without .keys
	Password string `json:"password"` // of the file
}

// ExportKeysFileResponse is the file made.
type ExportKeysFileResponse struct {
	Filename string `json:"filename"` // with .keys
}

// ExportKeysFile writes the wallet's keys, its language and its restore height to a file that monero-wallet-rpc opens, whose
// history comes from the chain. It is glim's own: the reference has no such operation.
// Errors: CodeNoWalletDir, CodeUnknown for a name that cannot be, CodeWalletAlreadyExists.
var ExportKeysFile = rpc.Method[ExportKeysFileRequest, ExportKeysFileResponse]{Name: "export_keys_file", Restricted: true}
