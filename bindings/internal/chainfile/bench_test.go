package chainfile

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
)

// BenchmarkMine mines blocks, a hundred or one in a call, in memory and on disk.
func BenchmarkMine(b *testing.B) {
	for _, a := range []int{100, 1} {
		for _, disk := range []bool{false, true} {
			b.Run(fmt.Sprintf("blocks=%d/disk=%t", a, disk), func(b *testing.B) {
				var s chain.Store
				if disk {
					f := open(b, b.TempDir(), false)
					defer f.Close()
					s = f
				}
				n, err := regtest(s)
				require.NoError(b, err)
				made := 0
				for b.Loop() {
					_, err := n.Mine(context.Background(), a, fund)
					require.NoError(b, err)
					made += a
				}
				b.ReportMetric(float64(made)/b.Elapsed().Seconds(), "blocks/s")
			})
		}
	}
}

// BenchmarkOpen opens a chain of 20,000 blocks, and reports its memory and disk usage.
func BenchmarkOpen(b *testing.B) {
	const blocks = 20_000
	folder := b.TempDir()
	f := open(b, folder, false)
	n := daemon(b, f)
	_, err := n.Mine(context.Background(), blocks, fund)
	require.NoError(b, err)
	require.NoError(b, f.Close())
	n = nil
	before := inUse()
	for b.Loop() {
		f := open(b, folder, false)
		n = daemon(b, f)
		b.StopTimer()
		require.EqualValues(b, blocks+1, n.Height())
		b.ReportMetric(float64(inUse()-before)/blocks, "bytes/block")
		b.ReportMetric(float64(f.Size())/blocks, "stored/block")
		require.NoError(b, f.Close())
		runtime.KeepAlive(n)
		n = nil
		b.StartTimer()
	}
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
