//go:build nootherseeds

package service

// Restore returns the wallet of a seed that Monero wallets make. It refuses kinds, because this program has no seeds of
// other wallets.
func (s Seeds) Restore(g GivenSeed) (f RestoredSeed, err error) {
	switch {
	case g.Kind != "" || g.Account != 0:
		err = refuse("this program cannot restore seeds of other wallets")
	case isPolyseed(g.Words):
		f.Origin, f.Birthday, err = s.fromPolyseed(g.Words, g.Passphrase, g.Language)
	default:
		f.Origin, f.Deprecated, err = s.fromWords(g.Words, g.Passphrase, g.Language)
	}
	return f, err
}
