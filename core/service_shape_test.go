package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// maxMethods is how many methods one type of core/service may declare.
const maxMethods = 40

// TestServiceTypesAreSmall keeps the operations of core/service split by concern: a type with very many methods is the
// start of one that does everything.
func TestServiceTypesAreSmall(t *testing.T) {
	shape := loadShape(t, "glim/core/service")
	require.Greater(t, len(shape.methods), 20, "the package was loaded")
	for name, n := range shape.methods {
		if n > maxMethods {
			t.Errorf("core/service: type %s has %d methods, more than %d: split it by concern", name, n, maxMethods)
		}
	}
}

// TestServiceFilesHaveNoCycles checks that the files of core/service can be ordered so that each uses only declarations
// of earlier files. A reader can then start with the first, and a file can be tested or moved together with only the
// files that it uses.
func TestServiceFilesHaveNoCycles(t *testing.T) {
	shape := loadShape(t, "glim/core/service")
	require.Greater(t, len(shape.uses), 20, "the package was loaded")
	for _, cycle := range shape.cycles() {
		t.Errorf("core/service: these files depend on each other in a cycle:\n%s"+
			"Move what one of them needs into a file that both use, or pass it in.", shape.describe(cycle))
	}
}

// TestShapeRulesFail proves that both rules find what they are there to find.
func TestShapeRulesFail(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range []struct{ name, text string }{
		{"a.go", "package p\ntype T struct{ n int }\nfunc one(t T) { t.m(); leaf() }"},
		{"b.go", "package p\nfunc (t T) m() { leaf() }"},
		{"c.go", "package p\nfunc leaf() {}"},
		{"d.go", "package p\nfunc top(t T) int { return t.n }"},
	} {
		parsed, err := parser.ParseFile(fset, f.name, f.text, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, parsed)
	}
	shape, err := newPackageShape("p", fset, files, nil)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"T": 1}, shape.methods)
	require.Equal(t, [][]string{{"a.go", "b.go"}}, shape.cycles())
	require.Equal(t, "  a.go uses m of b.go\n  b.go uses T of a.go\n", shape.describe([]string{"a.go", "b.go"}))
}

// packageShape is what one package declares where, and what its files use of each other.
type packageShape struct {
	methods map[string]int                        // by type
	uses    map[string]map[string]map[string]bool // file, the file it uses, the names it uses of that
}

// loadShape type-checks a package of this module, without its tests, against the compiled packages it imports.
func loadShape(t *testing.T, pkg string) *packageShape {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export", pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	exports := map[string]string{}
	fset := token.NewFileSet()
	var files []*ast.File
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath != pkg {
			continue
		}
		for _, name := range p.GoFiles {
			parsed, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			files = append(files, parsed)
		}
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	shape, err := newPackageShape(pkg, fset, files, importer.ForCompiler(fset, "gc", open))
	require.NoError(t, err)
	return shape
}

func newPackageShape(path string, fset *token.FileSet, files []*ast.File, from types.Importer) (*packageShape, error) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	checker := types.Config{Importer: from}
	pkg, err := checker.Check(path, fset, files, info)
	if err != nil {
		return nil, err
	}
	shape := &packageShape{methods: map[string]int{}, uses: map[string]map[string]map[string]bool{}}
	for _, name := range pkg.Scope().Names() {
		if named, ok := pkg.Scope().Lookup(name).Type().(*types.Named); ok && named.Obj().Name() == name {
			shape.methods[name] = named.NumMethods()
		}
	}
	file := func(at token.Pos) string { return filepath.Base(fset.Position(at).Filename) }
	for ident, object := range info.Uses {
		if object.Pkg() != pkg {
			continue
		}
		user, used := file(ident.Pos()), file(object.Pos())
		if user == used {
			continue
		}
		if shape.uses[user] == nil {
			shape.uses[user] = map[string]map[string]bool{}
		}
		if shape.uses[user][used] == nil {
			shape.uses[user][used] = map[string]bool{}
		}
		shape.uses[user][used][object.Name()] = true
	}
	return shape, nil
}

// reaches reports whether one file uses another, directly or through others.
func (s *packageShape) reaches(from, to string, seen map[string]bool) bool {
	for next := range s.uses[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if s.reaches(next, to, seen) {
				return true
			}
		}
	}
	return false
}

// cycles returns the groups of files that all use each other, each sorted.
func (s *packageShape) cycles() (all [][]string) {
	var files []string
	for file := range s.uses {
		files = append(files, file)
	}
	slices.Sort(files)
	placed := map[string]bool{}
	for _, file := range files {
		if placed[file] || !s.reaches(file, file, map[string]bool{}) {
			continue
		}
		group := slices.DeleteFunc(slices.Clone(files), func(other string) bool {
			return !s.reaches(file, other, map[string]bool{}) || !s.reaches(other, file, map[string]bool{})
		})
		for _, member := range group {
			placed[member] = true
		}
		all = append(all, group)
	}
	return all
}

// describe lists what the files of a cycle use of each other, one pair a line.
func (s *packageShape) describe(cycle []string) string {
	var text strings.Builder
	for _, user := range cycle {
		for _, used := range cycle {
			if names := s.uses[user][used]; len(names) > 0 {
				var list []string
				for name := range names {
					list = append(list, name)
				}
				slices.Sort(list)
				fmt.Fprintf(&text, "  %s uses %s of %s\n", user, strings.Join(list, ", "), used)
			}
		}
	}
	return text.String()
}
