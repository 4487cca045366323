// Package languages has the word lists of all languages of 25-word seeds.
package languages

import (
	_ "embed" // the lists
	"slices"
	"sync"

	"glim/core/mnemonic"
)

var (
	//go:embed wordlists/german.txt
	german string
	//go:embed wordlists/spanish.txt
	spanish string
	//go:embed wordlists/french.txt
	french string
	//go:embed wordlists/italian.txt
	italian string
	//go:embed wordlists/dutch.txt
	dutch string
	//go:embed wordlists/portuguese.txt
	portuguese string
	//go:embed wordlists/russian.txt
	russian string
	//go:embed wordlists/japanese.txt
	japanese string
	//go:embed wordlists/chinese_simplified.txt
	chineseSimplified string
	//go:embed wordlists/esperanto.txt
	esperanto string
	//go:embed wordlists/lojban.txt
	lojban string
	//go:embed wordlists/english_old.txt
	englishOld string
)

// embedded returns the embedded list with a name.
func embedded(list string) string {
	switch list {
	case "german":
		return german
	case "spanish":
		return spanish
	case "french":
		return french
	case "italian":
		return italian
	case "dutch":
		return dutch
	case "portuguese":
		return portuguese
	case "russian":
		return russian
	case "japanese":
		return japanese
	case "chinese_simplified":
		return chineseSimplified
	case "esperanto":
		return esperanto
	case "lojban":
		return lojban
	case "english_old":
		return englishOld
	}
	panic("unreachable: not a list of All")
}

var (
	once sync.Once
	all  mnemonic.Languages
)

// Known returns the languages of All, but takes lists from read when they are first used, so that a host can download
// them on demand. read is called once per list with its file name in wordlists, without .txt.
func Known(read func(list string) string) mnemonic.Languages {
	list := func(name string) func() string { return func() string { return read(name) } }
	return mnemonic.Languages{
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "German", LocalName: "Deutsch", Prefix: 4, Read: list("german"), Rank: 5},
		),
		mnemonic.English(),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Spanish", LocalName: "Español", Prefix: 4, Read: list("spanish"), Rank: 4},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "French", LocalName: "Français", Prefix: 4, Read: list("french"), Rank: 3},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Italian", LocalName: "Italiano", Prefix: 4, Read: list("italian"), Rank: 6},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Dutch", LocalName: "Nederlands", Prefix: 4, Read: list("dutch"), Rank: 2},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Portuguese", LocalName: "Português", Prefix: 4, Read: list("portuguese"), Rank: 7},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Russian", LocalName: "русский язык", Prefix: 4, Read: list("russian"), Rank: 9},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Japanese", LocalName: "日本語", Prefix: 3, Read: list("japanese"), Rank: 8},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{
				Name:      "Chinese (simplified)",
				LocalName: "简体中文 (中国)",
				Prefix:    1,
				Read:      list("chinese_simplified"),
				Rank:      0,
			},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Esperanto", LocalName: "Esperanto", Prefix: 4, Read: list("esperanto"), Rank: 10},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{Name: "Lojban", LocalName: "Lojban", Prefix: 4, Read: list("lojban"), Rank: 11},
		),
		mnemonic.NewLanguage(
			mnemonic.Spec{
				Name:       "English (old)",
				LocalName:  "EnglishOld",
				Prefix:     4,
				Read:       list("english_old"),
				Rank:       12,
				Deprecated: true,
			},
		),
	}
}

// All returns the languages in the reference's order, then that of the oldest wallets, which is deprecated. Each takes
// a few hundred kilobytes of memory after its first use.
// Source: src/mnemonics/electrum-words.cpp, get_language_list, for this order; find_seed_language, for the ranks; the
// constructor of each class in src/mnemonics, for names and prefixes.
func All() mnemonic.Languages {
	once.Do(func() { all = Known(embedded) }) // here, so that programs that use only Known contain no lists
	return slices.Clone(all)
}
