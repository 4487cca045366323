package service

import (
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/xmr"
)

// ErrSeparateAccounts is not returned.
var ErrSeparateAccounts error

// separately returns build: JavaScript hosts do not keep accounts apart, and do not describe what payments link, so
// that the download of pages stays small.
func separately(build buildFunc, _ *paymentTerms, _ xmr.Network) buildFunc { return build }

// registerLinks registers nothing.
func registerLinks(*rpc.Registry, *multisigSigning) {}

// changeParts returns what the request asks for.
func changeParts(_ *wallet.Wallet, _ uint32, asked int, _ uint64) int { return asked }
