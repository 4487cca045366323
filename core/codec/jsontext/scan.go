// Package jsontext finds values in JSON text (RFC 8259) and checks them; what they mean is the caller's business. It takes and
// refuses what encoding/json does, at a tenth of the code.
package jsontext

import "errors"

// MaxDepth bounds how deep arrays and objects nest.
const MaxDepth = 10000

// ErrSyntax reports text that is no JSON, or not of the kind asked for.
var ErrSyntax = errors.New("jsontext: malformed JSON")

// Valid reports whether b is one value, with white space around it or none.
func Valid(b []byte) bool {
	end, ok := value(b, space(b, 0))
	return ok && space(b, end) == len(b)
}

// Object calls member for each member of the object b is, in order, with the name and the text of the value; of a name that comes
// twice as often. Both are valid until b changes. Errors: ErrSyntax, and what member returns ends it.
func Object(b []byte, member func(name, value []byte) error) error {
	i, ok := opens(b, '{')
	if !ok {
		return ErrSyntax
	}
	for first := true; ; first = false {
		i = space(b, i)
		if i < len(b) && b[i] == '}' {
			return ends(b, i+1)
		}
		if !first {
			if i >= len(b) || b[i] != ',' {
				return ErrSyntax
			}
			i = space(b, i+1)
		}
		start := i
		if i, ok = text(b, i); !ok {
			return ErrSyntax
		}
		name := b[start:i]
		if i = space(b, i); i >= len(b) || b[i] != ':' {
			return ErrSyntax
		}
		start = space(b, i+1)
		if i, ok = value(b, start); !ok {
			return ErrSyntax
		}
		if plain(name[1 : len(name)-1]) {
			name = name[1 : len(name)-1]
		} else {
			name = unquote(name[1 : len(name)-1])
		}
		if err := member(name, b[start:i:i]); err != nil {
			return err
		}
	}
}

// Array calls element for each element of the array b is, in order, with its text, which is valid until b changes.
// Errors: ErrSyntax, and what element returns ends it.
func Array(b []byte, element func(value []byte) error) error {
	i, ok := opens(b, '[')
	if !ok {
		return ErrSyntax
	}
	for first := true; ; first = false {
		i = space(b, i)
		if i < len(b) && b[i] == ']' {
			return ends(b, i+1)
		}
		if !first {
			if i >= len(b) || b[i] != ',' {
				return ErrSyntax
			}
			i = space(b, i+1)
		}
		start := i
		if i, ok = value(b, start); !ok {
			return ErrSyntax
		}
		if err := element(b[start:i:i]); err != nil {
			return err
		}
	}
}

// opens returns where the inside of an object or an array begins.
func opens(b []byte, bracket byte) (int, bool) {
	i := space(b, 0)
	return i + 1, i < len(b) && b[i] == bracket
}

// ends refuses more than white space after a value.
func ends(b []byte, i int) error {
	if space(b, i) != len(b) {
		return ErrSyntax
	}
	return nil
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// value returns where the value that begins at i ends. What nests is counted, not recursed into: in a browser the stack is short.
func value(b []byte, i int) (end int, ok bool) {
	var few [32]byte
	open := few[:0] // brackets that are not closed yet
	for {
		if i >= len(b) {
			return 0, false
		}
		switch c := b[i]; c {
		case '{', '[':
			if len(open) == MaxDepth {
				return 0, false
			}
			if i = space(b, i+1); i < len(b) && b[i] == c+2 { // the closing bracket's code
				i, ok = i+1, true
				break
			}
			open = append(open, c)
			if c == '{' {
				if i, ok = colon(b, i); !ok {
					return 0, false
				}
			}
			continue
		case '"':
			i, ok = text(b, i)
		case 't':
			i, ok = literal(b, i, "true")
		case 'f':
			i, ok = literal(b, i, "false")
		case 'n':
			i, ok = literal(b, i, "null")
		default:
			i, ok = number(b, i)
		}
		if !ok {
			return 0, false
		}
		next := false
		for !next {
			if len(open) == 0 {
				return i, true
			}
			c := open[len(open)-1]
			switch i = space(b, i); {
			case i < len(b) && b[i] == ',':
				i = space(b, i+1)
				if c == '{' {
					if i, ok = colon(b, i); !ok {
						return 0, false
					}
				}
				next = true
			case i < len(b) && b[i] == c+2:
				open = open[:len(open)-1]
				i++
			default:
				return 0, false
			}
		}
	}
}

// colon returns where the value of the member begins whose name begins at i.
func colon(b []byte, i int) (int, bool) {
	i, ok := text(b, i)
	if i = space(b, i); !ok || i >= len(b) || b[i] != ':' {
		return 0, false
	}
	return space(b, i+1), true
}

// text returns where the string ends that begins at i.
func text(b []byte, i int) (int, bool) {
	if i >= len(b) || b[i] != '"' {
		return 0, false
	}
	for i++; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1, true
		case c < ' ':
			return 0, false
		case c == '\\':
			if i++; i >= len(b) {
				return 0, false
			}
			switch b[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if _, ok := hex(b[i+1:]); !ok {
					return 0, false
				}
				i += 4
			default:
				return 0, false
			}
		}
	}
	return 0, false
}

func literal(b []byte, i int, word string) (int, bool) {
	end := i + len(word)
	return end, end <= len(b) && string(b[i:end]) == word
}

func number(b []byte, i int) (int, bool) {
	digits := func() bool {
		start := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(b) && b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if !digits() {
		return 0, false
	}
	if i < len(b) && b[i] == '.' {
		if i++; !digits() {
			return 0, false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return 0, false
		}
	}
	return i, true
}
