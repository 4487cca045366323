// Package languages has the word lists of every language a seed of sixteen words can be in.
package languages

import (
	_ "embed" // the lists
	"slices"
	"sync"

	"glim/core/polyseed"
)

var (
	//go:embed wordlists/japanese.txt
	japanese string
	//go:embed wordlists/korean.txt
	korean string
	//go:embed wordlists/spanish.txt
	spanish string
	//go:embed wordlists/french.txt
	french string
	//go:embed wordlists/italian.txt
	italian string
	//go:embed wordlists/czech.txt
	czech string
	//go:embed wordlists/portuguese.txt
	portuguese string
	//go:embed wordlists/chinese_simplified.txt
	chineseSimplified string
	//go:embed wordlists/chinese_traditional.txt
	chineseTraditional string
)

// embedded are the lists that come with this package, by name.
func embedded(list string) string {
	switch list {
	case "japanese":
		return japanese
	case "korean":
		return korean
	case "spanish":
		return spanish
	case "french":
		return french
	case "italian":
		return italian
	case "czech":
		return czech
	case "portuguese":
		return portuguese
	case "chinese_simplified":
		return chineseSimplified
	case "chinese_traditional":
		return chineseTraditional
	}
	panic("unreachable: All asks for no other")
}

var (
	once sync.Once
	all  polyseed.Languages
)

// Known returns what All does, with lists that read returns when a word is first looked for in them: a host that downloads them pays for
// those it uses. Read is given a list's name, as in wordlists without .txt, and called once for each.
func Known(read func(list string) string) polyseed.Languages {
	list := func(name string) func() string { return func() string { return read(name) } }
	return polyseed.Languages{
		polyseed.English(),
		polyseed.NewLanguage(polyseed.Spec{Name: "Japanese", LocalName: "日本語", Read: list("japanese"), Separator: "\u3000"}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Korean", LocalName: "한국어", Read: list("korean")}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Spanish", LocalName: "español", Read: list("spanish"), Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "French", LocalName: "français", Read: list("french"), Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Italian", LocalName: "italiano", Read: list("italian"), Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Czech", LocalName: "čeština", Read: list("czech"), Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Portuguese", LocalName: "português", Read: list("portuguese"), Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Chinese (Simplified)", LocalName: "中文(简体)", Read: list("chinese_simplified")}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Chinese (Traditional)", LocalName: "中文(繁體)", Read: list("chinese_traditional")}),
	}
}

// All returns the languages in the order in which they are tried.
// Source: github.com/tevador/polyseed, README.md.
func All() polyseed.Languages {
	once.Do(func() { all = Known(embedded) }) // here, so that programs which use Known alone hold no lists
	return slices.Clone(all)
}
