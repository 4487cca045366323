package mnemonic

import (
	_ "embed" // the list of English words
	"slices"
	"strings"
	"sync"
	"unicode"
)

// listSize is the number of words in every list, the least whose cube exceeds 2^32.
const listSize = 1626

// Spec is what makes a language.
type Spec struct {
	Name, LocalName string
	// Prefix is how many first letters tell the words apart.
	Prefix int
	// Words are 1626, one a line, in the order that gives them their numbers.
	Words string
	// Read returns the words when they are first needed, in the place of Words; nothing when they cannot be had, and then no words
	// are of this language.
	Read func() string
	// Rank is the language's place in the order in which Decode tries them: some words are in several languages.
	Rank int
	// Deprecated languages are read and no longer written. Only in these may several words begin alike.
	Deprecated bool
}

// Language is a list of seed words with its names.
type Language struct {
	spec Spec
	load func() *tables // made when first asked for: most programs use one language
}

type tables struct {
	words, prefixes *table // as they are written
	whole, short    *index // in lower case; only their prefixes
}

// NewLanguage returns the language of a list. It panics unless there are 1626 lines: lists are part of the program. Those of a list
// that is read later are counted then.
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
		panic("mnemonic: the list of " + s.Name + " has not 1626 lines")
	}
}

// apply returns what f makes of each word.
func apply(words []string, f func(string) string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = f(w)
	}
	return out
}

//go:embed wordlists/english.txt
var englishWords string

// English returns the language that every program can read. The others are in package languages.
var English = sync.OnceValue(func() *Language {
	return NewLanguage(Spec{Name: "English", LocalName: "English", Prefix: 3, Words: englishWords, Rank: 1})
})

// Languages are those a program can read, in the order to show them.
type Languages []*Language

// Offered returns the languages a new wallet may have: those that are not deprecated.
func (ls Languages) Offered() Languages {
	return slices.DeleteFunc(slices.Clone(ls), func(l *Language) bool { return l.spec.Deprecated })
}

// Find returns the language with this English or local name, or nil. It knows no deprecated ones.
// Source: src/mnemonics/electrum-words.cpp, is_valid_language.
func (ls Languages) Find(name string) *Language {
	for _, l := range ls {
		if !l.spec.Deprecated && (l.spec.Name == name || l.spec.LocalName == name) {
			return l
		}
	}
	return nil
}

// byRank returns the languages in the order to try them.
func (ls Languages) byRank() Languages {
	return slices.SortedStableFunc(slices.Values(ls), func(a, b *Language) int { return a.spec.Rank - b.spec.Rank })
}

// Name returns the language's name in English.
func (l *Language) Name() string { return l.spec.Name }

// LocalName returns the language's name in itself.
func (l *Language) LocalName() string { return l.spec.LocalName }

// Deprecated reports whether words are no longer written in this language, so that a wallet restored from them needs
// another one.
func (l *Language) Deprecated() bool { return l.spec.Deprecated }

// cut returns the first letters of word, as many as tell words apart.
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

// lower changes one letter at a time, as the reference does, so that no word changes its length in letters. Accents
// count, and letters that are composed of several characters are not those that are one: the lists are composed (NFC).
func lower(word string) string { return strings.Map(unicode.ToLower, word) }
