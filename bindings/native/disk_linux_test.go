package native

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// onDisk returns a service with the wallets of a folder and without a daemon.
func onDisk(t *testing.T, dir string) *service.Service {
	t.Helper()
	s, err := service.New(service.Config{
		Network: xmr.Regtest, Files: WalletDir(dir), Random: rand.Reader, Now: func() uint64 { return 1 }, Workers: 1,
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 2}, Wait: Wait,
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return nil, nil },
	}, service.DaemonConfig{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func ask[Req, Resp any](s *service.Service, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	return rpc.Call(context.Background(), s.Registry(), m, req)
}

func must[Req, Resp any](t *testing.T, s *service.Service, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	resp, err := ask(s, m, req)
	require.NoError(t, err, m.Name)
	return resp
}

func addAddress(s *service.Service, label string) error {
	_, err := ask(s, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Label: label, Count: 1})
	return err
}

func labels(t *testing.T, s *service.Service) (all []string) {
	t.Helper()
	for _, a := range must(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Addresses[1:] {
		all = append(all, a.Label)
	}
	return all
}

const fullDiskVariable = "NATIVE_TEST_FULL_DISK"

// TestFullDisk checks that when no file can grow, calls that need space fail, and everything confirmed before is still
// there: while the disk is full, when there is space again, and after the wallet is reopened. A change of the password
// is atomic.
func TestFullDisk(t *testing.T) {
	if os.Getenv(fullDiskVariable) != "" {
		fillDisk(t)
		return
	}
	// A separate process, because the limit applies to all files of a process.
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), fullDiskVariable+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "the disk was full")
}

// unlimited is a file size limit that lets files grow.
const unlimited = math.MaxInt64

// limitFiles limits the size of all files to the size of the wallet file plus more bytes.
func limitFiles(t *testing.T, dir string, more int64) {
	t.Helper()
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	if limit.Cur = limit.Max; more != unlimited {
		info, err := os.Stat(filepath.Join(dir, "w"))
		require.NoError(t, err)
		limit.Cur = uint64(info.Size() + more)
	}
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
}

func changePassword(s *service.Service, from, to string) error {
	_, err := ask(
		s, walletrpc.ChangeWalletPassword, walletrpc.ChangeWalletPasswordRequest{OldPassword: from, NewPassword: to},
	)
	return err
}

func fillDisk(t *testing.T) {
	dir := t.TempDir()
	s := onDisk(t, dir)
	must(
		t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "w", Password: "old", Language: "English"},
	)
	var known []string
	refused := 0
	for round := range 12 {
		limitFiles(t, dir, int64(round*97)) // within a record, whatever its size
		for i := 0; ; i++ {
			label := fmt.Sprint(round, " ", i, strings.Repeat("x", 40))
			if err := addAddress(s, label); err != nil {
				require.NotContains(t, err.Error(), "panic")
				refused++
				break
			}
			known = append(known, label)
		}
		require.Equal(t, known, labels(t, s), "all confirmed addresses, and no others")
		err := changePassword(s, "old", "new")
		if err == nil {
			err = changePassword(s, "new", "old")
		}
		full := err != nil
		limitFiles(t, dir, unlimited)
		s = reopenAfterFullDisk(t, s, dir, full, round%2 == 0)
		require.Equal(t, known, labels(t, s))
		require.NoError(t, addAddress(s, "space again"))
		known = append(known, "space again")
	}
	require.Equal(t, 12, refused)

	// If there is no space to rewrite a file, the old content stays.
	info, err := os.Stat(filepath.Join(dir, "w"))
	require.NoError(t, err)
	limitFiles(t, dir, -info.Size()/2)
	require.Error(t, changePassword(s, "old", "new"))
	limitFiles(t, dir, unlimited)
	require.NoError(t, s.Close())
	s = onDisk(t, dir)
	must(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "old"})
	require.Equal(t, known, labels(t, s))
	fmt.Println("the disk was full")
}

// reopenAfterFullDisk reopens the wallet, in a new service if restart is set, and restores the password "old". Only if
// a change of the password failed may it be "new".
func reopenAfterFullDisk(t *testing.T, s *service.Service, dir string, full, restart bool) *service.Service {
	t.Helper()
	if restart {
		require.NoError(t, s.Close())
		s = onDisk(t, dir)
	} else if _, err := ask(s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{}); err != nil {
		t.Log(err) // the write error once more
	}
	password := "old"
	_, err := ask(s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: password})
	if err != nil {
		require.True(t, full, "%v", err)
		password = "new"
		must(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: password})
	}
	require.NoError(t, changePassword(s, password, "old"))
	return s
}

// asOtherUser calls f as a user without access to the files of others, so that permissions are checked even if the
// test is run by root.
func asOtherUser(t *testing.T, dir string, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	const nobody = 65534
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	}))
	for above := filepath.Dir(dir); above != os.TempDir() && above != "/"; above = filepath.Dir(above) {
		require.NoError(t, os.Chmod(above, 0o755))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, syscall.Setfsgid(nobody))
	require.NoError(t, syscall.Setfsuid(nobody))
	defer func() {
		require.NoError(t, syscall.Setfsuid(0))
		require.NoError(t, syscall.Setfsgid(0))
	}()
	f()
}

// TestReadOnlyFolder checks a folder that becomes read-only while a wallet is open, and one that was read-only before:
// files that are writable are still written, other calls fail with a descriptive error, and no file is damaged.
func TestReadOnlyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wallets")
	require.NoError(t, os.Mkdir(dir, 0o700))
	s := onDisk(t, dir)
	must(
		t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "w", Password: "old", Language: "English"},
	)
	before, err := os.ReadFile(filepath.Join(dir, "w"))
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o555))
	asOtherUser(t, dir, func() {
		_, err := ask(
			s, walletrpc.ChangeWalletPassword,
			walletrpc.ChangeWalletPasswordRequest{OldPassword: "old", NewPassword: "new"},
		)
		require.ErrorContains(t, err, "permission denied")
		after, err := os.ReadFile(filepath.Join(dir, "w"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(before, after), "the file must not change")
		require.NoError(t, s.Close())

		s = onDisk(t, dir)
		_, err = ask(s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "another", Language: "English"})
		require.ErrorContains(t, err, "permission denied")
		must(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "old"})
		require.NoError(t, addAddress(s, "the file itself can grow"))
		require.NoError(t, os.Chmod(filepath.Join(dir, "w"), 0o400))
		require.NoError(t, s.Close())

		s = onDisk(t, dir)
		_, err = ask(s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "old"})
		require.ErrorContains(t, err, "permission denied")
	})
	require.NoError(t, os.Chmod(dir, 0o700))
	require.NoError(t, os.Chmod(filepath.Join(dir, "w"), 0o600))
	must(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "old"})
	require.Equal(t, []string{"the file itself can grow"}, labels(t, s))
	must(
		t, s, walletrpc.ChangeWalletPassword,
		walletrpc.ChangeWalletPasswordRequest{OldPassword: "old", NewPassword: "new"},
	)
}

// TestFilesArePrivate checks that with any umask all files of a wallet are accessible only to their owner.
func TestFilesArePrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "wallets")
	require.NoError(t, os.Mkdir(dir, 0o700))
	s := onDisk(t, dir)
	must(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "p", Language: "English"})
	must(
		t, s, walletrpc.ChangeWalletPassword, walletrpc.ChangeWalletPasswordRequest{OldPassword: "p", NewPassword: "q"},
	)
	must(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
		BackgroundSyncType: "custom-background-password", WalletPassword: "q", BackgroundCachePassword: "r",
	})
	must(t, s, walletrpc.ExportKeysFile, walletrpc.ExportKeysFileRequest{Filename: "theirs", Password: "p"})
	require.NoError(t, s.Close())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 4)
	for _, f := range files {
		info, err := f.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, f.Name())
	}
}
