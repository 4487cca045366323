package digest

import (
	"encoding/base64"
	"errors"
	"io"
	"strings"

	"glim/core/smallfmt"
)

// ErrLogin reports a user name that cannot be written into a header, because it is empty or contains a quote, a
// backslash, or a character that is not printable ASCII.
var ErrLogin = errors.New("digest: user name cannot be sent")

// Client is the client's side of one connection.
type Client struct {
	login     Login
	rand      io.Reader
	challenge fields // zero before the first challenge
	count     uint32 // requests with the current nonce
}

// NewClient returns the state of a new connection. Authorize reads 16 bytes from rand for each request.
func NewClient(l Login, rand io.Reader) *Client { return &Client{login: l, rand: rand} }

// Challenge reads the WWW-Authenticate headers of a 401 response. usable reports whether the client can answer one of
// them; stale, whether the server reports that the password was right and only the nonce was outdated.
func (c *Client) Challenge(headers []string) (usable, stale bool) {
	best := -1
	for _, h := range headers {
		f, err := parse(h)
		if err != nil || f.nonce == "" || !offersAuth(f.qop) {
			continue
		}
		// Prefer plain MD5, as the client of the reference does: MD5-sess adds nothing if a nonce lives as long as its
		// connection.
		rank := map[string]int{"md5-sess": 0, "": 1, "md5": 1}
		if r, known := rank[strings.ToLower(f.algorithm)]; known && r > best {
			best, c.challenge, c.count = r, f, 0
		}
	}
	return best >= 0, best >= 0 && strings.EqualFold(c.challenge.stale, "true")
}

func offersAuth(qop string) bool {
	for _, q := range strings.FieldsFunc(qop, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		if strings.EqualFold(q, "auth") {
			return true
		}
	}
	return false
}

// Authorize returns the Authorization header of the next request, or "" before the first challenge. uri is the request
// target as in the request line. It returns ErrLogin, or the error of the random source.
func (c *Client) Authorize(method, uri string) (string, error) {
	if c.challenge.nonce == "" {
		return "", nil
	}
	if !safe(c.login.Username) || c.login.Username == "" {
		return "", ErrLogin
	}
	var random [16]byte
	if _, err := io.ReadFull(c.rand, random[:]); err != nil {
		return "", err
	}
	c.count++
	f := c.challenge
	f.uri, f.qop, f.username = uri, "auth", c.login.Username
	f.nc = smallfmt.Sprintf("%08x", c.count)
	f.cnonce = base64.StdEncoding.EncodeToString(random[:])
	response, ok := f.answer(c.login, f.realm, method)
	if !ok {
		panic("unreachable: Challenge takes only algorithms that answer knows")
	}
	algorithm := f.algorithm
	if algorithm == "" {
		algorithm = "MD5"
	}
	var b strings.Builder
	b.WriteString(smallfmt.Sprintf(`Digest algorithm=%s,nonce="%s",realm="%s",response="%s",uri="%s",username="%s"`,
		algorithm, f.nonce, f.realm, response, f.uri, f.username))
	if f.opaque != "" {
		b.WriteString(smallfmt.Sprintf(`,opaque="%s"`, f.opaque))
	}
	b.WriteString(smallfmt.Sprintf(`,qop=auth,nc=%s,cnonce="%s"`, f.nc, f.cnonce))
	return b.String(), nil
}

// String describes the client by its user name, without the password.
func (c *Client) String() string { return "digest client of " + c.login.String() }

// GoString returns the same as String.
func (c *Client) GoString() string { return c.String() }
