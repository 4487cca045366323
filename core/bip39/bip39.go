// Package bip39 decodes the seed phrases of BIP 39 in English, which hardware wallets show, and derives their seeds.
// Use package walletseed to get the Monero wallet of a seed; packages mnemonic and polyseed handle Monero's own kinds.
//
// A phrase of 12, 15, 18, 21 or 24 words has eleven bits a word: the entropy, then the first bits of its SHA-256 hash
// as the checksum, one for every 32 bits of entropy. So one in 16 wrong phrases of 12 words is accepted.
//
// Source: github.com/bitcoin/bips, bip-0039.mediawiki.
package bip39

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"errors"
	"hash"
	"strings"

	"glim/core/mnemonic"
	"glim/core/polyseed"
)

// Errors of decoding. They contain no word.
var (
	ErrCount    = errors.New("bip39: a seed phrase has 12, 15, 18, 21 or 24 words")
	ErrChecksum = errors.New("bip39: the words do not fit together: one is wrong or out of place")

	// ErrPassphrase reports a passphrase with other characters, which programs encode in different ways.
	ErrPassphrase = errors.New("bip39: passphrases beyond ASCII need Unicode's NFKD")
)

const (
	minWords, maxWords = 12, 24
	wordBits           = 11
	rounds             = 2048
)

// SeedSize is the size of a seed in bytes.
const SeedSize = 64

// Phrase is a decoded seed phrase. Formatting it never prints the words.
type Phrase struct {
	numbers []uint32
}

// String hides the words.
func (*Phrase) String() string { return "[seed phrase]" }

// GoString hides the words.
func (*Phrase) GoString() string { return "[seed phrase]" }

// IsCount reports whether seed phrases can have n words.
func IsCount(n int) bool { return n >= minWords && n <= maxWords && n%3 == 0 }

// Decode returns the seed phrase in text. It ignores case. The first four letters of a word suffice, but further
// letters must be right. The error is ErrCount, ErrChecksum, or mnemonic.ErrWord in a *mnemonic.WordError. The caller
// calls Forget.
func Decode(text string) (*Phrase, error) {
	list := strings.Fields(text)
	if !IsCount(len(list)) {
		return nil, ErrCount
	}
	// Polyseed uses the English list of BIP 39.
	p := &Phrase{make([]uint32, len(list))}
	if known := polyseed.English().Numbers(p.numbers, list); known < len(list) {
		p.Forget()
		return nil, &mnemonic.WordError{Position: known + 1, Kind: mnemonic.ErrWord}
	}
	if !p.verify() {
		p.Forget()
		return nil, ErrChecksum
	}
	return p, nil
}

// verify reports whether the checksum is right.
func (p *Phrase) verify() bool {
	var packed [maxWords * wordBits / 8]byte
	defer clear(packed[:])
	for i, n := range p.numbers {
		for bit := range wordBits {
			at := wordBits*i + bit
			packed[at/8] |= byte(n>>(wordBits-1-bit)&1) << (7 - at%8)
		}
	}
	checkBits := len(p.numbers) / 3
	size := 4 * checkBits // of the entropy in bytes
	sum := sha256.Sum256(packed[:size])
	return subtle.ConstantTimeByteEq(packed[size]>>(8-checkBits), sum[0]>>(8-checkBits)) == 1
}

// Forget overwrites the phrase, which cannot be used any more.
func (p *Phrase) Forget() {
	clear(p.numbers)
	p.numbers = nil
}

// Seed returns the seed of the phrase with a passphrase, which may be empty. Each passphrase gives another seed. The
// error is ErrPassphrase.
func (p *Phrase) Seed(passphrase string) (seed [SeedSize]byte, err error) {
	for i := range len(passphrase) {
		if passphrase[i] >= 0x80 {
			return seed, ErrPassphrase
		}
	}
	key, err := pbkdf2.Key(func() hash.Hash { return sha512.New() }, polyseed.English().Text(p.numbers),
		[]byte("mnemonic"+passphrase), rounds, SeedSize)
	if err != nil {
		panic("unreachable: the key's length is right")
	}
	defer clear(key)
	return [SeedSize]byte(key), nil
}
