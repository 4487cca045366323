package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSplit splits lines into words.
func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         nil,
		"  a\tbc ":                 {"a", "bc"},
		`sign "a  b" 'c"d' e"f g"`: {"sign", "a  b", `c"d`, "ef g"},
		`""`:                       {""},
	} {
		got, err := split(line)
		require.NoError(t, err)
		require.Equal(t, want, got, line)
	}
	_, err := split(`sign "a`)
	require.ErrorContains(t, err, "is not closed")
}

// TestRemaining estimates the time left.
func TestRemaining(t *testing.T) {
	for _, c := range []struct {
		part float64
		took time.Duration
		want string
	}{
		{0, time.Hour, ""},
		{1, time.Hour, ""},
		{0.5, time.Second / 2, ""},
		{0.5, 59 * time.Second, "59 s"},
		{0.5, time.Minute, "1 min 00 s"},
		{0.25, time.Hour, "3 h 00 min"},
		{0.01, time.Hour, "4 days"},
	} {
		require.Equal(t, c.want, remaining(c.part, c.took), c)
	}
}

// TestComplete completes the words of command lines.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"alice.glim", "alice.keys", "alice", "bob.keys", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	t.Chdir(dir)
	for _, c := range []struct {
		line string // the last word is completed
		want []string
	}{
		{"s", []string{"status", "seed", "sweep", "separate", "sign"}},
		{"balance ", []string{"alice", "bob"}},
		{"balance b", []string{"bob"}},
		{"balance --json --daemon-address host:1 a", []string{"alice"}},
		{"balance --wallet-dir / a", nil},
		{"balance ./b", nil},
		{"balance alice ", nil},
		{"transfer alice --pr", []string{"--priority", "--proxy"}},
		{"transfer alice --priority ur", []string{"urgent"}},
		{"restore carol --seed-type m", []string{"monero", "mymonero"}},
		{"transfer alice --password", []string{"--password-file"}}, // not --password, which is refused
		{"transfer alice --password-file ", nil},
		{"prove alice ", []string{"payment", "reserve", "spend"}},
		{"check re", []string{"reserve"}},
		{"unknown ", nil},
	} {
		require.ElementsMatch(t, c.want, Complete(strings.Split(c.line, " ")), c.line)
	}
	require.Empty(t, Complete(nil))
}

// TestHelp checks that the help names every command with its arguments and flags, and fits the page.
func TestHelp(t *testing.T) {
	var out bytes.Buffer
	require.Zero(t, Run(t.Context(), []string{"help"}, nil, &out, &out))
	all := out.String()
	require.NotContains(t, all, "%!")
	for _, group := range groups() {
		for _, k := range group.commands {
			require.Contains(t, all, "\n  "+k.name+" ")
			out.Reset()
			require.Zero(t, Run(t.Context(), []string{k.name, "--help"}, nil, &out, &out))
			require.Contains(t, out.String(), "Usage: glim wallet "+k.name)
			for _, o := range (&call{command: &k}).options() {
				require.Equal(t, o.help != "", strings.Contains(out.String(), "\n  --"+o.name+" "), o.name)
			}
			all += out.String()
		}
	}
	for line := range strings.Lines(all) {
		require.LessOrEqual(t, len([]rune(line)), helpWidth+1, line)
	}
}

// TestNoSecretIsAnArgument checks that no flag takes a password, seed or key, which other users of the machine could
// read. Names of files do not count.
func TestNoSecretIsAnArgument(t *testing.T) {
	public := []string{"idempotency-key"}
	for _, group := range groups() {
		for _, k := range group.commands {
			for _, o := range (&call{command: &k}).options() {
				secret := false
				for _, word := range []string{"password", "seed", "key", "passphrase", "login"} {
					secret = secret || strings.Contains(o.name, word)
				}
				if secret && o.arg != "" && o.arg != "FILE" && !slices.Contains(public, o.name) {
					require.Error(t, o.apply(&config{}, "text"), o.name)
				}
			}
		}
	}
}
