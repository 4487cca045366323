package keccak

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPublishedVectors runs the reference's vectors (testdata/README.md names the source), in one part and in two.
func TestPublishedVectors(t *testing.T) {
	f, err := os.Open("testdata/keccak256.txt.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewScanner(z)
	n := 0
	for ; lines.Scan(); n++ {
		digest, message, ok := strings.Cut(lines.Text(), " ")
		require.True(t, ok)
		b := []byte{}
		if message != "x" {
			b, err = hex.DecodeString(message)
			require.NoError(t, err)
		}
		whole, parts := Sum256(b), Sum256(b[:len(b)/3], nil, b[len(b)/3:])
		require.Equal(t, digest, hex.EncodeToString(whole[:]), "%d bytes", len(b))
		require.Equal(t, whole, parts)
	}
	require.NoError(t, lines.Err())
	require.Greater(t, n, 250)
}

func TestSum256AllocatesNothing(t *testing.T) {
	b := make([]byte, 500)
	require.Zero(t, testing.AllocsPerRun(10, func() { Sum256(b[:41], b) }))
}

// TestPrefix compares with Sum256 for messages of every length.
func TestPrefix(t *testing.T) {
	var message [600]byte
	for i := range message {
		message[i] = byte(i * 7)
	}
	for begun := 0; begun < 300; begun += 17 {
		b := NewPrefix(message[:begun/2], message[begun/2:begun])
		for end := begun; end < len(message); end += 29 {
			require.Equal(t, Sum256(message[:end]), b.Sum256(message[begun:end]))
		}
	}
}
