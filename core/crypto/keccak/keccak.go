// Package keccak is the hash of Monero: Keccak-256 with the padding of before SHA-3 was standardised.
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

// Beginning is what many messages begin with, hashed once.
type Beginning struct{ state []byte }

// Begin returns the beginning that is the concatenation of parts.
func Begin(parts ...[]byte) Beginning {
	h := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		h.Write(p)
	}
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic("unreachable: the state of a hash is always written")
	}
	return Beginning{state}
}

// Sum256 is the function of that name for a message that goes on with parts.
func (b Beginning) Sum256(parts ...[]byte) (out [32]byte) {
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
