package native

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"strconv"
)

// net/http accepts requests that other parsers read differently: lines that end with LF alone, folded lines, a length
// together with chunks. A proxy in front of the service may parse such a request differently, and attribute the bytes
// after it to another client. So every byte passes this parser before net/http. It rejects malformed and ambiguous
// requests: the client receives status 400, and the connection is closed.
//
// Source: RFC 9110, section 5; RFC 9112, sections 2 to 7 and 11.2.

// errAmbiguous reports a request that is malformed or can be parsed in more than one way.
var errAmbiguous = errors.New("native: request is malformed or ambiguous")

const (
	maxFields    = 256 // fields of a head
	maxChunkLine = 18  // bytes of a line between chunks
)

// framing is a listener whose connections pass only unambiguous requests.
type framing struct {
	net.Listener
	maxHead int // limit of a request head in bytes, above that of net/http
	refused func(client string)
}

func (f framing) Accept() (net.Conn, error) {
	c, err := f.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &framed{Conn: c, requests: requests{maxHead: f.maxHead}, refused: f.refused}, nil
}

// framed is a connection that returns the bytes it reads while they are unambiguous requests.
type framed struct {
	net.Conn
	requests requests
	refused  func(client string)
	filled   bool // the filler was returned after the refusal
}

// filler is returned before the error if a head is refused, because net/http answers a read error only after at least
// four bytes of a request. It does not end a line.
const filler = "    "

func (c *framed) Read(b []byte) (int, error) {
	if c.requests.refused {
		if !c.filled && c.requests.in <= inFields {
			c.filled = true
			return copy(b, filler), nil
		}
		return 0, errAmbiguous
	}
	n, err := c.Conn.Read(b)
	good := c.requests.take(b[:n])
	if !c.requests.refused {
		return n, err
	}
	if c.refused != nil {
		c.refused(c.RemoteAddr().String())
	}
	if good > 0 {
		return good, nil
	}
	return c.Read(b)
}

// The part of a request that the next byte belongs to.
const (
	inRequestLine = iota
	inFields
	inBody
	inChunkSize
	inChunk
	behindChunk     // the line end after a chunk
	behindLastChunk // where trailers would follow
)

// requests parses the requests of one connection and stops before the byte that would end a malformed or ambiguous
// line.
type requests struct {
	maxHead int
	refused bool // no more bytes are accepted
	in      int
	line    []byte // the line so far
	left    int64  // remaining bytes of the body or chunk
	size    int    // bytes of the head so far
	head    requestHead
}

// take returns the number of bytes of b that are acceptable: all, unless refused is true afterwards.
func (r *requests) take(b []byte) int {
	for i := 0; i < len(b); {
		if r.in == inBody || r.in == inChunk {
			n := min(r.left, int64(len(b)-i))
			i += int(n)
			if r.left -= n; r.left > 0 {
				continue
			}
			if r.in == inChunk {
				r.in = behindChunk
			} else {
				r.in = inRequestLine
			}
			continue
		}
		end := bytes.IndexByte(b[i:], '\n')
		piece := b[i:]
		if end >= 0 {
			piece = b[i : i+end]
		}
		r.line = append(r.line, piece...)
		if r.in <= inFields {
			r.size += len(piece) + 1
			r.refused = r.size > r.maxHead
		} else {
			r.refused = len(r.line) > maxChunkLine
		}
		if r.refused {
			return i
		}
		i += len(piece)
		if end < 0 {
			return i
		}
		if r.refused = !r.endLine(); r.refused {
			return i
		}
		i++
		r.line = r.line[:0]
	}
	return len(b)
}

// endLine checks the line that ends here.
func (r *requests) endLine() bool {
	line, ok := bytes.CutSuffix(r.line, []byte("\r"))
	if !ok {
		return false
	}
	switch r.in {
	case inRequestLine:
		r.head = requestHead{length: -1}
		r.in = inFields
		return r.head.begin(line)
	case inFields:
		if len(line) > 0 {
			return r.head.field(line)
		}
		r.size = 0
		switch {
		case r.head.chunked:
			r.in = inChunkSize
		case r.head.length > 0:
			r.in, r.left = inBody, r.head.length
		default:
			r.in = inRequestLine
		}
		return r.head.whole()
	case inChunkSize:
		r.left, ok = chunkSize(line)
		r.in = inChunk
		if r.left == 0 {
			r.in = behindLastChunk
		}
		return ok
	case behindChunk:
		r.in = inChunkSize
	case behindLastChunk: // trailers are refused
		r.in = inRequestLine
	}
	return len(line) == 0
}

// chunkSize parses the line before a chunk, which contains only its size. Chunk extensions are refused, because no
// client of this service uses them.
func chunkSize(line []byte) (size int64, ok bool) {
	for _, c := range line {
		if !isLetter(c) { // ParseInt takes a sign
			return 0, false
		}
	}
	size, err := strconv.ParseInt(string(line), 16, 64)
	return size, err == nil && len(line) < 16
}

// requestHead holds the parts of a head that decide where the request ends and which host it is for.
type requestHead struct {
	old       bool   // HTTP/1.0
	authority []byte // of an absolute target; otherwise nil
	hosted    bool   // the head has a Host
	host      []byte
	length    int64 // -1 without a Content-Length
	chunked   bool
	fields    int
}

// begin parses the request line.
func (h *requestHead) begin(line []byte) bool {
	method, rest, _ := bytes.Cut(line, []byte(" "))
	target, version, _ := bytes.Cut(rest, []byte(" "))
	h.old = string(version) == "HTTP/1.0"
	if !isToken(method) || !h.old && string(version) != "HTTP/1.1" || len(target) == 0 {
		return false
	}
	for _, c := range target {
		if c <= ' ' || c > '~' || bytes.IndexByte([]byte(`#"<>\`), c) >= 0 {
			return false
		}
	}
	if target[0] == '/' {
		return string(method) != http.MethodConnect
	}
	if string(target) == "*" {
		return string(method) == http.MethodOptions
	}
	scheme, rest, absolute := bytes.Cut(target, []byte("://"))
	if !absolute || !bytes.EqualFold(scheme, []byte("http")) && !bytes.EqualFold(scheme, []byte("https")) ||
		string(method) == http.MethodConnect {
		return false
	}
	if i := bytes.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	h.authority = bytes.Clone(rest)
	return len(rest) > 0 && isHost(rest)
}

// field parses a field line.
func (h *requestHead) field(line []byte) bool {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if h.fields++; !ok || !isToken(name) || h.fields > maxFields {
		return false
	}
	value = bytes.Trim(value, " \t")
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	switch {
	case bytes.EqualFold(name, []byte("host")):
		ok = !h.hosted && isHost(value)
		h.hosted, h.host = true, bytes.Clone(value)
	case bytes.EqualFold(name, []byte("content-length")):
		n, err := strconv.ParseUint(string(value), 10, 62) // takes no sign
		ok = h.length < 0 && err == nil
		h.length = int64(n)
	case bytes.EqualFold(name, []byte("transfer-encoding")):
		ok = !h.chunked && bytes.EqualFold(value, []byte("chunked"))
		h.chunked = true
	case bytes.EqualFold(name, []byte("connection")): // a proxy removes the fields that it lists
		for option := range bytes.SplitSeq(value, []byte(",")) {
			switch string(bytes.ToLower(bytes.Trim(option, " \t"))) {
			case "host", "content-length", "transfer-encoding", "authorization", "origin":
				ok = false
			}
		}
	}
	return ok
}

// whole checks conditions on the complete head.
func (h *requestHead) whole() bool {
	switch {
	case h.chunked && (h.length >= 0 || h.old), !h.hosted && !h.old:
		return false
	}
	return h.authority == nil || !h.hosted || bytes.EqualFold(h.authority, h.host)
}

// isLetter reports whether c is an ASCII letter or digit.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isToken reports whether b is a token, as methods and field names are.
func isToken(b []byte) bool {
	for _, c := range b {
		if !isLetter(c) && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(b) > 0
}

// isHost reports whether b has only characters of a host and a port. It excludes user names, paths and lists.
func isHost(b []byte) bool {
	for _, c := range b {
		if !isLetter(c) && bytes.IndexByte([]byte("-._~%!$&'()*+;=:[]"), c) < 0 {
			return false
		}
	}
	return true
}

// closesAfter reports whether the connection closes after this request, because its body is chunked and a proxy may not
// support that. With a login the connection stays open for the challenge.
func closesAfter(r *http.Request, login bool) bool { return len(r.TransferEncoding) > 0 && !login }
