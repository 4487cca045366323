package bulletproofsplus

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// key decodes 32 bytes in hexadecimal.
type key [32]byte

func (k *key) UnmarshalText(text []byte) error {
	if len(text) != 64 {
		return errors.New("want 64 digits")
	}
	_, err := hex.Decode(k[:], text)
	return err
}

// chain returns the proofs of real transactions; testdata/README.md names their source.
func chain(t testing.TB) (proofs []Proof, commitments [][][32]byte) {
	t.Helper()
	raw, err := os.ReadFile("testdata/chain.json")
	require.NoError(t, err)
	var in []struct {
		Commitments          []key
		A, A1, B, R1, S1, D1 key
		L, R                 []key
	}
	require.NoError(t, json.Unmarshal(raw, &in))
	list := func(in []key) (out [][32]byte) {
		for _, k := range in {
			out = append(out, k)
		}
		return out
	}
	for _, x := range in {
		proofs = append(proofs, Proof{
			A: x.A, A1: x.A1, B: x.B, R1: x.R1, S1: x.S1, D1: x.D1, L: list(x.L), R: list(x.R),
		})
		commitments = append(commitments, list(x.Commitments))
	}
	require.NotEmpty(t, proofs)
	return proofs, commitments
}

func TestVerifiesChain(t *testing.T) {
	proofs, commitments := chain(t)
	sizes := map[int]bool{}
	for i := range proofs {
		require.NoError(t, Verify(source(1), proofs[i:i+1], commitments[i:i+1]), i)
		sizes[len(commitments[i])] = true
	}
	require.NoError(t, Verify(source(1), proofs, commitments))
	require.True(t, sizes[2] && sizes[3] && sizes[4] && sizes[16])
}
