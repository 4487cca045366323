package service

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/mnemonic/languages"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func restoreOf(words, kind string, account uint32) walletrpc.RestoreDeterministicWalletRequest {
	return walletrpc.RestoreDeterministicWalletRequest{Seed: words, SeedType: kind, Account: account}
}

const (
	trezorWords   = "alcohol woman abuse must during monitor noble actual mixed trade anger aisle"
	myMoneroWords = "foxes selfish humid nexus juvenile dodge pepper ember biscuit elapse jazz vibrate biscuit"
)

// TestSeedsOfOtherWallets restores published seeds of a Trezor, a Ledger and MyMonero. The wallet is the same after it
// was closed. query_key returns words that restore it, or none: seed words cannot have the view key of MyMonero.
func TestSeedsOfOtherWallets(t *testing.T) {
	var list []struct {
		Kind, Words, Passphrase, Spend, View, Address string
		Account                                       uint32
	}
	text, err := os.ReadFile("../walletseed/testdata/vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &list))
	dir := newFolder()
	s := onChain(t, dir)
	reconfigure(s, func(c *Config) { c.Network = xmr.Mainnet })
	query := func(kind string) walletrpc.QueryKeyRequest { return walletrpc.QueryKeyRequest{KeyType: kind} }
	filed := map[string]bool{"ledger": true} // its keys are like a Trezor's
	for _, v := range list {
		req := restoreOf(v.Words, v.Kind, v.Account)
		req.SeedOffset = v.Passphrase
		if !filed[v.Kind] { // few wallets in files, because those take seconds
			req.Filename = v.Kind
		}
		got := do(t, s, walletrpc.RestoreDeterministicWallet, req)
		if v.Address != "" {
			require.Equal(t, v.Address, got.Address)
		}
		require.False(t, got.WasDeprecated)
		if req.Filename != "" {
			do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
			do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: v.Kind})
		}
		require.Equal(t, got.Address, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
		spend := do(t, s, walletrpc.QueryKey, query("spend_key")).Key
		view := do(t, s, walletrpc.QueryKey, query("view_key")).Key
		if v.Spend != "" {
			require.Equal(t, v.Spend, spend)
			require.Equal(t, v.View, view)
		}
		if !filed[v.Kind] {
			filed[v.Kind] = true
			requireExported(t, s, dir, v.Kind, spend, view)
		}
		if v.Kind == walletrpc.SeedMyMonero {
			require.Empty(t, got.Seed)
			require.Equal(t, walletrpc.CodeNonDeterministic, refused(t, s, walletrpc.QueryKey, query("mnemonic")).Code)
			_, err := s.config.seeds().Words(
				wallet.Identity{Keys: s.wallet.Session.Keys(), Language: "English"}, "")
			require.Error(t, err, "no words of the spend key alone")
			continue
		}
		words := do(t, s, walletrpc.QueryKey, query("mnemonic")).Key
		require.Equal(t, got.Seed, words)
		require.Len(t, strings.Fields(words), 25)
		require.Equal(t, got.Address, do(t, s, walletrpc.RestoreDeterministicWallet, restoreOf(words, "", 0)).Address)
	}
	require.Len(t, filed, 3)
}

// requireExported checks that an exported file has the keys of the open wallet.
func requireExported(t *testing.T, s *Service, dir *folder, kind, spend, view string) {
	t.Helper()
	do(t, s, walletrpc.ExportKeysFile, walletrpc.ExportKeysFileRequest{Filename: "out " + kind, Password: "p"})
	file, err := walletfile.Open(dir.files["out "+kind].Content, []byte("p"), walletfile.Rounds)
	require.NoError(t, err)
	exported, ok := file.Keys.SpendSecret()
	require.True(t, ok)
	require.Equal(t, spend, xmr.Hash(exported).String())
	require.Equal(t, view, xmr.Hash(file.Keys.ViewSecret()).String())
}

// TestKindsOfSeeds restores seeds of every kind as every kind. Each is restored only as what it is; everything else
// fails, makes no wallet, and names the kinds that the words fit, but no word.
func TestKindsOfSeeds(t *testing.T) {
	dir := newFolder()
	s := onChain(t, dir)
	made, err := s.config.seeds().Polyseed("English")
	require.NoError(t, err)
	monero, err := mnemonic.Encode([32]byte{1, 2, 3}, mnemonic.English())
	require.NoError(t, err)
	// 24 words of both English lists, a seed without a checksum in one, with the right checksum in the other.
	both := strings.Repeat("absorb ", 23) + "token"
	art := strings.Repeat("abandon ", 23) + "art"
	hardware := "trezor or ledger"
	const failed = "Electrum-style word list failed verification"
	for _, c := range []struct {
		name, words string
		as          []string // kinds as which the words are restored; "" without a kind
		fits        string   // named by the error of other kinds
		without     string   // error without a kind
	}{
		{"25 words", monero, []string{"", "monero"}, "monero", ""},
		{"24 words", monero[:strings.LastIndex(monero, " ")], []string{"", "monero"}, "monero", ""},
		{"Polyseed", string(made.Words), []string{"", "polyseed"}, "polyseed", ""},
		{"MyMonero", myMoneroWords, []string{"mymonero"}, "mymonero",
			failed + ": the words are a seed of another wallet: set seed_type to mymonero"},
		{"12 words of BIP 39", trezorWords, []string{"trezor", "ledger"}, hardware,
			failed + ": the words are a seed of another wallet: set seed_type to " + hardware},
		{"24 words of BIP 39", art, []string{"trezor", "ledger"}, hardware,
			failed + ": the words are a seed of another wallet: set seed_type to " + hardware},
		{"24 words of both", both, []string{"monero", "trezor", "ledger"}, "monero or " + hardware,
			"the words are a seed of several types: set seed_type to monero or " + hardware},
	} {
		addresses := map[string]string{}
		for _, kind := range append([]string{""}, walletrpc.SeedKinds...) {
			req := restoreOf(c.words, kind, 0)
			req.Filename = "none"
			if slices.Contains(c.as, kind) {
				req.Filename = c.name + " " + kind
				at := do(t, s, walletrpc.RestoreDeterministicWallet, req).Address
				if kind != "" {
					require.NotContains(t, addresses, at, c.name)
					addresses[at] = kind
				}
				continue
			}
			want := "the words are not a seed of the type " + kind + ", but of " + c.fits
			if kind == "" {
				want = c.without
			}
			require.Equal(t, rpc.Error{Code: walletrpc.CodeUnknown, Message: want},
				refused(t, s, walletrpc.RestoreDeterministicWallet, req), c.name+" as "+kind)
			require.NotContains(t, dir.files, "none")
		}
	}
}

// TestSeedsOfNoKind refuses words that are no seed, and parameters that a kind does not have.
func TestSeedsOfNoKind(t *testing.T) {
	s := onChain(t, newFolder())
	wrongOrder := strings.Fields(trezorWords)
	slices.Reverse(wrongOrder)
	swapped := strings.Fields(myMoneroWords)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	offset := restoreOf(myMoneroWords, "mymonero", 0)
	offset.SeedOffset = "offset"
	accented := restoreOf(trezorWords, "ledger", 0)
	accented.SeedOffset = "pässword"
	language := restoreOf(trezorWords, "trezor", 0)
	language.Language = "Latin"
	multisig := restoreOf(strings.Repeat("ab", 200), "trezor", 0)
	multisig.EnableMultisigExperimental = true
	wrongWord := strings.Replace(trezorWords, "aisle", "qqqq", 1)
	reversed, exchanged := strings.Join(wrongOrder, " "), strings.Join(swapped, " ")
	for want, req := range map[string]walletrpc.RestoreDeterministicWalletRequest{
		"Unknown seed type: slip39":                                           restoreOf(trezorWords, "slip39", 0),
		"only seeds of the types trezor and ledger have accounts":             restoreOf(myMoneroWords, "mymonero", 1),
		"a seed of MyMonero cannot have a seed_offset":                        offset,
		"passphrases beyond ASCII need Unicode's NFKD":                        accented,
		"Unknown language: Latin":                                             language,
		"this seed cannot have a seed_type or an account":                     multisig,
		"an account is a number below 2147483648":                             restoreOf(trezorWords, "ledger", 1<<31),
		"the words do not fit together: one is wrong or out of place":         restoreOf(reversed, "trezor", 0),
		"the last word does not fit the others: one is wrong or out of place": restoreOf(exchanged, "mymonero", 0),
		"unknown word, at word 12":                                            restoreOf(wrongWord, "trezor", 0),
		"a seed phrase has 12, 15, 18, 21 or 24 words":                        restoreOf("abandon", "ledger", 0),
		"a MyMonero seed has 13 words":                                        restoreOf("abbey", "mymonero", 0),
		"a seed has 16 words":                                                 restoreOf("abbey", "polyseed", 0),
		"Electrum-style word list failed verification":                        restoreOf(reversed, "", 0),
	} {
		require.Equal(t, rpc.Error{Code: walletrpc.CodeUnknown, Message: want},
			refused(t, s, walletrpc.RestoreDeterministicWallet, req))
	}

	// The words that replace those of a hardware wallet can be in another language.
	reconfigure(s, func(c *Config) { c.Languages = languages.All() })
	spanish := restoreOf(trezorWords, "trezor", 0)
	spanish.Language = "Español"
	seed, language25, err := languages.All().Decode(do(t, s, walletrpc.RestoreDeterministicWallet, spanish).Seed)
	require.NoError(t, err)
	require.Equal(t, "Spanish", language25.Name())
	k, err := keys.FromSeed(seed)
	require.NoError(t, err)
	require.Equal(t, s.wallet.Session.Keys().SpendPublic, k.SpendPublic)
}
