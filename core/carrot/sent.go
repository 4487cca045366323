package carrot

import (
	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// The functions below find payments with what sender and recipient have in common, and without the recipient's view
// key: for proofs of payments.

// SharedBySender returns the shared secret d_e·K_v of a payment to an address with this view key, given the secret of
// the ephemeral key, as Payment.EphemeralSecret returns it. It returns ErrKey for a secret that is not reduced, and
// ErrAddress for a key that is not in the prime-order subgroup. It is constant time in the secret.
func SharedBySender(ephemeral keys.Secret, view xmr.PublicKey) (Shared, error) {
	secret, err := edwards.DecodeScalar(ephemeral)
	if err != nil {
		return Shared{}, ErrKey
	}
	defer edwards.Wipe(secret)
	to, ok := inSubgroup(view)
	if !ok {
		return Shared{}, ErrAddress
	}
	return senderShared(secret, to), nil
}

// OpenPayment returns what an enote contains if it is a payment to an address, given the shared secret, or false. Like
// the recipient, it finds nothing if the ephemeral key was not made for that address. It does not find special enotes,
// whose anchor only the recipient can check. paymentID is the encrypted payment ID of the transaction; it may be nil.
// The payment ID of the address does not matter.
// Source: scan.cpp, try_scan_carrot_enote_external_sender.
func (r *Rules) OpenPayment(e *Enote, paymentID *[8]byte, to *address.Address, shared Shared) (Received, bool) {
	var main xmr.PublicKey // for a subaddress no key: zeros are not in the prime-order subgroup
	if to.Kind != address.Subaddress {
		main = to.Spend
	}
	out, unchecked, ok := r.openExternal(e, paymentID, &shared, main)
	if !ok || unchecked != nil || out.Spend != to.Spend {
		return Received{}, false
	}
	return out, true
}

// OpenCoinbase returns what a coinbase enote contains if it pays an address, given the shared secret, or false. It
// finds nothing for a subaddress, which a coinbase cannot pay.
// Source: scan.cpp, try_scan_carrot_coinbase_enote_sender.
func (r *Rules) OpenCoinbase(e *CoinbaseEnote, to *address.Address, shared Shared) (Received, bool) {
	main, ok := inSubgroup(to.Spend)
	if !ok || to.Kind == address.Subaddress {
		return Received{}, false
	}
	return r.openCoinbase(e, &shared, to.Spend, main)
}
