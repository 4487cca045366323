//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/xmr"
)

// TestLWSGuide runs the commands of the guide to the light-wallet server.
func TestLWSGuide(t *testing.T) {
	needCurl(t)
	database := peers.NewPostgres(t)
	t.Setenv("PGHOST", database.Dir)
	t.Setenv("PGUSER", peers.PostgresUser)
	t.Setenv("PATH", database.Tools+":"+os.Getenv("PATH"))
	m := newMachine(t)
	out := m.runDocument(t, "../LWS.md")
	require.Contains(t, out, "both answer", "the section on several machines")
	require.Contains(t, out, "outputs from before and after the fork")
	for _, want := range []string{
		`"new_address":true`, `{"create":[{"address":"44SLvi5c`, `{"updated":["44SLvi5c`, `"transactions":[{"id":0`,
		`"outputs":[{"amount":"`, `"status":"Approved"`, `{"active":[{"address":"44SLvi5c`,
	} {
		require.Contains(t, out, want)
	}
	log, err := os.ReadFile(filepath.Join(m.dir, "lws.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "glim lws serves administrators at 127.0.0.1:")
	for _, name := range []string{"glim-lws.db", "lws.key", "lws-admin.key"} {
		info, err := os.Stat(filepath.Join(m.dir, "lws", name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
}

// TestLWSCommand: the command serves over TLS, ends with its context, and starts again.
func TestLWSCommand(t *testing.T) {
	folder := t.TempDir()
	port, daemon := aPort(t), aPort(t)
	args := []string{
		"lws", "--regtest", "--daemon", "127.0.0.1:" + daemon, "--db-path", folder, "--rest-server",
		"https://127.0.0.1:" + port,
	}
	for range 2 {
		t.Run("start", func(t *testing.T) { start(t, args...) }) // the end of the test ends it
	}
	require.NoError(t, os.Chmod(filepath.Join(folder, "lws.key"), 0o644))
	code, _, errs := runCommand(t, args...)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "other users may read the key file")
	code, out, _ := runCommand(t, "lws", "--help")
	require.Zero(t, code)
	require.Contains(t, out, "--max-subaddresses N")
	require.Contains(t, out, "Accepted without effect")
	code, out, _ = runCommand(t, "lws", "--version")
	require.Zero(t, code)
	require.Contains(t, out, "glim ")
}

// TestLWSFlags checks flags that are refused, and defaults.
func TestLWSFlags(t *testing.T) {
	env := func(string) string { return t.TempDir() }
	parse := func(line string) (LWSConfig, error) { return parseLWS(strings.Fields(line), env, os.ReadFile) }
	c, err := parse("--network stage --rest-server https://0.0.0.0:8443/basic,http://[::1]:80/ --rest-server 81/a/b " +
		"--confirm-external-bind --sub tcp://127.0.0.1:1")
	require.NoError(t, err)
	require.Equal(t, xmr.Stagenet, c.Network)
	require.Equal(t, "127.0.0.1:38081", c.Daemon)
	require.Equal(t, []restAddress{
		{"0.0.0.0", 8443, true, "/basic"}, {"::1", 80, false, ""}, {"127.0.0.1", 81, true, "/a/b"},
	}, c.Servers)
	require.Empty(t, c.AdminServers)
	require.Contains(t, c.Folder, "lws-stagenet")
	require.Len(t, c.Warnings, 1)
	c, err = parse("--database postgres://me@db.example/lws")
	require.NoError(t, err)
	require.Equal(t, "postgres://me@db.example/lws", c.Database)
	require.Zero(t, c.rates().Interval, "no exchange rates")
	c, err = parse("--exchange-rate-interval 10 --proxy 127.0.0.1:9050")
	require.NoError(t, err)
	require.Equal(t, 10*time.Minute, c.rates().Interval)
	require.Equal(t, "127.0.0.1:9050", c.rates().Client.Proxy)
	code, _, errs := runCommand(t, "lws", "--regtest", "--db-path", t.TempDir(), "--rest-server",
		"http://127.0.0.1:"+aPort(t), "--database", "postgres://me:hunter2@db.example/lws")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "must not contain a password")
	require.NotContains(t, errs, "hunter2")
	c, err = parse("")
	require.NoError(t, err)
	require.Equal(t, []restAddress{{"127.0.0.1", 8443, false, ""}}, c.Servers)

	for line, want := range map[string]string{
		"--network moon":                          "main, test or stage",
		"--network test --regtest":                "mutually exclusive",
		"--rest-server http://0.0.0.0:80":         "--confirm-external-bind",
		"--rest-server ftp://127.0.0.1:80":        "http://",
		"--rest-server http://127.0.0.1:80/../a":  "plain path",
		"--rest-server http://127.0.0.1:80//a":    "plain path",
		"--rest-server http://127.0.0.1:80/a%20b": "plain path",
		"--rest-server http://example.org:80":     "not an IP address",
		"--rest-server http://127.0.0.1:0":        "not a port",
		"--admin-rest-server 1.2.3.4:5":           "--confirm-external-bind",
		"--daemon tcp://127.0.0.1:18082":          "ZeroMQ",
		"--max-subaddresses 999999999":            "must not exceed",
		"--rest-ssl-key key":                      "together",
		"--webhook-ssl-verification some":         "none or system_ca",
		"--scan-threads 0":                        "at least 1",
		"--nonsense":                              "unknown flag",
	} {
		_, err := parse(line)
		require.ErrorContains(t, err, want, line)
	}
}
