//go:build !js && !wasip1

package consensus_test

import (
	"context"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/consensus"
	"glim/core/xmr"
)

// The proof of work of every version, as the real daemon calculates it. The packaged one dies of versions 10 and 11;
// see TestRandomWork.
func TestPoWOfTheRealDaemon(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	pow := consensus.NewPoW(1)
	seed := xmr.Regtest.GenesisHash()
	blob := make([]byte, 76)
	for _, major := range []uint8{0, 1, 2, 6, 7, 8, 9, 12, 13, 16, 17} {
		blob[0], blob[39] = major, major
		height := 1806260 + uint64(major)
		var want string
		require.NoError(t, d.JSON(ctx, "calc_pow", map[string]any{
			"major_version": major, "height": height,
			"block_blob": hex.EncodeToString(blob), "seed_hash": seed.String(),
		}, &want), "version %d", major)
		got, err := pow(major, height, seed, blob)
		require.NoError(t, err)
		require.Equal(t, want, got.String(), "version %d", major)
	}
}
