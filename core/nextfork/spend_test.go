package nextfork

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/fcmptx"
)

// storedSpend returns the transaction of testdata/spend.txt, which spends two rewards of the chain that spendable
// returns, with valid proofs of all kinds.
func storedSpend(t *testing.T) *fcmptx.Transaction {
	text, err := os.ReadFile("testdata/spend.txt")
	require.NoError(t, err)
	b, err := hex.DecodeString(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	s, err := format.Parse(b)
	require.NoError(t, err)
	return s
}

// spendable returns a chain of 71 blocks, always the same.
func spendable(t *testing.T) *world {
	w := newWorld(t, 5, 8)
	w.mine(70, nil)
	return w
}

// TestSpend: a transaction with valid proofs of all kinds is mined, and its inputs are spent.
func TestSpend(t *testing.T) {
	w, s := spendable(t), storedSpend(t)
	require.EqualValues(t, 70, s.Proofs.ReferenceBlock)
	require.Len(t, s.Inputs, 2)
	id, err := w.AddTx(blob(s), false)
	require.NoError(t, err)
	w.mine(1, nil)
	mined, _ := w.where(id)
	require.True(t, mined)
	w.View(func(v chain.View) {
		for i := range s.Inputs {
			require.True(t, v.Spent(s.Inputs[i].KeyImage))
		}
	})
	w.mine(15, nil)
	w.requireRoots()
}

// TestAlteredSpend: the same transaction is refused with any part altered, in the pool and in a block, and on another
// chain.
func TestAlteredSpend(t *testing.T) {
	w := spendable(t)
	const input = 480 // bytes of the first input and its spend proof
	for name, change := range map[string]func(*fcmptx.Transaction){
		"fee":             func(s *fcmptx.Transaction) { s.Fee-- },
		"extra":           func(s *fcmptx.Transaction) { s.Extra = append(s.Extra, 0) },
		"view tag":        func(s *fcmptx.Transaction) { s.Outputs[0].ViewTag[2] ^= 1 },
		"anchor":          func(s *fcmptx.Transaction) { s.Outputs[1].Anchor[15] ^= 1 },
		"amount":          func(s *fcmptx.Transaction) { s.Amounts[1][7] ^= 1 },
		"commitments":     func(s *fcmptx.Transaction) { swap(s.Commitments) },
		"reference block": func(s *fcmptx.Transaction) { s.Proofs.ReferenceBlock-- },
		"pseudo-outputs":  func(s *fcmptx.Transaction) { swap(s.Proofs.PseudoOuts) },
		"spend proof":     func(s *fcmptx.Transaction) { s.Proofs.Blob[200] ^= 1 },
		"second input":    func(s *fcmptx.Transaction) { s.Proofs.Blob[input+40] ^= 1 },
		"membership":      func(s *fcmptx.Transaction) { s.Proofs.Blob[len(s.Proofs.Blob)-1000] ^= 1 },
		"root's blind":    func(s *fcmptx.Transaction) { s.Proofs.Blob[len(s.Proofs.Blob)-1] ^= 1 },
		"range proof":     func(s *fcmptx.Transaction) { s.Proofs.Range.D1[1] ^= 1 },
	} {
		s := storedSpend(t)
		change(s)
		_, err := w.AddTx(blob(s), false)
		require.Error(t, err, name)
		_, err = w.AddBlock(w.holding(s).Append(nil), blob(s))
		require.Error(t, err, name)
		require.NoError(t, w.FlushPool())
	}
	_, err := w.AddTx(blob(storedSpend(t)), false)
	require.NoError(t, err)

	other := newWorld(t, 6, 8)
	other.mine(70, nil)
	_, err = other.AddTx(blob(storedSpend(t)), false)
	require.ErrorIs(t, err, consensus.ErrInput)
}
