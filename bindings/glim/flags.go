package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// flag is one command-line option of a command whose configuration is a C.
type flag[C any] struct {
	name  string
	arg   string // what the value is, for help; empty for a flag without one
	help  string
	group string // empty for a flag of the reference's that changes nothing or is refused; then help says why
	// apply writes the value into the configuration; "true" or "false" for a flag without one.
	apply func(c *C, value string) error
}

// text writes a flag's value where p points.
func text[C any](p func(*C) *string) func(*C, string) error {
	return func(c *C, v string) error { *p(c) = v; return nil }
}

// boolean writes whether a flag was given where p points.
func boolean[C any](p func(*C) *bool) func(*C, string) error {
	return func(c *C, v string) error { *p(c) = v == "true"; return nil }
}

// number writes a flag's value, a whole number of so many bits, where p points.
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

// errUsage marks errors after which the person wants to see how the command is used.
var errUsage = errors.New("see --help")

// unknown returns the error for a flag that is not there, with the one that was probably meant.
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
	return fmt.Errorf("unknown flag --%s, is --%s meant? %w", name, meant, errUsage)
}

// distance returns how many letters have to be put in, taken out or replaced to make one name of another; enough, when it is as much or more.
func distance(a, b string, enough int) int {
	if max(len(a), len(b))-min(len(a), len(b)) >= enough {
		return enough
	}
	row := make([]int, len(b)+1) // from the letters of a so far to those of b up to each
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
	return min(row[len(b)], enough)
}

// value is what one flag was given, in the order it came.
type value struct{ name, text string }

// splitFlags reads arguments in the reference's style: --flag value, --flag=value, and flags alone; -h is --help. A flag's name may be
// shortened as long as one flag alone begins so. Whether a flag takes a value comes from flags.
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
			// Not shown: it may be half of a password that wanted quotes.
			return nil, fmt.Errorf("an argument is no flag and no flag's value: %w", errUsage)
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
			return nil, fmt.Errorf("--%s needs a value: %w", name, errUsage)
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

// completeFlag returns the flag that name is, or that name abbreviates. Where several flags begin so, those of the reference count alone: a
// flag of ours must not make a command line ambiguous that starts the reference.
// Source of the rule: Boost.Program_options, allow_guessing, which the reference leaves on.
func completeFlag[C any](flags []flag[C], name string) (*flag[C], error) {
	if f := findFlag(flags, name); f != nil {
		return f, nil
	}
	var ours, theirs []*flag[C]
	for i := range flags {
		switch f := &flags[i]; {
		case !strings.HasPrefix(f.name, name):
		case strings.Contains(f.help, "(ours"):
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
	return "", fmt.Errorf("--%s takes no value: %w", name, errUsage)
}

// splitConfigFile reads lines of name=value, the reference's configuration files; # begins a comment.
func splitConfigFile[C any](text string, flags []flag[C]) ([]value, error) {
	var values []value
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, commented := strings.Cut(line, "#")
		behind := commented && line != "" && !strings.ContainsAny(line[len(line)-1:], " \t") // a sign without a space before it
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, v, ok := strings.Cut(line, "=")
		name, v = strings.TrimSpace(name), strings.TrimSpace(v)
		f := findFlag(flags, name)
		switch {
		case name == configFlag:
			return nil, fmt.Errorf("line %d: %s cannot be in a file", n, name)
		case f == nil && ok:
			return nil, fmt.Errorf("line %d: %w", n, unknown(flags, name))
		case f == nil: // not shown: it may be half of a password
			return nil, fmt.Errorf("line %d: not name=value of a flag: %w", n, errUsage)
		}
		if behind && (strings.Contains(f.arg, "PASSWORD") || f.name == "password") {
			return nil, fmt.Errorf("line %d: # begins a comment, and is no part of a password here; with a space before it, it is meant as a comment", n)
		}
		if f.arg == "" {
			if v == "" { // "no-dns" and "no-dns=" alike
				v = "true"
			}
			var err error
			if v, err = boolText(name, v); err != nil {
				return nil, fmt.Errorf("line %d: %s takes true or false", n, name)
			}
		}
		values = append(values, value{name, v})
	}
	return values, nil
}

// configFlag is the flag that names a file of flags.
const configFlag = "config-file"

// readFlags reads the arguments after a command's name into c, and before them the file that --config-file names: what the command
// line says about a flag holds, and of the file nothing about that flag. readFile is the system's.
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

// taken accepts a flag of the reference that asks for what is so anyway.
func taken[C any](name, arg, why string) flag[C] {
	return flag[C]{name: name, arg: arg, help: why, apply: func(*C, string) error { return nil }}
}

// without accepts a flag of the reference that has no effect here, and says so in the log.
func without[C any](name, arg, why string, warnings func(*C) *[]string) flag[C] {
	return flag[C]{name: name, arg: arg, help: why, apply: func(c *C, v string) error {
		if v != "false" {
			*warnings(c) = append(*warnings(c), "--"+name+" has no effect here")
		}
		return nil
	}}
}

// refused knows a flag of the reference that must not be passed over: what it asks for would silently not hold.
func refused[C any](name, arg, why string) flag[C] {
	return flag[C]{name: name, arg: arg, help: why, apply: func(_ *C, v string) error {
		if v == "false" && arg == "" {
			return nil
		}
		return fmt.Errorf("not supported: %s", why)
	}}
}

// helpWidth is how long lines of help are.
const helpWidth = 110

// indented breaks a text into lines for help, of which those behind the first begin at a column; the first is to be written there.
func indented(text string, column int) string {
	return strings.Join(wrap(text, helpWidth-column), "\n"+strings.Repeat(" ", column))
}

// printFlags writes the flags for people, group by group.
func printFlags[C any](w io.Writer, flags []flag[C]) {
	const at = 41 // where what a flag does begins
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
		fmt.Fprintf(w, "  %-38s %s\n", left, indented(f.help, at))
	}
}

// printOthers writes the names of flags of the reference's that change nothing, or are refused, as people read them: why is told who uses
// one.
func printOthers[C any](w io.Writer, flags []flag[C]) {
	var kinds [2][]string
	for _, f := range flags {
		var c C
		if f.group != "" {
			continue
		}
		kind := 0
		if err := f.apply(&c, "true"); err != nil && strings.HasPrefix(err.Error(), "not supported") {
			kind = 1
		}
		kinds[kind] = append(kinds[kind], "--"+f.name)
	}
	for i, what := range []string{"Taken, and without effect here", "Refused, with the reason"} {
		if len(kinds[i]) == 0 {
			continue
		}
		slices.Sort(kinds[i])
		fmt.Fprintf(w, "\n%s\n  %s\n", what, indented(strings.Join(kinds[i], " "), 2))
	}
}
