package digest

import "strings"

// maxHeader is the maximum size of a header in bytes. Usual headers have a few hundred bytes.
const maxHeader = 8192

// parse parses `Digest name=value, …`. Names are case-insensitive. It returns ErrHeader for unknown or repeated names
// and for trailing text.
func parse(s string) (fields, error) {
	if len(s) > maxHeader {
		return fields{}, ErrHeader
	}
	s = strings.TrimLeft(s, " \t")
	if len(s) < 7 || !strings.EqualFold(s[:6], "digest") || s[6] != ' ' && s[6] != '\t' {
		return fields{}, ErrHeader
	}
	var f fields
	seen := map[string]bool{}
	s = s[7:]
	for {
		var name, value string
		var quoted, ok bool
		name, s, ok = strings.Cut(s, "=")
		if !ok {
			return fields{}, ErrHeader
		}
		name = strings.ToLower(strings.Trim(name, " \t"))
		if value, s, quoted, ok = readValue(strings.TrimLeft(s, " \t")); !ok || seen[name] ||
			!f.set(name, value, quoted) {
			return fields{}, ErrHeader
		}
		seen[name] = true
		s = strings.TrimLeft(s, " \t")
		if s == "" {
			return f, nil
		}
		if s[0] != ',' {
			return fields{}, ErrHeader
		}
		s = s[1:]
	}
}

// readValue reads a token or a quoted string at the start of s. It returns the string without its quotes, but with its
// backslashes, and the rest of s.
func readValue(s string) (value, rest string, quoted, ok bool) {
	if s == "" {
		return "", "", false, false
	}
	if s[0] != '"' {
		i := 0
		for i < len(s) && s[i] > ' ' && s[i] < 0x7f && !strings.ContainsRune(`()<>@,;:\"/[]?={}`, rune(s[i])) {
			i++
		}
		return s[:i], s[i:], false, i > 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[1:i], s[i+1:], true, i > 1
		}
	}
	return "", "", true, false
}

// set stores a member. It returns false if the name is unknown or the value is malformed. Strings must be quoted;
// tokens other than nc may be.
func (f *fields) set(name, value string, quoted bool) bool {
	switch name {
	case "algorithm":
		f.algorithm = value
		return true
	case "qop":
		f.qop = value
		return true
	case "stale":
		f.stale = value
		return true
	case "nc":
		f.nc = value
		return !quoted && len(value) == 8 && isHex(value)
	case "response":
		f.response = value
		return quoted && isHex(value)
	case "cnonce":
		f.cnonce = value
	case "nonce":
		f.nonce = value
	case "opaque":
		f.opaque = value
	case "realm":
		f.realm = value
	case "uri":
		f.uri = value
	case "username":
		f.username = value
	case "domain":
	default:
		return false
	}
	return quoted
}

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// safe reports whether s can be written between quotes without escapes.
func safe(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
