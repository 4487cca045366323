package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mutant is a removed defence, and the tests that must fail without it.
type mutant struct {
	attack string // the start of its line in core/SECURITY.md
	place  string // file and line in the list
	edits  []edit
	tests  []test
}

// edit replaces a piece of source.
type edit struct{ file, old, new string }

// test is a test that must fail, and the folder of its package.
type test struct{ folder, name string }

// readLists returns the mutants of all lists, the files *.txt in folder, in the order of their names.
func readLists(folder string) ([]mutant, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		ms, err := parse(filepath.Base(name), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, ms...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no mutants in %s", folder)
	}
	return all, nil
}

// parse reads a list in the format of the package comment. Consecutive lines of - are one piece of source, without the
// last newline; lines of + after them are the replacement. A file applies until the next one is named.
func parse(name, text string) ([]mutant, error) {
	var all []mutant
	var m *mutant
	var e *edit
	file, last := "", byte(' ')
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		wrong := func(what string) error { return fmt.Errorf("%s:%d: %s", name, i+1, what) }
		word, rest, _ := strings.Cut(line, " ")
		first := byte(' ')
		if line != "" {
			first = line[0]
		}
		if m == nil && first != ' ' && first != '#' && word != "attack" {
			return nil, wrong("begins with no attack")
		}
		switch {
		case first == ' ' && line == "" || first == '#':
		case first == '-':
			if file == "" {
				return nil, wrong("no file is named")
			}
			if last != '-' {
				m.edits = append(m.edits, edit{file: file, old: line[1:]})
				e = &m.edits[len(m.edits)-1]
			} else {
				e.old += "\n" + line[1:]
			}
		case first == '+' && last == '-':
			e.new = line[1:]
		case first == '+' && last == '+':
			e.new += "\n" + line[1:]
		case word == "attack":
			all = append(all, mutant{attack: rest, place: fmt.Sprintf("%s:%d", name, i+1)})
			m, file = &all[len(all)-1], ""
		case word == "file":
			file = rest
		case word == "test":
			folder, tests, _ := strings.Cut(rest, " ")
			for t := range strings.FieldsSeq(tests) {
				m.tests = append(m.tests, test{folder, t})
			}
		default:
			return nil, wrong("neither attack, file, test, -, + nor #")
		}
		last = first
	}
	for _, m := range all {
		if len(m.edits) == 0 || len(m.tests) == 0 {
			return nil, fmt.Errorf("%s: removes nothing, or names no test", m.place)
		}
	}
	return all, nil
}

// apply returns the changed files of the mutant, by path from root. It returns an error if the text to remove does not
// occur exactly once: the defence was moved, and the list must be updated.
func (m mutant) apply(root string) (map[string]string, error) {
	changed := map[string]string{}
	var errs []error
	for _, e := range m.edits {
		text, ok := changed[e.file]
		if !ok {
			b, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", m.place, err))
				continue
			}
			text = string(b)
		}
		if n := strings.Count(text, e.old); n != 1 {
			errs = append(errs, fmt.Errorf("%s: found %d times in %s, not once:\n%s", m.place, n, e.file, e.old))
			continue
		}
		changed[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	return changed, errors.Join(errs...)
}
