package service

import (
	"encoding/hex"
	"io"
	"math"

	"glim/core/coldset"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/wallet"
)

// prepare returns the unsigned transaction of plan for the cold signer.
func prepare(
	random io.Reader, o *openWallet, account uint32, plan txbuild.Plan, rings []decoy.Ring, rate txbuild.Rate,
) (builtTx, error) {
	plan, err := txbuild.Settle(random, o.Keys(), plan, rings, rate)
	if err != nil {
		return builtTx{}, err
	}
	draft, weight, err := txbuild.Draft(random, o.Keys(), plan, rings)
	if err != nil {
		return builtTx{}, err
	}
	c, err := coldset.NewConstruction(random, o.Keys(), plan, rings, o.positions())
	if err != nil {
		return builtTx{}, err
	}
	c.SetDraft(draft)
	sent := wallet.Sent{Account: account, Fee: plan.Fee, Change: c.Change.Amount}
	for _, d := range plan.Destinations {
		sent.Destinations = append(sent.Destinations, wallet.Destination{Address: d.Text, Amount: d.Amount})
	}
	o.View(func(w *wallet.Wallet) {
		for i := range plan.Inputs {
			ring := wallet.Ring{} // clients expect one entry per input: an unknown key image is all zeros
			if out, ok := w.OutputByKey(plan.Inputs[i].Key); ok && out.ImageKnown {
				ring.Image = out.Image
			}
			sent.Rings = append(sent.Rings, ring)
		}
	})
	return builtTx{sent: sent, weight: weight, unsigned: &c, draft: draft.PrefixHash()}, nil
}

// unsignedSet encodes the transactions of a view-only wallet for its cold signer. It is empty if all are signed.
// Source: src/wallet/wallet2.cpp, dump_tx_to_str.
func unsignedSet(random io.Reader, o *openWallet, all []builtTx) (string, error) {
	var list []coldset.Construction
	for i := range all {
		if all[i].unsigned != nil {
			list = append(list, *all[i].unsigned)
		}
	}
	if keys.HasHierarchies && len(all) > 0 && all[0].cold != nil {
		return unsignedNext(random, o, all)
	}
	if len(list) == 0 {
		return "", nil
	}
	outputs, err := o.exportedOutputs(false, 0, math.MaxUint32)
	if err != nil {
		return "", err
	}
	message, err := o.messages().EncodeUnsigned(random, coldset.NewUnsignedSet(list, *outputs))
	return hex.EncodeToString(message), err
}
