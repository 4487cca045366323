package digest

import (
	"crypto/subtle"
	"encoding/base64"
	"io"
	"strconv"
	"strings"

	"glim/core/say"
)

// Server is the server's side of one connection.
type Server struct {
	login Login
	rand  io.Reader
	nonce string // of the last challenge; empty before the first
	count uint32 // requests under this nonce
}

// NewServer returns the state of a new connection. Randomness is read once a challenge.
func NewServer(l Login, rand io.Reader) *Server { return &Server{login: l, rand: rand} }

// Unauthorized is the body of a 401 answer, of type text/html.
const Unauthorized = "<html><head><title>Unauthorized Access</title></head><body><h1>401 Unauthorized</h1></body></html>"

// Check judges a request by its method, its target as its first line has it, its Host and its Authorization header, "" when it has none. A login that was
// computed for another target is wrong: RFC 2617, section 3.2.2.5. The reference takes it.
// When ok is false, the answer is 401 with each of challenges as a WWW-authenticate header. Every failure changes the nonce, so that passwords
// are guessed at one a round trip. The error is the random source's.
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
		challenges = append(challenges, say.Sprintf(`Digest qop="auth",algorithm=%s,realm="%s",nonce="%s",stale=%t`,
			algorithm, Realm, s.nonce, stale))
	}
	return false, challenges, nil
}

// verify reports whether the header proves the password under this connection's nonce and count, or else whether it
// proves it under others.
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
	if f.qop == "" { // RFC 2069 counts nothing, so one request is all it gets
		return s.count == 1, true
	}
	count, err := strconv.ParseUint(f.nc, 16, 32)
	return err == nil && uint32(count) == s.count, true
}

// sameTarget reports whether a login's uri is what a request asks for. Either may be a path or name the server before it, for a proxy between the two may
// change that.
func sameTarget(uri, target, host string) bool {
	return uri == target || pathOf(uri, host) == pathOf(target, host) && pathOf(uri, host) != ""
}

// pathOf returns path and query of a path or of an address at host; "" for others.
func pathOf(uri, host string) string {
	if strings.HasPrefix(uri, "/") {
		return uri
	}
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || len(rest) < len(host) || !strings.EqualFold(rest[:len(host)], host) {
		return ""
	}
	path := rest[len(host):]
	if path == "" || path[0] == '?' {
		return "/" + path
	}
	if path[0] != '/' {
		return "" // another port, or a longer name
	}
	return path
}

// String says whose it is, without the password.
func (s *Server) String() string { return "digest server of " + s.login.String() }

// GoString returns what String does.
func (s *Server) GoString() string { return s.String() }
