package service

import (
	"glim/core/internal/proof"
	"glim/core/keys"
	"glim/core/wallet"
)

func owned(o *wallet.OwnedOutput) keys.OwnOutput {
	return keys.OwnOutput{Derivation: o.Derivation, Index: o.Index, Address: o.Address, Key: o.Key}
}

// holdings lists outputs that a reserve proof may contain: mined, unspent on the chain, not frozen. Those of the next
// hard fork, which it cannot contain, are listed instead with carrot.
func holdings(w *wallet.Wallet, carrot bool) (all []proof.Holding) {
	outputs := w.Outputs()
	for i := range outputs {
		o := &outputs[i]
		if o.Carrot == carrot && o.ImageKnown && !w.IsSpent(o, true) && !w.IsFrozen(o) {
			all = append(all, proof.Holding{OwnOutput: owned(o), TxID: o.TxID, Image: o.Image, Amount: o.Amount})
		}
	}
	return all
}
