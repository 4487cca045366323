// Package keccak is the hash of Monero: Keccak-256 with the padding of before SHA-3 was standardised.
package keccak

import "golang.org/x/crypto/sha3"

// Sum256 returns the digest of the concatenation of parts.
// Source: src/crypto/hash.c, cn_fast_hash.
func Sum256(parts ...[]byte) (out [32]byte) {
	h := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		h.Write(p)
	}
	h.Sum(out[:0])
	return out
}
