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

// GetTakeoverResponse is what a wallet took over from monero-wallet-rpc. Numbers are of what its cache had.
type GetTakeoverResponse struct {
	// From is cache; or keys when there was no cache, or without-cache when the owner wanted it left out, so that keys
	// and chain are all there is; or empty for a wallet that was not taken over.
	From           string `json:"from"`
	Timestamp      uint64 `json:"timestamp"`       // POSIX, of the last time
	Height         uint64 `json:"height"`          // blocks that monero-wallet-rpc had read
	Accounts       uint64 `json:"accounts"`        // with their labels
	Addresses      uint64 `json:"addresses"`       // in all accounts
	NewAddresses   uint64 `json:"new_addresses"`   // those that the wallet did not have
	Labels         uint64 `json:"labels"`          // that are not the ones a new address gets
	TaggedAccounts uint64 `json:"tagged_accounts"` // accounts with a tag
	Notes          uint64 `json:"notes"`           // about transactions
	Attributes     uint64 `json:"attributes"`
	AddressBook    uint64 `json:"address_book"` // entries
	TxKeys         uint64 `json:"tx_keys"`      // transactions with their secret keys
	Destinations   uint64 `json:"destinations"` // transactions of which it is known whom they paid
	Unconfirmed    uint64 `json:"unconfirmed"`  // transactions sent and in no block, failed ones included
	Frozen         uint64 `json:"frozen"`       // outputs
	KeyImages      uint64 `json:"key_images"`   // of a wallet without the spend key
	Changed        uint64 `json:"changed"`      // entries that are new to the wallet, or another than before
	Reread         bool   `json:"reread"`       // the chain is read again, for payments to some of the new addresses
	// Left says what the cache has and the wallet does not take.
	Left []string `json:"left"`
	// Aside are texts that gave way to others, because the wallet and monero-wallet-rpc had both changed them.
	Aside []TakeoverAside `json:"aside"`
}

// TakeoverAside is a text that is no longer used.
type TakeoverAside struct {
	Kind string `json:"kind"` // label, tag, description, note, attribute or address book
	Name string `json:"name"` // account/address, account, tag, transaction ID, key or address
	Text string `json:"text"`
}

// GetTakeover returns what the wallet took over from monero-wallet-rpc's cache: when it was opened here first, or
// later, after monero-wallet-rpc had changed it. Glim's own.
var GetTakeover = rpc.Method[Empty, GetTakeoverResponse]{Name: "get_takeover", Restricted: true}
