//go:build js && wasm

package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/scan"
	"glim/core/tx"
)

// oddKeys returns points with every torsion component, the torsion points themselves, non-canonical encodings,
// encodings that are not points, and random bytes, of which about half are points.
func oddKeys(t testing.TB, rng *rand.Rand) [][32]byte {
	t.Helper()
	// A point of order eight; the other torsion points are its multiples. Source: ℓ times a point of the complete
	// group, whose order is 8·ℓ.
	var eight *edwards.Point
	minus := edwards.NewScalar().Negate(edwards.ScalarFromUint64(1))
	for i := byte(2); eight == nil; i++ {
		if p, err := edwards.DecodePoint([32]byte{i}); err == nil {
			q := new(edwards.Point).ScalarMult(minus, p)
			q.Add(q, p)
			four := new(edwards.Point).Add(q, q)
			if four.Add(four, four); !four.IsIdentity() {
				eight = q
			}
		}
	}
	var keys [][32]byte
	torsion := edwards.Identity()
	for range 8 {
		keys = append(keys, torsion.Encode())
		for i := range byte(3) {
			keys = append(keys, new(edwards.Point).Add(edwards.HashToPoint([32]byte{i}), torsion).Encode())
		}
		torsion.Add(torsion, eight)
	}
	require.True(t, torsion.IsIdentity())
	for _, sign := range []byte{0, 0x80} {
		for i := range byte(40) {
			low, high := [32]byte{i}, [32]byte{}
			for j := range high {
				high[j] = 0xff
			}
			high[0] -= i
			low[31], high[31] = sign, 0x7f|sign
			keys = append(keys, low, high)
		}
	}
	for range 150 {
		keys = append(keys, random(rng))
	}
	return keys
}

func random(rng *rand.Rand) (b [32]byte) {
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// TestKernel compares the module with edwards.Derive, for all kinds of keys, and for view keys with extreme digits.
func TestKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	keys := oddKeys(t, rng)
	k := start()
	minus := edwards.NewScalar().Negate(edwards.ScalarFromUint64(1))
	views := []*edwards.Scalar{minus, edwards.ReduceScalar([32]byte{31: 0x10}), edwards.ReduceScalar([32]byte{25: 1})}
	for i := range uint64(9) {
		views = append(views, edwards.ScalarFromUint64(i+1))
	}
	for range 5 {
		views = append(views, edwards.ReduceScalar(random(rng)))
	}
	for _, view := range views {
		valid := 0
		want, got := make([]edwards.Derivation, len(keys)), make([]edwards.Derivation, len(keys))
		program := edwards.NewDeriver(view).Program()
		for i := range keys {
			if d, err := edwards.Derive(view, keys[i]); err == nil {
				want[i] = d
				valid++
			}
		}
		require.Greater(t, valid, len(keys)/4)
		for from := 0; from < len(keys); from += Batch {
			to := min(from+Batch, len(keys))
			require.True(t, k.derive(got[from:to], keys[from:to], program))
		}
		for i := range keys {
			require.Equal(t, want[i], got[i], "view %x, key %x", view.Bytes(), keys[i])
		}
	}
}

// TestStart covers every batch length, through Start.
func TestStart(t *testing.T) {
	require.NoError(t, Start(true))
	rng := rand.New(rand.NewPCG(33, 34))
	keys := append(oddKeys(t, rng), oddKeys(t, rng)...)[:2*Batch+3]
	for _, view := range []*edwards.Scalar{edwards.HashToScalar([]byte("view")), edwards.NewScalar()} {
		d := edwards.NewDeriver(view)
		want := make([]edwards.Derivation, len(keys))
		for i := range keys {
			want[i], _ = edwards.Derive(view, keys[i])
		}
		for _, n := range []int{0, 1, 2, 3, Batch - 1, Batch, Batch + 1, 2 * Batch, 2*Batch + 3} {
			got := make([]edwards.Derivation, n)
			d.Derive(got, keys[:n])
			require.Equal(t, want[:n], got, n)
		}
	}
}

func TestRefuses(t *testing.T) {
	k := start()
	program := edwards.NewDeriver(edwards.ScalarFromUint64(5)).Program()
	require.False(t, k.derive(nil, nil, program))
	require.False(t, k.derive(make([]edwards.Derivation, Batch+1), make([][32]byte, Batch+1), program))
	require.False(t, k.derive(make([]edwards.Derivation, 1), make([][32]byte, 1), make([]byte, Steps+1)))
	require.False(t, k.derive(make([]edwards.Derivation, 1), make([][32]byte, 1), nil))
	require.False(t, edwards.SetKernel(func([]edwards.Derivation, [][32]byte, []byte) bool { return false }))
	require.False(t, edwards.SetKernel(func(out []edwards.Derivation, keys [][32]byte, program []byte) bool {
		ok := k.derive(out, keys, program)
		out[len(out)-2][0] ^= 1 // as an unfused multiplication would
		return ok
	}))
}

// BenchmarkDeriver measures the time per key, first with Go's code.
func BenchmarkDeriver(b *testing.B) {
	keys := make([][32]byte, 1024)
	key := edwards.Base().Encode()
	for i := range keys {
		key = edwards.HashToPoint(key).Encode()
		keys[i] = key
	}
	out := make([]edwards.Derivation, len(keys))
	d := edwards.NewDeriver(edwards.HashToScalar([]byte("view")))
	for _, c := range []struct {
		name   string
		kernel bool
	}{{"go", false}, {"kernel", true}} {
		b.Run(c.name, func(b *testing.B) {
			if c.kernel {
				require.NoError(b, Start(false))
			}
			for b.Loop() {
				d.Derive(out, keys)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(keys)), "ns/key")
		})
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if err := Start(true); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScan measures the time to scan a transaction with two outputs to someone else, first with Go's code.
func BenchmarkScan(b *testing.B) {
	job := scan.Job{View: edwards.EncodeScalar(edwards.HashToScalar([]byte("view"))), Txs: make([]scan.Tx, 1000)}
	key := edwards.Base().Encode()
	for i := range job.Txs {
		key = edwards.HashToPoint(key).Encode()
		t := &tx.Transaction{Version: 2, Extra: tx.AppendPublicKey(nil, key)}
		for o := range byte(2) {
			t.Outputs = append(t.Outputs, tx.Output{Key: key, Tagged: true, ViewTag: key[o]})
		}
		job.Txs[i].Tx = t
	}
	for _, c := range []struct {
		name   string
		kernel bool
	}{{"go", false}, {"kernel", true}} {
		b.Run(c.name, func(b *testing.B) {
			if c.kernel {
				require.NoError(b, Start(false))
			}
			for b.Loop() {
				if _, err := scan.Run(job); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(job.Txs)), "ns/tx")
		})
	}
}
