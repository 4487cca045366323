package files

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKilledWhileReplacing checks that the file is recognised as current and complete if a process is killed just
// before or after it replaces or truncates the content. Bytes that are cut off later are reported as missing.
func TestKilledWhileReplacing(t *testing.T) {
	long, short := bytes.Repeat([]byte("long"), 100), []byte("short and not its beginning, but long enough for an end")
	path := filepath.Join(t.TempDir(), "wallet")
	f, err := Create(path)
	require.NoError(t, err)
	require.NoError(t, f.Append(long))
	before, err := os.ReadFile(hiddenPath(path, ".lock"))
	require.NoError(t, err)
	kill := func(content, lock []byte) (same bool, missing int64) {
		t.Helper()
		at := filepath.Join(t.TempDir(), "wallet")
		require.NoError(t, os.WriteFile(at, content, 0o600))
		require.NoError(t, os.WriteFile(hiddenPath(at, ".lock"), lock, 0o600))
		f, err := Open(at)
		require.NoError(t, err)
		defer f.Close()
		known, missing := f.LastWritten()
		require.True(t, known)
		return f.IsCurrent(), missing
	}
	is := func(content, lock []byte, want int64) {
		t.Helper()
		same, missing := kill(content, lock)
		require.Equal(t, want, missing)
		require.Equal(t, want == 0, same)
	}
	is(long, before, 0)
	is(append(bytes.Clone(long), "torn"...), before, 0)
	is(long[:390], before, 10)

	var between []byte
	f.onSwitch = func() {
		between, err = os.ReadFile(hiddenPath(path, ".lock"))
		require.NoError(t, err)
	}
	require.NoError(t, f.Replace(short))
	is(long, between, 0)  // killed before the switch
	is(short, between, 0) // killed after the switch
	after, err := os.ReadFile(hiddenPath(path, ".lock"))
	require.NoError(t, err)
	is(short, after, 0)
	is(short[:40], after, int64(len(short)-40))

	require.NoError(t, f.Truncate(45))
	is(short, between, 0)
	is(short[:45], between, 0)
	require.NoError(t, f.Append([]byte("more")))
	now, err := os.ReadFile(hiddenPath(path, ".lock"))
	require.NoError(t, err)
	is(short[:45], now, 4)
	require.NoError(t, f.Close())
}
