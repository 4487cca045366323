package consensus

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// samples are transactions of a regtest chain of the reference, with the fixtures of package tx.
var samples = []string{
	"4ea0230f5be3b0890baa0962a9be04ab370eb071361c592f8e6a9cfea6e46672",
	"26fcdad755f4959a2e7dcd74a5fcc177112f8c4fe3ae86143868ab84a5a9687d",
	"4e29563827c996f2a759fb71078697fc40c7a22728d214c2d4fead5cb80a2667",
	"58c319ea84e52ee895d7aebd344e13e0bd69a904e59c3a2dffaa0d4bbbd14d2f",
}

func sample(t testing.TB, i int) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "tx", "testdata", samples[i]+".hex"))
	require.NoError(t, err)
	b, err := hex.DecodeString(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return b
}

func parse(t testing.TB, b []byte) *tx.Transaction {
	t.Helper()
	parsed, err := tx.Parse(b)
	require.NoError(t, err)
	return parsed
}

func judge(t *tx.Transaction, size int) error {
	if err := today.CheckTransaction(t, size, t.Weight()); err != nil {
		return err
	}
	if err := CheckRingSize(t, func(uint64) uint64 { return 100 }); err != nil {
		return err
	}
	return CheckProofs(random{}, t)
}

// TestSamples accepts transactions of the reference, separately and together.
func TestSamples(t *testing.T) {
	var all []*tx.Transaction
	for i := range samples {
		b := sample(t, i)
		parsed := parse(t, b)
		require.NoError(t, judge(parsed, len(b)), samples[i])
		all = append(all, parsed)
	}
	require.NoError(t, CheckProofs(random{}, all...))
	all[2].RingCT.Prunable.BulletproofsPlus[0].R1[0] ^= 1
	require.ErrorIs(t, CheckProofs(random{}, all...), ErrMalformed)
	require.NoError(t, CheckProofs(random{}))
}

// random is no secret here: what it weighs is public.
type random struct{}

func (random) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(i * 37)
	}
	return len(p), nil
}

// TestRulesOfTransactions violates each rule separately and expects the error that the reference reports.
func TestRulesOfTransactions(t *testing.T) {
	b := sample(t, 0)
	torsion := [32]byte{} // y = 0: a point of order four
	for _, c := range []struct {
		name    string
		want    error
		breakIt func(*tx.Transaction)
	}{
		{"version", ErrMalformed, func(x *tx.Transaction) { x.Version = 1 }},
		{"pruned", ErrMalformed, func(x *tx.Transaction) { x.RingCT.Prunable = nil }},
		{"null", ErrOutput, func(x *tx.Transaction) { x.RingCT = tx.RingCT{} }},
		{"type", ErrOutput, func(x *tx.Transaction) { x.RingCT.Type = tx.RingCTCLSAG }},
		{"amount", ErrOutput, func(x *tx.Transaction) { x.Outputs[0].Amount = 1 }},
		{"view tag", ErrOutput, func(x *tx.Transaction) { x.Outputs[1].Tagged = false }},
		{"output key", ErrOutput, func(x *tx.Transaction) { x.Outputs[0].Key = xmr.PublicKey{2} }},
		{"one output", ErrTooFewOutputs, func(x *tx.Transaction) { x.Outputs = x.Outputs[:1] }},
		{"outputs", ErrOutput, func(x *tx.Transaction) {
			for len(x.Outputs) < 17 {
				x.Outputs = append(x.Outputs, x.Outputs[0])
			}
		}},
		{"no input", ErrInput, func(x *tx.Transaction) { x.Inputs = nil }},
		{"reward", ErrInput, func(x *tx.Transaction) { x.Inputs[0].Coinbase = true }},
		{"no ring", ErrRingSize, func(x *tx.Transaction) { x.Inputs[0].KeyOffsets = nil }},
		{"small ring", ErrRingSize, func(x *tx.Transaction) { x.Inputs[0].KeyOffsets = x.Inputs[0].KeyOffsets[1:] }},
		{"large ring", ErrRingSize, func(x *tx.Transaction) {
			x.Inputs[0].KeyOffsets = append(x.Inputs[0].KeyOffsets, 1)
		}},
		{"twice", ErrBadInput, func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[3] = 0 }},
		{"image again", ErrBadInput, func(x *tx.Transaction) {
			x.Inputs = append(x.Inputs, x.Inputs[len(x.Inputs)-1])
		}},
		{"order", ErrInput, func(x *tx.Transaction) {
			x.Inputs = append(x.Inputs, x.Inputs[0])
			x.Inputs[0].KeyImage = xmr.KeyImage{1}
		}},
		{"amounts", ErrOverspend, func(x *tx.Transaction) {
			for i := range x.Inputs {
				x.Inputs[i].Amount = math.MaxUint64
			}
		}},
		{"image", ErrBadInput, func(x *tx.Transaction) { x.Inputs[0].KeyImage = xmr.KeyImage{2} }},
		{"image of torsion", ErrBadInput, func(x *tx.Transaction) { x.Inputs[0].KeyImage = torsion }},
		{"fee", ErrBadInput, func(x *tx.Transaction) { x.RingCT.Fee++ }},
		{"commitment", ErrBadInput, func(x *tx.Transaction) { x.RingCT.Commitments[0] = edwards.Base().Encode() }},
		{"no commitment", ErrBadInput, func(x *tx.Transaction) { x.RingCT.Commitments[0] = [32]byte{2} }},
		{"pseudo output", ErrBadInput, func(x *tx.Transaction) {
			x.RingCT.Prunable.PseudoOuts[0] = edwards.Base().Encode()
		}},
		{"no pseudo output", ErrBadInput, func(x *tx.Transaction) { x.RingCT.Prunable.PseudoOuts[0] = [32]byte{2} }},
		{"signatures", ErrBadInput, func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs = nil }},
		{"range proof", ErrBadInput, func(x *tx.Transaction) { x.RingCT.Prunable.BulletproofsPlus[0].S1[3] ^= 8 }},
		{"range proofs", ErrBadInput, func(x *tx.Transaction) { x.RingCT.Prunable.BulletproofsPlus = nil }},
	} {
		x := parse(t, b)
		c.breakIt(x)
		require.ErrorIs(t, judge(x, len(b)), c.want, c.name)
	}
	x := parse(t, b)
	require.ErrorIs(t, today.CheckTransaction(x, MaxTxSize+1, 1), ErrTooBig)
	require.ErrorIs(t, today.CheckTransaction(x, 1, MaxTxWeight+1), ErrTooBig)
	require.NoError(t, today.CheckTransaction(x, MaxTxSize, MaxTxWeight))

	require.ErrorIs(t, CheckRings(x, nil), ErrInput)
}

// TestRingSize allows smaller rings only for outputs whose amount too few others share.
func TestRingSize(t *testing.T) {
	spend := func(size int, amounts ...uint64) *tx.Transaction {
		x := new(tx.Transaction)
		for _, a := range amounts {
			x.Inputs = append(x.Inputs, tx.Input{Amount: a, KeyOffsets: make([]uint64, size)})
		}
		return x
	}
	count := func(amount uint64) uint64 { return amount } // as many as it is worth
	require.NoError(t, CheckRingSize(spend(16, 0, 1, 20), count))
	require.NoError(t, CheckRingSize(spend(15, 15), count))
	require.NoError(t, CheckRingSize(spend(1, 1, 1, 0), count))
	require.ErrorIs(t, CheckRingSize(spend(15, 16), count), ErrRingSize)
	require.ErrorIs(t, CheckRingSize(spend(1, 1, 0, 0), count), ErrRingSize)
	require.ErrorIs(t, CheckRingSize(spend(17, 1), count), ErrRingSize)
	require.ErrorIs(t, CheckRingSize(spend(15, 0), count), ErrRingSize)
}

// FuzzTransaction applies all rules to arbitrary bytes: nothing panics, and an accepted transaction has the amounts of
// a valid one, because others cannot be proven.
func FuzzTransaction(f *testing.F) {
	valid := map[string]bool{}
	for i := range samples {
		valid[money(parse(f, sample(f, i)))] = true
		f.Add(sample(f, i))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := tx.Parse(b)
		if err != nil || judge(x, len(b)) != nil {
			return
		}
		require.True(t, valid[money(x)], "the amounts are not proven")
		require.ErrorIs(t, CheckRings(x, nil), ErrInput)
	})
}

// money returns the parts of a transaction that determine its amounts and fee, and their proof.
func money(x *tx.Transaction) string {
	p := x.RingCT.Prunable
	if p == nil {
		return ""
	}
	pseudo := slices.Clone(p.PseudoOuts) // without the rings only their sum is proven
	slices.SortFunc(pseudo, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	return fmt.Sprint(x.RingCT.Fee, x.RingCT.Commitments, p.BulletproofsPlus, pseudo)
}
