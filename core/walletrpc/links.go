package walletrpc

import "glim/core/rpc"

// AccountGroup is accounts of one wallet that may be linked with each other.
type AccountGroup struct {
	Accounts []uint32 `json:"accounts"`
}

// SetSeparateAccountsRequest is the groups of accounts that payments must not link. An account is in one group at
// most; those in no group are one more group.
type SetSeparateAccountsRequest struct {
	Groups []AccountGroup `json:"groups"` // replaces all groups; empty to allow every payment
}

// SetSeparateAccounts keeps groups of accounts apart. transfer, transfer_split, sweep_all and sweep_single then fail
// with CodeGenericTransfer if an account pays an address of another group of this wallet, or an address that a group
// has paid before from another account, unless allow_links is set. The groups are the attribute
// glim.separate_accounts of the wallet. An extension of glim. Errors: CodeAccountIndexOutOfBounds for an unknown
// account, CodeUnknown for a group without accounts and for an account in two groups.
var SetSeparateAccounts = rpc.Method[SetSeparateAccountsRequest, Empty]{
	Name: "set_separate_accounts", Restricted: true,
}

// GetSeparateAccountsResponse is the groups of accounts that payments must not link.
type GetSeparateAccountsResponse struct {
	Groups []AccountGroup `json:"groups"`
}

// GetSeparateAccounts returns the groups that SetSeparateAccounts has set. An extension of glim. Errors: CodeUnknown if
// the attribute was changed to something else.
var GetSeparateAccounts = rpc.Method[Empty, GetSeparateAccountsResponse]{
	Name: "get_separate_accounts", Restricted: true,
}

// DescribeLinksRequest is the transactions of one payment that was not relayed. One of its members is set.
type DescribeLinksRequest struct {
	TxMetadataList []string `json:"tx_metadata_list"` // tx_metadata of transfer, or tx_metadata_list of the others
	UnsignedTxSet  string   `json:"unsigned_txset"`   // of a view-only wallet; its signer can describe it, too
	MultisigTxSet  string   `json:"multisig_txset"`   // of a multisig wallet; every signer can describe it
}

// LinkedOutput is an output of the wallet that a payment spends.
type LinkedOutput struct {
	TxID         string          `json:"txid"`   // transaction in which it was received
	Amount       uint64          `json:"amount"` // atomic units
	Height       uint64          `json:"height"` // of its block
	SubaddrIndex SubaddressIndex `json:"subaddr_index"`
	Address      string          `json:"address"`
	Label        string          `json:"label"`  // of the address
	Change       bool            `json:"change"` // a payment of the same account made it
}

// LinkedTx is one transaction of a payment, as the wallet knows it.
type LinkedTx struct {
	Spent         []LinkedOutput `json:"spent"`
	Recipients    []Recipient    `json:"recipients"`     // without change
	Outputs       uint64         `json:"outputs"`        // of the transaction, change included
	ChangeAmount  uint64         `json:"change_amount"`  // atomic units
	ChangeAddress string         `json:"change_address"` // empty without change
}

// Linkage is one thing that a payment reveals.
type Linkage struct {
	// Kind is separate_accounts, same_transaction, addresses, receipts, change, own_address, paid_before, outputs,
	// recent or time. More kinds may follow.
	Kind           string            `json:"kind"`
	Text           string            `json:"text"`            // for people, in English
	SubaddrIndices []SubaddressIndex `json:"subaddr_indices"` // addresses of this wallet that it links
	TxIDs          []string          `json:"txids"`           // earlier transactions that it links
	Recipient      string            `json:"recipient"`       // address of a recipient who learns it; or empty
}

// DescribeLinksResponse says what a payment reveals.
type DescribeLinksResponse struct {
	Transactions []LinkedTx `json:"transactions"`
	Links        []Linkage  `json:"links"`
}

// DescribeLinks returns which addresses and earlier transactions of the wallet a payment links, for those who see the
// chain, for payers and for the recipient. It needs no daemon and changes nothing. An extension of glim. Errors:
// CodeUnknown if not exactly one member is set or an output is unknown to the wallet, CodeBadHex, CodeBadTxMetadata,
// CodeBadUnsignedTxData, CodeBadMultisigTxData.
var DescribeLinks = rpc.Method[DescribeLinksRequest, DescribeLinksResponse]{Name: "describe_links", Restricted: true}
