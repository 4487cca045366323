//go:build unix

// The programs of these tests are shell scripts.

package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseRelease(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]Release{
		"Monero 'Fluorine Fermi' (v0.18.5.1-unknown)\n":                  {0, 18, 5, 1},
		"Monero 'Fluorine Fermi' (v0.18.0.0-release)":                    {0, 18, 0, 0},
		"Monero 'Oxygen Orion' (v0.17.3.2-deadbeef)":                     {0, 17, 3, 2},
		"log line\nMonero 'Name' (v1.2.30.4)":                            {1, 2, 30, 4},
		"Monero 'Fluorine Fermi' (v0.18.99999999999999999999.1-release)": {},
		"Monero 'Fluorine Fermi'":                                        {},
		"":                                                               {},
	} {
		r, ok := parseRelease(printed)
		require.Equal(t, want, r, printed)
		require.Equal(t, want != Release{}, ok, printed)
	}
	r := Release{0, 18, 4, 1}
	require.True(t, r.AtLeast(0, 18, 4))
	require.True(t, r.AtLeast(0, 18, 4, 1))
	require.True(t, r.AtLeast(0, 17, 9))
	require.False(t, r.AtLeast(0, 18, 4, 2))
	require.False(t, r.AtLeast(1))
	require.Equal(t, "0.18.4.1", r.String())
}

// install writes two programs to a new folder that print a version, and returns the folder.
func install(t *testing.T, daemon, walletRPC string) string {
	t.Helper()
	dir := t.TempDir()
	for name, version := range map[string]string{"monerod": daemon, "monero-wallet-rpc": walletRPC} {
		script := fmt.Sprintf("#!/bin/sh\necho \"Monero 'Test' (v%s-release)\"\n", version)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	return dir
}

// TestReleases checks that the folders of GLIM_REFERENCE are searched in order and before PATH, and that a folder
// without both programs of one release is an error.
func TestReleases(t *testing.T) {
	newest, old, again := install(t, "0.18.5.1", "0.18.5.1"), install(t, "0.18.0.0", "0.18.0.0"),
		install(t, "0.18.5.1", "0.18.5.1")
	t.Setenv("PATH", old+string(filepath.ListSeparator)+os.Getenv("PATH"))

	t.Setenv(ReferenceVariable, "")
	p, err := Find()
	require.NoError(t, err)
	require.Equal(t, Release{0, 18, 0, 0}, p.Release)

	t.Setenv(ReferenceVariable, newest+string(filepath.ListSeparator)+again)
	p, err = Find()
	require.NoError(t, err)
	require.Equal(t, Programs{
		filepath.Join(newest, "monerod"), filepath.Join(newest, "monero-wallet-rpc"), Release{0, 18, 5, 1},
	}, p)
	all, err := Releases()
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, p, all[0])
	require.Equal(t, filepath.Join(old, "monerod"), all[1].Daemon)

	t.Setenv(ReferenceVariable, install(t, "0.18.5.1", "0.18.4.0"))
	_, err = Find()
	require.ErrorContains(t, err, "monerod has version 0.18.5.1 and monero-wallet-rpc 0.18.4.0")
	t.Setenv(ReferenceVariable, t.TempDir())
	_, err = Find()
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, ReferenceVariable)
	_, err = Releases()
	require.ErrorIs(t, err, ErrMissing)
}
