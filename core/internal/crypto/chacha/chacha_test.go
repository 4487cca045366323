package chacha

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/cryptonight"
)

// TestChaCha8 checks the key stream of the all-zero key and of another key, and the block counter.
// Source: draft-strombergson-chacha-test-vectors-01, TC1 and TC2, 256-bit keys, 8 rounds.
func TestChaCha8(t *testing.T) {
	for _, c := range []struct {
		key  byte
		want string
	}{
		{0, "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e984ce172b9216f419f445367456d5619314a42a3" +
			"da86b001387bfdb80e0cfe42"},
		{1, "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea289d04f43c7518db56eb4433e498a1238cd8464d" +
			"3763ddbb9222ee3bd8fae3c8"},
	} {
		out := make([]byte, 64)
		XOR8(out, out, &[32]byte{c.key}, [IVSize]byte{})
		require.Equal(t, c.want, hex.EncodeToString(out))
	}
	long, parts := make([]byte, 150), make([]byte, 64)
	XOR8(long, long, &[32]byte{9}, [IVSize]byte{1})
	XOR8(parts, parts, &[32]byte{9}, [IVSize]byte{1})
	require.Equal(t, parts, long[:64])
	require.NotEqual(t, parts, long[64:128], "each block has another key stream")
}

// TestXOR checks the key stream of the all-zero key, and the position of the IV.
// Source: draft-strombergson-chacha-test-vectors-01, TC1 and TC3, 256-bit keys, 20 rounds.
func TestXOR(t *testing.T) {
	for _, c := range []struct {
		iv   byte
		want string
	}{
		{0, "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f4" +
			"1518a11cc387b669b2ee6586"},
		{1, "ef3fdfd6c61578fbf5cf35bd3dd33b8009631634d21e42ac33960bd138e50d32111e4caf237ee53ca8ad6426194a88545ddc497a" +
			"0b466e7d6bbdb0041b2f586b"},
	} {
		out := make([]byte, 64)
		XOR(out, out, &[32]byte{}, [IVSize]byte{c.iv})
		require.Equal(t, c.want, hex.EncodeToString(out))
	}
}

// TestKey compares keys with repeated CryptoNight hashes of the secret, which stays unchanged.
func TestKey(t *testing.T) {
	secret := []byte("correct horse")
	var h cryptonight.Hasher
	one, err := h.Sum(secret, cryptonight.Variant0, 0)
	require.NoError(t, err)
	two, err := h.Sum(one[:], cryptonight.Variant0, 0)
	require.NoError(t, err)
	require.Equal(t, one, Key(secret, 1))
	require.Equal(t, one, Key(secret, 0))
	require.Equal(t, two, Key(secret, 2))
	require.True(t, bytes.Equal([]byte("correct horse"), secret))
}
