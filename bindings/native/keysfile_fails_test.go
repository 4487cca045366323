package native

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	disks "glim/bindings/native/files"
	"glim/core/journal"
	"glim/core/mnemonic/languages"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/walletfile"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

var errDead = errors.New("the disk broke")

// breakingDir is a folder whose disk breaks, for good, at a change of any file.
type breakingDir struct {
	SharedDir
	left *int // steps until then
}

func (b breakingDir) step() error {
	if *b.left--; *b.left <= 0 {
		return errDead
	}
	return nil
}

func (b breakingDir) wrap(st service.Storage, err error) (service.Storage, error) {
	if err != nil {
		return nil, err
	}
	return breakingStorage{st.(*disks.File), b}, nil
}

func (b breakingDir) Create(name string) (service.Storage, error) {
	return b.wrap(b.SharedDir.Create(name))
}

func (b breakingDir) Open(name string) (service.Storage, error) {
	return b.wrap(b.SharedDir.Open(name))
}

type breakingStorage struct {
	*disks.File
	breakingDir
}

func (f breakingStorage) Append(p []byte) error {
	return (&disk{f.step}).do(func() error { return f.File.Append(p) })
}

func (f breakingStorage) Replace(p []byte) error {
	return (&disk{f.step}).do(func() error { return f.File.Replace(p) })
}

func (f breakingStorage) Truncate(size int64) error {
	return (&disk{f.step}).do(func() error { return f.File.Truncate(size) })
}

// offline returns a service for the wallets in d.
func offline(t *testing.T, d service.Files) *service.Service {
	t.Helper()
	s, err := service.New(service.Config{
		Network: xmr.Mainnet, Files: d, Random: rand.Reader, Workers: 1, KDF: journal.WeakestKDF(),
		Lookahead: wallet.Lookahead{Major: 1, Minor: 1}, Languages: languages.All(),
		Now: func() uint64 { return 1 },
	}, service.DaemonConfig{})
	require.NoError(t, err)
	return s
}

func calls[Req, Resp any](t *testing.T, s *service.Service, m rpc.Method[Req, Resp], req Req) error {
	t.Helper()
	_, err := rpc.Call(t.Context(), s.Registry(), m, req)
	return err
}

// makeShared makes the wallet w in dir, with an attribute.
func makeShared(t *testing.T, dir string) {
	t.Helper()
	s := offline(t, SharedDir{WalletDir: WalletDir(dir)})
	require.NoError(t, calls(t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "w", Password: "old", Language: "English"}))
	require.NoError(t, calls(t, s, walletrpc.SetAttribute, walletrpc.SetAttributeRequest{Key: "k", Value: "kept"}))
	require.NoError(t, s.Close())
}

// changes are what TestKeysFilesFailAnywhere interrupts.
func sharedChanges() map[string]func(*testing.T, string, *service.Service) error {
	open := func(t *testing.T, s *service.Service, password string) error {
		return calls(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: password})
	}
	background := func(kind string) func(*testing.T, string, *service.Service) error {
		return func(t *testing.T, _ string, s *service.Service) error {
			if err := open(t, s, "old"); err != nil {
				return err
			}
			for _, kind := range []string{"custom-background-password", kind} {
				if err := calls(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
					BackgroundSyncType: kind, WalletPassword: "old", BackgroundCachePassword: "b",
				}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return map[string]func(*testing.T, string, *service.Service) error{
		"password": func(t *testing.T, _ string, s *service.Service) error {
			if err := open(t, s, "old"); err != nil {
				return err
			}
			return calls(t, s, walletrpc.ChangeWalletPassword,
				walletrpc.ChangeWalletPasswordRequest{OldPassword: "old", NewPassword: "new"})
		},
		"store": func(t *testing.T, _ string, s *service.Service) error {
			if err := open(t, s, "old"); err != nil {
				return err
			}
			if err := calls(t, s, walletrpc.SetAttribute,
				walletrpc.SetAttributeRequest{Key: "new", Value: "stored"}); err != nil {
				return err
			}
			_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.Store, walletrpc.Empty{})
			return err
		},
		"background": background("custom-background-password"),
		"off":        background("off"),
		"missing": func(t *testing.T, dir string, s *service.Service) error {
			for _, name := range []string{"w", "w.keys"} {
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
			}
			return open(t, s, "old")
		},
		"move": func(t *testing.T, dir string, s *service.Service) error {
			for _, name := range []string{"w", "w.keys", ".w.shared", ".w.unlock"} {
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
			}
			require.NoError(t, os.Rename(filepath.Join(dir, "w.glim"), filepath.Join(dir, "w")))
			return open(t, s, "old")
		},
		"theirs": func(t *testing.T, dir string, s *service.Service) error {
			for name, reseal := range map[string]func([]byte) ([]byte, error){
				"w.keys": func(b []byte) ([]byte, error) {
					return walletfile.Reseal(b, []byte("old"), []byte("new"), 1, rand.Reader)
				},
				"w": func(b []byte) ([]byte, error) {
					return walletcache.Reseal(b, []byte("old"), []byte("new"), 1, rand.Reader)
				},
			} {
				b, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				next, err := reseal(b)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), next, 0o600))
			}
			return open(t, s, "new")
		},
	}
}

// TestKeysFilesFailAnywhere breaks the disk before and after each change of any file of a wallet. The wallet then opens
// with everything that it had, its keys file and cache have the same password as the wallet, and an answered change
// is complete.
func TestKeysFilesFailAnywhere(t *testing.T) {
	made := t.TempDir()
	makeShared(t, made)
	for name, change := range sharedChanges() {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				dir := t.TempDir()
				require.NoError(t, os.CopyFS(dir, os.DirFS(made)))
				left := n
				b := breakingDir{SharedDir: SharedDir{WalletDir: WalletDir(dir)}, left: &left}
				b.disk = &disk{b.step}
				s := offline(t, b)
				err := change(t, dir, s)
				broke := left <= 0
				_ = s.Close() // as the process ends
				requireShared(t, dir, name, err == nil)
				if !broke {
					require.NoError(t, err)
					require.Greater(t, n, 3, "the change has several steps")
					return
				}
			}
		})
	}
}

// requireShared opens the wallet w in dir with the password that it has.
func requireShared(t *testing.T, dir, change string, answered bool) {
	t.Helper()
	s := offline(t, SharedDir{WalletDir: WalletDir(dir)})
	password := "new"
	err := calls(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: password})
	changes := change == "password" || change == "theirs"
	if err != nil {
		require.False(t, answered && changes, "%v", err)
		require.NotEqual(t, "theirs", change)
		password = "old"
		require.NoError(t, calls(t, s, walletrpc.OpenWallet,
			walletrpc.OpenWalletRequest{Filename: "w", Password: password}))
	} else {
		require.True(t, changes)
	}
	got, err := rpc.Call(t.Context(), s.Registry(), walletrpc.GetAttribute, walletrpc.GetAttributeRequest{Key: "k"})
	require.NoError(t, err)
	require.Equal(t, "kept", got.Value)
	require.NoError(t, s.Close())
	keys, err := os.ReadFile(filepath.Join(dir, "w.keys"))
	require.NoError(t, err)
	cache, err := os.ReadFile(filepath.Join(dir, "w"))
	require.NoError(t, err)
	found, err := walletfile.Open(keys, []byte(password), 1)
	require.NoError(t, err)
	known, err := walletcache.Open(cache, []byte(password), 1, found)
	require.NoError(t, err, "each content of the cache is whole")
	require.Contains(t, known.Attributes, walletcache.Attribute{Key: "k", Value: "kept"})
	if change == "store" && answered {
		require.Contains(t, known.Attributes, walletcache.Attribute{Key: "new", Value: "stored"})
	}
}
