package app_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/app"
	"glim/bindings/native/files"
)

// TestInstance claims the place of the running app twice, finds it, and releases it.
func TestInstance(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, err := app.RuntimeFolder(func(string) string { return dir })
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "glim"), folder)
	first, second := app.NewInstance(folder, "regtest"), app.NewInstance(folder, "regtest")

	// The file of a process that was killed is not taken for a running app.
	left := app.Running{Host: "127.0.0.1:1", Owner: app.NewToken()}
	require.NoError(t, first.Announce(left))
	require.NoError(t, first.Claim())
	require.ErrorIs(t, second.Claim(), files.ErrLocked)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = second.Find(ended)
	require.ErrorContains(t, err, "starting or ending")

	running := app.Running{Host: "127.0.0.1:2", Owner: app.NewToken(), Folder: dir}
	time.AfterFunc(time.Millisecond, func() { _ = first.Announce(running) }) // Find fails without it
	found, err := second.Find(t.Context())
	require.NoError(t, err)
	require.Equal(t, running, found)
	address := app.Address(running.Host, "ticket")
	require.Equal(t, "http://127.0.0.1:2/#ticket", address)
	page, err := second.Page(address)
	require.NoError(t, err)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), address)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 3)
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, e.Name())
	}
	require.NoError(t, app.NewInstance(folder, "mainnet").Claim(), "each network has its own")

	require.NoError(t, first.Release())
	require.NoFileExists(t, page)
	require.NoError(t, second.Claim())
	require.NoError(t, second.Release())
}

// TestRuntimeFolderIsPrivate refuses a folder that other users can read.
func TestRuntimeFolderIsPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	getenv := func(string) string { return dir }
	require.NoError(t, os.Mkdir(filepath.Join(dir, "glim"), 0o700))
	require.NoError(t, os.Chmod(filepath.Join(dir, "glim"), 0o755))
	_, err := app.RuntimeFolder(getenv)
	require.ErrorContains(t, err, "chmod 700")
}

// TestSettings stores texts in a file.
func TestSettings(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "app.json")
	s := app.NewSettingsFile(path)
	_, found, err := s.Read("settings")
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, s.Write("settings", `{"theme":"dark"}`))
	require.NoError(t, s.Write("names", "{}"))
	value, found, err := app.NewSettingsFile(path).Read("settings")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, `{"theme":"dark"}`, value)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	for i := range 62 {
		require.NoError(t, s.Write(string(rune('A'+i)), ""))
	}
	require.Error(t, s.Write("one more", ""))
	require.NoError(t, os.WriteFile(path, []byte("no JSON"), 0o600))
	_, _, err = s.Read("settings")
	require.ErrorContains(t, err, path)
}
