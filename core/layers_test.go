// Package core_test checks rules of the whole module: which package may import which, and what no package under core
// may use.
package core_test

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the module's path and a slash.
var module = func() string {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(string(text), "module "), "\n")
	return first + "/"
}()

// layers lists the packages from the lowest layer up. A package may import lower layers, and packages listed before it
// in its own layer. A name that ends in /... stands for a folder, whose packages may import each other. To add a
// package, add a line where its imports allow it; if that is not the layer it belongs to, fix the import, not the
// table.
var layers = []struct {
	layer int
	pkg   string
}{
	{0, "core/internal/smallsort"},
	{0, "core/smallfmt"},
	{0, "core/codec/..."}, // these four together: hashes use varints, base58 uses a hash
	{0, "core/internal/parallel"},
	{0, "core/crypto/..."},
	{0, "core/internal/codec/..."},
	{0, "core/internal/crypto/..."},
	{1, "core/xmr"},
	{1, "core/mnemonic"},
	{1, "core/mnemonic/languages"},
	{1, "core/keys"},
	{1, "core/address"},
	{1, "core/polyseed"},
	{1, "core/polyseed/languages"},
	{1, "core/bip39"},
	{1, "core/walletseed"},
	{1, "core/carrot"},
	{1, "core/fcmp"},
	{1, "core/internal/uri"},
	{1, "core/openalias"},
	{1, "core/tx"},
	{1, "core/block"},
	{1, "core/fcmptx"},
	{1, "core/internal/compact"},
	{1, "core/fee"},
	{1, "core/decoy"},
	{1, "core/scan"},
	{1, "core/manykeys"},
	{1, "core/txbuild"},
	{1, "core/coldset"},
	{1, "core/internal/proof"},
	{1, "core/multisig"},
	{1, "core/consensus"},
	{1, "core/treecache"},
	{1, "core/fcmpbuild"},
	{1, "core/journal"},
	{1, "core/walletfile"},
	{1, "core/walletcache"},
	{1, "core/signer"},
	{1, "core/invoice"},
	{2, "core/chain"},
	{2, "core/nextfork"},
	{2, "core/wallet"},
	{3, "core/rpc"},
	{3, "core/rpc/digest"},
	{3, "core/daemonrpc"},
	{3, "core/walletrpc"},
	{3, "core/syncer"},
	{3, "core/internal/flight"},
	{3, "core/p2p/..."},
	{3, "core/chaintest"},
	{3, "core/session"},
	{3, "core/walletpaths"},
	{4, "core/daemon"},
	{4, "core/node"},
	{4, "core/peering"},
	{4, "core/upstream"},
	{4, "core/gateway"},
	{4, "core/lws"},
	{4, "core/service"},
	{4, "core/mainnet"},
	{5, "bindings/engine"},
	{5, "bindings/internal/clientaddr"},
	{5, "bindings/native/..."},
	{5, "bindings/internal/..."},
	{5, "bindings/dnssec/..."},
	{5, "bindings/wallet/..."},
	{5, "bindings/lws"},
	{5, "bindings/app"},
	{5, "bindings/peers"},
	{5, "bindings/peers/inprocess"},
	{5, "bindings/peers/malicious"},
	{5, "bindings/lws/postgres"},
	{6, "bindings/scenario"},
	{6, "bindings/network"},
	{6, "bindings/terminal"},
	{6, "bindings/glim/..."},
	{6, "bindings/bench"},
	{6, "bindings/soak"},
	{6, "bindings/dropin"},
	{6, "wasm/..."},
	{6, "mobile/..."},
}

// optional are packages that the listed ones must not import: hosts that need them pass in what they produce, and the
// browser download leaves them out.
var optional = []struct {
	pkg       string
	importers []string
}{
	{"core/walletcache", []string{"core/...", "bindings/engine", "wasm/..."}},
	{"core/walletpaths", []string{"core/...", "bindings/engine", "wasm/..."}},
}

// forkOnly are the packages that make transactions of the next hard fork. Programs with the build tag nocarrot, which
// are those that a page starts with, do not contain them; files of wasm/browser that the tag leaves out import them.
var forkOnly = []string{"core/carrot", "core/fcmp", "core/fcmptx", "core/fcmpbuild", "core/nextfork", "core/treecache",
	"core/walletpaths", "core/crypto/curvetree", "core/crypto/ecdivisors", "core/crypto/generalizedbulletproofs",
	"core/crypto/helioselene"}

// leftOut reports whether the build tag nocarrot leaves out a file.
func leftOut(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if expr, err := constraint.Parse(c.Text); c.Pos() < f.Package && err == nil {
				return !expr.Eval(func(string) bool { return true })
			}
		}
	}
	return false
}

// tools are the folders outside the layers: they may import everything, and no layer imports them.
var tools = []string{"examples/", "scripts/"}

// modules are the third-party modules, each with the only package that may import it; empty for any.
var modules = []struct{ module, pkg string }{
	{"golang.org/x/crypto", ""},
	{"go.etcd.io/bbolt", "bindings/internal/chainfile"},
	{"golang.org/x/sys", ""}, // terminals
	{"golang.org/x/term", "bindings/terminal"},
	{"github.com/piglig/go-qr", "bindings/terminal"},
	{"filippo.io/edwards25519", "core/crypto/edwards"},
	{"github.com/syumai/workers", "wasm/worker"},
	{"github.com/miekg/dns", "bindings/dnssec/..."},
	{"github.com/jackc/pgx/v5", "bindings/lws/postgres"},
}

// hostOnly are the packages that no file under core imports, because they block, differ between hosts or are not
// repeatable.
var hostOnly = []string{"net", "net/...", "os", "os/...", "io/ioutil", "crypto/tls", "math/rand", "math/rand/v2",
	"syscall", "syscall/js", "plugin", "unsafe", "C", "log", "testing"}

// large are the packages that core must not import even indirectly, because they make the browser download large.
var large = []string{"net", "net/http", "crypto/tls", "os/exec"}

// hostFuncs are the functions that use the system clock or its random source. Core receives func() time.Time and
// io.Reader from the host instead. Functions that read from a given reader, such as rand.Int, are allowed.
var hostFuncs = map[string][]string{
	"time":        {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"},
	"context":     {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
	"crypto/rand": {"Reader", "Read", "Text"},
}

// skips are the functions that skip a test; only comparisons with programs that are not installed may use them.
var skips = []string{"Skip", "Skipf", "SkipNow"}

const onlySkip = "bindings/peers/require.go"

type source struct {
	name string // from the module's root, with slashes
	pkg  string
	test bool
	ast  *ast.File
}

// sources parses every file of the module, for all systems.
func sources(t *testing.T, root string) (files []source, set *token.FileSet) {
	t.Helper()
	set = token.NewFileSet()
	overlay := overlaid(t)
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := d.Name()
			hidden := strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
			if name != root && (hidden || base == "testdata" || base == "node_modules") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root {
				return filepath.SkipDir // a module of its own
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		var text any // nil is the file's own
		if abs, err := filepath.Abs(name); err == nil && overlay[abs] != "" {
			if text, err = os.ReadFile(overlay[abs]); err != nil {
				return err
			}
		}
		parsed, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		test := strings.HasSuffix(rel, "_test.go")
		files = append(files, source{name: rel, pkg: path.Dir(rel), test: test, ast: parsed})
		return err
	}))
	return files, set
}

// position returns the index of a package in layers, or -1.
func position(pkg string) int {
	for i, l := range layers {
		if in(pkg, l.pkg) {
			return i
		}
	}
	return -1
}

// in reports whether pkg matches a pattern: a package, or a folder and /...
func in(pkg, pattern string) bool {
	folder, all := strings.CutSuffix(pattern, "/...")
	return pkg == folder || all && strings.HasPrefix(pkg, folder+"/")
}

func imports(f *ast.File) (paths []string) {
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// violation returns why a package may not import another, or "".
func violation(pkg, imported string) string {
	if to, ours := strings.CutPrefix(imported, module); ours {
		a, b := position(pkg), position(to)
		switch {
		case b < 0:
			return "imports " + to + ", which is in no layer"
		case layers[b].layer > layers[a].layer:
			return "imports " + to + ", which is in a higher layer"
		case refused(pkg, to):
			return "imports " + to + ", which is optional: hosts pass in what it produces"
		case layers[a].layer == 0 && layers[b].layer == 0:
			return ""
		case b > a:
			return "imports " + to + ", which is listed after it in the same layer"
		}
		return ""
	}
	if strings.HasPrefix(pkg, "core/") {
		for _, o := range hostOnly {
			if in(imported, o) {
				return "imports " + imported + ": the core does no I/O; the host passes that in"
			}
		}
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return ""
	}
	for _, m := range modules {
		if in(imported, m.module+"/...") {
			if m.pkg != "" && !in(pkg, m.pkg) {
				return "imports " + imported + ", which only " + m.pkg + " may import"
			}
			return ""
		}
	}
	return "imports " + imported + ", a module that is not a dependency"
}

// refused reports whether to is optional and pkg must not import it.
func refused(pkg, to string) bool {
	for _, o := range optional {
		matches := func(pattern string) bool { return in(pkg, pattern) }
		if in(to, o.pkg) && !in(pkg, o.pkg) && slices.ContainsFunc(o.importers, matches) {
			return true
		}
	}
	return false
}

// calls returns the positions where a file uses pkg.name for one of names.
func calls(f *ast.File, pkg string, names []string) (at []token.Pos) {
	local := ""
	for _, i := range f.Imports {
		if i.Path.Value != strconv.Quote(pkg) {
			continue
		}
		local = path.Base(pkg)
		if i.Name != nil {
			local = i.Name.Name
		}
	}
	if local == "" {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == local && slices.Contains(names, s.Sel.Name) {
				at = append(at, s.Pos())
			}
		}
		return true
	})
	return at
}

func TestLayers(t *testing.T) {
	files, set := sources(t, "..")
	require.Greater(t, len(files), 50, "the walk finds the module")
	unknown := map[string]bool{}
	for _, f := range files {
		if slices.ContainsFunc(tools, func(p string) bool { return strings.HasPrefix(f.name, p) }) {
			continue
		}
		if f.pkg == "core" && f.test {
			continue
		}
		if position(f.pkg) < 0 {
			if !unknown[f.pkg] {
				t.Errorf("%s is in no layer: add it to the table in core/layers_test.go", f.pkg)
			}
			unknown[f.pkg] = true
			continue
		}
		if f.test {
			continue // tests may import anything
		}
		for _, i := range imports(f.ast) {
			if f.pkg == "wasm/browser" && leftOut(f.ast) && in(strings.TrimPrefix(i, module), "core/walletpaths") {
				continue
			}
			if why := violation(f.pkg, i); why != "" {
				t.Errorf("%s: %s", f.name, why)
			}
		}
		if strings.HasPrefix(f.pkg, "core/") {
			for pkg, names := range hostFuncs {
				for _, at := range calls(f.ast, pkg, names) {
					t.Errorf("%s: uses package %s; the host passes in clocks and random sources", set.Position(at), pkg)
				}
			}
		}
	}
}

// TestNoLargeImports lists with the go tool what core imports in a browser, directly or indirectly.
func TestNoLargeImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./...")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "glim/core/xmr")
	for _, f := range large {
		require.NotContains(t, deps, f, "imported indirectly; go list -deps, package by package, shows from where")
	}
}

// TestFirstDownload lists with the go tool what the programs contain that a page starts with: nothing of the next hard
// fork, which the programs for chains that have passed it contain.
func TestFirstDownload(t *testing.T) {
	for _, program := range []string{"../wasm/browser", "../wasm/daemon"} {
		list := func(tags string) []string {
			cmd := exec.Command("go", "list", "-deps", "-tags="+tags, program)
			cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			require.NoError(t, err)
			return strings.Fields(string(out))
		}
		first, next := list("nocarrot"), list("")
		for _, p := range forkOnly {
			require.NotContains(t, first, module+p, program)
		}
		require.Contains(t, next, module+"core/fcmp", program)
	}
}

// TestNoSkips finds tests that skip themselves.
func TestNoSkips(t *testing.T) {
	files, set := sources(t, "..")
	allowed := 0
	for _, f := range files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(skips, s.Sel.Name) || !slices.Contains(imports(f.ast), "testing") {
				return true
			}
			if f.name == onlySkip {
				allowed++
				return true
			}
			t.Errorf("%s: a test skips itself; only %s may do that", set.Position(s.Pos()), onlySkip)
			return true
		})
	}
	require.Equal(t, 1, allowed)
}

// TestLayerRulesFindViolations checks each rule against an import that breaks it.
func TestLayerRulesFindViolations(t *testing.T) {
	for _, c := range []struct{ pkg, imported, why string }{
		{"core/xmr", "glim/core/tx", "after it in the same layer"},
		{"core/tx", "glim/core/xmr", ""},
		{"core/xmr", "glim/core/session", "higher layer"},
		{"core/crypto/edwards", "glim/core/xmr", "higher layer"},
		{"core/internal/codec/base58", "glim/core/crypto/keccak", ""},
		{"core/crypto/edwards", "filippo.io/edwards25519/field", ""},
		{"core/crypto/clsag", "filippo.io/edwards25519", "only core/crypto/edwards may import"},
		{"core/tx", "glim/core/attic", "in no layer"},
		{"core/tx", "net/http", "does no I/O"},
		{"core/tx", "net", "does no I/O"},
		{"core/tx", "math/rand/v2", "does no I/O"},
		{"core/tx", "encoding/json", ""},
		{"bindings/native/files", "os", ""},
		{"bindings/native/files", "github.com/stretchr/testify/require", "not a dependency"},
		{"core/journal", "golang.org/x/crypto/argon2", ""},
		{"core/service", "glim/bindings/engine", "higher layer"},
		{"core/service", "glim/core/walletcache", "is optional"},
		{"bindings/engine", "glim/core/walletcache", "is optional"},
		{"wasm/engine", "glim/core/walletcache", "is optional"},
		{"bindings/native", "glim/core/walletcache", ""},
	} {
		why := violation(c.pkg, c.imported)
		if c.why == "" {
			require.Empty(t, why)
		} else {
			require.Contains(t, why, c.why)
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
import clock "time"
var a, b = clock.Now, clock.Second`, 0)
	require.NoError(t, err)
	require.Len(t, calls(f, "time", hostFuncs["time"]), 1)
	require.Equal(t, -1, position("core/attic"))
	require.Equal(t, -1, position("core/txt"))
}
