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

// formatter is a function that takes a format and what stands for its verbs.
type formatter struct {
	pkg    string // its folder
	of     string // the package's name
	method string // the receiver's type, or ""
	name   string
	before []string // arguments in front of the format
}

// formatters returns the functions of the module whose last parameters are format string and ...any. Those that tests declare do not count.
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

// typeText writes the types that the functions above have.
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

// wrongCall is a file of the function's package which gives it a format that does not fit.
func (f formatter) wrongCall() string {
	of := ""
	if f.method != "" {
		of = "(*new(" + f.method + "))."
	}
	return fmt.Sprintf("package %s\n\nfunc _() { %s%s(%s) }\n", f.of, of, f.name, strings.Join(append(f.before, `"%d"`, `"text"`), ", "))
}

// TestVetChecksEveryFormat adds a call with a wrong format for each function that takes one, and sees go vet refuse it. go vet finds out by itself what
// hands a format on to package fmt; a function that builds another format out of its own is one it cannot see.
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
		// A file of tests, so that nothing has to be compiled again for what imports the package.
		replace[filepath.Join(root, filepath.FromSlash(f.pkg), fmt.Sprint("wrong", i, "_test.go"))] = file
		folders["./"+f.pkg] = true
	}
	for _, name := range []string{"core/say Errorf", "core/say Sprintf", "core/walletrpc Fail", "core/daemon lie", "core/build insane"} {
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
	said, err := cmd.CombinedOutput()
	require.Error(t, err, "go vet finds nothing")
	missed := false
	for i, f := range found {
		if !regexp.MustCompile(fmt.Sprintf(`wrong%d\.go:3:\d+: .*format %%d has arg "text" of wrong type string`, i)).Match(said) {
			t.Errorf("%s: go vet does not check the formats of %s; it must hand format and args on as they are", f.pkg, f.name)
			missed = true
		}
	}
	if missed {
		t.Logf("go vet said:\n%s", said)
	}
}

// overlaid returns the files that take the place of others in this run, as scripts/mutants has it.
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

// saidVerb is what package say knows of a format: a verb, with zeros to fill up in front of d and x.
var saidVerb = regexp.MustCompile(`%(0\d+[dx]|[vswqdxtT%])`)

// TestFormatsOfSay: package say knows fewer verbs than package fmt, whose rules go vet goes by. No format asks it for another.
func TestFormatsOfSay(t *testing.T) {
	files, set := sources(t, "..")
	checked := 0
	for _, f := range files {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !says(f, call.Fun) {
				return true
			}
			for _, a := range call.Args {
				if text, ok := a.(*ast.BasicLit); ok && text.Kind == token.STRING {
					format, err := strconv.Unquote(text.Value)
					require.NoError(t, err)
					if strings.Contains(saidVerb.ReplaceAllString(format, ""), "%") {
						t.Errorf("%s: package say does not know all of %q", set.Position(text.Pos()), format)
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

// says reports whether a call is one of package say or of what hands formats on to it.
func says(f source, fn ast.Expr) bool {
	switch fn := fn.(type) {
	case *ast.SelectorExpr:
		of, _ := fn.X.(*ast.Ident)
		return of != nil && (of.Name == "say" && strings.HasSuffix(fn.Sel.Name, "f") || of.Name == "walletrpc" && fn.Sel.Name == "Fail")
	case *ast.Ident:
		return f.pkg == "core/daemon" && fn.Name == "lie" || f.pkg == "core/build" && fn.Name == "insane"
	}
	return false
}
