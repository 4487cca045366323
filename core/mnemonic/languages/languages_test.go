package languages

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/quick"
	"unicode"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/mnemonic"
)

// TestOrder: order and names equal the reference's get_languages.
func TestOrder(t *testing.T) {
	var recorded struct {
		Cases []struct {
			Result struct {
				Languages      []string `json:"languages"`
				LanguagesLocal []string `json:"languages_local"`
			} `json:"result"`
		} `json:"cases"`
	}
	text, err := os.ReadFile("../../walletrpc/testdata/reference/get_languages.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &recorded))
	require.NotEmpty(t, recorded.Cases)
	var names, local []string
	for _, l := range All().Offered() {
		names, local = append(names, l.Name()), append(local, l.LocalName())
		require.Same(t, l, All().Find(l.Name()))
		require.Same(t, l, All().Find(l.LocalName()))
	}
	require.Equal(t, recorded.Cases[0].Result.Languages, names)
	require.Equal(t, recorded.Cases[0].Result.LanguagesLocal, local)
	require.Len(t, All(), 13)
	require.Nil(t, All().Find("EnglishOld"), "the reference knows no such language for new wallets")
	require.Nil(t, All().Find("English (old)"))
	require.Nil(t, All().Find("Klingon"))
	All()[0] = nil
	require.NotNil(t, All()[0], "the caller's list is its own")
}

// TestWordsOfTwoLanguages decodes a French seed whose first letters are those of an English one with a right checksum:
// it is French if its words are complete.
func TestWordsOfTwoLanguages(t *testing.T) {
	const words = "classe premier vigie parmi pinte auteur alcool instant partir achat nougat camion dent suivre " +
		"projet surf tome grue aucun pinson saisir dame nocif tenir grue"
	all := All()
	french := all.Find("French")
	want, _, err := mnemonic.Languages{french}.Decode(words)
	require.NoError(t, err)
	_, _, err = mnemonic.Languages{all.Find("English")}.Decode(words)
	require.NoError(t, err)
	got, l, err := all.Decode(words)
	require.NoError(t, err)
	require.Same(t, french, l)
	require.Equal(t, want, got)
}

// TestRoundTrip encodes and decodes seeds in every language, alone and among all others.
func TestRoundTrip(t *testing.T) {
	all := All()
	for _, l := range all.Offered() {
		check := func(seed [32]byte) bool {
			words, err := mnemonic.Encode(seed, l)
			require.NoError(t, err)
			got, lang, err := mnemonic.Languages{l}.Decode(strings.ToUpper(words))
			require.NoError(t, err)
			require.Same(t, l, lang)
			bare, _, err := mnemonic.Languages{l}.Decode(words[:strings.LastIndex(words, " ")])
			require.NoError(t, err)
			return got == seed && bare == seed
		}
		require.NoError(t, quick.Check(check, &quick.Config{MaxCount: 30}), l.Name())
		among := func(seed [32]byte) bool { // not so for special seeds: one word again and again is in many languages
			words, err := mnemonic.Encode(seed, l)
			require.NoError(t, err)
			got, lang, err := all.Decode(words)
			return err == nil && got == seed && lang == l
		}
		require.NoError(t, quick.Check(among, &quick.Config{MaxCount: 30}), l.Name())
		for _, v := range []uint32{0, 1, 1625, 1626, 1626 * 1626, 1<<32 - 1} {
			var seed [32]byte
			for i := 0; i < 32; i += 4 {
				binary.LittleEndian.PutUint32(seed[i:], v)
			}
			require.True(t, check(seed), l.Name())
		}
	}
}

type recorded struct {
	Created []struct {
		Language, Words string
		SpendKey        string `json:"spend_key"`
	}
	Restored []struct {
		Words, Language, Error, Seed string
		SpendKey                     string `json:"spend_key"`
		WasDeprecated                bool   `json:"was_deprecated"`
	}
}

func reference(t testing.TB) (r recorded) {
	text, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r))
	require.NotEmpty(t, r.Created)
	require.NotEmpty(t, r.Restored)
	return r
}

// TestCreatedByReference: the words of a key equal the reference's in each language, by either of its names.
func TestCreatedByReference(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range reference(t).Created {
		l := All().Find(c.Language)
		require.NotNil(t, l, c.Language)
		key, err := hex.DecodeString(c.SpendKey)
		require.NoError(t, err)
		words, err := mnemonic.Encode([32]byte(key), l)
		require.NoError(t, err)
		require.Equal(t, c.Words, words)
		seed, lang, err := All().Decode(c.Words)
		require.NoError(t, err)
		require.Equal(t, key, seed[:])
		require.Same(t, l, lang)
		seen[c.Language] = true
	}
	for _, l := range All().Offered() {
		require.True(t, seen[l.Name()] && seen[l.LocalName()], l.Name())
	}
}

// TestRestoredByReference: words are accepted or refused as by the reference, with the same key and words.
func TestRestoredByReference(t *testing.T) {
	for _, c := range reference(t).Restored {
		seed, lang, err := All().Decode(c.Words)
		if c.Error == "Electrum-style word list failed verification" {
			if strings.ContainsFunc(c.Words, unicode.IsUpper) && !strings.ContainsFunc(c.Words, unicode.IsLower) {
				require.NoError(t, err, "the recorded program ran where only ASCII has capitals")
				continue
			}
			require.Error(t, err, c.Words)
			continue
		}
		require.NoError(t, err, c.Words)
		if c.Error != "" { // the words are fine, but not the language asked for
			require.True(t, lang.Deprecated())
			require.Nil(t, All().Find(c.Language))
			continue
		}
		reduced := edwards.EncodeScalar(edwards.ReduceScalar(seed))
		require.Equal(t, c.SpendKey, hex.EncodeToString(reduced[:]), c.Words)
		require.Equal(t, c.WasDeprecated, lang.Deprecated() || len(strings.Fields(c.Words)) == 24)
		if lang.Deprecated() {
			_, err := mnemonic.Encode(seed, lang)
			require.ErrorIs(t, err, mnemonic.ErrLanguage)
			lang = All().Find(c.Language)
		}
		words, err := mnemonic.Encode(seed, lang) // of a seed beyond ℓ too, although its key is reduced
		require.NoError(t, err)
		require.Equal(t, c.Seed, words)
	}
}

// TestDeprecated decodes published words of the deprecated list.
// Source: github.com/serai-dex/serai, coins/monero/src/tests/seed.rs, test_classic_seed.
func TestDeprecated(t *testing.T) {
	seed, lang, err := All().Decode("glorious especially puff son moment add youth nowhere throw glide grip wrong " +
		"rhythm consume very swear bitter heavy eventually begin reason flirt type unable")
	require.NoError(t, err)
	require.Equal(t, "English (old)", lang.Name())
	require.True(t, lang.Deprecated())
	require.Equal(t, "647f4765b66b636ff07170ab6280a9a6804dfbaf19db2ad37d23be024a18730b", hex.EncodeToString(seed[:]))
}

func FuzzDecode(f *testing.F) {
	for i, c := range reference(f).Restored {
		if i%5 == 0 {
			f.Add(c.Words)
		}
	}
	f.Fuzz(func(t *testing.T, words string) {
		seed, lang, err := All().Decode(words)
		if err != nil {
			require.Zero(t, seed)
			require.Nil(t, lang)
			return
		}
		if lang.Deprecated() {
			return
		}
		again, err := mnemonic.Encode(seed, lang)
		require.NoError(t, err)
		back, _, err := mnemonic.Languages{lang}.Decode(again)
		require.NoError(t, err)
		require.Equal(t, seed, back)
	})
}

// TestListsOnDemand: a list is read once, on its first use; without it nothing is written in that language.
func TestListsOnDemand(t *testing.T) {
	asked := map[string]int{}
	have := true
	known := Known(func(list string) string {
		asked[list]++
		if !have {
			return ""
		}
		return embedded(list)
	})
	require.Empty(t, asked)
	words, err := mnemonic.Encode([32]byte{1, 2, 3}, known.Find("German"))
	require.NoError(t, err)
	for range 2 {
		seed, lang, err := known.Decode(words)
		require.NoError(t, err)
		require.Equal(t, "German", lang.Name())
		require.Equal(t, byte(2), seed[1])
	}
	require.Equal(t, 1, asked["german"])

	have = false
	_, err = mnemonic.Encode([32]byte{1}, known.Find("Lojban"))
	require.ErrorIs(t, err, mnemonic.ErrLanguage)
	english, err := mnemonic.Encode([32]byte{7}, known.Find("English"))
	require.NoError(t, err)
	_, lang, err := known.Decode(english)
	require.NoError(t, err)
	require.Equal(t, "English", lang.Name())
}
