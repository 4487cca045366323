package bridge

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// offered type-checks the Go sources of one package and returns its exported names.
func offered(t *testing.T, name string, texts map[string]any) *types.Package {
	t.Helper()
	set := token.NewFileSet()
	var all []*ast.File
	for file, text := range texts {
		parsed, err := parser.ParseFile(set, file, text, 0)
		require.NoError(t, err)
		all = append(all, parsed)
	}
	// The types of other packages do not matter: none of them may be exported here, known or not.
	c := types.Config{Importer: unknown{}, Error: func(error) {}, IgnoreFuncBodies: true}
	p, _ := c.Check(name, set, all, nil)
	return p
}

type unknown struct{}

func (unknown) Import(string) (*types.Package, error) { return nil, errors.New("not looked at") }

// expose lists what gobind binds of a package, one item per line, and what it would silently leave out.
func expose(p *types.Package) (bound, skipped []string) {
	say := func(ok bool, format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if bound = append(bound, line); !ok {
			skipped = append(skipped, line)
		}
	}
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch o := object.(type) {
		case *types.Func:
			say(callable(p, o.Signature()), "func %s%s", name, text(o.Signature()))
		case *types.Const:
			say(plain(o.Type()), "const %s %s", name, o.Type())
		case *types.Var:
			say(false, "var %s", name) // any code could change it, so variables are not allowed
		case *types.TypeName:
			switch u := o.Type().Underlying().(type) {
			case *types.Struct:
				say(true, "struct %s", name)
				for i := range u.NumFields() {
					if f := u.Field(i); f.Exported() {
						say(value(p, f.Type()) && !f.Embedded(), "field %s.%s %s", name, f.Name(), short(f.Type()))
					}
				}
				methods := types.NewMethodSet(types.NewPointer(o.Type()))
				for i := range methods.Len() {
					if m, ok := methods.At(i).Obj().(*types.Func); ok && m.Exported() {
						say(callable(p, m.Signature()), "method %s.%s%s", name, m.Name(), text(m.Signature()))
					}
				}
			case *types.Interface:
				say(true, "interface %s", name)
				for i := range u.NumMethods() {
					m := u.Method(i)
					bound := m.Exported() && callable(p, m.Signature())
					say(bound, "method %s.%s%s", name, m.Name(), text(m.Signature()))
				}
			default:
				say(false, "type %s", name)
			}
		}
	}
	slices.Sort(bound)
	return bound, skipped
}

func short(t types.Type) string {
	return types.TypeString(t, func(*types.Package) string { return "" })
}

func text(s *types.Signature) string { return strings.TrimPrefix(short(s), "func") }

// plain reports whether a type is one of the basic types that gobind binds. Unsigned types are not bound, because Java
// lacks them.
func plain(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	basic := []types.BasicKind{
		types.Bool, types.String, types.Int, types.Int8, types.Int16, types.Int32, types.Int64,
		types.Float32, types.Float64,
	}
	return ok && slices.Contains(basic, b.Kind()) && t == t.Underlying()

}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// value reports whether gobind binds values of a type. Source: golang.org/x/mobile/cmd/gobind/doc.go, "Type
// restrictions".
func value(p *types.Package, t types.Type) bool {
	if plain(t) || isError(t) {
		return true
	}
	switch u := t.(type) {
	case *types.Slice:
		b, ok := u.Elem().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Pointer:
		n, ok := u.Elem().(*types.Named)
		if !ok || n.Obj().Pkg() != p || !n.Obj().Exported() {
			return false
		}
		_, ok = n.Underlying().(*types.Struct)
		return ok
	case *types.Named:
		_, ok := u.Underlying().(*types.Interface)
		return ok && u.Obj().Pkg() == p && u.Obj().Exported()
	}
	return false
}

func callable(p *types.Package, s *types.Signature) bool {
	for i := range s.Params().Len() {
		if !value(p, s.Params().At(i).Type()) {
			return false
		}
	}
	switch r := s.Results(); r.Len() {
	case 0:
	case 1:
		return value(p, r.At(0).Type()) && !s.Variadic()
	case 2:
		return value(p, r.At(0).Type()) && isError(r.At(1).Type()) && !s.Variadic()
	default:
		return false
	}
	return !s.Variadic()
}

// TestExposed compares the package's bound API with the list in testdata, so that every change is noticed, and finds
// everything that gobind would leave out. scripts/mobile checks the code that gobind generates.
func TestExposed(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	texts := map[string]any{}
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			texts[f], err = os.ReadFile(f)
			require.NoError(t, err)
		}
	}
	bound, skipped := expose(offered(t, "bridge", texts))
	require.Empty(t, skipped, "gobind leaves these out")
	want, err := os.ReadFile("testdata/exposed.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), strings.Join(bound, "\n")+"\n", "testdata/exposed.txt should say this")
}

// TestExposedFinds checks that TestExposed finds what gobind does not bind.
func TestExposedFinds(t *testing.T) {
	const source = `package x
		import "other"
		type T struct { A uint64; B []string; C map[string]int; D *T; E []byte; F func(); G U; H error }
		type U struct{}
		func (*T) Fine(a int64, b []byte) (string, error) { return "", nil }
		func (*T) Two() (string, bool) { return "", false }
		func (*T) Many(a ...string) {}
		type I interface { Do(x *T) error; Other(x other.Thing) error; Unsigned() uint32 }
		type Number int
		const Big uint64 = 1
		const Small int32 = 1
		var V int
		func Three() (int, int, error) { return 0, 0, nil }`
	_, skipped := expose(offered(t, "x", map[string]any{"x.go": source}))
	names := []string{}
	for _, s := range skipped {
		fields := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '(' })
		names = append(names, fields[1])
	}
	slices.Sort(names)
	want := []string{
		"Big", "I.Other", "I.Unsigned", "Number", "T.A", "T.B", "T.C", "T.F", "T.G", "T.Many", "T.Two", "Three", "V",
	}
	require.Equal(t, want, names)
}
