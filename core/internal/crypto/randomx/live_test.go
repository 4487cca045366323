//go:build !js && !wasip1

package randomx_test

import (
	"context"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/block"
	"glim/core/internal/crypto/cryptonight"
	"glim/core/internal/crypto/randomx"
)

// TestPowHashOfTheRealDaemon compares proof-of-work hashes with the daemon's: CryptoNight for the first block, RandomX
// for the others.
func TestPowHashOfTheRealDaemon(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	const address = "42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm"
	require.NoError(t, d.Mine(ctx, 4, address))

	type answer struct {
		Blob   string `json:"blob"`
		Header struct {
			MajorVersion uint8  `json:"major_version"`
			Hash         string `json:"hash"`
			PowHash      string `json:"pow_hash"`
		} `json:"block_header"`
	}
	ask := func(height uint64) (a answer, hashing []byte) {
		require.NoError(t, d.JSON(ctx, "get_block", map[string]any{"height": height, "fill_pow_hash": true}, &a))
		blob, err := hex.DecodeString(a.Blob)
		require.NoError(t, err)
		blk, err := block.Parse(blob)
		require.NoError(t, err)
		hashing, err = blk.HashingBlob()
		require.NoError(t, err)
		return a, hashing
	}

	genesis, hashing := ask(0)
	require.Equal(t, uint8(1), genesis.Header.MajorVersion)
	got, err := new(cryptonight.Hasher).Sum(hashing, cryptonight.Variant0, 0)
	require.NoError(t, err)
	require.Equal(t, genesis.Header.PowHash, hex.EncodeToString(got[:]))

	h := randomx.NewHasher(1)
	for height := uint64(1); height <= 4; height++ {
		seed, _ := ask(randomx.Epochs{}.SeedHeight(height))
		key, err := hex.DecodeString(seed.Header.Hash)
		require.NoError(t, err)
		a, hashing := ask(height)
		require.GreaterOrEqual(t, a.Header.MajorVersion, uint8(12))
		got, err := h.Sum(randomx.V1, key, hashing)
		require.NoError(t, err)
		require.Equal(t, a.Header.PowHash, hex.EncodeToString(got[:]), "block %d", height)
	}
}
