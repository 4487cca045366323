package core_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// formatter is a function whose last parameters are a format and its arguments.
type formatter struct {
	pkg    string // its folder
	of     string // the package's name
	method string // the receiver's type, or ""
	name   string
	before []string // arguments before the format
}

// formatters returns the functions of the module, except in tests, whose last parameters are format string and ...any.
func formatters(files []source) (found []formatter) {
	for _, f := range files {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || f.test {
				continue
			}
			var names, types []string
			for _, p := range fn.Type.Params.List {
				for _, n := range p.Names {
					names, types = append(names, n.Name), append(types, typeText(p.Type))
				}
			}
			last := len(types) - 1
			if last < 1 || types[last] != "...any" || types[last-1] != "string" || names[last-1] != "format" {
				continue
			}
			one := formatter{pkg: f.pkg, of: f.ast.Name.Name, name: fn.Name.Name}
			if fn.Recv != nil {
				one.method = typeText(fn.Recv.List[0].Type)
			}
			for _, t := range types[:last-1] {
				one.before = append(one.before, "*new("+t+")")
			}
			found = append(found, one)
		}
	}
	return found
}

// typeText returns the source text of a simple type, or "?".
func typeText(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return "*" + typeText(t.X)
	case *ast.Ellipsis:
		return "..." + typeText(t.Elt)
	}
	return "?"
}

// wrongCall returns a file of the function's package that calls it with a format that does not match its argument.
func (f formatter) wrongCall() string {
	of := ""
	if f.method != "" {
		of = "(*new(" + f.method + "))."
	}
	args := strings.Join(append(f.before, `"%d"`, `"text"`), ", ")
	return fmt.Sprintf("package %s\n\nfunc _() { %s%s(%s) }\n", f.of, of, f.name, args)
}

// TestVetChecksEveryFormat adds a call with a wrong format for each such function, and expects go vet to refuse it. go
// vet recognises functions that pass their format on to package fmt, but not functions that build a new format from
// theirs.
func TestVetChecksEveryFormat(t *testing.T) {
	files, _ := sources(t, "..")
	found := formatters(files)
	dir, replace, folders := t.TempDir(), overlaid(t), map[string]bool{}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	have := map[string]bool{}
	for i, f := range found {
		have[f.pkg+" "+f.name] = true
		file := filepath.Join(dir, fmt.Sprint("wrong", i, ".go"))
		require.NoError(t, os.WriteFile(file, []byte(f.wrongCall()), 0o600))
		// A test file, so that importers of the package are not compiled again.
		replace[filepath.Join(root, filepath.FromSlash(f.pkg), fmt.Sprint("wrong", i, "_test.go"))] = file
		folders["./"+f.pkg] = true
	}
	for _, name := range []string{
		"core/smallfmt Errorf", "core/smallfmt Sprintf", "core/walletrpc Fail",
		"core/daemon invalid", "core/txbuild mismatch",
	} {
		require.True(t, have[name], name)
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, list, 0o600))
	args := []string{"vet", "-printf", "-overlay=" + overlay}
	for folder := range folders {
		args = append(args, folder)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	output, err := cmd.CombinedOutput()
	require.Error(t, err, "go vet reports nothing")
	missed := false
	for i, f := range found {
		finding := fmt.Sprintf(`wrong%d\.go:3:\d+: .*format %%d has arg "text" of wrong type string`, i)
		if !regexp.MustCompile(finding).Match(output) {
			t.Errorf("%s: go vet does not check the formats of %s; it must pass format and args on unchanged",
				f.pkg, f.name)
			missed = true
		}
	}
	if missed {
		t.Logf("output of go vet:\n%s", output)
	}
}

// overlaid returns the files that scripts/mutants replaces in this run, with their replacements.
func overlaid(t *testing.T) map[string]string {
	t.Helper()
	replace := map[string]string{}
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		file, ok := strings.CutPrefix(flag, "-overlay=")
		if !ok {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var list struct{ Replace map[string]string }
		require.NoError(t, json.Unmarshal(text, &list))
		replace = list.Replace
	}
	return replace
}

// smallVerb matches the verbs that package smallfmt supports: d and x may be padded with zeros.
var smallVerb = regexp.MustCompile(`%(0\d+[dx]|[vswqdxtT%])`)

// TestSmallFormats: no format uses a verb that package smallfmt lacks. go vet does not find these, because package fmt
// has them.
func TestSmallFormats(t *testing.T) {
	files, set := sources(t, "..")
	checked := 0
	for _, f := range files {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !formats(f, call.Fun) {
				return true
			}
			for _, a := range call.Args {
				if text, ok := a.(*ast.BasicLit); ok && text.Kind == token.STRING {
					format, err := strconv.Unquote(text.Value)
					require.NoError(t, err)
					if strings.Contains(smallVerb.ReplaceAllString(format, ""), "%") {
						t.Errorf("%s: package smallfmt does not support all of %q", set.Position(text.Pos()), format)
					}
					checked++
					return true
				}
			}
			return true
		})
	}
	require.Greater(t, checked, 200)
}

// formats reports whether fn belongs to package smallfmt or passes formats on to it.
func formats(f source, fn ast.Expr) bool {
	switch fn := fn.(type) {
	case *ast.SelectorExpr:
		of, _ := fn.X.(*ast.Ident)
		return of != nil && (of.Name == "smallfmt" && strings.HasSuffix(fn.Sel.Name, "f") ||
			of.Name == "walletrpc" && fn.Sel.Name == "Fail")
	case *ast.Ident:
		return f.pkg == "core/daemon" && fn.Name == "invalid" || f.pkg == "core/txbuild" && fn.Name == "mismatch"
	}
	return false
}
