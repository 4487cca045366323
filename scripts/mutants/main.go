// Command mutants removes the defences of core/SECURITY.md from the source, one at a time, and checks that the tests
// named with them fail.
//
// The lists are the files *.txt in this folder. An entry is
//
//	attack the start of the attack's line in core/SECURITY.md
//	file path/of/the/defence.go
//	-the text to remove, exactly, which must occur once
//	+its replacement, if any
//	test folder/of/the/package TestThatMustFail TestAnother/with_a_part
//
// with any number of lines of each kind: two defences against one attack, each of which is sufficient, are removed
// together. Lines of # explain. The source is not changed: the compiler, and every compiler that a test starts, reads
// other files instead (go help build, -overlay).
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// folder is the path of the lists from the root of the module.
const folder = "scripts/mutants"

func main() {
	only := flag.String("only", "",
		"only defences whose attack, files, tests or place in the lists contain this text")
	verbose := flag.Bool("v", false, "show what the tests say")
	compile := flag.Bool("compile", false, "only check that the source still compiles")
	flag.Parse()
	if err := run(*only, *verbose, *compile); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(only string, verbose, compile bool) error {
	all, err := readLists(folder)
	if err != nil {
		return err
	}
	if all = chosen(all, only); len(all) == 0 {
		return fmt.Errorf("no entry contains %q", only)
	}
	try, want := mutant.try, killed
	if compile {
		try, want = mutant.compile, compiled
	} else if err := healthy(all); err != nil {
		return err
	}
	good := 0
	for _, m := range all {
		began := time.Now()
		v, said, err := try(m)
		if err != nil {
			return err
		}
		if v == want {
			good++
		}
		fmt.Printf("%-16s %3.0f s  %-15s %s: %s\n", v, time.Since(began).Seconds(), m.place, m.files(), m.attack)
		if v != want || verbose {
			fmt.Println(said)
		}
	}
	fmt.Printf("%d defences removed: %d %s\n", len(all), good, want)
	if n := len(all) - good; n > 0 {
		return fmt.Errorf("%d were not %s", n, want)
	}
	return nil
}

// verdict is the result of a mutant.
type verdict string

const (
	killed   verdict = "killed"
	survived verdict = "SURVIVED"
	broken   verdict = "does not compile"
	compiled verdict = "compiles"
)

// chosen returns the mutants that contain a text.
func chosen(all []mutant, only string) []mutant {
	var some []mutant
	for _, m := range all {
		if strings.Contains(fmt.Sprint(m.place, m.attack, m.edits, m.tests), only) {
			some = append(some, m)
		}
	}
	return some
}

// files returns the names of the changed files.
func (m mutant) files() string {
	var names []string
	for i, e := range m.edits {
		if i == 0 || m.edits[i-1].file != e.file {
			names = append(names, e.file)
		}
	}
	return strings.Join(names, ", ")
}

// healthy runs all named tests with the unchanged source: a test that fails anyway detects nothing.
func healthy(all []mutant) error {
	tests := map[string][]string{}
	seen := map[test]bool{}
	for _, m := range all {
		if _, err := m.apply("."); err != nil {
			return err
		}
		for _, t := range m.tests {
			if !seen[t] {
				tests[t.folder] = append(tests[t.folder], t.name)
			}
			seen[t] = true
		}
	}
	for folder, names := range tests {
		if v, said := goTest("", folder, names...); v != survived {
			return fmt.Errorf("fails with the unchanged source:\n%s", said)
		}
	}
	return nil
}

// try removes the defence, runs each of the tests that must fail, and returns the worst verdict and its output.
func (m mutant) try() (verdict, string, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir)
	if err != nil {
		return "", "", err
	}
	var all strings.Builder
	for _, t := range m.tests {
		v, said := goTest(overlay, t.folder, t.name)
		fmt.Fprintf(&all, "%s: %s\n%s", t.name, v, said)
		if v != killed {
			return v, all.String(), nil
		}
	}
	return killed, all.String(), nil
}

// compile builds the packages that the mutant changes.
func (m mutant) compile() (verdict, string, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir)
	if err != nil {
		return "", "", err
	}
	args := []string{"build", "-o", os.DevNull, "-overlay", overlay}
	for _, e := range m.edits {
		args = append(args, "./"+filepath.ToSlash(filepath.Dir(e.file)))
	}
	said, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		return broken, string(said), nil
	}
	return compiled, "", nil
}

// overlay writes the changed files and their list for go build into dir, and returns the path of the list.
func (m mutant) overlay(dir string) (string, error) {
	changed, err := m.apply(".")
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range changed {
		from, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		to := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[from] = to
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

// goTest runs tests of a folder, with an overlay unless it is empty. Fuzz targets run with their seed inputs.
func goTest(overlay, folder string, names ...string) (verdict, string) {
	for i, name := range names {
		names[i] = "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	}
	// Without -count=1 the result may be cached: go test does not know that a test which starts a compiler depends on
	// the overlay.
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout=20m", "-run", strings.Join(names, "|"),
		"./"+folder)
	cmd.Env = os.Environ()
	if overlay != "" {
		cmd.Env = append(cmd.Env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	said, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return survived, string(said)
	case bytes.Contains(said, []byte("[build failed]")) || bytes.Contains(said, []byte("[setup failed]")):
		return broken, string(said)
	default:
		return killed, string(said)
	}
}
