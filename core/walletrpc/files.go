package walletrpc

import (
	"encoding/json"

	"glim/core/rpc"
)

// GetLanguagesResponse lists the languages of seeds.
type GetLanguagesResponse struct {
	Languages      []string `json:"languages"`       // English names
	LanguagesLocal []string `json:"languages_local"` // names in the language, in the same order
}

// GetLanguages returns the languages seeds can be written in. It needs no wallet.
var GetLanguages = rpc.Method[Empty, GetLanguagesResponse]{Name: "get_languages"}

// CreateWalletRequest describes a new wallet.
type CreateWalletRequest struct {
	Filename string `json:"filename"` // a name in the wallet folder, without a slash; empty keeps it in memory
	Password string `json:"password"`
	Language string `json:"language"` // of the seed, by either name

	// SeedType is beyond the reference: polyseed for a seed of sixteen words, in a language of those.
	SeedType string `json:"seed_type"`
}

// CreateWallet makes a wallet with a random seed and opens it in the place of the one open. It needs no wallet.
// Errors: CodeNoWalletDir, CodeUnknown for a name or a language that cannot be, CodeWalletAlreadyExists.
var CreateWallet = rpc.Method[CreateWalletRequest, Empty]{Name: "create_wallet", Restricted: true}

// OpenWalletRequest names a wallet.
type OpenWalletRequest struct {
	Filename        string `json:"filename"` // a name in the wallet folder, without a slash
	Password        string `json:"password"`
	AutosaveCurrent bool   `json:"autosave_current" default:"true"` // store the one open before it closes
}

// OpenWalletResponse is empty when all is well.
type OpenWalletResponse struct {
	// Warning says, for people, that the wallet's file is cut short, or may be: it is an older copy, or was not closed and nobody knows its end.
	// Left out when there is nothing to say. Glim's own.
	Warning string `json:"warning,omitempty"`
}

// OpenWallet opens a wallet in the place of the one open. It needs no wallet.
// Errors: CodeNoWalletDir, CodeUnknown for a name, a file or a password that does not open.
var OpenWallet = rpc.Method[OpenWalletRequest, OpenWalletResponse]{Name: "open_wallet", Restricted: true}

// CloseWalletRequest says whether to store first.
type CloseWalletRequest struct {
	AutosaveCurrent bool `json:"autosave_current" default:"true"`
}

// CloseWallet closes the wallet. Errors: CodeUnknown when it cannot be stored.
var CloseWallet = rpc.Method[CloseWalletRequest, Empty]{Name: "close_wallet", Restricted: true}

// ChangeWalletPasswordRequest is the old password and the new.
type ChangeWalletPasswordRequest struct {
	OldPassword string `json:"old_password"`
	NewPassword string `json:"new_password"`
}

// ChangeWalletPassword changes the password of the wallet's files. Errors: CodeInvalidPassword.
var ChangeWalletPassword = rpc.Method[ChangeWalletPasswordRequest, Empty]{Name: "change_wallet_password", Restricted: true}

// GenerateFromKeysRequest describes a wallet by its keys.
type GenerateFromKeysRequest struct {
	RestoreHeight   uint64 `json:"restore_height"` // index of the first block to read
	Filename        string `json:"filename"`       // empty keeps it in memory
	Address         string `json:"address"`
	SpendKey        string `json:"spendkey"` // empty for a view-only wallet
	ViewKey         string `json:"viewkey"`
	Password        string `json:"password"`
	AutosaveCurrent bool   `json:"autosave_current" default:"true"`
	Language        string `json:"language"` // of the seed, when the keys have one

	// RestoreDate is beyond the reference: YYYY-MM-DD or seconds since 1970 in the place of the height; with both, the earlier counts.
	RestoreDate json.RawMessage `json:"restore_date"`
}

// GenerateFromKeysResponse is the wallet made.
type GenerateFromKeysResponse struct {
	Address string `json:"address"`
	Info    string `json:"info"` // a sentence for people
}

// GenerateFromKeys makes a wallet from its keys and opens it. It needs no wallet.
// Errors: CodeNoWalletDir, CodeUnknown, CodeWalletAlreadyExists.
var GenerateFromKeys = rpc.Method[GenerateFromKeysRequest, GenerateFromKeysResponse]{Name: "generate_from_keys", Restricted: true}

// RestoreDeterministicWalletRequest describes a wallet by its seed.
type RestoreDeterministicWalletRequest struct {
	RestoreHeight              uint64 `json:"restore_height"` // index of the first block to read
	Filename                   string `json:"filename"`       // empty keeps it in memory
	Seed                       string `json:"seed"`           // words; hex for a multisig seed; sixteen words beyond the reference
	SeedOffset                 string `json:"seed_offset"`    // passphrase over the seed
	Password                   string `json:"password"`
	Language                   string `json:"language"` // needed for the oldest seeds alone
	AutosaveCurrent            bool   `json:"autosave_current" default:"true"`
	EnableMultisigExperimental bool   `json:"enable_multisig_experimental"`

	// RestoreDate is beyond the reference, as GenerateFromKeysRequest's. Sixteen words know theirs.
	RestoreDate json.RawMessage `json:"restore_date"`
}

// RestoreDeterministicWalletResponse is the wallet made.
type RestoreDeterministicWalletResponse struct {
	Address       string `json:"address"`
	Seed          string `json:"seed"`
	Info          string `json:"info"`           // a sentence for people
	WasDeprecated bool   `json:"was_deprecated"` // the seed was of an old kind, or its checksum word was missing; seed is its replacement
}

// RestoreDeterministicWallet makes a wallet from its seed and opens it. It needs no wallet.
// Errors: CodeNoWalletDir, CodeUnknown, CodeWalletAlreadyExists.
var RestoreDeterministicWallet = rpc.Method[RestoreDeterministicWalletRequest, RestoreDeterministicWalletResponse]{Name: "restore_deterministic_wallet", Restricted: true}

// Store writes the wallet to its files.
var Store = rpc.Method[Empty, Empty]{Name: "store", Restricted: true}

// StopWallet stores the wallet and ends the service.
var StopWallet = rpc.Method[Empty, Empty]{Name: "stop_wallet", Restricted: true}

// SetupBackgroundSyncRequest chooses what is kept while syncing in the background.
type SetupBackgroundSyncRequest struct {
	BackgroundSyncType      string `json:"background_sync_type"` // off, reuse-wallet-password, custom-background-password
	WalletPassword          string `json:"wallet_password"`
	BackgroundCachePassword string `json:"background_cache_password"` // with the custom type
}

// SetupBackgroundSync prepares syncing without the spend key in memory.
// Errors: CodeInvalidPassword, CodeWatchOnly, CodeUnknown for a multisig wallet.
var SetupBackgroundSync = rpc.Method[SetupBackgroundSyncRequest, Empty]{Name: "setup_background_sync", Restricted: true}

// StartBackgroundSync wipes the spend key from memory and goes on syncing. Errors: as SetupBackgroundSync.
var StartBackgroundSync = rpc.Method[Empty, Empty]{Name: "start_background_sync", Restricted: true}

// StopBackgroundSyncRequest opens the spend key again.
type StopBackgroundSyncRequest struct {
	WalletPassword string `json:"wallet_password"`
	Seed           string `json:"seed"`        // in the place of the password
	SeedOffset     string `json:"seed_offset"` // passphrase over the seed
}

// StopBackgroundSync ends syncing in the background. Errors: CodeInvalidPassword, CodeUnknown.
var StopBackgroundSync = rpc.Method[StopBackgroundSyncRequest, Empty]{Name: "stop_background_sync", Restricted: true}
