// Package mnemonic converts a wallet's seed to the 25 words that people write down, and back. Use Encode to show a new
// wallet's seed, and Languages.Decode to restore a wallet. Languages.DecodeMyMonero decodes the 13 words of
// MyMonero; package polyseed handles seeds of 16 words.
//
// A seed of 32 bytes gives 24 words, three for every four bytes, and a last one that repeats the word selected by their
// checksum.
//
// A lookup reads the whole list, without table accesses or branches that depend on a word's number. Time and memory
// still depend on the lengths of the words, how many of them another language shares, the case of their letters, and
// letters beyond ASCII, for which Unicode's case tables are used.
//
// Source: src/mnemonics/electrum-words.cpp.
package mnemonic

import (
	"encoding/binary"
	"errors"
	"strings"

	"glim/core/smallfmt"
)

// Errors of decoding, for the user who typed the words. They contain no word.
var (
	ErrCount    = errors.New("mnemonic: a seed has 25 words, or 24 without its checksum")
	ErrMyMonero = errors.New("mnemonic: a MyMonero seed has 13 words")
	ErrWord     = errors.New("mnemonic: unknown word") // wrapped in a *WordError
	ErrChecksum = errors.New("mnemonic: the last word does not fit the others: one is wrong or out of place")
	ErrRange    = errors.New("mnemonic: no seed has these words") // wrapped in a *WordError

	// ErrLanguage reports a language that is nil or deprecated, or whose list is unavailable.
	ErrLanguage = errors.New("mnemonic: no language to write words in")
)

// WordError says which word is wrong. It wraps its Kind: ErrWord, or ErrRange for the first of three words.
type WordError struct {
	Position int // counts from 1
	Kind     error
}

// Error returns the text of Kind with the position.
func (e *WordError) Error() string { return smallfmt.Sprintf("%v, at word %d", e.Kind, e.Position) }

// Unwrap returns Kind.
func (e *WordError) Unwrap() error { return e.Kind }

const (
	seedWords = 24
	allWords  = seedWords + 1 // with the checksum

	myMoneroWords = 12 + 1 // with the checksum
)

// Encode returns the 25 words of seed, separated by single spaces. The error is ErrLanguage.
// Source: electrum-words.cpp, bytes_to_words.
func Encode(seed [32]byte, lang *Language) (string, error) {
	if lang == nil || lang.spec.Deprecated {
		return "", ErrLanguage
	}
	t := lang.load()
	if t.words.len() != listSize {
		return "", ErrLanguage
	}
	var numbers [allWords]uint32
	defer clear(numbers[:])
	for i := 0; i < len(seed); i += 4 {
		v := binary.LittleEndian.Uint32(seed[i:])
		w1 := v % listSize
		w2 := (v/listSize + w1) % listSize
		w3 := (v/listSize/listSize + w2) % listSize
		*(*[3]uint32)(numbers[i/4*3:]) = [3]uint32{w1, w2, w3}
	}
	numbers[seedWords] = t.checksum(numbers[:seedWords])
	size := 8 * t.words.width
	out := make([]byte, 0, allWords*size) // never reallocated, so that clear reaches all of it
	word := make([]byte, size)
	for _, n := range numbers {
		length := t.words.get(word, n)
		out = append(append(out, word[:length]...), ' ')
	}
	defer clear(out)
	defer clear(word)
	return string(out[:len(out)-1]), nil
}

// Decode returns the seed and the language of words. It ignores case and accepts any white space between words,
// including Unicode's. In 25 words only the first letters of each count, as many as distinguish the language's words;
// 24 words without a checksum must be complete. It returns ErrCount, ErrWord, ErrChecksum, ErrRange, or ErrLanguage if
// ls is empty.
// Source: electrum-words.cpp, words_to_bytes.
func (ls Languages) Decode(words string) (seed [32]byte, lang *Language, err error) {
	list := strings.Fields(words)
	if len(list) != seedWords && len(list) != allWords {
		return seed, nil, ErrCount
	}
	var numbers []uint32
	if lang, numbers, err = ls.identify(list); err != nil {
		return [32]byte{}, nil, err
	}
	defer clear(numbers)
	if err := join(seed[:], numbers); err != nil {
		return [32]byte{}, nil, err
	}
	return seed, lang, nil
}

// DecodeMyMonero returns the 16 bytes and the language of a seed of MyMonero, which has 13 words of the same lists, the
// last one being the checksum. Words are treated like 25 words in Decode; deprecated languages are not tried. It
// returns ErrMyMonero, ErrWord, ErrChecksum, ErrRange or ErrLanguage.
// Source: github.com/mymonero/mymonero-core-cpp, src/monero_wallet_utils.cpp, words_to_bytes.
func (ls Languages) DecodeMyMonero(words string) (seed [16]byte, lang *Language, err error) {
	list := strings.Fields(words)
	if len(list) != myMoneroWords {
		return seed, nil, ErrMyMonero
	}
	var numbers []uint32
	if lang, numbers, err = ls.Offered().identify(list); err != nil {
		return seed, nil, err
	}
	defer clear(numbers)
	if err := join(seed[:], numbers); err != nil {
		return [16]byte{}, nil, err
	}
	return seed, lang, nil
}

// join writes the seed of the words with these numbers. The error is ErrRange in a *WordError.
func join(seed []byte, numbers []uint32) error {
	for i := range len(seed) / 4 {
		// The differences modulo the list's length are the digits of a number in that base.
		w1, w2, w3 := numbers[3*i], numbers[3*i+1], numbers[3*i+2]
		d2, d3 := (listSize-w1+w2)%listSize, (listSize-w2+w3)%listSize
		v := uint64(w1) + uint64(d2)*listSize + uint64(d3)*(listSize*listSize)
		if v>>32 != 0 {
			return &WordError{3*i + 1, ErrRange}
		}
		binary.LittleEndian.PutUint32(seed[4*i:], uint32(v))
	}
	return nil
}

// identify returns the first language that has all words and whose checksum, if any, is right. If it only has their
// first letters, a later language that has the complete words precedes it: the first letters of some French seeds are
// an English seed with a right checksum, which would restore another wallet. Deprecated languages neither precede nor
// follow others in this way. Otherwise it returns the error of the language that had the most words.
// Source: electrum-words.cpp, find_seed_language, which takes such a seed for English.
func (ls Languages) identify(words []string) (found *Language, numbers []uint32, err error) {
	best, bestErr := -1, ErrLanguage
	for _, l := range ls.byRank() {
		if found != nil && l.Deprecated() {
			continue
		}
		its, complete, err := l.lookUp(words)
		switch {
		case err == nil && (complete || found == nil):
			clear(numbers)
			found, numbers = l, its
			if complete || l.Deprecated() {
				return found, numbers, nil
			}
			continue
		case len(its) > best && err != nil:
			best, bestErr = len(its), err
		}
		clear(its)
	}
	if found == nil {
		return nil, nil, bestErr
	}
	return found, numbers, nil
}

// lookUp returns the numbers of words, and whether all are complete; with an error, the numbers before the wrong one.
func (l *Language) lookUp(words []string) (numbers []uint32, complete bool, err error) {
	t := l.load()
	numbers, complete = make([]uint32, 0, len(words)), true
	checked := len(words)%3 == 1 // the last word is the checksum
	for i, w := range words {
		n, whole := t.whole.find(lower(w))
		ok := whole
		if checked {
			n, ok = t.short.find(l.trim(w))
		}
		if !ok {
			return numbers, false, &WordError{i + 1, ErrWord}
		}
		numbers, complete = append(numbers, n), complete && whole
	}
	if last := len(numbers) - 1; checked && t.checksum(numbers[:last]) != numbers[last] {
		return numbers, false, ErrChecksum
	}
	return numbers, complete, nil
}
