package service

import "strings"

// polyseedWords is the number of words of a Polyseed.
const polyseedWords = 16

func isPolyseed(words string) bool { return len(strings.Fields(words)) == polyseedWords }

// GivenSeed is a seed that a user entered.
type GivenSeed struct {
	Words string
	// Passphrase of the seed, also called its offset; empty if it has none.
	Passphrase string
	// Language replaces the language of a seed in a discontinued one, chooses one if the words fit several, and is the
	// language of the words that replace those of a hardware wallet. It may be empty.
	Language string
	// Kind is one of walletrpc.SeedKinds, or empty for a seed that Monero wallets make.
	Kind    string
	Account uint32 // number of the account of a hardware wallet
}
