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

	"glim/bindings/native/digest"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/mnemonic/languages"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestGenerateFromJSON: a file says which wallet to make, of a seed, of keys or of a view key; the service opens it, and a second start with
// the same file makes nothing anew.
func TestGenerateFromJSON(t *testing.T) {
	k, err := keys.FromSeed([32]byte{5})
	require.NoError(t, err)
	other, err := keys.FromSeed([32]byte{6})
	require.NoError(t, err)
	strange, err := keys.FromSecrets([32]byte{5}, other.ViewSecret())
	require.NoError(t, err)
	at := func(k *keys.Keys) string {
		return address.Address{Network: xmr.Stagenet, Spend: k.SpendPublic, View: k.ViewPublic}.String()
	}
	text := func(b [32]byte) string { return hex.EncodeToString(b[:]) }
	spend, view, strangeView := text([32]byte{5}), text(k.ViewSecret()), text(other.ViewSecret())
	words, err := mnemonic.Encode([32]byte{5}, languages.All().Find("English"))
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name string, recipe map[string]any) string {
		t.Helper()
		b, err := json.Marshal(recipe)
		require.NoError(t, err)
		file := filepath.Join(dir, name+".json")
		require.NoError(t, os.WriteFile(file, b, 0o600))
		return file
	}
	serve := func(name string, recipe map[string]any, look func(rpc.Transport)) {
		t.Helper()
		recipe["version"], recipe["filename"], recipe["password"] = 1, filepath.Join(dir, name), "secret"
		file := write(name, recipe)
		ctx, cancel := context.WithCancel(t.Context())
		s, code, port := &said{addr: make(chan string, 1)}, make(chan int, 1), aPort(t)
		args := []string{"wallet-rpc", "--stagenet", "--offline", "--disable-rpc-login", "--rpc-ssl", "disabled", "--rpc-bind-port", port, "--generate-from-json", file}
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
	serve("spends", map[string]any{"spendkey": spend, "scan_from_height": 1000, "create_address_file": 0}, func(c rpc.Transport) {
		is(c, at(k))
		_, err := query(c, "mnemonic")
		require.ErrorContains(t, err, "Failed to get seed.", "no language was named")
		got, err := query(c, "view_key")
		require.NoError(t, err)
		require.Equal(t, view, got)
	})
	serve("of words", map[string]any{"seed": words, "address": at(k)}, func(c rpc.Transport) {
		is(c, at(k))
		got, err := query(c, "spend_key")
		require.NoError(t, err)
		require.Equal(t, spend, got)
	})
	serve("sees", map[string]any{"viewkey": view, "address": at(k)}, func(c rpc.Transport) {
		is(c, at(k))
		_, err := query(c, "spend_key")
		require.ErrorContains(t, err, "-29")
	})
	serve("of two keys", map[string]any{"spendkey": spend, "viewkey": strangeView}, func(c rpc.Transport) { is(c, at(strange)) })

	// What monero-wallet-rpc 0.18.0.0 makes of the same spend key.
	r := recipe{SpendKey: spend}
	require.NoError(t, r.complete(xmr.Mainnet))
	require.Equal(t, "4AdjxfpurQh3jkGXBaUCK19GEkqd6h4AfeYK9bfu4JT9eNE4jryjQMF8Bv51unxN4tccRb3WbgQCQ9fH246UJkJ9T3zN2GJ", r.Address)

	made := map[string]any{"version": 1, "filename": filepath.Join(dir, "refused")}
	for reason, more := range map[string]map[string]any{
		"version 2; up to 1 is known":                  {"version": 2, "seed": words},
		"version and filename are needed":              {"filename": "", "seed": words},
		"one of seed, spendkey and viewkey":            {},
		"seed excludes spendkey and viewkey":           {"seed": words, "viewkey": view},
		"needs viewkey and address":                    {"viewkey": view},
		"spendkey: not 64 hexadecimal digits":          {"spendkey": spend[1:]},
		"viewkey: not 64 hexadecimal digits":           {"spendkey": spend, "viewkey": "zz"},
		"spendkey or viewkey: no key":                  {"spendkey": strings.Repeat("f", 64), "viewkey": view},
		"another kind":                                 {"scan_from_height": "soon", "seed": words},
		"spend key does not match":                     {"spendkey": spend, "address": at(other)},
		"Electrum-style word list failed verification": {"seed": words + " abbey"},
		"more than 65536 bytes":                        {"seed": strings.Repeat("abbey ", maxRecipe)},
	} {
		recipe := map[string]any{}
		for _, m := range []map[string]any{made, more} {
			for name, v := range m {
				recipe[name] = v
			}
		}
		n, _, errs := runCommand(t, "wallet-rpc", "--stagenet", "--offline", "--disable-rpc-login", "--rpc-bind-port", aPort(t),
			"--generate-from-json", write("refused", recipe))
		require.Equal(t, 1, n, reason)
		require.Contains(t, errs, "--generate-from-json: ", reason)
		require.Contains(t, errs, reason)
		require.NotContains(t, errs, spend[1:])
		require.NotContains(t, errs, words)
		require.NoFileExists(t, filepath.Join(dir, "refused"))
	}
}

// FuzzRecipe reads anything as a file that says which wallet to make.
func FuzzRecipe(f *testing.F) {
	f.Add([]byte(`{"version":1,"filename":"w","spendkey":"0500000000000000000000000000000000000000000000000000000000000000"}`))
	f.Add([]byte(`{"version":1,"filename":"w","viewkey":"05","address":"x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := parseRecipe(text); err == nil {
			_ = r.complete(xmr.Mainnet)
		}
	})
}
