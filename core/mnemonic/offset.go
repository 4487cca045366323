package mnemonic

import (
	"glim/core/crypto/edwards"
	"glim/core/internal/crypto/cryptonight"
)

// Offset returns the seed that words stand for together with a passphrase: seed is what Decode made of the words, and
// the hash of the passphrase is taken from it, modulo ℓ. Every passphrase gives some wallet; nothing tells whether it
// was the right one. It counts byte by byte: no form of Unicode or of letters is like another. Without a passphrase the
// seed stays what it is.
//
// It takes some 20 milliseconds and 2 MiB of memory; see package cryptonight for what its look-ups tell of the passphrase.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, decrypt_key; restore_deterministic_wallet's seed_offset.
func Offset(seed [32]byte, passphrase string) [32]byte {
	if passphrase == "" {
		return seed
	}
	s := edwards.NewScalar().Subtract(edwards.ReduceScalar(seed), stretch(passphrase))
	return edwards.EncodeScalar(s)
}

// InverseOffset returns the seed whose words, together with the passphrase, give back seed modulo ℓ. Without a
// passphrase the seed stays what it is.
// Source: cryptonote_format_utils.cpp, encrypt_key; src/wallet/wallet2.cpp, get_seed.
func InverseOffset(seed [32]byte, passphrase string) [32]byte {
	if passphrase == "" {
		return seed
	}
	s := edwards.NewScalar().Add(edwards.ReduceScalar(seed), stretch(passphrase))
	return edwards.EncodeScalar(s)
}

// stretch makes a number of a passphrase, slowly.
func stretch(passphrase string) *edwards.Scalar {
	data := []byte(passphrase)
	var h cryptonight.Hasher
	defer h.Wipe()
	defer clear(data)
	hash, err := h.Sum(data, cryptonight.Original, 0)
	if err != nil {
		panic("unreachable: the original variant takes everything")
	}
	defer clear(hash[:])
	return edwards.ReduceScalar(hash)
}
