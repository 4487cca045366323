package mnemonic

import (
	_ "embed" // the list of English words
	"slices"
	"strings"
	"sync"
	"unicode"
)

// listSize is the number of words in every list, the smallest number whose cube exceeds 2^32.
const listSize = 1626

// Spec defines a language.
type Spec struct {
	Name, LocalName string
	// Prefix is the number of first letters that distinguish the words.
	Prefix int
	// Words has 1626 lines with a word each, in the order of their numbers.
	Words string
	// Read, if not nil, returns the words when they are first needed, in place of Words. It returns an empty string if
	// they are unavailable; then no words are recognised.
	Read func() string
	// Rank is the language's place in the order in which Decode tries them: some words are in several languages.
	Rank int
	// Deprecated languages are read but no longer written. Only in these can several words have the same prefix.
	Deprecated bool
}

// Language is a word list with its names.
type Language struct {
	spec Spec
	load func() *tables // built on first use: most programs use one language
}

type tables struct {
	words, prefixes *table // as written
	whole, short    *index // in lower case: complete words and prefixes
}

// NewLanguage returns the language of a list. It panics unless there are 1626 lines, because lists are part of the
// program; a list from Read is checked when it is read.
func NewLanguage(s Spec) *Language {
	if s.Read == nil {
		s.check()
	}
	l := &Language{spec: s}
	l.load = sync.OnceValue(func() *tables {
		if s.Read != nil {
			if s.Words = s.Read(); s.Words != "" {
				s.check()
			}
		}
		words := strings.FieldsFunc(s.Words, func(r rune) bool { return r == '\n' })
		return &tables{
			words:    newTable(words),
			prefixes: newTable(apply(words, l.cut)),
			whole:    newIndex(apply(words, lower)),
			short:    newIndex(apply(words, l.trim)),
		}
	})
	return l
}

func (s *Spec) check() {
	if strings.Count(s.Words, "\n") != listSize || !strings.HasSuffix(s.Words, "\n") {
		panic("mnemonic: the list of " + s.Name + " does not have 1626 lines")
	}
}

// apply returns the results of f for each word.
func apply(words []string, f func(string) string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = f(w)
	}
	return out
}

//go:embed wordlists/english.txt
var englishWords string

// English returns the language that is always available. Package languages has the others.
var English = sync.OnceValue(func() *Language {
	return NewLanguage(Spec{Name: "English", LocalName: "English", Prefix: 3, Words: englishWords, Rank: 1})
})

// Languages are the languages that a program supports, in display order.
type Languages []*Language

// Offered returns the languages for new wallets: those that are not deprecated.
func (ls Languages) Offered() Languages {
	return slices.DeleteFunc(slices.Clone(ls), func(l *Language) bool { return l.spec.Deprecated })
}

// Find returns the language with this English or local name, or nil. It ignores deprecated ones.
// Source: src/mnemonics/electrum-words.cpp, is_valid_language.
func (ls Languages) Find(name string) *Language {
	for _, l := range ls {
		if !l.spec.Deprecated && (l.spec.Name == name || l.spec.LocalName == name) {
			return l
		}
	}
	return nil
}

// byRank returns the languages in the order of Decode.
func (ls Languages) byRank() Languages {
	return slices.SortedStableFunc(slices.Values(ls), func(a, b *Language) int { return a.spec.Rank - b.spec.Rank })
}

// Name returns the language's name in English.
func (l *Language) Name() string { return l.spec.Name }

// LocalName returns the language's name in itself.
func (l *Language) LocalName() string { return l.spec.LocalName }

// Deprecated reports whether seeds are no longer written in this language, so that a wallet restored from one needs
// another language.
func (l *Language) Deprecated() bool { return l.spec.Deprecated }

// cut returns the prefix of word that distinguishes it.
// Source: src/mnemonics/language_base.h, utf8prefix.
func (l *Language) cut(word string) string {
	n := 0
	for i := range word {
		if n == l.spec.Prefix {
			return word[:i]
		}
		n++
	}
	return word
}

// trim returns the prefix of word in lower case. Source: language_base.h, WordEqual.
func (l *Language) trim(word string) string { return l.cut(lower(word)) }

// lower maps each character separately, as the reference does, so that a word keeps its length in characters. Accents
// count, and words must be composed (NFC) like the lists.
func lower(word string) string { return strings.Map(unicode.ToLower, word) }
