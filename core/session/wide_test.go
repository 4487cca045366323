package session_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// hostile returns a chain with a coinbase that has many public keys and outputs. One output pays the owner with the
// last key; others pay with additional keys: the last of them to an address within the initial lookahead, each earlier
// one to an address that is within it only after the payment that follows.
func hostile(t testing.TB, keyCount, outs, paid int, untagged bool) *chaintest.Chain {
	t.Helper()
	c := chaintest.New("hostile", xmr.Regtest)
	r := chaintest.NewRandom("hostile")
	s := chaintest.Spec{NoViewTags: untagged, Secret: r.Scalar()}
	for range keyCount - 1 {
		s.KeysBefore = append(s.KeysBefore, r.Point())
	}
	foreign := xmr.PublicKey(r.Point())
	for range outs - paid {
		s.Pay = append(s.Pay, chaintest.Payment{Amount: 1, Key: &foreign})
	}
	for i := range paid { // the farthest address first, so that the payments it depends on follow
		if paid == 1 {
			s.Pay = append(s.Pay, chaintest.Payment{To: owner(t), Amount: 1000})
			break
		}
		s.Pay = append(s.Pay, chaintest.Payment{
			To: owner(t), At: keys.Index{Minor: (near.Minor - 1) * uint32(paid-i)}, Amount: 1000,
		})
	}
	// A transaction public key r·G pays the main address; a subaddress is paid with an additional key.
	s.Additional = paid > 1
	c.Mine(s)
	c.Grow(1)
	return c
}

// TestHostileCoinbase checks that a small block that makes every key a candidate for every output is searched in parts,
// locally and by workers of a web page. The size of messages between them does not grow with keys times outputs, and
// payments to the wallet are found.
func TestHostileCoinbase(t *testing.T) {
	for _, c := range []struct {
		keys, outs, paid int
		untagged         bool
	}{{200, 200, 1, true}, {500, 500, 1, false}, {1000, 2, 1, false}, {3, 30, 4, false}, {3, 30, 4, true}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			chain := hostile(t, c.keys, c.outs, c.paid, c.untagged)
			var largest, asked atomic.Int64
			h := host()
			here := create(t, journal.NewMemory(), h)
			h.Scan = func(_ context.Context, job scan.Job) (scan.Result, error) {
				asked.Add(1)
				b := job.Encode()
				raise(&largest, len(b))
				there, err := scan.DecodeJob(b)
				if err != nil {
					return scan.Result{}, err
				}
				result, err := scan.Run(there)
				if err != nil {
					return scan.Result{}, err
				}
				b = result.Encode()
				raise(&largest, len(b))
				return scan.DecodeResult(b, job.Txs)
			}
			elsewhere := create(t, journal.NewMemory(), h)
			for _, s := range []*session.Session{here, elsewhere} {
				_, err := s.Refresh(context.Background(), chaintest.NewSource(chain), 0)
				require.NoError(t, err)
				require.EqualValues(t, 1000*c.paid, total(s))
			}
			require.NotZero(t, asked.Load())
			require.Less(t, largest.Load(), int64(600<<10))
			require.Equal(t, state(t, here), state(t, elsewhere))
		})
	}
}

func raise(most *atomic.Int64, n int) {
	for old := most.Load(); int64(n) > old && !most.CompareAndSwap(old, int64(n)); old = most.Load() {
	}
}

func total(s *session.Session) (sum uint64) {
	s.View(func(w *wallet.Wallet) {
		for _, o := range w.Outputs() {
			sum += o.Amount
		}
	})
	return sum
}

// BenchmarkHostileCoinbase reports the time for one block that makes every key a candidate for every output.
func BenchmarkHostileCoinbase(b *testing.B) {
	for _, c := range []struct {
		keys, outs int
		untagged   bool
	}{
		{2000, 2000, true},
		{2000, 2000, false},
		{4000, 3000, true},
		{4000, 3000, false},
		{100_000, 2, false},
		{9000, 8300, false},
	} {
		b.Run(fmt.Sprintf("%dx%d/untagged=%t", c.keys, c.outs, c.untagged), func(b *testing.B) {
			chain := hostile(b, c.keys, c.outs, 1, c.untagged)
			b.ReportAllocs()
			for b.Loop() {
				s := create(b, journal.NewMemory(), host())
				if _, err := s.Refresh(context.Background(), chaintest.NewSource(chain), 0); err != nil {
					b.Fatal(err)
				}
				require.EqualValues(b, 1000, total(s))
			}
			t := chain.Blocks[1].Txs[0].Tx
			b.ReportMetric(float64(len(t.AppendPruned(nil))), "bytes")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.keys*c.outs), "ns/pair")
		})
	}
}
