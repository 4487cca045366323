package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/node"
)

// patience is how long a test waits before it fails.
const patience = 5 * time.Minute

// stage is a private chain with its daemon, and a folder of wallets.
type stage struct {
	daemon *peers.Daemon
	dir    string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	d, err := inprocess.Start(context.Background())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Kill()) })
	return &stage{d, t.TempDir()}
}

// mine adds n blocks to the chain, whose rewards belong to no wallet.
func (s *stage) mine(t *testing.T, n int) {
	t.Helper()
	_, err := s.daemon.Chain.Mine(t.Context(), n, node.UnspendableAddress())
	require.NoError(t, err)
}

// line returns a command line with the flags that select the folder and, unless there are others, the chain.
func (s *stage) line(args ...string) []string {
	line := append(slices.Clone(args), "--wallet-dir", s.dir, "--daemon-address", s.daemon.URL)
	if !slices.Contains(args, "--stagenet") {
		line = append(line, "--regtest")
	}
	return line
}

// run runs a command with an input that is not a terminal, and returns its exit code and output.
func (s *stage) run(t *testing.T, input string, args ...string) (code int, out, messages string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code = Run(ctx, s.line(args...), strings.NewReader(input), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// must runs a command that succeeds, and returns its output.
func (s *stage) must(t *testing.T, input string, args ...string) string {
	t.Helper()
	code, out, messages := s.run(t, input, args...)
	require.Zero(t, code, "%q: %s", args, messages)
	return out
}

// object runs a command that succeeds with --json, and returns the object that it prints.
func (s *stage) object(t *testing.T, input string, args ...string) (v map[string]any) {
	t.Helper()
	out := s.must(t, input, append(args, "--json")...)
	require.NoError(t, json.Unmarshal([]byte(out), &v), "%q", out)
	require.Equal(t, 1, strings.Count(out, "\n"), "one object is one line")
	return v
}

// session runs commands in an interactive shell of a wallet with the password "secret", and returns its output. It
// opens the wallet once, which costs more than most commands.
func (s *stage) session(t *testing.T, name string, lines ...string) string {
	t.Helper()
	return s.must(t, "secret\n"+strings.Join(lines, "\n")+"\n", "open", name)
}

// objects is session with --json, and returns an object for each command.
func (s *stage) objects(t *testing.T, name string, lines ...string) (all []map[string]any) {
	t.Helper()
	for i, line := range lines {
		command, answers, found := strings.Cut(line, "\n")
		if lines[i] = command + " --json"; found {
			lines[i] += "\n" + answers
		}
	}
	for line := range strings.Lines(s.session(t, name, lines...)) {
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &v), "%q", line)
		all = append(all, v)
	}
	require.Len(t, all, len(lines))
	return all
}

// fails runs a command that fails, and returns its message and hint.
func (s *stage) fails(t *testing.T, code int, name, input string, args ...string) string {
	t.Helper()
	got, out, messages := s.run(t, input, append(args, "--json")...)
	require.Equal(t, code, got, "%q: %s", args, messages)
	require.Empty(t, out)
	var v map[string]jsonError
	require.NoError(t, json.Unmarshal([]byte(messages), &v), "%q", messages)
	require.Equal(t, name, v["error"].Name)
	require.Equal(t, code, v["error"].ExitCode)
	return v["error"].Message + " " + v["error"].Hint
}

// create makes a wallet with the password "secret" and returns its address.
func (s *stage) create(t *testing.T, name string) string {
	t.Helper()
	made := s.object(t, "secret\n", "create", name)
	require.Equal(t, name, made["name"])
	return made["address"].(string)
}

// fund mines 20 rewards to an address, and blocks until they are unlocked.
func (s *stage) fund(t *testing.T, address string) {
	t.Helper()
	require.NoError(t, s.daemon.Chain.Fund(t.Context(), 20, address))
}

// passwordFile returns the name of a file with a password.
func passwordFile(t *testing.T, password string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(name, []byte(password+"\n"), 0o600))
	return name
}
