package walletrpc

import "glim/core/rpc"

// GetBalanceRequest asks for the balance of one account or of all.
type GetBalanceRequest struct {
	AccountIndex   uint32   `json:"account_index"`
	AddressIndices []uint32 `json:"address_indices"` // addresses to list; none for every one that holds money
	AllAccounts    bool     `json:"all_accounts"`    // sums all accounts; the two above are ignored
	Strict         bool     `json:"strict"`          // counts mined transactions only
}

// SubaddressBalance is the money at one address.
type SubaddressBalance struct {
	AccountIndex      uint32 `json:"account_index"`
	AddressIndex      uint32 `json:"address_index"`
	Address           string `json:"address"`
	Balance           uint64 `json:"balance"`          // atomic units, locked or not
	UnlockedBalance   uint64 `json:"unlocked_balance"` // atomic units
	Label             string `json:"label"`
	NumUnspentOutputs uint64 `json:"num_unspent_outputs"`
	BlocksToUnlock    uint64 `json:"blocks_to_unlock"` // until everything here is spendable
	TimeToUnlock      uint64 `json:"time_to_unlock"`   // seconds until everything here is spendable
}

// GetBalanceResponse is the money of one account or of all.
type GetBalanceResponse struct {
	Balance              uint64              `json:"balance"`                // atomic units, locked or not
	UnlockedBalance      uint64              `json:"unlocked_balance"`       // atomic units
	MultisigImportNeeded bool                `json:"multisig_import_needed"` // true when the other signers' information is out of date
	PerSubaddress        []SubaddressBalance `json:"per_subaddress"`         // by account, then address
	BlocksToUnlock       uint64              `json:"blocks_to_unlock"`       // until everything is spendable
	TimeToUnlock         uint64              `json:"time_to_unlock"`         // seconds until everything is spendable
}

// GetBalance returns what an account holds. It does not refuse an account that does not exist: that one holds nothing.
// Source: src/wallet/wallet_rpc_server.cpp, on_getbalance.
var GetBalance = rpc.Method[GetBalanceRequest, GetBalanceResponse]{Name: "get_balance", Aliases: []string{"getbalance"}}

// GetAddressRequest asks for addresses of one account.
type GetAddressRequest struct {
	AccountIndex uint32   `json:"account_index"`
	AddressIndex []uint32 `json:"address_index"` // none for all
}

// AddressInfo is one address of an account.
type AddressInfo struct {
	Address      string `json:"address"`
	Label        string `json:"label"`
	AddressIndex uint32 `json:"address_index"`
	Used         bool   `json:"used"` // has received money
}

// GetAddressResponse lists addresses of one account.
type GetAddressResponse struct {
	Address   string        `json:"address"` // the account's first
	Addresses []AddressInfo `json:"addresses"`
}

// GetAddress returns addresses of an account, in the order asked.
// Errors: CodeAccountIndexOutOfBounds, CodeAddressIndexOutOfBounds.
var GetAddress = rpc.Method[GetAddressRequest, GetAddressResponse]{Name: "get_address", Aliases: []string{"getaddress"}}

// GetAddressIndexRequest names an address.
type GetAddressIndexRequest struct {
	Address string `json:"address"`
}

// GetAddressIndexResponse says where the address is in the wallet.
type GetAddressIndexResponse struct {
	Index SubaddressIndex `json:"index"`
}

// GetAddressIndex returns the index of one of the wallet's addresses.
// Errors: CodeWrongAddress for what is no address and for what is another wallet's.
var GetAddressIndex = rpc.Method[GetAddressIndexRequest, GetAddressIndexResponse]{Name: "get_address_index"}

// SetSubaddressLookaheadRequest sets how far beyond the last used index the wallet looks for its addresses.
type SetSubaddressLookaheadRequest struct {
	Password string `json:"password"`  // the wallet's
	MajorIdx uint32 `json:"major_idx"` // accounts
	MinorIdx uint32 `json:"minor_idx"` // addresses in each
}

// SetSubaddressLookahead changes the search depth for subaddresses. Errors: CodeInvalidPassword, CodeUnknown.
var SetSubaddressLookahead = rpc.Method[SetSubaddressLookaheadRequest, Empty]{Name: "set_subaddress_lookahead", Restricted: true}

// CreateAddressRequest asks for new addresses in an account.
type CreateAddressRequest struct {
	AccountIndex uint32 `json:"account_index"`
	Count        uint32 `json:"count" default:"1"` // 1 to 65536
	Label        string `json:"label"`             // given to each
}

// CreateAddressResponse lists the new addresses.
type CreateAddressResponse struct {
	Address        string   `json:"address"`       // the first of them
	AddressIndex   uint32   `json:"address_index"` // of the first
	Addresses      []string `json:"addresses"`
	AddressIndices []uint32 `json:"address_indices"`
}

// CreateAddress makes addresses at the end of an account.
// Errors: CodeUnknown for a count out of range, CodeAccountIndexOutOfBounds.
var CreateAddress = rpc.Method[CreateAddressRequest, CreateAddressResponse]{Name: "create_address", Restricted: true}

// LabelAddressRequest names an address and its new label.
type LabelAddressRequest struct {
	Index SubaddressIndex `json:"index"`
	Label string          `json:"label"`
}

// LabelAddress labels an address. Errors: CodeAccountIndexOutOfBounds, CodeAddressIndexOutOfBounds.
var LabelAddress = rpc.Method[LabelAddressRequest, Empty]{Name: "label_address", Restricted: true}

// ValidateAddressRequest is a text that may be an address.
type ValidateAddressRequest struct {
	Address        string `json:"address"`
	AnyNetType     bool   `json:"any_net_type"`    // accept every network's, not the service's alone
	AllowOpenAlias bool   `json:"allow_openalias"` // look a domain name up
}

// ValidateAddressResponse says what the text is.
type ValidateAddressResponse struct {
	Valid            bool   `json:"valid"`
	Integrated       bool   `json:"integrated"`
	Subaddress       bool   `json:"subaddress"`
	NetType          string `json:"nettype"`           // mainnet, testnet, stagenet; empty when not valid
	OpenAliasAddress string `json:"openalias_address"` // what the domain name stands for
}

// ValidateAddress judges an address. It needs no wallet when the addresses of every network are asked for, and then never fails.
var ValidateAddress = rpc.Method[ValidateAddressRequest, ValidateAddressResponse]{Name: "validate_address"}

// GetAccountsRequest filters accounts by tag.
type GetAccountsRequest struct {
	Tag            string `json:"tag"`             // none for all
	StrictBalances bool   `json:"strict_balances"` // counts mined transactions only
	Regexp         bool   `json:"regexp"`          // tag is a regular expression for the whole tag
	Regex          bool   `json:"regex"`           // the published name of regexp
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

// GetAccountsResponse lists accounts with their sum.
type GetAccountsResponse struct {
	TotalBalance         uint64        `json:"total_balance"`          // atomic units
	TotalUnlockedBalance uint64        `json:"total_unlocked_balance"` // atomic units
	SubaddressAccounts   []AccountInfo `json:"subaddress_accounts"`    // by index
}

// GetAccounts returns the accounts with a tag, or all.
// Errors: CodeUnknown for a tag no account has and for an expression none matches.
var GetAccounts = rpc.Method[GetAccountsRequest, GetAccountsResponse]{Name: "get_accounts"}

// CreateAccountRequest labels the account to make.
type CreateAccountRequest struct {
	Label string `json:"label"`
}

// CreateAccountResponse is the account made.
type CreateAccountResponse struct {
	AccountIndex uint32 `json:"account_index"`
	Address      string `json:"address"` // its first
}

// CreateAccount makes an account after the last.
var CreateAccount = rpc.Method[CreateAccountRequest, CreateAccountResponse]{Name: "create_account", Restricted: true}

// LabelAccountRequest names an account and its new label.
type LabelAccountRequest struct {
	AccountIndex uint32 `json:"account_index"`
	Label        string `json:"label"`
}

// LabelAccount labels an account. Errors: CodeAccountIndexOutOfBounds.
var LabelAccount = rpc.Method[LabelAccountRequest, Empty]{Name: "label_account", Restricted: true}

// AccountTag is a tag with the accounts that carry it.
type AccountTag struct {
	Tag      string   `json:"tag"`
	Label    string   `json:"label"` // its description
	Accounts []uint32 `json:"accounts"`
}

// GetAccountTagsResponse lists tags in sorted order.
type GetAccountTagsResponse struct {
	AccountTags []AccountTag `json:"account_tags"`
}

// GetAccountTags returns every tag in use.
var GetAccountTags = rpc.Method[Empty, GetAccountTagsResponse]{Name: "get_account_tags"}

// TagAccountsRequest gives a tag to accounts.
type TagAccountsRequest struct {
	Tag      string   `json:"tag"`
	Accounts []uint32 `json:"accounts"`
}

// TagAccounts puts a tag on accounts in the place of the one they had. Errors: CodeUnknown for an unknown account.
var TagAccounts = rpc.Method[TagAccountsRequest, Empty]{Name: "tag_accounts", Restricted: true}

// UntagAccountsRequest names accounts.
type UntagAccountsRequest struct {
	Accounts []uint32 `json:"accounts"`
}

// UntagAccounts takes the tags off accounts. Errors: CodeUnknown for an unknown account.
var UntagAccounts = rpc.Method[UntagAccountsRequest, Empty]{Name: "untag_accounts", Restricted: true}

// SetAccountTagDescriptionRequest describes a tag.
type SetAccountTagDescriptionRequest struct {
	Tag         string `json:"tag"`
	Description string `json:"description"`
}

// SetAccountTagDescription describes a tag in use. Errors: CodeUnknown for a tag no account has.
var SetAccountTagDescription = rpc.Method[SetAccountTagDescriptionRequest, Empty]{Name: "set_account_tag_description", Restricted: true}

// GetHeightResponse is how far the wallet has read the chain.
type GetHeightResponse struct {
	Height uint64 `json:"height"` // blocks, the genesis block included
}

// GetHeight returns how many blocks the wallet knows.
var GetHeight = rpc.Method[Empty, GetHeightResponse]{Name: "get_height", Aliases: []string{"getheight"}}
