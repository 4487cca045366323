package core_test

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// curve is the package with the curve's arithmetic.
const curve = "core/crypto/edwards"

// inTheOpen are the functions that use arithmetic of package edwards whose time depends on scalars, with what makes their scalars and
// points public. Everything else uses what the build tag auditedcurve replaces by the audited library.
var inTheOpen = map[string]string{
	"core/chain openCommitment":                      "amounts of mining rewards, which everybody sees",
	"core/crypto/bulletproofsplus newSlot":           "generators",
	"core/crypto/bulletproofsplus bases":             "generators",
	"core/crypto/bulletproofsplus foldBoth":          "generators and challenges, which the proof shows",
	"core/crypto/bulletproofsplus Verify":            "finished proofs",
	"core/crypto/bulletproofsplus newStatement":      "finished proofs",
	"core/crypto/clsag base":                         "the generator",
	"core/crypto/clsag prepare":                      "ring members and responses, which the signature shows",
	"core/crypto/clsag newImages":                    "key images and hashes, which the signature shows",
	"core/crypto/clsag transcript.next":              "responses and challenges, which the signature shows",
	"core/crypto/clsag Trace.follows":                "a finished signature",
	"core/internal/crypto/dleq Verify":               "a finished proof",
	"core/internal/crypto/ringsig transcript.member": "responses and challenges, which the signature shows",
	"core/internal/crypto/schnorr Verify":            "a finished signature",
	"core/multisig Account.aggregate":                "keys that all signers have told each other, and hashes of them",
}

// TestSecretsGoThroughTheDoor holds callers of the curve's arithmetic to inTheOpen: a function that is new there has to say why what it
// computes from is public.
func TestSecretsGoThroughTheDoor(t *testing.T) {
	files, _ := sources(t, "..")
	found := map[string]bool{}
	for _, f := range files {
		if f.test || f.pkg == curve || !strings.HasPrefix(f.name, "core/") {
			continue
		}
		for _, d := range f.ast.Decls {
			for name, node := range namesOf(d) {
				if leaks(node) {
					found[f.pkg+" "+name] = true
				}
			}
		}
	}
	for name := range found {
		assert.NotEmpty(t, inTheOpen[name], "%s: a scalar's digits show in the time; say in inTheOpen why all of it is public", name)
	}
	for name := range inTheOpen {
		assert.True(t, found[name], "%s: nothing there depends on scalars: take it from inTheOpen", name)
	}
}

// namesOf returns what a declaration declares: a function, with its receiver's type, or variables.
func namesOf(d ast.Decl) map[string]ast.Node {
	out := map[string]ast.Node{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			of := d.Recv.List[0].Type
			if p, ok := of.(*ast.StarExpr); ok {
				of = p.X
			}
			if id, ok := of.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		out[name] = d
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				out[v.Names[0].Name] = v
			}
		}
	}
	return out
}

// leaks reports whether node names arithmetic whose time depends on scalars: a name that says so, tables and splits, which only such
// arithmetic takes, or Sums that are not Secret.
func leaks(node ast.Node) (found bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if s, ok := n.Type.(*ast.SelectorExpr); ok && isSums(s) {
				found = found || !slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
					kv, ok := e.(*ast.KeyValueExpr)
					if !ok {
						return false
					}
					key, _ := kv.Key.(*ast.Ident)
					value, _ := kv.Value.(*ast.Ident)
					return key != nil && value != nil && key.Name == "Secret" && value.Name == "true"
				})
			}
		case *ast.ValueSpec:
			if s, ok := n.Type.(*ast.SelectorExpr); ok && isSums(s) {
				found = true
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "new" {
				if s, ok := n.Args[0].(*ast.SelectorExpr); ok && isSums(s) {
					found = true
				}
			}
		case *ast.SelectorExpr:
			name := n.Sel.Name
			found = found || strings.HasPrefix(name, "VarTime") || strings.HasSuffix(name, "VarTime") ||
				slices.Contains([]string{"NewTables", "KeptTables", "NewSplits", "AddSplit", "CommitInTheOpen"}, name)
		}
		return true
	})
	return found
}

func isSums(s *ast.SelectorExpr) bool {
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == "edwards" && s.Sel.Name == "Sums"
}

// aside are the exported functions of package edwards that use its own arithmetic whatever the build tag, with what makes that right.
var aside = map[string]string{
	"KeptTables":             "tables of public points",
	"NewTables":              "tables of public points",
	"Table.Point":            "tables are of public points",
	"Point.VarTimeTableMult": "its name says that time depends on scalars",
	"VarTimeBaseMults":       "its name says that time depends on scalars",
	"NewSplits":              "sums of AddSplit are not Secret",
	"Sums.Make":              "Secret sums go through the door",
	"Vectors":                "only their name",
	"SetKernel":              "kernels are tried with what everybody knows",
	"SetSums":                "kernels are tried with what everybody knows",
}

// TestOwnArithmeticStaysBehindTheDoor follows what exported functions of package edwards call, other than through its door: those that come
// to points or elements of its own are the ones of aside.
func TestOwnArithmeticStaysBehindTheDoor(t *testing.T) {
	amd64 := build.Default // it has the most of its own
	amd64.GOOS, amd64.GOARCH, amd64.BuildTags = "linux", "amd64", nil
	about, err := amd64.ImportDir(filepath.Join("..", curve), 0)
	require.NoError(t, err)
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range about.GoFiles {
		parsed, err := parser.ParseFile(set, filepath.Join(about.Dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, parsed)
	}
	// What other packages declare is not looked at, and so its types are unknown.
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	unknown := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := unknown.Check(curve, set, files, info)
	uses := map[types.Object][]types.Object{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				uses[info.Defs[d.Name]] = usesOf(d, info)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						for _, name := range v.Names {
							uses[info.Defs[name]] = usesOf(v, info)
						}
					}
				}
			}
		}
	}
	var own []types.Object
	for _, name := range []string{"own", "projective", "element", "words", "limbs", "wide", "summer"} {
		require.NotNil(t, pkg.Scope().Lookup(name), name)
		own = append(own, pkg.Scope().Lookup(name))
	}
	found := map[string]bool{}
	for object := range uses {
		fn, ok := object.(*types.Func)
		if !ok {
			continue
		}
		name := fn.Name()
		if recv := fn.Signature().Recv(); recv != nil {
			of := recv.Type()
			if p, ok := of.(*types.Pointer); ok {
				of = p.Elem()
			}
			named := types.Unalias(of).(*types.Named).Obj()
			if !named.Exported() {
				continue
			}
			name = named.Name() + "." + name
		}
		seen := map[types.Object]bool{}
		var reach func(types.Object) bool
		reach = func(o types.Object) bool {
			if seen[o] {
				return false
			}
			seen[o] = true
			return slices.Contains(own, o) || slices.ContainsFunc(uses[o], reach)
		}
		if fn.Exported() && reach(fn) {
			found[name] = true
			assert.NotEmpty(t, aside[name], "%s: it takes arithmetic of this package past the door; say in aside why it may", name)
		}
	}
	for name := range aside {
		assert.True(t, found[name], "%s: it takes nothing past the door: take it from aside", name)
	}
}

// noImports is an importer that has nothing.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not looked at") }

// usesOf returns what node mentions, but for what it takes from door{}.
func usesOf(node ast.Node, info *types.Info) (out []types.Object) {
	ast.Inspect(node, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if lit, ok := s.X.(*ast.CompositeLit); ok {
				if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "door" {
					return false
				}
			}
		}
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
			out = append(out, info.Uses[id])
		}
		return true
	})
	return out
}
