// Package mnemonic turns a wallet's seed into words that people can write down.
//
// A seed of 32 bytes makes 24 words, three for every four bytes, then one that repeats the word their checksum picks.
//
// Looking words up reads the whole list each time, and no table is read nor branch taken where a word's number says.
// What still shows in the time or in memory: the lengths of the words, how many of them another language shares, the
// case of their letters, and letters beyond ASCII, which Unicode's tables turn into lower case.
//
// Source: src/mnemonics/electrum-words.cpp.
package mnemonic

import (
	"encoding/binary"
	"errors"
	"strings"

	"glim/core/say"
)

// Errors of decoding, for the person who typed the words. None of them repeats a word.
var (
	ErrCount    = errors.New("mnemonic: a seed has 25 words, or 24 without its checksum")
	ErrWord     = errors.New("mnemonic: unknown word") // comes in a *WordError, which says where
	ErrChecksum = errors.New("mnemonic: the last word does not fit the others: one is wrong or out of place")
	ErrRange    = errors.New("mnemonic: no seed has these words") // comes in a *WordError

	// ErrLanguage reports a language that is nil, or deprecated.
	ErrLanguage = errors.New("mnemonic: no language to write words in")
)

// WordError tells which word is at fault. errors.Is sees its Kind: ErrWord, or ErrRange for the first of three words.
type WordError struct {
	Position int // counts from 1
	Kind     error
}

// Error returns the kind with the position.
func (e *WordError) Error() string { return say.Sprintf("%v, at word %d", e.Kind, e.Position) }

// Unwrap returns Kind.
func (e *WordError) Unwrap() error { return e.Kind }

const (
	seedWords = 24
	allWords  = seedWords + 1 // with the checksum
)

// Encode returns the 25 words of seed, with single spaces between them. The error is ErrLanguage, which a list that cannot be had is, too.
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
	numbers[seedWords] = t.checksum((*[seedWords]uint32)(numbers[:]))
	size := 8 * t.words.width
	out := make([]byte, 0, allWords*size) // never moved, so that clear reaches all of it
	word := make([]byte, size)
	for _, n := range numbers {
		length := t.words.get(word, n)
		out = append(append(out, word[:length]...), ' ')
	}
	defer clear(out)
	defer clear(word)
	return string(out[:len(out)-1]), nil
}

// Decode returns the seed and the language of words, whatever the case of their letters and the white space between
// them, Unicode's included. With the checksum, only the first letters of each word count, as many as tell the
// language's words apart; 24 words without it must be whole. Errors: ErrCount, ErrWord, ErrChecksum, ErrRange;
// ErrLanguage when there are no languages to try.
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
	for i := range len(seed) / 4 {
		// Differences modulo the list's length are the digits of a number in that base.
		w1, w2, w3 := numbers[3*i], numbers[3*i+1], numbers[3*i+2]
		d2, d3 := (listSize-w1+w2)%listSize, (listSize-w2+w3)%listSize
		v := uint64(w1) + uint64(d2)*listSize + uint64(d3)*(listSize*listSize)
		if v>>32 != 0 {
			return [32]byte{}, nil, &WordError{3*i + 1, ErrRange}
		}
		binary.LittleEndian.PutUint32(seed[4*i:], uint32(v))
	}
	return seed, lang, nil
}

// identify returns the first language that has all words and whose checksum, if there is one, fits. If there is
// none, the error is that of the language that had the most.
// Source: electrum-words.cpp, find_seed_language.
func (ls Languages) identify(words []string) (*Language, []uint32, error) {
	best, bestErr := -1, ErrLanguage
	for _, l := range ls.byRank() {
		numbers, err := l.lookUp(words)
		if err == nil {
			return l, numbers, nil
		}
		if len(numbers) > best {
			best, bestErr = len(numbers), err
		}
		clear(numbers)
	}
	return nil, nil, bestErr
}

// lookUp returns the numbers of words; with an error, of those before the one at fault.
func (l *Language) lookUp(words []string) ([]uint32, error) {
	t := l.load()
	numbers := make([]uint32, 0, allWords)
	for i, w := range words {
		list, text := t.whole, lower(w)
		if len(words) == allWords {
			list, text = t.short, l.trim(w)
		}
		n, ok := list.find(text)
		if !ok {
			return numbers, &WordError{i + 1, ErrWord}
		}
		numbers = append(numbers, n)
	}
	if len(words) == allWords && t.checksum((*[seedWords]uint32)(numbers)) != numbers[seedWords] {
		return numbers, ErrChecksum
	}
	return numbers, nil
}
