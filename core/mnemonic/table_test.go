package mnemonic

import (
	"hash/crc32"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	for _, texts := range [][]string{
		{"a", "b", "ab", "ba", "", "a\x00", "\x00a"},
		{"seven77", "eight888", "eight889", "8eight88", "sixteen-letters-", strings.Repeat("long", 15), "ねこ", "ねご"},
	} {
		list := newIndex(texts)
		require.Equal(t, len(texts), list.len())
		out := make([]byte, 8*list.width)
		for i, s := range texts {
			n, ok := list.find(s)
			require.True(t, ok)
			require.EqualValues(t, i, n)
			require.Equal(t, s, string(out[:list.get(out, n)]))
		}
		for _, s := range []string{
			"c", "a\x00\x00", "eight888\x00", "eight88", "seven78", strings.Repeat("long", 16),
			strings.Repeat("x", 500),
		} {
			_, ok := list.find(s)
			require.False(t, ok, "%q", s)
		}
	}
}

func TestCRC(t *testing.T) {
	require.NoError(t, quick.Check(func(data []byte) bool {
		crc := ^uint32(0)
		for _, b := range data {
			crc = addByte(crc, b)
		}
		return ^crc == crc32.ChecksumIEEE(data)
	}, nil))
}

// TestChecksum: the checksum is that of the concatenated prefixes.
func TestChecksum(t *testing.T) {
	l := English()
	require.NoError(t, quick.Check(func(numbers [seedWords]uint32) bool {
		var text string
		for i := range numbers {
			numbers[i] %= listSize
			text += l.trim(l.word(numbers[i]))
		}
		return l.load().checksum(numbers[:]) == numbers[crc32.ChecksumIEEE([]byte(text))%seedWords]
	}, nil))
}

func BenchmarkDecode(b *testing.B) {
	words := vectors(b)[0].words
	for b.Loop() {
		if _, _, err := just.Decode(words); err != nil {
			b.Fatal(err)
		}
	}
}

// TestIndexOfEqualTexts finds the last of equal texts, and reads all.
func TestIndexOfEqualTexts(t *testing.T) {
	x := newIndex([]string{"twin", "other", "twin", "twin"})
	n, ok := x.find("twin")
	require.True(t, ok)
	require.EqualValues(t, 3, n)
	n, ok = x.find("other")
	require.True(t, ok)
	require.EqualValues(t, 1, n)
	out := make([]byte, 8*x.width)
	l := newTable([]string{"twin", "other", "twin"})
	require.Equal(t, "twin", string(out[:l.get(out, 0)]))
}
