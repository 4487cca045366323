// Package core_test holds the house to its plan: which room may import which, and what no room under core may touch.
package core_test

import (
	"go/ast"
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

// house lists every room from the ground up. A package may import rooms listed before its own, on its floor or below;
// within a room whose name ends in /... the packages share one line, in any order. To add a package, add its line
// where its imports allow; if that is not the floor it belongs to, an import is wrong, not the table.
var house = []struct {
	floor int
	room  string
}{
	{0, "core/internal/order"}, {0, "core/say"}, {0, "core/codec/..."}, {0, "core/crypto/..."}, {0, "core/internal/codec/..."}, {0, "core/internal/crypto/..."}, // one room: hashes know varints, base58 knows a hash
	{1, "core/xmr"}, {1, "core/mnemonic"}, {1, "core/mnemonic/languages"}, {1, "core/keys"}, {1, "core/address"}, {1, "core/polyseed"}, {1, "core/polyseed/languages"}, {1, "core/internal/uri"}, {1, "core/tx"}, {1, "core/block"}, {1, "core/internal/compact"},
	{1, "core/fee"}, {1, "core/decoy"}, {1, "core/scan"}, {1, "core/build"}, {1, "core/coldset"}, {1, "core/internal/proof"}, {1, "core/multisig"},
	{1, "core/consensus"}, {1, "core/journal"}, {1, "core/walletfile"}, {1, "core/walletcache"}, {1, "core/signer"},
	{2, "core/chain"}, {2, "core/wallet"},
	{3, "core/rpc"}, {3, "core/daemonrpc"}, {3, "core/walletrpc"}, {3, "core/syncer"}, {3, "core/internal/flight"}, {3, "core/p2p/..."}, {3, "core/chaintest"}, {3, "core/session"},
	{4, "core/daemon"}, {4, "core/node"}, {4, "core/peering"}, {4, "core/upstream"}, {4, "core/gateway"}, {4, "core/service"},
	{5, "bindings/engine"}, {5, "bindings/internal/holder"}, {5, "bindings/native/..."}, {5, "bindings/internal/..."}, {5, "bindings/wallet/..."}, {5, "bindings/peers"}, {5, "bindings/peers/own"}, {5, "bindings/peers/liar"},
	{6, "bindings/scenario"}, {6, "bindings/network"}, {6, "bindings/glim/..."}, {6, "bindings/bench"}, {6, "bindings/soak"}, {6, "bindings/dropin"}, {6, "wasm/..."}, {6, "mobile/..."},
}

// apart are the rooms that some others do without: what they make is handed in by hosts that have a use for it, and the browser's
// download has no place for it.
var apart = []struct {
	room    string
	without []string
}{
	{"core/walletcache", []string{"core/...", "bindings/engine", "wasm/..."}},
}

// furniture are the folders beside the rooms: they may import everything, and no room imports them.
var furniture = []string{"examples/", "scripts/"}

// doors are the modules of others, with the rooms that may import them.
var doors = []struct{ module, room string }{
	{"golang.org/x/crypto", ""},
	{"go.etcd.io/bbolt", "bindings/internal/chainfile"},
	{"golang.org/x/sys", "bindings/glim"}, // terminals
	{"filippo.io/edwards25519", "core/crypto/edwards"},
	{"github.com/syumai/workers", "wasm/worker"},
}

// outside are the packages no file under core imports: what waits, what differs between hosts, what is not repeatable.
var outside = []string{"net", "net/...", "os", "os/...", "io/ioutil", "crypto/tls", "math/rand", "math/rand/v2",
	"syscall", "syscall/js", "plugin", "unsafe", "C", "log", "testing"}

// far are the packages that must not even come in through others: they make the browser's download large.
var far = []string{"net", "net/http", "crypto/tls", "os/exec"}

// given are the names that read or wait for the machine's clock, or take from its random source. Hosts hand in
// func() time.Time and io.Reader. What draws from a reader it is handed, such as rand.Int, is no harm.
var given = map[string][]string{
	"time":        {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"},
	"context":     {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
	"crypto/rand": {"Reader", "Read", "Text"},
}

// skips are the functions that leave a test out; only comparisons with programs that are not installed may do that.
var skips = []string{"Skip", "Skipf", "SkipNow"}

const onlySkip = "bindings/peers/require.go"

type source struct {
	name string // from the module's root, with slashes
	pkg  string
	test bool
	ast  *ast.File
}

// sources parses every file of the module, for whatever system it is.
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
			if name != root && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "node_modules") {
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
		files = append(files, source{name: rel, pkg: path.Dir(rel), test: strings.HasSuffix(rel, "_test.go"), ast: parsed})
		return err
	}))
	return files, set
}

// place returns the index of a package's room, or -1.
func place(pkg string) int {
	return slices.IndexFunc(houseRooms(), func(room string) bool { return in(pkg, room) })
}

func houseRooms() (rooms []string) {
	for _, h := range house {
		rooms = append(rooms, h.room)
	}
	return rooms
}

func in(pkg, room string) bool {
	tree, wide := strings.CutSuffix(room, "/...")
	return pkg == tree || wide && strings.HasPrefix(pkg, tree+"/")
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

// violation says why a package may not import another, or nothing.
func violation(pkg, imported string) string {
	if to, ours := strings.CutPrefix(imported, module); ours {
		a, b := place(pkg), place(to)
		switch {
		case b < 0:
			return "imports " + to + ", which is no room of the house"
		case house[b].floor > house[a].floor:
			return "imports " + to + ", which is above it: imports point only down"
		case refused(pkg, to):
			return "imports " + to + ", which it does without: hosts hand in what that makes"
		case house[a].floor == 0 && house[b].floor == 0:
			return ""
		case b > a:
			return "imports " + to + ", which is listed after it on the same floor"
		}
		return ""
	}
	if strings.HasPrefix(pkg, "core/") {
		for _, o := range outside {
			if in(imported, o) {
				return "imports " + imported + ": hosts hand that in, core waits for nobody"
			}
		}
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return ""
	}
	for _, d := range doors {
		if in(imported, d.module+"/...") {
			if d.room != "" && d.room != pkg {
				return "imports " + imported + ": the only door to it is " + d.room
			}
			return ""
		}
	}
	return "imports " + imported + ", a module we do not depend on"
}

// refused reports whether pkg is one of those that do without a room.
func refused(pkg, to string) bool {
	for _, a := range apart {
		if in(to, a.room) && !in(pkg, a.room) && slices.ContainsFunc(a.without, func(room string) bool { return in(pkg, room) }) {
			return true
		}
	}
	return false
}

// calls returns where a file says pkg.name for one of names.
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
		if slices.ContainsFunc(furniture, func(p string) bool { return strings.HasPrefix(f.name, p) }) {
			continue
		}
		if f.pkg == "core" && f.test {
			continue
		}
		if place(f.pkg) < 0 {
			if !unknown[f.pkg] {
				t.Errorf("%s: no room of the house: add its line to the table in core/layers_test.go", f.pkg)
			}
			unknown[f.pkg] = true
			continue
		}
		if f.test {
			continue // tests compare with whatever they like
		}
		for _, i := range imports(f.ast) {
			if why := violation(f.pkg, i); why != "" {
				t.Errorf("%s: %s", f.name, why)
			}
		}
		if strings.HasPrefix(f.pkg, "core/") {
			for pkg, names := range given {
				for _, at := range calls(f.ast, pkg, names) {
					t.Errorf("%s: uses package %s for what hosts hand in: func() time.Time, io.Reader", set.Position(at), pkg)
				}
			}
		}
	}
}

// TestNothingFarComesIn asks the go tool what core needs in a browser, directly or not.
func TestNothingFarComesIn(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./...")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "glim/core/xmr")
	for _, f := range far {
		require.NotContains(t, deps, f, "comes in by an import of an import: go mod why, or go list -deps package by package, tells which")
	}
}

// TestNoSkips finds tests that leave themselves out.
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
			t.Errorf("%s: a test leaves itself out; only %s may", set.Position(s.Pos()), onlySkip)
			return true
		})
	}
	require.Equal(t, 1, allowed)
}

// TestTheRulesBite proves that each rule finds what it is there to find.
func TestTheRulesBite(t *testing.T) {
	for _, c := range []struct{ pkg, imported, why string }{
		{"core/xmr", "glim/core/tx", "after it on the same floor"},
		{"core/tx", "glim/core/xmr", ""},
		{"core/xmr", "glim/core/session", "above it"},
		{"core/crypto/edwards", "glim/core/xmr", "above it"},
		{"core/internal/codec/base58", "glim/core/crypto/keccak", ""},
		{"core/crypto/edwards", "filippo.io/edwards25519/field", ""},
		{"core/crypto/clsag", "filippo.io/edwards25519", "only door"},
		{"core/tx", "glim/core/attic", "no room"},
		{"core/tx", "net/http", "waits for nobody"},
		{"core/tx", "net", "waits for nobody"},
		{"core/tx", "math/rand/v2", "waits for nobody"},
		{"core/tx", "encoding/json", ""},
		{"bindings/native/files", "os", ""},
		{"bindings/native/files", "github.com/stretchr/testify/require", "do not depend on"},
		{"core/journal", "golang.org/x/crypto/argon2", ""},
		{"core/service", "glim/bindings/engine", "above it"},
		{"core/service", "glim/core/walletcache", "does without"},
		{"bindings/engine", "glim/core/walletcache", "does without"},
		{"wasm/engine", "glim/core/walletcache", "does without"},
		{"bindings/native", "glim/core/walletcache", ""},
	} {
		why := violation(c.pkg, c.imported)
		if c.why == "" {
			require.Empty(t, why)
		} else {
			require.Contains(t, why, c.why)
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x; import clock "time"; var a, b = clock.Now, clock.Second`, 0)
	require.NoError(t, err)
	require.Len(t, calls(f, "time", given["time"]), 1)
	require.Equal(t, -1, place("core/attic"))
	require.Equal(t, -1, place("core/txt"))
}
