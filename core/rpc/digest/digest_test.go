package digest

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRFC2617Example checks the example of RFC 2617, section 3.5.
func TestRFC2617Example(t *testing.T) {
	l := NewLogin("Mufasa", "Circle Of Life")
	f := fields{
		username: "Mufasa", realm: "testrealm@host.com", nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093",
		uri: "/dir/index.html", qop: "auth", nc: "00000001", cnonce: "0a4f113b",
	}
	got, ok := f.answer(l, f.realm, "GET")
	require.True(t, ok)
	require.Equal(t, "6629fae49393a05397450978507c4ef1", got)
	f.qop = "" // the rule of RFC 2069 for the same input
	got, ok = f.answer(l, f.realm, "GET")
	require.True(t, ok)
	require.Equal(t, "670fd8c2df070c60b045671b8b24ff02", got)
}

func pair(t *testing.T, serverLogin, clientLogin Login) (*Server, *Client) {
	t.Helper()
	return NewServer(serverLogin, rand.Reader), NewClient(clientLogin, rand.Reader)
}

func TestClientAndServer(t *testing.T) {
	l := NewLogin("monero", "pass:word")
	s, c := pair(t, l, l)
	h, err := c.Authorize("POST", "/json_rpc")
	require.NoError(t, err)
	require.Empty(t, h, "nothing to answer yet")
	ok, challenges, err := s.Check("POST", "/json_rpc", "localhost", h)
	require.NoError(t, err)
	require.False(t, ok)
	require.Len(t, challenges, 2)
	require.Contains(t, challenges[0], "algorithm=MD5,")
	require.Contains(t, challenges[1], "algorithm=MD5-sess,")

	for pick := range 2 { // MD5, then MD5-sess
		ok, challenges, err = s.Check("POST", "/json_rpc", "localhost", "")
		require.NoError(t, err)
		require.False(t, ok)
		usable, stale := c.Challenge(challenges[pick : pick+1])
		require.True(t, usable)
		require.False(t, stale)
		for range 3 {
			h, err = c.Authorize("POST", "/json_rpc")
			require.NoError(t, err)
			ok, _, err = s.Check("POST", "/json_rpc", "localhost", h)
			require.NoError(t, err)
			require.True(t, ok)
		}
		// A repeated header has an old count: it is stale, and the nonce changes.
		ok, challenges, err = s.Check("POST", "/json_rpc", "localhost", h)
		require.NoError(t, err)
		require.False(t, ok)
		usable, stale = c.Challenge(challenges)
		require.True(t, usable)
		require.True(t, stale)
	}

	// A header for another method is wrong, not stale.
	c.Challenge(challenges)
	h, err = c.Authorize("GET", "/json_rpc")
	require.NoError(t, err)
	ok, challenges, err = s.Check("POST", "/json_rpc", "localhost", h)
	require.NoError(t, err)
	require.False(t, ok)
	require.Contains(t, challenges[0], "stale=false")
}

func TestWrongLogin(t *testing.T) {
	for _, wrong := range []Login{NewLogin("monero", "other"), NewLogin("other", "secret")} {
		s, c := pair(t, NewLogin("monero", "secret"), wrong)
		_, challenges, err := s.Check("POST", "/json_rpc", "localhost", "")
		require.NoError(t, err)
		c.Challenge(challenges)
		h, err := c.Authorize("POST", "/")
		require.NoError(t, err)
		ok, challenges, err := s.Check("POST", "/json_rpc", "localhost", h)
		require.NoError(t, err)
		require.False(t, ok)
		usable, stale := c.Challenge(challenges)
		require.True(t, usable)
		require.False(t, stale)
	}
	s := NewServer(NewLogin("a", "b"), rand.Reader)
	h := `Digest username="a",realm="monero-rpc",nonce="x",uri="/",response="` +
		hash(hash("a", Realm, "b"), "x", hash("GET", "/")) + `"`
	ok, challenges, err := s.Check("GET", "/", "localhost", h)
	require.NoError(t, err)
	require.False(t, ok, "a nonce of the client's own")
	require.Contains(t, challenges[0], "stale=true")
}

// TestOldForm: a header of RFC 2069 is accepted once per nonce.
func TestOldForm(t *testing.T) {
	l := NewLogin("a", "b")
	s := NewServer(l, rand.Reader)
	_, _, err := s.Check("GET", "/json_rpc", "localhost", "")
	require.NoError(t, err)
	h := fmt.Sprintf(`Digest username="a",realm="monero-rpc",nonce="%s",uri="/",response="%s"`, s.nonce,
		hash(hash("a", Realm, "b"), s.nonce, hash("GET", "/")))
	ok, _, err := s.Check("GET", "/", "localhost", h)
	require.NoError(t, err)
	require.True(t, ok)
	ok, challenges, err := s.Check("GET", "/", "localhost", h)
	require.NoError(t, err)
	require.False(t, ok)
	require.Contains(t, challenges[0], "stale=true")
}

// TestLoginOfAnotherTarget: a login is valid only for the target it was computed for. Each target may be a path or a
// URL of the server.
func TestLoginOfAnotherTarget(t *testing.T) {
	l := NewLogin("user", "secret")
	for _, c := range []struct {
		uri, target string
		ok          bool
	}{
		{"/json_rpc", "/json_rpc", true},
		{"/json_rpc", "/other", false},
		{"/JSON_RPC", "/json_rpc", false},
		{"/json_rpc", "//json_rpc", false},
		{"/json_rpc/", "/json_rpc", false},
		{"/json%5frpc", "/json_rpc", false},
		{"/events?cursor=1", "/events?cursor=1", true},
		{"/events", "/events?cursor=1", false},
		{"/events?cursor=1", "/events", false},
		{"/events?cursor=2", "/events?cursor=1", false},
		{"http://localhost:18083/json_rpc", "/json_rpc", true},
		{"HTTPS://LOCALHOST:18083/json_rpc", "/json_rpc", true},
		{"/json_rpc", "http://localhost:18083/json_rpc", true},
		{"https://localhost:18083/json_rpc", "http://localhost:18083/json_rpc", true},
		{"http://localhost:18083", "/", true},
		{"http://localhost:18083?a", "http://localhost:18083/?a", true},
		{"http://localhost:18083/json_rpc", "/other", false},
		{"http://elsewhere:18083/json_rpc", "/json_rpc", false},
		{"http://localhost:180830/json_rpc", "/json_rpc", false},
		{"http://localhost:18083.elsewhere/json_rpc", "/json_rpc", false},
		{"http://localhost/json_rpc", "/json_rpc", false},
		{"ftp://localhost:18083/json_rpc", "/json_rpc", false},
		{"json_rpc", "/json_rpc", false},
		{"elsewhere", "ftp://localhost:18083/json_rpc", false},
	} {
		s, client := pair(t, l, l)
		_, challenges, err := s.Check("POST", c.target, "localhost:18083", "")
		require.NoError(t, err)
		client.Challenge(challenges)
		h, err := client.Authorize("POST", c.uri)
		require.NoError(t, err)
		ok, challenges, err := s.Check("POST", c.target, "localhost:18083", h)
		require.NoError(t, err)
		require.Equal(t, c.ok, ok, "%s for %s", c.uri, c.target)
		if !ok {
			require.Contains(t, challenges[0], "stale=false", "it is no better than a wrong password")
		}
	}
}

func TestHeaders(t *testing.T) {
	f, err := parse(`digest  NONCE = "a\"b" , Qop="auth,auth-int",stale=TRUE, realm="r"`)
	require.NoError(t, err)
	require.Equal(t, fields{nonce: `a\"b`, qop: "auth,auth-int", stale: "TRUE", realm: "r"}, f)
	for _, bad := range []string{
		``, `Basic x`, `Digest`,
		`Digest nonce`, `Digest nonce=`, `Digest nonce=x`, `Digest nonce="x`, `Digest nonce="x",`,
		`Digest nonce="x" realm="y"`, `Digest what="x"`, `Digest nc=1`, `Digest nc="00000001"`, `Digest response="xy"`,
		`Digest nonce="x",nonce="y"`, `Digest nonce=""`, `Digest ` + strings.Repeat(" ", maxHeader) + `nonce="x"`,
	} {
		_, err := parse(bad)
		require.ErrorIs(t, err, ErrHeader, bad)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	l := NewLogin("user", "hunter2")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		require.NotContains(t, fmt.Sprintf(verb, l), "hunter2")
		require.NotContains(t, fmt.Sprintf(verb, NewClient(l, nil)), "hunter2")
		require.NotContains(t, fmt.Sprintf(verb, NewServer(l, nil)), "hunter2")
	}
	c := NewClient(NewLogin("us\"er", "x"), bytes.NewReader(make([]byte, 64)))
	c.Challenge([]string{`Digest nonce="n",qop="auth"`})
	_, err := c.Authorize("GET", "/")
	require.ErrorIs(t, err, ErrLogin)
}

func FuzzParse(f *testing.F) {
	f.Add(`Digest qop="auth",algorithm=MD5-sess,realm="monero-rpc",nonce="abc==",stale=false`)
	f.Add(`Digest nc=00000001,cnonce="x",response="00ff",uri="/",username="u"`)
	f.Add(`digest nonce="\`)
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parse(s)
		if err == nil && len(p.nonce)+len(p.realm)+len(p.opaque) > len(s) {
			t.Fatal("more out than in")
		}
	})
}
