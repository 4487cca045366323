package keccak

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// check compares Parallel8 with Sum256 for messages of all lengths, with every number of lanes, some of which hold
// older messages.
func check(t *testing.T, message []byte) {
	t.Helper()
	var e Parallel8
	for n := 0; n <= len(message); n += 8 {
		count := min(8, len(message)+1-n)
		for lane := range count {
			e.Set(lane, message[:n+lane])
		}
		e.Sum()
		for lane := range count {
			want := Sum256(message[:n+lane])
			require.Equal(t, want, e.Digest(lane), n+lane)
			require.Equal(t, want[0], e.First(lane))
		}
	}
}

func TestParallel8(t *testing.T) {
	r := rand.NewChaCha8([32]byte{1})
	for range 20 {
		message := make([]byte, MaxShort)
		_, _ = r.Read(message)
		check(t, message)
	}
	require.Panics(t, func() { new(Parallel8).Set(0, make([]byte, rate)) })
	if runtime.GOARCH == "amd64" && !abreast {
		t.Log("no vector instructions here: messages were hashed one by one")
	}
}

// TestWorksDetectsErrors changes a single bit of the result of a permutation.
func TestWorksDetectsErrors(t *testing.T) {
	if abreast {
		require.True(t, works(permute))
		require.False(t, works(func(s *[25][8]uint64) { permute(s); s[3][7] ^= 1 << 63 }))
	}
	require.False(t, works(func(*[25][8]uint64) {}))
}

func FuzzParallel8(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, MaxShort))
	f.Fuzz(func(t *testing.T, message []byte) { check(t, message[:min(len(message), MaxShort)]) })
}

func BenchmarkParallel8(b *testing.B) {
	var e Parallel8
	message := make([]byte, 41)
	b.ReportAllocs()
	for b.Loop() {
		for lane := range 8 {
			e.Set(lane, message)
		}
		e.Sum()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(8*b.N), "ns/message")
}
