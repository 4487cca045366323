package core_test

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// decoder matches the names of functions that read untrusted bytes or text.
var decoder = regexp.MustCompile(`^(Parse|Decode|Unmarshal|Unpack|Unquote|Expand)`)

// indirect lists decoders that a fuzz target reaches through another function or package, and that target.
var indirect = map[string]string{
	"core/codec/epee.Unmarshal":        "FuzzUnmarshal, by stable",
	"core/p2p/message.Decode":          "FuzzUnmarshal of core/codec/epee, which does the decoding",
	"core/polyseed.Decode":             "FuzzDecode of core/polyseed/languages",
	"core/codec/epee.UnmarshalTrusted": "FuzzUnmarshal: the same decoder, but copying",
}

// TestEveryDecoderIsFuzzed: every exported function under core/ and bindings/native that reads untrusted bytes or text
// is called by a fuzz target of its package.
func TestEveryDecoderIsFuzzed(t *testing.T) {
	files, _ := sources(t, "..")
	fuzzed := map[string]bool{} // package.name of the functions that targets call
	for _, f := range files {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !f.test || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					fuzzed[f.pkg+"."+n.Sel.Name] = true
				case *ast.Ident:
					fuzzed[f.pkg+"."+n.Name] = true
				}
				return true
			})
		}
	}
	decoders := 0
	for _, f := range files {
		native := f.pkg == "bindings/native" || path.Dir(f.pkg) == "bindings/native"
		if f.test || !strings.HasPrefix(f.pkg, "core/") && !native {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || !decoder.MatchString(fn.Name.Name) || !reads(fn) {
				continue
			}
			decoders++
			if fn.Name.Name == "UnmarshalEpeeString" {
				continue // called by epee.Unmarshal
			}
			name := f.pkg + "." + fn.Name.Name
			if _, ok := indirect[name]; !ok && !fuzzed[name] {
				t.Errorf("no fuzz target of %s calls %s", f.pkg, fn.Name.Name)
			}
		}
	}
	require.Greater(t, decoders, 40)
}

// reads reports whether a function takes bytes or text.
func reads(fn *ast.FuncDecl) bool {
	for _, p := range fn.Type.Params.List {
		switch kind := p.Type.(type) {
		case *ast.Ident:
			if kind.Name == "string" {
				return true
			}
		case *ast.ArrayType:
			if e, ok := kind.Elt.(*ast.Ident); ok && e.Name == "byte" && kind.Len == nil {
				return true
			}
		case *ast.SelectorExpr:
			if kind.Sel.Name == "RawMessage" {
				return true
			}
		}
	}
	return false
}
