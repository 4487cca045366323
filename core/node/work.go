package node

import (
	"glim/core/consensus"
	"glim/core/crypto/cryptonight"
	"glim/core/crypto/randomx"
	"glim/core/xmr"
)

// randomXVersion is the first hard fork whose proof of work is RandomX. Source: src/cryptonote_config.h,
// RX_BLOCK_VERSION.
const randomXVersion = 12

// Work returns the proof of work of blocks of every version: RandomX, hashed by h, and the variants of CryptoNight
// before. Source: src/cryptonote_core/cryptonote_tx_utils.cpp, get_block_longhash.
func Work(h *randomx.Hasher) consensus.PoW {
	return func(major uint8, height uint64, seed xmr.Hash, blob []byte) (xmr.Hash, error) {
		if major >= randomXVersion {
			return sum(h.Sum(seed[:], blob))
		}
		variant := 0
		if major >= 7 {
			variant = int(major) - 6
		}
		return sum(cryptonight.Sum(blob, variant, height))
	}
}

func sum(h [32]byte, err error) (xmr.Hash, error) { return h, err }
