// Package digest proves and checks knowledge of a password over HTTP without sending it.
//
// It implements digest authentication with MD5 and MD5-sess and the quality of protection "auth", as the reference
// does. A nonce is valid for one connection, and each request increments its count. So Client and Server hold the state
// of a single connection. They are not safe for concurrent use.
//
// Source: RFC 2617 section 3; contrib/epee/src/http_auth.cpp.
package digest

import (
	"crypto/md5" //nolint:gosec // the scheme's own hash
	"encoding/hex"
	"errors"
	"strings"
)

// Realm is the realm of the reference's servers.
const Realm = "monero-rpc"

// ErrHeader reports an authentication header that does not parse.
var ErrHeader = errors.New("digest: malformed header")

// Login is a user name and a password.
type Login struct {
	Username string
	password string
}

// NewLogin returns a login.
func NewLogin(username, password string) Login { return Login{username, password} }

// Password returns the password in plain text, for callers that pass the login on.
func (l Login) Password() string { return l.password }

// IsZero reports whether name and password are empty.
func (l Login) IsZero() bool { return l == Login{} }

// String returns the user name with a placeholder for the password, so that a Login can be logged.
func (l Login) String() string { return l.Username + ":[password]" }

// GoString returns the same as String.
func (l Login) GoString() string { return l.String() }

// fields are the members of an Authorization or WWW-Authenticate header.
type fields struct {
	algorithm, cnonce, nc, nonce, opaque, qop, realm, response, stale, uri, username string
}

// secret returns H(A1), which is derived from the password. It returns false for an unknown algorithm.
// Source: RFC 2617, section 3.2.2.2.
func (f *fields) secret(l Login, realm string) (string, bool) {
	a1 := hash(l.Username, realm, l.password)
	switch strings.ToLower(f.algorithm) {
	case "", "md5":
		return a1, true
	case "md5-sess":
		return hash(a1, f.nonce, f.cnonce), true
	}
	return "", false
}

// answer returns the response to a challenge for the other members of f. It returns false for an unknown algorithm or
// quality of protection.
// Source: RFC 2617, section 3.2.2.1.
func (f *fields) answer(l Login, realm, method string) (string, bool) {
	secret, ok := f.secret(l, realm)
	if !ok {
		return "", false
	}
	request := hash(method, f.uri)
	switch strings.ToLower(f.qop) {
	case "": // RFC 2069
		return hash(secret, f.nonce, request), true
	case "auth":
		return hash(secret, f.nonce, f.nc, f.cnonce, f.qop, request), true
	}
	return "", false
}

// hash returns the hexadecimal MD5 of parts joined by colons.
func hash(parts ...string) string {
	sum := md5.Sum([]byte(strings.Join(parts, ":"))) //nolint:gosec // the scheme's own hash
	return hex.EncodeToString(sum[:])
}
