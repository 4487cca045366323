// Package walletrpc defines the operations of the wallet service, with their requests, responses and error codes.
//
// Field names, types and defaults are those of the reference (src/wallet/wallet_rpc_server_commands_defs.h at
// v0.18.5.1); further fields of the published interface are also accepted. Amounts are in atomic units, times in
// seconds, and binary data is lower-case hex. A height is a number of blocks unless its comment says otherwise. Without
// an open wallet, an operation fails with CodeNotOpen unless its comment says otherwise. In a restricted service, a
// restricted operation fails with CodeDenied.
package walletrpc

import (
	"reflect"

	"glim/core/rpc"
)

// Empty is a request or response without fields.
type Empty struct{}

// SubaddressIndex is the index of an address in a wallet.
type SubaddressIndex struct {
	Major uint32 `json:"major"` // account
	Minor uint32 `json:"minor"` // address in the account; 0 of account 0 is the primary address
}

// MaxBlockNumber is above every height, and the default of max_height.
// Source: src/cryptonote_config.h, CRYPTONOTE_MAX_BLOCK_NUMBER.
const MaxBlockNumber = 500000000

// Info describes an operation, for tests and generators.
type Info struct {
	Name       string
	Aliases    []string
	Restricted bool
	Request    reflect.Type
	Response   reflect.Type
}

func info[Req, Resp any](m rpc.Method[Req, Resp]) Info {
	return Info{m.Name, m.Aliases, m.Restricted, reflect.TypeFor[Req](), reflect.TypeFor[Resp]()}
}

// Methods returns every operation of the reference's service, in the order of its dispatch table.
func Methods() []Info {
	return []Info{
		info(GetBalance), info(GetAddress), info(GetAddressIndex), info(SetSubaddressLookahead), info(CreateAddress),
		info(LabelAddress), info(GetAccounts), info(CreateAccount), info(LabelAccount), info(GetAccountTags),
		info(
			TagAccounts,
		), info(UntagAccounts), info(SetAccountTagDescription), info(GetHeight), info(Freeze), info(Thaw),
		info(Frozen), info(Transfer), info(TransferSplit), info(SignTransfer), info(DescribeTransfer),
		info(SubmitTransfer), info(SweepDust), info(SweepAll), info(SweepSingle), info(RelayTx), info(Store),
		info(GetPayments), info(GetBulkPayments), info(IncomingTransfers), info(QueryKey), info(MakeIntegratedAddress),
		info(SplitIntegratedAddress), info(StopWallet), info(RescanBlockchain), info(SetTxNotes), info(GetTxNotes),
		info(SetAttribute), info(GetAttribute), info(GetTxKey), info(CheckTxKey), info(GetTxProof), info(CheckTxProof),
		info(GetSpendProof), info(CheckSpendProof), info(GetReserveProof), info(CheckReserveProof), info(GetTransfers),
		info(GetTransferByTxID), info(Sign), info(Verify), info(ExportOutputs), info(ImportOutputs),
		info(ExportKeyImages), info(ImportKeyImages), info(MakeURI), info(ParseURI), info(GetAddressBook),
		info(AddAddressBook), info(EditAddressBook), info(DeleteAddressBook), info(Refresh), info(AutoRefresh),
		info(ScanTx), info(RescanSpent), info(StartMining), info(StopMining), info(GetLanguages), info(CreateWallet),
		info(OpenWallet), info(CloseWallet), info(ChangeWalletPassword), info(GenerateFromKeys),
		info(RestoreDeterministicWallet), info(IsMultisig), info(PrepareMultisig), info(MakeMultisig),
		info(ExportMultisigInfo), info(ImportMultisigInfo), info(FinalizeMultisig), info(ExchangeMultisigKeys),
		info(GetMultisigKeyExchangeBooster),
		info(SignMultisig), info(SubmitMultisig), info(ValidateAddress), info(SetDaemon), info(SetLogLevel),
		info(SetLogCategories), info(EstimateTxSizeAndWeight), info(GetDefaultFeePriority), info(GetVersion),
		info(SetupBackgroundSync), info(StartBackgroundSync), info(StopBackgroundSync),
	}
}

// Beyond returns the operations that extend the reference's service.
func Beyond() []Info {
	return []Info{info(GetEvents), info(ExportKeysFile), info(GetDaemon), info(GetTakeover),
		info(ExportKeyImagesData), info(ImportKeyImagesData),
		info(MakePaymentLink), info(ParsePaymentLink), info(MakeReceipt), info(CheckReceipt),
		info(SetSeparateAccounts), info(GetSeparateAccounts), info(DescribeLinks),
		info(CreateInvoice), info(GetInvoices), info(CancelInvoice)}
}
