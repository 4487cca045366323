package languages

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/polyseed"
	"glim/core/xmr"
)

type vectors struct {
	Seeds []struct {
		Language, Words, Secret string
		Time                    uint64
	}
	Addresses        []struct{ Words, Address string }
	English, Spanish []struct{ Words, Error string }
	Several          string
}

func read(t testing.TB) (v vectors) {
	text, err := os.ReadFile("../testdata/vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &v))
	require.Len(t, v.Seeds, 10)
	return v
}

func find(t testing.TB, name string) *polyseed.Language {
	for _, l := range All() {
		if l.Name() == name {
			return l
		}
	}
	t.Fatal("no language " + name)
	return nil
}

// TestPublishedSeeds: a secret and a time give the published words, which decode to the same seed.
func TestPublishedSeeds(t *testing.T) {
	for _, c := range read(t).Seeds {
		secret, err := hex.DecodeString(c.Secret)
		require.NoError(t, err)
		s, err := polyseed.New(bytes.NewReader(secret), c.Time)
		require.NoError(t, err)
		require.LessOrEqual(t, s.Birthday(), c.Time)
		require.Greater(t, s.Birthday()+2629746, c.Time)
		l := find(t, c.Language)
		require.Equal(t, c.Words, s.Words(l))
		for _, text := range []string{
			c.Words, strings.ToUpper(c.Words), " " + strings.ReplaceAll(c.Words, " ", "\n") + "\t",
		} {
			got, lang, err := All().Decode(text)
			require.NoError(t, err, text)
			require.True(t, s.Equal(got))
			require.Same(t, l, lang)
		}
	}
}

// TestAddresses: the published words give the published addresses.
func TestAddresses(t *testing.T) {
	for _, c := range read(t).Addresses {
		s, _, err := All().Decode(c.Words)
		require.NoError(t, err)
		seed, err := s.Key()
		require.NoError(t, err)
		k, err := keys.FromSeed(seed)
		require.NoError(t, err)
		a := address.Address{Network: xmr.Mainnet, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic}
		require.Equal(t, c.Address, a.String())
	}
}

// TestPublishedForms accepts or refuses prefixes and unaccented forms as the reference's tests do.
func TestPublishedForms(t *testing.T) {
	v := read(t)
	for i, list := range [][]struct{ Words, Error string }{v.English, v.Spanish} {
		whole, _, err := All().Decode(v.Seeds[i].Words)
		require.NoError(t, err)
		for _, c := range list {
			s, lang, err := All().Decode(c.Words)
			switch c.Error {
			case "":
				require.NoError(t, err, c.Words)
				require.True(t, whole.Equal(s))
				require.Equal(t, v.Seeds[i].Language, lang.Name())
			case "word":
				require.ErrorIs(t, err, mnemonic.ErrWord)
			default:
				require.ErrorIs(t, err, polyseed.ErrCount)
			}
		}
	}
	// Words of several languages: the checksum decides.
	s, _, err := polyseed.Languages{find(t, "Spanish")}.Decode(v.Several)
	require.NoError(t, err)
	got, lang, err := All().Decode(v.Several)
	require.NoError(t, err)
	require.Equal(t, "Spanish", lang.Name())
	require.True(t, s.Equal(got))
	_, _, err = polyseed.Languages{lang, lang}.Decode(v.Several)
	require.ErrorIs(t, err, polyseed.ErrAmbiguous)
}

// TestDecomposed accepts decomposed letters, as some systems send them.
func TestDecomposed(t *testing.T) {
	for _, c := range []struct{ language, composed, pieces string }{
		{"Spanish", "célebre pestaña", "ce\u0301lebre pestan\u0303a"},
		{"Japanese", "つごう てみやげ", "つこ\u3099う てみやけ\u3099"},
		{"Korean", "전망 국제", "\u110c\u1165\u11ab\u1106\u1161\u11bc \u1100\u116e\u11a8\u110c\u1166"},
	} {
		l := find(t, c.language)
		for _, v := range read(t).Seeds {
			if v.Language != c.language {
				continue
			}
			list := strings.Fields(v.Words)
			composed, pieces := strings.Fields(c.composed), strings.Fields(c.pieces)
			for i, w := range list {
				for j := range composed {
					if w == composed[j] {
						list[i], composed[j] = pieces[j], ""
					}
				}
			}
			require.Empty(t, strings.Join(composed, ""), "all were in the seed")
			whole, _, err := polyseed.Languages{l}.Decode(v.Words)
			require.NoError(t, err)
			s, _, err := polyseed.Languages{l}.Decode(strings.Join(list, " "))
			require.NoError(t, err)
			require.True(t, whole.Equal(s))
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, l := range All() {
		require.NoError(t, quick.Check(func(secret [19]byte, time uint32) bool {
			s, err := polyseed.New(bytes.NewReader(secret[:]), uint64(time))
			require.NoError(t, err)
			got, lang, err := polyseed.Languages{l}.Decode(s.Words(l))
			require.NoError(t, err)
			return s.Equal(got) && lang == l
		}, &quick.Config{MaxCount: 30}), l.Name())
	}
}

func FuzzDecode(f *testing.F) {
	v := read(f)
	for _, c := range v.Seeds {
		f.Add(c.Words)
	}
	f.Add(v.Several)
	f.Fuzz(func(t *testing.T, text string) {
		s, l, err := All().Decode(text)
		if err != nil {
			require.Nil(t, s)
			return
		}
		got, _, err := polyseed.Languages{l}.Decode(s.Words(l))
		require.NoError(t, err)
		require.True(t, s.Equal(got))
	})
}

// TestListsOnDemand: a list is read once, on its first use; without it nothing is written in that language.
func TestListsOnDemand(t *testing.T) {
	asked := map[string]int{}
	known := Known(func(list string) string {
		asked[list]++
		if list == "korean" {
			return ""
		}
		return embedded(list)
	})
	require.Empty(t, asked)
	seed, _, err := All().Decode(read(t).Seeds[0].Words)
	require.NoError(t, err)
	words := seed.Words(known[4]) // French
	again, lang, err := known.Decode(words)
	require.NoError(t, err)
	require.Equal(t, "French", lang.Name())
	require.True(t, seed.Equal(again))
	require.Equal(t, 1, asked["french"])
	require.Panics(t, func() { seed.Words(known[2]) }, "of Korean there is no list")
}
