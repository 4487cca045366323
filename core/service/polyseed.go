package service

import (
	"errors"
	"strings"

	"glim/core/keys"
	"glim/core/polyseed"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// polyseedWords is how many words a seed with a date has.
const polyseedWords = 16

func isPolyseed(words string) bool { return len(strings.Fields(words)) == polyseedWords }

// polyseedLanguage returns the language with this English or local name, or nil.
func (s *Service) polyseedLanguage(name string) *polyseed.Language {
	for _, l := range s.config.Polyseeds {
		if l.Name() == name || l.LocalName() == name {
			return l
		}
	}
	return nil
}

// newPolyseed makes a seed and the wallet of it.
func (s *Service) newPolyseed(language string) (wallet.Origin, error) {
	l := s.polyseedLanguage(language)
	if l == nil {
		return wallet.Origin{}, walletrpc.Fail(walletrpc.CodeUnknown, "Unknown language: %s", language)
	}
	seed, err := polyseed.New(s.config.Random, s.config.Now())
	if err != nil {
		return wallet.Origin{}, err
	}
	return s.grow(seed, seed.Words(l), l)
}

// fromPolyseed returns the wallet of sixteen words, and when they were made, in POSIX seconds. Words that are encrypted need their
// passphrase; others take none, for with one they would be another wallet's. language tells between several in which the words fit.
func (s *Service) fromPolyseed(words, passphrase, language string) (o wallet.Origin, birthday uint64, err error) {
	seed, l, err := s.config.Polyseeds.Decode(words)
	if only := s.polyseedLanguage(language); errors.Is(err, polyseed.ErrAmbiguous) && only != nil {
		seed, l, err = polyseed.Languages{only}.Decode(words)
	}
	switch {
	case err != nil:
	case seed.Encrypted() && passphrase == "":
		err = polyseed.ErrEncrypted
	case seed.Encrypted():
		words = seed.Words(l)
		err = seed.Crypt(passphrase, nil)
	case passphrase != "":
		return o, 0, refuse("the seed is not encrypted: it takes no seed_offset")
	default:
		words = seed.Words(l)
	}
	if err != nil {
		return o, 0, refuse(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "polyseed: "), "mnemonic: "))
	}
	o, err = s.grow(seed, words, l)
	return o, seed.Birthday(), err
}

// grow returns the wallet of a seed that is not encrypted.
func (s *Service) grow(seed *polyseed.Seed, words string, l *polyseed.Language) (wallet.Origin, error) {
	key, err := seed.Key()
	if err != nil {
		return wallet.Origin{}, err
	}
	defer clear(key[:])
	k, err := keys.FromSeed(key)
	if err != nil {
		return wallet.Origin{}, refuse("Failed to generate wallet")
	}
	return wallet.Origin{Network: s.config.Network, Keys: k, Language: l.Name(), Words: wallet.Words(words)}, nil
}
