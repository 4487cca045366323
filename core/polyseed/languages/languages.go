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

var all = sync.OnceValue(func() polyseed.Languages {
	return polyseed.Languages{
		polyseed.English(),
		polyseed.NewLanguage(polyseed.Spec{Name: "Japanese", LocalName: "日本語", Words: japanese, Separator: "\u3000"}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Korean", LocalName: "한국어", Words: korean}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Spanish", LocalName: "español", Words: spanish, Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "French", LocalName: "français", Words: french, Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Italian", LocalName: "italiano", Words: italian, Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Czech", LocalName: "čeština", Words: czech, Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Portuguese", LocalName: "português", Words: portuguese, Prefix: true}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Chinese (Simplified)", LocalName: "中文(简体)", Words: chineseSimplified}),
		polyseed.NewLanguage(polyseed.Spec{Name: "Chinese (Traditional)", LocalName: "中文(繁體)", Words: chineseTraditional}),
	}
})

// All returns the languages in the order in which they are tried.
// Source: github.com/tevador/polyseed, README.md.
func All() polyseed.Languages { return slices.Clone(all()) }
