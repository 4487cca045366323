package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/mnemonic/languages"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// recipeKeys are the keys in the recipes of tests.
type recipeKeys struct {
	k, other           *keys.Keys
	spend, view, words string
}

func newRecipeKeys(t *testing.T) (r recipeKeys) {
	t.Helper()
	var err error
	r.k, err = keys.FromSeed([32]byte{5})
	require.NoError(t, err)
	r.other, err = keys.FromSeed([32]byte{6})
	require.NoError(t, err)
	r.spend, r.view = hexOf([32]byte{5}), hexOf(r.k.ViewSecret())
	r.words, err = mnemonic.Encode([32]byte{5}, languages.All().Find("English"))
	require.NoError(t, err)
	return r
}

func hexOf(b [32]byte) string { return hex.EncodeToString(b[:]) }

func at(k *keys.Keys) string {
	return address.Address{Network: xmr.Stagenet, Spend: k.SpendPublic, View: k.ViewPublic}.String()
}

func writeRecipe(t *testing.T, dir, name string, recipe map[string]any) string {
	t.Helper()
	b, err := json.Marshal(recipe)
	require.NoError(t, err)
	file := filepath.Join(dir, name+".json")
	require.NoError(t, os.WriteFile(file, b, 0o600))
	return file
}

// serveRecipe runs a service that creates the wallet of a recipe, and calls look. A second start must fail.
func serveRecipe(t *testing.T, dir, name string, recipe map[string]any, look func(rpc.Transport)) {
	t.Helper()
	recipe["version"], recipe["filename"], recipe["password"] = 1, filepath.Join(dir, name), "secret"
	file := writeRecipe(t, dir, name, recipe)
	ctx, cancel := context.WithCancel(t.Context())
	s, code, port := &said{addr: make(chan string, 1)}, make(chan int, 1), aPort(t)
	args := []string{
		"wallet-rpc", "--stagenet", "--offline", "--disable-rpc-login", "--rpc-ssl", "disabled", "--rpc-bind-port",
		port, "--generate-from-json", file,
	}
	go func() { code <- command(ctx, args, strings.NewReader(""), s, s) }()
	select {
	case <-s.addr:
		look(dial(t, port, digest.Login{}))
		cancel()
		require.Zero(t, <-code)
	case n := <-code:
		cancel()
		t.Fatalf("%s: %d: %s", name, n, s.text.String())
	}
	n, _, errs := runCommand(t, args...)
	require.Equal(t, 1, n)
	require.Contains(t, errs, "lready exists.")
}

// TestGenerateFromJSON creates wallets from a seed, from keys and from a view key, and opens them.
func TestGenerateFromJSON(t *testing.T) {
	r, dir := newRecipeKeys(t), t.TempDir()
	mixed, err := keys.FromSecrets([32]byte{5}, r.other.ViewSecret())
	require.NoError(t, err)
	otherView := hexOf(r.other.ViewSecret())
	is := func(c rpc.Transport, want string) {
		t.Helper()
		a, err := rpc.Call(t.Context(), c, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
		require.NoError(t, err)
		require.Equal(t, want, a.Address)
	}
	query := func(c rpc.Transport, kind string) (string, error) {
		r, err := rpc.Call(t.Context(), c, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind})
		return r.Key, err
	}
	spends := map[string]any{"spendkey": r.spend, "scan_from_height": 1000, "create_address_file": 0}
	serveRecipe(t, dir, "spends", spends, func(c rpc.Transport) {
		is(c, at(r.k))
		_, err := query(c, "mnemonic")
		require.ErrorContains(t, err, "Failed to get seed.", "the recipe has no language")
		got, err := query(c, "view_key")
		require.NoError(t, err)
		require.Equal(t, r.view, got)
	})
	serveRecipe(t, dir, "of words", map[string]any{"seed": r.words, "address": at(r.k)}, func(c rpc.Transport) {
		is(c, at(r.k))
		got, err := query(c, "spend_key")
		require.NoError(t, err)
		require.Equal(t, r.spend, got)
	})
	serveRecipe(t, dir, "sees", map[string]any{"viewkey": r.view, "address": at(r.k)}, func(c rpc.Transport) {
		is(c, at(r.k))
		_, err := query(c, "spend_key")
		require.ErrorContains(t, err, "-29")
	})
	twoKeys := map[string]any{"spendkey": r.spend, "viewkey": otherView}
	serveRecipe(t, dir, "of two keys", twoKeys, func(c rpc.Transport) { is(c, at(mixed)) })

	// The address that monero-wallet-rpc 0.18.0.0 derives from the same spend key.
	made := recipe{SpendKey: r.spend}
	require.NoError(t, made.complete(xmr.Mainnet))
	require.Equal(t, "4AdjxfpurQh3jkGXBaUCK19GEkqd6h4AfeYK9bfu4JT9eNE4jryjQMF8Bv51unxN4tccRb3WbgQCQ9fH246UJkJ9T3zN2GJ",
		made.Address)
}

func TestInvalidRecipes(t *testing.T) {
	r, dir := newRecipeKeys(t), t.TempDir()
	made := map[string]any{"version": 1, "filename": filepath.Join(dir, "refused")}
	for reason, more := range map[string]map[string]any{
		"version 2 is not supported":                   {"version": 2, "seed": r.words},
		"version and filename are required":            {"filename": "", "seed": r.words},
		"seed, spendkey or viewkey is required":        {},
		"seed cannot be combined":                      {"seed": r.words, "viewkey": r.view},
		"requires viewkey and address":                 {"viewkey": r.view},
		"spendkey: not 64 hexadecimal digits":          {"spendkey": r.spend[1:]},
		"viewkey: not 64 hexadecimal digits":           {"spendkey": r.spend, "viewkey": "zz"},
		"not a valid key":                              {"spendkey": strings.Repeat("f", 64), "viewkey": r.view},
		"wrong type":                                   {"scan_from_height": "soon", "seed": r.words},
		"spend key does not match":                     {"spendkey": r.spend, "address": at(r.other)},
		"Electrum-style word list failed verification": {"seed": r.words + " abbey"},
		"larger than 65536 bytes":                      {"seed": strings.Repeat("abbey ", maxRecipe)},
	} {
		recipe := map[string]any{}
		for _, m := range []map[string]any{made, more} {
			for name, v := range m {
				recipe[name] = v
			}
		}
		n, _, errs := runCommand(t, "wallet-rpc", "--stagenet", "--offline", "--disable-rpc-login", "--rpc-bind-port",
			aPort(t), "--generate-from-json", writeRecipe(t, dir, "refused", recipe))
		require.Equal(t, 1, n, reason)
		require.Contains(t, errs, "--generate-from-json: ", reason)
		require.Contains(t, errs, reason)
		require.NotContains(t, errs, r.spend[1:])
		require.NotContains(t, errs, r.words)
		require.NoFileExists(t, filepath.Join(dir, "refused"))
	}
}

// FuzzRecipe parses arbitrary recipes.
func FuzzRecipe(f *testing.F) {
	f.Add(
		[]byte(
			`{"version":1,"filename":"w","spendkey":"05` + strings.Repeat("0", 62) + `"}`,
		),
	)
	f.Add([]byte(`{"version":1,"filename":"w","viewkey":"05","address":"x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := parseRecipe(text); err == nil {
			_ = r.complete(xmr.Mainnet)
		}
	})
}
