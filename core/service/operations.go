package service

import (
	"context"

	"glim/core/rpc"
	"glim/core/walletrpc"
)

// version is the wallet RPC version glim implements: 1.31, release 0.18.5.1's.
// Source: src/wallet/wallet_rpc_server_commands_defs.h, WALLET_RPC_VERSION.
const version = 1<<16 | 31

func getVersion(context.Context, empty) (walletrpc.GetVersionResponse, error) {
	return walletrpc.GetVersionResponse{Version: version, Release: true}, nil
}

// operations implement the contract, grouped by concern.
type operations struct {
	guard      *guard
	accounts   *accounts
	integrated *integratedAddresses
	uris       *uris
	records    *records
	frozen     *frozenOutputs
	history    *history
	payments   *paymentQueries
	events     *events
	proofs     *proofs
	signatures *signatures
	transfers  *transfers
	sweeps     *sweeps
	fees       *feeRates
	cold       *coldOutputs
	unsigned   *coldTransfers
	multisig   *multisigSetup
	signing    *multisigSigning
	refresher  *refresher
	automatic  *autoRefresher
	rescanner  *rescanner
	scanner    *txScanner
	daemons    *daemons
	logControl *logControl
	files      *walletFiles
	creation   *walletCreation
	keys       *walletKeys
	takeover   *takeover
	background *backgroundSync
}

// newOperations returns the operations on the open wallet of a. If only is not empty, they open only that wallet.
func newOperations(c *Config, a *active, only string) *operations {
	second := &witness{a, c.Network, c.Log}
	refreshing := &refresher{a, second}
	rates := &feeRates{a, second, c.Network, c.Log}
	relaying := &relayer{a, c.Network, c.Now}
	building := &builder{a, rates, &ringMaker{a, c.Random}, c.Network, c.Random, c.Now}
	paying := &payer{a, refreshing, relaying, c.Random, c.Now, c.Log}
	outputs := &coldOutputs{a, refreshing, c.Random}
	naming := &aliases{a, c.Network, c.TXT, c.Log}
	signing := &multisigSigning{a, refreshing, relaying, rates, c.Network, c.Random, c.Now}
	sealed := &vault{a.shared, c.Vault, c.Network, c.KDF, c.Random, c.seeds()}
	taking := &takeover{a, sealed, c.KeyRounds, c.WithoutCache, c.ahead, c.Now, c.Log}
	background := &backgroundSync{a, c.seeds(), c.KDF, c.Log}
	files := &walletFiles{
		active: a, files: c.Files, only: only, network: c.Network, lookahead: c.Lookahead,
		maxReorgDepth: c.MaxReorgDepth, kdf: c.KDF, keyRounds: c.KeyRounds, withoutCache: c.WithoutCache,
		host: c.host, onOpen: c.Opened, endProcess: c.Stop, now: c.Now, vault: sealed, takeover: taking,
		background: background, log: c.Log,
		references: &references{c.KeyRounds, c.seeds().Languages, c.Random, c.Log},
	}
	return &operations{
		guard:      &guard{a},
		accounts:   &accounts{a, naming, c.Network, c.Now, c.Workers, c.Match},
		integrated: &integratedAddresses{a, c.Network, c.Random},
		uris:       &uris{a, c.Network},
		records:    &records{a, naming, c.Network},
		frozen:     &frozenOutputs{a},
		history:    &history{a, c.Now, c.Workers},
		payments:   &paymentQueries{a, c.Now, c.Workers},
		events:     &events{a},
		proofs:     &proofs{a, c.Network, c.Random},
		signatures: &signatures{a, naming, c.Network, c.Random},
		transfers:  &transfers{a, naming, building, paying, relaying, c.Log},
		sweeps:     &sweeps{a, naming, building, paying, c.Now},
		fees:       rates,
		cold:       outputs,
		unsigned:   &coldTransfers{a, outputs, signing, relaying, rates, c.Network, c.Random},
		multisig:   &multisigSetup{a, c.Random},
		signing:    signing,
		refresher:  refreshing,
		automatic:  &autoRefresher{a, refreshing, c.Wait, c.Now, c.Log},
		rescanner:  &rescanner{a, refreshing, c.Log},
		scanner:    &txScanner{a, refreshing, c.workers()},
		daemons:    &daemons{a, c.Workers},
		logControl: &logControl{c.SetLog},
		files:      files,
		creation:   &walletCreation{a, files, sealed, &restoreHeights{a, c.Network, c.Now}, c.seeds()},
		keys:       &walletKeys{a, c.Files, sealed, c.seeds(), c.KeyRounds, c.KDF, c.Random},
		takeover:   taking,
		background: background,
	}
}

// register lists the operations.
func (o *operations) register() *rpc.Registry {
	r := rpc.NewRegistry()
	r.MapError = mapError
	r.Before = o.guard.check

	rpc.Handle(r, walletrpc.GetVersion, getVersion)
	o.registerAddresses(r)
	o.registerRecords(r)
	o.registerSending(r)
	o.registerSigning(r)
	o.registerChain(r)
	o.registerFiles(r)
	registerPaymentRequests(r, o.proofs)
	registerLinks(r, o.signing)
	registerInvoices(r, o.signing.active, o.signing.network, o.signing.now)
	return r
}

// registerAddresses lists the operations on accounts, addresses and URIs.
func (o *operations) registerAddresses(r *rpc.Registry) {
	rpc.Handle(r, walletrpc.GetBalance, o.accounts.getBalance)
	rpc.Handle(r, walletrpc.GetAddress, o.accounts.getAddress)
	rpc.Handle(r, walletrpc.GetAddressIndex, o.accounts.getAddressIndex)
	rpc.Handle(r, walletrpc.CreateAddress, o.accounts.createAddress)
	rpc.Handle(r, walletrpc.LabelAddress, o.accounts.labelAddress)
	rpc.Handle(r, walletrpc.ValidateAddress, o.accounts.validateAddress)
	rpc.Handle(r, walletrpc.GetAccounts, o.accounts.getAccounts)
	rpc.Handle(r, walletrpc.CreateAccount, o.accounts.createAccount)
	rpc.Handle(r, walletrpc.LabelAccount, o.accounts.labelAccount)
	rpc.Handle(r, walletrpc.GetAccountTags, o.accounts.getAccountTags)
	rpc.Handle(r, walletrpc.TagAccounts, o.accounts.tagAccounts)
	rpc.Handle(r, walletrpc.UntagAccounts, o.accounts.untagAccounts)
	rpc.Handle(r, walletrpc.SetAccountTagDescription, o.accounts.setAccountTagDescription)
	rpc.Handle(r, walletrpc.MakeIntegratedAddress, o.integrated.makeIntegratedAddress)
	rpc.Handle(r, walletrpc.SplitIntegratedAddress, o.integrated.splitIntegratedAddress)
	rpc.Handle(r, walletrpc.MakeURI, o.uris.makeURI)
	rpc.Handle(r, walletrpc.ParseURI, o.uris.parseURI)
}

// registerRecords lists the operations on transfers, outputs, notes, attributes, the address book and events.
func (o *operations) registerRecords(r *rpc.Registry) {
	rpc.Handle(r, walletrpc.SetTxNotes, o.records.setTxNotes)
	rpc.Handle(r, walletrpc.GetTxNotes, o.records.getTxNotes)
	rpc.Handle(r, walletrpc.SetAttribute, o.records.setAttribute)
	rpc.Handle(r, walletrpc.GetAttribute, o.records.getAttribute)
	rpc.Handle(r, walletrpc.GetAddressBook, o.records.getAddressBook)
	rpc.Handle(r, walletrpc.AddAddressBook, o.records.addAddressBook)
	rpc.Handle(r, walletrpc.EditAddressBook, o.records.editAddressBook)
	rpc.Handle(r, walletrpc.DeleteAddressBook, o.records.deleteAddressBook)
	rpc.Handle(r, walletrpc.Freeze, o.frozen.freeze)
	rpc.Handle(r, walletrpc.Thaw, o.frozen.thaw)
	rpc.Handle(r, walletrpc.Frozen, o.frozen.frozen)
	rpc.Handle(r, walletrpc.GetTransfers, o.history.getTransfers)
	rpc.Handle(r, walletrpc.GetTransferByTxID, o.history.getTransferByTxID)
	rpc.Handle(r, walletrpc.IncomingTransfers, o.history.incomingTransfers)
	rpc.Handle(r, walletrpc.GetPayments, o.payments.getPayments)
	rpc.Handle(r, walletrpc.GetBulkPayments, o.payments.getBulkPayments)
	rpc.Handle(r, walletrpc.GetEvents, o.events.getEvents)
}

// registerSending lists the operations on payments and proofs.
func (o *operations) registerSending(r *rpc.Registry) {
	rpc.Handle(r, walletrpc.Transfer, o.transfers.transfer)
	rpc.Handle(r, walletrpc.TransferSplit, o.transfers.transferSplit)
	rpc.Handle(r, walletrpc.RelayTx, o.transfers.relayTx)
	rpc.Handle(r, walletrpc.SweepAll, o.sweeps.sweepAll)
	rpc.Handle(r, walletrpc.SweepSingle, o.sweeps.sweepSingle)
	rpc.Handle(r, walletrpc.SweepDust, o.sweeps.sweepDust)
	rpc.Handle(r, walletrpc.EstimateTxSizeAndWeight, o.fees.estimateTxSizeAndWeight)
	rpc.Handle(r, walletrpc.GetDefaultFeePriority, o.fees.getDefaultFeePriority)
	rpc.Handle(r, walletrpc.GetTxKey, o.proofs.getTxKey)
	rpc.Handle(r, walletrpc.CheckTxKey, o.proofs.checkTxKey)
	rpc.Handle(r, walletrpc.GetTxProof, o.proofs.getTxProof)
	rpc.Handle(r, walletrpc.CheckTxProof, o.proofs.checkTxProof)
	rpc.Handle(r, walletrpc.GetSpendProof, o.proofs.getSpendProof)
	rpc.Handle(r, walletrpc.CheckSpendProof, o.proofs.checkSpendProof)
	rpc.Handle(r, walletrpc.GetReserveProof, o.proofs.getReserveProof)
	rpc.Handle(r, walletrpc.CheckReserveProof, o.proofs.checkReserveProof)
	rpc.Handle(r, walletrpc.Sign, o.signatures.sign)
	rpc.Handle(r, walletrpc.Verify, o.signatures.verify)
}

// registerSigning lists the operations on cold signing and multisig wallets.
func (o *operations) registerSigning(r *rpc.Registry) {
	rpc.Handle(r, walletrpc.ExportOutputs, o.cold.exportOutputs)
	rpc.Handle(r, walletrpc.ImportOutputs, o.cold.importOutputs)
	rpc.Handle(r, walletrpc.ExportKeyImages, o.cold.exportKeyImages)
	rpc.Handle(r, walletrpc.ImportKeyImages, o.cold.importKeyImages)
	rpc.Handle(r, walletrpc.ExportKeyImagesData, o.cold.exportKeyImagesData)
	rpc.Handle(r, walletrpc.ImportKeyImagesData, o.cold.importKeyImagesData)
	rpc.Handle(r, walletrpc.DescribeTransfer, o.unsigned.describeTransfer)
	rpc.Handle(r, walletrpc.SignTransfer, o.unsigned.signTransfer)
	rpc.Handle(r, walletrpc.SubmitTransfer, o.unsigned.submitTransfer)
	rpc.Handle(r, walletrpc.IsMultisig, o.multisig.isMultisig)
	rpc.Handle(r, walletrpc.PrepareMultisig, o.multisig.prepareMultisig)
	rpc.Handle(r, walletrpc.MakeMultisig, o.multisig.makeMultisig)
	rpc.Handle(r, walletrpc.ExchangeMultisigKeys, o.multisig.exchangeMultisigKeys)
	rpc.Handle(r, walletrpc.GetMultisigKeyExchangeBooster, o.multisig.booster)
	rpc.Handle(r, walletrpc.FinalizeMultisig, o.multisig.finalizeMultisig)
	rpc.Handle(r, walletrpc.ExportMultisigInfo, o.signing.exportMultisigInfo)
	rpc.Handle(r, walletrpc.ImportMultisigInfo, o.signing.importMultisigInfo)
	rpc.Handle(r, walletrpc.SignMultisig, o.signing.signMultisig)
	rpc.Handle(r, walletrpc.SubmitMultisig, o.signing.submitMultisig)
}

// registerChain lists the operations on the daemon and the chain.
func (o *operations) registerChain(r *rpc.Registry) {
	rpc.Handle(r, walletrpc.GetHeight, o.refresher.getHeight)
	rpc.Handle(r, walletrpc.Refresh, o.refresher.refreshNow)
	rpc.Handle(r, walletrpc.AutoRefresh, o.automatic.setAutoRefresh)
	rpc.Handle(r, walletrpc.RescanBlockchain, o.rescanner.rescanBlockchain)
	rpc.Handle(r, walletrpc.RescanSpent, o.rescanner.rescanSpent)
	rpc.Handle(r, walletrpc.SetSubaddressLookahead, o.rescanner.setSubaddressLookahead)
	rpc.Handle(r, walletrpc.ScanTx, o.scanner.scanTx)
	rpc.Handle(r, walletrpc.StartMining, o.daemons.startMining)
	rpc.Handle(r, walletrpc.StopMining, o.daemons.stopMining)
	rpc.Handle(r, walletrpc.SetDaemon, o.daemons.setDaemon)
	rpc.Handle(r, walletrpc.GetDaemon, o.daemons.getDaemon)
	rpc.Handle(r, walletrpc.SetLogLevel, o.logControl.setLogLevel)
	rpc.Handle(r, walletrpc.SetLogCategories, o.logControl.setLogCategories)
}

// registerFiles lists the operations on wallet files and keys.
func (o *operations) registerFiles(r *rpc.Registry) {
	rpc.Handle(r, walletrpc.OpenWallet, o.files.openWallet)
	rpc.Handle(r, walletrpc.CloseWallet, o.files.closeWallet)
	rpc.Handle(r, walletrpc.Store, o.files.store)
	rpc.Handle(r, walletrpc.StopWallet, o.files.stopWallet)
	rpc.Handle(r, walletrpc.GetLanguages, o.creation.getLanguages)
	rpc.Handle(r, walletrpc.CreateWallet, o.creation.createWallet)
	rpc.Handle(r, walletrpc.RestoreDeterministicWallet, o.creation.restoreDeterministicWallet)
	rpc.Handle(r, walletrpc.GenerateFromKeys, o.creation.generateFromKeys)
	rpc.Handle(r, walletrpc.QueryKey, o.keys.queryKey)
	rpc.Handle(r, walletrpc.ChangeWalletPassword, o.keys.changeWalletPassword)
	rpc.Handle(r, walletrpc.ExportKeysFile, o.keys.exportKeysFile)
	rpc.Handle(r, walletrpc.GetTakeover, o.takeover.getTakeover)
	rpc.Handle(r, walletrpc.SetupBackgroundSync, o.background.setupBackgroundSync)
	rpc.Handle(r, walletrpc.StartBackgroundSync, o.background.startBackgroundSync)
	rpc.Handle(r, walletrpc.StopBackgroundSync, o.background.stopBackgroundSync)
}
