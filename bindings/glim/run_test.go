package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
)

func runCommand(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = command(t.Context(), args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestHelpAndVersion(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"help"}} {
		code, out, _ := runCommand(t, args...)
		require.Zero(t, code)
		require.Contains(t, out, "glim wallet-rpc --rpc-bind-port PORT")
	}
	code, out, _ := runCommand(t, "version")
	require.Zero(t, code)
	require.Regexp(t, `^glim \S+ \(go1\.\S+ \w+/\w+(, auditedcurve)?\)\n$`, out)
	code, out, _ = runCommand(t, "wallet-rpc", "--version", "--offline")
	require.Zero(t, code)
	require.Contains(t, out, "glim ")
	code, out, _ = runCommand(t, "wallet-rpc", "--help")
	require.Zero(t, code)
	require.Contains(t, out, "--rpc-bind-port PORT")
	effective, without, found := strings.Cut(out, "Accepted without effect")
	require.True(t, found)
	require.NotContains(t, effective, "hw-device", "flags without effect are not advertised")
	require.Contains(t, without, "--hw-device ", "they are named")
	code, _, errs := runCommand(t, "wallet-rpc", "--nonsense")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "unknown flag --nonsense")
	require.Contains(t, errs, "--rpc-bind-port PORT")
	code, _, errs = runCommand(t, "mine")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `unknown command "mine"`)
}

// said collects the output of a command, and reports the address that it serves.
type said struct {
	mu   sync.Mutex
	text strings.Builder
	addr chan string
}

var serves = regexp.MustCompile(`serves \w+ at (\S+)`)

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := serves.FindSubmatch(b); m != nil {
		s.addr <- string(m[1])
	}
	return s.text.Write(b)
}

// TestServiceUntilStopWallet uses a service with a generated login until stop_wallet, which must still be answered.
func TestServiceUntilStopWallet(t *testing.T) {
	t.Chdir(t.TempDir())
	cfg, err := parse("--rpc-bind-port 1 --wallet-dir w --pidfile pid")
	require.NoError(t, err)
	cfg.BindPort = 0 // any free one
	s := &said{addr: make(chan string, 1)}
	closed := 0
	open := func(
		ctx context.Context, cfg WalletRPCConfig, env serviceEnv,
	) (native.Service, func(context.Context) error, error) {
		service, _, err := openService(ctx, cfg, env)
		return service, func(ctx context.Context) error { closed++; return ctx.Err() }, err
	}
	ended := make(chan error, 1)
	go func() { ended <- run(t.Context(), cfg, open, strings.NewReader(""), s) }()
	addr := <-s.addr

	const file = "monero-wallet-rpc.0.login"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.FileExists(t, "pid")
	user, password, _ := strings.Cut(string(text), ":")
	c := &digestPoster{url: "http://" + addr, login: digest.NewLogin(user, password)}
	version, err := rpc.Call(t.Context(), c, walletrpc.GetVersion, walletrpc.Empty{})
	require.NoError(t, err)
	require.Equal(t, uint32(65567), version.Version)
	_, err = rpc.Call(t.Context(), c, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "x", Language: "English"})
	require.NoError(t, err)
	require.FileExists(t, "w/x", "the folder of wallets is made")
	_, err = rpc.Call(t.Context(), c, walletrpc.StopWallet, walletrpc.Empty{})
	require.NoError(t, err, "the last call is answered")
	c.transport.CloseIdleConnections()

	require.NoError(t, <-ended)
	require.Equal(t, 1, closed)
	require.NoFileExists(t, file)
	require.NoFileExists(t, "pid")
	require.NotEmpty(t, password)
	require.NotContains(t, s.text.String(), password)
}

// digestPoster is a client with digest authentication, based on net/http.
type digestPoster struct {
	url       string
	login     digest.Login
	transport http.Transport
	auth      *digest.Client
}

func (p *digestPoster) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		challenged := p.auth != nil
		if challenged {
			h, err := p.auth.Authorize(http.MethodPost, path)
			if err != nil {
				return nil, err
			}
			req.Header.Set("Authorization", h)
		}
		resp, err := p.transport.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		answer, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode == http.StatusOK || challenged {
			return answer, err
		}
		p.auth = digest.NewClient(p.login, bytes.NewReader(make([]byte, 1024)))
		p.auth.Challenge(resp.Header.Values("Www-Authenticate"))
	}
}

func TestRestrictedServiceSaysSo(t *testing.T) {
	cfg, err := parse(least + "--restricted-rpc --disable-rpc-login --log-file " + filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	cfg.BindPort = 0
	ctx, cancel := context.WithCancel(t.Context())
	s := &said{addr: make(chan string, 1)}
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, cfg, openService, strings.NewReader(""), s) }()
	resp, err := http.Post(
		"http://"+<-s.addr+"/json_rpc",
		"application/json",
		strings.NewReader(`{"id":"1","method":"stop_wallet"}`),
	)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.JSONEq(t,
		`{"error":{"code":-7,"message":"Command unavailable in restricted mode."},"id":"1","jsonrpc":"2.0"}`,
		string(body))
	cancel()
	require.NoError(t, <-ended)
}

// TestTakenPort checks that a port in use leaves no login file and no open wallet behind.
func TestTakenPort(t *testing.T) {
	t.Chdir(t.TempDir())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	cfg, err := parse(least)
	require.NoError(t, err)
	cfg.BindPort = uint16(l.Addr().(*net.TCPAddr).Port)
	open := func(context.Context, WalletRPCConfig, serviceEnv) (native.Service, func(context.Context) error, error) {
		t.Error("opened")
		return nil, nil, nil
	}
	require.Error(t, run(t.Context(), cfg, open, strings.NewReader(""), io.Discard))
	left, err := filepath.Glob("*")
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestPasswordFromStandardInput(t *testing.T) {
	for in, want := range map[string]string{"pass word\nrest": "pass word", "last": "last", "dos\r\n": "dos", "": ""} {
		got, err := readPassword(t.Context(), strings.NewReader(in), io.Discard, "Wallet password: ")
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}
