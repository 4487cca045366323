// Package jsontext checks JSON text (RFC 8259) and finds the values in it, without decoding them into Go types. It
// accepts the same texts as encoding/json, with a tenth of the code.
package jsontext

import "errors"

// MaxDepth is the maximum nesting depth of arrays and objects.
const MaxDepth = 10000

// ErrSyntax reports text that is not JSON, or a value of another type than requested.
var ErrSyntax = errors.New("jsontext: malformed JSON")

// Valid reports whether b is one JSON value, optionally surrounded by white space.
func Valid(b []byte) bool {
	r := Reader{Text: b}
	end, ok := r.value(space(b, 0))
	return ok && space(b, end) == len(b)
}

// Object calls member for each member of the JSON object b, in order, with its name and the text of its value.
// Duplicate names are not removed. name and value are valid until b changes. An error of member ends the iteration and
// is returned; otherwise Object returns ErrSyntax if b is not an object.
func Object(b []byte, member func(name, value []byte) error) error {
	r := Reader{Text: b}
	return r.CheckEnd(r.Object(0, func(name []byte, i int) (int, error) {
		end, err := r.Skip(i)
		if err == nil {
			err = member(name, b[i:end:end])
		}
		return end, err
	}))
}

// Array calls element for each element of the JSON array b, in order, with its text, which is valid until b changes.
// An error of element ends the iteration and is returned; otherwise Array returns ErrSyntax if b is not an array.
func Array(b []byte, element func(value []byte) error) error {
	r := Reader{Text: b}
	return r.CheckEnd(r.Array(0, func(i int) (int, error) {
		end, err := r.Skip(i)
		if err == nil {
			err = element(b[i:end:end])
		}
		return end, err
	}))
}

// Reader reads Text by index. Callers that consume a value themselves return the index after it, so that nothing is
// read twice.
type Reader struct {
	Text []byte
	// AllowControl accepts control characters and the escape \v in strings, as monerod writes them.
	AllowControl bool
}

// Start returns the index of the first value.
func (r *Reader) Start() int { return space(r.Text, 0) }

// CheckEnd returns err, or ErrSyntax if Text has more than white space from index end on.
func (r *Reader) CheckEnd(end int, err error) error {
	if err == nil && space(r.Text, end) != len(r.Text) {
		return ErrSyntax
	}
	return err
}

// Skip returns the index after the value at index i, or ErrSyntax.
func (r *Reader) Skip(i int) (end int, err error) {
	end, ok := r.value(i)
	if !ok {
		return 0, ErrSyntax
	}
	return end, nil
}

// Object calls member for each member of the object at index i, with its name and the index of its value. member
// returns the index after the value, and Object the index after the object. An error of member ends the iteration and
// is returned; otherwise the error is ErrSyntax.
func (r *Reader) Object(i int, member func(name []byte, i int) (end int, err error)) (end int, err error) {
	b := r.Text
	return r.walk(i, '{', func(i int) (int, error) {
		start := i
		i, ok := r.text(i)
		if !ok {
			return 0, ErrSyntax
		}
		name := b[start+1 : i-1]
		if i = space(b, i); i >= len(b) || b[i] != ':' {
			return 0, ErrSyntax
		}
		if !plain(name) {
			name = []byte(unquote(name))
		}
		return member(name, space(b, i+1))
	})
}

// Array calls element for each element of the array at index i, with its index. element returns the index after the
// element, and Array the index after the array. An error of element ends the iteration and is returned; otherwise the
// error is ErrSyntax.
func (r *Reader) Array(i int, element func(i int) (end int, err error)) (end int, err error) {
	return r.walk(i, '[', element)
}

// Len returns the number of elements of the array at index i. It stops counting above most. The error is ErrSyntax.
func (r *Reader) Len(i, most int) (n int, err error) {
	_, err = r.Array(i, func(i int) (int, error) {
		if n++; n > most {
			return 0, errMore
		}
		return r.Skip(i)
	})
	if n > most {
		err = nil
	}
	return n, err
}

var errMore = errors.New("jsontext: too many elements")

// walk calls each with the index of every item after the opening bracket at index i. Items are separated by commas.
func (r *Reader) walk(i int, bracket byte, each func(i int) (int, error)) (end int, err error) {
	b := r.Text
	if i = space(b, i); i >= len(b) || b[i] != bracket {
		return 0, ErrSyntax
	}
	i++
	for first := true; ; first = false {
		i = space(b, i)
		if i < len(b) && b[i] == bracket+2 { // the closing bracket's code
			return i + 1, nil
		}
		if !first {
			if i >= len(b) || b[i] != ',' {
				return 0, ErrSyntax
			}
			i = space(b, i+1)
		}
		if i, err = each(i); err != nil {
			return 0, err
		}
	}
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// value returns the index after the value that starts at i. It counts open brackets instead of recursing, because the
// stack is small in browsers.
func (r *Reader) value(i int) (end int, ok bool) {
	b := r.Text
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
				if i, ok = r.colon(i); !ok {
					return 0, false
				}
			}
			continue
		case '"':
			i, ok = r.text(i)
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
					if i, ok = r.colon(i); !ok {
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

// colon returns the index of a member's value; the member's name starts at i.
func (r *Reader) colon(i int) (int, bool) {
	b := r.Text
	i, ok := r.text(i)
	if i = space(b, i); !ok || i >= len(b) || b[i] != ':' {
		return 0, false
	}
	return space(b, i+1), true
}

// text returns the index after the string that starts at i.
func (r *Reader) text(i int) (int, bool) {
	b := r.Text
	if i >= len(b) || b[i] != '"' {
		return 0, false
	}
	for i++; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1, true
		case c < ' ' && !r.AllowControl:
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
			case 'v':
				if !r.AllowControl {
					return 0, false
				}
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
