package bip39

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/mnemonic"
	"glim/core/polyseed"
)

type vector struct{ Entropy, Words, Seed string }

func vectors(t testing.TB) []vector {
	var file struct{ Vectors []vector }
	text, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Vectors, 24)
	return file.Vectors
}

// TestPublishedVectors derives the seeds of published phrases, and checks that the words have the entropy's bits.
func TestPublishedVectors(t *testing.T) {
	for _, v := range vectors(t) {
		p, err := Decode(v.Words)
		require.NoError(t, err)
		bits := ""
		for _, n := range p.numbers {
			bits += fmt.Sprintf("%011b", n)
		}
		raw, err := hex.DecodeString(v.Entropy)
		require.NoError(t, err)
		want := ""
		for _, b := range raw {
			want += fmt.Sprintf("%08b", b)
		}
		require.Equal(t, want, bits[:len(want)])
		seed, err := p.Seed("TREZOR")
		require.NoError(t, err)
		require.Equal(t, v.Seed, hex.EncodeToString(seed[:]))
		p.Forget()
	}
}

// each applies f to every word.
func each(words string, f func(string) string) string {
	list := strings.Fields(words)
	for i := range list {
		list[i] = f(list[i])
	}
	return strings.Join(list, " ")
}

// TestTolerated derives the same seed from words that are written in another way.
func TestTolerated(t *testing.T) {
	v := vectors(t)[2]
	for _, words := range []string{
		strings.ToUpper(v.Words),
		"\t" + strings.ReplaceAll(v.Words, " ", "\r\n ") + " ",
		each(v.Words, func(w string) string { return w[:min(4, len(w))] }),
	} {
		p, err := Decode(words)
		require.NoError(t, err)
		seed, err := p.Seed("TREZOR")
		require.NoError(t, err)
		require.Equal(t, v.Seed, hex.EncodeToString(seed[:]))
	}
}

// TestRefusals refuses other numbers of words, wrong words and a wrong checksum, with an error without any word.
func TestRefusals(t *testing.T) {
	words := strings.Fields(vectors(t)[8].Words)
	require.Len(t, words, 24)
	for n := range 40 {
		_, err := Decode(strings.Join(append(words, words...)[:n], " "))
		if n%3 == 0 && n >= 12 && n <= 24 {
			require.NotErrorIs(t, err, ErrCount, n)
		} else {
			require.ErrorIs(t, err, ErrCount, n)
		}
	}
	for _, wrong := range []string{"abandons", "aba", "secretive", "é", ""} {
		changed := append([]string{}, words...)
		changed[4] = wrong + "q"
		_, err := Decode(strings.Join(changed, " "))
		var at *mnemonic.WordError
		require.ErrorAs(t, err, &at)
		require.Equal(t, 5, at.Position)
		require.ErrorIs(t, err, mnemonic.ErrWord)
		require.NotContains(t, err.Error(), wrong+"q")
	}
	p, err := Decode(strings.Join(words, " "))
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", p, p, p), words[0])
	_, err = p.Seed("pässword")
	require.ErrorIs(t, err, ErrPassphrase)
}

// TestChecksum accepts exactly those last words whose checksum is right: of 2048, one in 2^(checksum bits).
func TestChecksum(t *testing.T) {
	list := make([]string, 2048)
	for i := range list {
		list[i] = polyseed.English().Text([]uint32{uint32(i)})
	}
	for n := minWords; n <= maxWords; n += 3 {
		first := strings.Join(list[700:700+n-1], " ")
		accepted := 0
		for _, last := range list {
			_, err := Decode(first + " " + last)
			if err == nil {
				accepted++
			} else {
				require.ErrorIs(t, err, ErrChecksum)
			}
		}
		require.Equal(t, 2048>>(n/3), accepted, n)
	}
}

func FuzzDecode(f *testing.F) {
	for _, v := range vectors(f)[:4] {
		f.Add(v.Words)
		f.Add(strings.ToUpper(v.Words))
		f.Add(each(v.Words, func(w string) string { return w[:3] }))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Decode(text)
		if err != nil {
			require.Nil(t, p)
			return
		}
		whole := polyseed.English().Text(p.numbers)
		again, err := Decode(whole)
		require.NoError(t, err)
		require.Equal(t, p.numbers, again.numbers)
		require.Equal(t, len(strings.Fields(text)), len(again.numbers))
	})
}
