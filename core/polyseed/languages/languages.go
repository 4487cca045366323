// Package languages has the word lists of all languages of Polyseed.
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

// embedded returns the embedded list with a name.
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
	panic("unreachable: not a list of All")
}

var (
	once sync.Once
	all  polyseed.Languages
)

// Known returns the languages of All, but takes lists from read when they are first used, so that a host can download
// them on demand. read is called once per list with its file name in wordlists, without .txt.
func Known(read func(list string) string) polyseed.Languages {
	list := func(name string) func() string { return func() string { return read(name) } }
	return polyseed.Languages{
		polyseed.English(),
		polyseed.NewLanguage(
			polyseed.Spec{Name: "Japanese", LocalName: "日本語", Read: list("japanese"), Separator: "\u3000"},
		),
		polyseed.NewLanguage(polyseed.Spec{Name: "Korean", LocalName: "한국어", Read: list("korean")}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Spanish", LocalName: "español", Read: list("spanish"), Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "French", LocalName: "français", Read: list("french"), Prefix: true}),
		polyseed.NewLanguage(
			polyseed.Spec{Name: "Italian", LocalName: "italiano", Read: list("italian"), Prefix: true},
		),
		polyseed.NewLanguage(polyseed.Spec{Name: "Czech", LocalName: "čeština", Read: list("czech"), Prefix: true}),
		polyseed.NewLanguage(
			polyseed.Spec{Name: "Portuguese", LocalName: "português", Read: list("portuguese"), Prefix: true},
		),
		polyseed.NewLanguage(
			polyseed.Spec{Name: "Chinese (Simplified)", LocalName: "中文(简体)", Read: list("chinese_simplified")},
		),
		polyseed.NewLanguage(
			polyseed.Spec{Name: "Chinese (Traditional)", LocalName: "中文(繁體)", Read: list("chinese_traditional")},
		),
	}
}

// All returns the languages in the order in which Decode tries them.
// Source: github.com/tevador/polyseed, README.md.
func All() polyseed.Languages {
	once.Do(func() { all = Known(embedded) }) // here, so that programs that use only Known contain no lists
	return slices.Clone(all)
}
