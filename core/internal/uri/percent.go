package uri

import "strings"

// unsafe are the visible characters that are percent-encoded, in addition to those from '{' on.
// Source: contrib/epee/include/net/abstract_http_client.h, get_unsave_chars, with '=' added.
const unsafe = "\"<>%\\^[]`+$,@:;!#&="

const upperHex = "0123456789ABCDEF"

// encode percent-encodes all bytes with a special meaning.
// Source: contrib/epee/src/abstract_http_client.cpp, conver_to_url_format.
func encode(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= '{' || strings.IndexByte(unsafe, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// decode inverts encode. A percent sign without two hexadecimal digits after it is kept verbatim.
// Source: contrib/epee/src/abstract_http_client.cpp, convert_from_url_format.
func decode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+2 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		high, low := digit(s[i+1]), digit(s[i+2])
		if high < 0 || low < 0 {
			b.WriteString(s[i : i+3])
		} else {
			b.WriteByte(byte(high<<4 | low))
		}
		i += 2
	}
	return b.String()
}

func digit(c byte) int {
	if 'a' <= c && c <= 'f' {
		c -= 'a' - 'A'
	}
	return strings.IndexByte(upperHex, c)
}
