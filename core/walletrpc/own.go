package walletrpc

import "glim/core/rpc"

// ExportKeysFileRequest is the name and password of the exported file.
type ExportKeysFileRequest struct {
	// an unused name in the wallet folder, without a slash and without .keys
	Filename string `json:"filename"`
	Password string `json:"password"` // password of the file
}

// ExportKeysFileResponse is the exported file.
type ExportKeysFileResponse struct {
	Filename string `json:"filename"` // ends in .keys
}

// ExportKeysFile writes the wallet's keys, language and restore height to a .keys file for monero-wallet-rpc, which
// rebuilds the history from the chain. An extension of glim. Errors: CodeNoWalletDir, CodeUnknown for an invalid name,
// CodeWalletAlreadyExists.
var ExportKeysFile = rpc.Method[ExportKeysFileRequest, ExportKeysFileResponse]{
	Name: "export_keys_file", Restricted: true,
}

// ExportKeyImagesDataRequest selects key images.
type ExportKeyImagesDataRequest struct {
	All bool `json:"all"` // export all, not only those since the last export
}

// ExportKeyImagesDataResponse is the content of a file of key images.
type ExportKeyImagesDataResponse struct {
	KeyImagesDataHex string `json:"key_images_data_hex"` // encrypted with the view key
}

// ExportKeyImagesData returns key images for a view-only wallet as the file that the command export_key_images of
// monero-wallet-cli writes, which Feather and other wallets exchange as QR codes. An extension of glim.
// Errors: CodeUnknown.
var ExportKeyImagesData = rpc.Method[ExportKeyImagesDataRequest, ExportKeyImagesDataResponse]{
	Name: "export_key_images_data", Restricted: true,
}

// ImportKeyImagesDataRequest is the data returned by ExportKeyImagesData, or the file that another wallet exported.
type ImportKeyImagesDataRequest struct {
	KeyImagesDataHex string `json:"key_images_data_hex"`
}

// ImportKeyImagesData imports such a file into a view-only wallet, so that it can detect spent outputs. An extension of
// glim. Errors: CodeUnknown with an untrusted daemon or for data of another wallet, CodeBadHex, CodeWrongSignature.
var ImportKeyImagesData = rpc.Method[ImportKeyImagesDataRequest, ImportKeyImagesResponse]{
	Name: "import_key_images_data", Restricted: true,
}

// GetDaemonResponse is the daemon in use, without its login and proxy.
type GetDaemonResponse struct {
	Address    string `json:"address"`     // host:port or a URL; empty for none
	Trusted    bool   `json:"trusted"`     // operations may rely on the daemon's word
	SSLSupport string `json:"ssl_support"` // disabled, enabled or autodetect
	SetDaemon  bool   `json:"set_daemon"`  // set by set_daemon for the open wallet
}

// GetDaemon returns the daemon that the service uses. It needs no open wallet. An extension of glim.
var GetDaemon = rpc.Method[Empty, GetDaemonResponse]{Name: "get_daemon", Restricted: true}

// GetTakeoverResponse describes the import from monero-wallet-rpc. Numbers count the contents of its cache.
type GetTakeoverResponse struct {
	// From is the source: "cache"; "keys" if there was no cache; "without-cache" if the owner chose to ignore the
	// cache; empty for a wallet that was not imported.
	From           string `json:"from"`
	Timestamp      uint64 `json:"timestamp"`       // seconds since 1970, of the last import
	Height         uint64 `json:"height"`          // blocks that monero-wallet-rpc had scanned
	Accounts       uint64 `json:"accounts"`        // with their labels
	Addresses      uint64 `json:"addresses"`       // in all accounts
	NewAddresses   uint64 `json:"new_addresses"`   // that were new to the wallet
	Labels         uint64 `json:"labels"`          // that differ from the default label
	TaggedAccounts uint64 `json:"tagged_accounts"` // accounts with a tag
	Notes          uint64 `json:"notes"`           // of transactions
	Attributes     uint64 `json:"attributes"`
	AddressBook    uint64 `json:"address_book"` // entries
	TxKeys         uint64 `json:"tx_keys"`      // transactions with their secret keys
	Destinations   uint64 `json:"destinations"` // transactions with known destinations
	Unconfirmed    uint64 `json:"unconfirmed"`  // sent transactions that are not mined, failed ones included
	Frozen         uint64 `json:"frozen"`       // outputs
	KeyImages      uint64 `json:"key_images"`   // of a wallet without the spend key
	Changed        uint64 `json:"changed"`      // entries that were new or changed
	Reread         bool   `json:"reread"`       // the chain is scanned again for payments to new addresses
	// Left lists contents of the cache that were not imported.
	Left []string `json:"left"`
	// Aside lists texts that were replaced because both the wallet and monero-wallet-rpc had changed them.
	Aside []TakeoverAside `json:"aside"`
}

// TakeoverAside is a text that was replaced.
type TakeoverAside struct {
	Kind string `json:"kind"` // label, tag, description, note, attribute or address book
	Name string `json:"name"` // account/address, account, tag, transaction ID, key or address
	Text string `json:"text"`
}

// GetTakeover describes what the wallet imported from monero-wallet-rpc's cache: when it was first opened by glim, and
// again after monero-wallet-rpc changed the cache. An extension of glim.
var GetTakeover = rpc.Method[Empty, GetTakeoverResponse]{Name: "get_takeover", Restricted: true}
