package service

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/polyseed"
	"glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/walletfile"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestPolyseed makes wallets of Polyseeds in every language and restores them. They return their words, also after
// they were closed, but not while the spend key is absent.
func TestPolyseed(t *testing.T) {
	dir := newFolder()
	s := onChain(t, dir)
	reconfigure(s, func(c *Config) { c.Polyseeds = languages.All() })
	mnemonic := walletrpc.QueryKeyRequest{KeyType: "mnemonic"}
	type keys struct{ spend, view, address string }
	all := func() keys {
		t.Helper()
		return keys{do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"}).Key,
			do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}).Key,
			do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address}
	}
	for _, l := range languages.All() {
		name := l.Name()
		do(t, s, walletrpc.CreateWallet,
			walletrpc.CreateWalletRequest{Filename: name, Language: l.LocalName(), SeedType: "polyseed"})
		words, made := do(t, s, walletrpc.QueryKey, mnemonic).Key, all()
		require.Len(t, strings.Fields(words), 16, name)
		do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: name})
		require.Equal(t, words, do(t, s, walletrpc.QueryKey, mnemonic).Key)

		got := do(t, s, walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
			Filename: "again " + name, Seed: " " + strings.ToUpper(words) + "\n", Language: name})
		require.Equal(t, words, got.Seed)
		require.Equal(t, made.address, got.Address)
		require.False(t, got.WasDeprecated)
		require.Equal(t, made, all())

		// The keys file contains a language that the reference supports.
		do(t, s, walletrpc.ExportKeysFile, walletrpc.ExportKeysFileRequest{Filename: "out " + name, Password: "p"})
		exported, err := walletfile.Open(dir.files["out "+name].Content, []byte("p"), walletfile.Rounds)
		require.NoError(t, err)
		require.Equal(t, localName(s.operations.keys.seeds.Languages, name), exported.Language)
	}

	set := walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "reuse-wallet-password"}
	words := do(t, s, walletrpc.QueryKey, mnemonic).Key
	for _, name := range []string{"", "file"} {
		do(t, s, walletrpc.RestoreDeterministicWallet,
			walletrpc.RestoreDeterministicWalletRequest{Filename: name, Seed: words})
		do(t, s, walletrpc.SetupBackgroundSync, set)
		do(t, s, walletrpc.StartBackgroundSync, empty{})
		require.Equal(t, -52, refused(t, s, walletrpc.QueryKey, mnemonic).Code)
		require.Empty(t, s.wallet.Session.Keys().CanSpend())
		do(t, s, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{Seed: words})
		require.Equal(t, words, do(t, s, walletrpc.QueryKey, mnemonic).Key)
	}
}

// TestPublishedPolyseeds restores published Polyseeds, and refuses invalid ones with a clear text that does not
// repeat them.
func TestPublishedPolyseeds(t *testing.T) {
	var v struct {
		Addresses []struct{ Words, Address string }
		English   []struct{ Words, Error string }
		Several   string
	}
	text, err := os.ReadFile("../polyseed/testdata/vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &v))
	require.NotEmpty(t, v.Addresses)
	s := onChain(t, newFolder())
	reconfigure(s, func(c *Config) { c.Polyseeds, c.Network = languages.All(), xmr.Mainnet })
	restore := func(words, passphrase, language string) walletrpc.RestoreDeterministicWalletRequest {
		return walletrpc.RestoreDeterministicWalletRequest{Seed: words, SeedOffset: passphrase, Language: language}
	}
	for _, c := range v.Addresses {
		require.Equal(t, c.Address, do(t, s, walletrpc.RestoreDeterministicWallet, restore(c.Words, "", "")).Address)

		// Encryption changes the words; with the passphrase they restore the same wallet.
		seed, l, err := languages.All().Decode(c.Words)
		require.NoError(t, err)
		require.NoError(t, seed.Crypt("a pass phrase", nil))
		hidden := seed.Words(l)
		got := do(t, s, walletrpc.RestoreDeterministicWallet, restore(hidden, "a pass phrase", ""))
		require.Equal(t, c.Address, got.Address)
		require.Equal(t, hidden, got.Seed)
		require.NotEqual(t, c.Address,
			do(t, s, walletrpc.RestoreDeterministicWallet, restore(hidden, "another", "")).Address)
		require.Equal(t, rpc.Error{Code: -1, Message: "the seed is encrypted: its passphrase is needed first"},
			refused(t, s, walletrpc.RestoreDeterministicWallet, restore(hidden, "", "")))
		require.Equal(t, rpc.Error{Code: -1, Message: "the seed is not encrypted, so it cannot have a seed_offset"},
			refused(t, s, walletrpc.RestoreDeterministicWallet, restore(c.Words, "a pass phrase", "")))
	}
	for _, c := range v.English {
		if len(strings.Fields(c.Words)) != 16 {
			continue
		}
		_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.RestoreDeterministicWallet, restore(c.Words, "", ""))
		require.Equal(t, c.Error == "", err == nil, c.Words)
	}
	words := strings.Fields(v.Addresses[0].Words)
	words[3], words[4] = words[4], words[3]
	require.Equal(t, rpc.Error{Code: -1, Message: strings.TrimPrefix(polyseed.ErrChecksum.Error(), "polyseed: ")},
		refused(t, s, walletrpc.RestoreDeterministicWallet, restore(strings.Join(words, " "), "", "")))
	words[7] = "qqqq"
	e := refused(t, s, walletrpc.RestoreDeterministicWallet, restore(strings.Join(words, " "), "", ""))
	require.Equal(t, -1, e.Code)
	require.Contains(t, e.Message, "8", "the position of the word")
	require.NotContains(t, e.Message, "qqqq")

	// If the words fit several languages, the request must name one.
	spanish := s.config.seeds().polyseedLanguage("Spanish")
	reconfigure(s, func(c *Config) { c.Polyseeds = append(polyseed.Languages{spanish}, languages.All()...) })
	require.Equal(t, rpc.Error{Code: -1, Message: "the words fit in several languages: choose one"},
		refused(t, s, walletrpc.RestoreDeterministicWallet, restore(v.Several, "", "")))
	do(t, s, walletrpc.RestoreDeterministicWallet, restore(v.Several, "", "español"))
	require.Equal(t, -1, refused(t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Language: "English", SeedType: "other"}).Code)
	require.Equal(t, rpc.Error{Code: -1, Message: "Unknown language: Latin"},
		refused(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "Latin", SeedType: "polyseed"}))
}
