package walletrpc

import "glim/core/rpc"

// GetBalanceRequest selects the account whose balance is returned, or all accounts.
type GetBalanceRequest struct {
	AccountIndex   uint32   `json:"account_index"`
	AddressIndices []uint32 `json:"address_indices"` // addresses to list; empty for every address with a balance
	AllAccounts    bool     `json:"all_accounts"`    // sum all accounts and ignore the two fields above
	Strict         bool     `json:"strict"`          // count mined transactions only
}

// SubaddressBalance is the balance of one address.
type SubaddressBalance struct {
	AccountIndex      uint32 `json:"account_index"`
	AddressIndex      uint32 `json:"address_index"`
	Address           string `json:"address"`
	Balance           uint64 `json:"balance"`          // atomic units, locked or not
	UnlockedBalance   uint64 `json:"unlocked_balance"` // atomic units
	Label             string `json:"label"`
	NumUnspentOutputs uint64 `json:"num_unspent_outputs"`
	BlocksToUnlock    uint64 `json:"blocks_to_unlock"` // until the whole balance is spendable
	TimeToUnlock      uint64 `json:"time_to_unlock"`   // seconds until the whole balance is spendable
}

// GetBalanceResponse is the balance of one account or of all accounts.
type GetBalanceResponse struct {
	Balance         uint64 `json:"balance"`          // atomic units, locked or not
	UnlockedBalance uint64 `json:"unlocked_balance"` // atomic units
	// true if the other signers' information is out of date
	MultisigImportNeeded bool                `json:"multisig_import_needed"`
	PerSubaddress        []SubaddressBalance `json:"per_subaddress"`   // by account, then address
	BlocksToUnlock       uint64              `json:"blocks_to_unlock"` // until the whole balance is spendable
	TimeToUnlock         uint64              `json:"time_to_unlock"`   // seconds until the whole balance is spendable
}

// GetBalance returns the balance of an account. An account that does not exist has balance 0; it is not an error.
// Source: src/wallet/wallet_rpc_server.cpp, on_getbalance.
var GetBalance = rpc.Method[GetBalanceRequest, GetBalanceResponse]{Name: "get_balance", Aliases: []string{"getbalance"}}

// GetAddressRequest selects addresses of one account.
type GetAddressRequest struct {
	AccountIndex uint32   `json:"account_index"`
	AddressIndex []uint32 `json:"address_index"` // empty for all
}

// AddressInfo is one address of an account.
type AddressInfo struct {
	Address      string `json:"address"`
	Label        string `json:"label"`
	AddressIndex uint32 `json:"address_index"`
	Used         bool   `json:"used"` // has received an output
}

// GetAddressResponse lists addresses of one account.
type GetAddressResponse struct {
	Address   string        `json:"address"` // the account's first
	Addresses []AddressInfo `json:"addresses"`
}

// GetAddress returns addresses of an account, in the order of the request.
// Errors: CodeAccountIndexOutOfBounds, CodeAddressIndexOutOfBounds.
var GetAddress = rpc.Method[GetAddressRequest, GetAddressResponse]{Name: "get_address", Aliases: []string{"getaddress"}}

// GetAddressIndexRequest is an address.
type GetAddressIndexRequest struct {
	Address string `json:"address"`
}

// GetAddressIndexResponse is the index of the address in the wallet.
type GetAddressIndexResponse struct {
	Index SubaddressIndex `json:"index"`
}

// GetAddressIndex returns the index of one of the wallet's addresses.
// Errors: CodeWrongAddress for an invalid address and for an address of another wallet.
var GetAddressIndex = rpc.Method[GetAddressIndexRequest, GetAddressIndexResponse]{Name: "get_address_index"}

// SetSubaddressLookaheadRequest is the number of unused accounts and addresses that the wallet scans for.
type SetSubaddressLookaheadRequest struct {
	Password string `json:"password"`  // the wallet's
	MajorIdx uint32 `json:"major_idx"` // accounts after the last used one
	MinorIdx uint32 `json:"minor_idx"` // addresses after the last used one, in each account
}

// SetSubaddressLookahead changes the subaddress lookahead. Errors: CodeInvalidPassword, CodeUnknown.
var SetSubaddressLookahead = rpc.Method[SetSubaddressLookaheadRequest, Empty]{
	Name: "set_subaddress_lookahead", Restricted: true,
}

// CreateAddressRequest describes new addresses of an account.
type CreateAddressRequest struct {
	AccountIndex uint32 `json:"account_index"`
	Count        uint32 `json:"count" default:"1"` // 1 to 65536
	Label        string `json:"label"`             // of each new address
}

// CreateAddressResponse lists the new addresses.
type CreateAddressResponse struct {
	Address        string   `json:"address"`       // the first new address
	AddressIndex   uint32   `json:"address_index"` // of the first new address
	Addresses      []string `json:"addresses"`
	AddressIndices []uint32 `json:"address_indices"`
}

// CreateAddress adds addresses to an account.
// Errors: CodeUnknown for a count out of range, CodeAccountIndexOutOfBounds.
var CreateAddress = rpc.Method[CreateAddressRequest, CreateAddressResponse]{Name: "create_address", Restricted: true}

// LabelAddressRequest is an address with its new label.
type LabelAddressRequest struct {
	Index SubaddressIndex `json:"index"`
	Label string          `json:"label"`
}

// LabelAddress sets the label of an address. Errors: CodeAccountIndexOutOfBounds, CodeAddressIndexOutOfBounds.
var LabelAddress = rpc.Method[LabelAddressRequest, Empty]{Name: "label_address", Restricted: true}

// ValidateAddressRequest is a string to check.
type ValidateAddressRequest struct {
	Address        string `json:"address"`
	AnyNetType     bool   `json:"any_net_type"`    // accept addresses of every network, not only the service's
	AllowOpenAlias bool   `json:"allow_openalias"` // resolve a domain name by OpenAlias
}

// ValidateAddressResponse describes the string.
type ValidateAddressResponse struct {
	Valid            bool   `json:"valid"`
	Integrated       bool   `json:"integrated"`
	Subaddress       bool   `json:"subaddress"`
	NetType          string `json:"nettype"`           // mainnet, testnet or stagenet; empty if not valid
	OpenAliasAddress string `json:"openalias_address"` // the address that the domain name resolves to
}

// ValidateAddress checks an address. With any_net_type it needs no open wallet and never fails.
var ValidateAddress = rpc.Method[ValidateAddressRequest, ValidateAddressResponse]{Name: "validate_address"}

// GetAccountsRequest filters accounts by tag.
type GetAccountsRequest struct {
	Tag            string `json:"tag"`             // empty for all accounts
	StrictBalances bool   `json:"strict_balances"` // count mined transactions only
	Regexp         bool   `json:"regexp"`          // tag is a regular expression that must match a whole tag
	Regex          bool   `json:"regex"`           // the name of regexp in the published interface
}

// AccountInfo is one account.
type AccountInfo struct {
	AccountIndex    uint32 `json:"account_index"`
	BaseAddress     string `json:"base_address"`
	Balance         uint64 `json:"balance"`          // atomic units, locked or not
	UnlockedBalance uint64 `json:"unlocked_balance"` // atomic units
	Label           string `json:"label"`
	Tag             string `json:"tag"`
}

// GetAccountsResponse lists accounts and their total.
type GetAccountsResponse struct {
	TotalBalance         uint64        `json:"total_balance"`          // atomic units
	TotalUnlockedBalance uint64        `json:"total_unlocked_balance"` // atomic units
	SubaddressAccounts   []AccountInfo `json:"subaddress_accounts"`    // by index
}

// GetAccounts returns the accounts with a tag, or all accounts.
// Errors: CodeUnknown if no account has the tag, or no tag matches the expression.
var GetAccounts = rpc.Method[GetAccountsRequest, GetAccountsResponse]{Name: "get_accounts"}

// CreateAccountRequest is the label of a new account.
type CreateAccountRequest struct {
	Label string `json:"label"`
}

// CreateAccountResponse is the new account.
type CreateAccountResponse struct {
	AccountIndex uint32 `json:"account_index"`
	Address      string `json:"address"` // its first address
}

// CreateAccount adds an account.
var CreateAccount = rpc.Method[CreateAccountRequest, CreateAccountResponse]{Name: "create_account", Restricted: true}

// LabelAccountRequest is an account with its new label.
type LabelAccountRequest struct {
	AccountIndex uint32 `json:"account_index"`
	Label        string `json:"label"`
}

// LabelAccount sets the label of an account. Errors: CodeAccountIndexOutOfBounds.
var LabelAccount = rpc.Method[LabelAccountRequest, Empty]{Name: "label_account", Restricted: true}

// AccountTag is a tag with the accounts that have it.
type AccountTag struct {
	Tag      string   `json:"tag"`
	Label    string   `json:"label"` // its description
	Accounts []uint32 `json:"accounts"`
}

// GetAccountTagsResponse lists tags in alphabetical order.
type GetAccountTagsResponse struct {
	AccountTags []AccountTag `json:"account_tags"`
}

// GetAccountTags returns the tags of all accounts.
var GetAccountTags = rpc.Method[Empty, GetAccountTagsResponse]{Name: "get_account_tags"}

// TagAccountsRequest is a tag and the accounts to give it to.
type TagAccountsRequest struct {
	Tag      string   `json:"tag"`
	Accounts []uint32 `json:"accounts"`
}

// TagAccounts sets the tag of accounts, replacing any earlier tag. Errors: CodeUnknown for an unknown account.
var TagAccounts = rpc.Method[TagAccountsRequest, Empty]{Name: "tag_accounts", Restricted: true}

// UntagAccountsRequest lists the accounts to untag.
type UntagAccountsRequest struct {
	Accounts []uint32 `json:"accounts"`
}

// UntagAccounts removes the tags of accounts. Errors: CodeUnknown for an unknown account.
var UntagAccounts = rpc.Method[UntagAccountsRequest, Empty]{Name: "untag_accounts", Restricted: true}

// SetAccountTagDescriptionRequest is a tag with its new description.
type SetAccountTagDescriptionRequest struct {
	Tag         string `json:"tag"`
	Description string `json:"description"`
}

// SetAccountTagDescription sets the description of a tag. Errors: CodeUnknown if no account has the tag.
var SetAccountTagDescription = rpc.Method[SetAccountTagDescriptionRequest, Empty]{
	Name: "set_account_tag_description", Restricted: true,
}

// GetHeightResponse is the height to which the wallet has scanned the chain.
type GetHeightResponse struct {
	Height uint64 `json:"height"` // blocks, the genesis block included
}

// GetHeight returns the number of blocks that the wallet has scanned.
var GetHeight = rpc.Method[Empty, GetHeightResponse]{Name: "get_height", Aliases: []string{"getheight"}}
