// Package smallfmt formats errors and short texts like package fmt, with a twentieth of its code, to keep the download
// of browsers small.
package smallfmt

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// Errorf returns an error with the text of Sprintf. It wraps the errors of the %w verbs.
func Errorf(format string, args ...any) error {
	// The compiler drops this call. It makes go vet check the formats of Errorf like those of package fmt.
	if false {
		return fmt.Errorf(format, args...)
	}
	var wrapped []error
	text := write(format, args, &wrapped)
	switch len(wrapped) {
	case 0:
		return errors.New(text)
	case 1:
		return &one{text, wrapped[0]}
	}
	return &several{text, wrapped}
}

type one struct {
	text string
	err  error
}

func (e *one) Error() string { return e.text }
func (e *one) Unwrap() error { return e.err }

type several struct {
	text string
	errs []error
}

func (e *several) Error() string   { return e.text }
func (e *several) Unwrap() []error { return e.errs }

// Sprintf formats like fmt.Sprintf with these verbs: %v and %s for errors, values with a String method, strings,
// bytes, numbers, booleans and lists of these; %T for types; %d for integers; %q for strings; %x for numbers; %t; %%.
// The verbs d and x accept a width with zero padding. It writes other verbs and types as %! with the verb and the
// kind.
func Sprintf(format string, args ...any) string {
	if false { // as in Errorf
		return fmt.Sprintf(format, args...)
	}
	return write(format, args, nil)
}

func write(format string, args []any, wrapped *[]error) string {
	b := make([]byte, 0, len(format)+16*len(args))
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b = append(b, format[i])
			continue
		}
		width := 0
		for i++; i < len(format) && '0' <= format[i] && format[i] <= '9'; i++ {
			width = 10*width + int(format[i]-'0')
		}
		if i == len(format) {
			return string(append(b, "%!(NOVERB)"...))
		}
		if format[i] == '%' {
			b = append(b, '%')
			continue
		}
		if len(args) == 0 {
			b = append(append(b, "%!"...), format[i])
			b = append(b, "(MISSING)"...)
			continue
		}
		verb, v := format[i], args[0]
		args = args[1:]
		if verb == 'w' {
			verb = 'v'
			if err, ok := v.(error); ok && wrapped != nil {
				*wrapped = append(*wrapped, err)
			}
		}
		b = appendValue(b, verb, width, v)
	}
	return string(b)
}

// appendValue appends v. Numbers get at least width digits.
func appendValue(b []byte, verb byte, width int, v any) []byte {
	if verb == 'T' && v != nil {
		return append(b, reflect.TypeOf(v).String()...)
	}
	if verb == 'v' || verb == 's' || verb == 'q' {
		text, isText := "", true
		switch v := v.(type) {
		case nil:
			if verb == 'v' {
				return append(b, "<nil>"...)
			}
			return append(append(append(b, "%!"...), verb), "(<nil>)"...)
		case error:
			text = v.Error()
		case interface{ String() string }:
			text = v.String()
		case string:
			text = v
		case []byte:
			text, isText = string(v), verb != 'v'
		default:
			isText = false
		}
		if isText && verb == 'q' {
			return strconv.AppendQuote(b, text)
		}
		if isText {
			return append(b, text...)
		}
	}
	base := 10
	if verb == 'x' {
		base = 16
	}
	x := reflect.ValueOf(v)
	switch x.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if verb == 'd' || verb == 'x' || verb == 'v' {
			n := x.Int()
			if n < 0 {
				b, width = append(b, '-'), width-1
			}
			return appendNumber(b, magnitude(n), base, width)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if verb == 'd' || verb == 'x' || verb == 'v' {
			return appendNumber(b, x.Uint(), base, width)
		}
	case reflect.Bool:
		if verb == 't' || verb == 'v' {
			return strconv.AppendBool(b, x.Bool())
		}
	case reflect.String:
		switch verb {
		case 'v', 's':
			return append(b, x.String()...)
		case 'q':
			return strconv.AppendQuote(b, x.String())
		}
	case reflect.Slice, reflect.Array:
		if verb == 'v' || verb == 's' || verb == 'd' {
			b = append(b, '[')
			for i := range x.Len() {
				if i > 0 {
					b = append(b, ' ')
				}
				b = appendValue(b, verb, width, x.Index(i).Interface())
			}
			return append(b, ']')
		}
	}
	return append(append(append(append(append(b, "%!"...), verb), '('), x.Kind().String()...), ')')
}

func appendNumber(b []byte, n uint64, base, width int) []byte {
	digits := strconv.AppendUint(nil, n, base)
	for range width - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...)
}

// magnitude returns the absolute value of n.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
