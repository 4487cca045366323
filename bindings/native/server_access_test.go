package native

import (
	"crypto/rand"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc/digest"
)

func TestCORS(t *testing.T) {
	_, addr := start(t, ServerConfig{Origins: []string{"http://good.example"}, Login: digest.NewLogin("user", "pw")})
	c := dial(t, addr)
	resp, body := c.send("OPTIONS", "/json_rpc", "", "Origin: http://good.example")
	require.Equal(t, 200, resp.StatusCode, "a preflight request needs no login")
	require.Empty(t, body)
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":   "http://good.example",
		"Access-Control-Expose-Headers": "www-authenticate",
		"Access-Control-Allow-Headers":  "Content-Type, Authorization, X-Requested-With",
		"Access-Control-Allow-Methods":  "POST, PUT, GET, OPTIONS",
	} {
		require.Equal(t, want, resp.Header.Get(name), name)
	}
	resp, _ = c.send("POST", "/json_rpc", echoCall, "Origin: http://good.example")
	require.Equal(t, 401, resp.StatusCode)
	require.Equal(t, "http://good.example", resp.Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, resp.Header.Get("Access-Control-Allow-Headers"), "only for OPTIONS")
	resp, _ = c.send("OPTIONS", "*", "", "Origin: http://evil.example")
	require.Equal(t, 200, resp.StatusCode)
	require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
}

func TestWithoutLoginWebPagesAreRefused(t *testing.T) {
	_, addr := start(t, ServerConfig{Origins: []string{"http://good.example"}, Hosts: []string{"wallet.example"}})
	_, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		status  int
		method  string
		body    string
		headers []string
	}{
		"loopback address":            {200, "POST", echoCall, []string{"Host: 127.0.0.1:" + port}},
		"another loopback address":    {200, "POST", echoCall, []string{"Host: [::1]"}},
		"localhost":                   {200, "POST", echoCall, []string{"Host: LocalHost.:" + port}},
		"configured name":             {200, "POST", echoCall, []string{"Host: wallet.example:" + port}},
		"rebound name":                {403, "POST", echoCall, []string{"Host: evil.example:" + port}},
		"name with a local prefix":    {403, "POST", echoCall, []string{"Host: localhost.evil.example"}},
		"address with a local prefix": {403, "POST", echoCall, []string{"Host: 127.0.0.1.evil.example"}},
		"another address":             {403, "POST", echoCall, []string{"Host: 192.0.2.1"}},
		"preflight of a rebound name": {403, "OPTIONS", "", []string{"Host: evil.example"}},
		"origin not listed": {
			403,
			"POST",
			echoCall,
			[]string{"Host: localhost", "Origin: http://evil.example", "Content-Type: application/json"},
		},
		"origin null": {
			403,
			"POST",
			echoCall,
			[]string{"Host: localhost", "Origin: null", "Content-Type: application/json"},
		},
		"origin listed": {
			200,
			"POST",
			echoCall,
			[]string{"Host: localhost", "Origin: http://good.example", "Content-Type: application/json; charset=utf-8"},
		},
		"binary request of a listed origin": {
			200,
			"POST",
			echoCall,
			[]string{"Host: localhost", "Origin: http://good.example", "Content-Type: application/octet-stream"},
		},
		"form of a page": {
			415,
			"POST",
			echoCall,
			[]string{
				"Host: localhost", "Origin: http://good.example", "Content-Type: application/x-www-form-urlencoded",
			},
		},
		"simple request of a page": {
			415,
			"POST",
			echoCall,
			[]string{"Host: localhost", "Origin: http://good.example", "Content-Type: text/plain"},
		},
		"page without a content type": {
			415,
			"POST",
			echoCall,
			[]string{"Host: localhost", "Origin: http://good.example"},
		},
		"preflight of a page":        {200, "OPTIONS", "", []string{"Host: localhost", "Origin: http://good.example"}},
		"image of a page":            {403, "GET", "", []string{"Host: localhost", "Sec-Fetch-Site: cross-site"}},
		"typed into the address bar": {200, "GET", echoCall, []string{"Host: localhost", "Sec-Fetch-Site: none"}},
	} {
		resp, body := dial(t, addr).send(c.method, "/json_rpc", c.body, c.headers...)
		require.Equal(t, c.status, resp.StatusCode, name)
		if c.status != 200 {
			require.Empty(t, body, name)
		}
	}
}

// TestSeveralOriginsAreRefused checks that a request with several Origin fields is refused, with and without a login,
// so that no origin can hide behind another.
func TestSeveralOriginsAreRefused(t *testing.T) {
	for _, login := range []digest.Login{{}, digest.NewLogin("user", "pw")} {
		_, addr := start(t, ServerConfig{Login: login, Origins: []string{"http://good.example"}})
		for _, first := range []string{"Origin: http://good.example", "Origin:"} {
			resp, _ := dial(t, addr).send(
				"POST", "/json_rpc", echoCall, first, "Origin: http://evil.example", "Content-Type: application/json",
			)
			require.Equal(t, 403, resp.StatusCode)
		}
	}
}

// TestBrowserLoginIsRefused checks requests with a login that a browser remembers and sends with forms, links and
// images of any page. The server refuses them, whether the login is right or wrong, and sends no challenge. It serves
// other programs, allowed origins and its own pages.
func TestBrowserLoginIsRefused(t *testing.T) {
	_, addr := start(t, ServerConfig{Login: digest.NewLogin("user", "pw"), Origins: []string{"http://good.example"}})
	for name, c := range map[string]struct {
		status  int
		method  string
		headers []string
	}{
		"no browser":             {200, "POST", nil},
		"no browser, text/plain": {200, "POST", []string{"Content-Type: text/plain"}},
		"form": {
			403,
			"POST",
			[]string{"Origin: http://evil.example", "Content-Type: text/plain"},
		},
		"form without a content type": {403, "POST", []string{"Origin: http://evil.example"}},
		"form of a sandboxed page": {
			403,
			"POST",
			[]string{"Origin: null", "Content-Type: application/x-www-form-urlencoded"},
		},
		"form with Sec-Fetch-Site": {
			403,
			"POST",
			[]string{"Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain"},
		},
		"form of another port": {
			403,
			"POST",
			[]string{"Origin: http://localhost:1", "Sec-Fetch-Site: same-site", "Content-Type: text/plain"},
		},
		"link":        {403, "GET", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}},
		"address bar": {200, "GET", []string{"Sec-Fetch-Site: none"}},
		"page of the service": {
			200,
			"POST",
			[]string{"Origin: http://localhost", "Sec-Fetch-Site: same-origin", "Content-Type: text/plain"},
		},
		"page of an allowed origin": {
			200,
			"POST",
			[]string{"Origin: http://good.example", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain"},
		},
		"request that requires a preflight": {
			200,
			"POST",
			[]string{"Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Content-Type: application/json"},
		},
	} {
		cl, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "pw"), rand.Reader)
		resp, _ := cl.send("POST", "/json_rpc", "")
		usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
		require.True(t, usable)
		value, err := auth.Authorize(c.method, "/json_rpc")
		require.NoError(t, err)
		resp, _ = cl.send(c.method, "/json_rpc", echoCall, append(c.headers, "Authorization: "+value)...)
		require.Equal(t, c.status, resp.StatusCode, name)
		if c.status != 200 {
			resp, _ = dial(t, addr).send(c.method, "/json_rpc", echoCall, c.headers...)
			require.Equal(t, 403, resp.StatusCode, name)
			require.Empty(t, resp.Header.Get("Www-Authenticate"), name)
		}
	}
	resp, _ := dial(t, addr).send(
		"OPTIONS", "/json_rpc", "", "Origin: http://evil.example", "Access-Control-Request-Method: POST",
	)
	require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"), "the preflight is denied")
}
