package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestListIsCurrent: the list matches go.mod and the lock files, and everything in the command has a permissive
// licence.
func TestListIsCurrent(t *testing.T) {
	want, err := list("../..")
	require.NoError(t, err)
	got, err := os.ReadFile("../../" + page)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "make gen writes it again")
	for line := range strings.Lines(string(got)) {
		if strings.Contains(line, "in the command") {
			require.Regexp(t, `\| (MIT|BSD-3-Clause|Apache-2.0) \|`, line)
		}
	}
	// Every lock file of the module is in the list.
	known := map[string]bool{}
	for _, l := range npmLocks {
		known[l[0]+"/package-lock.json"] = true
	}
	require.NoError(t, filepath.WalkDir("../..", func(name string, d os.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (base == "node_modules" || strings.HasPrefix(base, ".") && base != ".." && len(base) > 1):
			return filepath.SkipDir
		case base == "package-lock.json":
			rel, err := filepath.Rel("../..", name)
			require.NoError(t, err)
			require.True(t, known[filepath.ToSlash(rel)], rel)
		}
		return nil
	}))
}

func TestLicences(t *testing.T) {
	dir := t.TempDir()
	_, err := licenceOf(dir)
	require.Error(t, err)
	require.NoError(t,
		os.WriteFile(filepath.Join(dir, "LICENSE"),
			[]byte("Apache License\n… Permission is hereby granted, free of charge"), 0o600))
	got, err := licenceOf(dir)
	require.NoError(t, err)
	require.Equal(t, "Apache-2.0 AND MIT", got)
}
