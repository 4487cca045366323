package cryptonight

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/keccak"
)

func lines(t *testing.T, text []byte, fields int) (out [][]string) {
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		require.Len(t, f, fields)
		out = append(out, f)
	}
	return out
}

func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

func TestVectors(t *testing.T) {
	var h Hasher
	for _, c := range []struct {
		file     string
		count    int
		variants []int
		fields   int
	}{
		{"tests-slow.txt", 4, []int{Variant0}, 2},
		{"tests-slow-1.txt", 5, []int{Variant1}, 2},
		{"tests-slow-2.txt", 10, []int{Variant2, Variant2 + 1}, 2},
		{"tests-slow-4.txt", 10, []int{Variant4, Variant4 + 1}, 3},
	} {
		text, err := os.ReadFile("testdata/" + c.file)
		require.NoError(t, err)
		list := lines(t, text, c.fields)
		require.Len(t, list, c.count)
		for i, f := range list {
			var height uint64
			if len(f) == 3 {
				height, err = strconv.ParseUint(f[2], 10, 64)
				require.NoError(t, err)
			}
			got, err := h.Sum(unhex(t, f[1]), c.variants[i%len(c.variants)], height)
			require.NoError(t, err)
			require.Equal(t, f[0], hex.EncodeToString(got[:]), c.file)
		}
	}
}

func TestFinalists(t *testing.T) {
	file, err := os.Open("testdata/finalists.txt.gz")
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	list := lines(t, text, 5)
	require.Greater(t, len(list), 256)
	for _, f := range list {
		data := unhex(t, strings.TrimPrefix(f[0], "x"))
		for i, hash := range []func([]byte) [32]byte{blake256, groestl256, jh256, skein256} {
			got := hash(data)
			require.Equal(t, f[1+i], hex.EncodeToString(got[:]), "function %d, %d bytes", i, len(data))
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, v := range []int{-1, 6, 1 << 20} {
		_, err := new(Hasher).Sum(make([]byte, 76), v, 0)
		require.ErrorIs(t, err, ErrVariant)
	}
	_, err := new(Hasher).Sum(make([]byte, 42), Variant1, 0)
	require.ErrorIs(t, err, ErrShort)
	_, err = new(Hasher).Sum(make([]byte, 43), Variant1, 0)
	require.NoError(t, err)
}

// TestReuse: earlier hashes do not influence later ones, and Wipe clears the scratchpad.
func TestReuse(t *testing.T) {
	var h Hasher
	h.Wipe()
	first, err := h.Sum(nil, Variant0, 0)
	require.NoError(t, err)
	_, err = h.Sum([]byte("another"), Variant2, 0)
	require.NoError(t, err)
	again, err := h.Sum(nil, Variant0, 7)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.NotZero(t, *h.pad)
	h.Wipe()
	require.True(t, *h.pad == [padWords]uint64{})
}

func TestAbsorb(t *testing.T) {
	for n := range 3*rate + 1 {
		data := bytes.Repeat([]byte{byte(n)}, n)
		s := absorb(data)
		want := keccak.Sum256(data)
		for i := range want {
			require.Equal(t, want[i], byte(s[i/8]>>(i%8*8)), "%d bytes", n)
		}
	}
}

func TestRoot(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	check := func(n uint64) {
		v := new(big.Int).SetUint64(n)
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), 64))
		v.Sqrt(v.Lsh(v, 2))
		require.Equal(t, v.Uint64()-1<<33, fractionRoot(n), "%d", n)
	}
	for range 20000 {
		n := rnd.Uint64() >> rnd.UintN(64)
		check(n)
		// The least number with this root, and its predecessor.
		r := fractionRoot(n)
		edge := new(big.Int).SetUint64(r + 1<<33)
		edge.Mul(edge, edge).Add(edge, big.NewInt(3)).Rsh(edge, 2)
		least := edge.Sub(edge, new(big.Int).Lsh(big.NewInt(1), 64)).Uint64()
		check(least)
		check(least - 1)
	}
	check(0)
	check(1<<64 - 1)
}

// TestPrograms compares programs with those of v4_random_math_init in the reference at v0.18.5.1, compiled separately,
// for heights from 1788000, where mainnet started to use them. The expected value is the SHA-256 of all programs. Each
// is encoded as its length in one byte and its instructions: operation, destination, source and little-endian constant.
func TestPrograms(t *testing.T) {
	digest := sha256.New()
	for height := range uint64(20000) {
		p := newProgram(1788000 + height)
		b := []byte{byte(len(p))}
		for _, in := range p {
			b = binary.LittleEndian.AppendUint32(append(b, in.op, in.to, in.from), in.constant)
		}
		digest.Write(b)
	}
	const want = "05a6519c7115e6fe56be0d2f03184a03f57ed66ae18a6119c1aff30d87c04d25"
	require.Equal(t, want, hex.EncodeToString(digest.Sum(nil)))
}

func BenchmarkSum(b *testing.B) {
	data := make([]byte, 76)
	for name, variant := range map[string]int{"original": Variant0, "shuffled": Variant2, "random": Variant4} {
		b.Run(name, func(b *testing.B) {
			var h Hasher
			for b.Loop() {
				if _, err := h.Sum(data, variant, 1806260); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
