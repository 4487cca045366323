package service

import (
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// What cannot be done yet with outputs and transactions of the next hard fork is refused, and changes nothing.
var errCarrotSigner = refuse("these outputs include one of the next hard fork, which cannot be exchanged between a " +
	"view-only wallet, its signer or other signers yet")

// withoutCarrot returns errCarrotSigner if one of list is an output of the next hard fork, or k are keys of it: no
// signer of today has such keys.
func withoutCarrot(k *keys.Keys, list []wallet.OwnedOutput) error {
	if wallet.HasCarrot(list) || keys.HasHierarchies && k.Hierarchy() != nil {
		return errCarrotSigner
	}
	return nil
}

// carrotGiven reports whether req has secrets of the next hard fork.
func carrotGiven(req *walletrpc.GenerateFromKeysRequest) bool {
	return len(req.MasterSecret)+len(req.ViewBalanceSecret)+len(req.PartialSpendKey)+len(req.GenerateAddressSecret) > 0
}
