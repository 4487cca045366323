package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// TestKeysFileIsKept makes a wallet with each choice of flags. With the default, NAME.keys exists from creation, store
// brings removed files back, and the file has the wallet's password after a change.
func TestKeysFileIsKept(t *testing.T) {
	for _, o := range []struct {
		flag string
		want []string
	}{
		{"", []string{"shop", "shop.glim", "shop.keys"}},
		{"--keys-file", []string{"shop", "shop.glim", "shop.keys"}},
		{"--no-keys-file", []string{"shop"}},
	} {
		dir, port := t.TempDir(), aPort(t)
		args := []string{"wallet-rpc", "--offline", "--wallet-dir", dir, "--rpc-bind-port", port, "--disable-rpc-login"}
		if o.flag != "" {
			args = append(args, o.flag)
		}
		start(t, args...)
		ctx, w := t.Context(), dial(t, port, digest.Login{})
		_, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
			walletrpc.CreateWalletRequest{Filename: "shop", Password: "one", Language: "English"})
		require.NoError(t, err)
		require.Equal(t, o.want, visible(t, dir), o.flag)
		if len(o.want) == 1 {
			continue
		}
		for _, name := range []string{"shop", "shop.keys"} {
			require.NoError(t, os.Remove(filepath.Join(dir, name)))
		}
		_, err = rpc.Call(ctx, w, walletrpc.Store, walletrpc.Empty{})
		require.NoError(t, err)
		require.Equal(t, o.want, visible(t, dir), o.flag)
		_, err = rpc.Call(ctx, w, walletrpc.ChangeWalletPassword,
			walletrpc.ChangeWalletPasswordRequest{OldPassword: "one", NewPassword: "two"})
		require.NoError(t, err)
		file, err := os.ReadFile(filepath.Join(dir, "shop.keys"))
		require.NoError(t, err)
		_, err = walletfile.Open(file, []byte("two"), walletfile.Rounds)
		require.NoError(t, err)
	}
}

// visible returns the names of a folder's files that are not hidden, in alphabetical order.
func visible(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range all {
		if f.Name()[0] != '.' {
			names = append(names, f.Name())
		}
	}
	slices.Sort(names)
	return names
}
