// Package keccak computes Monero's hash function: Keccak-256 with the padding from before the SHA-3 standard.
package keccak

import (
	"encoding"

	"golang.org/x/crypto/sha3"
)

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

// Prefix is the common start of several messages, hashed once.
type Prefix struct{ state []byte }

// NewPrefix returns the concatenation of parts as a prefix.
func NewPrefix(parts ...[]byte) Prefix {
	h := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		h.Write(p)
	}
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic("unreachable: the state of a hash is always written")
	}
	return Prefix{state}
}

// Sum256 returns the digest of the prefix followed by parts, see the function Sum256.
func (b Prefix) Sum256(parts ...[]byte) (out [32]byte) {
	h := sha3.NewLegacyKeccak256()
	if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(b.state); err != nil {
		panic("unreachable: the state is as it was written")
	}
	for _, p := range parts {
		h.Write(p)
	}
	h.Sum(out[:0])
	return out
}
