// Command linelength checks that no line of the sources is longer than 120 columns, where a tab counts as 4.
//
//	linelength [FOLDER...]
//
// It checks Go, TypeScript, JavaScript, Kotlin, Swift and shell sources that git tracks or would add, except those
// below the given folders. Generated files (marked "DO NOT EDIT"), testdata and the files of exempt may have longer
// lines.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	limit    = 120
	tabWidth = 4
)

// extensions are those of the checked languages. Shell scripts without an extension are found by their first line.
var extensions = []string{".go", ".ts", ".js", ".mjs", ".cjs", ".kt", ".kts", ".swift", ".sh"}

// exempt lists files that may have longer lines, with the reason.
var exempt = map[string]string{}

var (
	shell     = regexp.MustCompile(`^#!.*\b(ba|da|z)?sh\b`)
	generated = regexp.MustCompile(`(?m)^(//|#|/\*) ?Code generated .* DO NOT EDIT\.`)
)

func main() {
	long, err := check(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "linelength:", err)
		os.Exit(2)
	}
	for _, line := range long {
		fmt.Fprintln(os.Stderr, line)
	}
	if len(long) > 0 {
		fmt.Fprintf(os.Stderr, "linelength: please wrap these %d lines at %d columns (a tab counts as %d)\n",
			len(long), limit, tabWidth)
		os.Exit(1)
	}
}

// check returns the long lines of all sources of the current checkout, except those below the folders.
func check(except []string) (long []string, err error) {
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		below := func(folder string) bool {
			return strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
		}
		if name == "" || slices.ContainsFunc(except, below) || exempt[name] != "" || !mayBeSource(name) {
			continue
		}
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		if err != nil {
			return nil, err
		}
		long = append(long, longLines(name, text)...)
	}
	return long, nil
}

// mayBeSource reports whether a file may be a source by its name.
func mayBeSource(name string) bool {
	if slices.Contains(strings.Split(path.Dir(name), "/"), "testdata") {
		return false
	}
	extension := path.Ext(name)
	return extension == "" || slices.Contains(extensions, extension)
}

// longLines returns the long lines of a file as "name:line: columns", if it is a source that is not generated.
func longLines(name string, text []byte) (long []string) {
	if path.Ext(name) == "" && !shell.Match(text) || generated.Match(text[:min(len(text), 1024)]) {
		return nil
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		columns := utf8.RuneCount(line) + (tabWidth-1)*bytes.Count(line, []byte("\t"))
		if columns > limit {
			long = append(long, fmt.Sprintf("%s:%d: %d columns", name, number, columns))
		}
	}
	return long
}
