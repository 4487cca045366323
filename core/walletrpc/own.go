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

// GetDaemonResponse is the daemon in use, without its login and proxy.
type GetDaemonResponse struct {
	Address    string `json:"address"`     // host:port or a URL; empty for none
	Trusted    bool   `json:"trusted"`     // some operations need it
	SSLSupport string `json:"ssl_support"` // disabled, enabled, autodetect
	SetDaemon  bool   `json:"set_daemon"`  // chosen by set_daemon, for the open wallet alone
}

// GetDaemon returns which daemon the service uses. It needs no wallet. It is glim's own: the reference has no such operation.
var GetDaemon = rpc.Method[Empty, GetDaemonResponse]{Name: "get_daemon", Restricted: true}
