package gateway

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"glim/core/xmr"
)

// maxDepth limits the nesting of JSON.
const maxDepth = 64

// member returns the value at a path of member names in a JSON object. It does not find names with escapes, and returns
// the first of two equal names. It does not read beyond the value, so b need not be valid JSON.
func member(b []byte, names ...string) ([]byte, bool) {
	for _, name := range names {
		var ok bool
		if b, ok = one(b, name); !ok {
			return nil, false
		}
	}
	return b, true
}

func one(b []byte, name string) ([]byte, bool) {
	b = space(b)
	if len(b) == 0 || b[0] != '{' {
		return nil, false
	}
	b = space(b[1:])
	for len(b) > 0 && b[0] == '"' {
		n := text(b)
		if n == 0 {
			return nil, false
		}
		key := b[1 : n-1]
		b = space(b[n:])
		if len(b) == 0 || b[0] != ':' {
			return nil, false
		}
		b = space(b[1:])
		n = value(b, maxDepth)
		if n == 0 {
			return nil, false
		}
		if string(key) == name {
			return b[:n], true
		}
		b = space(b[n:])
		if len(b) == 0 || b[0] != ',' {
			return nil, false
		}
		b = space(b[1:])
	}
	return nil, false
}

func space(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\n' || b[0] == '\r') {
		b = b[1:]
	}
	return b
}

// text returns the length of the JSON string at the start of b; 0 for none.
func text(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// value returns the length of the JSON value at the start of b; 0 for none.
func value(b []byte, depth int) int {
	if len(b) == 0 || depth == 0 {
		return 0
	}
	switch b[0] {
	case '"':
		return text(b)
	case '{', '[':
		open := 0
		for i := 0; i < len(b); i++ {
			switch b[i] {
			case '"':
				n := text(b[i:])
				if n == 0 {
					return 0
				}
				i += n - 1
			case '{', '[':
				if open++; open > depth {
					return 0
				}
			case '}', ']':
				if open--; open == 0 {
					return i + 1
				}
			}
		}
		return 0
	}
	n := bytes.IndexAny(b, ",}] \t\r\n")
	if n < 0 {
		n = len(b)
	}
	return n
}

// maxElements exceeds the length of every list that elements has to read: IDs and transactions of a request, output
// indices of a transaction.
const maxElements = 1 << 12

// elements returns the values in a JSON array; nil if b is not an array or has more than maxElements values.
func elements(b []byte) (list [][]byte) {
	b = space(b)
	if len(b) == 0 || b[0] != '[' {
		return nil
	}
	b = space(b[1:])
	for len(b) > 0 && b[0] != ']' {
		n := value(b, maxDepth)
		if n == 0 {
			return nil
		}
		if len(list) == maxElements {
			return nil
		}
		list = append(list, b[:n])
		b = space(b[n:])
		if len(b) > 0 && b[0] == ',' {
			b = space(b[1:])
		} else if len(b) == 0 || b[0] != ']' {
			return nil
		}
	}
	return list
}

// plainText returns the text of a JSON string without escapes; "" for any other value.
func plainText(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' || bytes.IndexByte(raw, '\\') >= 0 {
		return ""
	}
	return string(raw[1 : len(raw)-1])
}

func stringOf(b []byte, names ...string) string {
	raw, _ := member(b, names...)
	return plainText(raw)
}

func numberOf(b []byte, names ...string) (uint64, bool) {
	raw, ok := member(b, names...)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw), 10, 64)
	return n, err == nil
}

func hashOf(text string) (h xmr.Hash, ok bool) {
	if len(text) != 64 {
		return h, false
	}
	_, err := hex.Decode(h[:], []byte(text))
	return h, err == nil
}
