package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIPv4DoesNotListenOnIPv6 checks that an IPv4 address, even 0.0.0.0, does not listen on IPv6, where the firewall
// may differ.
func TestIPv4DoesNotListenOnIPv6(t *testing.T) {
	for ip, network := range map[string]string{
		"0.0.0.0": "tcp4", "127.0.0.1": "tcp4", "::": "tcp6", "[::1]": "tcp6", "localhost": "tcp",
	} {
		require.Equal(t, network, family(ip), ip)
	}
	all, err := Serving{}.listenAt("0.0.0.0", "", 0)
	require.NoError(t, err)
	require.NotNil(t, all[0].Addr().(*net.TCPAddr).IP.To4(), "%s", all[0].Addr())
	require.NoError(t, closeAll(all))
	l, err := Metrics{MetricsAddress: "0.0.0.0:0"}.listenMetrics()
	require.NoError(t, err)
	require.NotNil(t, l.Addr().(*net.TCPAddr).IP.To4(), "%s", l.Addr())
	require.NoError(t, l.Close())
}

// TestLogsAndFoldersArePrivate checks that created files and the wallet folder are not accessible to other users.
func TestLogsAndFoldersArePrivate(t *testing.T) {
	dir := t.TempDir()
	wallets, log, pid := filepath.Join(dir, "wallets"), filepath.Join(dir, "log"), filepath.Join(dir, "pid")
	start(t, "wallet-rpc", "--regtest", "--offline", "--disable-rpc-login", "--rpc-bind-port", aPort(t), "--wallet-dir",
		wallets, "--log-file", log, "--pidfile", pid)
	for _, path := range []string{wallets, log, pid} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, path)
	}
}
