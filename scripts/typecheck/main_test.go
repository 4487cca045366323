package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheck checks a module with a mistake in a file for one system only.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct{ source, system, other, message string }{
		"constant": {"//go:build 386 || arm64\n\npackage p\n\nvar _ int = 1 << 40", "linux/386", "linux/arm64", "overflows"},
		"name":     {"//go:build windows\n\npackage p\n\nvar _ = missing", "windows/amd64", "darwin/arm64", "undefined: missing"},
		"import":   {"//go:build darwin\n\npackage p\n\nimport _ \"os/missing\"", "darwin/arm64", "linux/386", "os/missing"},
		"body":     {"//go:build js\n\npackage p\n\nfunc f()", "js/wasm", "linux/386", "f has no body"},
		"syntax":   {"//go:build android\n\npackage p\n\nfunc", "android/arm64", "linux/386", "expected"},
		"twice":    {"//go:build ios\n\npackage p\n\nvar V = 1", "ios/arm64", "darwin/amd64", "V redeclared"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"go.mod":     "module p\n\ngo 1.26\n",
				"p.go":       "package p\n\nimport \"os\"\n\nvar V = os.Args\n",
				"special.go": c.source,
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
