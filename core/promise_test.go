package core_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// promised are the packages with a stable API for other modules. Every other package may change at any time.
var promised = []string{
	"bindings/wallet", "bindings/wallet/regtest",
	"core/rpc", "core/walletrpc", "core/xmr",
}

var updatePromise = flag.Bool("promise.update", false, "record the API of the promised packages in testdata/promise")

// TestPromise compares the API of the promised packages with the record in testdata/promise. Additions are recorded
// with -promise.update. Removals and changes break other programs: the changelog has to list them with their
// replacements.
func TestPromise(t *testing.T) {
	for _, pkg := range promised {
		current := api(t, pkg)
		kept := filepath.Join("testdata", "promise", strings.ReplaceAll(pkg, "/", "-")+".txt")
		if *updatePromise {
			require.NoError(t, os.MkdirAll(filepath.Dir(kept), 0o700))
			require.NoError(t, os.WriteFile(kept, []byte(current), 0o600))
		}
		before, err := os.ReadFile(kept)
		require.NoError(t, err, "written by go test ./core -run TestPromise -promise.update")
		require.Equal(t, string(before), current, "the API of %s has changed; if that is intended: "+
			"go test ./core -run TestPromise -promise.update, and describe it in core/CHANGELOG.md", pkg)
	}
	entries, err := os.ReadDir(filepath.Join("testdata", "promise"))
	require.NoError(t, err)
	require.Len(t, entries, len(promised))
}

// TestPromiseIsComplete: types of this module in the API of a promised package belong to promised packages, and
// ARCHITECTURE.md lists the same packages.
func TestPromiseIsComplete(t *testing.T) {
	for _, pkg := range promised {
		for _, f := range exported(t, pkg) {
			local := map[string]string{}
			for _, i := range f.Imports {
				p, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				name := p[strings.LastIndexByte(p, '/')+1:]
				if i.Name != nil {
					name = i.Name.Name
				}
				local[name] = p
			}
			for _, decl := range f.Decls {
				ast.Inspect(decl, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					if x, ok := s.X.(*ast.Ident); ok {
						to, ours := strings.CutPrefix(local[x.Name], module)
						if ours && !slices.Contains(promised, to) {
							t.Errorf("the API of %s contains %s.%s, which is not promised", pkg, to, s.Sel.Name)
						}
					}
					return true
				})
			}
		}
	}
	_, after, found := strings.Cut(readPage(t, "core/ARCHITECTURE.md"), "## What is promised\n")
	require.True(t, found)
	section, _, _ := strings.Cut(after, "\n## ")
	var named []string
	for _, m := range regexp.MustCompile("(?m)^- `glim/([^`]+)`").FindAllStringSubmatch(section, -1) {
		named = append(named, m[1])
	}
	require.ElementsMatch(t, promised, named, "the list in core/ARCHITECTURE.md")
}

// exported parses a package without its tests and keeps only its exported declarations.
func exported(t *testing.T, pkg string) (files []*ast.File) {
	t.Helper()
	names, err := fs.Glob(os.DirFS("../"+pkg), "*.go")
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", pkg, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		trim(f)
		files = append(files, f)
	}
	require.NotEmpty(t, files)
	return files
}

// trim removes everything from a file that other packages cannot name.
func trim(f *ast.File) {
	ast.FileExports(f)
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			return false
		}
		of := fn.Recv.List[0].Type
		if p, ok := of.(*ast.StarExpr); ok {
			of = p.X
		}
		name, ok := of.(*ast.Ident)
		return ok && !name.IsExported()
	})
	for _, d := range f.Decls {
		stripValues(d)
	}
}

// stripValues removes function bodies, and the values of variables except for their types.
func stripValues(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		d.Body = nil
	case *ast.GenDecl:
		for _, s := range d.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok || d.Tok != token.VAR {
				continue
			}
			if len(v.Values) == 1 && v.Type == nil {
				if c, ok := v.Values[0].(*ast.CompositeLit); ok {
					v.Type = c.Type
				}
			}
			v.Values = nil
		}
	}
}

// api returns the sorted exported declarations of a package as text.
func api(t *testing.T, pkg string) string {
	t.Helper()
	var all []string
	for _, f := range exported(t, pkg) {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				continue
			}
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					all = append(all, printed(t, &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{s}}))
				}
				continue
			}
			all = append(all, printed(t, d))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n") + "\n"
}

// printed returns a declaration as text without its position, so that moving it changes nothing.
func printed(t *testing.T, d ast.Decl) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, (&printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}).Fprint(&b, token.NewFileSet(), d))
	return b.String()
}

// TestPromiseNoticesChanges: a change of the API changes its text, and a change of the implementation does not.
func TestPromiseNoticesChanges(t *testing.T) {
	show := func(text string) string {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+text, parser.SkipObjectResolution)
		require.NoError(t, err)
		trim(f)
		out := ""
		for _, d := range f.Decls {
			out += printed(t, d)
		}
		return out
	}
	const f, v = "func F(a int) error { return nil }\n", "\nvar E = errors.New(\"x\")"
	before := show(f + "type T struct { A int; b int }" + v)
	require.Equal(t, before, show("func F(a int) error { panic(1) }\ntype T struct { A int; c string }\n"+
		"func f() {}\ntype u int\nfunc (u) M() {}\n"+
		"var E = errors.New(\"y\")"))
	require.NotEqual(t, before, show("func F(a uint) error { return nil }\ntype T struct { A int; b int }"+v))
	require.NotEqual(t, before, show(f+"type T struct { B int; b int }"+v))
	require.NotEqual(t, before, show(f+"type T struct { A int; b int }"))
}
