package core_test

import (
	"crypto/rand"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/service"
	"glim/core/walletrpc"
)

// packageComments returns the files of each package that have a package comment, not counting tests.
func packageComments(files []source) map[string][]source {
	found := map[string][]source{}
	for _, f := range files {
		if f.test {
			continue
		}
		found[f.pkg] = append(found[f.pkg], nil...) // an entry even without a comment
		if f.ast.Doc != nil {
			found[f.pkg] = append(found[f.pkg], f)
		}
	}
	return found
}

// TestPackageComments: every package has one comment, whose first paragraph starts as go doc expects and is complete.
func TestPackageComments(t *testing.T) {
	files, _ := sources(t, "..")
	for pkg, commented := range packageComments(files) {
		if len(commented) != 1 {
			t.Errorf("%s: %d package comments, not one", pkg, len(commented))
			continue
		}
		text := commented[0].ast.Doc.Text()
		begin := "Package " + commented[0].ast.Name.Name + " "
		if commented[0].ast.Name.Name == "main" {
			begin = "Command " + path.Base(pkg) + " "
		}
		first, _, _ := strings.Cut(text, "\n\n")
		if !strings.HasPrefix(text, begin) || !strings.HasSuffix(strings.TrimSpace(first), ".") {
			t.Errorf("%s: its comment is not a sentence that begins %q", pkg, begin)
		}
	}
}

var (
	testName = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")
	inPage   = regexp.MustCompile("`(?:web/(sdk|wallet|extension)/test/)?(\\w+\\.test\\.(?:mjs|ts))`")
	target   = regexp.MustCompile("`make ([a-z][\\w-]*)`")
	folder   = regexp.MustCompile("`((?:core|bindings|examples|scripts)/[\\w/-]+)`")
)

// TestPagesNameWhatExists: tests (Go and browser), make targets and folders named in the documents exist.
func TestPagesNameWhatExists(t *testing.T) {
	files, _ := sources(t, "..")
	tests := map[string]bool{}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.test && fn.Recv == nil {
				tests[fn.Name.Name] = true
			}
		}
	}
	makefile := readPage(t, "Makefile")
	pages := []string{
		"core/CAPABILITIES.md", "core/ARCHITECTURE.md", "core/SECURITY.md",
		"bindings/DIFFERENCES.md", "bindings/OPERATING.md", "bindings/MIGRATING.md", "bindings/EMBEDDING.md",
		"bindings/TERMINAL.md",
		"core/carrot/README.md",
	}
	for _, page := range pages {
		text := readPage(t, page)
		names := testName.FindAllStringSubmatch(text, -1)
		require.NotEmpty(t, names, page)
		for _, m := range names {
			if !tests[m[1]] {
				t.Errorf("%s: no test is called %s", page, m[1])
			}
		}
		for _, m := range inPage.FindAllStringSubmatch(text, -1) {
			if found, err := filepath.Glob("../web/" + part(m[1]) + "/*/" + m[2]); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no %s", page, m[2])
			}
		}
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if !strings.Contains("\n"+makefile, "\n"+m[1]+":") {
				t.Errorf("%s: make has no %s", page, m[1])
			}
		}
		for _, m := range folder.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat("../" + m[1]); err != nil {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
	}
}

// TestOperatingQuotesErrors: the messages that the operator's guide quotes, and glim writes itself, are in the source.
func TestOperatingQuotesErrors(t *testing.T) {
	files, _ := sources(t, "..")
	text := readPage(t, "bindings/OPERATING.md")
	for _, message := range []string{
		"it is open in another process",
		"no connection to daemon",
		"automatic refresh failed",
		"demands another user name or password",
		"the certificate of the peer is not allowed",
		"cannot accept connections",
		"another program changed the file while it was open",
		"writing a wallet file failed",
		"may still be mined",
	} {
		require.Contains(t, text, message)
		found := slices.ContainsFunc(files, func(f source) bool {
			if f.test {
				return false
			}
			code, err := os.ReadFile("../" + f.name)
			require.NoError(t, err)
			return strings.Contains(string(code), message)
		})
		require.True(t, found, "no message contains %q", message)
	}
}

// TestFrontPageIsShort: the README fits a few screens; everything else is in the guides that it links.
func TestFrontPageIsShort(t *testing.T) {
	text := readPage(t, "README.md")
	require.LessOrEqual(t, strings.Count(text, "\n"), 150)
	rows := 0
	_, table, found := strings.Cut(text, "## What works\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n## ")
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| ") {
			rows++
		}
	}
	require.LessOrEqual(t, rows, 25)
	require.NotZero(t, rows)
}

// TestLinksResolve: every link from a document to a file or to a heading has a target.
func TestLinksResolve(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	heading := regexp.MustCompile("(?m)^#+ (.*)$")
	mark := regexp.MustCompile("[^a-z0-9 _-]")
	generated := []string{"node_modules", "build", "dist", "testdata"}
	pages := 0
	require.NoError(t, filepath.WalkDir("..", func(name string, d os.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(generated, base) || len(base) > 2 && base[0] == '.' && base != ".github"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md":
			return nil
		}
		pages++
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(b), -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			to := name
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(name), m[1])
			}
			info, err := os.Stat(to)
			if err != nil {
				t.Errorf("%s: there is no %s", name, m[1])
				continue
			}
			if info.Size() == 0 {
				t.Errorf("%s: %s is empty", name, m[1])
			}
			if m[2] == "" || info.IsDir() {
				continue
			}
			b, err := os.ReadFile(to)
			require.NoError(t, err)
			anchors := map[string]bool{}
			for _, h := range heading.FindAllStringSubmatch(string(b), -1) {
				anchors["#"+strings.ReplaceAll(mark.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
			}
			if !anchors[m[2]] {
				t.Errorf("%s: %s has no heading %s", name, to, m[2])
			}
		}
		return nil
	}))
	require.Greater(t, pages, 10)
}

// TestShellBlocksHaveNoComments: shell blocks can be pasted into an interactive shell. An interactive zsh has no
// comments and reads # as a command or an argument.
func TestShellBlocksHaveNoComments(t *testing.T) {
	built := []string{"node_modules", "build", "dist"}
	pages, blocks := 0, 0
	require.NoError(t, filepath.WalkDir("..", func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(built, d.Name()) || name != ".." && d.Name()[0] == '.'):
			return filepath.SkipDir
		case filepath.Ext(name) != ".md":
			return nil
		}
		pages++
		for i, part := range strings.Split("\n"+readPage(t, name[len("../"):]), "\n```") {
			text, found := strings.CutPrefix(part, "sh\n")
			if plain, without := strings.CutPrefix(part, "\n"); without { // no language, but perhaps a command
				text, found = plain, typed.MatchString(plain)
			}
			if found && i%2 == 1 {
				blocks++
				if at := comment(text); at != "" {
					t.Errorf("%s: a comment in a block for a shell: %s", name, at)
				}
			}
		}
		return nil
	}))
	require.Greater(t, pages, 10)
	require.Greater(t, blocks, 20)
}

var typed = regexp.MustCompile(`^(make|go|npm|npx|curl|git|sh|glim|bin/glim|scripts/\w+) `)

// comment returns the line of the first comment in shell commands, or "". A comment starts with a # at the start of a
// word outside quotes.
func comment(commands string) string {
	var quote rune
	line, begins, escaped := "", true, false
	for _, r := range commands {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == '#' && begins:
			return line + "#"
		}
		begins = quote == 0 && strings.ContainsRune(" \t\n;&|()", r)
		if line += string(r); r == '\n' {
			line = ""
		}
	}
	return ""
}

func TestComment(t *testing.T) {
	for _, text := range []string{"# a\n", "true # a\n", "echo 'a\n' # b\n", "a;#b\n", "\n\t# a"} {
		require.NotEmpty(t, comment(text), text)
	}
	for _, text := range []string{
		"echo a#b\n", "echo '# a'\n", "echo \"a\n# b\"\n", "echo $#\n",
		`echo \# "\" # "` + "\n", "echo 'it'\"'\"'s # one'\n",
	} {
		require.Empty(t, comment(text), text)
	}
}

// TestExamplesAreListed: examples/README.md lists every example.
func TestExamplesAreListed(t *testing.T) {
	text := readPage(t, "examples/README.md")
	entries, err := os.ReadDir("../examples")
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() && e.Name() != "internal" && !strings.Contains(text, "["+e.Name()+"]("+e.Name()+"/") {
			t.Errorf("examples/README.md does not name %s", e.Name())
		}
	}
}

// part returns the folder of web that name selects; all if it is empty.
func part(name string) string {
	if name == "" {
		return "*"
	}
	return name
}

// TestArchitectureNamesEveryPackage: the table in ARCHITECTURE.md contains every entry of layers that has files.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	files, _ := sources(t, "..")
	text := readPage(t, "core/ARCHITECTURE.md")
	seen := map[int]bool{}
	for _, f := range files {
		i := position(f.pkg)
		if i < 0 || f.test || seen[i] {
			continue
		}
		seen[i] = true
		pkg := strings.TrimSuffix(layers[i].pkg, "/...")
		if !strings.Contains(text, "`"+pkg+"`") && !strings.Contains(text, "`"+pkg+"/…`") {
			t.Errorf("core/ARCHITECTURE.md does not name %s", pkg)
		}
	}
}

// TestUnansweredOperationsAreListed: DIFFERENCES.md lists exactly the operations of the contract that are not answered.
func TestUnansweredOperationsAreListed(t *testing.T) {
	s, err := service.New(service.Config{Random: rand.Reader, Now: func() uint64 { return 1 }}, service.DaemonConfig{})
	require.NoError(t, err)
	answered := map[string]bool{}
	for _, o := range s.Registry().Operations() {
		answered[o.Name] = true
	}
	var missing []string
	for _, m := range walletrpc.Methods() {
		if !answered[m.Name] {
			missing = append(missing, m.Name)
		}
	}
	slices.Sort(missing)
	_, after, marked := strings.Cut(readPage(t, "bindings/DIFFERENCES.md"), "<!-- operations not answered -->")
	if len(missing) == 0 {
		require.False(t, marked, "all operations are answered, so the list must be removed")
		return
	}
	want := "`" + strings.Join(missing, "`, `") + "`"
	listed, _, found := strings.Cut(after, "<!-- end of operations not answered -->")
	require.True(t, found, "the end mark is missing")
	require.Equal(t, want, strings.Join(strings.Fields(strings.Trim(listed, " \n.")), " "),
		"the list between the marks in bindings/DIFFERENCES.md")
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../" + name)
	require.NoError(t, err)
	return string(b)
}
