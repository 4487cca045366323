package main

import (
	"bytes"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/xmr"
)

// TestExportKeys writes the keys file of a wallet, with the password from a file or from standard input. Wrong
// passwords and existing names leave no file behind.
func TestExportKeys(t *testing.T) {
	dir := t.TempDir()
	k, err := keys.FromSeed([32]byte{1, 2, 3})
	require.NoError(t, err)
	st, err := native.WalletDir(dir).Create("mine")
	require.NoError(t, err)
	o := wallet.Identity{Network: xmr.Stagenet, Keys: k, Language: "English", RestoreHeight: 77}
	s, err := session.Create(
		st,
		[]byte("pass word"),
		journal.WeakestKDF(),
		o,
		wallet.DefaultLookahead,
		session.Host{Random: rand.Reader},
	)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, st.Close())
	passwords := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(passwords, []byte("pass word\n"), 0o600))

	run := func(stdin string, args ...string) (int, string) {
		t.Helper()
		var out, errs bytes.Buffer
		code := command(t.Context(), append([]string{"export-keys"}, args...), strings.NewReader(stdin), &out, &errs)
		require.NotContains(t, out.String()+errs.String(), "pass word")
		return code, out.String() + errs.String()
	}
	wallet := filepath.Join(dir, "mine")
	require.NoError(t, os.Rename(wallet, wallet+".glim")) // as the service stores wallets
	for as, stdin := range map[string]string{"from file": "", "from input": "pass word\n"} {
		args := []string{"--stagenet", "--wallet-file", wallet, "--as", as}
		if stdin == "" {
			args = append(args, "--password-file="+passwords)
		}
		code, said := run(stdin, args...)
		require.Zero(t, code, said)
		file, err := os.ReadFile(filepath.Join(dir, as+".keys"))
		require.NoError(t, err)
		got, err := walletfile.Open(file, []byte("pass word"), walletfile.Rounds)
		require.NoError(t, err)
		require.Equal(t, k.SpendPublic, got.Keys.SpendPublic)
		require.Equal(t, xmr.Stagenet, got.Network)
		require.EqualValues(t, 77, got.RestoreHeight)
	}
	for _, c := range []struct {
		code  int
		stdin string
		args  []string
		said  string
	}{
		{1, "wrong", []string{"--stagenet", "--wallet-file", wallet, "--as", "x"}, "Invalid password."},
		{1, "pass word", []string{"--wallet-file", wallet, "--as", "x"}, "stagenet"},
		{1, "pass word", []string{"--stagenet", "--wallet-file", wallet, "--as", "mine"}, "Already exists."},
		{1, "pass word", []string{"--stagenet", "--wallet-file", wallet, "--as", "../x"}, "Invalid filename"},
		{1, "", []string{"--wallet-file", wallet, "--as", "x", "--password-file", wallet + "x"}, "--password-file"},
		{2, "", []string{"--wallet-file", wallet}, "--as NAME"},
		{2, "", []string{"--nonsense"}, "--as NAME"},
		{2, "", []string{"--kdf-rounds", "many"}, "--kdf-rounds"},
		{0, "", []string{"--help"}, "--as NAME"},
	} {
		code, said := run(c.stdin, c.args...)
		require.Equal(t, c.code, code, said)
		require.Contains(t, said, c.said)
	}
	require.NoFileExists(t, filepath.Join(dir, "x.keys"))
}

// unread is standard input that must not be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("asked for a password")
	return 0, io.EOF
}

// TestExportKeysOfNoWallet checks that a missing wallet is reported before the password is read.
func TestExportKeysOfNoWallet(t *testing.T) {
	var out, errs bytes.Buffer
	code := command(t.Context(),
		[]string{"export-keys", "--wallet-file", filepath.Join(t.TempDir(), "missing"), "--as", "copy"}, unread{t},
		&out, &errs)
	require.Equal(t, 1, code)
	require.Contains(t, errs.String(), "--wallet-file")
	require.Contains(t, errs.String(), "no such file")
}
