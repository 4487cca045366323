//go:build !purego

package cryptonight

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHardware compares the hashes that are computed with the AES instructions with those of the portable code.
func TestHardware(t *testing.T) {
	available := hardware // without the instructions, both are the portable code
	t.Cleanup(func() { hardware = available })
	var with, without Hasher
	for _, variant := range []int{Variant0, Variant0, Variant0, Variant1, Variant2, Variant4} {
		data := make([]byte, 76)
		_, _ = rand.Read(data)
		hardware = available
		got, err := with.Sum(data, variant, 1)
		require.NoError(t, err)
		hardware = false
		want, err := without.Sum(data, variant, 1)
		require.NoError(t, err)
		require.Equal(t, want, got, "variant %d of %x", variant, data)
		require.Equal(t, without.pad, with.pad)
	}
}
