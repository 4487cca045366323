package edwards

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/vectors"
)

func b32(t *testing.T, s string) [32]byte {
	t.Helper()
	b, err := vectors.Bytes32(s)
	require.NoError(t, err)
	return b
}

// TestPublishedVectors runs the published vectors of the reference's crypto suite (testdata/README.md names the
// source).
func TestPublishedVectors(t *testing.T) {
	f, err := os.Open("testdata/crypto.txt.gz")
	require.NoError(t, err)
	defer f.Close()
	rows, err := vectors.Read(f)
	require.NoError(t, err)
	seen := map[string]int{}
	for _, fields := range rows {
		seen[fields[0]]++
		if check := publishedVectors[fields[0]]; check != nil {
			check(t, fields, strings.Join(fields, " "))
		}
	}
	for name := range publishedVectors {
		require.NotZero(t, seen[name], name)
	}
}

// publishedVectors checks one line of the vector file each, by the line's first field. w are all fields of the line.
var publishedVectors = map[string]func(t *testing.T, w []string, line string){
	"check_scalar": func(t *testing.T, w []string, line string) {
		_, err := DecodeScalar(b32(t, w[1]))
		require.Equal(t, w[2] == "true", err == nil, line)
	},
	"check_key": func(t *testing.T, w []string, line string) {
		_, err := DecodePoint(b32(t, w[1]))
		require.Equal(t, w[2] == "true", err == nil, line)
	},
	"hash_to_scalar": func(t *testing.T, w []string, line string) {
		data := []byte{}
		if w[1] != "x" {
			var err error
			data, err = hex.DecodeString(w[1])
			require.NoError(t, err)
		}
		require.Equal(t, b32(t, w[2]), EncodeScalar(HashToScalar(data)), line)
	},
	"hash_to_point": func(t *testing.T, w []string, line string) {
		require.Equal(t, b32(t, w[2]), MapToPoint(b32(t, w[1])).Encode(), line)
	},
	"hash_to_ec": func(t *testing.T, w []string, line string) {
		require.Equal(t, b32(t, w[2]), HashToPoint(b32(t, w[1])).Encode(), line)
	},
	"secret_key_to_public_key": func(t *testing.T, w []string, line string) {
		s, err := DecodeScalar(b32(t, w[1]))
		require.Equal(t, w[2] == "true", err == nil, line)
		if err == nil {
			require.Equal(t, b32(t, w[3]), new(Point).ScalarBaseMult(s).Encode(), line)
		}
	},
	"generate_key_derivation": checkDerivation,
	"derive_public_key":       checkOutputKey,
	"derive_secret_key": func(t *testing.T, w []string, line string) {
		s, err := DecodeScalar(b32(t, w[3]))
		require.NoError(t, err)
		got := Derivation(b32(t, w[1])).SecretKey(outputIndex(t, w[2]), s)
		require.Equal(t, b32(t, w[4]), EncodeScalar(got), line)
	},
	"derive_view_tag": func(t *testing.T, w []string, line string) {
		tag := Derivation(b32(t, w[1])).ViewTag(outputIndex(t, w[2]))
		require.Equal(t, w[3], hex.EncodeToString([]byte{tag}), line)
	},
	"generate_key_image": func(t *testing.T, w []string, line string) {
		s, err := DecodeScalar(b32(t, w[2]))
		require.NoError(t, err)
		require.Equal(t, b32(t, w[3]), GenerateKeyImage(b32(t, w[1]), s), line)
	},
}

func outputIndex(t *testing.T, text string) uint64 {
	t.Helper()
	i, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err)
	return i
}

func checkDerivation(t *testing.T, w []string, line string) {
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
}

func checkOutputKey(t *testing.T, w []string, line string) {
	i := outputIndex(t, w[2])
	d := Derivation(b32(t, w[1]))
	p, err := d.PublicKey(i, b32(t, w[3]))
	require.Equal(t, w[4] == "true", err == nil, line)
	if err == nil {
		require.Equal(t, b32(t, w[5]), p, line)
		back, err := d.SpendKey(i, p)
		require.NoError(t, err)
		require.Equal(t, b32(t, w[3]), back, line)
	}
}

// TestViewTags compares ViewTags with ViewTag.
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
