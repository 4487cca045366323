package native

import (
	"bytes"
	"strconv"
)

// plainRequest is the head of a request of the kind that nearly all are. Its texts are parts of what was read.
type plainRequest struct {
	method string
	path   []byte
	host   []byte
	length int64 // of the body
	size   int   // of the head
}

// parsePlain reads the head of a plain request, whole and at the beginning of b. A plain request is POST or GET of a path of
// letters, in HTTP/1.1, with one Host, at most one Content-Length, and of other fields only those that change nothing about how
// it is to be answered; each of its lines ends as it should and has no space where none belongs. ok is false for every other,
// right or wrong: net/http judges those. So nothing is taken here that could be read in two ways.
//
// Source: RFC 9112, sections 3, 5 and 6.
func parsePlain(b []byte) (q plainRequest, ok bool) {
	line, rest, ok := cutLine(b)
	if !ok {
		return q, false
	}
	switch {
	case bytes.HasPrefix(line, []byte("POST ")):
		q.method, line = "POST", line[5:]
	case bytes.HasPrefix(line, []byte("GET ")):
		q.method, line = "GET", line[4:]
	default:
		return q, false
	}
	if q.path, ok = bytes.CutSuffix(line, []byte(" HTTP/1.1")); !ok || !isPlainPath(q.path) {
		return q, false
	}
	q.length = -1
	for {
		if line, rest, ok = cutLine(rest); !ok {
			return q, false
		}
		if len(line) == 0 {
			break
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if value = bytes.TrimPrefix(value, []byte(" ")); !ok || !isPlainValue(value) || !q.field(name, value) {
			return q, false
		}
	}
	q.length = max(q.length, 0)
	q.size = len(b) - len(rest)
	return q, q.host != nil
}

// cutLine takes a line off b, without its end.
func cutLine(b []byte) (line, rest []byte, ok bool) {
	i := bytes.IndexByte(b, '\n')
	if i < 1 || b[i-1] != '\r' {
		return nil, nil, false
	}
	return b[:i-1], b[i+1:], true
}

// field takes a header field; false when it makes the request another than a plain one.
func (q *plainRequest) field(name, value []byte) bool {
	var lower [len("accept-encoding")]byte
	if len(name) > len(lower) {
		return false
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	switch string(lower[:len(name)]) {
	case "host":
		if q.host != nil || !isPlainHost(value) {
			return false
		}
		q.host = value
		return true
	case "content-length":
		if q.length >= 0 || len(value) == 0 || len(value) > 18 {
			return false
		}
		for _, c := range value {
			if c < '0' || c > '9' {
				return false
			}
		}
		n, err := strconv.ParseInt(string(value), 10, 64)
		q.length = n
		return err == nil
	case "connection":
		return bytes.EqualFold(value, []byte("keep-alive"))
	case "user-agent", "accept", "accept-encoding", "accept-language", "content-type":
		return true
	}
	return false
}

// isPlainValue reports whether nothing but visible characters and single spaces between make up a field's value.
func isPlainValue(value []byte) bool {
	for i, c := range value {
		if c < ' ' || c > '~' || c == ' ' && (i == 0 || i == len(value)-1) {
			return false
		}
	}
	return true
}

// isPlainPath reports whether a path means what it says: nothing in it is escaped, and nothing stands behind it.
func isPlainPath(path []byte) bool {
	if len(path) == 0 || path[0] != '/' {
		return false
	}
	for _, c := range path[1:] {
		if !isLetter(c) && c != '_' && c != '.' && c != '/' && c != '-' {
			return false
		}
	}
	return true
}

// isPlainHost reports whether a host is made of what names, addresses and ports are made of.
func isPlainHost(host []byte) bool {
	for _, c := range host {
		if !isLetter(c) && c != '.' && c != '-' && c != ':' && c != '[' && c != ']' {
			return false
		}
	}
	return len(host) > 0
}

// isLetter reports whether c is a letter or a digit.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
