//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package native

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// theirs creates a keys file of the reference.
func theirs(t *testing.T, path string, w walletfile.Wallet) {
	t.Helper()
	var err error
	if w.Keys == nil {
		w.Keys, err = keys.FromSeed([32]byte{1})
		require.NoError(t, err)
	}
	w.Network = xmr.Regtest
	file, err := walletfile.Seal(&w, []byte("p"), walletfile.Rounds, rand.Reader)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, file, 0o600))
}

func openAt(s *service.Service, name, password string) error {
	_, err := ask(s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: name, Password: password})
	return err
}

// TestImportAfterEmptyFile checks that an empty file, left by a crash or a full disk during the import, does not
// prevent a new import.
func TestImportAfterEmptyFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	theirs(t, at("w.keys"), walletfile.Wallet{})
	before, err := os.ReadFile(at("w.keys"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(at("w.glim"), nil, 0o600))
	s := onDisk(t, dir)
	require.NoError(t, openAt(s, "w", "p"))
	require.NoError(t, addAddress(s, "kept"))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	after, err := os.ReadFile(at("w.keys"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(before, after))

	// The user removes the reference's files.
	require.NoError(t, os.Remove(at("w.keys")))
	require.NoError(t, openAt(s, "w", "p"))
	require.Equal(t, []string{"kept"}, labels(t, s))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	_, err = ask(s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	require.ErrorContains(t, err, "exists")

	// The reference's files may be added next to a wallet of glim.
	must(
		t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "ours", Password: "q", Language: "English"},
	)
	require.NoError(t, addAddress(s, "ours"))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	theirs(t, at("ours.keys"), walletfile.Wallet{})
	require.NoError(t, openAt(s, "ours", "q"))
	require.Equal(t, []string{"ours"}, labels(t, s))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})

	require.NoError(t, os.WriteFile(at("empty"), nil, 0o600))
	require.ErrorContains(t, openAt(s, "empty", ""), "file not found")
}

// TestInvalidKeysFiles checks that invalid keys files are refused without blocking, with a descriptive error and the
// reference's code.
func TestInvalidKeysFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(at("fifo.keys"), 0o600))
	require.NoError(t, os.Mkdir(at("folder.keys"), 0o700))
	require.NoError(t, os.Symlink("/dev/zero", at("device.keys")))
	require.NoError(t, os.Symlink(at("loop.keys"), at("loop.keys")))
	require.NoError(t, os.WriteFile(at("large.keys"), nil, 0o600))
	require.NoError(t, os.Truncate(at("large.keys"), 1<<40))
	require.NoError(t, os.WriteFile(at("large"), nil, 0o600))
	require.NoError(t, os.Truncate(at("large"), 1<<40))
	require.NoError(t, os.Symlink(at("large"), at("huge")))
	s := onDisk(t, dir)
	for name, why := range map[string]string{
		"fifo":   "not a file",
		"folder": "not a file",
		"device": "not a file",
		"loop":   "too many",
		"large":  "too large",
		"huge":   "not a journal",
		"none":   "file not found",
	} {
		err := openAt(s, name, "p")
		require.ErrorContains(t, err, why, name)
		var refused *rpc.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, walletrpc.CodeUnknown, refused.Code)
		require.NoFileExists(t, at(name+".glim"))
	}
}

// TestInvalidCaches checks that invalid caches are refused without blocking, with a descriptive error and the
// reference's code.
func TestInvalidCaches(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(at("fifo"), 0o600))
	require.NoError(t, os.Mkdir(at("folder"), 0o700))
	require.NoError(t, os.Symlink("/dev/zero", at("device")))
	require.NoError(t, os.Symlink(at("loop"), at("loop")))
	require.NoError(t, os.WriteFile(at("large"), nil, 0o600))
	require.NoError(t, os.Truncate(at("large"), 1<<40))
	require.NoError(t, os.WriteFile(at("empty"), nil, 0o600))
	s := onDisk(t, dir)
	for name, why := range map[string]string{
		"fifo": "not a file", "folder": "not a file", "device": "not a file", "loop": "too many",
		"large": "too large", "empty": "damaged",
	} {
		theirs(t, at(name+".keys"), walletfile.Wallet{})
		err := openAt(s, name, "p")
		require.ErrorContains(t, err, why, name)
		require.ErrorContains(t, err, "--without-cache", name)
		var refused *rpc.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, walletrpc.CodeUnknown, refused.Code)
		require.NoFileExists(t, at(name+".glim"))
	}
}

// TestRemovedWhileOpen checks changes of a file while its wallet is open. Confirmed data survives: writes fail while
// another file is in its place, and a removed file is created again when the wallet is stored or closed.
func TestRemovedWhileOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w")
	s := onDisk(t, dir)
	must(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "p", Language: "English"})
	require.NoError(t, addAddress(s, "first"))
	older, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, addAddress(s, "second"))

	// Another program restores a copy.
	require.NoError(t, os.Rename(path, path+".away"))
	require.NoError(t, os.WriteFile(path, older, 0o600))
	require.ErrorContains(t, addAddress(s, "nowhere"), "another program")
	_, err = ask(
		s, walletrpc.ChangeWalletPassword, walletrpc.ChangeWalletPasswordRequest{OldPassword: "p", NewPassword: "q"},
	)
	require.ErrorContains(t, err, "another program")
	require.Equal(t, []string{"first", "second"}, labels(t, s))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(older, got), "it is as it was put there")
	require.NoError(t, os.Rename(path+".away", path))
	require.NoError(t, addAddress(s, "third"))

	for _, again := range []func() error{
		func() error { _, err := ask(s, walletrpc.Store, walletrpc.Empty{}); return err },
		func() error { _, err := ask(s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{}); return err },
	} {
		require.NoError(t, os.Remove(path))
		require.ErrorContains(t, addAddress(s, "nowhere"), "another program")
		require.NoFileExists(t, path)
		require.NoError(t, again())
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077)
	}
	require.NoError(t, openAt(s, "w", "p"))
	require.Equal(t, []string{"first", "second", "third"}, labels(t, s))
}

// TestLinks: a wallet under a symbolic link is the one it leads to, wherever that is: written through, and open once.
func TestLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	s, other := onDisk(t, dir), onDisk(t, elsewhere)
	must(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "p", Language: "English"})
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.NoError(t, os.Rename(at("w"), filepath.Join(elsewhere, "real")))
	require.NoError(t, os.Symlink(filepath.Join(elsewhere, "real"), at("w")))
	require.NoError(t, os.Symlink("w", at("again")))
	require.NoError(t, os.Symlink("nowhere", at("dangling")))
	require.NoError(t, openAt(s, "again", "p"))
	require.NoError(t, addAddress(s, "through"))
	must(
		t, s, walletrpc.ChangeWalletPassword, walletrpc.ChangeWalletPasswordRequest{OldPassword: "p", NewPassword: "q"},
	)
	require.ErrorContains(t, openAt(other, "real", "q"), "open in another process")
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	for _, name := range []string{"w", "again"} {
		info, err := os.Lstat(at(name))
		require.NoError(t, err)
		require.Equal(t, os.ModeSymlink, info.Mode().Type())
	}
	require.NoError(t, openAt(other, "real", "q"))
	require.Equal(t, []string{"through"}, labels(t, other))
	require.ErrorContains(t, openAt(s, "dangling", "q"), "file not found")
	_, err := ask(s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "dangling", Language: "English"})
	require.ErrorContains(t, err, "exists")
	require.NoFileExists(t, at("nowhere"))
}

// TestCopyHasNoNonces: a signer whose wallet file was restored from a copy does not sign with a nonce that it may have
// used since the copy was made.
func TestCopyHasNoNonces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w")
	s := onDisk(t, dir)
	must(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "p", Language: "English"})
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	share := func() {
		st, err := WalletDir(dir).Open("w")
		require.NoError(t, err)
		log, err := session.Open(st, []byte("p"), session.Host{Random: rand.Reader, Workers: 1})
		require.NoError(t, err)
		nonces := []wallet.OutputNonces{{Key: xmr.PublicKey{1}, Secrets: []keys.Secret{{2}, {3}}}}
		require.NoError(t, log.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideNewNonces(nonces), nil, nil
		}))
		require.NoError(t, st.Close()) // as a kill does, without anything of the wallet's
	}
	left := func() (n int) {
		require.NoError(t, openAt(s, "w", "p"))
		require.NoError(t, addAddress(s, ""))
		must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
		st, err := WalletDir(dir).Open("w")
		require.NoError(t, err)
		log, err := session.Open(st, []byte("p"), session.Host{Random: rand.Reader, Workers: 1})
		require.NoError(t, err)
		log.View(func(w *wallet.Wallet) { n = len(w.Nonces(xmr.PublicKey{1})) })
		require.NoError(t, errors.Join(log.Close(), st.Close()))
		return n
	}
	share()
	require.Equal(t, 2, left())
	older, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 2, left(), "however often it is opened")
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"an older copy", func() error { return os.WriteFile(path, older, 0o600) }},
		{
			"another name",
			func() error { return os.Rename(filepath.Join(dir, ".w.lock"), filepath.Join(dir, ".v.lock")) },
		},
	} {
		share()
		require.Equal(t, 2, left())
		require.NoError(t, c.do())
		require.Zero(t, left(), c.name)
		require.Zero(t, left())
	}
	share()
	require.Equal(t, 2, left())
}
