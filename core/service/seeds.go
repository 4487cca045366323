package service

import (
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/polyseed"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// Seeds makes wallets of seeds and of keys, and words of wallets: for a service, and for a vault's owner who does it where the service sees
// nothing of it, see Config.Vault. Errors of its methods are the contract's.
type Seeds struct {
	Network   xmr.Network
	Languages mnemonic.Languages // of seed words; English alone when nil
	Polyseeds polyseed.Languages // of seeds of sixteen words; English alone when nil
	Random    io.Reader          // a cryptographic source
	Now       func() uint64      // POSIX seconds
}

func (s *Service) seeds() Seeds {
	c := &s.config
	return Seeds{Network: c.Network, Languages: c.Languages, Polyseeds: c.Polyseeds, Random: c.Random, Now: c.Now}
}

// polyseedWords is how many words a seed with a date has.
const polyseedWords = 16

func isPolyseed(words string) bool { return len(strings.Fields(words)) == polyseedWords }

// Language returns the English name of a language of either kind of words, and whether it is known.
func (s Seeds) Language(name string) (string, bool) {
	if l := s.Languages.Find(name); l != nil {
		return l.Name(), true
	}
	if l := s.polyseedLanguage(name); l != nil {
		return l.Name(), true
	}
	return "", false
}

// polyseedLanguage returns the language with this English or local name, or nil.
func (s Seeds) polyseedLanguage(name string) *polyseed.Language {
	for _, l := range s.Polyseeds {
		if l.Name() == name || l.LocalName() == name {
			return l
		}
	}
	return nil
}

// Polyseed makes a new seed of sixteen words and the wallet of it.
func (s Seeds) Polyseed(language string) (wallet.Origin, error) {
	l := s.polyseedLanguage(language)
	if l == nil {
		return wallet.Origin{}, walletrpc.Fail(walletrpc.CodeUnknown, "Unknown language: %s", language)
	}
	seed, err := polyseed.New(s.Random, s.Now())
	if err != nil {
		return wallet.Origin{}, err
	}
	return s.grow(seed, seed.Words(l), l)
}

// Found is a wallet as its words tell it.
type Found struct {
	Origin     wallet.Origin // without a restore height
	Birthday   uint64        // when the words were made, POSIX seconds; 0 for words that do not know it
	Deprecated bool          // the words are of an old kind, and Words writes others
}

// Restore returns the wallet of seed words of either kind: offset is the passphrase over them, language that to go on in where the words are
// of one that is no more, or which is meant where they fit several.
func (s Seeds) Restore(words, offset, language string) (f Found, err error) {
	if isPolyseed(words) {
		f.Origin, f.Birthday, err = s.fromPolyseed(words, offset, language)
	} else {
		f.Origin, f.Deprecated, err = s.fromWords(words, offset, language)
	}
	return f, err
}

// fromPolyseed returns the wallet of sixteen words, and when they were made, in POSIX seconds. Words that are encrypted need their
// passphrase; others take none, for with one they would be another wallet's. language tells between several in which the words fit.
func (s Seeds) fromPolyseed(words, passphrase, language string) (o wallet.Origin, birthday uint64, err error) {
	seed, l, err := s.decodePolyseed(words, language)
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
		return o, 0, refusePolyseed(err)
	}
	o, err = s.grow(seed, words, l)
	return o, seed.Birthday(), err
}

func (s Seeds) decodePolyseed(words, language string) (*polyseed.Seed, *polyseed.Language, error) {
	seed, l, err := s.Polyseeds.Decode(words)
	if only := s.polyseedLanguage(language); errors.Is(err, polyseed.ErrAmbiguous) && only != nil {
		return polyseed.Languages{only}.Decode(words)
	}
	return seed, l, err
}

func refusePolyseed(err error) error {
	return refuse(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "polyseed: "), "mnemonic: "))
}

// grow returns the wallet of a seed that is not encrypted.
func (s Seeds) grow(seed *polyseed.Seed, words string, l *polyseed.Language) (wallet.Origin, error) {
	key, err := seed.Key()
	if err != nil {
		return wallet.Origin{}, err
	}
	defer clear(key[:])
	k, err := keys.FromSeed(key)
	if err != nil {
		return wallet.Origin{}, refuse("Failed to generate wallet")
	}
	return wallet.Origin{Network: s.Network, Keys: k, Language: l.Name(), Words: wallet.Words(words)}, nil
}

// fromWords returns the wallet of twenty-five words or fewer, and whether they are of an old kind.
func (s Seeds) fromWords(words, offset, name string) (o wallet.Origin, deprecated bool, err error) {
	seed, language, err := s.Languages.Decode(words)
	if err != nil {
		return o, false, walletrpc.Fail(walletrpc.CodeUnknown, "Electrum-style word list failed verification")
	}
	defer clear(seed[:])
	// Words of the oldest wallets carry no checksum, or are of a list that is no more.
	deprecated = language.Deprecated() || len(strings.Fields(words)) == 24
	if language.Deprecated() {
		if name == "" {
			return o, false, walletrpc.Fail(walletrpc.CodeUnknown, "Wallet was using the old seed language. You need to specify a new seed language.")
		}
		if language = s.Languages.Find(name); language == nil {
			return o, false, walletrpc.Fail(walletrpc.CodeUnknown, "Wallet was using the old seed language, and the specified new seed language is invalid.")
		}
	}
	if offset != "" {
		seed = mnemonic.Offset(seed, offset)
	}
	k, err := keys.FromSeed(seed)
	if err != nil {
		return o, false, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to generate wallet")
	}
	return wallet.Origin{Network: s.Network, Keys: k, Language: language.Name()}, deprecated, nil
}

// Keys returns the wallet of an address and its keys, 64 hexadecimal digits each; without a spend key one that only watches.
func (s Seeds) Keys(primary, viewKey, spendKey string) (o wallet.Origin, err error) {
	fail := func(text string) (wallet.Origin, error) {
		return wallet.Origin{}, walletrpc.Fail(walletrpc.CodeUnknown, "%s", text)
	}
	a, err := address.ParseFor(s.Network, primary)
	if err != nil {
		return fail("Failed to parse public address")
	}
	view, err := xmr.ParseKey(viewKey)
	if err != nil {
		return fail("Failed to parse view key secret key")
	}
	o = wallet.Origin{Network: s.Network}
	if spendKey != "" {
		spend, err := xmr.ParseKey(spendKey)
		if err != nil {
			return fail("Failed to parse spend key secret key")
		}
		if o.Keys, err = keys.FromSecrets(spend, view); err != nil {
			return fail("Failed to parse spend key secret key")
		}
	} else if o.Keys, err = keys.ViewOnly(view, a.Spend); err != nil {
		return fail("Failed to parse view key secret key")
	}
	switch {
	case o.Keys.SpendPublic != a.Spend:
		return fail("failed to generate new wallet: spend key does not match standard address")
	case o.Keys.ViewPublic != a.View:
		return fail("failed to generate new wallet: view key does not match standard address")
	}
	return o, nil
}

// Words returns the seed words of o, which has its spend secret: with a passphrase such as give o back with it as their offset, sixteen words
// encrypted under it.
func (s Seeds) Words(o wallet.Origin, passphrase string) (string, error) {
	spend, ok := o.Keys.SpendSecret()
	if !ok {
		return "", walletrpc.Fail(walletrpc.CodeWatchOnly, "The wallet is watch-only. Cannot retrieve seed.")
	}
	defer clear(spend[:])
	if len(o.Words) > 0 {
		return s.encrypted(string(o.Words), o.Language, passphrase)
	}
	language := s.Languages.Find(o.Language)
	if language == nil {
		return "", walletrpc.Fail(walletrpc.CodeUnknown, "Failed to get seed.")
	}
	offset := mnemonic.InverseOffset(spend, passphrase)
	defer clear(offset[:])
	return mnemonic.Encode(offset, language)
}

// encrypted returns sixteen words under a passphrase; as they are without one, and when they are encrypted already.
func (s Seeds) encrypted(words, language, passphrase string) (string, error) {
	if passphrase == "" {
		return words, nil
	}
	seed, l, err := s.decodePolyseed(words, language)
	if err == nil && seed.Encrypted() {
		return "", refuse("the seed is encrypted already")
	}
	if err == nil {
		err = seed.Crypt(passphrase, nil)
	}
	if err != nil {
		return "", refusePolyseed(err)
	}
	return seed.Words(l), nil
}

// Secret returns what query_key answers about a wallet whose secret is at hand: kind is mnemonic, under a passphrase if there is one, or spend_key.
func (s Seeds) Secret(o wallet.Origin, kind, passphrase string) (string, error) {
	if kind == "spend_key" {
		spend, ok := o.Keys.SpendSecret()
		defer clear(spend[:])
		if !ok {
			return "", walletrpc.Fail(walletrpc.CodeWatchOnly, "The wallet is watch-only. Cannot retrieve spend key.")
		}
		return hex.EncodeToString(spend[:]), nil
	}
	if o.Keys.CanSpend() && !o.Keys.Deterministic() {
		return "", walletrpc.Fail(walletrpc.CodeNonDeterministic, "")
	}
	return s.Words(o, passphrase)
}
