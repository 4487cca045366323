package walletrpc

import "glim/core/rpc"

// Destination is money for an address.
type Destination struct {
	Amount  uint64 `json:"amount"` // atomic units
	Address string `json:"address"`
}

// KeyImageList is the key images one transaction spends.
type KeyImageList struct {
	KeyImages []string `json:"key_images"`
}

// AmountsList is what one transaction pays, in the order of its destinations.
type AmountsList struct {
	Amounts []uint64 `json:"amounts"` // atomic units
}

// TransferRequest is a payment that must fit in one transaction.
type TransferRequest struct {
	Destinations           []Destination `json:"destinations"`
	AccountIndex           uint32        `json:"account_index"`             // pays
	SubaddrIndices         []uint32      `json:"subaddr_indices"`           // addresses to spend from; none for any
	SubtractFeeFromOutputs []uint32      `json:"subtract_fee_from_outputs"` // destinations that pay the fee; none for the sender
	Priority               uint32        `json:"priority"`                  // 0 default, 1 unimportant to 4 priority
	RingSize               uint64        `json:"ring_size"`                 // read and ignored: the chain fixes it
	Mixin                  uint64        `json:"mixin"`                     // read and ignored
	UnlockTime             uint64        `json:"unlock_time"`               // must be 0
	PaymentID              string        `json:"payment_id"`                // must be empty
	GetTxKey               bool          `json:"get_tx_key"`
	DoNotRelay             bool          `json:"do_not_relay"`
	GetTxHex               bool          `json:"get_tx_hex"`
	GetTxMetadata          bool          `json:"get_tx_metadata"`
	// IdempotencyKey is the client's own name for this payment. A second request with the same name sends nothing and
	// answers what the first sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends
	// an output of it; CodeGenericTransfer when nothing can, or when the name was given to another payment. Beyond the reference.
	IdempotencyKey string `json:"idempotency_key"`
}

// TransferResponse is one transaction. A view-only or multisig wallet fills unsigned_txset or multisig_txset and
// leaves the transaction's own members empty.
type TransferResponse struct {
	TxHash         string       `json:"tx_hash"`
	TxKey          string       `json:"tx_key"` // transaction secret key, then the additional ones, when asked
	Amount         uint64       `json:"amount"` // atomic units to the destinations
	AmountsByDest  AmountsList  `json:"amounts_by_dest,omitempty"`
	Fee            uint64       `json:"fee"` // atomic units
	Weight         uint64       `json:"weight"`
	TxBlob         string       `json:"tx_blob"`     // when asked
	TxMetadata     string       `json:"tx_metadata"` // for relay_tx, when asked
	MultisigTxSet  string       `json:"multisig_txset"`
	UnsignedTxSet  string       `json:"unsigned_txset"`
	SpentKeyImages KeyImageList `json:"spent_key_images"`
}

// Transfer pays in one transaction and relays it unless told not to.
// Errors: CodeWrongAddress, CodeWrongPaymentID, CodeZeroDestination, CodeZeroAmount, CodeNotEnoughMoney,
// CodeNotEnoughUnlockedMoney, CodeTxNotPossible, CodeTxTooLarge, CodeNonzeroUnlockTime, CodeDisabled,
// CodeNoDaemonConnection, CodeDaemonBusy, CodeGenericTransfer.
var Transfer = rpc.Method[TransferRequest, TransferResponse]{Name: "transfer", Restricted: true}

// TransferSplitRequest is a payment that may take several transactions.
type TransferSplitRequest struct {
	Destinations   []Destination `json:"destinations"`
	AccountIndex   uint32        `json:"account_index"`   // pays
	SubaddrIndices []uint32      `json:"subaddr_indices"` // addresses to spend from; none for any
	Priority       uint32        `json:"priority"`        // 0 default, 1 unimportant to 4 priority
	RingSize       uint64        `json:"ring_size"`       // read and ignored: the chain fixes it
	Mixin          uint64        `json:"mixin"`           // read and ignored
	UnlockTime     uint64        `json:"unlock_time"`     // must be 0
	PaymentID      string        `json:"payment_id"`      // must be empty
	GetTxKeys      bool          `json:"get_tx_keys"`
	DoNotRelay     bool          `json:"do_not_relay"`
	GetTxHex       bool          `json:"get_tx_hex"`
	GetTxMetadata  bool          `json:"get_tx_metadata"`
	// IdempotencyKey is the client's own name for this payment. A second request with the same name sends nothing and
	// answers what the first sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends
	// an output of it; CodeGenericTransfer when nothing can, or when the name was given to another payment. Beyond the reference.
	IdempotencyKey string `json:"idempotency_key"`
}

// SplitResponse is several transactions; each list has one entry a transaction. A view-only or multisig wallet fills
// unsigned_txset or multisig_txset and leaves the lists of hashes, blobs and metadata empty.
type SplitResponse struct {
	TxHashList         []string       `json:"tx_hash_list"`
	TxKeyList          []string       `json:"tx_key_list"` // when asked
	AmountList         []uint64       `json:"amount_list"` // atomic units to the destinations
	AmountsByDestList  []AmountsList  `json:"amounts_by_dest_list"`
	FeeList            []uint64       `json:"fee_list"` // atomic units
	WeightList         []uint64       `json:"weight_list"`
	TxBlobList         []string       `json:"tx_blob_list"`     // when asked
	TxMetadataList     []string       `json:"tx_metadata_list"` // for relay_tx, when asked
	MultisigTxSet      string         `json:"multisig_txset"`
	UnsignedTxSet      string         `json:"unsigned_txset"`
	SpentKeyImagesList []KeyImageList `json:"spent_key_images_list"`
}

// TransferSplit pays in as many transactions as it takes and relays them unless told not to. Errors: as Transfer.
var TransferSplit = rpc.Method[TransferSplitRequest, SplitResponse]{Name: "transfer_split", Restricted: true}

// SignTransferRequest is an unsigned set from a view-only wallet.
type SignTransferRequest struct {
	UnsignedTxSet string `json:"unsigned_txset"`
	ExportRaw     bool   `json:"export_raw"` // return the raw transactions too
	GetTxKeys     bool   `json:"get_tx_keys"`
}

// SignTransferResponse is the set signed.
type SignTransferResponse struct {
	SignedTxSet string   `json:"signed_txset"`
	TxHashList  []string `json:"tx_hash_list"`
	TxRawList   []string `json:"tx_raw_list"` // when asked
	TxKeyList   []string `json:"tx_key_list"` // when asked
}

// SignTransfer signs what a view-only wallet prepared.
// Errors: CodeWatchOnly, CodeBadHex, CodeBadUnsignedTxData, CodeSignUnsigned, CodeDisabled.
var SignTransfer = rpc.Method[SignTransferRequest, SignTransferResponse]{Name: "sign_transfer", Restricted: true}

// DescribeTransferRequest is one of two kinds of set.
type DescribeTransferRequest struct {
	UnsignedTxSet string `json:"unsigned_txset"`
	MultisigTxSet string `json:"multisig_txset"`
}

// DescribedSource is an output the set spends.
type DescribedSource struct {
	Amount      uint64 `json:"amount"` // atomic units
	GlobalIndex uint64 `json:"global_index"`
	Rct         bool   `json:"rct"`
	PubKey      string `json:"pubkey"`
}

// Recipient is an address the set pays.
type Recipient struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"` // atomic units
}

// TxDescription is one transaction of a set.
type TxDescription struct {
	AmountIn      uint64            `json:"amount_in"`  // atomic units
	AmountOut     uint64            `json:"amount_out"` // atomic units
	RingSize      uint32            `json:"ring_size"`
	UnlockTime    uint64            `json:"unlock_time"` // 0 is not locked
	Sources       []DescribedSource `json:"sources"`
	Recipients    []Recipient       `json:"recipients"` // change left out
	PaymentID     string            `json:"payment_id"`
	ChangeAmount  uint64            `json:"change_amount"` // atomic units
	ChangeAddress string            `json:"change_address"`
	Fee           uint64            `json:"fee"`           // atomic units
	DummyOutputs  uint32            `json:"dummy_outputs"` // of amount 0, to hide that there is one recipient
	Extra         string            `json:"extra"`
}

// TxSetSummary is the sum of a set's transactions.
type TxSetSummary struct {
	AmountIn      uint64      `json:"amount_in"`  // atomic units
	AmountOut     uint64      `json:"amount_out"` // atomic units
	Recipients    []Recipient `json:"recipients"`
	ChangeAmount  uint64      `json:"change_amount"` // atomic units
	ChangeAddress string      `json:"change_address"`
	Fee           uint64      `json:"fee"` // atomic units
}

// DescribeTransferResponse is what a set does.
type DescribeTransferResponse struct {
	Summary TxSetSummary    `json:"summary"`
	Desc    []TxDescription `json:"desc"`
}

// DescribeTransfer shows what an unsigned or multisig set would do, for a person to judge before signing.
// Errors: CodeUnknown without a set, CodeBadHex, CodeBadUnsignedTxData, CodeBadMultisigTxData.
var DescribeTransfer = rpc.Method[DescribeTransferRequest, DescribeTransferResponse]{Name: "describe_transfer", Restricted: true}

// SubmitTransferRequest is a signed set.
type SubmitTransferRequest struct {
	TxDataHex string `json:"tx_data_hex"`
}

// SubmitTransferResponse names the transactions relayed.
type SubmitTransferResponse struct {
	TxHashList []string `json:"tx_hash_list"`
}

// SubmitTransfer relays a signed set. Errors: CodeBadHex, CodeBadSignedTxData, CodeSignedSubmission.
var SubmitTransfer = rpc.Method[SubmitTransferRequest, SubmitTransferResponse]{Name: "submit_transfer", Restricted: true}

// SweepDustRequest spends what no ordinary transaction can.
type SweepDustRequest struct {
	GetTxKeys     bool `json:"get_tx_keys"`
	DoNotRelay    bool `json:"do_not_relay"`
	GetTxHex      bool `json:"get_tx_hex"`
	GetTxMetadata bool `json:"get_tx_metadata"`
}

// SweepDust sends outputs that cannot be mixed to the wallet itself. With none it answers empty strings. Errors: as
// Transfer.
var SweepDust = rpc.Method[SweepDustRequest, SplitResponse]{Name: "sweep_dust", Aliases: []string{"sweep_unmixable"}, Restricted: true}

// SweepAllRequest spends everything at some addresses.
type SweepAllRequest struct {
	Address           string   `json:"address"` // receives
	AccountIndex      uint32   `json:"account_index"`
	SubaddrIndices    []uint32 `json:"subaddr_indices"`     // none for one address of the account, chosen by the wallet
	SubaddrIndicesAll bool     `json:"subaddr_indices_all"` // every address of the account
	Priority          uint32   `json:"priority"`            // 0 default, 1 unimportant to 4 priority
	RingSize          uint64   `json:"ring_size"`           // read and ignored: the chain fixes it
	Mixin             uint64   `json:"mixin"`               // read and ignored
	Outputs           uint64   `json:"outputs" default:"1"` // to make, at least 1
	UnlockTime        uint64   `json:"unlock_time"`         // must be 0
	PaymentID         string   `json:"payment_id"`          // must be empty
	GetTxKeys         bool     `json:"get_tx_keys"`
	BelowAmount       uint64   `json:"below_amount"` // atomic units; 0 for outputs of every amount
	DoNotRelay        bool     `json:"do_not_relay"`
	GetTxHex          bool     `json:"get_tx_hex"`
	GetTxMetadata     bool     `json:"get_tx_metadata"`
	// IdempotencyKey is the client's own name for this payment. A second request with the same name sends nothing and
	// answers what the first sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends
	// an output of it; CodeGenericTransfer when nothing can, or when the name was given to another payment. Beyond the reference.
	IdempotencyKey string `json:"idempotency_key"`
}

// SweepAll sends everything spendable to an address. Errors: as Transfer, and CodeTxNotPossible for outputs below 1.
var SweepAll = rpc.Method[SweepAllRequest, SplitResponse]{Name: "sweep_all", Restricted: true}

// SweepSingleRequest spends one output.
type SweepSingleRequest struct {
	Address       string `json:"address"`             // receives
	Priority      uint32 `json:"priority"`            // 0 default, 1 unimportant to 4 priority
	RingSize      uint64 `json:"ring_size"`           // read and ignored: the chain fixes it
	Mixin         uint64 `json:"mixin"`               // read and ignored
	Outputs       uint64 `json:"outputs" default:"1"` // to make, at least 1
	UnlockTime    uint64 `json:"unlock_time"`         // must be 0
	PaymentID     string `json:"payment_id"`          // must be empty
	GetTxKey      bool   `json:"get_tx_key"`
	KeyImage      string `json:"key_image"` // of the output to spend
	DoNotRelay    bool   `json:"do_not_relay"`
	GetTxHex      bool   `json:"get_tx_hex"`
	GetTxMetadata bool   `json:"get_tx_metadata"`
	// IdempotencyKey is the client's own name for this payment. A second request with the same name sends nothing and
	// answers what the first sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends
	// an output of it; CodeGenericTransfer when nothing can, or when the name was given to another payment. Beyond the reference.
	IdempotencyKey string `json:"idempotency_key"`
}

// SweepSingle sends all of one output to an address. Errors: as Transfer, CodeWrongKeyImage, CodeUnknown.
var SweepSingle = rpc.Method[SweepSingleRequest, TransferResponse]{Name: "sweep_single", Restricted: true}

// RelayTxRequest is the metadata of a transaction made with do_not_relay.
type RelayTxRequest struct {
	Hex string `json:"hex"`
}

// RelayTxResponse names the transaction relayed.
type RelayTxResponse struct {
	TxHash string `json:"tx_hash"`
}

// RelayTx relays a transaction made earlier. Errors: CodeBadHex, CodeBadTxMetadata, CodeGenericTransfer.
var RelayTx = rpc.Method[RelayTxRequest, RelayTxResponse]{Name: "relay_tx", Restricted: true}

// EstimateTxSizeAndWeightRequest is the shape of a transaction.
type EstimateTxSizeAndWeightRequest struct {
	NInputs  uint32 `json:"n_inputs"`
	NOutputs uint32 `json:"n_outputs"`
	RingSize uint32 `json:"ring_size"` // 0 for the chain's
	Rct      bool   `json:"rct" default:"true"`
}

// EstimateTxSizeAndWeightResponse is how much room it takes.
type EstimateTxSizeAndWeightResponse struct {
	Size   uint64 `json:"size"` // bytes
	Weight uint64 `json:"weight"`
}

// EstimateTxSizeAndWeight estimates a transaction's room. Errors: CodeUnknown.
var EstimateTxSizeAndWeight = rpc.Method[EstimateTxSizeAndWeightRequest, EstimateTxSizeAndWeightResponse]{Name: "estimate_tx_size_and_weight"}

// GetDefaultFeePriorityResponse is a fee priority.
type GetDefaultFeePriorityResponse struct {
	Priority uint32 `json:"priority"` // 1 to 4
}

// GetDefaultFeePriority returns what priority 0 means now. Errors: CodeUnknown.
var GetDefaultFeePriority = rpc.Method[Empty, GetDefaultFeePriorityResponse]{Name: "get_default_fee_priority"}
