package service

import (
	"glim/core/fee"
	"glim/core/xmr"
)

// ringCTHeight is the mainnet block that introduced RingCT. Source: src/hardforks/hardforks.cpp.
const ringCTHeight = 1220516

// ceilingAt is ceiling for a wallet at a height.
func ceilingAt(network xmr.Network, height uint64) fee.Ceiling {
	return fee.CeilingFor(feeNetwork(network, height))
}

// feeNetwork returns the network whose rules limit the fees of a wallet at a height.
func feeNetwork(network xmr.Network, height uint64) xmr.Network {
	if network == xmr.Mainnet && height < ringCTHeight {
		return xmr.Regtest
	}
	return network
}
