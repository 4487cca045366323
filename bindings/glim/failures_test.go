package main

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/service"
	"glim/core/walletrpc"
)

// TestLogOfFailures checks that the log file alone shows when the service started and ended, why it failed to start,
// when the daemon was unreachable and reachable again, and which operations failed.
func TestLogOfFailures(t *testing.T) {
	daemonPort, port, log := aPort(t), aPort(t), filepath.Join(t.TempDir(), "log")
	args := []string{
		"wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", port, "--disable-rpc-login",
		"--daemon-address", "127.0.0.1:" + daemonPort, "--log-file", log,
	}
	tells := func(text string) {
		t.Helper()
		require.Eventually(t, func() bool {
			b, err := os.ReadFile(log)
			return err == nil && bytes.Contains(b, []byte(text))
		}, 5*time.Minute, 20*time.Millisecond, text)
	}
	ended := start(t, args...)
	tells(`msg="glim wallet-rpc starts" category=global version="glim `)
	tells("serves fakechain at 127.0.0.1:" + port)
	ctx, w := t.Context(), dial(t, port, digest.Login{})
	_, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	_, err = w.Post(ctx, "/json_rpc", []byte(`{"method":"auto_refresh","params":{"enable":true,"period":1}}`))
	require.NoError(t, err)
	tells("cannot be reached")
	start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", daemonPort)
	tells("automatic refresh works again")
	_, err = w.Post(ctx, "/json_rpc", []byte(`{"method":"set_log_level","params":{"level":1}}`))
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "none", Password: "hidden"})
	require.Error(t, err)
	tells(`msg="operation failed" category=rpc operation=open_wallet code=-1`)
	_, err = rpc.Call(ctx, w, walletrpc.StopWallet, walletrpc.Empty{})
	require.NoError(t, err)
	require.Zero(t, <-ended)
	tells("glim wallet-rpc ends")

	taken, err := net.Listen("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	defer taken.Close()
	code, _, errs := runCommand(t, args...)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "in use")
	tells(`msg="glim wallet-rpc failed"`)
	b, err := os.ReadFile(log)
	require.NoError(t, err)
	require.NotContains(t, string(b), "hidden")

	code, _, errs = runCommand(t, append(args[:len(args)-2], "--log-format", "json")...)
	require.Equal(t, 1, code)
	for line := range strings.Lines(errs) {
		require.True(t, json.Valid([]byte(line)), "a log for machines ends as one: %s", line)
	}
	require.Contains(t, errs, `"msg":"glim wallet-rpc failed"`)
}

// TestErrorsNameTheFlag checks that errors about invalid values name the flag.
func TestErrorsNameTheFlag(t *testing.T) {
	for _, c := range []struct{ args, flag string }{
		{"--daemon-address http://", "--daemon-address: "},
		{"--daemon-ssl enabled --daemon-ssl-ca-certificates none.pem", "--daemon-ssl: "},
		{"--daemon-ssl enabled --daemon-ssl-allowed-fingerprints zz", "--daemon-ssl: "},
		{"--rpc-ssl-certificate none.pem --rpc-ssl-private-key none.key", "--rpc-ssl: "},
		{"--daemon-address 127.0.0.1:18081:18081", "--daemon-address: "},
	} {
		args := "wallet-rpc --disable-rpc-login --rpc-bind-port " + aPort(t) + " --wallet-dir " + t.TempDir() + " " +
			c.args
		code, _, errs := runCommand(t, strings.Fields(args)...)
		require.Equal(t, 1, code, c.args)
		require.Contains(t, errs, "glim wallet-rpc: "+c.flag, c.args)
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	code, _, errs := runCommand(t, "daemon", "--regtest", "--rpc-bind-port", aPort(t), "--data-dir", file)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "glim daemon: --data-dir: ")
}

// TestLogOfAFullDisk checks that each failure to write a wallet file is logged.
func TestLogOfAFullDisk(t *testing.T) {
	var out bytes.Buffer
	now := &logSwitch{}
	now.set("0")
	watched := walletFiles{native.WalletDir(t.TempDir()), newLog(&out, formatText, now)}
	_, err := watched.Open("none")
	require.ErrorIs(t, err, service.ErrNoWallet)
	st, err := watched.Create("shop")
	require.NoError(t, err)
	require.IsType(t, walletFile{}, st)
	for _, can := range []reflect.Type{
		reflect.TypeFor[journal.Beginner](), reflect.TypeFor[journal.Losable](),
		reflect.TypeFor[service.CopyDetector](),
	} {
		require.True(t, reflect.TypeOf(st).Implements(can), "watched, it can do what files can: %s", can)
	}
	require.NoError(t, st.Append([]byte("x")))
	require.Empty(t, out.String(), "successful writes are not logged")
	require.NoError(t, st.Close())
	require.Error(t, st.Append([]byte("x")))
	require.Error(t, st.Replace([]byte("x")))
	require.Error(t, st.Truncate(0))
	require.Equal(t, 3, strings.Count(
		out.String(),
		`level=ERROR msg="writing a wallet file failed; the change was not made" wallet=shop`,
	),
		out.String())
}
