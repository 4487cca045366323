package block

import (
	"glim/core/crypto/keccak"
	"glim/core/xmr"
)

// MerkleRoot returns the root of a binary tree over hashes: one hash is its own root, none has the zero root. With p
// the largest power of two below the number of leaves, the last leaves are first paired so that p nodes are left.
// hashes itself is left alone.
// Source: src/crypto/tree-hash.c, tree_hash.
func MerkleRoot(hashes []xmr.Hash) xmr.Hash {
	switch len(hashes) {
	case 0:
		return xmr.Hash{}
	case 1:
		return hashes[0]
	}
	p := 1
	for p*2 < len(hashes) {
		p *= 2
	}
	alone := 2*p - len(hashes)
	level := make([]xmr.Hash, p)
	copy(level, hashes[:alone])
	for i := alone; i < p; i++ {
		pair := hashes[2*i-alone:]
		level[i] = keccak.Sum256(pair[0][:], pair[1][:])
	}
	for len(level) > 1 {
		half := len(level) / 2
		for i := range half {
			level[i] = keccak.Sum256(level[2*i][:], level[2*i+1][:])
		}
		level = level[:half]
	}
	return level[0]
}
