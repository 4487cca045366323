package service

import (
	"context"
	"errors"

	"glim/core/address"
	"glim/core/build"
	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// register lists the operations.
func (s *Service) register() *rpc.Registry {
	r := rpc.NewRegistry()
	r.MapError = mapError
	r.Before = s.guard

	rpc.Handle(r, walletrpc.GetBalance, s.getBalance)
	rpc.Handle(r, walletrpc.GetAddress, s.getAddress)
	rpc.Handle(r, walletrpc.GetAddressIndex, s.getAddressIndex)
	rpc.Handle(r, walletrpc.CreateAddress, s.createAddress)
	rpc.Handle(r, walletrpc.LabelAddress, s.labelAddress)
	rpc.Handle(r, walletrpc.ValidateAddress, s.validateAddress)
	rpc.Handle(r, walletrpc.GetAccounts, s.getAccounts)
	rpc.Handle(r, walletrpc.CreateAccount, s.createAccount)
	rpc.Handle(r, walletrpc.LabelAccount, s.labelAccount)
	rpc.Handle(r, walletrpc.GetHeight, s.getHeight)

	rpc.Handle(r, walletrpc.GetAccountTags, s.getAccountTags)
	rpc.Handle(r, walletrpc.TagAccounts, s.tagAccounts)
	rpc.Handle(r, walletrpc.UntagAccounts, s.untagAccounts)
	rpc.Handle(r, walletrpc.SetAccountTagDescription, s.setAccountTagDescription)
	rpc.Handle(r, walletrpc.MakeIntegratedAddress, s.makeIntegratedAddress)
	rpc.Handle(r, walletrpc.SplitIntegratedAddress, s.splitIntegratedAddress)

	rpc.Handle(r, walletrpc.SetTxNotes, s.setTxNotes)
	rpc.Handle(r, walletrpc.GetTxNotes, s.getTxNotes)
	rpc.Handle(r, walletrpc.SetAttribute, s.setAttribute)
	rpc.Handle(r, walletrpc.GetAttribute, s.getAttribute)
	rpc.Handle(r, walletrpc.GetAddressBook, s.getAddressBook)
	rpc.Handle(r, walletrpc.AddAddressBook, s.addAddressBook)
	rpc.Handle(r, walletrpc.EditAddressBook, s.editAddressBook)
	rpc.Handle(r, walletrpc.DeleteAddressBook, s.deleteAddressBook)
	rpc.Handle(r, walletrpc.Freeze, s.freeze)
	rpc.Handle(r, walletrpc.Thaw, s.thaw)
	rpc.Handle(r, walletrpc.Frozen, s.frozen)
	rpc.Handle(r, walletrpc.GetTxKey, s.getTxKey)

	rpc.Handle(r, walletrpc.CheckTxKey, s.checkTxKey)
	rpc.Handle(r, walletrpc.GetTxProof, s.getTxProof)
	rpc.Handle(r, walletrpc.CheckTxProof, s.checkTxProof)
	rpc.Handle(r, walletrpc.GetSpendProof, s.getSpendProof)
	rpc.Handle(r, walletrpc.CheckSpendProof, s.checkSpendProof)
	rpc.Handle(r, walletrpc.GetReserveProof, s.getReserveProof)
	rpc.Handle(r, walletrpc.CheckReserveProof, s.checkReserveProof)
	rpc.Handle(r, walletrpc.Sign, s.sign)
	rpc.Handle(r, walletrpc.Verify, s.verify)
	rpc.Handle(r, walletrpc.MakeURI, s.makeURI)
	rpc.Handle(r, walletrpc.ParseURI, s.parseURI)

	rpc.Handle(r, walletrpc.ExportOutputs, s.exportOutputs)
	rpc.Handle(r, walletrpc.ImportOutputs, s.importOutputs)
	rpc.Handle(r, walletrpc.ExportKeyImages, s.exportKeyImages)
	rpc.Handle(r, walletrpc.ImportKeyImages, s.importKeyImages)
	rpc.Handle(r, walletrpc.DescribeTransfer, s.describeTransfer)
	rpc.Handle(r, walletrpc.SignTransfer, s.signTransfer)
	rpc.Handle(r, walletrpc.SubmitTransfer, s.submitTransfer)

	rpc.Handle(r, walletrpc.Transfer, s.transfer)
	rpc.Handle(r, walletrpc.TransferSplit, s.transferSplit)
	rpc.Handle(r, walletrpc.SweepAll, s.sweepAll)
	rpc.Handle(r, walletrpc.SweepSingle, s.sweepSingle)
	rpc.Handle(r, walletrpc.SweepDust, s.sweepDust)
	rpc.Handle(r, walletrpc.EstimateTxSizeAndWeight, s.estimateTxSizeAndWeight)
	rpc.Handle(r, walletrpc.GetDefaultFeePriority, s.getDefaultFeePriority)
	rpc.Handle(r, walletrpc.RelayTx, s.relayTx)
	rpc.Handle(r, walletrpc.GetTransfers, s.getTransfers)
	rpc.Handle(r, walletrpc.GetTransferByTxID, s.getTransferByTxID)
	rpc.Handle(r, walletrpc.GetEvents, s.getEvents)
	rpc.Handle(r, walletrpc.IncomingTransfers, s.incomingTransfers)

	rpc.Handle(r, walletrpc.GetPayments, s.getPayments)
	rpc.Handle(r, walletrpc.GetBulkPayments, s.getBulkPayments)

	rpc.Handle(r, walletrpc.Refresh, s.refreshNow)
	rpc.Handle(r, walletrpc.ScanTx, s.scanTx)
	rpc.Handle(r, walletrpc.RescanBlockchain, s.rescanBlockchain)
	rpc.Handle(r, walletrpc.RescanSpent, s.rescanSpent)
	rpc.Handle(r, walletrpc.SetSubaddressLookahead, s.setSubaddressLookahead)
	rpc.Handle(r, walletrpc.StartMining, s.startMining)
	rpc.Handle(r, walletrpc.StopMining, s.stopMining)
	rpc.Handle(r, walletrpc.SetLogLevel, s.setLogLevel)
	rpc.Handle(r, walletrpc.SetLogCategories, s.setLogCategories)
	rpc.Handle(r, walletrpc.AutoRefresh, s.setAutoRefresh)
	rpc.Handle(r, walletrpc.SetDaemon, s.setDaemon)
	rpc.Handle(r, walletrpc.GetDaemon, s.getDaemon)

	rpc.Handle(r, walletrpc.GetVersion, s.getVersion)
	rpc.Handle(r, walletrpc.GetLanguages, s.getLanguages)
	rpc.Handle(r, walletrpc.QueryKey, s.queryKey)
	rpc.Handle(r, walletrpc.CreateWallet, s.createWallet)
	rpc.Handle(r, walletrpc.OpenWallet, s.openWallet)
	rpc.Handle(r, walletrpc.CloseWallet, s.closeWallet)
	rpc.Handle(r, walletrpc.RestoreDeterministicWallet, s.restoreDeterministicWallet)
	rpc.Handle(r, walletrpc.GenerateFromKeys, s.generateFromKeys)
	rpc.Handle(r, walletrpc.ChangeWalletPassword, s.changeWalletPassword)
	rpc.Handle(r, walletrpc.IsMultisig, s.isMultisig)
	rpc.Handle(r, walletrpc.PrepareMultisig, s.prepareMultisig)
	rpc.Handle(r, walletrpc.MakeMultisig, s.makeMultisig)
	rpc.Handle(r, walletrpc.ExchangeMultisigKeys, s.exchangeMultisigKeys)
	rpc.Handle(r, walletrpc.FinalizeMultisig, s.finalizeMultisig)
	rpc.Handle(r, walletrpc.ExportMultisigInfo, s.exportMultisigInfo)
	rpc.Handle(r, walletrpc.ImportMultisigInfo, s.importMultisigInfo)
	rpc.Handle(r, walletrpc.SignMultisig, s.signMultisig)
	rpc.Handle(r, walletrpc.SubmitMultisig, s.submitMultisig)
	rpc.Handle(r, walletrpc.ExportKeysFile, s.exportKeysFile)
	rpc.Handle(r, walletrpc.GetTakeover, s.getTakeover)
	rpc.Handle(r, walletrpc.SetupBackgroundSync, s.setupBackgroundSync)
	rpc.Handle(r, walletrpc.StartBackgroundSync, s.startBackgroundSync)
	rpc.Handle(r, walletrpc.StopBackgroundSync, s.stopBackgroundSync)
	rpc.Handle(r, walletrpc.Store, s.store)
	rpc.Handle(r, walletrpc.StopWallet, s.stopWallet)
	return r
}

const tooFewOutputs = "not enough outputs to use Please use sweep_dust."

// codes maps the errors beneath to the contract's codes, the first that matches. Their messages are made for people.
var codes = []struct {
	err  error
	code int
	text string // replaces the error's own
}{
	{wallet.ErrAccount, walletrpc.CodeAccountIndexOutOfBounds, "account index is out of bound"},
	{wallet.ErrAddress, walletrpc.CodeAddressIndexOutOfBounds, "address index is out of bound"},
	{wallet.ErrTagAccount, walletrpc.CodeUnknown, "Account index out of bound"},
	{wallet.ErrTagEmpty, walletrpc.CodeUnknown, "Tag must not be empty"},
	{wallet.ErrTagUnknown, walletrpc.CodeUnknown, "Tag is unregistered"},
	{wallet.ErrNoSuchOutput, walletrpc.CodeUnknown, "Key image not found"},
	{session.ErrClosed, walletrpc.CodeNotOpen, "No wallet file"},
	{build.ErrNoDestination, walletrpc.CodeZeroDestination, "Transaction has no destination"},
	{build.ErrZeroAmount, walletrpc.CodeZeroAmount, "destination amount is zero"},
	{build.ErrNotEnough, walletrpc.CodeNotEnoughMoney, "not enough money"},
	{build.ErrNotUnlocked, walletrpc.CodeNotEnoughUnlockedMoney, "not enough unlocked money"},
	{build.ErrNotPossible, walletrpc.CodeTxNotPossible, ""},
	{build.ErrTooHeavy, walletrpc.CodeTxTooLarge, "Transaction would be too large.  try /transfer_split."},
	{build.ErrTooManyOutputs, walletrpc.CodeTxTooLarge, "Transaction would be too large.  try /transfer_split."},
	{build.ErrPaymentIDs, walletrpc.CodeWrongPaymentID, "A single payment id is allowed per transaction"},
	{build.ErrViewOnly, walletrpc.CodeWatchOnly, ""},
	{decoy.ErrTooFew, walletrpc.CodeNotEnoughOutsToMix, tooFewOutputs},
	{decoy.ErrShort, walletrpc.CodeNotEnoughOutsToMix, tooFewOutputs},
	{decoy.ErrNoOutputs, walletrpc.CodeNotEnoughOutsToMix, tooFewOutputs},
	{daemon.ErrUnreachable, walletrpc.CodeNoDaemonConnection, "no connection to daemon"},
	{daemon.ErrBusy, walletrpc.CodeDaemonBusy, "daemon is busy. Please try again later."},
	{ErrExists, walletrpc.CodeWalletAlreadyExists, "Cannot create wallet. Already exists."},
	{address.ErrMalformed, walletrpc.CodeWrongAddress, ""},
}

// mapError turns any error into what the client reads.
func mapError(err error) *rpc.Error {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			text := c.text
			if text == "" {
				text = err.Error()
			}
			return &rpc.Error{Code: c.code, Message: text}
		}
	}
	return &rpc.Error{Code: walletrpc.CodeUnknown, Message: err.Error()}
}

// in maps errors that have no code of their own to code.
func in(code int, err error) error {
	var e *rpc.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	if m := mapError(err); m.Code != walletrpc.CodeUnknown {
		return &because{m, err}
	}
	return &because{&rpc.Error{Code: code, Message: err.Error()}, err}
}

// because is what clients read of a failure, with its reason, which callers in the same process can test for.
type because struct {
	answer *rpc.Error
	reason error
}

// Error returns what clients read.
func (b *because) Error() string { return b.answer.Error() }

// Unwrap returns what clients read, and the reason.
func (b *because) Unwrap() []error { return []error{b.answer, b.reason} }

type empty = walletrpc.Empty

// version is the wallet RPC version glim implements: 1.31, release 0.18.5.1's.
// Source: src/wallet/wallet_rpc_server_commands_defs.h, WALLET_RPC_VERSION.
const version = 1<<16 | 31

func (s *Service) getVersion(context.Context, empty) (walletrpc.GetVersionResponse, error) {
	return walletrpc.GetVersionResponse{Version: version, Release: true}, nil
}
