package blake2b

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/blake2b"
)

func sum(size int, key []byte, personal string, parts ...[]byte) []byte {
	out := make([]byte, size)
	Sum(out, key, personal, parts...)
	return out
}

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.txt")
	require.NoError(t, err)
	optional := func(s string) string { return strings.TrimPrefix(s, "-") }
	count := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		size, err := strconv.Atoi(f[0])
		require.NoError(t, err)
		key, err := hex.DecodeString(optional(f[1]))
		require.NoError(t, err)
		n, err := strconv.Atoi(f[3])
		require.NoError(t, err)
		message := make([]byte, n)
		for i := range message {
			message[i] = byte(i % 251)
		}
		require.Equal(t, f[4], hex.EncodeToString(sum(size, key, optional(f[2]), message)), line)
		require.Equal(t, f[4], hex.EncodeToString(sum(size, key, optional(f[2]), message[:n/3], message[n/3:])), line)
		count++
	}
	require.Equal(t, 36, count)
}

// TestWithoutPersonalisation compares with the library, which has keys.
func TestWithoutPersonalisation(t *testing.T) {
	message := []byte(strings.Repeat("message ", 40))
	for n := 1; n <= MaxSize; n += 7 {
		for keyed := 0; keyed <= MaxKey; keyed += 16 {
			d, err := blake2b.New(n, message[:keyed])
			require.NoError(t, err)
			d.Write(message)
			require.Equal(t, d.Sum(nil), sum(n, message[:keyed], "", message))
		}
	}
}

func TestInvalidLengths(t *testing.T) {
	require.Panics(t, func() { sum(0, nil, "") })
	require.Panics(t, func() { sum(65, nil, "") })
	require.Panics(t, func() { sum(32, make([]byte, 65), "") })
	require.Panics(t, func() { sum(32, nil, "longer than sixteen bytes") })
}

func BenchmarkSum(b *testing.B) {
	var key, out [32]byte
	var message [81]byte
	for b.Loop() {
		Sum(out[:], key[:], "Monero", message[:])
	}
}
