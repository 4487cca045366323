package service

import (
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// guard decides whether an operation may run.
type guard struct{ active *active }

// How an operation depends on the spend key.
const (
	blockedWithoutKey = 1 << iota // refused while the key is absent
	usesKey                       // the key stays loaded while it runs
)

// guarded are the operations that the reference refuses in wallet_rpc_server.cpp with CHECK_IF_BACKGROUND_SYNCING,
// those that use the spend key regardless, and glim's own. Scanning does not keep the key loaded; its own locks
// protect it.
var guarded = map[string]int{
	walletrpc.SetSubaddressLookahead.Name: blockedWithoutKey, walletrpc.CreateAddress.Name: blockedWithoutKey,
	walletrpc.LabelAddress.Name:  blockedWithoutKey,
	walletrpc.CreateAccount.Name: blockedWithoutKey, walletrpc.LabelAccount.Name: blockedWithoutKey,
	walletrpc.GetAccountTags.Name: blockedWithoutKey, walletrpc.SetAccountTagDescription.Name: blockedWithoutKey,
	walletrpc.TagAccounts.Name: blockedWithoutKey, walletrpc.UntagAccounts.Name: blockedWithoutKey,
	walletrpc.Freeze.Name: blockedWithoutKey, walletrpc.Thaw.Name: blockedWithoutKey,
	walletrpc.Frozen.Name:           blockedWithoutKey,
	walletrpc.RescanBlockchain.Name: blockedWithoutKey, walletrpc.RescanSpent.Name: blockedWithoutKey,
	walletrpc.ScanTx.Name: blockedWithoutKey, walletrpc.ImportKeyImages.Name: blockedWithoutKey,
	walletrpc.SetTxNotes.Name: blockedWithoutKey, walletrpc.SetAttribute.Name: blockedWithoutKey,
	walletrpc.GetTxKey.Name: blockedWithoutKey, walletrpc.ChangeWalletPassword.Name: blockedWithoutKey,
	walletrpc.GetAddressBook.Name: blockedWithoutKey, walletrpc.AddAddressBook.Name: blockedWithoutKey,
	walletrpc.EditAddressBook.Name: blockedWithoutKey, walletrpc.DeleteAddressBook.Name: blockedWithoutKey,

	walletrpc.Transfer.Name: blockedWithoutKey | usesKey, walletrpc.TransferSplit.Name: blockedWithoutKey | usesKey,
	walletrpc.SweepAll.Name: blockedWithoutKey | usesKey, walletrpc.SweepSingle.Name: blockedWithoutKey | usesKey,
	walletrpc.SweepDust.Name: blockedWithoutKey | usesKey, walletrpc.SignTransfer.Name: blockedWithoutKey | usesKey,
	walletrpc.DescribeTransfer.Name: blockedWithoutKey | usesKey, walletrpc.Sign.Name: blockedWithoutKey | usesKey,
	walletrpc.GetTxProof.Name: blockedWithoutKey | usesKey, walletrpc.GetReserveProof.Name: blockedWithoutKey | usesKey,
	walletrpc.ExportOutputs.Name:   blockedWithoutKey | usesKey,
	walletrpc.ImportOutputs.Name:   blockedWithoutKey | usesKey,
	walletrpc.ExportKeyImages.Name: blockedWithoutKey | usesKey,
	walletrpc.PrepareMultisig.Name: blockedWithoutKey | usesKey,
	walletrpc.MakeMultisig.Name:    blockedWithoutKey, // it waits for operations that use the key

	walletrpc.ExportKeysFile.Name:      blockedWithoutKey | usesKey,
	walletrpc.ExportKeyImagesData.Name: blockedWithoutKey | usesKey,
	walletrpc.ImportKeyImagesData.Name: blockedWithoutKey,

	walletrpc.GetSpendProof.Name: usesKey, walletrpc.QueryKey.Name: usesKey,
}

// returnAddresses are the operations that return addresses for payments.
var returnAddresses = map[string]bool{
	walletrpc.GetAddress.Name: true, walletrpc.CreateAddress.Name: true,
	walletrpc.GetAccounts.Name: true, walletrpc.CreateAccount.Name: true,
	walletrpc.MakeIntegratedAddress.Name: true,
}

// checkKeyMade refuses addresses of a multisig wallet before its key exchange: anyone with the view key could spend
// payments to them.
func (o *openWallet) checkKeyMade(op string) (err error) {
	if !returnAddresses[op] {
		return nil
	}
	o.View(func(w *wallet.Wallet) {
		if !w.HasAddress() {
			err = errNotFinalized
		}
	})
	return err
}

// check refuses an operation because of the background state or because the wallet's address does not exist yet. It
// keeps the spend key loaded while an operation uses it.
func (s *guard) check(op *rpc.Operation) (done func(), err error) {
	done = func() {}
	kind := guarded[op.Name]
	o, err := s.active.current()
	if err != nil {
		return done, nil // the operation reports that no wallet is open
	}
	if err := o.checkKeyMade(op.Name); err != nil {
		return nil, err
	}
	if kind&(usesKey) != 0 {
		done = o.HoldSpendKey()
	}
	if kind&blockedWithoutKey != 0 {
		if err := o.checkSpendKey(); err != nil {
			done()
			return nil, err
		}
	}
	return done, nil
}
