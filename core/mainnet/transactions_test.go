package mainnet

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/crypto/clsag"
	"glim/core/tx"
)

// TestTransactions decodes, hashes, encodes and prunes transactions of every era, and verifies their range proofs and
// balances.
func TestTransactions(t *testing.T) {
	eras := map[string]int{}
	for _, f := range published(t, "tx", "txs") {
		t.Run(f.path, func(t *testing.T) {
			x, id, err := tx.ParseWithHash(f.data)
			require.NoError(t, err)
			f.requireID(t, id.String())
			require.Equal(t, f.data, x.Append(nil))
			eras[era(x)]++
			if x.Version == 1 {
				return
			}
			pruned, again, err := tx.ParsePrunedWithHash(x.AppendPruned(nil), x.PrunableHash())
			require.NoError(t, err)
			require.Equal(t, id, again)
			if x.RingCT.Type == tx.RingCTNull {
				return
			}
			weight, err := pruned.PrunedWeight()
			if err == nil { // the weight of the oldest types does not follow from the pruned form
				require.Equal(t, x.Weight(), weight)
			}
			verifyRangeProofs(t, x)
			verifyBalance(t, x)
		})
	}
	for _, want := range []string{
		"version 1", "version 1, coinbase", "coinbase", "full", "simple",
		"Bulletproof", "Bulletproof, compact amounts", "CLSAG", "Bulletproof+",
	} {
		require.NotZero(t, eras[want], "no transaction of the era: %s", want)
	}
}

// era names the kind of a transaction.
func era(x *tx.Transaction) string {
	switch {
	case x.Version == 1 && x.IsCoinbase():
		return "version 1, coinbase"
	case x.Version == 1:
		return "version 1"
	}
	return [...]string{
		tx.RingCTNull:            "coinbase",
		tx.RingCTFull:            "full",
		tx.RingCTSimple:          "simple",
		tx.RingCTBulletproof:     "Bulletproof",
		tx.RingCTBulletproof2:    "Bulletproof, compact amounts",
		tx.RingCTCLSAG:           "CLSAG",
		tx.RingCTBulletproofPlus: "Bulletproof+",
	}[x.RingCT.Type]
}

// TestRing verifies the ring signature of the transaction whose ring is published, and refuses it with another ring.
func TestRing(t *testing.T) {
	text, err := os.ReadFile("testdata/tx/bpp_tx_e89415.rings")
	require.NoError(t, err)
	var ring []clsag.Member
	for line := range strings.Lines(string(text)) {
		key, commitment, found := strings.Cut(strings.TrimSpace(line), " ")
		require.True(t, found)
		ring = append(ring, clsag.Member{Key: key32(t, key), Commitment: key32(t, commitment)})
	}
	text, err = os.ReadFile("testdata/tx/bpp_tx_e89415.hex")
	require.NoError(t, err)
	b, err := hex.DecodeString(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	x, err := tx.Parse(b)
	require.NoError(t, err)
	require.NoError(t, consensus.CheckProofs(rand.Reader, x))
	require.NoError(t, consensus.CheckRings(x, [][]clsag.Member{ring}))
	ring[0], ring[1] = ring[1], ring[0]
	require.ErrorIs(t, consensus.CheckRings(x, [][]clsag.Member{ring}), consensus.ErrInput)
}

// TestBlocks decodes, hashes and encodes blocks.
func TestBlocks(t *testing.T) {
	for _, f := range published(t, "block", "blocks") {
		t.Run(f.path, func(t *testing.T) {
			b, err := block.Parse(f.data)
			require.NoError(t, err)
			id, err := b.Hash()
			require.NoError(t, err)
			f.requireID(t, id.String())
			require.Equal(t, f.data, b.Append(nil))
		})
	}
}

func key32(t *testing.T, text string) (out [32]byte) {
	t.Helper()
	n, err := hex.Decode(out[:], []byte(text))
	require.NoError(t, err)
	require.Equal(t, 32, n)
	return out
}
