// Package digest proves and checks knowledge of a password over HTTP without sending it.
//
// It is the digest scheme of RFC 2617 with MD5 and MD5-sess, quality "auth", as the reference speaks it.
// A nonce belongs to one connection and every request counts it up by one, so both Client and Server are the state of
// a single connection. Neither is safe for concurrent use.
//
// Source: RFC 2617 section 3; contrib/epee/src/http_auth.cpp.
package digest

import (
	"crypto/md5" //nolint:gosec // the scheme's own hash
	"encoding/hex"
	"errors"
	"strings"
)

// Realm is what the reference's servers call themselves.
const Realm = "monero-rpc"

// ErrHeader reports an authentication header that does not parse.
var ErrHeader = errors.New("digest: malformed header")

// Login is a name and its password.
type Login struct {
	Username string
	password string
}

// NewLogin returns a login.
func NewLogin(username, password string) Login { return Login{username, password} }

// Password returns the password, for whoever has to hand the login on.
func (l Login) Password() string { return l.password }

// IsZero reports whether there is neither name nor password.
func (l Login) IsZero() bool { return l == Login{} }

// String returns the name; the password stays out of logs.
func (l Login) String() string { return l.Username + ":[password]" }

// GoString returns what String does.
func (l Login) GoString() string { return l.String() }

// fields are the members of an Authorization or WWW-Authenticate header.
type fields struct {
	algorithm, cnonce, nc, nonce, opaque, qop, realm, response, stale, uri, username string
}

// secret returns H(A1): what stands for the password.
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

// answer returns the response that f's members call for.
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
