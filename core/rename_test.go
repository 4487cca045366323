package core_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRename renames a copy of the module with the script described in the contributor guide, and checks that every
// package and import has the new path.
func TestRename(t *testing.T) {
	command := func(dir, name string, args ...string) []byte {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		out, err := c.Output()
		require.NoError(t, err, "%s %v: %s", name, args, out)
		return out
	}
	dir := t.TempDir()
	for name := range bytes.SplitSeq(command("..", "git", "ls-files", "-z"), []byte{0}) {
		text, err := os.ReadFile(filepath.Join("..", string(name)))
		if err != nil || len(name) == 0 {
			continue // deleted and not committed
		}
		to := filepath.Join(dir, string(name))
		info, err := os.Stat(filepath.Join("..", string(name)))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, text, info.Mode()))
	}
	command(dir, "git", "init", "-q")
	command(dir, "git", "add", "-A")

	was := strings.TrimSuffix(module, "/")
	const is = "example.org/people/wallet"
	command(dir, "scripts/rename", is)
	const format = "{{if not .Standard}}{{.ImportPath}}{{end}}"
	packages := string(command(dir, "go", "list", "-test", "-deps", "-f", format, "./..."))
	require.Contains(t, packages, is+"/core/wallet\n")
	require.Contains(t, packages, is+"/bindings/glim\n")
	for name := range strings.Lines(packages) {
		require.False(t, strings.HasPrefix(name, was+"/"), name)
	}
	for name, text := range map[string]string{
		"go.mod":             "module " + is + "\n",
		"mobile/bind/go.mod": "replace " + is + " => ../..",
		"scripts/aar":        " " + is + "/mobile/bridge",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Contains(t, string(got), text, name)
	}
}
