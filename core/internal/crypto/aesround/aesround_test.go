package aesround

import (
	"crypto/aes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func words(b []byte) (lo, hi uint64) {
	return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
}

func text(lo, hi uint64) (out [16]byte) {
	binary.LittleEndian.PutUint64(out[:], lo)
	binary.LittleEndian.PutUint64(out[8:], hi)
	return out
}

func unhex(t *testing.T, s string) []byte {
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

// TestEncrypt runs the first round of the example in FIPS 197, appendix B: initial state, round key, next state.
func TestEncrypt(t *testing.T) {
	lo, hi := words(unhex(t, "193de3bea0f4e22b9ac68d2ae9f84808"))
	keyLo, keyHi := words(unhex(t, "a0fafe1788542cb123a339392a6c7605"))
	got := text(Get().Encrypt(lo, hi, keyLo, keyHi))
	require.Equal(t, "a49c7ff2689f352b6b5bea43026a5049", hex.EncodeToString(got[:]))
}

// TestDecrypt runs the first round of the equivalent inverse cipher in FIPS 197, appendix C.1: istart, ik_sch, and the
// next istart.
func TestDecrypt(t *testing.T) {
	lo, hi := words(unhex(t, "7ad5fda789ef4e272bca100b3d9ff59f"))
	keyLo, keyHi := words(unhex(t, "13aa29be9c8faff6f770f58000f7bf03"))
	got := text(Get().Decrypt(lo, hi, keyLo, keyHi))
	require.Equal(t, "54d990a16ba09ab596bbf40ea111702f", hex.EncodeToString(got[:]))
}

// TestEqualsTheLibrary compares ten rounds with AES-128 of the standard library. The last round of AES has no
// MixColumns, so the test applies it to the library's result.
func TestEqualsTheLibrary(t *testing.T) {
	tables := Get()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var key, in, want [16]byte
		for i := range key {
			key[i], in[i] = byte(rnd.Uint32()), byte(rnd.Uint32())
		}
		c, err := aes.NewCipher(key[:])
		require.NoError(t, err)
		c.Encrypt(want[:], in[:])

		keys := schedule(tables, key)
		lo, hi := words(in[:])
		lo, hi = lo^keys[0][0], hi^keys[0][1]
		for _, k := range keys[1:10] {
			lo, hi = tables.Encrypt(lo, hi, k[0], k[1])
		}
		lo, hi = tables.Encrypt(lo, hi, 0, 0)
		wantLo, wantHi := words(want[:])
		wantLo, wantHi = mixColumns(wantLo^keys[10][0], wantHi^keys[10][1])
		require.Equal(t, [2]uint64{wantLo, wantHi}, [2]uint64{lo, hi})
	}
}

// TestInverse: Decrypt inverts Encrypt if its input is unmixed before and its output mixed after. MixColumns has order
// four, so applying it three times unmixes columns.
func TestInverse(t *testing.T) {
	tables := Get()
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		wantLo, wantHi, keyLo, keyHi := rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64()
		lo, hi := tables.Encrypt(wantLo, wantHi, keyLo, keyHi)
		lo, hi = lo^keyLo, hi^keyHi
		for range 3 {
			lo, hi = mixColumns(lo, hi)
		}
		lo, hi = tables.Decrypt(lo, hi, keyLo, keyHi)
		lo, hi = mixColumns(lo^keyLo, hi^keyHi)
		require.Equal(t, [2]uint64{wantLo, wantHi}, [2]uint64{lo, hi})
	}
}

// schedule is the key expansion of AES-128. Source: FIPS 197, section 5.2.
func schedule(t *Tables, key [16]byte) (out [11][2]uint64) {
	var w [44]uint32
	for i := range 4 {
		w[i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	constant := byte(1)
	for i := 4; i < len(w); i++ {
		v := w[i-1]
		if i%4 == 0 {
			v = t.Substitute(v>>8|v<<24) ^ uint32(constant)
			constant = Double(constant)
		}
		w[i] = w[i-4] ^ v
	}
	for i := range out {
		out[i] = [2]uint64{uint64(w[4*i]) | uint64(w[4*i+1])<<32, uint64(w[4*i+2]) | uint64(w[4*i+3])<<32}
	}
	return out
}

// mixColumns is MixColumns. Source: FIPS 197, section 5.1.3.
func mixColumns(lo, hi uint64) (uint64, uint64) {
	b := text(lo, hi)
	var out [16]byte
	for i := range out {
		column := i / 4 * 4
		next := func(n int) byte { return b[column+(i+n)%4] }
		out[i] = Double(next(0)) ^ Double(next(1)) ^ next(1) ^ next(2) ^ next(3)
	}
	return words(out[:])
}
