package xmr

import "glim/core/smallfmt"

// Network identifies a Monero chain.
type Network uint8

// The networks. Regtest is a private chain with mainnet's address prefixes and hard fork 16 from block 1.
const (
	Mainnet Network = iota
	Testnet
	Stagenet
	Regtest
)

// Prefixes are the address tags of a network.
// Source: src/cryptonote_config.h, CRYPTONOTE_PUBLIC_*_BASE58_PREFIX.
type Prefixes struct{ Standard, Integrated, Subaddress uint64 }

// Prefixes returns the address tags of n.
func (n Network) Prefixes() Prefixes {
	switch n {
	case Testnet:
		return Prefixes{53, 54, 63}
	case Stagenet:
		return Prefixes{24, 25, 36}
	default:
		return Prefixes{18, 19, 42}
	}
}

// String returns the network's name as in the daemon's get_info; "fakechain" for Regtest.
func (n Network) String() string {
	switch n {
	case Mainnet:
		return "mainnet"
	case Testnet:
		return "testnet"
	case Stagenet:
		return "stagenet"
	case Regtest:
		return "fakechain"
	}
	return smallfmt.Sprintf("network(%d)", uint8(n))
}

// AddressNetwork returns the network whose address prefixes n uses: Regtest shares mainnet's.
func (n Network) AddressNetwork() Network {
	if n == Regtest {
		return Mainnet
	}
	return n
}

// GenesisHash returns the ID of block 0. Regtest has mainnet's.
// Source: what monerod answers for on_get_block_hash [0] on each network.
func (n Network) GenesisHash() Hash {
	s := "418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3"
	switch n {
	case Testnet:
		s = "48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b"
	case Stagenet:
		s = "76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb"
	}
	h, err := ParseHash(s)
	if err != nil {
		panic("unreachable: genesis constants are well-formed")
	}
	return h
}

// DaemonPort returns the default RPC port of a daemon on n.
func (n Network) DaemonPort() int {
	switch n {
	case Testnet:
		return 28081
	case Stagenet:
		return 38081
	}
	return 18081
}
