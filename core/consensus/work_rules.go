package consensus

import (
	"glim/core/crypto/keccak"
	"glim/core/internal/crypto/randomx"
	"glim/core/xmr"
)

// WorkRules are the block versions from which on the proof of work is another than the hash of RandomX version 1. 0 is
// no version: the zero value has the rules of all networks so far, and those of Monero's 0.19.0.0-beta.2.1.
type WorkRules struct {
	RandomXV2  uint8 // the hash is that of RandomX version 2
	Commitment uint8 // the proof of work is the commitment to the hash: difficulty applies to it
}

// NextWork returns the rules that are proposed for the next hard fork. The proposal also removes the number of
// transactions from the hashing blob, which is not settled; a PoW hashes the blob that it gets.
// Source: https://github.com/monero-project/monero/pull/10038 at 2ebbdf1d2, src/cryptonote_config.h,
// HF_VERSION_RANDOMX_V2 and HF_VERSION_POW_COMMITMENT; docs/BLOCK_HASHING.md.
func NextWork() WorkRules { return WorkRules{RandomXV2: 17, Commitment: 17} }

// NewPoWs returns what the function NewPoWs returns, for these rules.
func (r WorkRules) NewPoWs(caches int) (PoW, PoWs) {
	w := &work{rules: r, hasher: randomx.NewHasher(caches)}
	return w.one, w.many
}

// of returns the proof of work of a block version that has one with RandomX.
func (r WorkRules) of(major uint8) randomWork {
	reached := func(first uint8) bool { return first != 0 && major >= first }
	work := randomWork{version: randomx.V1, commitment: reached(r.Commitment)}
	if reached(r.RandomXV2) {
		work.version = randomx.V2
	}
	return work
}

// randomWork is a proof of work with RandomX.
type randomWork struct {
	version    randomx.Version
	commitment bool
}

// from returns the proof of work of a blob with a RandomX hash.
func (r randomWork) from(blob []byte, hash [32]byte) xmr.Hash {
	if r.commitment {
		return randomx.Commitment(blob, hash)
	}
	return hash
}

// knownKey returns a hash of all that a proof of work depends on.
func (r randomWork) knownKey(seed xmr.Hash, blob []byte) xmr.Hash {
	kind := []byte{byte(r.version), 0}
	if r.commitment {
		kind[1] = 1
	}
	return keccak.Sum256(kind, seed[:], blob)
}
