package service

import (
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// What cannot be done yet with outputs and transactions of the next hard fork is refused, and changes nothing.
var errCarrotSigner = refuse("these outputs include one of the next hard fork, or are of a wallet with its keys: " +
	"there is no form yet in which these wallets exchange them")

// withoutCarrot returns errCarrotSigner if hasNext.
func withoutCarrot(k *keys.Keys, list []wallet.OwnedOutput) error {
	if hasNext(k, list) {
		return errCarrotSigner
	}
	return nil
}

// hasNext reports whether one of list is an output of the next hard fork, or k are keys of it: the reference's forms of
// outputs and key images have no place for them.
func hasNext(k *keys.Keys, list []wallet.OwnedOutput) bool {
	return wallet.HasCarrot(list) || keys.HasHierarchies && k.Hierarchy() != nil
}

// carrotGiven reports whether req has secrets of the next hard fork.
func carrotGiven(req *walletrpc.GenerateFromKeysRequest) bool {
	return len(req.MasterSecret)+len(req.ViewBalanceSecret)+len(req.PartialSpendKey)+len(req.GenerateAddressSecret) > 0
}
