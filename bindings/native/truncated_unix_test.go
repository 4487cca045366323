//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package native

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/service"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// lifeOfAFile makes a wallet in dir and returns its file and its lock as a kill at the end of its life leaves them, and
// as closing it leaves them, with the sizes that the file had on the way: where records end. It is stored once, closed
// once, and snapshots are written.
func lifeOfAFile(t *testing.T, dir string) (killed, killedLock, closed, closedLock []byte, borders []int64) {
	t.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return b
	}
	s := onDisk(t, dir)
	must(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "p", Language: "English"})
	for i := range 12 {
		require.NoError(t, addAddress(s, fmt.Sprint("label ", i)))
		borders = append(borders, int64(len(read("w"))))
		switch i {
		case 4:
			must(t, s, walletrpc.Store, walletrpc.Empty{})
		case 8:
			must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
			require.NoError(t, openAt(s, "w", "p"))
		}
	}
	killed, killedLock = read("w"), read(".w.lock")
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	return killed, killedLock, read("w"), read(".w.lock"), borders
}

// warned opens the wallet w in a folder of these files, and returns the warning and the labels of the wallet. A nil
// lock stands for a missing lock file.
func warned(t *testing.T, content, lock []byte) (warning string, found []string, err error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "w"), content, 0o600))
	if lock != nil {
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".w.lock"), lock, 0o600))
	}
	s := onDisk(t, dir)
	resp, err := ask(s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "p"})
	if err == nil {
		found = labels(t, s)
	}
	require.NoError(t, s.Close())
	return resp.Warning, found, err
}

// TestTruncatedWalletFile truncates a wallet file at the end of every record and at many other positions, with and
// without its lock file. The file must fail to open, open with a warning, or have the content last stored. The state
// after a kill causes a warning only without the lock file.
func TestTruncatedWalletFile(t *testing.T) {
	killed, killedLock, closed, closedLock, borders := lifeOfAFile(t, t.TempDir())
	all := 12
	for name, c := range map[string]struct {
		content, lock []byte
		silent        bool // when it is whole
	}{
		"closed":            {closed, closedLock, true},
		"closed, moved":     {closed, nil, true},
		"killed":            {killed, killedLock, true},
		"killed and moved":  {killed, nil, false},
		"killed, torn tail": {append(bytes.Clone(killed), closed[len(killed):len(closed)-1]...), killedLock, true},
	} {
		warning, found, err := warned(t, c.content, c.lock)
		require.NoError(t, err, name)
		require.Len(t, found, all, name)
		require.Equal(t, c.silent, warning == "", "%s: %s", name, warning)
	}
	cuts := map[int64]bool{}
	for _, at := range borders {
		for _, near := range []int64{-17, -1, 0, 1, 40} {
			cuts[at+near] = true
		}
	}
	for at := int64(0); at < int64(len(closed)); at += 97 {
		cuts[at] = true
	}
	opened := 0
	for at := range cuts {
		for name, c := range map[string]struct{ content, lock []byte }{
			"closed": {
				closed, closedLock,
			}, "closed, moved": {closed, nil}, "killed": {killed, killedLock}, "killed, moved": {killed, nil},
		} {
			if at < 0 || at >= int64(len(c.content)) {
				continue
			}
			warning, found, err := warned(t, c.content[:at], c.lock)
			if err != nil {
				continue
			}
			opened++
			if warning == "" {
				require.Len(
					t, found, all, "%s, cut at %d of %d: silent and not what was stored last", name, at, len(c.content),
				)
			}
		}
	}
	require.Greater(t, opened, 100)
	t.Log(len(cuts), "cuts,", opened, "opened")
}

// TestOlderCopyIsReported checks that a restored older copy is reported once, also as an event: after the next write
// it is the content last stored.
func TestOlderCopyIsReported(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w")
	s := onDisk(t, dir)
	must(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "p", Language: "English"})
	require.NoError(t, addAddress(s, "first"))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	older, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, openAt(s, "w", "p"))
	require.NoError(t, addAddress(s, "second"))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.NoError(t, os.WriteFile(path, older, 0o600))
	open := func() string {
		return must(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "p"}).Warning
	}
	warning := open()
	require.Contains(t, warning, "truncated")
	require.Contains(t, warning, "rescan_blockchain")
	require.Equal(t, warning, open(), "the warning is repeated while the wallet is open")
	f, err := s.Follow(service.NewEventsOnly)
	require.NoError(t, err)
	events, err := f.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, walletrpc.EventWarning, events[0].Type)
	require.Equal(t, warning, events[0].Text)
	require.NoError(t, addAddress(s, "third"))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.Empty(t, open())
	require.Equal(t, []string{"first", "third"}, labels(t, s))

	// An emptied file is not treated as a new wallet.
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.NoError(t, os.Truncate(path, 0))
	_, err = ask(s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "p"})
	require.ErrorContains(t, err, "file not found")
	theirs(t, path+".keys", walletfile.Wallet{})
	require.ErrorContains(t, openAt(s, "w", "p"), "--without-cache", "nor a cache")
	require.NoError(t, os.Remove(path))
	require.NoError(t, openAt(s, "w", "p"))
	must(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.NoError(t, os.Truncate(path+".glim", 0))
	require.Contains(t, open(), "truncated")
}
