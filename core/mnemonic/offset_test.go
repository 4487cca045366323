package mnemonic

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

type offsetVectors struct {
	Restored []struct {
		Words      string
		SeedOffset string `json:"seed_offset"`
		Address    string
	}
	Encrypted []struct {
		Words         string
		SeedOffset    string `json:"seed_offset"`
		EncryptedSeed string `json:"encrypted_seed"`
	}
}

func readOffsets(t *testing.T) (v offsetVectors) {
	text, err := os.ReadFile("testdata/offset.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &v))
	require.Len(t, v.Restored, 25)
	require.Len(t, v.Encrypted, 3)
	return v
}

// TestOffset restores the same wallets from words and passphrase as the reference.
func TestOffset(t *testing.T) {
	for _, c := range readOffsets(t).Restored {
		seed, _, err := just.Decode(c.Words)
		require.NoError(t, err)
		k, err := keys.FromSeed(Offset(seed, c.SeedOffset))
		require.NoError(t, err)
		spend, view := k.Address(keys.Index{})
		a := address.Address{Network: xmr.Mainnet, Kind: address.Standard, Spend: spend, View: view}
		require.Equal(t, c.Address, a.String(), "%q", c.SeedOffset)
	}
}

// TestInverseOffset: a wallet's words with a passphrase equal the reference's, and restore the wallet.
func TestInverseOffset(t *testing.T) {
	for _, c := range readOffsets(t).Encrypted {
		seed, lang, err := just.Decode(c.Words)
		require.NoError(t, err)
		hidden := InverseOffset(seed, c.SeedOffset)
		words, err := Encode(hidden, lang)
		require.NoError(t, err)
		require.Equal(t, c.EncryptedSeed, words)
		require.Equal(t, seed, Offset(hidden, c.SeedOffset))
		require.NotEqual(t, seed, Offset(hidden, c.SeedOffset+" "))
	}
}

// TestOffsetOfAnySeed: seeds above ℓ are restored modulo ℓ, but unchanged without a passphrase.
func TestOffsetOfAnySeed(t *testing.T) {
	for _, first := range []byte{0, 1, 0xff} {
		var seed [32]byte
		for i := range seed {
			seed[i] = first
		}
		require.Equal(t, seed, Offset(seed, ""))
		require.Equal(t, seed, InverseOffset(seed, ""))
		require.Equal(t, edwards.EncodeScalar(edwards.ReduceScalar(seed)), Offset(InverseOffset(seed, "x"), "x"))
	}
}
