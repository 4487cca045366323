package treecache

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
)

// mainnet is about the number of outputs of the main network.
const mainnet = 150_000_000

func newSource() *source { return &source{Rand: rand.New(rand.NewPCG(1, 2)), usual: true} }

// fill adds blocks with a coinbase and n other outputs, of which the first of every so many is an own one.
func fill(b *testing.B, c *Cache, s *source, blocks, n, every int) {
	for range blocks {
		next := s.block(c.Height(), n)
		for i := range next.Txs {
			for _, o := range next.Txs[i].Outputs {
				if every > 0 && s.IntN(every) == 0 {
					c.Register(o)
				}
			}
		}
		require.NoError(b, c.Add(next))
	}
}

// BenchmarkAdd adds blocks of 100 outputs to a tree with as many outputs as the main network's, and reports the time
// for each output, and the memory and the encoding of the cache, with reorganisations of up to 100 blocks.
func BenchmarkAdd(b *testing.B) {
	for _, every := range []int{0, 1000, 10} { // outputs for each own one
		b.Run(strconv.Itoa(every), func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			c := newEdge(b, mainnet, 3_000_000, 100)
			s := newSource()
			fill(b, c, s, 125, 99, every)
			runtime.GC()
			runtime.ReadMemStats(&after)
			encoded := len(c.Append(nil))
			shortest := math.Inf(1) // other processes use the processor too
			for b.Loop() {
				b.StopTimer()
				next := s.block(c.Height(), 99)
				b.StartTimer()
				start := time.Now()
				if err := c.Add(next); err != nil {
					b.Fatal(err)
				}
				shortest = min(shortest, float64(time.Since(start).Nanoseconds())/100)
			}
			all, inTree := c.Registered()
			b.ReportMetric(shortest, "best-ns/output")
			b.ReportMetric(float64(encoded), "encoded-bytes")
			b.ReportMetric(float64(after.HeapAlloc)-float64(before.HeapAlloc), "heap-bytes")
			b.ReportMetric(float64(all), "own")
			b.ReportMetric(float64(inTree), "own-in-tree")
		})
	}
}

// BenchmarkPath makes the path of an output, and BenchmarkDecode and BenchmarkDetach are what opening a wallet and a
// reorganisation of 100 blocks cost.
func BenchmarkPath(b *testing.B) {
	c := newEdge(b, mainnet, 3_000_000, 100)
	fill(b, c, newSource(), 20, 99, 100)
	place := c.places[0]
	for b.Loop() {
		if _, err := c.path(&c.states[len(c.states)-1], place); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	c := newEdge(b, mainnet, 3_000_000, 100)
	fill(b, c, newSource(), 110, 99, 100)
	encoded := c.Append(nil)
	for b.Loop() {
		if _, err := Decode(carrot.Default, encoded); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDetach(b *testing.B) {
	c := newEdge(b, mainnet, 3_000_000, 100)
	fill(b, c, newSource(), 110, 99, 100)
	encoded := c.Append(nil)
	for b.Loop() {
		b.StopTimer()
		c, err := Decode(carrot.Default, encoded)
		require.NoError(b, err)
		b.StartTimer()
		if err := c.Detach(c.Height() - 100); err != nil {
			b.Fatal(err)
		}
	}
}
