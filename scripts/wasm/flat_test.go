package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnOneLine flattens packages of Go itself and of ours: what remains is the same program, on line 1 throughout.
func TestOnOneLine(t *testing.T) {
	for _, dir := range []string{".", "../../core/service", filepath.Join(runtime.GOROOT(), "src", "runtime"), filepath.Join(runtime.GOROOT(), "src", "unicode")} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, name := range files {
			source, err := os.ReadFile(name)
			require.NoError(t, err)
			flat, err := onOneLine(source)
			require.NoError(t, err, name)
			set := token.NewFileSet()
			got, err := parser.ParseFile(set, "", flat, parser.SkipObjectResolution)
			require.NoError(t, err, name)
			ast.Inspect(got, func(n ast.Node) bool {
				if n != nil {
					at := set.Position(n.Pos())
					require.Equal(t, 1, at.Line, "%s: %s", name, at)
				}
				return true
			})
			require.Equal(t, shape(t, source), shape(t, flat), name)
			require.Equal(t, directives(source), directives(flat), name)
		}
	}
}

// shape lists the nodes of a program and what names and literals say.
func shape(t *testing.T, source []byte) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
		case *ast.Ident:
			out = append(out, n.Name)
		case *ast.BasicLit:
			out = append(out, n.Value)
		case *ast.BinaryExpr:
			out = append(out, n.Op.String())
		default:
			out = append(out, reflect.TypeOf(n).Elem().Name())
		}
		return true
	})
	return out
}

func directives(source []byte) (out []string) {
	for _, line := range strings.Split(string(source), "\n") {
		if strings.HasPrefix(line, "//go:") {
			out = append(out, line)
		}
	}
	return out
}
