package service

import "glim/core/wallet"

// What cannot be done yet with outputs and transactions of the next hard fork is refused, and changes nothing.
var (
	errCarrotSigner = refuse("these outputs include one of the next hard fork, which cannot be exchanged between a " +
		"view-only wallet, its signer or other signers yet")
	errCarrotProof = refuse("the transaction is of the next hard fork, for which there are no such proofs yet")
)

// withoutCarrot returns errCarrotSigner if one of list is an output of the next hard fork.
func withoutCarrot(list []wallet.OwnedOutput) error {
	if wallet.HasCarrot(list) {
		return errCarrotSigner
	}
	return nil
}
