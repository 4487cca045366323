// Command dependencies writes the list of what is built with, and under which licences.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// page is where the list is, from the root of the module.
const page = "scripts/dependencies/DEPENDENCIES.md"

// goModules and npmLocks are where dependencies are written down, with what they are for.
var goModules = [][2]string{
	{".", "the programs and their tests"},
	{"mobile/bind", "the tool that binds the engine for phones"},
	{"bindings/dropin/clients", "clients of others with which the service is tried"},
}
var npmLocks = [][2]string{
	{"web/sdk", "the package for pages: what builds and tests it; a page gets none of it"},
	{"web/wallet", "the web wallet"},
	{"web/extension", "the browser extension"},
	{"web/sdk/bench", "what the package is measured beside"},
	{"wasm/worker", "the runtime in which the gateway is tried"},
	{"bindings/dropin", "clients of others with which the service is tried"},
}

// requirements are what pip installs, with hashes.
var requirements = [][2]string{
	{"bindings/dropin/python", "a client of others with which the service is tried"},
}

func main() {
	text, err := list(".")
	if err == nil {
		err = os.WriteFile(page, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dependencies:", err)
		os.Exit(1)
	}
}

// dependency is a module or package of others.
type dependency struct{ name, version, licence, use string }

// list returns the page for the module at root.
func list(root string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# Dependencies\n\nWritten by `make gen` from `go.mod`, the locks of npm and the requirements of pip; a test holds it to them. Versions are fixed by the hashes in `go.sum`, in the locks and in the requirements.\n")
	linked, err := linkedModules(root)
	if err != nil {
		return nil, err
	}
	for _, m := range goModules {
		deps, err := ofGo(filepath.Join(root, m[0]), linked)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[0], err)
		}
		section(&b, "Go, "+m[0], m[1], deps)
	}
	for _, l := range npmLocks {
		deps, err := ofNPM(filepath.Join(root, l[0], "package-lock.json"), strings.HasPrefix(l[0], "web/") && l[0] != "web/sdk/bench")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l[0], err)
		}
		section(&b, "npm, "+l[0], l[1], deps)
	}
	for _, r := range requirements {
		deps, err := ofPip(filepath.Join(root, r[0]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r[0], err)
		}
		section(&b, "PyPI, "+r[0], r[1], deps)
	}
	return b.Bytes(), nil
}

func section(b *bytes.Buffer, title, use string, deps []dependency) {
	fmt.Fprintf(b, "\n## %s\n\nFor %s.\n\n| name | version | licence | |\n|---|---|---|---|\n", title, use)
	slices.SortFunc(deps, func(x, y dependency) int {
		return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.version, y.version))
	})
	for _, d := range slices.Compact(deps) {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", d.name, d.version, d.licence, d.use)
	}
}

// linkedModules returns the modules whose code is in the command.
func linkedModules(root string) (map[string]bool, error) {
	out, err := run(root, "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./bindings/glim")
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for name := range strings.FieldsSeq(string(out)) {
		found[name] = true
	}
	return found, nil
}

func run(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, said.String())
	}
	return out, nil
}

// ofGo reads a go.mod, and the licences from the modules themselves.
func ofGo(dir string, linked map[string]bool) (deps []dependency, err error) {
	text, err := run(dir, "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(text, &mod); err != nil {
		return nil, err
	}
	names := []string{"mod", "download", "-json"}
	for _, r := range mod.Require {
		if r.Version != "v0.0.0" { // which is this module, in the place that go.mod names
			names = append(names, r.Path+"@"+r.Version)
		}
	}
	text, err = run(dir, names...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return deps, nil
		} else if err != nil {
			return nil, err
		}
		licence, err := licenceOf(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		use := "tests and tools"
		if linked[m.Path] {
			use = "in the command"
		}
		deps = append(deps, dependency{m.Path, m.Version, licence, use})
	}
}

// licences are the ones known, by words that no other has. The longer come first.
var licences = [][2]string{
	{"GNU GENERAL PUBLIC LICENSE", "GPL-3.0"}, {"Apache License", "Apache-2.0"}, {"Mozilla Public License", "MPL-2.0"},
	{"Redistribution and use in source and binary forms", "BSD-3-Clause"}, {"Permission is hereby granted, free of charge", "MIT"},
}

func licenceOf(dir string) (string, error) {
	var found []string
	for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		for _, l := range licences {
			if bytes.Contains(text, []byte(l[0])) {
				found = append(found, l[1])
			}
		}
	}
	if len(found) == 0 {
		return "", errors.New("no licence that is known here")
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " AND "), nil
}

// ofPip reads the files of requirements in a folder; licences are not in them.
func ofPip(dir string) (deps []dependency, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no requirements: %w", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if name, version, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), " \\"), "=="); ok {
				deps = append(deps, dependency{name, version, "not said in the lock", "tests and tools"})
			}
		}
	}
	return deps, nil
}

// ofNPM reads a lock, which says licences. shipped is whether what it installs goes into what is built.
func ofNPM(file string, shipped bool) (deps []dependency, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev, Link        bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	for _, at := range slices.Sorted(maps.Keys(lock.Packages)) {
		p := lock.Packages[at]
		i := strings.LastIndex(at, "node_modules/")
		if i < 0 || p.Link {
			continue // our own
		}
		use := "tests and tools"
		if shipped && !p.Dev {
			use = "in what is built"
		}
		licence := p.License
		if licence == "" {
			licence = "not said in the lock"
		}
		deps = append(deps, dependency{at[i+len("node_modules/"):], p.Version, licence, use})
	}
	return deps, nil
}
