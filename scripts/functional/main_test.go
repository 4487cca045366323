//go:build unix

package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// fakeRunner is a shell script in the place of the release's runner: it gets the interpreter, the folders of tests and
// build, and the name of a test, starts a daemon, and runs the test.
const fakeRunner = `
: <<'LIST'
DEFAULT_TESTS = ['good', 'bad',
 'address_book', 'hangs', 'rpc_payment', 'crashes']
LIST
"$3/bin/monerod" --flag >"$3/tests/functional_tests/monerod0.log" &
wait $!
echo "[TEST STARTED] $4"
if "$1" "$2/$4.py" "$3"; then
	echo "[TEST PASSED] $4"
else
	echo "[TEST FAILED] $4"
	echo "Stopping servers..."
	echo "Done, 1/1 tests failed: $4"
	exit 1
fi
`

// fakeSuite writes a release with a few tests, and returns its folder. "sh" runs them.
func fakeSuite(t *testing.T) (source string) {
	t.Helper()
	source = t.TempDir()
	for name, text := range map[string]string{
		"tests/functional_tests/" + runner: fakeRunner,
		"tests/functional_tests/good.py": `grep -q "^daemon says --flag$" "$1/tests/functional_tests/monerod0.log" &&
			"$1/bin/monero-wallet-rpc" x | grep -q "^wallet says x$" && [ "$HOME" = "$1/home" ] &&
			[ -d "$1/functional-tests-directory" ]`,
		"tests/functional_tests/bad.py": `echo 'Traceback (most recent call last):'
			echo '  File "/x/functional_tests/bad.py", line 12, in <module>'
			echo '    assert res.height == 3'
			echo AssertionError
			exit 1`,
		"tests/functional_tests/address_book.py": `[ "$(echo 'donate@getmonero.org' | cut -c 1)" = 8 ]`,
		"tests/functional_tests/hangs.py":        "sleep 100000 & wait",
		"tests/functional_tests/crashes.py":      "kill -9 $PPID",
		"utils/python-rpc/framework/rpc.py":      "",
	} {
		file := filepath.Join(source, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return source
}

// echoing returns programs that print their arguments.
func echoing(t *testing.T) programs {
	t.Helper()
	file := filepath.Join(t.TempDir(), "it's a folder", "says")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\necho \"$1 says $2\"\n"), 0o700))
	return programs{daemon: []string{file, "daemon"}, wallet: []string{file, "wallet"}}
}

// TestRun: a test passes only if the release's runner says so, and the reason of a failure is reported.
func TestRun(t *testing.T) {
	source := fakeSuite(t)
	s, err := copySuite(source, t.TempDir())
	require.NoError(t, err)
	require.Equal(t, []string{"good", "bad", "address_book", "hangs", "rpc_payment", "crashes"}, s.tests)
	sh, err := exec.LookPath("sh")
	require.NoError(t, err)
	s.python, s.limit = interpreter{path: sh}, 5*time.Minute
	p := echoing(t)
	for name, want := range map[string]string{
		"good":         "",
		"address_book": "",
		"bad":          "line 12: assert res.height == 3: AssertionError",
		"crashes":      "[TEST STARTED] crashes",
		"none":         "No such file",
	} {
		r, err := s.run(t.Context(), filepath.Join(t.TempDir(), name), name, p)
		require.NoError(t, err)
		require.Equal(t, want == "", r.passed, "%s: %s", name, r.why)
		require.Contains(t, r.why, want)
	}
	s.limit = time.Second
	r, err := s.run(t.Context(), t.TempDir(), "hangs", p)
	require.NoError(t, err)
	require.False(t, r.passed)
	require.Equal(t, "stopped after 1s", r.why)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.run(ctx, t.TempDir(), "good", p)
	require.ErrorIs(t, err, context.Canceled)
	text, err := os.ReadFile(filepath.Join(source, "tests/functional_tests/address_book.py"))
	require.NoError(t, err)
	require.Contains(t, string(text), "donate@getmonero.org", "the release is not changed")
}

// TestPortsInUse: no test is run against a foreign server.
func TestPortsInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.Len(t, inUse([]int{port}), 1)
	require.NoError(t, l.Close())
	require.NoError(t, suite{ports: []int{port}}.await(t.Context()))
	require.Len(t, fixedPorts, 22)
}

// TestOtherRelease: an edit that does not apply is an error, as is a folder without tests.
func TestOtherRelease(t *testing.T) {
	source := fakeSuite(t)
	require.NoError(t, os.WriteFile(filepath.Join(source, "tests/functional_tests/address_book.py"), nil, 0o600))
	_, err := copySuite(source, t.TempDir())
	require.ErrorContains(t, err, "another release than 0.18.5.1")
	_, err = copySuite(t.TempDir(), t.TempDir())
	require.ErrorContains(t, err, "is not a checkout of Monero")
}

// TestSelected: tests that are left out, and those that are edited, are named with the reason.
func TestSelected(t *testing.T) {
	var out bytes.Buffer
	all := []string{"good", "rpc_payment", "address_book"}
	tests, err := selected(all, "", &out)
	require.NoError(t, err)
	require.Equal(t, []string{"good", "address_book"}, tests)
	require.Contains(t, out.String(), "rpc_payment is left out: it needs")
	require.Contains(t, out.String(), "address_book is run without the look-up of an OpenAlias name")
	tests, err = selected(all, "good", &out)
	require.NoError(t, err)
	require.Equal(t, []string{"good"}, tests)
	_, err = selected(all, "nothing", &out)
	require.ErrorContains(t, err, "there are good, rpc_payment, address_book")
}

// TestMissingModules: the error names the packages to install.
func TestMissingModules(t *testing.T) {
	python := filepath.Join(t.TempDir(), "python")
	answer := "#!/bin/sh\necho /usr/bin/python3\necho /base\necho \"$MISSING\"\n"
	require.NoError(t, os.WriteFile(python, []byte(answer), 0o700))
	p, err := findPython(t.Context(), python)
	require.NoError(t, err)
	require.Equal(t, interpreter{"/usr/bin/python3", "/base"}, p)
	t.Setenv("MISSING", "requests zmq")
	_, err = findPython(t.Context(), python)
	require.EqualError(t, err, "/usr/bin/python3 has no requests, pyzmq; "+
		"install with: /usr/bin/python3 -m pip install requests pyzmq")
	_, err = findPython(t.Context(), "/nowhere")
	require.Error(t, err)
}

// TestModes: glim has the role of the mode, and the reference the other one.
func TestModes(t *testing.T) {
	reference := peers.Programs{Daemon: "d", WalletRPC: "w"}
	for mode, want := range map[string]string{
		"reference": "d|w", "wallet": "d|g wallet-rpc", "daemon": "g daemon|w", "both": "g daemon|g wallet-rpc",
	} {
		p, err := programsOf(mode, reference, "g")
		require.NoError(t, err)
		require.Equal(t, want, strings.Join(p.daemon, " ")+"|"+strings.Join(p.wallet, " "))
	}
	_, err := programsOf("other", reference, "g")
	require.Error(t, err)
}

// TestLastError: if the servers do not start, the reason is their first message.
func TestLastError(t *testing.T) {
	require.Equal(t, "no test was started: daemon: unknown flag", lastError("Starting servers...\n"+
		"daemon: unknown flag\nFailed to start wallet or daemon\nwallet ends\n"))
	require.Equal(t, "line 3: assert x: AssertionError: y", lastError(`Starting servers...
[TEST STARTED] a
Traceback (most recent call last):
  File "/x/functional_tests/a.py", line 9, in <module>
    A().run()
  File "/x/functional_tests/a.py", line 3, in run
    assert x
           ^
  File "/usr/lib/python3/other.py", line 7, in y
    z()
AssertionError: y
[TEST FAILED] a
Stopping servers...
wallet ends
`))
	require.Empty(t, lastError(""))
}

// TestTable: the table has a line for each test and a column for each mode.
func TestTable(t *testing.T) {
	all := []result{
		{name: "good", mode: "wallet", passed: true},
		{name: "bad", mode: "wallet", why: "because", took: 1500 * time.Millisecond},
		{name: "good", mode: "both", passed: true},
		{name: "bad", mode: "both", passed: true},
	}
	require.Equal(t, ""+
		"                             wallet       both\n"+
		"good                           pass       pass\n"+
		"bad                            FAIL       pass\n"+
		"passed                       1 of 2     2 of 2\n",
		table([]string{"good", "bad"}, []string{"wallet", "both"}, all))
	require.Equal(t, "wallet     bad                      FAIL    1.5s  because", all[1].line())
}
