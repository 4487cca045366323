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

// curve is the package of the curve's arithmetic.
const curve = "core/crypto/edwards"

// publicInputs lists the functions that use arithmetic of package edwards whose time depends on scalars, each with the
// reason why its scalars and points are public. Everything else uses the arithmetic that the build tag auditedcurve
// replaces.
var publicInputs = map[string]string{
	"core/chain openCommitment":                             "amounts of mining rewards, which are on the chain",
	"core/crypto/bulletproofsplus newSlot":                  "generators",
	"core/crypto/bulletproofsplus bases":                    "generators",
	"core/crypto/bulletproofsplus foldBoth":                 "generators and challenges, which are in the proof",
	"core/crypto/bulletproofsplus Verify":                   "finished proofs",
	"core/crypto/bulletproofsplus newStatement":             "finished proofs",
	"core/crypto/clsag base":                                "the generator",
	"core/crypto/clsag prepare":                             "ring members and responses, which are in the signature",
	"core/crypto/clsag newImages":                           "key images and hashes, which are in the signature",
	"core/crypto/clsag transcript.next":                     "responses and challenges, which are in the signature",
	"core/crypto/clsag Hint.follows":                        "a finished signature",
	"core/crypto/curvetree GrowHelios":                      "the tree, whose leaves are on the chain",
	"core/consensus AppendTreeOutputs":                      "amounts of mining rewards, which are on the chain",
	"core/crypto/curvetree GrowSelene":                      "the tree, whose leaves are on the chain",
	"core/crypto/generalizedbulletproofs HeliosBatch.Valid": "finished proofs",
	"core/crypto/generalizedbulletproofs SeleneBatch.Valid": "finished proofs",
	"core/crypto/generalizedbulletproofs proveInnerHelios":  "vectors that could be sent instead of the argument",
	"core/crypto/generalizedbulletproofs proveInnerSelene":  "vectors that could be sent instead of the argument",
	"core/fcmp verifySpends":                                "finished proofs, which are in the transaction",
	"core/internal/crypto/dleq Verify":                      "a finished proof",
	"core/internal/crypto/ringsig transcript.member":        "responses and challenges, which are in the signature",
	"core/internal/crypto/schnorr Verify":                   "a finished signature",
	"core/multisig Account.aggregate":                       "keys that all signers have exchanged, and hashes of them",
}

// TestSecretsUseSecretArithmetic compares the callers of arithmetic whose time depends on scalars with publicInputs. A
// new caller has to state there why its inputs are public.
func TestSecretsUseSecretArithmetic(t *testing.T) {
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
		assert.NotEmpty(t, publicInputs[name],
			"%s: its time depends on a scalar; state in publicInputs why its inputs are public", name)
	}
	for name := range publicInputs {
		assert.True(t, found[name], "%s: its time depends on no scalar; remove it from publicInputs", name)
	}
}

// namesOf returns the names that a declaration declares: a function, with its receiver's type, or variables.
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

// leaks reports whether node uses arithmetic whose time depends on scalars: a function whose name says so, tables and
// splits, which only such arithmetic uses, or Sums that are not Secret.
func leaks(node ast.Node) (found bool) {
	varTime := []string{"NewTables", "NewPermanentTables", "NewSplits", "AddSplit", "CommitPublic"}
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
				slices.Contains(varTime, name)
		}
		return true
	})
	return found
}

func isSums(s *ast.SelectorExpr) bool {
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == "edwards" && s.Sel.Name == "Sums"
}

// ownByDesign lists the exported functions of package edwards that use its own arithmetic with either build tag, each
// with the reason why that is safe.
var ownByDesign = map[string]string{
	"NewPermanentTables":     "tables of public points",
	"NewTables":              "tables of public points",
	"Table.Point":            "tables are of public points",
	"Point.VarTimeTableMult": "its name says that its time depends on scalars",
	"VarTimeBaseMults":       "its name says that its time depends on scalars",
	"NewSplits":              "sums with AddSplit are not Secret",
	"Sums.Make":              "Secret sums use secretArithmetic",
	"Vectors":                "only returns a name",
	"SetKernel":              "kernels are tested with public values",
	"SetSumsKernel":          "kernels are tested with public values",
}

// TestOwnArithmeticIsEncapsulated follows the calls of the exported functions of package edwards, except those through
// secretArithmetic: only the functions of ownByDesign may reach points or field elements of the package's own
// arithmetic.
func TestOwnArithmeticIsEncapsulated(t *testing.T) {
	amd64 := build.Default // the platform with the most code of its own
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
	// Other packages are not loaded, so their types are unknown.
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
	for _, name := range []string{"own", "projective", "element", "wide", "summer"} {
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
			assert.NotEmpty(t, ownByDesign[name],
				"%s bypasses secretArithmetic; state in ownByDesign why that is safe", name)
		}
	}
	for name := range ownByDesign {
		assert.True(t, found[name], "%s does not bypass secretArithmetic; remove it from ownByDesign", name)
	}
}

// noImports is an importer without packages.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not loaded") }

// usesOf returns the objects that node mentions, except methods of secretArithmetic{}.
func usesOf(node ast.Node, info *types.Info) (out []types.Object) {
	ast.Inspect(node, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if lit, ok := s.X.(*ast.CompositeLit); ok {
				if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "secretArithmetic" {
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
