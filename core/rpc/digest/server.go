package digest

import (
	"crypto/subtle"
	"encoding/base64"
	"io"
	"strconv"
	"strings"

	"glim/core/smallfmt"
)

// Server is the server's side of one connection.
type Server struct {
	login Login
	rand  io.Reader
	nonce string // of the last challenge; empty before the first
	count uint32 // requests with the current nonce
}

// NewServer returns the state of a new connection. Check reads 16 bytes from rand for each challenge.
func NewServer(l Login, rand io.Reader) *Server { return &Server{login: l, rand: rand} }

// Unauthorized is the body of a 401 response, of type text/html.
const Unauthorized = "<html><head><title>Unauthorized Access</title></head>" +
	"<body><h1>401 Unauthorized</h1></body></html>"

// Check checks the login of a request. target is the request target as in the request line, host the Host header, and
// authorization the Authorization header, or "". If ok is false, the response must be 401 with a
// WWW-Authenticate header for each of challenges. Every failure changes the nonce, so each guess of a password takes a
// round trip. A login computed for another target is wrong (RFC 2617, section 3.2.2.5), although the reference accepts
// it. The error is that of the random source.
func (s *Server) Check(method, target, host, authorization string) (ok bool, challenges []string, err error) {
	stale := false
	if authorization != "" {
		s.count++
		var known bool
		known, stale = s.verify(method, target, host, authorization)
		if known {
			return true, nil, nil
		}
	}
	var random [16]byte
	if _, err := io.ReadFull(s.rand, random[:]); err != nil {
		return false, nil, err
	}
	s.count, s.nonce = 0, base64.StdEncoding.EncodeToString(random[:])
	for _, algorithm := range []string{"MD5", "MD5-sess"} {
		challenges = append(challenges, smallfmt.Sprintf(
			`Digest qop="auth",algorithm=%s,realm="%s",nonce="%s",stale=%t`, algorithm, Realm, s.nonce, stale,
		))
	}
	return false, challenges, nil
}

// verify checks an Authorization header. ok reports whether it proves the password with the current nonce and count; if
// not, stale reports whether it proves the password with others.
func (s *Server) verify(method, target, host, authorization string) (ok, stale bool) {
	f, err := parse(authorization)
	if err != nil {
		return false, false
	}
	want, known := f.answer(s.login, Realm, method)
	if !known {
		return false, false
	}
	name := subtle.ConstantTimeCompare([]byte(f.username), []byte(s.login.Username))
	proof := subtle.ConstantTimeCompare([]byte(strings.ToLower(f.response)), []byte(want))
	if name&proof != 1 || !sameTarget(f.uri, target, host) {
		return false, false
	}
	if s.nonce == "" || f.nonce != s.nonce {
		return false, true
	}
	if f.qop == "" { // RFC 2069 has no count, so a nonce is valid for one request
		return s.count == 1, true
	}
	count, err := strconv.ParseUint(f.nc, 16, 32)
	return err == nil && uint32(count) == s.count, true
}

// sameTarget reports whether uri, the target of a login, is the target of the request. Each may be a path or a URL at
// host, because a proxy may convert one into the other.
func sameTarget(uri, target, host string) bool {
	return uri == target || pathOf(uri, host) == pathOf(target, host) && pathOf(uri, host) != ""
}

// pathOf returns path and query of uri, a path or a URL at host. It returns "" for others.
func pathOf(uri, host string) string {
	if strings.HasPrefix(uri, "/") {
		return uri
	}
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || len(rest) < len(host) ||
		!strings.EqualFold(rest[:len(host)], host) {
		return ""
	}
	path := rest[len(host):]
	if path == "" || path[0] == '?' {
		return "/" + path
	}
	if path[0] != '/' {
		return "" // another port or a longer host name
	}
	return path
}

// String describes the server by its user name, without the password.
func (s *Server) String() string { return "digest server of " + s.login.String() }

// GoString returns the same as String.
func (s *Server) GoString() string { return s.String() }
