package native

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"strconv"
)

// net/http accepts requests that others read in another way: lines that end with LF alone, folded lines, a length beside chunks. Whoever stands before
// the service may have read such a request in the other way, and would take what follows for another client's. So every byte that net/http is to read
// passes here first, and what has more than one reading, or none, ends there: the client is answered 400, and the connection is closed.
//
// Source: RFC 9110, section 5; RFC 9112, sections 2 to 7 and 11.2.

// errAmbiguous reports a request that does not have exactly one reading.
var errAmbiguous = errors.New("native: request is malformed or ambiguous")

const (
	maxFields    = 256 // fields of a head
	maxChunkLine = 18  // bytes of a line between chunks
)

// framing is a listener on whose connections only requests with one reading come through.
type framing struct {
	net.Listener
	maxHead int // bytes of a head, more than net/http takes
	refused func(client string)
}

func (f framing) Accept() (net.Conn, error) {
	c, err := f.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &framed{Conn: c, requests: requests{maxHead: f.maxHead}, refused: f.refused}, nil
}

// framed is a connection that hands on what it reads as long as its requests have one reading.
type framed struct {
	net.Conn
	requests requests
	refused  func(client string)
	filled   bool // after the refusal the filler was read
}

// filler is read before the error when a head is refused: net/http answers an error alone only after four bytes of a request. It ends no line.
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

// What the next byte belongs to.
const (
	inRequestLine = iota
	inFields
	inBody
	inChunkSize
	inChunk
	behindChunk     // the end of a chunk's line
	behindLastChunk // where trailers would stand
)

// requests follows the requests of one connection and stops before the byte that would end a line with no reading, or with more than one.
type requests struct {
	maxHead int
	refused bool // nothing is taken any more
	in      int
	line    []byte // the line so far
	left    int64  // bytes of the body or chunk
	size    int    // bytes of the head
	head    requestHead
}

// take returns how many bytes of b may be handed on: all, unless refused is true afterwards.
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

// endLine judges the line that ends here.
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
	case behindLastChunk: // trailers and what else a reader may look for there are refused
		r.in = inRequestLine
	}
	return len(line) == 0
}

// chunkSize reads the line before a chunk, which is its size and nothing else. Extensions mean nothing to anybody who calls this service.
func chunkSize(line []byte) (size int64, ok bool) {
	for _, c := range line {
		if !isLetter(c) { // ParseInt takes a sign
			return 0, false
		}
	}
	size, err := strconv.ParseInt(string(line), 16, 64)
	return size, err == nil && len(line) < 16
}

// requestHead is what decides where a request ends and whom it is for.
type requestHead struct {
	old       bool   // HTTP/1.0
	authority []byte // of a target that names it; nil of others
	hosted    bool   // there was a Host
	host      []byte
	length    int64 // -1 when nothing says so
	chunked   bool
	fields    int
}

// begin reads the line of method, target and version.
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
	if !absolute || !bytes.EqualFold(scheme, []byte("http")) && !bytes.EqualFold(scheme, []byte("https")) || string(method) == http.MethodConnect {
		return false
	}
	if i := bytes.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	h.authority = bytes.Clone(rest)
	return len(rest) > 0 && isHost(rest)
}

// field reads a line of a field.
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
	case bytes.EqualFold(name, []byte("connection")): // who goes by this takes the fields out that it names
		for option := range bytes.SplitSeq(value, []byte(",")) {
			switch string(bytes.ToLower(bytes.Trim(option, " \t"))) {
			case "host", "content-length", "transfer-encoding", "authorization", "origin":
				ok = false
			}
		}
	}
	return ok
}

// whole judges what only the whole head tells.
func (h *requestHead) whole() bool {
	switch {
	case h.chunked && (h.length >= 0 || h.old), !h.hosted && !h.old:
		return false
	}
	return h.authority == nil || !h.hosted || bytes.EqualFold(h.authority, h.host)
}

// isToken reports whether a method or a field's name is made of what they are made of.
func isToken(b []byte) bool {
	for _, c := range b {
		if !isLetter(c) && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(b) > 0
}

// isHost reports whether a text may name a host and a port: neither a user nor a path nor a second host.
func isHost(b []byte) bool {
	for _, c := range b {
		if !isLetter(c) && bytes.IndexByte([]byte("-._~%!$&'()*+;=:[]"), c) < 0 {
			return false
		}
	}
	return true
}

// closesBehind reports whether a connection ends with this request: its body comes in chunks, which not everybody reads who may stand before the
// service. With a login the connection has to stay for the challenge.
func closesBehind(r *http.Request, login bool) bool { return len(r.TransferEncoding) > 0 && !login }
