package tx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// typical is a current transaction with two inputs and two outputs.
const typical = "26fcdad755f4959a2e7dcd74a5fcc177112f8c4fe3ae86143868ab84a5a9687d"

// TestParsePrunedAllocations limits the allocations per scanned transaction to one each for the transaction, inputs,
// ring offsets, outputs, encrypted amounts and commitments.
func TestParsePrunedAllocations(t *testing.T) {
	x, err := Parse(fixture(t, typical))
	require.NoError(t, err)
	b := x.AppendPruned(nil)
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _ = ParsePruned(b) }), 6.0)
}

// TestArena: transactions decoded into an arena equal others, are not changed by later ones, and need no allocation
// each.
func TestArena(t *testing.T) {
	arena := new(Arena)
	var all []*Transaction
	var raw [][]byte
	for range 50 {
		for _, f := range fixtures {
			x, err := Parse(fixture(t, f.id))
			require.NoError(t, err)
			b := x.AppendPruned(nil)
			p, err := arena.ParsePruned(b)
			require.NoError(t, err)
			p.Extra = arena.Bytes(p.Extra)
			// Appending to a slice changes no other slice.
			_ = append(p.Inputs, Input{Height: 1})
			_ = append(p.Outputs, Output{Amount: 1})
			_ = append(p.Extra, 1)
			all, raw = append(all, p), append(raw, b)
		}
	}
	for i := range all {
		own, err := ParsePruned(raw[i])
		require.NoError(t, err)
		if len(own.Extra) == 0 {
			own.Extra = nil
		}
		require.Equal(t, own, all[i])
	}
	x, err := Parse(fixture(t, typical))
	require.NoError(t, err)
	b := x.AppendPruned(nil)
	require.Less(t, testing.AllocsPerRun(1000, func() { _, _ = arena.ParsePruned(b) }), 0.2)
}

func BenchmarkParsePruned(b *testing.B) {
	x, err := Parse(fixture(b, typical))
	require.NoError(b, err)
	raw := x.AppendPruned(nil)
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		_, _ = ParsePruned(raw)
	}
}

func BenchmarkParsePrunedWithHash(b *testing.B) {
	x, err := Parse(fixture(b, typical))
	require.NoError(b, err)
	raw, prunable := x.AppendPruned(nil), x.PrunableHash()
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		_, _, _ = ParsePrunedWithHash(raw, prunable)
	}
}

func BenchmarkParse(b *testing.B) {
	raw := fixture(b, typical)
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		_, _ = Parse(raw)
	}
}

func BenchmarkHash(b *testing.B) {
	x, err := Parse(fixture(b, typical))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = x.Hash()
	}
}

func BenchmarkParseExtra(b *testing.B) {
	x, err := Parse(fixture(b, typical))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = ParseExtra(x.Extra)
	}
}
