package jsontext

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// String returns the JSON string b, and false if b is not one. Invalid UTF-8 and invalid escapes become the
// replacement character.
func String(b []byte) (string, bool) {
	r := Reader{Text: b}
	s, end, ok := r.String(space(b, 0))
	if !ok || space(b, end) != len(b) {
		return "", false
	}
	return s, true
}

// String returns the string at index i and the index after it, see the function String.
func (r *Reader) String(i int) (s string, end int, ok bool) {
	if end, ok = r.text(i); !ok {
		return "", 0, false
	}
	inner := r.Text[i+1 : end-1]
	if plain(inner) {
		return string(inner), end, true
	}
	return unquote(inner), end, true
}

// AppendString appends s as a JSON string. Like encoding/json, it also escapes characters with a meaning in HTML or
// JavaScript. Invalid UTF-8 becomes the replacement character.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	done := 0 // number of bytes of s that are written
	for i := 0; i < len(s); {
		c := s[i]
		size := 1
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
				i++
				continue
			}
			b = append(b, s[done:i]...)
			b = appendEscape(b, rune(c))
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			valid := r != utf8.RuneError || size != 1
			if valid && r != '\u2028' && r != '\u2029' {
				i += size
				continue
			}
			b = append(b, s[done:i]...)
			b = appendEscape(b, r)
		}
		i += size
		done = i
	}
	return append(append(b, s[done:]...), '"')
}

func appendEscape(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// plain reports whether a string without its quotes needs no decoding.
func plain(b []byte) bool {
	for _, c := range b {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unquote decodes a well-formed string without its quotes.
func unquote(b []byte) string {
	room := len(b)
	for _, c := range b {
		if c >= utf8.RuneSelf {
			room += 2 // for the replacement character
		}
	}
	var out strings.Builder
	out.Grow(room)
	for len(b) > 0 {
		if b[0] != '\\' {
			r, size := utf8.DecodeRune(b)
			out.WriteRune(r)
			b = b[size:]
			continue
		}
		c := b[1]
		b = b[2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'v':
			c = '\v'
		case 'u':
			r, _ := hex(b)
			b = b[4:]
			if utf16.IsSurrogate(r) {
				r, b = pair(r, b)
			}
			out.WriteRune(r)
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

// pair returns the character of surrogate r and the other half at the start of b, and the rest of b. It returns the
// replacement character if there is no other half.
func pair(r rune, b []byte) (rune, []byte) {
	if len(b) >= 6 && b[0] == '\\' && b[1] == 'u' {
		low, _ := hex(b[2:])
		if whole := utf16.DecodeRune(r, low); whole != utf8.RuneError {
			return whole, b[6:]
		}
	}
	return utf8.RuneError, b
}

// hex returns the value of the four hexadecimal digits at the start of b.
func hex(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
