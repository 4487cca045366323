package mnemonic

import (
	"glim/core/crypto/edwards"
	"glim/core/internal/crypto/cryptonight"
)

// Offset returns the seed for words with a passphrase: seed, as Decode returned it, minus the hash of the passphrase,
// modulo ℓ. Every passphrase gives a valid wallet, so a wrong one is not detected. Passphrases are compared byte by
// byte, without Unicode normalisation. An empty passphrase returns seed unchanged.
//
// It takes some 20 milliseconds and 2 MiB of memory; see package cryptonight for what its memory accesses reveal about
// the passphrase.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, decrypt_key; restore_deterministic_wallet's seed_offset.
func Offset(seed [32]byte, passphrase string) [32]byte {
	if passphrase == "" {
		return seed
	}
	s := edwards.NewScalar().Subtract(edwards.ReduceScalar(seed), stretch(passphrase))
	return edwards.EncodeScalar(s)
}

// InverseOffset returns the seed whose words, together with the passphrase, give seed modulo ℓ. An empty passphrase
// returns seed unchanged.
// Source: cryptonote_format_utils.cpp, encrypt_key; src/wallet/wallet2.cpp, get_seed.
func InverseOffset(seed [32]byte, passphrase string) [32]byte {
	if passphrase == "" {
		return seed
	}
	s := edwards.NewScalar().Add(edwards.ReduceScalar(seed), stretch(passphrase))
	return edwards.EncodeScalar(s)
}

// stretch derives a scalar from a passphrase with a slow hash.
func stretch(passphrase string) *edwards.Scalar {
	data := []byte(passphrase)
	var h cryptonight.Hasher
	defer h.Wipe()
	defer clear(data)
	hash, err := h.Sum(data, cryptonight.Variant0, 0)
	if err != nil {
		panic("unreachable: the original variant takes everything")
	}
	defer clear(hash[:])
	return edwards.ReduceScalar(hash)
}
