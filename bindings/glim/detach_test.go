package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
)

// TestDetach checks that the command returns once a process in another session serves, prints its process ID, and
// passes on startup errors.
func TestDetach(t *testing.T) {
	t.Setenv(asCommand, "1") // for the process that continues
	dir, port, wallets := t.TempDir(), aPort(t), aPort(t)
	pids := map[string]string{}
	begin := func(name string, args ...string) {
		t.Helper()
		pids[name] = filepath.Join(dir, name+".pid")
		code, _, said := runCommand(
			t,
			append(args, "--detach", "--pidfile", pids[name], "--log-file", filepath.Join(dir, name+".log"))...)
		require.Zero(t, code, said)
		require.Contains(t, said, "serves fakechain")
		pid, err := strconv.Atoi(strings.TrimSpace(string(readAll(t, pids[name]))))
		require.NoError(t, err)
		t.Cleanup(func() { _ = send(pid, os.Kill) })
		require.Contains(t, said, "continues as process "+strconv.Itoa(pid)+"; its log is ")
		require.NotEqual(t, os.Getpid(), pid)
	}
	awaitRemoved := func(name string) {
		t.Helper()
		require.Eventually(t, func() bool { _, err := os.Stat(pids[name]); return os.IsNotExist(err) }, 3*time.Minute,
			20*time.Millisecond)
	}
	begin("daemon", "daemon", "--regtest", "--rpc-bind-port", port)
	begin(
		"wallet", "wallet-rpc", "--regtest", "--rpc-bind-port", wallets, "--wallet-dir", filepath.Join(dir, "w"),
		"--disable-rpc-login", "--daemon-address", "127.0.0.1:"+port, "--rpc-ssl", "disabled",
	)

	code, _, said := runCommand(t, "daemon", "--regtest", "--rpc-bind-port", port, "--detach", "--log-file",
		filepath.Join(dir, "second.log"))
	require.Equal(t, 1, code)
	require.Contains(t, said, "address already in use")
	require.NotContains(t, said, "--detach")
	code, _, said = runCommand(t, "daemon", "--regtest", "--rpc-bind-port", port, "--detach", "--log-file",
		filepath.Join(dir, "no", "folder"))
	require.Equal(t, 1, code)
	require.Contains(t, said, "no such file")

	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	_, err := rpc.Call(ctx, dial(t, wallets, digest.Login{}), walletrpc.GetVersion, walletrpc.Empty{})
	require.NoError(t, err)
	wallet, err := strconv.Atoi(strings.TrimSpace(string(readAll(t, pids["wallet"]))))
	require.NoError(t, err)
	require.NoError(t, send(wallet, syscall.SIGTERM))
	awaitRemoved("wallet")
	_, err = rpc.Call(ctx, dial(t, port, digest.Login{}), daemonrpc.StopDaemon, daemonrpc.None{})
	require.NoError(t, err)
	awaitRemoved("daemon")
}

func send(pid int, s os.Signal) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Signal(s)
}

func readAll(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return b
}
