package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/app"
	"glim/bindings/native"
	"glim/core/rpc"
)

// site is a served app.
type site struct {
	*app.Server
	host  string
	owner app.Token
	now   time.Time
	quit  chan struct{}
}

// parts answer for the wallets, the node and the settings of the app.
type parts struct{ texts map[string]string }

func (parts) List() ([]string, error)                               { return []string{"purse"}, nil }
func (parts) Remove(string) error                                   { return nil }
func (parts) File(string) ([]byte, error)                           { return []byte("file"), nil }
func (parts) Add(string, []byte) error                              { return native.ErrNoWalletFile }
func (parts) Node() app.Node                                        { return app.Node{Address: "http://node"} }
func (parts) Choose(context.Context, app.NodeChoice) error          { return app.ErrNode }
func (parts) Check(context.Context, app.NodeChoice) ([]byte, error) { return []byte("{}"), nil }
func (p parts) Read(key string) (string, bool, error)               { v, ok := p.texts[key]; return v, ok, nil }
func (p parts) Write(key, value string) error                       { p.texts[key] = value; return nil }
func (parts) Serve(context.Context, string, []byte, rpc.Options) ([]byte, error) {
	return []byte("served"), nil
}

func serve(t *testing.T) *site {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	s := &site{host: l.Addr().String(), owner: app.NewToken(), now: time.Unix(1e9, 0), quit: make(chan struct{})}
	p := parts{map[string]string{}}
	s.Server, err = app.New(app.Config{
		Pages: fstest.MapFS{
			"index.html":       {Data: []byte("<html><head><title>glim</title>")},
			"assets/main.js":   {Data: []byte("run()")},
			"assets/glim.wasm": {Data: []byte("engine")},
			"sw.js":            {Data: []byte("worker")},
		},
		Host: s.host, Owner: s.owner, Info: app.Info{Network: "regtest"}, Nodes: p, Wallets: p, Settings: p,
		Now: func() time.Time { return s.now }, Quit: func() { close(s.quit) },
	})
	require.NoError(t, err)
	server := native.NewServer(native.ServerConfig{Service: p, Front: s.Front, Origins: []string{s.Origin()}})
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		s.End()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.NoError(t, server.Shutdown(ctx))
		require.NoError(t, <-done)
	})
	return s
}

// ask sends a request whose header fields are pairs of a name and a value. It returns the response and its body.
func (s *site) ask(t *testing.T, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.host+path, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Add(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(text)
}

func (s *site) status(t *testing.T, method, path, body string, header ...string) int {
	t.Helper()
	resp, _ := s.ask(t, method, path, body, header...)
	return resp.StatusCode
}

const kind, jsonKind = "Content-Type", "application/json"

// session redeems a ticket and returns the status and the header field of the session.
func (s *site) session(t *testing.T, ticket app.Token) (status int, bearer string) {
	t.Helper()
	resp, body := s.ask(t, "POST", "/app/session", fmt.Sprintf(`{"ticket":%q}`, string(ticket)), kind, jsonKind)
	var out struct{ Token string }
	if resp.StatusCode == http.StatusOK {
		require.NoError(t, json.Unmarshal([]byte(body), &out))
	}
	return resp.StatusCode, "Bearer " + out.Token
}

// TestTickets redeems tickets: each is good for one session, and not for long.
func TestTickets(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ticket, late := s.Ticket(), s.Ticket()
	status, first := s.session(t, ticket)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, http.StatusOK, s.status(t, "GET", "/app/state", "", "Authorization", first))
	status, _ = s.session(t, ticket)
	require.Equal(t, http.StatusUnauthorized, status, "a ticket is used once")
	for _, wrong := range []app.Token{"", "x", s.owner, app.NewToken(), ticket + "="} {
		status, _ = s.session(t, wrong)
		require.Equal(t, http.StatusUnauthorized, status)
	}
	s.now = s.now.Add(time.Hour)
	status, _ = s.session(t, late)
	require.Equal(t, http.StatusUnauthorized, status, "a ticket ends")
	require.Equal(t, http.StatusOK, s.status(t, "GET", "/app/state", "", "Authorization", first))

	// Only the owner's token, which is in a private file, gets further tickets.
	require.Equal(t, http.StatusUnauthorized, s.status(t, "POST", "/app/ticket", "", "Authorization", first))
	running := app.Running{Host: s.host, Owner: s.owner}
	next, err := running.Ticket(t.Context())
	require.NoError(t, err)
	status, _ = s.session(t, next)
	require.Equal(t, http.StatusOK, status)
	_, err = app.Running{Host: s.host, Owner: "x"}.Ticket(t.Context())
	require.ErrorContains(t, err, "401")
}

// TestOnlyItsPage sends what other pages, rebound names and other programs can send. Nothing reaches the service or an
// endpoint, with or without the token of a session.
func TestOnlyItsPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, bearer := s.session(t, s.Ticket())
	own := []string{"Authorization", bearer, "Origin", s.Origin(), "Sec-Fetch-Site", "same-origin", kind, jsonKind}
	_, port, err := net.SplitHostPort(s.host)
	require.NoError(t, err)
	paths := map[string]string{
		"/json_rpc": "POST", "/wallets/purse/json_rpc": "POST", "/wallets/purse/events": "GET", "/app/state": "GET",
		"/app/alive": "GET", "/app/quit": "POST", "/app/node": "PUT", "/app/wallets": "GET",
		"/app/wallets/purse": "DELETE", "/app/settings/settings": "PUT",
	}
	for path, method := range paths {
		for name, header := range map[string][]string{
			"no token":        {"Origin", s.Origin(), kind, jsonKind},
			"wrong token":     {"Authorization", "Bearer " + string(app.NewToken())},
			"owner's token":   {"Authorization", "Bearer " + string(s.owner)},
			"another scheme":  {"Authorization", "Basic " + bearer[7:]},
			"two tokens":      {"Authorization", bearer, "Authorization", bearer},
			"cookie":          {"Cookie", "token=" + bearer[7:]},
			"other origin":    {"Authorization", bearer, "Origin", "https://evil.example", kind, jsonKind},
			"null origin":     {"Authorization", bearer, "Origin", "null", kind, jsonKind},
			"origin by name":  {"Authorization", bearer, "Origin", "http://localhost:" + port, kind, jsonKind},
			"other port":      {"Authorization", bearer, "Origin", "http://127.0.0.1:1", kind, jsonKind},
			"other scheme":    {"Authorization", bearer, "Origin", "https://" + s.host, kind, jsonKind},
			"two origins":     {"Authorization", bearer, "Origin", s.Origin(), "Origin", s.Origin(), kind, jsonKind},
			"cross-site":      {"Authorization", bearer, "Sec-Fetch-Site", "cross-site"},
			"same-site":       {"Authorization", bearer, "Sec-Fetch-Site", "same-site"},
			"rebound name":    append([]string{"Host", "evil.example:" + port}, own...),
			"localhost":       append([]string{"Host", "localhost:" + port}, own...),
			"no port":         append([]string{"Host", "127.0.0.1"}, own...),
			"another address": append([]string{"Host", "127.0.0.2:" + port}, own...),
		} {
			resp, body := s.ask(t, method, path, "{}", header...)
			require.Contains(t, []int{401, 403, 421}, resp.StatusCode, "%s: %s", path, name)
			require.Empty(t, body)
			require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
		}
		// A preflight request is not answered as one.
		asks := []string{"Origin", "https://evil.example", "Access-Control-Request-Method", method}
		resp, _ := s.ask(t, "OPTIONS", path, "", asks...)
		require.Equal(t, http.StatusForbidden, resp.StatusCode)
		require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
	}
	_, body := s.ask(t, "POST", "/json_rpc", "{}", own...)
	require.Equal(t, "served", body)
	_, body = s.ask(t, "GET", "/app/wallets", "", own...)
	require.JSONEq(t, `["purse"]`, body)
	require.Equal(t, http.StatusNotFound, s.status(t, "GET", "/app/other", "", own...))
	require.Equal(t, http.StatusBadRequest, s.status(t, "PUT", "/app/node", "address=x", own[:6]...), "a form's type")
	_, body = s.ask(t, "PUT", "/app/node", "{}", own...)
	require.Contains(t, body, "NodeUnreachable")
	_, body = s.ask(t, "PUT", "/app/wallets/x", "x", own...)
	require.Contains(t, body, "InvalidFile")
	require.Equal(t, http.StatusNoContent, s.status(t, "PUT", "/app/settings/a%2Fb", "text", own...))
	_, body = s.ask(t, "GET", "/app/settings/a%2Fb", "", own...)
	require.Equal(t, "text", body)
}

// TestPages loads the page: it cannot be framed or read by other pages, and what a page of this origin does not need is
// not there.
func TestPages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	resp, body := s.ask(t, "GET", "/", "")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Contains(t, body, `<meta name="glim-app"`)
	for name, part := range map[string]string{
		"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY",
		"Referrer-Policy":            "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		require.Contains(t, resp.Header.Get(name), part, name)
	}
	require.Contains(t, resp.Header.Get("Content-Security-Policy"), "connect-src 'self';")
	resp, body = s.ask(t, "GET", "/assets/main.js", "", "Sec-Fetch-Site", "same-origin")
	require.Equal(t, "run()", body)
	require.Equal(t, "text/javascript; charset=utf-8", resp.Header.Get(kind))
	_, body = s.ask(t, "HEAD", "/", "")
	require.Empty(t, body)
	for _, path := range []string{"/assets/glim.wasm", "/sw.js", "/assets", "/../go.mod", "/assets/%2e%2e/index.html"} {
		require.Equal(t, http.StatusUnauthorized, s.status(t, "GET", path, ""), path)
	}
	require.Equal(t, http.StatusMethodNotAllowed, s.status(t, "POST", "/", ""))
	navigates := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest"}
	require.Equal(t, http.StatusOK, s.status(t, "GET", "/", "", append(navigates, "document")...), "a link to it")
	for _, dest := range []string{"iframe", "frame", "embed", "object"} {
		require.Equal(t, http.StatusForbidden, s.status(t, "GET", "/", "", append(navigates, dest)...), dest)
	}
	require.Equal(t, http.StatusForbidden, s.status(t, "GET", "/assets/main.js", "", "Sec-Fetch-Site", "cross-site"))
	_, err := app.New(app.Config{Pages: fstest.MapFS{}})
	require.ErrorIs(t, err, app.ErrNoPages)
}

// TestAlive reads the stream by which a page notices the end of the app.
func TestAlive(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, bearer := s.session(t, s.Ticket())
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.host+"/app/alive", http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", bearer)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	_, err = io.ReadFull(resp.Body, make([]byte, 1))
	require.NoError(t, err)
	require.Equal(t, http.StatusNoContent, s.status(t, "POST", "/app/quit", "", "Authorization", bearer))
	<-s.quit
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err, "the stream ends")
}

// TestTokensAreHidden formats a token in the usual ways.
func TestTokensAreHidden(t *testing.T) {
	t.Parallel()
	token := app.NewToken()
	for _, format := range []string{"%v", "%s", "%q", "%#v", "%+v"} {
		for _, v := range []any{token, app.Running{Owner: token}} {
			require.NotContains(t, fmt.Sprintf(format, v), string(token))
		}
	}
	require.NotContains(t, app.NodeChoice{Password: "secret"}.String()+errors.New("x").Error(), "secret")
}
