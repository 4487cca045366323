package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheck checks a module with a mistake in a file for one system only.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct{ build, source, system, other, message string }{
		"constant": {"386 || arm64", "var _ int = 1 << 40", "linux/386", "linux/arm64", "overflows"},
		"name":     {"windows", "var _ = missing", "windows/amd64", "darwin/arm64", "undefined: missing"},
		"import":   {"darwin", "import _ \"os/missing\"", "darwin/arm64", "linux/386", "os/missing"},
		"body":     {"js", "func f()", "js/wasm", "linux/386", "f has no body"},
		"syntax":   {"android", "func", "android/arm64", "linux/386", "expected"},
		"twice":    {"ios", "var V = 1", "ios/arm64", "darwin/amd64", "V redeclared"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"go.mod":     "module p\n\ngo 1.26\n",
				"p.go":       "package p\n\nimport \"os\"\n\nvar V = os.Args\n",
				"special.go": "//go:build " + c.build + "\n\npackage p\n\n" + c.source,
			} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			require.ErrorContains(t, check(dir, c.system, []string{"./..."}), c.message)
			require.NoError(t, check(dir, c.other, []string{"./..."}))
		})
	}
	require.ErrorContains(t, check(".", "linux", []string{"."}), "GOOS/GOARCH")
	require.ErrorContains(t, check(".", "linux/z80", []string{"."}), "unknown architecture")
	require.Error(t, check(".", "linux/386", []string{"./missing"}))
}
