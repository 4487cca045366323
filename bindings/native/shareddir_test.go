package native

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/service"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/walletfile"
	"glim/core/xmr"
)

func sharedState(t *testing.T, password string) service.ReferenceState {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	return service.ReferenceState{
		Name: "w", Wallet: &walletfile.Wallet{Keys: k, Network: xmr.Mainnet}, Password: []byte(password),
		Rounds: 1, Random: rand.Reader,
	}
}

func makeWallet(t *testing.T, d service.Files, name string) {
	t.Helper()
	st, err := d.Create(name)
	require.NoError(t, err)
	o := wallet.Identity{Network: xmr.Mainnet, Keys: sharedState(t, "").Wallet.Keys}
	s, err := session.Create(st, []byte("p"), journal.WeakestKDF(), o, wallet.Lookahead{Major: 1, Minor: 1},
		session.Host{Random: rand.Reader})
	require.NoError(t, err)
	require.NoError(t, errors.Join(s.Close(), st.Close()))
}

func opensWallet(t *testing.T, d service.Files, name string) {
	t.Helper()
	st, err := d.Open(name)
	require.NoError(t, err)
	require.True(t, st.(service.CopyDetector).IsCurrent(), "the record of the last write moves with the file")
	s, err := session.Open(st, []byte("p"), session.Host{Random: rand.Reader})
	require.NoError(t, err)
	require.NoError(t, s.CheckPassword(context.Background(), []byte("p")))
	require.NoError(t, errors.Join(s.Close(), st.Close()))
}

// TestSharedDirMoves opens a wallet that is the file NAME. It becomes NAME.glim; WalletDir opens that, too. A wallet
// whose other files were removed makes room for a new one, and stays.
func TestSharedDirMoves(t *testing.T) {
	plain := WalletDir(t.TempDir())
	d := SharedDir{WalletDir: plain}
	at := func(name string) string { return filepath.Join(string(plain), name) }
	makeWallet(t, plain, "w")
	held, err := plain.Open("w")
	require.NoError(t, err)
	_, err = d.Open("w")
	require.ErrorIs(t, err, service.ErrInUse)
	require.NoError(t, held.Close())
	_, err = d.Create("w")
	require.ErrorIs(t, err, service.ErrExists)
	before, err := os.ReadFile(at("w"))
	require.NoError(t, err)
	opensWallet(t, d, "w")
	require.NoFileExists(t, at("w"))
	after, err := os.ReadFile(at("w.glim"))
	require.NoError(t, err)
	require.Equal(t, before, after[:len(before)])
	opensWallet(t, plain, "w")
	opensWallet(t, d, "w")

	held, err = d.Open("w")
	require.NoError(t, err)
	_, err = d.Create("w")
	require.ErrorIs(t, err, service.ErrExists, "it is open")
	require.NoError(t, held.Close())
	for _, name := range []string{"w", "w.keys"} {
		require.NoError(t, os.WriteFile(at(name), []byte("the reference's"), 0o600))
		_, err = d.Create("w")
		require.ErrorIs(t, err, service.ErrExists)
		require.NoError(t, os.Remove(at(name)))
	}
	_, err = d.Create("w")
	require.ErrorIs(t, err, service.ErrExists, "the reference's files were never made, so nobody removed them")
	for range 2 {
		require.NoError(t, d.Reference("w").Keep(sharedState(t, "p")))
		for _, name := range []string{"w", "w.keys"} {
			require.NoError(t, os.Remove(at(name)))
		}
		makeWallet(t, d, "w")
	}
	for _, name := range []string{"w", "w.glim", "w.removed-1", "w.removed-2"} {
		opensWallet(t, d, name)
	}
	require.NoFileExists(t, at("w.glim.glim"))
}

// TestPasswordChangeInterrupted interrupts a password change after each of its steps. Opening the wallet with the
// password that it has then completes the change or discards it.
func TestPasswordChangeInterrupted(t *testing.T) {
	for _, changed := range []bool{false, true} { // whether the wallet's own file has the new password
		for renamed := range 3 {
			if !changed && renamed > 0 {
				continue
			}
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			r := &reference{path: at("w")}
			old, next := sharedState(t, "old"), sharedState(t, "new")
			require.NoError(t, r.Keep(old))
			commit, err := r.ChangePassword(old, []byte("new"))
			require.NoError(t, err)
			switch renamed {
			case 1:
				require.NoError(t, os.Rename(at(".w.keys.next"), at("w.keys")))
			case 2:
				require.NoError(t, commit())
			}
			now := old
			if changed {
				now = next
			}
			for range 2 {
				require.NoError(t, (&reference{path: at("w")}).Keep(now))
				keys, err := os.ReadFile(at("w.keys"))
				require.NoError(t, err)
				require.NoError(t, check(keys, walletfile.NewPassword(now.Password, now.Rounds), now))
				cache, err := os.ReadFile(at("w"))
				require.NoError(t, err)
				require.NoError(t, walletcache.Opens(cache, now.Password, 1))
				require.NoFileExists(t, at(".w.keys.next"))
				require.NoFileExists(t, at(".w.next"))
			}
		}
	}
}

// TestKeepsForeignFiles checks that keys files of another password or account, and other files in the place of the
// cache, are never changed.
func TestKeepsForeignFiles(t *testing.T) {
	other := sharedState(t, "p")
	k, err := keys.FromSeed([32]byte{2})
	require.NoError(t, err)
	other.Wallet = &walletfile.Wallet{Keys: k}
	foreign, err := walletfile.Seal(other.Wallet, []byte("p"), 1, rand.Reader)
	require.NoError(t, err)
	mine := sharedState(t, "p")
	another, err := walletfile.Seal(mine.Wallet, []byte("another"), 1, rand.Reader)
	require.NoError(t, err)
	for _, content := range [][]byte{foreign, another, []byte("damaged"), {}} {
		path := filepath.Join(t.TempDir(), "w")
		require.NoError(t, os.WriteFile(path+".keys", content, 0o600))
		require.NoError(t, os.WriteFile(path, []byte("a cache"), 0o600))
		r := &reference{path: path}
		require.Error(t, r.Keep(mine))
		restored, err := r.Restore()
		require.NoError(t, err)
		require.False(t, restored)
		commit, err := r.ChangePassword(mine, []byte("new"))
		require.NoError(t, err)
		require.NoError(t, commit())
		got, err := os.ReadFile(path + ".keys")
		require.NoError(t, err)
		require.Equal(t, content, got)
		got, err = os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "a cache", string(got))
	}
}
