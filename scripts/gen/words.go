package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"glim/scripts/gen/describe"
)

// humps returns a member name, such as unlocked_balance, in camel case.
func humps(name string) string {
	parts := strings.Split(name, "_")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}

// lower returns a name with its initial capitals in lower case: GetBalance, RPCInternal.
func lower(name string) string {
	r := []rune(name)
	for i := range r {
		if !unicode.IsUpper(r[i]) || i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// shout returns a camel-case name as a constant: WrongURI is WRONG_URI.
func shout(name string) string {
	var b strings.Builder
	r := []rune(name)
	for i := range r {
		if i > 0 && unicode.IsUpper(r[i]) && (unicode.IsLower(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r[i]))
	}
	return b.String()
}

// wrapped returns the text of a comment in lines of a width, at least one.
func wrapped(text string, width int) (lines []string) {
	for p := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(p) {
			if line != "" && len(line)+1+len(word) > width {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}

// absent returns the JSON default of an absent member of a request; empty if the member is omitted.
func absent(f describe.Field) string {
	switch {
	case f.Default != "":
		return f.Default
	case f.Nullable || f.Optional:
		return ""
	}
	switch f.Value.Kind {
	case describe.Bool:
		return "false"
	case describe.Integer, describe.Big, describe.Float:
		return "0"
	case describe.String:
		return `""`
	case describe.List:
		return "[]"
	}
	return ""
}

// may reports whether a member is optional where others are required.
func may(f describe.Field) bool {
	return f.Nullable || f.Optional && f.Value.Kind != describe.List || f.Value.Kind == describe.JSON
}

// isEmpty reports whether a value is an object without members: a request that need not be given, or an empty answer.
func isEmpty(s *describe.Service, v describe.Value) bool {
	return v.Kind == describe.Object && len(s.Find(v.Type).Fields) == 0
}

// secret reports whether values of a type hold secrets that must not be logged. Their descriptions do not show the
// contents.
func secret(t *describe.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f describe.Field) bool {
		return slices.ContainsFunc([]string{"password", "seed", "viewkey", "spendkey", "tx_key", "multisig_info"},
			func(word string) bool {
				return strings.Contains(f.Name, word)
			}) && f.Value.Kind != describe.Bool || f.Name == "key" && f.Value.Kind == describe.String
	})
}

// once panics if two members of a type have the same name in a language, and so need other names.
func once(t *describe.Type, names []string) {
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			panic(fmt.Sprintf("gen: two members of %s would be called %s", t.Name, n))
		}
	}
}
