package main

import (
	"context"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestMessageFlags checks the flags of RPC over ZeroMQ and their defaults.
func TestMessageFlags(t *testing.T) {
	parse := func(args string) (DaemonConfig, error) {
		return parseDaemon(strings.Fields(args), func(string) string { return "" }, os.ReadFile)
	}
	for args, want := range map[string]Messages{
		"--regtest":                                            {},
		"--regtest --restricted-zmq-rpc":                       {Restricted: true},
		"--regtest --zmq-rpc-bind-port 5":                      {IP: "127.0.0.1", Port: 5},
		"--regtest --zmq-rpc-bind-ip [::1]":                    {IP: "::1", Port: 18082},
		"--regtest --zmq-rpc-bind-port 5 --no-zmq":             {},
		"--bootstrap-daemon-address x:5 --zmq-rpc-bind-port 5": {},
		"--regtest --zmq-rpc-bind-ip 0.0.0.0 --confirm-zmq-rpc-external-bind --restricted-zmq-rpc": {
			IP: "0.0.0.0", Port: 18082, Restricted: true,
		},
	} {
		c, err := parse(args)
		require.NoError(t, err, args)
		require.Equal(t, want, c.Messages, args)
		ignored := strings.Contains(args, "bind-port") && want.Port == 0
		require.Equal(t, ignored, strings.Contains(strings.Join(c.Warnings, "\n"), "--zmq-rpc-bind-port"), args)
	}
	for args, want := range map[string]string{
		"--regtest --zmq-rpc-bind-ip 0.0.0.0":       "allow it with --confirm-zmq-rpc-external-bind",
		"--regtest --zmq-rpc-bind-ip ::":            "allow it with --confirm-zmq-rpc-external-bind",
		"--regtest --zmq-rpc-bind-ip localhost":     "is not an IP address",
		"--regtest --zmq-rpc-bind-port 70000":       "--zmq-rpc-bind-port",
		"--regtest --zmq-rpc-bind-port tcp://[::1]": "--zmq-rpc-bind-port",
	} {
		_, err := parse(args)
		require.ErrorContains(t, err, want, args)
	}
}

// TestAnswersMessages starts the daemon with RPC over ZeroMQ and asks it, restricted and not.
func TestAnswersMessages(t *testing.T) {
	for _, restricted := range []bool{false, true} {
		port := aPort(t)
		args := []string{"daemon", "--regtest", "--rpc-bind-port", aPort(t), "--zmq-rpc-bind-port", port}
		if restricted {
			args = append(args, "--restricted-zmq-rpc")
		}
		start(t, args...)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		s, err := peers.DialZMQ(ctx, "tcp", net.JoinHostPort("127.0.0.1", port), "REQ")
		require.NoError(t, err)
		defer s.Close()
		answer, err := s.Ask([]byte(`{"jsonrpc":"2.0","id":1,"method":"get_height","params":{}}`))
		require.NoError(t, err)
		require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"rpc_version":131072,"height":1}}`, string(answer))
		answer, err = s.Ask([]byte(`{"jsonrpc":"2.0","id":1,"method":"save_bc","params":{}}`))
		require.NoError(t, err)
		require.Equal(t, restricted, strings.Contains(string(answer), "is not available in restricted mode"))
		_, failures := runAgain(t, port)
		require.Contains(t, failures, "--zmq-rpc-bind-port")
	}
}

// runAgain starts another daemon with the same port for ZeroMQ, which fails.
func runAgain(t *testing.T, port string) (code int, failures string) {
	t.Helper()
	code, _, failures = runCommand(t, "daemon", "--regtest", "--rpc-bind-port", aPort(t), "--zmq-rpc-bind-port", port)
	require.NotZero(t, code)
	return code, failures
}
