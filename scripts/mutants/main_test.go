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

// bare lists the tests of core/SECURITY.md without a mutant, and why.
var bare = map[string]string{
	// Tests with random timing: what they would find has mutants with deterministic tests.
	"TestCrash": chance, "TestCrashInKeyRounds": chance, "TestKilledAtAnyMoment": chance,
	"TestMultisigKilledWhileSigning": chance, "TestProgramsKilledInTurns": chance,
	"TestKilled": chance, "TestDamaged": chance, "TestHostileLoad": chance, "TestBadPeers": chance,
	"TestSlowReaders": chance,
	"FuzzMachine":     chance, "TestHostileConnections": chance, "FuzzSubscriber": chance, "FuzzMessage": chance,
	// Comparisons with the real programs; their attacks also name other tests.
	"TestForgedAnswersOfMonerod": compared, "TestUnusualRequests": compared, "TestBackgroundSync": compared,
	"TestMutatedTransactions": compared, "TestPublicKeys": compared,
	"TestSmallRSA":              "the defence is in crypto/rsa",
	"TestUnits":                 "what it reads is not compiled",
	"TestDockerfile":            "what it reads is not compiled",
	"TestListIsCurrent":         "what it reads is not compiled",
	"TestEverythingIsPinned":    "what it reads is not compiled",
	"TestUnpinnedIsFound":       "it tests the rules of TestEverythingIsPinned",
	"TestLockFilesAreComplete":  "what it reads is not compiled",
	"TestGradleVerifies":        "what it reads is not compiled",
	"TestGoldenFiles":           "it reads files of earlier versions, which no single line of source does",
	"TestHangingDaemon":         "no lock is held during a request, so none can be removed",
	"TestTerminatedInTheMiddle": "it passes without the wait that TestShutdownWaitsForCalls tests",
	"TestLogIsOneLineARequest":  "lines are quoted by package log/slog",
	"FuzzParseUnsignedSet":      "its seeds are whole sets; TestColdSetBytes has a mutant",
	"FuzzParseNextOutputSet":    "its seeds are whole sets; TestNextOutputSets has mutants",
	"FuzzParseSignedSet":        "its seeds are whole sets; TestColdSetBytes has a mutant",
}

const (
	chance   = "its timing is random"
	compared = "it compares with the real programs"
)

// TestLists: the text to remove is where the lists say, the attacks are in core/SECURITY.md, and each of the Go tests
// named there exists, with a mutant that it detects or a reason why it has no mutant.
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
		assert.True(t, slices.ContainsFunc(attacks, func(a string) bool {
			return strings.HasPrefix(a, m.attack)
		}), "%s: core/SECURITY.md has no such attack: %s", m.place, m.attack)
		for _, x := range m.tests {
			name, _, _ := strings.Cut(x.name, "/")
			require.Contains(t, tests[name], x.folder, "%s: there is no %s", m.place, name)
			noticed[name] = true
		}
	}
	for _, name := range named {
		require.NotEmpty(t, tests[name], "core/SECURITY.md names %s", name)
		assert.NotEqual(t, noticed[name], bare[name] != "",
			"%s needs a mutant in scripts/mutants/*.txt or a reason in bare, and not both",
			name)
	}
	for name := range bare {
		assert.Contains(t, named, name)
	}
}

// security returns the attacks of core/SECURITY.md, and the Go tests named with them.
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

// testsOf returns the folders of each test.
func testsOf(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	begins := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`)
	for _, top := range []string{"core", "bindings", "scripts"} {
		require.NoError(t,
			filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
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

// TestParse: lists are parsed as documented, and errors give the line.
func TestParse(t *testing.T) {
	all, err := parse("a.txt",
		"# why\n\nattack one\nfile a.go\n-x\n-y\n+z\n# and\n-w\nfile b.go\n-v\n+\n+u\n"+
			"test core/a TestA TestB/c\ntest core/b TestC\n\n"+
			"attack two\nfile a.go\n-x\ntest core/a TestA\n")
	require.NoError(t, err)
	require.Equal(t, []mutant{
		{
			"one", "a.txt:3", []edit{{"a.go", "x\ny", "z"}, {"a.go", "w", ""}, {"b.go", "v", "\nu"}},
			[]test{{"core/a", "TestA"}, {"core/a", "TestB/c"}, {"core/b", "TestC"}},
		},
		{"two", "a.txt:17", []edit{{"a.go", "x", ""}}, []test{{"core/a", "TestA"}}},
	}, all)
	for text, want := range map[string]string{
		"-x\n":                                "a.txt:1: begins with no attack",
		"attack one\n-x\n":                    "a.txt:2: no file is named",
		"attack one\nfile a.go\n+x\n":         "a.txt:3: neither",
		"attack one\nwords\n":                 "a.txt:2: neither",
		"attack one\nfile a.go\n-x\n":         "a.txt:1: removes nothing, or names no test",
		"attack one\nfile a\ntest core TestA": "a.txt:1: removes nothing, or names no test",
	} {
		_, err := parse("a.txt", text)
		require.ErrorContains(t, err, want)
	}
}

// TestApply: a moved defence is reported.
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

// TestVerdicts removes defences from a small module: one whose test fails, one whose test does not, and one without
// which nothing compiles. A compiler started by a test sees the same source.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module small\n\ngo 1.26\n",
		"a/a.go": `package a

func Allowed(n int) bool {
	if n > 3 {
		return false
	}
	return n != 2
}
`,
		"a/a_test.go": `package a

import "testing"

func TestAllowed(t *testing.T) {
	if Allowed(4) {
		t.Fatal()
	}
}
`,
		"b/b_test.go": `package b

import (
	"os/exec"
	"testing"
)

func TestBuilt(t *testing.T) {
	if exec.Command("go", "run", "../c").Run() != nil {
		t.Fatal()
	}
}
`,
		"c/main.go": `package main

import (
	"os"

	"small/a"
)

func main() {
	if a.Allowed(4) {
		os.Exit(1)
	}
}
`,
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
	require.NoError(t,
		healthy([]mutant{{edits: []edit{{"a/a.go", "n > 3", "false"}}, tests: append(allowed, built...)}}))
}
