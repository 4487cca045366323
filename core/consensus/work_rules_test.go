package consensus

import (
	_ "embed"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/randomx"
	"glim/core/xmr"
)

//go:embed testdata/randomx.txt
var randomxWorks string

// TestWorkRules: the rules determine from which block version on each proof of work applies, for one blob and for many.
func TestWorkRules(t *testing.T) {
	const first, second, firstCommitment, secondCommitment = 0, 1, 2, 3 // columns of the file
	var seed xmr.Hash
	var blobs [][]byte
	var works [4][]xmr.Hash
	for line := range strings.Lines(randomxWorks) {
		fields := strings.Fields(line)
		seed = mustHash(fields[0])
		blob, err := hex.DecodeString(fields[1])
		require.NoError(t, err)
		blobs = append(blobs, blob)
		for i := range works {
			works[i] = append(works[i], mustHash(fields[2+i]))
		}
	}
	require.Len(t, blobs, 3)

	hasher := randomx.NewHasher(1)
	for _, c := range []struct {
		rules WorkRules
		want  map[uint8]int
	}{
		{WorkRules{}, map[uint8]int{12: first, 16: first, 17: first, 255: first}},
		{NextWork(), map[uint8]int{12: first, 16: first, 17: secondCommitment, 255: secondCommitment}},
		{WorkRules{RandomXV2: 18}, map[uint8]int{17: first, 18: second, 19: second}},
		{WorkRules{RandomXV2: 18, Commitment: 17}, map[uint8]int{16: first, 17: firstCommitment, 18: secondCommitment}},
	} {
		// The same blob has several proofs of work, so none may be remembered for another version.
		w := &work{rules: c.rules, hasher: hasher}
		for major, column := range c.want {
			got, err := w.many(major, 3000000, seed, blobs)
			require.NoError(t, err)
			require.Equal(t, works[column], got, "%+v, version %d", c.rules, major)
		}
		for major, column := range c.want {
			for _, w := range []*work{w, {rules: c.rules, hasher: hasher}} {
				got, err := w.one(major, 3000000, seed, blobs[0])
				require.NoError(t, err)
				require.Equal(t, works[column][0], got, "%+v, version %d", c.rules, major)
			}
		}
	}
}

// TestNextWorkIsNotReached: the networks of today have no block version whose proof of work NextWork changes.
func TestNextWorkIsNotReached(t *testing.T) {
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		for _, f := range Forks(n) {
			if f.Version >= randomxVersion {
				require.Equal(t, WorkRules{}.of(f.Version), NextWork().of(f.Version))
			}
		}
	}
}
