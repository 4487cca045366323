package consensus

import (
	"encoding/binary"
	"errors"
	"runtime"
	"sync"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/cryptonight"
	"glim/core/internal/crypto/randomx"
	"glim/core/internal/parallel"
	"glim/core/xmr"
)

const (
	variantVersion = 7  // first version with a CryptoNight variant other than 0; each later version has another
	randomxVersion = 12 // Source: src/crypto/hash-ops.h, RX_BLOCK_VERSION
)

// NewPoW returns a function that computes the proof of work of every version by the rules of all networks so far:
// CryptoNight, its variants and RandomX version 1. It keeps the caches of up to max(caches, 1) RandomX seeds; see
// randomx.NewHasher for their memory and time. Any number of goroutines may call the function. It returns
// cryptonight.ErrShort for blobs of version 7 with fewer than 43 bytes.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_block_longhash.
func NewPoW(caches int) PoW {
	pow, _ := NewPoWs(caches)
	return pow
}

// NewPoWs returns the function of NewPoW, and one for miners, which compute many hashes of the same version and seed.
// Hashes that the second one has computed lately cost the first one nothing.
func NewPoWs(caches int) (PoW, PoWs) { return WorkRules{}.NewPoWs(caches) }

// work computes proofs of work.
type work struct {
	rules  WorkRules
	hasher *randomx.Hasher
	old    sync.Pool // of *cryptonight.Hasher

	mu     sync.Mutex
	recent [256]knownWork // by the first byte of the key
}

// knownWork is a proof of work that many has computed. key is from knownKey.
type knownWork struct{ key, sum xmr.Hash }

func (w *work) one(major uint8, height uint64, seed xmr.Hash, blob []byte) (xmr.Hash, error) {
	if height == exceptionHeight && exceptional(blob) {
		return exceptionWork, nil
	}
	if major >= randomxVersion {
		random := w.rules.of(major)
		key := random.knownKey(seed, blob)
		w.mu.Lock()
		known := w.recent[key[0]]
		w.mu.Unlock()
		if known.key == key {
			return known.sum, nil
		}
		hash, err := w.hasher.Sum(random.version, seed[:], blob)
		if err != nil {
			return xmr.Hash{}, err
		}
		return random.from(blob, hash), nil
	}
	c, ok := w.old.Get().(*cryptonight.Hasher)
	if !ok {
		c = new(cryptonight.Hasher)
	}
	defer w.old.Put(c)
	variant := max(int(major)-variantVersion+1, cryptonight.Variant0)
	return c.Sum(blob, variant, height)
}

// Together is the number of hashes that PoWs computes together on one processor.
const Together = randomx.MaxTogether

func (w *work) many(major uint8, height uint64, seed xmr.Hash, blobs [][]byte) ([]xmr.Hash, error) {
	sums := make([]xmr.Hash, len(blobs))
	each := min(Together, max(1, (len(blobs)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0)))
	parts := (len(blobs) + each - 1) / each
	errs := make([]error, parts)
	parallel.For(parts, func(i int) {
		at := i * each
		errs[i] = w.part(major, height, seed, blobs[at:min(at+each, len(blobs))], sums[at:])
	})
	return sums, errors.Join(errs...)
}

// part writes the hashes of up to Together blobs.
func (w *work) part(major uint8, height uint64, seed xmr.Hash, blobs [][]byte, sums []xmr.Hash) error {
	if major < randomxVersion {
		for i, blob := range blobs {
			sum, err := w.one(major, height, seed, blob)
			if err != nil {
				return err
			}
			sums[i] = sum
		}
		return nil
	}
	random := w.rules.of(major)
	list, err := w.hasher.Sums(random.version, seed[:], blobs)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, hash := range list {
		sums[i] = random.from(blobs[i], hash)
		key := random.knownKey(seed, blobs[i])
		w.recent[key[0]] = knownWork{key, sums[i]}
	}
	return nil
}

// Block 202612 of mainnet keeps the hash that it got when the Merkle root of so many transactions was computed
// incorrectly. The same block is in the test networks. Source: get_block_longhash_202612, in the same file.
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

// exceptional reports whether a hashing blob is that of block 202612.
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
