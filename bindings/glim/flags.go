package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// flag is a command-line flag of a command with configuration C.
type flag[C any] struct {
	name  string
	arg   string // name of the value in help texts; empty for a boolean flag
	help  string
	group string // empty for a flag of the reference that has no effect or is rejected; then help is the reason
	// apply stores the value in the configuration. The value of a boolean flag is "true" or "false".
	apply func(c *C, value string) error
}

// text stores a flag's value where p points.
func text[C any](p func(*C) *string) func(*C, string) error {
	return func(c *C, v string) error { *p(c) = v; return nil }
}

// boolean stores a boolean flag where p points.
func boolean[C any](p func(*C) *bool) func(*C, string) error {
	return func(c *C, v string) error { *p(c) = v == "true"; return nil }
}

// number stores a flag's value, an unsigned number of at most bits bits, where p points.
func number[C any, N uint8 | uint16 | int | uint32 | int64 | uint64](p func(*C) *N, bits int) func(*C, string) error {
	return func(c *C, v string) error {
		n, err := strconv.ParseUint(v, 10, bits)
		if err != nil {
			return fmt.Errorf("%q is not a number below 2^%d", v, bits)
		}
		*p(c) = N(n)
		return nil
	}
}

// errUsage marks errors after which the usage of the command is printed.
var errUsage = errors.New("see --help")

// unknown returns the error for an unknown flag, with the most similar flag as a suggestion.
func unknown[C any](flags []flag[C], name string) error {
	meant, least := "", 3
	for _, f := range flags {
		if d := distance(name, f.name, least); d < least {
			meant, least = f.name, d
		}
	}
	if meant == "" {
		return fmt.Errorf("unknown flag --%s: %w", name, errUsage)
	}
	return fmt.Errorf("unknown flag --%s, did you mean --%s? %w", name, meant, errUsage)
}

// distance returns the Levenshtein distance of two names, or limit if it is at least limit.
func distance(a, b string, limit int) int {
	if max(len(a), len(b))-min(len(a), len(b)) >= limit {
		return limit
	}
	row := make([]int, len(b)+1) // distances of the first letters of a to each prefix of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, before+1, row[j]+1)
		}
	}
	return min(row[len(b)], limit)
}

// value is a flag with its value, as given.
type value struct{ name, text string }

// splitFlags parses arguments in the reference's style: --flag value, --flag=value, or --flag; -h means --help. A name
// may be abbreviated while it is unambiguous.
func splitFlags[C any](args []string, flags []flag[C]) ([]value, error) {
	var values []value
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if a == "-h" {
			a = "--help"
		}
		name, text, joined := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		if !strings.HasPrefix(a, "--") || name == "" {
			// The argument is not printed: it may be part of an unquoted password.
			return nil, fmt.Errorf("unexpected argument that is not a flag: %w", errUsage)
		}
		f, err := completeFlag(flags, name)
		if err != nil {
			return nil, err
		}
		name = f.name
		switch {
		case f.arg == "" && !joined:
			text = "true"
		case f.arg == "":
			if text, err = boolText(name, text); err != nil {
				return nil, err
			}
		case !joined && len(args) == 0:
			return nil, fmt.Errorf("--%s requires a value: %w", name, errUsage)
		case !joined:
			text, args = args[0], args[1:]
		}
		values = append(values, value{name, text})
	}
	return values, nil
}

func findFlag[C any](flags []flag[C], name string) *flag[C] {
	for i := range flags {
		if flags[i].name == name {
			return &flags[i]
		}
	}
	return nil
}

// glimOnly begins the note in the help of flags that the reference does not have.
const glimOnly = "(glim only"

// completeFlag returns the flag with this name, or the only one that begins with it. Flags of the reference take
// precedence over those of glim, so that an abbreviation which the reference accepts stays unambiguous.
// Source: Boost.Program_options, allow_guessing, which the reference leaves enabled.
func completeFlag[C any](flags []flag[C], name string) (*flag[C], error) {
	if f := findFlag(flags, name); f != nil {
		return f, nil
	}
	var ours, theirs []*flag[C]
	for i := range flags {
		switch f := &flags[i]; {
		case !strings.HasPrefix(f.name, name):
		case strings.Contains(f.help, glimOnly):
			ours = append(ours, f)
		default:
			theirs = append(theirs, f)
		}
	}
	candidates := theirs
	if len(candidates) == 0 {
		candidates = ours
	}
	switch len(candidates) {
	case 0:
		return nil, unknown(flags, name)
	case 1:
		return candidates[0], nil
	}
	var names []string
	for _, f := range candidates {
		names = append(names, "--"+f.name)
	}
	return nil, fmt.Errorf("--%s is ambiguous: %s: %w", name, strings.Join(names, ", "), errUsage)
}

func boolText(name, text string) (string, error) {
	switch strings.ToLower(text) {
	case "1", "true", "yes", "on":
		return "true", nil
	case "0", "false", "no", "off":
		return "false", nil
	}
	return "", fmt.Errorf("--%s does not take a value: %w", name, errUsage)
}

// splitConfigFile parses a configuration file of the reference: lines of name=value, where # begins a comment.
func splitConfigFile[C any](text string, flags []flag[C]) ([]value, error) {
	var values []value
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, commented := strings.Cut(line, "#")
		// Whether # follows a character other than a space.
		joined := commented && line != "" && !strings.ContainsAny(line[len(line)-1:], " \t")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, v, ok := strings.Cut(line, "=")
		name, v = strings.TrimSpace(name), strings.TrimSpace(v)
		f := findFlag(flags, name)
		switch {
		case name == configFlag:
			return nil, fmt.Errorf("line %d: %s is not allowed in a configuration file", n, name)
		case f == nil && ok:
			return nil, fmt.Errorf("line %d: %w", n, unknown(flags, name))
		case f == nil: // the line is not printed: it may be part of a password
			return nil, fmt.Errorf("line %d: must be name=value: %w", n, errUsage)
		}
		if joined && (strings.Contains(f.arg, "PASSWORD") || f.name == "password") {
			return nil, fmt.Errorf("line %d: # begins a comment and cannot be part of a password here; "+
				"put a space before it if it is meant as a comment", n)
		}
		if f.arg == "" {
			if v == "" { // "no-dns" and "no-dns=" mean the same
				v = "true"
			}
			var err error
			if v, err = boolText(name, v); err != nil {
				return nil, fmt.Errorf("line %d: %s must be true or false", n, name)
			}
		}
		values = append(values, value{name, v})
	}
	return values, nil
}

// configFlag is the flag that names a configuration file.
const configFlag = "config-file"

// readFlags parses the arguments after a command's name into c, and the file that --config-file names. A flag on the
// command line replaces the same flag in the file. readFile is that of the operating system.
func readFlags[C any](c *C, args []string, flags []flag[C], readFile func(string) ([]byte, error)) error {
	values, err := splitFlags(args, flags)
	if err != nil {
		return err
	}
	given, file := map[string]bool{}, ""
	for _, v := range values {
		given[v.name] = true
		if v.name == configFlag {
			file = v.text
		}
	}
	if file != "" {
		b, err := readFile(file)
		if err != nil {
			return fmt.Errorf("--%s: %w", configFlag, err)
		}
		more, err := splitConfigFile(string(b), flags)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		values = append(slices.DeleteFunc(more, func(v value) bool { return given[v.name] }), values...)
	}
	for _, v := range values {
		if err := findFlag(flags, v.name).apply(c, v.text); err != nil {
			return fmt.Errorf("--%s: %w", v.name, err)
		}
	}
	return nil
}

// taken accepts a flag of the reference that requests the default behaviour.
func taken[C any](name, arg, why string) flag[C] {
	return flag[C]{name: name, arg: arg, help: why, apply: func(*C, string) error { return nil }}
}

// without accepts a flag of the reference that has no effect here, and adds a warning with the reason.
func without[C any](name, arg, why string, warnings func(*C) *[]string) flag[C] {
	return flag[C]{name: name, arg: arg, help: why, apply: func(c *C, v string) error {
		if v != "false" {
			*warnings(c) = append(*warnings(c), "--"+name+" has no effect here: "+why)
		}
		return nil
	}}
}

// helpWidth is the maximum length of lines of help.
const helpWidth = 110

// indented wraps a help text. All lines but the first are indented to column, where the first line is to be printed.
func indented(text string, column int) string {
	return strings.Join(wrap(text, helpWidth-column), "\n"+strings.Repeat(" ", column))
}

// printFlags prints the flags with their help by group.
func printFlags[C any](w io.Writer, flags []flag[C]) {
	const helpColumn = 41
	group := ""
	for _, f := range flags {
		if f.group == "" {
			continue
		}
		if f.group != group {
			group = f.group
			fmt.Fprintf(w, "\n%s\n", group)
		}
		left := "--" + f.name
		if f.arg != "" {
			left += " " + f.arg
		}
		fmt.Fprintf(w, "  %-38s %s\n", left, indented(f.help, helpColumn))
	}
}

// printOthers prints the names of the reference's flags that have no effect. The log names the reason when one is used.
func printOthers[C any](w io.Writer, flags []flag[C]) {
	var names []string
	for _, f := range flags {
		if f.group == "" {
			names = append(names, "--"+f.name)
		}
	}
	slices.Sort(names)
	fmt.Fprintf(w, "\nAccepted without effect\n  %s\n", indented(strings.Join(names, " "), 2))
}
