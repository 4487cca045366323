package signer

import "glim/core/keys"

// UnopenedWallet refers to a wallet that is not open at the server.
func UnopenedWallet(p Transport, k *keys.Keys) *ExternalWallet {
	return &ExternalWallet{transport: p, address: k.Address}
}
