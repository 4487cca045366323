package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompletion completes command lines in bash and zsh, and in fish if it is installed.
func TestCompletion(t *testing.T) {
	m := newMachine(t)
	program, err := os.Executable()
	require.NoError(t, err)
	m.put(t, "glim", asCommand+"=1 exec '"+program+"' \"$@\"")
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "alice.keys"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "letter.txt"), nil, 0o600))
	cases := []struct{ line, want string }{
		{"glim exp", "export-keys"},
		{"glim wallet bal", "balance"},
		{"glim wallet balance al", "alice"},
		{"glim wallet balance --dir x --offl", "--offline"},
		{"glim wallet sign alice --message-file let", "letter.txt"},
		{"glim wallet-rpc --rpc-bind-po", "--rpc-bind-port"},
		{"glim daemon --fixed-d", "--fixed-difficulty"},
		{"glim completion fi", "fish"},
	}
	run := func(program string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Env = m.dir, append(os.Environ(), "PATH="+m.bin+":"+os.Getenv("PATH"), "HOME="+m.root)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", program, out)
		return string(out)
	}

	// bash completes names of files itself if the function returns nothing.
	var script strings.Builder
	script.WriteString("eval \"$(glim completion bash)\"\ncomplete -p glim | grep -q -- '-o default'\n")
	for _, c := range cases {
		fmt.Fprintf(&script, "COMP_WORDS=(%s) COMP_CWORD=%d\n_glim; echo \"${COMPREPLY[*]:-letter.txt}\"\n", c.line,
			strings.Count(c.line, " "))
	}
	var want []string
	for _, c := range cases {
		want = append(want, c.want)
	}
	require.Equal(t, want, strings.Fields(run("bash", "--norc", "-euc", script.String())))

	// zsh completes only what is typed.
	s := newTTY(t, []string{"zsh", "-f", "-i"}, "%?", m.dir)
	s.paste(t, "export PATH="+m.bin+":$PATH\nautoload -Uz compinit\ncompinit -u -d "+filepath.Join(m.root, "dump")+
		"\neval \"$(glim completion zsh)\"\n", false)
	for i, c := range cases {
		// After the tabulator, Ctrl-A goes to the beginning of the line, to print it instead of running it.
		_, err := fmt.Fprintf(s.keyboard, "%s\t\x01print -r -- line'-%d:' \r", c.line, i)
		require.NoError(t, err)
		s.await(t, fmt.Sprintf("\nline-%d: %s%s\r\n", i, c.line[:strings.LastIndex(c.line, " ")+1], c.want))
	}

	if _, err := exec.LookPath("fish"); err == nil {
		for _, c := range cases {
			require.Equal(t, c.want, strings.TrimSpace(run("fish", "--no-config", "-c",
				"glim completion fish | source; complete -C '"+c.line+"'")))
		}
	}
}

// TestCompletionHelp checks the command line of completion, and that the commands are those of the help.
func TestCompletionHelp(t *testing.T) {
	var out, messages bytes.Buffer
	for _, name := range commands {
		require.Contains(t, usage, "\n  glim "+name+" ")
	}
	require.Equal(t, 2, completion([]string{"csh"}, io.Discard, &messages))
	require.Contains(t, messages.String(), "must be bash, zsh or fish")
	require.Zero(t, completion([]string{"--help"}, &out, &messages))
	require.Contains(t, out.String(), "compinit")
	require.Empty(t, candidates(nil))
	require.Equal(t, commands, candidates([]string{""}))
	require.Empty(t, candidates([]string{"demo", "--s"}))
}
