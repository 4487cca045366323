package base58

import (
	"encoding/hex"
	"math/bits"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/keccak"
)

// vectors returns the lines of a testdata file in fields, without its header.
func vectors(t testing.TB, name string) (rows [][]string) {
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); !strings.HasSuffix(f[0], ":") {
			rows = append(rows, f)
		}
	}
	require.NotEmpty(t, rows)
	return rows
}

func TestRawVectors(t *testing.T) {
	for _, row := range vectors(t, "raw.txt") {
		data, err := hex.DecodeString(row[0])
		require.NoError(t, err)
		require.Equal(t, row[1], Encode(data))
		got, err := Decode(row[1])
		require.NoError(t, err)
		require.Equal(t, data, got)
	}
}

func TestRealAddresses(t *testing.T) {
	for _, row := range vectors(t, "addresses.txt") {
		tag, data, err := DecodeAddr(row[2])
		require.NoError(t, err)
		require.Equal(t, row[0], strconv.FormatUint(tag, 10))
		require.Equal(t, row[1], strconv.Itoa(len(data)))
		require.Equal(t, row[2], EncodeAddr(tag, data))

		// A change of any letter is detected.
		for i := range row[2] {
			other := []byte(row[2])
			other[i] = alphabet[(int(digits[other[i]])-1+1)%58]
			_, _, err := DecodeAddr(string(other))
			require.Error(t, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	require.Empty(t, Encode(nil))
	got, err := Decode("")
	require.NoError(t, err)
	require.Empty(t, got)
	require.NoError(t, quick.Check(func(tag uint64, data []byte) bool {
		got, err := Decode(Encode(data))
		require.NoError(t, err)
		require.Equal(t, string(data), string(got))
		back, inner, err := DecodeAddr(EncodeAddr(tag, data))
		require.NoError(t, err)
		return back == tag && string(inner) == string(data)
	}, nil))
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]error{
		"1":                        ErrLength,
		"1111":                     ErrLength,
		"11111111":                 ErrLength,
		"111111111111":             ErrLength,
		"1I":                       ErrLetter,
		"10":                       ErrLetter,
		"1\xff":                    ErrLetter,
		"1 ":                       ErrLetter,
		"5R":                       ErrOverflow, // 256
		"LUw":                      ErrOverflow, // 2^16
		"2UzHM":                    ErrOverflow, // 2^24
		"7YXq9H":                   ErrOverflow, // 2^32
		"VtB5VXd":                  ErrOverflow, // 2^40
		"3CUsUpv9u":                ErrOverflow, // 2^48
		"Ahg1opVcGX":               ErrOverflow, // 2^56
		"jpXCZedGfVR":              ErrOverflow, // 2^64
		"zzzzzzzzzzz":              ErrOverflow,
		"11111111111zzzzzzzzzzz11": ErrOverflow,
	} {
		_, err := Decode(text)
		require.ErrorIs(t, err, want, text)
	}

	check := func(body []byte) string {
		sum := keccak.Sum256(body)
		return Encode(append(body, sum[:4]...))
	}
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":         {"", ErrLength},
		"checksum only": {check(nil), ErrLength},
		"long tag":      {check([]byte{0x92, 0x00, 1, 2}), ErrTag},
		"endless tag":   {check([]byte{0x92}), ErrTag},
		"huge tag":      {check([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}), ErrTag},
		"no checksum":   {Encode([]byte{18, 1, 2, 3, 4, 5}), ErrChecksum},
	} {
		_, _, err := DecodeAddr(c.text)
		require.ErrorIs(t, err, c.want, name)
	}
}

// TestBlockSizes: an encoded block has the minimum number of letters for its bytes, which determines the table.
func TestBlockSizes(t *testing.T) {
	for n := 1; n < blockBytes; n++ {
		power, l := uint64(1), 0
		for power <= 1<<(8*n)-1 {
			power *= 58
			l++
		}
		require.Equal(t, letters[n], l)
	}
	hi, _ := bits.Mul64(430804206899405824, 58) // 58^10 is below 2^64, 58^11 is above
	require.NotZero(t, hi)
	require.Equal(t, 11, letters[blockBytes])
}

func FuzzDecode(f *testing.F) {
	for _, row := range vectors(f, "raw.txt") {
		f.Add(row[1])
	}
	for _, row := range vectors(f, "addresses.txt") {
		f.Add(row[2])
	}
	f.Fuzz(func(t *testing.T, s string) {
		data, err := Decode(s)
		if err != nil {
			return
		}
		require.Equal(t, s, Encode(data))
		if tag, inner, err := DecodeAddr(s); err == nil {
			require.Equal(t, s, EncodeAddr(tag, inner))
		}
	})
}
