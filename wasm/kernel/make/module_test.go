package main

import (
	"bytes"
	"math/big"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/wasm/kernel"
)

// TestConstants computes the constants as RFC 8032, section 5.1 defines them.
func TestConstants(t *testing.T) {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	value := func(n [4]uint64) *big.Int {
		sum := new(big.Int)
		for i := len(n) - 1; i >= 0; i-- {
			sum.Lsh(sum, 64).Or(sum, new(big.Int).SetUint64(n[i]))
		}
		return sum
	}
	d := new(big.Int).ModInverse(big.NewInt(121666), p)
	d.Mul(d, big.NewInt(-121665)).Mod(d, p)
	require.Zero(t, d.Cmp(value(constD)))
	d.Lsh(d, 1).Mod(d, p)
	require.Zero(t, d.Cmp(value(constD2)))
	root := new(big.Int).Exp(big.NewInt(2), new(big.Int).Rsh(p, 2), p) // 2^((p−1)/4)
	require.Zero(t, root.Cmp(value(constRoot)))

	for _, n := range [][4]uint64{constD, constD2, constRoot, {1}, {1<<64 - 19, 1<<64 - 1, 1<<64 - 1, 1<<63 - 1}} {
		sum := new(big.Int)
		for i, x := range floats(n) {
			require.LessOrEqual(t, x, float64(1<<50+19))
			require.GreaterOrEqual(t, x, -float64(1<<50))
			sum.Add(sum, new(big.Int).Lsh(big.NewInt(int64(x)), uint(limb*i)))
		}
		require.Zero(t, sum.Mod(sum, p).Cmp(new(big.Int).Mod(value(n), p)))
	}
}

// TestModule checks that the embedded module is up to date.
func TestModule(t *testing.T) {
	file, err := os.ReadFile("../kernel.wasm")
	require.NoError(t, err)
	require.True(t, bytes.Equal(build(), file), "go run ./wasm/kernel/make")
	addresses := []int{
		kernel.AtProgram, kernel.AtKeys, kernel.AtOut,
		atValid, atEnds, atPoint, atNext, atTwice, atTable, atTemp, atWords,
	}
	for _, address := range addresses {
		require.Zero(t, address%16)
	}
	require.Equal(t, []byte{0x7f}, signed(nil, -1))
	require.Equal(t, []byte{0xc0, 0x00}, signed(nil, 64))
	require.Equal(t, []byte{0x40}, signed(nil, -64))
	require.Equal(t, []byte{0xbf, 0x7f}, signed(nil, -65))
}
