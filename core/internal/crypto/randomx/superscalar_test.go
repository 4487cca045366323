package randomx

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/blake2b"
)

func encode(code []ssInstruction) (b []byte) {
	for _, in := range code {
		b = binary.LittleEndian.AppendUint32(append(b, in.op, in.dst, in.src, in.mod), in.constant)
	}
	return b
}

// TestSuperscalarVectors compares hashes of programs with src/tests/tests.cpp, "SuperscalarHash generator".
func TestSuperscalarVectors(t *testing.T) {
	random := newBlakeGenerator([]byte("test key 000"))
	for i, want := range []string{
		"d3a4a6623738756f77e6104469102f082eff2a3e60be7ad696285ef7dfc72a61",
		"f5e7e0bbc7e93c609003d6359208688070afb4a77165a552ff7be63b38dfbc86",
		"85ed8b11734de5b3e9836641413a8f36e99e89694f419c8cd25c3f3f16c40c5a",
		"5dd956292cf5d5704ad99e362d70098b2777b2a1730520be52f772ca48cd3bc0",
		"6f14018ca7d519e9b48d91af094c0f2d7e12e93af0228782671a8640092af9e5",
		"134be097c92e2c45a92f23208cacd89e4ce51f1009a0b900dbe83b38de11d791",
		"268f9392c20c6e31371a5131f82bd7713d3910075f2f0468baafaa1abd2f3187",
		"c668a05fd909714ed4a91e8d96d67b17e44329e88bc71e0672b529a3fc16be47",
		"99739351315840963011e4c5d8e90ad0bfed3facdcb713fe8f7138fbf01c4c94",
		"14ab53d61880471f66e80183968d97effd5492b406876060e595fcf9682f9295",
	} {
		sum := blake2b.Sum256(encode(generateSuperscalar(random)))
		require.Equal(t, want, hex.EncodeToString(sum[:]), "program %d", i)
	}
}

// TestSuperscalarPrograms compares the programs of the keys "superscalar 0" to "superscalar 999" with those of
// generateSuperscalar in the reference at 9fbab82, compiled separately. The expected value is the SHA-256 of the eight
// programs of each key, each followed by the register that addresses the cache.
func TestSuperscalarPrograms(t *testing.T) {
	digest := sha256.New()
	for key := range 1000 {
		random := newBlakeGenerator(fmt.Appendf(nil, "superscalar %d", key))
		for range cacheReads {
			code := generateSuperscalar(random)
			digest.Write(append(encode(code), slowest(code)))
		}
	}
	const want = "a20ed8586fae285b7800891f06f70829815c2537d0d244efddaa1d9d848d8ad8"
	require.Equal(t, want, hex.EncodeToString(digest.Sum(nil)))
}

// FuzzSuperscalar: for any key, programs have a valid length, follow the rules, and can be executed.
func FuzzSuperscalar(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("test key 000"))
	f.Fuzz(func(t *testing.T, key []byte) {
		if len(key) > MaxKey {
			key = key[:MaxKey]
		}
		code := generateSuperscalar(newBlakeGenerator(key))
		require.Greater(t, len(code), 256)
		require.LessOrEqual(t, len(code), ssMaxSize)
		for _, in := range code {
			require.Less(t, max(in.dst, in.src), uint8(8))
			switch in.op {
			case ssSub, ssXor, ssMul:
				require.NotEqual(t, in.dst, in.src)
			case ssAddShift:
				require.NotEqual(t, in.dst, in.src)
				require.NotEqual(t, uint8(noAddTo), in.dst)
			case ssMulReciprocal:
				require.True(t, hasReciprocal(in.constant))
			}
		}
		s := newSuperscalar(code)
		r := [8][2]uint64{{1, 8}, {2, 7}, {3, 6}, {4, 5}, {5, 4}, {6, 3}, {7, 2}, {8, 1}}
		swapped := r
		for i := range r {
			swapped[i][0], swapped[i][1] = r[i][1], r[i][0]
		}
		s.run2(&r)
		s.run2(&swapped)
		for i := range r {
			require.Equal(t, r[i], [2]uint64{swapped[i][1], swapped[i][0]})
		}
	})
}

// TestReciprocal runs the values of src/tests/tests.cpp, "randomx_reciprocal".
func TestReciprocal(t *testing.T) {
	for divisor, want := range map[uint32]uint64{
		3: 12297829382473034410, 13: 11351842506898185609, 33: 17887751829051686415, 65537: 18446462603027742720,
		15000001: 10316166306300415204, 3845182035: 10302264209224146340, 0xffffffff: 9223372039002259456,
	} {
		require.Equal(t, want, reciprocal(divisor))
	}
	for shift := range 32 {
		require.False(t, hasReciprocal(1<<shift))
	}
	require.False(t, hasReciprocal(0))
	require.True(t, hasReciprocal(3))
}

func TestMulHigh(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		a, b := rnd.Uint64()>>rnd.UintN(64), -(rnd.Uint64() >> rnd.UintN(64))
		p := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		require.Equal(t, p.Rsh(p, 64).Uint64(), mulHigh(a, b))
		p.Mul(big.NewInt(int64(a)), big.NewInt(int64(b)))
		require.Equal(t, p.Rsh(p, 64).Int64(), int64(mulHighSigned(a, b)))
	}
}
