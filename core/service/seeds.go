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

// Seeds makes wallets from seeds and keys, and returns the seeds of wallets. The service uses it, and so does the owner
// of a vault, whose secrets the service cannot access, see Config.Vault. Its methods return errors of the contract.
type Seeds struct {
	Network   xmr.Network
	Languages mnemonic.Languages // of seed words; only English if nil
	Polyseeds polyseed.Languages // of Polyseeds; only English if nil
	Random    io.Reader          // a cryptographic source
	Now       func() uint64      // POSIX seconds
}

// Language returns the English name of a language of seed words or of Polyseeds, and whether the language exists.
func (s Seeds) Language(name string) (string, bool) {
	if l := s.Languages.Find(name); l != nil {
		return l.Name(), true
	}
	if l := s.polyseedLanguage(name); l != nil {
		return l.Name(), true
	}
	return "", false
}

// polyseedLanguage returns the Polyseed language with this English or local name, or nil.
func (s Seeds) polyseedLanguage(name string) *polyseed.Language {
	for _, l := range s.Polyseeds {
		if l.Name() == name || l.LocalName() == name {
			return l
		}
	}
	return nil
}

// Polyseed makes a new Polyseed and its wallet.
func (s Seeds) Polyseed(language string) (wallet.Identity, error) {
	l := s.polyseedLanguage(language)
	if l == nil {
		return wallet.Identity{}, walletrpc.Fail(walletrpc.CodeUnknown, "Unknown language: %s", language)
	}
	seed, err := polyseed.New(s.Random, s.Now())
	if err != nil {
		return wallet.Identity{}, err
	}
	return s.originOf(seed, seed.Words(l), l)
}

// RestoredSeed is the wallet of a seed.
type RestoredSeed struct {
	Origin     wallet.Identity // without a restore height
	Birthday   uint64          // creation time of the seed in POSIX seconds; 0 if the seed does not contain it
	Deprecated bool            // the seed is of a deprecated kind; Words returns a new one
}

// fromPolyseed returns the wallet of a Polyseed, and its birthday in POSIX seconds. An encrypted seed requires its
// passphrase; another seed accepts none, because the result would be a different wallet. language chooses one if the
// words fit several.
func (s Seeds) fromPolyseed(words, passphrase, language string) (o wallet.Identity, birthday uint64, err error) {
	seed, l, err := s.decodePolyseed(words, language)
	switch {
	case err != nil:
	case seed.Encrypted() && passphrase == "":
		err = polyseed.ErrEncrypted
	case seed.Encrypted():
		words = seed.Words(l)
		err = seed.Crypt(passphrase, nil)
	case passphrase != "":
		return o, 0, refuse("the seed is not encrypted, so it cannot have a seed_offset")
	default:
		words = seed.Words(l)
	}
	if err != nil {
		return o, 0, refusePolyseed(err)
	}
	o, err = s.originOf(seed, words, l)
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
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "polyseed: "), "mnemonic: ")
	return refuseFor(text, errors.Join(err, errSeed))
}

// originOf returns the wallet of a seed that is not encrypted.
func (s Seeds) originOf(seed *polyseed.Seed, words string, l *polyseed.Language) (wallet.Identity, error) {
	key, err := seed.Key()
	if err != nil {
		return wallet.Identity{}, err
	}
	defer clear(key[:])
	k, err := keys.FromSeed(key)
	if err != nil {
		return wallet.Identity{}, refuseFor("Failed to generate wallet", errSeed)
	}
	return wallet.Identity{Network: s.Network, Keys: k, Language: l.Name(), Words: wallet.Words(words)}, nil
}

// fromWords returns the wallet of a seed of 24 or 25 words, and whether the seed is of a deprecated kind.
func (s Seeds) fromWords(words, offset, name string) (o wallet.Identity, deprecated bool, err error) {
	seed, language, err := s.Languages.Decode(words)
	if err != nil {
		return o, false, refuseFor("Electrum-style word list failed verification", errSeed)
	}
	defer clear(seed[:])
	// Seeds of the oldest wallets have no checksum, or use a discontinued word list.
	deprecated = language.Deprecated() || len(strings.Fields(words)) == 24
	if language.Deprecated() {
		if name == "" {
			return o, false, walletrpc.Fail(walletrpc.CodeUnknown, "Wallet was using the old seed language. You need "+
				"to specify a new seed language.")
		}
		if language = s.Languages.Find(name); language == nil {
			return o, false, walletrpc.Fail(walletrpc.CodeUnknown, "Wallet was using the old seed language, and the "+
				"specified new seed language is invalid.")
		}
	}
	if offset != "" {
		seed = mnemonic.Offset(seed, offset)
	}
	k, err := keys.FromSeed(seed)
	if err != nil {
		return o, false, refuseFor("Failed to generate wallet", errSeed)
	}
	return wallet.Identity{Network: s.Network, Keys: k, Language: language.Name()}, deprecated, nil
}

// Keys returns the wallet of an address and its keys, 64 hexadecimal digits each; without a spend key it is
// view-only.
func (s Seeds) Keys(primary, viewKey, spendKey string) (o wallet.Identity, err error) {
	fail := func(text string) (wallet.Identity, error) {
		return wallet.Identity{}, refuseFor(text, errKeys)
	}
	a, err := address.ParseFor(s.Network, primary)
	if err != nil {
		return fail("Failed to parse public address")
	}
	view, err := xmr.ParseKey(viewKey)
	if err != nil {
		return fail("Failed to parse view key secret key")
	}
	o = wallet.Identity{Network: s.Network}
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

// Words returns the seed words of o, which has its spend secret. With a passphrase, they restore o together with that
// passphrase as their offset; a Polyseed is encrypted with it.
func (s Seeds) Words(o wallet.Identity, passphrase string) (string, error) {
	spend, ok := o.Keys.SpendSecret()
	if !ok {
		return "", walletrpc.Fail(walletrpc.CodeWatchOnly, "The wallet is watch-only. Cannot retrieve seed.")
	}
	defer clear(spend[:])
	if !o.Keys.Deterministic() { // words of the spend key would restore another view key
		return "", walletrpc.Fail(walletrpc.CodeNonDeterministic, "")
	}
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

// encrypted returns a Polyseed encrypted with a passphrase; without one, it returns the words unchanged.
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

// Secret returns the response of query_key for a wallet whose secret is present: kind is mnemonic, optionally with a
// passphrase, or spend_key.
func (s Seeds) Secret(o wallet.Identity, kind, passphrase string) (string, error) {
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
