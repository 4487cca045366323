package files

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"glim/core/journal"

	"github.com/stretchr/testify/require"
)

const workVariable = "FILES_TEST_WORK_ON"

// compactEvery is the number of appends between two snapshots.
const compactEvery = 7

// markEvery is the number of appends between two marks at the end of the journal, which the next append removes.
const markEvery = 2

// TestKilled repeatedly kills a writing process at a random moment. The file must then have every acknowledged record
// in order and at most one more, and must not be locked.
func TestKilled(t *testing.T) {
	if path := os.Getenv(workVariable); path != "" {
		work(t, path)
	}
	path := filepath.Join(t.TempDir(), "wallet")
	f, err := Create(path)
	require.NoError(t, err)
	_, err = journal.Create(f, nil, rand.Reader, journal.WeakestKDF(), nil)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	acknowledged := 0
	for round := range 40 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), workVariable+"="+path)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewReader(out)
		for range 1 + mathrand.IntN(60) {
			acknowledged = acknowledge(t, lines, acknowledged)
		}
		if round == 0 {
			_, err = Open(path)
			require.ErrorIs(t, err, ErrLocked, "while the other process lives")
		}
		for range mathrand.IntN(2000) { // waits for a fraction of the time of an append
			mathrand.Uint64()
		}
		require.NoError(t, cmd.Process.Kill())
		rest, err := io.ReadAll(lines)
		require.NoError(t, err)
		_ = cmd.Wait()
		for _, line := range strings.SplitAfter(string(rest), "\n") {
			if strings.HasSuffix(line, "\n") {
				acknowledged = acknowledge(t, bufio.NewReader(strings.NewReader(line)), acknowledged)
			}
		}

		f, err := Open(path)
		require.NoError(t, err)
		known, missing := f.LastWritten()
		require.True(t, f.IsCurrent() && known && missing == 0, "a kill is taken for a file that was cut")
		_, records, err := journal.Open(f, nil, rand.Reader)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		n := count(t, records)
		require.GreaterOrEqual(t, n, acknowledged, "an acknowledged record is lost")
		require.LessOrEqual(t, n, acknowledged+1)
		acknowledged = n
	}
	require.Greater(t, acknowledged, 40)
}

func acknowledge(t *testing.T, lines *bufio.Reader, before int) int {
	t.Helper()
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err, line)
	require.Equal(t, before+1, n)
	return n
}

// count returns the last number in the records, which are a snapshot "=n" followed by "n+1", "n+2" and so on.
func count(t *testing.T, records [][]byte) (n int) {
	t.Helper()
	for i, r := range records {
		s := string(r)
		if i == 0 && strings.HasPrefix(s, "=") {
			var err error
			n, err = strconv.Atoi(s[1:])
			require.NoError(t, err)
			continue
		}
		n++
		require.Equal(t, strconv.Itoa(n), s)
	}
	return n
}

// work appends consecutive numbers until the process is killed, prints each one after appending it, and writes marks
// and snapshots.
func work(t *testing.T, path string) {
	f, err := Open(path)
	require.NoError(t, err)
	j, records, err := journal.Open(f, nil, rand.Reader)
	require.NoError(t, err)
	for n := count(t, records) + 1; ; n++ {
		require.NoError(t, j.Append([]byte(strconv.Itoa(n))))
		fmt.Println(n)
		if n%markEvery == 0 {
			require.NoError(t, j.Mark())
		}
		if n%compactEvery == 0 {
			require.NoError(t, j.Compact([]byte("="+strconv.Itoa(n))))
		}
	}
}
