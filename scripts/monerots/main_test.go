//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReport: tests that only the reference passes are counted and come first, also those that did not run with glim.
func TestReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	require.NoError(t, os.WriteFile(file, []byte(`{"test":"a","passed":true}
{"test":"b","passed":false,"error":"both\nmore","stack":"at x"}
{"test":"c","passed":true}
{"test":"d","passed":true}
{"test":"e","passed":false,"error":"why"}
`), 0o600))
	reference, err := readResults(file)
	require.NoError(t, err)
	require.Equal(t, 3, passes(reference))
	glim := []result{
		{Test: "a", Passed: true}, {Test: "b", Error: "both\nmore"}, {Test: "c", Error: "ours"},
		{Test: "e", Passed: true},
	}
	var out bytes.Buffer
	require.Equal(t, 2, report(&out, "wallet", reference, glim))
	require.Equal(t, `wallet: only the reference passes: c: ours
wallet: only the reference passes: d: not run with glim
wallet: fails with both: b: both
`, out.String())
	out.Reset()
	require.Zero(t, report(&out, "wallet", reference, nil), "without glim, nothing is compared")
	require.Zero(t, report(&out, "wallet", nil, glim[1:2]))
	require.Equal(t, "wallet: fails: b: both\n", out.String())
	_, err = readResults(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestWrap: the programs that the suite starts get its flags, except for the one of the network, and those of the rig.
func TestWrap(t *testing.T) {
	echo, err := exec.LookPath("echo")
	require.NoError(t, err)
	r := rig{dir: filepath.Join(t.TempDir(), "it's here"), wallet: []string{echo, "wallet-rpc"}, daemon: []string{echo}}
	require.NoError(t, os.Mkdir(r.dir, 0o700))
	require.NoError(t, r.wrap())
	for name, want := range map[string]string{
		"monero-wallet-rpc": `^wallet-rpc --a b  c --allow-mismatched-daemon-version --log-file .*it's here.*\.log\n$`,
		"monerod":           `^--a b  c --regtest --offline --log-file .*it's here.*\.log\n$`,
	} {
		out, err := exec.Command(filepath.Join(r.dir, "bin", name), "--a", "--mainnet", "b  c").CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Regexp(t, want, string(out))
	}
}

// TestPrepare: a folder without the suite is refused before anything is installed.
func TestPrepare(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	require.ErrorContains(t, prepare(context.Background(), t.TempDir(), work), "not a checkout of monero-ts")
	_, err := os.Stat(work)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestSeed: the seed of the suite's wallet is read from its source.
func TestSeed(t *testing.T) {
	dir := t.TempDir()
	utils := filepath.Join(dir, "src", "test", "utils")
	require.NoError(t, os.MkdirAll(utils, 0o700))
	file := filepath.Join(utils, "TestUtils.ts")
	require.NoError(t, os.WriteFile(file, []byte("  static SEED = \"silk mocked cucumber\";\n"), 0o600))
	seed, err := rig{work: dir}.seed()
	require.NoError(t, err)
	require.Equal(t, "silk mocked cucumber", seed)
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = rig{work: dir}.seed()
	require.Error(t, err)
}
