package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLogFilesRotate checks the rotation of a log file, and the number of files kept.
func TestLogFilesRotate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	l, err := openLogFile(path, 10, 3, func() time.Time { return now })
	require.NoError(t, err)
	write := func(line string) {
		t.Helper()
		n, err := l.Write([]byte(line))
		require.NoError(t, err)
		require.Equal(t, len(line), n)
	}
	names := func() (names []string) {
		entries, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	write("first\n")
	write("a\n")
	require.Equal(t, []string{"log"}, names())
	write("second\n")
	require.Equal(t, []string{"log", "log-2030-01-02-03-04-05"}, names())
	write("third, the same second\n")
	require.Len(t, names(), 2, "a rotated file is not overwritten")
	for range 4 {
		now = now.Add(time.Hour)
		write("a long line of one hour\n")
	}
	require.Equal(t, []string{"log", "log-2030-01-02-06-04-05", "log-2030-01-02-07-04-05"}, names())
	require.NoError(t, l.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "a long line of one hour\n", string(text))

	again, err := openLogFile(path, 0, 0, time.Now)
	require.NoError(t, err)
	for range 3 {
		_, err = again.Write([]byte("what was there stays\n"))
		require.NoError(t, err)
	}
	require.NoError(t, again.Close())
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Len(t, text, 24+3*21)
	require.Len(t, names(), 3)
}
