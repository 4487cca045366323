package walletrpc

import "glim/core/rpc"

// Destination is an amount to pay to an address.
type Destination struct {
	Amount  uint64 `json:"amount"` // atomic units
	Address string `json:"address"`
}

// KeyImageList is the key images spent by one transaction.
type KeyImageList struct {
	KeyImages []string `json:"key_images"`
}

// AmountsList is the amounts paid by one transaction, in the order of its destinations.
type AmountsList struct {
	Amounts []uint64 `json:"amounts"` // atomic units
}

// TransferRequest is a payment that must fit in one transaction.
type TransferRequest struct {
	Destinations   []Destination `json:"destinations"`
	AccountIndex   uint32        `json:"account_index"`   // account to spend from
	SubaddrIndices []uint32      `json:"subaddr_indices"` // addresses to spend from; empty for any
	// indices of the destinations that pay the fee; empty if the sender pays it
	SubtractFeeFromOutputs []uint32 `json:"subtract_fee_from_outputs"`
	Priority               uint32   `json:"priority"`    // 0 default, 1 unimportant, 2 normal, 3 elevated, 4 priority
	RingSize               uint64   `json:"ring_size"`   // ignored: the ring size is fixed by consensus
	Mixin                  uint64   `json:"mixin"`       // ignored
	UnlockTime             uint64   `json:"unlock_time"` // must be 0
	PaymentID              string   `json:"payment_id"`  // must be empty
	GetTxKey               bool     `json:"get_tx_key"`
	DoNotRelay             bool     `json:"do_not_relay"`
	GetTxHex               bool     `json:"get_tx_hex"`
	GetTxMetadata          bool     `json:"get_tx_metadata"`
	// IdempotencyKey is a name for this payment, chosen by the client. A second request with the same name sends
	// nothing and returns the first response, so a client that received no response can safely retry. If the first
	// transaction failed, the second request replaces it with one that spends a common output. It fails with
	// CodeGenericTransfer if that is impossible, or if the name belongs to another payment. An extension of glim.
	IdempotencyKey string `json:"idempotency_key"`
	// KeyImages, if not empty, are those of the only outputs that may be spent. They belong to account_index and, if
	// that is not empty, to subaddr_indices. Fails with CodeWrongKeyImage for text that is not a key image, with
	// CodeGenericTransfer if an output is unknown, frozen, spent or of another account or address, with
	// CodeNotEnoughUnlockedMoney if one is locked, and with CodeNotEnoughMoney if they do not suffice. An extension of
	// glim.
	KeyImages []string `json:"key_images"`
	// ChangeOutputs is the largest number of outputs into which the change of a transaction is divided, at most 15; 1
	// means one output. So does 0, unless the attribute glim.change_outputs of the wallet is auto: then the change of
	// an account that pays often is divided. The parts differ, go to the same address, and unlock together. There are
	// fewer if a part would be less than ten times the fee of a small transaction, or if the transaction has no room.
	// Fails with CodeGenericTransfer for more than 15. An extension of glim.
	ChangeOutputs uint64 `json:"change_outputs"`
	// AllowLinks allows the payment to link accounts that set_separate_accounts keeps apart. An extension of glim.
	AllowLinks bool `json:"allow_links"`
}

// TransferResponse is one transaction. A view-only or multisig wallet returns unsigned_txset or multisig_txset, and
// leaves the fields of the transaction empty, except that tx_hash of a view-only wallet is the hash of a draft: the
// signed transaction has another hash, which sign_transfer returns.
type TransferResponse struct {
	TxHash         string       `json:"tx_hash"`
	TxKey          string       `json:"tx_key"` // transaction secret key, followed by the additional keys, if requested
	Amount         uint64       `json:"amount"` // atomic units paid to the destinations
	AmountsByDest  AmountsList  `json:"amounts_by_dest,omitempty"`
	Fee            uint64       `json:"fee"` // atomic units
	Weight         uint64       `json:"weight"`
	TxBlob         string       `json:"tx_blob"`     // if requested
	TxMetadata     string       `json:"tx_metadata"` // for relay_tx, if requested
	MultisigTxSet  string       `json:"multisig_txset"`
	UnsignedTxSet  string       `json:"unsigned_txset"`
	SpentKeyImages KeyImageList `json:"spent_key_images"`
}

// Transfer makes a payment in one transaction, and relays it unless do_not_relay is set.
// Errors: CodeWrongAddress, CodeWrongPaymentID, CodeZeroDestination, CodeZeroAmount, CodeNotEnoughMoney,
// CodeNotEnoughUnlockedMoney, CodeTxNotPossible, CodeTxTooLarge, CodeNonzeroUnlockTime, CodeDisabled,
// CodeNoDaemonConnection, CodeDaemonBusy, CodeGenericTransfer.
var Transfer = rpc.Method[TransferRequest, TransferResponse]{Name: "transfer", Restricted: true}

// TransferSplitRequest is a payment that may take several transactions.
type TransferSplitRequest struct {
	Destinations   []Destination `json:"destinations"`
	AccountIndex   uint32        `json:"account_index"`   // account to spend from
	SubaddrIndices []uint32      `json:"subaddr_indices"` // addresses to spend from; empty for any
	Priority       uint32        `json:"priority"`        // 0 default, 1 unimportant, 2 normal, 3 elevated, 4 priority
	RingSize       uint64        `json:"ring_size"`       // ignored: the ring size is fixed by consensus
	Mixin          uint64        `json:"mixin"`           // ignored
	UnlockTime     uint64        `json:"unlock_time"`     // must be 0
	PaymentID      string        `json:"payment_id"`      // must be empty
	GetTxKeys      bool          `json:"get_tx_keys"`
	DoNotRelay     bool          `json:"do_not_relay"`
	GetTxHex       bool          `json:"get_tx_hex"`
	GetTxMetadata  bool          `json:"get_tx_metadata"`
	// IdempotencyKey is a name for this payment, chosen by the client. A second request with the same name sends
	// nothing and returns the first response, so a client that received no response can safely retry. If the first
	// transaction failed, the second request replaces it with one that spends a common output. It fails with
	// CodeGenericTransfer if that is impossible, or if the name belongs to another payment. An extension of glim.
	IdempotencyKey string `json:"idempotency_key"`
	// KeyImages, if not empty, are those of the only outputs that may be spent, as in TransferRequest. An extension of
	// glim.
	KeyImages []string `json:"key_images"`
	// ChangeOutputs is the largest number of outputs into which the change of each transaction is divided, as in
	// TransferRequest. An extension of glim.
	ChangeOutputs uint64 `json:"change_outputs"`
	// AllowLinks allows the payment to link accounts that set_separate_accounts keeps apart. An extension of glim.
	AllowLinks bool `json:"allow_links"`
}

// SplitResponse is several transactions; each list has one entry for each transaction. A view-only or multisig wallet
// returns unsigned_txset or multisig_txset, and leaves the lists of hashes, blobs and metadata empty, except that
// tx_hash_list of a view-only wallet has the hashes of drafts, as in TransferResponse.
type SplitResponse struct {
	TxHashList         []string       `json:"tx_hash_list"`
	TxKeyList          []string       `json:"tx_key_list"` // if requested
	AmountList         []uint64       `json:"amount_list"` // atomic units paid to the destinations
	AmountsByDestList  []AmountsList  `json:"amounts_by_dest_list"`
	FeeList            []uint64       `json:"fee_list"` // atomic units
	WeightList         []uint64       `json:"weight_list"`
	TxBlobList         []string       `json:"tx_blob_list"`     // if requested
	TxMetadataList     []string       `json:"tx_metadata_list"` // for relay_tx, if requested
	MultisigTxSet      string         `json:"multisig_txset"`
	UnsignedTxSet      string         `json:"unsigned_txset"`
	SpentKeyImagesList []KeyImageList `json:"spent_key_images_list"`
}

// TransferSplit makes a payment in as many transactions as needed, and relays them unless do_not_relay is set. Errors:
// those of Transfer.
var TransferSplit = rpc.Method[TransferSplitRequest, SplitResponse]{Name: "transfer_split", Restricted: true}

// SignTransferRequest is an unsigned transaction set from a view-only wallet.
type SignTransferRequest struct {
	UnsignedTxSet string `json:"unsigned_txset"`
	ExportRaw     bool   `json:"export_raw"` // also return the raw transactions
	GetTxKeys     bool   `json:"get_tx_keys"`
}

// SignTransferResponse is the signed transaction set.
type SignTransferResponse struct {
	SignedTxSet string   `json:"signed_txset"`
	TxHashList  []string `json:"tx_hash_list"`
	TxRawList   []string `json:"tx_raw_list"` // if requested
	TxKeyList   []string `json:"tx_key_list"` // if requested
}

// SignTransfer signs the transactions that a view-only wallet prepared.
// Errors: CodeWatchOnly, CodeBadHex, CodeBadUnsignedTxData, CodeSignUnsigned, CodeDisabled.
var SignTransfer = rpc.Method[SignTransferRequest, SignTransferResponse]{Name: "sign_transfer", Restricted: true}

// DescribeTransferRequest is either an unsigned or a multisig transaction set.
type DescribeTransferRequest struct {
	UnsignedTxSet string `json:"unsigned_txset"`
	MultisigTxSet string `json:"multisig_txset"`
}

// DescribedSource is an output that a transaction spends.
type DescribedSource struct {
	Amount      uint64 `json:"amount"` // atomic units
	GlobalIndex uint64 `json:"global_index"`
	Rct         bool   `json:"rct"`
	PubKey      string `json:"pubkey"`
}

// Recipient is an address that a transaction pays.
type Recipient struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"` // atomic units
}

// TxDescription is one transaction of a set.
type TxDescription struct {
	AmountIn      uint64            `json:"amount_in"`  // atomic units
	AmountOut     uint64            `json:"amount_out"` // atomic units
	RingSize      uint32            `json:"ring_size"`
	UnlockTime    uint64            `json:"unlock_time"` // 0 if not locked
	Sources       []DescribedSource `json:"sources"`
	Recipients    []Recipient       `json:"recipients"` // without change
	PaymentID     string            `json:"payment_id"`
	ChangeAmount  uint64            `json:"change_amount"` // atomic units
	ChangeAddress string            `json:"change_address"`
	Fee           uint64            `json:"fee"`           // atomic units
	DummyOutputs  uint32            `json:"dummy_outputs"` // of amount 0, which hide that there is only one recipient
	Extra         string            `json:"extra"`
	// Weight is that of a multisig wallet's transaction; 0 for an unsigned transaction set. From 0.19 on.
	Weight uint64 `json:"weight,omitempty"`
}

// TxSetSummary is the totals of all transactions in a set.
type TxSetSummary struct {
	AmountIn      uint64      `json:"amount_in"`  // atomic units
	AmountOut     uint64      `json:"amount_out"` // atomic units
	Recipients    []Recipient `json:"recipients"`
	ChangeAmount  uint64      `json:"change_amount"` // atomic units
	ChangeAddress string      `json:"change_address"`
	Fee           uint64      `json:"fee"` // atomic units
}

// DescribeTransferResponse describes a transaction set.
type DescribeTransferResponse struct {
	Summary TxSetSummary    `json:"summary"`
	Desc    []TxDescription `json:"desc"`
}

// DescribeTransfer describes an unsigned or multisig transaction set, for review before signing.
// Errors: CodeUnknown if no set is given, CodeBadHex, CodeBadUnsignedTxData, CodeBadMultisigTxData.
var DescribeTransfer = rpc.Method[DescribeTransferRequest, DescribeTransferResponse]{
	Name: "describe_transfer", Restricted: true,
}

// SubmitTransferRequest is a signed transaction set.
type SubmitTransferRequest struct {
	TxDataHex string `json:"tx_data_hex"`
}

// SubmitTransferResponse lists the relayed transactions.
type SubmitTransferResponse struct {
	TxHashList []string `json:"tx_hash_list"`
}

// SubmitTransfer relays a signed transaction set. Errors: CodeBadHex, CodeBadSignedTxData, CodeSignedSubmission.
var SubmitTransfer = rpc.Method[SubmitTransferRequest, SubmitTransferResponse]{
	Name: "submit_transfer", Restricted: true,
}

// SweepDustRequest selects the contents of the response.
type SweepDustRequest struct {
	GetTxKeys     bool `json:"get_tx_keys"`
	DoNotRelay    bool `json:"do_not_relay"`
	GetTxHex      bool `json:"get_tx_hex"`
	GetTxMetadata bool `json:"get_tx_metadata"`
}

// SweepDust sends unmixable outputs to the wallet itself. Without such outputs the response has empty strings. Errors:
// those of Transfer.
var SweepDust = rpc.Method[SweepDustRequest, SplitResponse]{
	Name:       "sweep_dust",
	Aliases:    []string{"sweep_unmixable"},
	Restricted: true,
}

// SweepAllRequest selects the addresses to sweep and the recipient.
type SweepAllRequest struct {
	Address      string `json:"address"` // recipient
	AccountIndex uint32 `json:"account_index"`
	// empty for one address of the account, chosen by the wallet
	SubaddrIndices    []uint32 `json:"subaddr_indices"`
	SubaddrIndicesAll bool     `json:"subaddr_indices_all"` // all addresses of the account
	// 0 default, 1 unimportant, 2 normal, 3 elevated, 4 priority
	Priority   uint32 `json:"priority"`
	RingSize   uint64 `json:"ring_size"`           // ignored: the ring size is fixed by consensus
	Mixin      uint64 `json:"mixin"`               // ignored
	Outputs    uint64 `json:"outputs" default:"1"` // number of outputs to create, at least 1
	UnlockTime uint64 `json:"unlock_time"`         // must be 0
	PaymentID  string `json:"payment_id"`          // must be empty
	GetTxKeys  bool   `json:"get_tx_keys"`
	// spend only outputs below this amount, atomic units; 0 for all outputs
	BelowAmount   uint64 `json:"below_amount"`
	DoNotRelay    bool   `json:"do_not_relay"`
	GetTxHex      bool   `json:"get_tx_hex"`
	GetTxMetadata bool   `json:"get_tx_metadata"`
	// IdempotencyKey is a name for this payment, chosen by the client. A second request with the same name sends
	// nothing and returns the first response, so a client that received no response can safely retry. If the first
	// transaction failed, the second request replaces it with one that spends a common output. It fails with
	// CodeGenericTransfer if that is impossible, or if the name belongs to another payment. An extension of glim.
	IdempotencyKey string `json:"idempotency_key"`
	// KeyImages, if not empty, are those of the outputs to sweep, instead of those of one address. They belong to
	// account_index and, if that is not empty, to subaddr_indices. Fails like TransferRequest. An extension of glim.
	KeyImages []string `json:"key_images"`
	// AllowLinks allows the payment to link accounts that set_separate_accounts keeps apart. An extension of glim.
	AllowLinks bool `json:"allow_links"`
}

// SweepAll sends all spendable outputs to an address. Errors: those of Transfer, and CodeTxNotPossible if outputs is 0.
var SweepAll = rpc.Method[SweepAllRequest, SplitResponse]{Name: "sweep_all", Restricted: true}

// SweepSingleRequest selects the output to spend and the recipient.
type SweepSingleRequest struct {
	Address       string `json:"address"`             // recipient
	Priority      uint32 `json:"priority"`            // 0 default, 1 unimportant, 2 normal, 3 elevated, 4 priority
	RingSize      uint64 `json:"ring_size"`           // ignored: the ring size is fixed by consensus
	Mixin         uint64 `json:"mixin"`               // ignored
	Outputs       uint64 `json:"outputs" default:"1"` // number of outputs to create, at least 1
	UnlockTime    uint64 `json:"unlock_time"`         // must be 0
	PaymentID     string `json:"payment_id"`          // must be empty
	GetTxKey      bool   `json:"get_tx_key"`
	KeyImage      string `json:"key_image"` // of the output to spend
	DoNotRelay    bool   `json:"do_not_relay"`
	GetTxHex      bool   `json:"get_tx_hex"`
	GetTxMetadata bool   `json:"get_tx_metadata"`
	// IdempotencyKey is a name for this payment, chosen by the client. A second request with the same name sends
	// nothing and returns the first response, so a client that received no response can safely retry. If the first
	// transaction failed, the second request replaces it with one that spends a common output. It fails with
	// CodeGenericTransfer if that is impossible, or if the name belongs to another payment. An extension of glim.
	IdempotencyKey string `json:"idempotency_key"`
	// AllowLinks allows the payment to link accounts that set_separate_accounts keeps apart. An extension of glim.
	AllowLinks bool `json:"allow_links"`
}

// SweepSingle sends one output to an address. Errors: those of Transfer, CodeWrongKeyImage, CodeUnknown.
var SweepSingle = rpc.Method[SweepSingleRequest, TransferResponse]{Name: "sweep_single", Restricted: true}

// RelayTxRequest is the metadata of a transaction created with do_not_relay.
type RelayTxRequest struct {
	Hex string `json:"hex"`
}

// RelayTxResponse is the relayed transaction.
type RelayTxResponse struct {
	TxHash string `json:"tx_hash"`
}

// RelayTx relays a transaction created earlier. Errors: CodeBadHex, CodeBadTxMetadata, CodeGenericTransfer.
var RelayTx = rpc.Method[RelayTxRequest, RelayTxResponse]{Name: "relay_tx", Restricted: true}

// EstimateTxSizeAndWeightRequest describes a transaction.
type EstimateTxSizeAndWeightRequest struct {
	NInputs  uint32 `json:"n_inputs"`
	NOutputs uint32 `json:"n_outputs"`
	RingSize uint32 `json:"ring_size"` // 0 for the ring size of the network
	Rct      bool   `json:"rct" default:"true"`
}

// EstimateTxSizeAndWeightResponse is the estimated size and weight.
type EstimateTxSizeAndWeightResponse struct {
	Size   uint64 `json:"size"` // bytes
	Weight uint64 `json:"weight"`
}

// EstimateTxSizeAndWeight estimates the size and weight of a transaction. Errors: CodeUnknown.
var EstimateTxSizeAndWeight = rpc.Method[EstimateTxSizeAndWeightRequest, EstimateTxSizeAndWeightResponse]{
	Name: "estimate_tx_size_and_weight",
}

// GetDefaultFeePriorityResponse is a fee priority.
type GetDefaultFeePriorityResponse struct {
	Priority uint32 `json:"priority"` // 1 to 4
}

// GetDefaultFeePriority returns the priority that 0 currently stands for. Errors: CodeUnknown.
var GetDefaultFeePriority = rpc.Method[Empty, GetDefaultFeePriorityResponse]{Name: "get_default_fee_priority"}
