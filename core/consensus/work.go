package consensus

import (
	"encoding/binary"
	"sync"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/cryptonight"
	"glim/core/internal/crypto/randomx"
	"glim/core/xmr"
)

const (
	variantVersion = 7  // from here on CryptoNight has variants, one for each version
	randomxVersion = 12 // Source: src/crypto/hash-ops.h, RX_BLOCK_VERSION
)

// NewPoW returns the proof of work of every version: CryptoNight, its variants, RandomX. It remembers the caches of so
// many keys, at least one; see randomx.NewHasher for the memory and the time they take. Any number of goroutines may call
// it. Errors: cryptonight.ErrShort for blobs of version 7 below 43 bytes.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_block_longhash.
func NewPoW(caches int) PoW {
	h := randomx.NewHasher(caches)
	var old sync.Pool
	return func(major uint8, height uint64, seed xmr.Hash, blob []byte) (xmr.Hash, error) {
		if height == exceptionHeight && exceptional(blob) {
			return exceptionWork, nil
		}
		if major >= randomxVersion {
			return h.Sum(seed[:], blob)
		}
		c, ok := old.Get().(*cryptonight.Hasher)
		if !ok {
			c = new(cryptonight.Hasher)
		}
		defer old.Put(c)
		variant := max(int(major)-variantVersion+1, cryptonight.Original)
		return c.Sum(blob, variant, height)
	}
}

// Block 202612 of mainnet keeps the hash that was found for it when the Merkle root of so many transactions was wrong.
// The same was mined on the test networks. Source: get_block_longhash_202612, in the same file.
const exceptionHeight = 202612

var (
	exceptionWork = mustHash("84f64766475d51837ac9efbef1926486e58563c95a19fef4aec3254f03000000")
	exceptionIDs  = [...]xmr.Hash{
		mustHash("426d16cff04c71f8b16340b722dc4010a2dd3831c22041431f772547ba6e331a"), // mainnet
		mustHash("248fde4b96b829c4ddbd00e3f76d35b03d01257898bc1b5578bc9e04b379a676"), // testnet
		mustHash("f3449e658b5f880c4b0e69007ed5d092c9c883ac3a518166fa652d5cc505e7b1"), // stagenet
	}
)

func mustHash(s string) xmr.Hash {
	h, err := xmr.ParseHash(s)
	if err != nil {
		panic("unreachable: constants are well-formed")
	}
	return h
}

// exceptional tells whether a hashing blob is that block's.
func exceptional(blob []byte) bool {
	var length [binary.MaxVarintLen64]byte
	id := xmr.Hash(keccak.Sum256(wire.AppendVarint(length[:0], uint64(len(blob))), blob))
	for _, e := range exceptionIDs {
		if id == e {
			return true
		}
	}
	return false
}
