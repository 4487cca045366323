package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"

	"glim/bindings/app"
	"glim/bindings/dnssec/dnstest"
	"glim/bindings/native"
	"glim/bindings/peers/inprocess"
	"glim/core/rpc"
	"glim/core/xmr"
)

// desk is a user's folders, a page, and a command that records what opens in the browser.
type desk struct{ dir, pages string }

func newDesk(t *testing.T) desk {
	t.Helper()
	d := desk{t.TempDir(), t.TempDir()}
	index := []byte("<html><head></head></html>")
	require.NoError(t, os.WriteFile(filepath.Join(d.pages, "index.html"), index, 0o600))
	script := "#!/bin/sh\nenv >" + d.at("env") + "\nprintf '%s\\n' \"$@\" >" + d.at("args.new") +
		"\nmv " + d.at("args.new") + " " + d.at("args") + "\n"
	for _, command := range app.Openers(runtime.GOOS) {
		require.NoError(t, os.WriteFile(d.at(command[0]), []byte(script), 0o700))
	}
	t.Setenv("XDG_RUNTIME_DIR", d.dir)
	t.Setenv("XDG_DATA_HOME", d.at("data"))
	t.Setenv("PATH", d.dir+":"+os.Getenv("PATH"))
	return d
}

func (d desk) at(name string) string { return filepath.Join(d.dir, name) }

// opened returns the address that the browser opens, and the other things that are visible about that.
func (d desk) opened(t *testing.T) (address, visible string) {
	t.Helper()
	var args []byte
	require.Eventually(t, func() (found bool) {
		var err error
		args, err = os.ReadFile(d.at("args"))
		return err == nil
	}, 10*time.Minute, 20*time.Millisecond)
	require.NoError(t, os.Remove(d.at("args")))
	page := strings.TrimSpace(string(args))
	info, err := os.Stat(page)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	env, err := os.ReadFile(d.at("env"))
	require.NoError(t, err)
	return regexp.MustCompile(`http://[^"]+`).FindString(string(text)), string(args) + string(env)
}

// redeem returns the header field of the session that the address of the page is good for.
func redeem(t *testing.T, address string) (origin, bearer string) {
	t.Helper()
	origin, ticket, found := strings.Cut(address, "/#")
	require.True(t, found, address)
	body, err := json.Marshal(map[string]string{"ticket": ticket})
	require.NoError(t, err)
	resp, err := http.Post(origin+"/app/session", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	var out struct{ Token string }
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&out))
	return origin, "Bearer " + out.Token
}

func get(t *testing.T, method, url, bearer string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", bearer)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

// TestApp starts the app twice: the second start opens the first one. No argument, environment or log has a secret.
func TestApp(t *testing.T) {
	d := newDesk(t)
	flags := []string{"app", "--regtest", "--offline", "--pages", d.pages, "--log-level=4", "--log-file", d.at("log")}
	p := runProcess(t, flags...)
	p.await(t, "glim app serves regtest at 127.0.0.1:")
	address, visible := d.opened(t)
	origin, bearer := redeem(t, address)

	second := runProcess(t, flags...)
	second.await(t, "already running")
	next, more := d.opened(t)
	require.NoError(t, <-second.ended)
	again, other := redeem(t, next)
	require.Equal(t, origin, again)
	status, body := get(t, "GET", origin+"/app/state", other)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, d.at("data/glim/wallets-regtest"))

	elsewhere := runProcess(t, append(flags, "--wallet-dir", d.at("elsewhere"))...)
	elsewhere.await(t, "already running with the folder")
	require.Error(t, <-elsewhere.ended)

	status, _ = get(t, "POST", origin+"/app/quit", bearer)
	require.Equal(t, http.StatusNoContent, status)
	require.NoError(t, <-p.ended)
	log, err := os.ReadFile(d.at("log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "/app/session")
	_, ticket, _ := strings.Cut(address, "#")
	_, ticket2, _ := strings.Cut(next, "#")
	for _, secret := range []string{ticket, ticket2, bearer[7:], other[7:]} {
		require.Len(t, secret, 43)
		require.NotContains(t, visible+more+string(log), secret)
	}
	left, err := filepath.Glob(d.at("glim/*"))
	require.NoError(t, err)
	require.Equal(t, []string{d.at("glim/app-regtest.lock")}, left)
}

// TestAppWithoutPages starts a program without the web wallet.
func TestAppWithoutPages(t *testing.T) {
	d := newDesk(t)
	var out, err bytes.Buffer
	require.Equal(t, 1, appCommand(t.Context(), []string{"--regtest", "--pages", d.at("missing")}, &out, &err))
	require.Contains(t, err.String(), "the built web wallet is missing")
	if app.Embedded() == nil {
		err.Reset()
		require.Equal(t, 1, appCommand(t.Context(), []string{"--regtest"}, &out, &err))
		require.Contains(t, err.String(), "make app")
	}
	err.Reset()
	require.Equal(t, 2, appCommand(t.Context(), []string{"--pagess", "x"}, &out, &err))
	require.Contains(t, err.String(), "did you mean --pages?")
	require.Equal(t, 0, appCommand(t.Context(), []string{"--help"}, &out, &err))
	require.Contains(t, out.String(), "--proxy")
}

// TestAppNode checks and chooses nodes.
func TestAppNode(t *testing.T) {
	t.Parallel()
	running, err := inprocess.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, running.Stop()) })
	daemon := running.URL
	cfg, err := parseApp([]string{"--regtest", "--wallet-dir", t.TempDir()}, os.ReadFile)
	require.NoError(t, err)
	require.False(t, cfg.chosenNode)
	logs, levels, _, err := cfg.open(io.Discard)
	require.NoError(t, err)
	e, err := newAppEngine(t.Context(), cfg, serviceEnv{log: logs, setLog: levels.setValid, stop: func() {}})
	require.NoError(t, err)
	require.Equal(t, app.Node{Address: "http://localhost:18081", Trusted: true}, e.Node())
	info, err := e.Check(t.Context(), app.NodeChoice{Address: daemon})
	require.NoError(t, err)
	require.Contains(t, string(info), `"nettype":"fakechain"`)
	for _, address := range []string{"ftp://x", "x", "http://a:b@c", "http://127.0.0.1:1"} {
		_, err = e.Check(t.Context(), app.NodeChoice{Address: address})
		require.ErrorIs(t, err, app.ErrNode, address)
	}
	require.ErrorIs(t, e.Choose(t.Context(), app.NodeChoice{Address: "x"}), app.ErrNode)
	require.ErrorIs(t, e.Choose(t.Context(), app.NodeChoice{Address: daemon, Sending: "x"}), app.ErrNode)
	const sending = "http://127.0.0.1:1"
	node := app.NodeChoice{Address: daemon, Username: "me", Password: "secret", Sending: sending}
	require.NoError(t, e.Choose(t.Context(), node))
	require.Equal(t, app.Node{Address: daemon, Username: "me", Sending: sending, Chosen: true}, e.Node())
	_, err = e.Serve(t.Context(), "/json_rpc", []byte(`{"jsonrpc":"2.0","id":0,"method":"get_version"}`), rpc.Options{})
	require.NoError(t, err)
	require.NoError(t, e.Choose(t.Context(), app.NodeChoice{}))
	require.Empty(t, e.Node().Address)
	require.NoError(t, e.close())
	_, err = e.Serve(context.Background(), "/json_rpc", nil, rpc.Options{})
	require.ErrorIs(t, err, errEnding)

	offline, err := parseApp([]string{"--offline"}, os.ReadFile)
	require.NoError(t, err)
	require.True(t, offline.chosenNode)
	require.ErrorIs(t, (&appEngine{cfg: offline}).Choose(t.Context(), node), app.ErrNode)
	require.Equal(t, "wallets", ofNetwork("wallets", xmr.Mainnet))
	require.Equal(t, "wallets-stagenet", ofNetwork("wallets", xmr.Stagenet))
	var _ app.Wallets = native.WalletDir("")
}

// TestAppNames: the engine of the page gives the addresses of signed names only, and asks through the proxy if there
// is one.
func TestAppNames(t *testing.T) {
	zone := dnstest.NewTree(t, dns.ED25519, 256)
	record := dnstest.TXT(dnstest.Name, "oa1:xmr recipient_address="+someAddress+";")
	zone.Sign(t, zone.Example, record)
	ask := func(flags ...string) string {
		t.Helper()
		flags = append(flags, "--daemon-address", "127.0.0.1:1", "--wallet-dir", t.TempDir())
		cfg, err := parseApp(flags, os.ReadFile)
		require.NoError(t, err)
		names := nameLookups(cfg.WalletRPCConfig)
		names.Public, names.Anchors, names.Now = "tcp://"+zone.Address.String(), []string{zone.Anchor},
			func() time.Time { return dnstest.Now }
		env := serviceEnv{log: slog.New(slog.DiscardHandler), stop: func() {}, names: names.TXT}
		e, err := newAppEngine(t.Context(), cfg, env)
		require.NoError(t, err)
		defer func() { require.NoError(t, e.close()) }()
		body, err := e.Serve(t.Context(), "/json_rpc", []byte(`{"jsonrpc":"2.0","id":0,"method":"validate_address",`+
			`"params":{"address":"donate@example.org","allow_openalias":true,"any_net_type":true}}`), rpc.Options{})
		require.NoError(t, err)
		return string(body)
	}
	require.Contains(t, ask(), someAddress)
	zone.Queries()
	require.NotContains(t, ask("--no-dns"), someAddress)
	require.NotContains(t, ask("--proxy", "1"), someAddress, "the proxy does not answer")
	require.Empty(t, zone.Queries(), "nothing is asked past the proxy")
	zone.Sign(t, dnstest.NewKey(t, "example.org.", dns.ED25519, 256), record)
	require.NotContains(t, ask(), someAddress, "a forged record")
	require.NotEmpty(t, zone.Queries())
}
