package walletrpc

import (
	"encoding/json"

	"glim/core/rpc"
)

// GetLanguagesResponse lists the languages of seed words.
type GetLanguagesResponse struct {
	Languages      []string `json:"languages"`       // English names
	LanguagesLocal []string `json:"languages_local"` // native names, in the same order
}

// GetLanguages returns the languages of seed words. It needs no open wallet.
var GetLanguages = rpc.Method[Empty, GetLanguagesResponse]{Name: "get_languages"}

// CreateWalletRequest describes a new wallet.
type CreateWalletRequest struct {
	Filename string `json:"filename"` // a name in the wallet folder, without a slash; empty for a wallet in memory
	Password string `json:"password"`
	Language string `json:"language"` // of the seed words; English or native name

	// SeedType is an extension of glim: "polyseed" creates a Polyseed, in one of its languages. "carrot" creates a
	// wallet with the keys of the next hard fork, which has no words: query_key returns its master_secret.
	SeedType string `json:"seed_type"`
}

// CreateWallet creates a wallet with a random seed and opens it in place of the open one. It needs no open wallet.
// Errors: CodeNoWalletDir, CodeUnknown for an invalid name or language, CodeWalletAlreadyExists.
var CreateWallet = rpc.Method[CreateWalletRequest, Empty]{Name: "create_wallet", Restricted: true}

// OpenWalletRequest selects a wallet.
type OpenWalletRequest struct {
	Filename        string `json:"filename"` // a name in the wallet folder, without a slash
	Password        string `json:"password"`
	AutosaveCurrent bool   `json:"autosave_current" default:"true"` // store the open wallet before it is closed
}

// OpenWalletResponse is empty if the wallet opened without a warning.
type OpenWalletResponse struct {
	// Warning is a sentence for people: the wallet file is truncated, or may be, because it is an older copy or was not
	// closed. Omitted otherwise. An extension of glim.
	Warning string `json:"warning,omitempty"`
}

// OpenWallet opens a wallet in place of the open one. It needs no open wallet.
// Errors: CodeNoWalletDir, CodeUnknown for an invalid name, file or password.
var OpenWallet = rpc.Method[OpenWalletRequest, OpenWalletResponse]{Name: "open_wallet", Restricted: true}

// CloseWalletRequest tells whether to store the wallet first.
type CloseWalletRequest struct {
	AutosaveCurrent bool `json:"autosave_current" default:"true"`
}

// CloseWallet closes the wallet. Errors: CodeUnknown if it cannot be stored.
var CloseWallet = rpc.Method[CloseWalletRequest, Empty]{Name: "close_wallet", Restricted: true}

// ChangeWalletPasswordRequest is the old and the new password.
type ChangeWalletPasswordRequest struct {
	OldPassword string `json:"old_password"`
	NewPassword string `json:"new_password"`
}

// ChangeWalletPassword changes the password of the wallet's files. Errors: CodeInvalidPassword.
var ChangeWalletPassword = rpc.Method[ChangeWalletPasswordRequest, Empty]{
	Name: "change_wallet_password", Restricted: true,
}

// GenerateFromKeysRequest is the keys of a wallet.
type GenerateFromKeysRequest struct {
	RestoreHeight   uint64 `json:"restore_height"` // index of the first block to scan
	Filename        string `json:"filename"`       // empty for a wallet in memory
	Address         string `json:"address"`
	SpendKey        string `json:"spendkey"` // empty for a view-only wallet
	ViewKey         string `json:"viewkey"`
	Password        string `json:"password"`
	AutosaveCurrent bool   `json:"autosave_current" default:"true"`
	Language        string `json:"language"` // of the seed words, if the keys have a seed

	// RestoreDate is an extension of glim: YYYY-MM-DD or seconds since 1970, instead of restore_height. If both are
	// given, the earlier applies.
	RestoreDate json.RawMessage `json:"restore_date"`

	// The following fields are an extension of glim: secrets of one tier of the next hard fork, 64 hexadecimal digits
	// each. address and viewkey are then optional, except in the last tier.
	MasterSecret          string `json:"master_secret"`           // tier master
	ViewBalanceSecret     string `json:"view_balance_secret"`     // tier view-all, with partial_spend_key
	PartialSpendKey       string `json:"partial_spend_key"`       // a public key
	GenerateAddressSecret string `json:"generate_address_secret"` // tier view-received, with viewkey and address
}

// GenerateFromKeysResponse is the new wallet.
type GenerateFromKeysResponse struct {
	Address string `json:"address"`
	Info    string `json:"info"` // a sentence for people
}

// GenerateFromKeys creates a wallet from its keys and opens it. It needs no open wallet.
// Errors: CodeNoWalletDir, CodeUnknown, CodeWalletAlreadyExists.
var GenerateFromKeys = rpc.Method[GenerateFromKeysRequest, GenerateFromKeysResponse]{
	Name: "generate_from_keys", Restricted: true,
}

// RestoreDeterministicWalletRequest is the seed of a wallet.
type RestoreDeterministicWalletRequest struct {
	RestoreHeight uint64 `json:"restore_height"` // index of the first block to scan
	Filename      string `json:"filename"`       // empty for a wallet in memory
	// words; hex for a multisig seed; as an extension of glim, a Polyseed, or with seed_type a seed of another wallet
	Seed                       string `json:"seed"`
	SeedOffset                 string `json:"seed_offset"` // passphrase of the seed
	Password                   string `json:"password"`
	Language                   string `json:"language"` // needed only for the oldest seeds
	AutosaveCurrent            bool   `json:"autosave_current" default:"true"`
	EnableMultisigExperimental bool   `json:"enable_multisig_experimental"`

	// RestoreDate is an extension of glim; see GenerateFromKeysRequest. A Polyseed contains its own date.
	RestoreDate json.RawMessage `json:"restore_date"`

	// SeedType is an extension of glim: monero, polyseed, mymonero, trezor or ledger. If it is empty, only seeds of
	// the first two types are accepted. Words of another type than the given one fail, and the error names the types.
	SeedType string `json:"seed_type"`
	Account  uint32 `json:"account"` // number of the account of a trezor or ledger, below 2^31; an extension of glim
}

// RestoreDeterministicWalletResponse is the restored wallet.
type RestoreDeterministicWalletResponse struct {
	Address string `json:"address"`
	// 25 words for a hardware wallet's seed; empty for mymonero, because no words of Monero restore such a wallet
	Seed string `json:"seed"`
	Info string `json:"info"` // a sentence for people
	// the seed had an old format or no checksum word; seed is its replacement
	WasDeprecated bool `json:"was_deprecated"`
}

// RestoreDeterministicWallet restores a wallet from its seed and opens it. It needs no open wallet.
// Errors: CodeNoWalletDir, CodeUnknown, CodeWalletAlreadyExists.
var RestoreDeterministicWallet = rpc.Method[RestoreDeterministicWalletRequest, RestoreDeterministicWalletResponse]{
	Name: "restore_deterministic_wallet", Restricted: true,
}

// Store writes the wallet to its files.
var Store = rpc.Method[Empty, Empty]{Name: "store", Restricted: true}

// StopWallet stores the wallet and shuts the service down.
var StopWallet = rpc.Method[Empty, Empty]{Name: "stop_wallet", Restricted: true}

// SetupBackgroundSyncRequest selects the password that protects the wallet during background sync.
type SetupBackgroundSyncRequest struct {
	// off, reuse-wallet-password, custom-background-password
	BackgroundSyncType      string `json:"background_sync_type"`
	WalletPassword          string `json:"wallet_password"`
	BackgroundCachePassword string `json:"background_cache_password"` // for custom-background-password
}

// SetupBackgroundSync prepares synchronisation without the spend key in memory.
// Errors: CodeInvalidPassword, CodeWatchOnly, CodeUnknown for a multisig wallet.
var SetupBackgroundSync = rpc.Method[SetupBackgroundSyncRequest, Empty]{Name: "setup_background_sync", Restricted: true}

// StartBackgroundSync erases the spend key from memory and continues to synchronise. Errors: as SetupBackgroundSync.
var StartBackgroundSync = rpc.Method[Empty, Empty]{Name: "start_background_sync", Restricted: true}

// StopBackgroundSyncRequest restores the spend key.
type StopBackgroundSyncRequest struct {
	WalletPassword string `json:"wallet_password"`
	Seed           string `json:"seed"`        // instead of the password
	SeedOffset     string `json:"seed_offset"` // passphrase of the seed
}

// StopBackgroundSync ends background sync. Errors: CodeInvalidPassword, CodeUnknown.
var StopBackgroundSync = rpc.Method[StopBackgroundSyncRequest, Empty]{Name: "stop_background_sync", Restricted: true}
