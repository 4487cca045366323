//go:build !js && !wasip1

package walletfile_test

import (
	"context"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/walletfile"
	"glim/core/xmr"
)

// TestReferenceOpens: the reference opens our files without a cache, and we read the files that it then writes.
func TestReferenceOpens(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	w := peers.NewWalletRPC(t, nil, peers.Options{Dir: dir, Args: []string{"--kdf-rounds", "2"}})
	const rounds = 2

	scalar := func(b byte) [32]byte { return edwards.EncodeScalar(edwards.ReduceScalar([32]byte{b, 31: 0xff})) }
	seed, err := keys.FromSeed(scalar(1))
	require.NoError(t, err)
	unrelated, err := keys.FromSecrets(scalar(2), scalar(3))
	require.NoError(t, err)
	view, err := keys.ViewOnly(unrelated.ViewSecret(), unrelated.SpendPublic)
	require.NoError(t, err)

	for name, wallet := range map[string]*walletfile.Wallet{
		"seed": {Keys: seed, Language: "Français", RestoreHeight: 1234567, Created: 1700000000,
			LookaheadMajor: 3, LookaheadMinor: 7},
		"unrelated": {Keys: unrelated, RestoreHeight: 3, MaxReorgDepth: depth(250)},
		"view":      {Keys: view, Network: xmr.Mainnet},
	} {
		password := "пароль " + name
		file, err := walletfile.Seal(wallet, []byte(password), rounds, rand.NewChaCha8([32]byte{byte(len(name))}))
		require.NoError(t, err)
		path := filepath.Join(dir, "wallets", name+".keys")
		require.NoError(t, os.WriteFile(path, file, 0o600))

		require.Error(t, w.JSON(ctx, "open_wallet", map[string]any{"filename": name, "password": "another"}, nil))
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, file, kept)
		require.NoError(t, w.JSON(ctx, "open_wallet", map[string]any{"filename": name, "password": password}, nil))

		var shown struct{ Address string }
		require.NoError(t, w.JSON(ctx, "get_address", map[string]any{"account_index": 0}, &shown))
		a := address.Address{Kind: address.Standard, Spend: wallet.Keys.SpendPublic, View: wallet.Keys.ViewPublic}
		require.Equal(t, a.String(), shown.Address)
		viewKey := wallet.Keys.ViewSecret()
		require.Equal(t, hex.EncodeToString(viewKey[:]), query(ctx, t, w, "view_key"))
		if spend, ok := wallet.Keys.SpendSecret(); ok {
			require.Equal(t, hex.EncodeToString(spend[:]), query(ctx, t, w, "spend_key"))
		} else {
			err := w.JSON(ctx, "query_key", map[string]any{"key_type": "spend_key"}, nil)
			require.Error(t, err, "the wallet has no spend key")
		}

		// After a password change the reference rewrites the file. From 0.18.5.1 on it needs a cache for that.
		require.NoError(t, w.JSON(ctx, "store", nil, nil))
		require.NoError(
			t,
			w.JSON(ctx, "change_wallet_password", map[string]any{"old_password": password, "new_password": "new"}, nil),
		)
		require.NoError(t, w.JSON(ctx, "close_wallet", nil, nil))
		theirs, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NotEqual(t, file, theirs)
		_, err = walletfile.Open(theirs, []byte(password), rounds)
		require.ErrorIs(t, err, walletfile.ErrPassword)
		got, err := walletfile.Open(theirs, []byte("new"), rounds)
		require.NoError(t, err)
		want := *wallet
		want.NetworkKnown = true
		if want.LookaheadMajor == 0 {
			want.LookaheadMajor, want.LookaheadMinor = 50, 200
		}
		if want.MaxReorgDepth == nil {
			want.MaxReorgDepth = depth(100)
		}
		require.Equal(t, &want, got)
	}
}

// TestReferenceWrites reads wallets of the reference: from a seed, with unrelated keys, view-only.
func TestReferenceWrites(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	w := peers.NewWalletRPC(t, nil, peers.Options{Dir: dir})
	read := func(name, password string) *walletfile.Wallet {
		file, err := os.ReadFile(filepath.Join(dir, "wallets", name+".keys"))
		require.NoError(t, err)
		got, err := walletfile.Open(file, []byte(password), walletfile.Rounds)
		require.NoError(t, err)
		require.Equal(t, xmr.Mainnet, got.Network)
		return got
	}

	require.NoError(
		t, w.JSON(ctx, "create_wallet", map[string]any{"filename": "seed", "password": "a", "language": "Lojban"}, nil),
	)
	spend := query(ctx, t, w, "spend_key")
	got := read("seed", "a")
	require.Equal(t, "Lojban", got.Language)
	require.True(t, got.Keys.Deterministic())
	secret, ok := got.Keys.SpendSecret()
	require.True(t, ok)
	require.Equal(t, spend, hex.EncodeToString(secret[:]))
	require.NotZero(t, got.Created)

	scalar := func(b byte) keys.Secret { return edwards.EncodeScalar(edwards.ReduceScalar([32]byte{b, 31: 0xff})) }
	k, err := keys.FromSecrets(scalar(2), scalar(3))
	require.NoError(t, err)
	a := address.Address{Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic}
	s, v := scalar(2), scalar(3)
	params := map[string]any{
		"filename":       "view",
		"password":       "",
		"address":        a.String(),
		"viewkey":        hex.EncodeToString(v[:]),
		"restore_height": 9,
	}
	require.NoError(t, w.JSON(ctx, "generate_from_keys", params, nil))
	got = read("view", "")
	require.False(t, got.Keys.CanSpend())
	require.Equal(t, k.SpendPublic, got.Keys.SpendPublic)
	require.EqualValues(t, 9, got.RestoreHeight)

	params["filename"], params["spendkey"] = "unrelated", hex.EncodeToString(s[:])
	require.NoError(t, w.JSON(ctx, "generate_from_keys", params, nil))
	got = read("unrelated", "")
	require.Equal(t, k, got.Keys)
}

func depth(n uint64) *uint64 { return &n }

func query(ctx context.Context, t *testing.T, w *peers.WalletRPC, kind string) string {
	var r struct{ Key string }
	require.NoError(t, w.JSON(ctx, "query_key", map[string]any{"key_type": kind}, &r))
	return r.Key
}
