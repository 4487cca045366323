package service

import (
	"errors"
	"slices"
	"strings"

	"glim/core/bip39"
	"glim/core/mnemonic"
	"glim/core/polyseed"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/walletseed"
)

// moneroWords is the number of seed words with their checksum.
const moneroWords = 25

// Restore returns the wallet of a seed.
func (s Seeds) Restore(g GivenSeed) (f RestoredSeed, err error) {
	if err := s.checkKind(&g); err != nil {
		return f, err
	}
	switch {
	case g.Kind == walletrpc.SeedPolyseed, g.Kind == "" && isPolyseed(g.Words):
		f.Origin, f.Birthday, err = s.fromPolyseed(g.Words, g.Passphrase, g.Language)
	case g.Kind == walletrpc.SeedMonero, g.Kind == "":
		f.Origin, f.Deprecated, err = s.fromWords(g.Words, g.Passphrase, g.Language)
	default:
		f.Origin, err = s.fromOther(&g)
	}
	return f, err
}

// checkKind refuses words that are a seed, but not of the given kind, and names the kinds that they fit. Without a kind
// it refuses what fits a kind of another wallet. Words that fit no kind pass: the decoder of the kind says what is
// wrong with them.
func (s Seeds) checkKind(g *GivenSeed) error {
	switch {
	case g.Kind != "" && !slices.Contains(walletrpc.SeedKinds, g.Kind):
		return refuse("Unknown seed type: " + g.Kind)
	case g.Account != 0 && g.Kind != walletrpc.SeedTrezor && g.Kind != walletrpc.SeedLedger:
		return refuse("only seeds of the types trezor and ledger have accounts")
	}
	if n := len(strings.Fields(g.Words)); g.Kind == "" && (n == polyseedWords || n == moneroWords) {
		return nil // no other kind has as many words
	}
	fits := s.kinds(g.Words)
	list := strings.Join(fits, " or ")
	own := slices.Contains(fits, walletrpc.SeedMonero) || slices.Contains(fits, walletrpc.SeedPolyseed)
	switch {
	case len(fits) == 0 || slices.Contains(fits, g.Kind):
		return nil
	case g.Kind != "":
		return refuse("the words are not a seed of the type " + g.Kind + ", but of " + list)
	case own && len(fits) == 1:
		return nil
	case own:
		return refuse("the words are a seed of several types: set seed_type to " + list)
	}
	// The first half is the reference's answer to words that it cannot read.
	return refuseFor("Electrum-style word list failed verification: the words are a seed of another wallet: set "+
		"seed_type to "+list, errSeed)
}

// kinds returns the kinds of seeds that the words are, with a right checksum if the kind has one.
func (s Seeds) kinds(words string) (fits []string) {
	if isPolyseed(words) {
		if _, _, err := s.Polyseeds.Decode(words); err == nil || errors.Is(err, polyseed.ErrAmbiguous) {
			fits = append(fits, walletrpc.SeedPolyseed)
		}
		return fits
	}
	if seed, _, err := s.Languages.Decode(words); err == nil {
		clear(seed[:])
		fits = append(fits, walletrpc.SeedMonero)
	}
	if seed, _, err := s.Languages.DecodeMyMonero(words); err == nil {
		clear(seed[:])
		fits = append(fits, walletrpc.SeedMyMonero)
	}
	if phrase, err := bip39.Decode(words); err == nil {
		phrase.Forget()
		fits = append(fits, walletrpc.SeedTrezor, walletrpc.SeedLedger)
	}
	return fits
}

// fromOther returns the wallet of a seed of another wallet.
func (s Seeds) fromOther(g *GivenSeed) (wallet.Identity, error) {
	if g.Kind == walletrpc.SeedMyMonero {
		return s.fromMyMonero(g)
	}
	return s.fromHardware(g)
}

// fromHardware returns the wallet of a seed phrase of a hardware wallet. The phrase itself is not kept, because it also
// gives the keys of other coins: the words of the wallet are those of its spend key, which restore the same wallet.
func (s Seeds) fromHardware(g *GivenSeed) (o wallet.Identity, err error) {
	name := g.Language
	if name == "" {
		name = mnemonic.English().Name()
	}
	language := s.Languages.Find(name)
	if language == nil {
		return o, refuse("Unknown language: " + name)
	}
	phrase, err := bip39.Decode(g.Words)
	if err != nil {
		return o, refuseSeed(err)
	}
	defer phrase.Forget()
	seed, err := phrase.Seed(g.Passphrase)
	if err != nil {
		return o, refuseSeed(err)
	}
	defer clear(seed[:])
	derive := walletseed.Trezor
	if g.Kind == walletrpc.SeedLedger {
		derive = walletseed.Ledger
	}
	k, err := derive(seed, g.Account)
	if err != nil {
		return o, refuseSeed(err)
	}
	return wallet.Identity{Network: s.Network, Keys: k, Language: language.Name()}, nil
}

// fromMyMonero returns the wallet of a seed of MyMonero.
func (s Seeds) fromMyMonero(g *GivenSeed) (o wallet.Identity, err error) {
	if g.Passphrase != "" {
		return o, refuse("a seed of MyMonero cannot have a seed_offset")
	}
	seed, language, err := s.Languages.DecodeMyMonero(g.Words)
	if err != nil {
		return o, refuseSeed(err)
	}
	defer clear(seed[:])
	k, err := walletseed.MyMonero(seed)
	if err != nil {
		return o, refuseSeed(err)
	}
	return wallet.Identity{Network: s.Network, Keys: k, Language: language.Name()}, nil
}

// refuseSeed removes the name of the package from an error.
func refuseSeed(err error) error {
	_, text, _ := strings.Cut(err.Error(), ": ")
	if errors.Is(err, walletseed.ErrAccount) {
		return refuse(text)
	}
	return refuseFor(text, errors.Join(err, errSeed))
}
