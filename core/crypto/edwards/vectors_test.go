package edwards

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func b32(t *testing.T, s string) (out [32]byte) {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	require.Len(t, b, 32)
	copy(out[:], b)
	return out
}

// TestPublishedVectors runs the published vectors of the reference's crypto suite (testdata/README.md names the source).
func TestPublishedVectors(t *testing.T) {
	f, err := os.Open("testdata/crypto.txt.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	seen := map[string]int{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		w := strings.Fields(lines.Text())
		seen[w[0]]++
		line := lines.Text()
		switch w[0] {
		case "check_scalar":
			_, err := DecodeScalar(b32(t, w[1]))
			require.Equal(t, w[2] == "true", err == nil, line)
		case "check_key":
			_, err := DecodePoint(b32(t, w[1]))
			require.Equal(t, w[2] == "true", err == nil, line)
		case "hash_to_scalar":
			data := []byte{}
			if w[1] != "x" {
				data, err = hex.DecodeString(w[1])
				require.NoError(t, err)
			}
			require.Equal(t, b32(t, w[2]), EncodeScalar(HashToScalar(data)), line)
		case "hash_to_point":
			require.Equal(t, b32(t, w[2]), MapToPoint(b32(t, w[1])).Encode(), line)
		case "hash_to_ec":
			require.Equal(t, b32(t, w[2]), HashToPoint(b32(t, w[1])).Encode(), line)
		case "secret_key_to_public_key":
			s, err := DecodeScalar(b32(t, w[1]))
			require.Equal(t, w[2] == "true", err == nil, line)
			if err == nil {
				require.Equal(t, b32(t, w[3]), new(Point).ScalarBaseMult(s).Encode(), line)
			}
		case "generate_key_derivation":
			s := ReduceScalar(b32(t, w[2]))
			d, err := Derive(s, b32(t, w[1]))
			require.Equal(t, w[3] == "true", err == nil, line)
			out := make([]Derivation, 3)
			NewDeriver(s).Derive(out, [][32]byte{Base().Encode(), b32(t, w[1]), Base().Encode()})
			require.Equal(t, d, out[1], line)
			require.Equal(t, out[0], out[2])
			if err == nil {
				require.Equal(t, b32(t, w[4]), [32]byte(d), line)
			}
		case "derive_public_key":
			i, err := strconv.ParseUint(w[2], 10, 64)
			require.NoError(t, err)
			d := Derivation(b32(t, w[1]))
			p, err := d.PublicKey(i, b32(t, w[3]))
			require.Equal(t, w[4] == "true", err == nil, line)
			if err == nil {
				require.Equal(t, b32(t, w[5]), p, line)
				back, err := d.SpendKey(i, p)
				require.NoError(t, err)
				require.Equal(t, b32(t, w[3]), back, line)
			}
		case "derive_secret_key":
			i, err := strconv.ParseUint(w[2], 10, 64)
			require.NoError(t, err)
			s, err := DecodeScalar(b32(t, w[3]))
			require.NoError(t, err)
			require.Equal(t, b32(t, w[4]), EncodeScalar(Derivation(b32(t, w[1])).SecretKey(i, s)), line)
		case "derive_view_tag":
			i, err := strconv.ParseUint(w[2], 10, 64)
			require.NoError(t, err)
			require.Equal(t, w[3], hex.EncodeToString([]byte{Derivation(b32(t, w[1])).ViewTag(i)}), line)
		case "generate_key_image":
			s, err := DecodeScalar(b32(t, w[2]))
			require.NoError(t, err)
			require.Equal(t, b32(t, w[3]), GenerateKeyImage(b32(t, w[1]), s), line)
		}
	}
	require.NoError(t, lines.Err())
	for _, op := range []string{"check_scalar", "check_key", "hash_to_scalar", "hash_to_point", "hash_to_ec",
		"secret_key_to_public_key", "generate_key_derivation", "derive_public_key", "derive_secret_key",
		"derive_view_tag", "generate_key_image"} {
		require.NotZero(t, seen[op], op)
	}
}

// TestViewTags compares tags made together with tags made one by one.
func TestViewTags(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 40} {
		derivations, indices, tags := make([]Derivation, n), make([]uint64, n), make([]byte, n)
		for i := range n {
			derivations[i] = Derivation(HashToPoint([32]byte{byte(i), byte(n)}).Encode())
			indices[i] = uint64(1) << (i % 64)
		}
		ViewTags(tags, derivations, indices)
		for i := range n {
			require.Equal(t, derivations[i].ViewTag(indices[i]), tags[i])
		}
	}
}
