package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// bare are the tests of core/SECURITY.md for which nothing is taken out, and why.
var bare = map[string]string{
	// Stories in which it is left to chance what happens when: what they would find has entries with tests that find it each time.
	"TestCrash": chance, "TestCrashInKeyRounds": chance, "TestKilledAtAnyMoment": chance, "TestMultisigKilledWhileSigning": chance,
	"TestKilled": chance, "TestDamaged": chance, "TestSiege": chance, "TestBadPeers": chance, "TestSlowReaders": chance, "FuzzMachine": chance, "TestHostileConnections": chance, "FuzzSubscriber": chance,
	// Comparisons with the real programs, which have other tests beside them in the same lines.
	"TestLiesAboutMonerod": compared, "TestOddRequests": compared, "TestBackgroundSync": compared, "TestMutatedTransactions": compared, "TestPublicKeys": compared,
	"TestUnits":                 "what it reads is not compiled",
	"TestDockerfile":            "what it reads is not compiled",
	"TestListIsCurrent":         "what it reads is not compiled",
	"TestEverythingIsPinned":    "what it reads is not compiled",
	"TestUnpinnedIsFound":       "it holds the rules of TestEverythingIsPinned to examples",
	"TestLocksAreWhole":         "what it reads is not compiled",
	"TestGradleVerifies":        "what it reads is not compiled",
	"TestGoldenFiles":           "it reads files of earlier versions: no line of source stands for that",
	"TestHangingDaemon":         "no lock is held while a daemon is asked, and none can be taken out",
	"TestTerminatedInTheMiddle": "it passed without the waiting that TestShutdownWaitsForCalls sees",
	"TestLogIsOneLineARequest":  "lines are quoted by package log/slog",
}

const (
	chance   = "what happens when is left to chance"
	compared = "it compares with the real programs"
)

// TestLists: what is taken out stands where the lists say it does, the attacks are those of core/SECURITY.md, and each of its tests in Go is there, with
// something that is taken out for it to notice, or a reason why nothing is.
func TestLists(t *testing.T) {
	all, err := readLists(".")
	require.NoError(t, err)
	attacks, named := security(t)
	tests := testsOf(t)
	noticed := map[string]bool{}
	for _, m := range all {
		changed, err := m.apply(root)
		assert.NoError(t, err)
		for file, text := range changed {
			before, err := os.ReadFile(filepath.Join(root, file))
			require.NoError(t, err)
			require.NotEqual(t, string(before), text, m.place)
		}
		assert.True(t, slices.ContainsFunc(attacks, func(a string) bool { return strings.HasPrefix(a, m.attack) }), "%s: core/SECURITY.md has no such attack: %s", m.place, m.attack)
		for _, x := range m.tests {
			name, _, _ := strings.Cut(x.name, "/")
			require.Contains(t, tests[name], x.folder, "%s: there is no %s", m.place, name)
			noticed[name] = true
		}
	}
	for _, name := range named {
		require.NotEmpty(t, tests[name], "core/SECURITY.md names %s", name)
		assert.NotEqual(t, noticed[name], bare[name] != "", "%s: an entry of scripts/mutants/*.txt takes something out for it, or bare says why none does, and not both", name)
	}
	for name := range bare {
		assert.Contains(t, named, name)
	}
}

// security returns the attacks of core/SECURITY.md, and the tests in Go that are named beside them.
func security(t *testing.T) (attacks, tests []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "core/SECURITY.md"))
	require.NoError(t, err)
	_, body, found := strings.Cut(string(text), "\n## Attacks\n")
	require.True(t, found)
	body, _, found = strings.Cut(body, "\n## ")
	require.True(t, found)
	quoted := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`")
	for line := range strings.SplitSeq(body, "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 5 {
			attacks = append(attacks, strings.TrimSpace(cells[1]))
			for _, m := range quoted.FindAllStringSubmatch(cells[3], -1) {
				tests = append(tests, m[1])
			}
		}
	}
	require.Greater(t, len(attacks), 60)
	slices.Sort(tests)
	return attacks, slices.Compact(tests)
}

// testsOf returns where each test is.
func testsOf(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	begins := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`)
	for _, top := range []string{"core", "bindings", "scripts"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			folder, err := filepath.Rel(root, filepath.Dir(path))
			for _, m := range begins.FindAllStringSubmatch(string(text), -1) {
				found[m[1]] = append(found[m[1]], filepath.ToSlash(folder))
			}
			return err
		}))
	}
	return found
}

// TestParse: lists are read as the package says, and what is none is refused with its place.
func TestParse(t *testing.T) {
	all, err := parse("a.txt", "# why\n\nattack one\nfile a.go\n-x\n-y\n+z\n# and\n-w\nfile b.go\n-v\n+\n+u\ntest core/a TestA TestB/c\ntest core/b TestC\n\nattack two\nfile a.go\n-x\ntest core/a TestA\n")
	require.NoError(t, err)
	require.Equal(t, []mutant{
		{"one", "a.txt:3", []edit{{"a.go", "x\ny", "z"}, {"a.go", "w", ""}, {"b.go", "v", "\nu"}}, []test{{"core/a", "TestA"}, {"core/a", "TestB/c"}, {"core/b", "TestC"}}},
		{"two", "a.txt:17", []edit{{"a.go", "x", ""}}, []test{{"core/a", "TestA"}}},
	}, all)
	for text, want := range map[string]string{
		"-x\n":                                "a.txt:1: begins with no attack",
		"attack one\n-x\n":                    "a.txt:2: no file is named",
		"attack one\nfile a.go\n+x\n":         "a.txt:3: neither",
		"attack one\nwords\n":                 "a.txt:2: neither",
		"attack one\nfile a.go\n-x\n":         "a.txt:1: takes nothing out, or names no test",
		"attack one\nfile a\ntest core TestA": "a.txt:1: takes nothing out, or names no test",
	} {
		_, err := parse("a.txt", text)
		require.ErrorContains(t, err, want)
	}
}

// TestApply: a remedy that was moved is said to be.
func TestApply(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("one two two three"), 0o600))
	m := mutant{edits: []edit{{"a.go", "one", "1"}, {"a.go", "1 two", "1"}, {"a.go", "three", ""}}}
	changed, err := m.apply(dir)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"a.go": "1 two "}, changed)
	for _, old := range []string{"two", "four"} {
		_, err = mutant{edits: []edit{{"a.go", old, ""}}}.apply(dir)
		require.ErrorContains(t, err, "not once")
	}
	_, err = mutant{edits: []edit{{"b.go", "one", ""}}}.apply(dir)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestVerdicts takes remedies out of a module of its own: one that is noticed, one that is not, and one without which nothing compiles; and has
// a compiler that a test starts see the same.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module small\n\ngo 1.26\n",
		"a/a.go":      "package a\n\nfunc Allowed(n int) bool {\n\tif n > 3 {\n\t\treturn false\n\t}\n\treturn n != 2\n}\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestAllowed(t *testing.T) {\n\tif Allowed(4) {\n\t\tt.Fatal()\n\t}\n}\n",
		"b/b_test.go": "package b\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\nfunc TestBuilt(t *testing.T) {\n\tif exec.Command(\"go\", \"run\", \"../c\").Run() != nil {\n\t\tt.Fatal()\n\t}\n}\n",
		"c/main.go":   "package main\n\nimport (\n\t\"os\"\n\n\t\"small/a\"\n)\n\nfunc main() {\n\tif a.Allowed(4) {\n\t\tos.Exit(1)\n\t}\n}\n",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	t.Chdir(dir)
	allowed, built := []test{{"a", "TestAllowed"}}, []test{{"b", "TestBuilt"}}
	for _, c := range []struct {
		m    mutant
		want verdict
	}{
		{mutant{edits: []edit{{"a/a.go", "n > 3", "false"}}, tests: allowed}, killed},
		{mutant{edits: []edit{{"a/a.go", "n > 3", "false"}}, tests: built}, killed},
		{mutant{edits: []edit{{"a/a.go", "n != 2", "true"}}, tests: allowed}, survived},
		{mutant{edits: []edit{{"a/a.go", "n > 3", ""}}, tests: allowed}, broken},
	} {
		got, said, err := c.m.try()
		require.NoError(t, err)
		require.Equal(t, c.want, got, said)
	}
	require.NoError(t, healthy([]mutant{{edits: []edit{{"a/a.go", "n > 3", "false"}}, tests: append(allowed, built...)}}))
}
