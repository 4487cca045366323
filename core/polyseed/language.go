package polyseed

import (
	"crypto/subtle"
	_ "embed" // the list of English words
	"encoding/binary"
	"strings"
	"sync"
	"unicode"

	"glim/core/mnemonic"
)

const (
	listSize = 2048
	prefix   = 4 // letters that suffice
)

// Spec defines a language.
type Spec struct {
	Name, LocalName string
	// Words has 2048 lines with a word each, composed (NFC), in the order of their numbers.
	Words string
	// Read, if not nil, returns the words when they are first needed, in place of Words. It returns an empty string if
	// they are unavailable; then no words are recognised.
	Read func() string
	// Prefix says that four letters distinguish the words, as in languages with Latin letters.
	Prefix bool
	// Separator separates words; empty means a space.
	Separator string
}

// Language is a word list with its names.
type Language struct {
	spec Spec
	load func() *tables
}

type tables struct{ written, plain *table } // plain: after fold

// NewLanguage returns the language of a list. It panics unless there are 2048 lines, because lists are part of the
// program; a list from Read is checked when it is read.
func NewLanguage(s Spec) *Language {
	if s.Read == nil {
		s.check()
	}
	if s.Separator == "" {
		s.Separator = " "
	}
	return &Language{spec: s, load: sync.OnceValue(func() *tables {
		if s.Read != nil {
			if s.Words = s.Read(); s.Words != "" {
				s.check()
			}
		}
		list := strings.FieldsFunc(s.Words, func(r rune) bool { return r == '\n' })
		plain := make([]string, len(list))
		for i, w := range list {
			plain[i] = fold(w)
		}
		return &tables{newTable(list), newTable(plain)}
	})}
}

func (s *Spec) check() {
	if strings.Count(s.Words, "\n") != listSize || !strings.HasSuffix(s.Words, "\n") {
		panic("polyseed: the list of " + s.Name + " does not have 2048 lines")
	}
}

//go:embed wordlists/english.txt
var englishWords string

// English returns the language that is always available. Package languages has the others.
var English = sync.OnceValue(func() *Language {
	return NewLanguage(Spec{Name: "English", LocalName: "English", Words: englishWords, Prefix: true})
})

// Name returns the language's name in English.
func (l *Language) Name() string { return l.spec.Name }

// LocalName returns the language's name in itself.
func (l *Language) LocalName() string { return l.spec.LocalName }

// Languages are the languages that a program supports.
type Languages []*Language

// Words returns the sixteen words of s. It panics when the language's list is unavailable.
func (s *Seed) Words(l *Language) string {
	d := s.digits()
	defer clear(d[:])
	return l.Text(d[:])
}

// Text returns the words with the numbers d. It panics when the language's list is unavailable.
func (l *Language) Text(d []uint32) string {
	t := l.load().written
	if len(t.entries) != listSize*t.width {
		panic("polyseed: the list of " + l.spec.Name + " is unavailable")
	}
	// Never reallocated, so that clear reaches all of it.
	out := make([]byte, 0, len(d)*(8*t.width+len(l.spec.Separator)))
	defer clear(out[:cap(out)])
	for i, n := range d {
		if i > 0 {
			out = append(out, l.spec.Separator...)
		}
		out = t.appendWord(out, n)
	}
	return string(out)
}

// Decode returns the seed and the language of text. It ignores case, accents and Unicode composition. If four letters
// distinguish the language's words, four suffice, but further letters must be right. If all words are in several
// languages, the checksum selects one. It returns ErrCount, ErrChecksum, ErrFeatures, ErrAmbiguous, or mnemonic.ErrWord
// in a *mnemonic.WordError.
func (ls Languages) Decode(text string) (*Seed, *Language, error) {
	list := strings.Fields(text)
	if len(list) != words {
		return nil, nil, ErrCount
	}
	best, failure := -1, mnemonic.ErrLanguage
	var seed *Seed
	var lang *Language
	for _, l := range ls {
		d, known := l.lookUp(list)
		var err error = &mnemonic.WordError{Position: known + 1, Kind: mnemonic.ErrWord}
		if known == words {
			var s *Seed
			if s, err = fromDigits(&d); err == nil {
				if seed != nil {
					return nil, nil, ErrAmbiguous
				}
				seed, lang = s, l
			}
		}
		clear(d[:])
		if known > best {
			best, failure = known, err
		}
	}
	if seed == nil {
		return nil, nil, failure
	}
	return seed, lang, nil
}

// lookUp returns the numbers of the words, and how many precede the first unknown one.
func (l *Language) lookUp(list []string) (d [words]uint32, known int) {
	known = l.Numbers(d[:], list)
	return d, known
}

// Numbers writes the numbers of words to d, which is at least as long, and returns how many precede the first unknown
// one. It finds the words that Decode finds.
func (l *Language) Numbers(d []uint32, list []string) (known int) {
	t := l.load().plain
	for i, w := range list {
		w = fold(w)
		n, ok := t.find(w, l.spec.Prefix && len(w) >= prefix)
		if !ok {
			return i
		}
		d[i] = n
	}
	return len(list)
}

// accents maps the accented letters of the lists.
var accents = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e",
	"í", "i", "î", "i", "ï", "i", "ñ", "n", "ó", "o", "ô", "o", "ú", "u", "ù", "u", "û", "u", "ü", "u")

// fold returns word in lower case without accents, with Japanese and Korean syllables composed.
func fold(word string) string {
	out := make([]rune, 0, len(word))
	for _, r := range word {
		last := rune(0)
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		switch {
		case r >= 0x300 && r <= 0x36f: // an accent by itself
		case r == 0x3099 && last != 0: // the marks of voiced kana, which follow the plain ones
			out[len(out)-1] = last + 1
		case r == 0x309a && last != 0:
			out[len(out)-1] = last + 2
		// Unicode 3.12: a syllable is a lead, a vowel and perhaps a tail.
		case r >= 0x1161 && r <= 0x1175 && last >= 0x1100 && last <= 0x1112:
			out[len(out)-1] = 0xac00 + ((last-0x1100)*21+r-0x1161)*28
		case r >= 0x11a8 && r <= 0x11c2 && last >= 0xac00 && last <= 0xd7a3 && (last-0xac00)%28 == 0:
			out[len(out)-1] = last + r - 0x11a7
		default:
			out = append(out, unicode.ToLower(r))
		}
	}
	return accents.Replace(string(out))
}

// table maps numbers to words and back. Both directions read every entry, so that time and memory accesses do not
// depend on the word.
type table struct {
	width   int      // of an entry, in units of eight bytes
	entries []uint64 // texts padded with zeros
}

func newTable(texts []string) *table {
	t := &table{width: 1}
	for _, s := range texts {
		t.width = max(t.width, len(s)/8+1)
	}
	b := make([]byte, 8*t.width)
	for _, s := range texts {
		clear(b)
		copy(b, s)
		for i := range t.width {
			t.entries = append(t.entries, binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
	return t
}

// find returns the number of text, or of the only word with this prefix.
func (t *table) find(text string, begins bool) (n uint32, ok bool) {
	if len(text) == 0 || len(text) >= 8*t.width {
		return 0, false
	}
	wanted, mask := make([]byte, 8*t.width), make([]byte, 8*t.width)
	defer clear(wanted)
	copy(wanted, text)
	for i := range mask {
		if !begins || i < len(text) {
			mask[i] = 0xff
		}
	}
	found := uint64(0)
	for i := range listSize {
		var difference uint64
		for j, v := range t.entries[i*t.width : (i+1)*t.width] {
			difference |= (v ^ binary.LittleEndian.Uint64(wanted[8*j:])) & binary.LittleEndian.Uint64(mask[8*j:])
		}
		same := 1 ^ (difference|-difference)>>63
		n |= uint32(i) & -uint32(same)
		found |= same
	}
	return n, found == 1
}

// appendWord appends word number n.
func (t *table) appendWord(out []byte, n uint32) []byte {
	entry := make([]uint64, t.width)
	defer clear(entry)
	for i := range listSize {
		mask := -uint64(subtle.ConstantTimeEq(int32(i), int32(n)))
		for j, v := range t.entries[i*t.width : (i+1)*t.width] {
			entry[j] |= v & mask
		}
	}
	for _, v := range entry {
		for ; v != 0; v >>= 8 {
			out = append(out, byte(v))
		}
	}
	return out
}
