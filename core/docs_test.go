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

// packageComments returns the files of each package that say what the package is; tests' files do not count.
func packageComments(files []source) map[string][]source {
	found := map[string][]source{}
	for _, f := range files {
		if f.test {
			continue
		}
		found[f.pkg] = append(found[f.pkg], nil...) // known even when nothing is said
		if f.ast.Doc != nil {
			found[f.pkg] = append(found[f.pkg], f)
		}
	}
	return found
}

// A package says once what it is, in one sentence that begins the way go doc shows it.
func TestPackageComments(t *testing.T) {
	files, _ := sources(t, "..")
	for pkg, said := range packageComments(files) {
		if len(said) != 1 {
			t.Errorf("%s: %d package comments, not one", pkg, len(said))
			continue
		}
		text := said[0].ast.Doc.Text()
		begin := "Package " + said[0].ast.Name.Name + " "
		if said[0].ast.Name.Name == "main" {
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

// What the pages for people name is there: tests, also those in browsers, targets of make, rooms, folders.
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
	for _, page := range []string{"core/CAPABILITIES.md", "bindings/DIFFERENCES.md", "core/ARCHITECTURE.md", "core/SECURITY.md", "bindings/OPERATING.md", "bindings/MIGRATING.md", "bindings/EMBEDDING.md"} {
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

// TestFrontPageIsShort: the README fits a few screens, and what it shows is there. Everything else is in the guides it names.
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

// TestLinksLead: every link from a page to another file, or to a heading of one, leads to something.
func TestLinksLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	heading := regexp.MustCompile("(?m)^#+ (.*)$")
	mark := regexp.MustCompile("[^a-z0-9 _-]")
	pages := 0
	require.NoError(t, filepath.WalkDir("..", func(name string, d os.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (base == "node_modules" || base == "build" || base == "dist" || base == "testdata" || len(base) > 2 && base[0] == '.' && base != ".github"):
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

// Blocks for a shell can be pasted into an interactive one: there zsh knows no comments and reads # as a command or an argument.
func TestShellBlocksHaveNoComments(t *testing.T) {
	pages, blocks := 0, 0
	require.NoError(t, filepath.WalkDir("..", func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"node_modules", "build", "dist"}, d.Name()) || name != ".." && d.Name()[0] == '.'):
			return filepath.SkipDir
		case filepath.Ext(name) != ".md":
			return nil
		}
		pages++
		for i, part := range strings.Split("\n"+readPage(t, name[len("../"):]), "\n```") {
			text, found := strings.CutPrefix(part, "sh\n")
			if plain, without := strings.CutPrefix(part, "\n"); without { // a command all the same
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

// comment returns the line of the first comment in a shell's commands, "" without one. A # that begins a word outside quotes
// begins a comment.
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
		"echo a#b\n", "echo '# a'\n", "echo \"a\n# b\"\n", "echo $#\n", `echo \# "\" # "` + "\n", "echo 'it'\"'\"'s # one'\n",
	} {
		require.Empty(t, comment(text), text)
	}
}

// Whoever looks for an example finds each in their list.
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

// part is the folder of web that is meant; any when none is named.
func part(name string) string {
	if name == "" {
		return "*"
	}
	return name
}

// Every room that stands is in the table of the architecture's page.
func TestArchitectureNamesEveryRoom(t *testing.T) {
	files, _ := sources(t, "..")
	text := readPage(t, "core/ARCHITECTURE.md")
	seen := map[int]bool{}
	for _, f := range files {
		i := place(f.pkg)
		if i < 0 || f.test || seen[i] {
			continue
		}
		seen[i] = true
		if room := strings.TrimSuffix(house[i].room, "/..."); !strings.Contains(text, "`"+room+"`") && !strings.Contains(text, "`"+room+"/…`") {
			t.Errorf("core/ARCHITECTURE.md does not name the room %s", room)
		}
	}
}

// The README says which operations of the contract are not answered, no more and no fewer.
func TestReadmeNamesWhatIsNotAnswered(t *testing.T) {
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
		require.False(t, marked, "all are answered: there is nothing to list")
		return
	}
	want := "`" + strings.Join(missing, "`, `") + "`"
	said, _, found := strings.Cut(after, "<!-- end of operations not answered -->")
	require.True(t, found, "the marks are there")
	require.Equal(t, want, strings.Join(strings.Fields(strings.Trim(said, " \n.")), " "),
		"the list between the marks in bindings/DIFFERENCES.md; the first line here is what it should say")
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../" + name)
	require.NoError(t, err)
	return string(b)
}
