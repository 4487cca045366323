// Command mutants takes the remedies of core/SECURITY.md out of the source, one at a time, and sees the tests fail that are named beside them.
//
// The lists are the files *.txt beside this one. An entry is
//
//	attack the beginning of the attack's line in core/SECURITY.md
//	file path/of/the/remedy.go
//	-the text that is taken out, exactly, and found once
//	+what stands there instead, if anything
//	test folder/of/the/package TestThatMustFail TestAnother/with_a_part
//
// with as many lines of each kind as it takes: two remedies for one attack, of which each is enough, are taken out together. Lines of # say why.
// No source is changed: the compiler is told to read other files in their place (go help build, -overlay), and so is every compiler that a test starts.
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

// folder is where the lists are, from the root of the module.
const folder = "scripts/mutants"

func main() {
	only := flag.String("only", "", "take out those alone whose attack, files, tests or place in the lists contain this")
	verbose := flag.Bool("v", false, "show what the tests say")
	compile := flag.Bool("compile", false, "see only that what is left compiles")
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
	fmt.Printf("%d remedies taken out: %d %s\n", len(all), good, want)
	if n := len(all) - good; n > 0 {
		return fmt.Errorf("%d were not %s", n, want)
	}
	return nil
}

// verdict is what became of a mutant.
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

// files names what is changed.
func (m mutant) files() string {
	var names []string
	for i, e := range m.edits {
		if i == 0 || m.edits[i-1].file != e.file {
			names = append(names, e.file)
		}
	}
	return strings.Join(names, ", ")
}

// healthy runs every test that is named with the source as it is: one that fails anyway notices nothing.
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
			return fmt.Errorf("fails with nothing taken out:\n%s", said)
		}
	}
	return nil
}

// try takes the remedy out, runs the tests that must fail, each alone, and returns what the least of them did and said.
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

// overlay writes the changed files into dir, with the list of them that go build takes, and returns that list's path.
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

// goTest runs tests of a folder, with an overlay unless that is empty. Fuzz targets run with the inputs they begin with.
func goTest(overlay, folder string, names ...string) (verdict, string) {
	for i, name := range names {
		names[i] = "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	}
	// Without -count=1 a result may come from the cache: go test does not know that a test which starts a compiler depends on the overlay.
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout=20m", "-run", strings.Join(names, "|"), "./"+folder)
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
