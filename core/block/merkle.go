package block

import (
	"glim/core/crypto/keccak"
	"glim/core/xmr"
)

// MerkleRoot returns the Merkle root of hashes. The root of a single hash is the hash itself, and that of an empty list
// is zero. The last hashes are paired first, so that the number of nodes becomes the largest power of two below the
// number of hashes. hashes is not modified. Source: src/crypto/tree-hash.c, tree_hash.
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
	join(level[alone:], hashes[alone:])
	for len(level) > 1 {
		half := len(level) / 2
		join(level[:half], level)
		level = level[:half]
	}
	return level[0]
}

// join sets to[i] to the hash of the i-th pair of from, several side by side; to and from may begin at one place.
func join(to, from []xmr.Hash) {
	if len(to) < 3 {
		for i := range to {
			to[i] = keccak.Sum256(from[2*i][:], from[2*i+1][:])
		}
		return
	}
	var e keccak.Parallel8
	for len(to) > 0 {
		n := min(8, len(to))
		for i := range n {
			var pair [64]byte
			copy(pair[:], from[2*i][:])
			copy(pair[32:], from[2*i+1][:])
			e.Set(i, pair[:])
		}
		e.Sum()
		for i := range n {
			to[i] = e.Digest(i)
		}
		to, from = to[n:], from[2*n:]
	}
}
