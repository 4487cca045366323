package mnemonic

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"
)

// just is a list of one language.
var just = Languages{English()}

type vector struct {
	seed  [32]byte
	words string
}

func vectors(t testing.TB) (out []vector) {
	text, err := os.ReadFile("testdata/english.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		key, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasSuffix(key, ":") {
			continue
		}
		raw, err := hex.DecodeString(key)
		require.NoError(t, err)
		out = append(out, vector{[32]byte(raw), words})
	}
	require.Len(t, out, 14)
	return out
}

func TestRealWallets(t *testing.T) {
	english := English()
	for _, v := range vectors(t) {
		words, err := Encode(v.seed, english)
		require.NoError(t, err)
		require.Equal(t, v.words, words)
		seed, lang, err := just.Decode(v.words)
		require.NoError(t, err)
		require.Equal(t, v.seed, seed)
		require.Same(t, english, lang)
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

func first24(words string) string { return words[:strings.LastIndex(words, " ")] }

// TestTolerated decodes input that restore_deterministic_wallet of monero-wallet-rpc 0.18.0.0 accepts, with the same
// result.
func TestTolerated(t *testing.T) {
	v := vectors(t)[0]
	for name, words := range map[string]string{
		"white space":      "  " + strings.ReplaceAll(v.words, " ", "\n\t ") + " \r\n",
		"upper case":       strings.ToUpper(v.words),
		"prefixes":         each(v.words, func(w string) string { return w[:3] }),
		"other ends":       each(v.words, func(w string) string { return w[:3] + "qqq" }),
		"no checksum":      first24(v.words),
		"no checksum, up.": strings.ToUpper(first24(v.words)),
	} {
		seed, _, err := just.Decode(words)
		require.NoError(t, err, name)
		require.Equal(t, v.seed, seed, name)
	}
}

// TestRefusals refuses input that the reference refuses, with an error that names the position and no word.
func TestRefusals(t *testing.T) {
	v := vectors(t)[0]
	list := strings.Fields(v.words)
	replaced := func(i int, w string) string {
		l := append([]string(nil), list...)
		l[i] = w
		return strings.Join(l, " ")
	}
	english := English()
	// The largest number three words make is 1626³−1, above 2^32.
	over := strings.Repeat("abbey ", 21) + english.word(1625) + " " + english.word(1624) + " " + english.word(1623)
	for name, c := range map[string]struct {
		words    string
		want     error
		position int
	}{
		"nothing":               {"", ErrCount, 0},
		"12":                    {strings.Join(list[:12], " "), ErrCount, 0},
		"13":                    {strings.Join(list[:13], " "), ErrCount, 0},
		"23":                    {strings.Join(list[:23], " "), ErrCount, 0},
		"26":                    {v.words + " " + list[0], ErrCount, 0},
		"unknown first":         {replaced(0, "qqqqq"), ErrWord, 1},
		"unknown last":          {replaced(24, "qqqqq"), ErrWord, 25},
		"too short":             {replaced(6, list[6][:2]), ErrWord, 7},
		"not a letter":          {replaced(3, "\xff\xfe"), ErrWord, 4},
		"24, prefix only":       {each(first24(v.words), func(w string) string { return w[:3] }), ErrWord, 1},
		"24, other end":         {first24(replaced(9, list[9]+"x")), ErrWord, 10},
		"another last word":     {replaced(24, other(english, list[24])), ErrChecksum, 0},
		"beyond 32 bits":        {over, ErrRange, 22},
		"beyond, but unknown":   {replaced(22, "qqqqq"), ErrWord, 23},
		"no white space at all": {strings.ReplaceAll(v.words, " ", ""), ErrCount, 0},
	} {
		seed, lang, err := just.Decode(c.words)
		require.ErrorIs(t, err, c.want, name)
		require.Zero(t, seed, name)
		require.Nil(t, lang, name)
		var at *WordError
		if c.position != 0 {
			require.ErrorAs(t, err, &at, name)
			require.Equal(t, c.position, at.Position, name)
		} else {
			require.NotErrorAs(t, err, &at, name)
		}
		require.NotContains(t, err.Error(), "qqq")
	}
	_, err := Encode(v.seed, nil)
	require.ErrorIs(t, err, ErrLanguage)
}

// other returns a word of l other than word.
func other(l *Language, word string) string {
	if l.word(0) == word {
		return l.word(1)
	}
	return l.word(0)
}

// word returns word number n.
func (l *Language) word(n uint32) string {
	t := l.load()
	b := make([]byte, 8*t.words.width)
	return string(b[:t.words.get(b, n)])
}

func TestRoundTrip(t *testing.T) {
	lang := English()
	check := func(seed [32]byte) bool {
		words, err := Encode(seed, lang)
		require.NoError(t, err)
		got, l, err := just.Decode(words)
		require.NoError(t, err)
		short, _, err := just.Decode(each(words, lang.trim))
		require.NoError(t, err)
		bare, _, err := just.Decode(first24(words))
		require.NoError(t, err)
		return got == seed && l == lang && short == seed && bare == seed
	}
	require.NoError(t, quick.Check(check, nil))
	for _, v := range []uint32{0, 1, listSize - 1, listSize, listSize * listSize, 1<<32 - 1} {
		var seed [32]byte
		for i := 0; i < 32; i += 4 {
			binary.LittleEndian.PutUint32(seed[i:], v)
		}
		require.True(t, check(seed))
	}
}

func TestLanguages(t *testing.T) {
	old := NewLanguage(Spec{Name: "Old", LocalName: "Alt", Prefix: 3, Words: englishWords, Rank: 0, Deprecated: true})
	ls := Languages{English(), old}
	require.Same(t, English(), ls.Find("English"))
	require.Nil(t, ls.Find("Old"), "no new wallet has it")
	require.Nil(t, ls.Find("Alt"))
	require.Nil(t, ls.Find(""))
	require.Equal(t, just, ls.Offered())
	require.Len(t, ls, 2, "the caller's list is its own")

	v := vectors(t)[0]
	_, lang, err := ls.Decode(v.words)
	require.NoError(t, err)
	require.Same(t, old, lang, "the lower rank is tried first")
	_, err = Encode(v.seed, old)
	require.ErrorIs(t, err, ErrLanguage)
	_, _, err = Languages(nil).Decode(v.words)
	require.ErrorIs(t, err, ErrLanguage)
	require.Panics(t, func() { NewLanguage(Spec{Words: "one\ntwo\n"}) })
	require.Panics(t, func() { NewLanguage(Spec{Words: strings.TrimSuffix(englishWords, "\n")}) })
}

// myMonero is a published seed of MyMonero. Source: github.com/mymonero/mymonero-core-js, its tests.
const myMonero = "foxes selfish humid nexus juvenile dodge pepper ember biscuit elapse jazz vibrate biscuit"

// TestMyMonero decodes a published seed, and refuses other numbers of words and a wrong order.
func TestMyMonero(t *testing.T) {
	for name, words := range map[string]string{
		"as published": myMonero,
		"upper case":   " " + strings.ToUpper(myMonero) + "\n",
		"prefixes":     each(myMonero, func(w string) string { return w[:3] }),
	} {
		seed, lang, err := just.DecodeMyMonero(words)
		require.NoError(t, err, name)
		require.Equal(t, "9c973aa296b79bbf452781dd3d32ad7f", hex.EncodeToString(seed[:]))
		require.Same(t, English(), lang)
	}
	list := strings.Fields(myMonero)
	for n := range 26 {
		if n != 13 {
			_, _, err := just.DecodeMyMonero(strings.Join(append(list, list...)[:n], " "))
			require.ErrorIs(t, err, ErrMyMonero, n)
		}
	}
	_, _, err := just.Decode(myMonero)
	require.ErrorIs(t, err, ErrCount)
	list[0], list[1] = list[1], list[0]
	_, _, err = just.DecodeMyMonero(strings.Join(list, " "))
	require.ErrorIs(t, err, ErrChecksum)
	list[2] = "qqqq"
	_, _, err = just.DecodeMyMonero(strings.Join(list, " "))
	require.ErrorIs(t, err, ErrWord)
	old := NewLanguage(Spec{Name: "old", Prefix: 3, Words: englishWords, Deprecated: true})
	_, _, err = Languages{old}.DecodeMyMonero(myMonero)
	require.ErrorIs(t, err, ErrLanguage)
}

func FuzzDecodeMyMonero(f *testing.F) {
	f.Add(myMonero)
	f.Add(each(myMonero, func(w string) string { return w[:3] }))
	f.Fuzz(func(t *testing.T, words string) {
		seed, lang, err := just.DecodeMyMonero(words)
		if err != nil {
			require.Zero(t, seed)
			return
		}
		// The same numbers twice are the words of the seed twice.
		again, err := Encode([32]byte(append(seed[:], seed[:]...)), lang)
		require.NoError(t, err)
		twelve := strings.Join(strings.Fields(again)[:12], " ")
		require.True(t, strings.HasPrefix(each(words, lang.trim), each(twelve, lang.trim)))
	})
}

func FuzzDecode(f *testing.F) {
	for _, v := range vectors(f)[:3] {
		f.Add(v.words)
		f.Add(first24(v.words))
		f.Add(each(v.words, func(w string) string { return w[:3] }))
	}
	f.Fuzz(func(t *testing.T, words string) {
		seed, lang, err := just.Decode(words)
		if err != nil {
			require.Zero(t, seed)
			return
		}
		again, err := Encode(seed, lang)
		require.NoError(t, err)
		back, _, err := just.Decode(again)
		require.NoError(t, err)
		require.Equal(t, seed, back)
		got := each(words, lang.trim)
		require.True(t, strings.HasPrefix(each(again, lang.trim), got), "the words are the seed's")
	})
}
