package native

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/rpc/digest"
)

func TestLogin(t *testing.T) {
	_, addr := start(t, ServerConfig{Login: digest.NewLogin("user", "pw")})
	c, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "pw"), rand.Reader)
	resp, body := c.send("POST", "/json_rpc", echoCall, "Host: evil.example")
	require.Equal(t, 401, resp.StatusCode)
	// source: body and header fields of the 401 of monero-wallet-rpc 0.18.0.0 started with --rpc-login
	require.Equal(
		t, "<html><head><title>Unauthorized Access</title></head><body><h1>401 Unauthorized</h1></body></html>", body,
	)
	require.Equal(t, "text/html", resp.Header.Get("Content-Type"))
	challenges := resp.Header.Values("Www-Authenticate")
	require.Len(t, challenges, 2)
	require.Regexp(
		t, `^Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="[A-Za-z0-9+/]{22}==",stale=false$`,
		challenges[0],
	)
	require.Regexp(
		t, `^Digest qop="auth",algorithm=MD5-sess,realm="monero-rpc",nonce="[A-Za-z0-9+/]{22}==",stale=false$`,
		challenges[1],
	)
	usable, _ := auth.Challenge(challenges)
	require.True(t, usable)
	first := authorization(t, auth)
	last := first
	for i := range 3 {
		if i > 0 {
			last = authorization(t, auth)
		}
		resp, body = c.send("POST", "/json_rpc", echoCall, last)
		require.Equal(t, 200, resp.StatusCode)
		require.Contains(t, body, "hello")
	}
	resp, _ = c.send("POST", "/json_rpc", echoCall, last)
	require.Equal(t, 401, resp.StatusCode, "replayed")
	require.Contains(t, resp.Header.Get("Www-Authenticate"), "stale=true")

	resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall, authorization(t, auth))
	require.Equal(t, 401, resp.StatusCode, "a nonce is valid for one connection")
	resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall, first)
	require.Equal(t, 401, resp.StatusCode, "also with a matching nonce count")

	c = dial(t, addr)
	resp, _ = c.send("POST", "/json_rpc", echoCall)
	usable, _ = auth.Challenge(resp.Header.Values("Www-Authenticate"))
	require.True(t, usable)
	resp, _ = c.send("POST", "/json_rpc", echoCall, authorization(t, auth), "Authorization: Digest username=\"other\"")
	require.Equal(t, 401, resp.StatusCode, "two Authorization fields are refused")

	for target, status := range map[string]int{
		"/echo_path":                401,
		"/json_rpc?a":               401,
		"http://localhost/json_rpc": 200,
	} {
		c = dial(t, addr)
		resp, _ = c.send("POST", target, echoCall, "Host: localhost")
		usable, _ = auth.Challenge(resp.Header.Values("Www-Authenticate"))
		require.True(t, usable)
		resp, _ = c.send("POST", target, echoCall, "Host: localhost", authorization(t, auth))
		require.Equal(t, status, resp.StatusCode, "a login for /json_rpc at %s", target)
	}
}

// TestChallengeSurvivesALargeBody checks that a large body sent before the challenge does not close the connection,
// which would invalidate the nonce.
func TestChallengeSurvivesALargeBody(t *testing.T) {
	_, addr := start(t, ServerConfig{Login: digest.NewLogin("user", "pw")})
	large := `{"method":"echo","params":{"text":"` + strings.Repeat("x", 1<<20) + `"}}`
	c, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "pw"), rand.Reader)
	resp, _ := c.send("POST", "/json_rpc", large)
	require.Equal(t, 401, resp.StatusCode)
	usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
	require.True(t, usable)
	resp, body := c.send("POST", "/json_rpc", large, authorization(t, auth))
	require.Equal(t, 200, resp.StatusCode)
	require.Greater(t, len(body), 1<<20)
}

func authorization(t *testing.T, auth *digest.Client) string {
	t.Helper()
	h, err := auth.Authorize("POST", "/json_rpc")
	require.NoError(t, err)
	return "Authorization: " + h
}

func TestWrongLoginIsLoggedWithoutIt(t *testing.T) {
	var log bytes.Buffer
	s, addr := start(t, ServerConfig{
		Login: digest.NewLogin("user", "pw"), Limits: ServerLimits{FailDelay: time.Millisecond},
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	c, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "guess"), rand.Reader)
	resp, _ := c.send("POST", "/json_rpc", echoCall)
	usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
	require.True(t, usable)
	h := authorization(t, auth)
	resp, _ = c.send("POST", "/json_rpc", echoCall, h)
	require.Equal(t, 401, resp.StatusCode)
	require.Contains(t, resp.Header.Get("Www-Authenticate"), "stale=false")
	_ = c.c.Close()
	require.NoError(t, s.Shutdown(t.Context()), "no further log output")
	require.Contains(t, log.String(), "wrong login")
	for _, secret := range []string{"pw", "guess", "Digest", "hello"} {
		require.NotContains(t, log.String(), secret)
	}
}

// TestWrongLoginsAreDelayed checks that responses to wrong logins are delayed one after the other, however many arrive
// at once, and that the right login is served immediately.
func TestWrongLoginsAreDelayed(t *testing.T) {
	right := digest.NewLogin("user", "pw")
	_, addr := start(t, ServerConfig{Login: right, Limits: ServerLimits{FailsWaiting: 1, FailDelay: time.Minute}})
	request := func(login digest.Login) *client {
		c, auth := dial(t, addr), digest.NewClient(login, rand.Reader)
		resp, _ := c.send("POST", "/json_rpc", echoCall)
		usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
		require.True(t, usable)
		c.write("POST", "/json_rpc", echoCall, authorization(t, auth))
		return c
	}
	var guesses []*client
	for range 3 {
		guesses = append(guesses, request(digest.NewLogin("user", "guess")))
	}
	resp, err := http.ReadResponse(request(right).r, nil)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	for _, c := range guesses {
		require.NoError(t, c.c.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
		_, err := c.r.ReadByte()
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		_ = c.c.Close()
	}
}

func TestGeneratedLogin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "monero-wallet-rpc.18083.login")
	require.NoError(t, os.WriteFile(file, []byte("left over"), 0o644))
	login, remove, err := GenerateLogin(file, bytes.NewReader(bytes.Repeat([]byte{0xff}, 16)))
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "monero://///////////////////w==", string(text))
	require.Equal(t, digest.NewLogin("monero", "/////////////////////w=="), login)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, remove())
	require.NoFileExists(t, file)

	_, _, err = GenerateLogin(file, strings.NewReader("short"))
	require.Error(t, err)
	require.NoFileExists(t, file)
}
