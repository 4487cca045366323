package service

import (
	"encoding/hex"
	"errors"
	"io"

	"glim/core/coldset"
	"glim/core/decoy"
	"glim/core/multisig"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// Errors of operations that require a wallet in a certain multisig state.
// Source: src/wallet/wallet_rpc_server.cpp, on_exchange_multisig_keys and on_export_multisig.
var (
	errNotMultisig  = walletrpc.Fail(walletrpc.CodeNotMultisig, "This wallet is not multisig")
	errNotFinalized = walletrpc.Fail(walletrpc.CodeNotMultisig, "This wallet is multisig, but not yet finalized")
	errExchangeDone = walletrpc.Fail(walletrpc.CodeUnknown, "Error calling exchange_multisig_info: multisig account: "+
		"tried to update kex, but kex is already complete.") // src/multisig/multisig_account.cpp, kex_update, 0.18.5.1
	errTooFewInfos = walletrpc.Fail(walletrpc.CodeThresholdNotReached, "Needs multisig info from more participants")
)

// multisigEnabled returns CodeDisabled for a multisig wallet whose owner has not enabled multisig.
// Source: src/wallet/wallet_rpc_server.cpp, CHECK_MULTISIG_ENABLED.
func multisigEnabled(w *wallet.Wallet) error {
	if w.Multisig() != nil && !w.MultisigEnabled() {
		return walletrpc.Fail(walletrpc.CodeDisabled, "")
	}
	return nil
}

// signersGroup returns the wallet's multisig account; nil for other wallets. It returns CodeDisabled if the owner has
// not enabled multisig.
func signersGroup(o *openWallet) (a *multisig.Account, err error) {
	o.View(func(w *wallet.Wallet) { a, err = w.Multisig(), multisigEnabled(w) })
	return a, err
}

// propose makes the transaction of plan for the other signers.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct.
func propose(
	random io.Reader, now func() uint64, o *openWallet, a *multisig.Account, account uint32, plan txbuild.Plan,
	rings []decoy.Ring, rate txbuild.Rate,
) (builtTx, error) {
	plan, err := txbuild.Settle(random, o.Keys(), plan, rings, rate)
	if err != nil {
		return builtTx{}, err
	}
	known := make([]multisig.InputData, len(plan.Inputs))
	o.View(func(w *wallet.Wallet) {
		for i := range plan.Inputs {
			if out, ok := w.OutputByKey(plan.Inputs[i].Key); ok && out.ImageKnown {
				known[i] = multisig.InputData{Image: out.Image, Nonces: w.CosignerNonces(out.Key)}
			}
		}
	})
	p, err := a.Propose(random, o.Keys(), plan, rings, known, o.positions())
	if errors.Is(err, multisig.ErrImport) {
		return builtTx{}, walletrpc.Fail(walletrpc.CodeGenericTransfer,
			"Not enough multisig data was found to sign: import multisig data from more other participants")
	}
	if err != nil {
		return builtTx{}, err
	}
	sent := wallet.NewSent(&txbuild.Result{
		Tx: p.Tx.Tx, Fee: p.Tx.Fee, Change: p.Tx.Change, Destinations: plan.Destinations, PaymentID: p.Tx.PaymentID,
		Inputs: p.Tx.Inputs, Rings: p.Tx.Rings, Key: p.Tx.Key, AdditionalKeys: p.Tx.AdditionalKeys,
	}, account, now())
	return builtTx{sent: sent, weight: p.Tx.Weight, shared: p.Pending}, nil
}

// sharedSet encodes transactions for the other signers.
func sharedSet(random io.Reader, o *openWallet, a *multisig.Account, all []builtTx) (string, error) {
	var list []*coldset.PendingTx
	for i := range all {
		list = append(list, all[i].shared)
	}
	message, err := a.NewSet(list).Encode(random, o.messages())
	return hex.EncodeToString(message), err
}
