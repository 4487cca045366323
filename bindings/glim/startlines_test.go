package main

import (
	"bufio"
	"bytes"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

var (
	startLine = regexp.MustCompile(`Binding on|Starting wallet RPC server|(core|restricted) RPC server started ok`)
	// lineTime is the time of a line, with the colours of the reference.
	lineTime = regexp.MustCompile(`^(\x1b\[[0-9;]*m)*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\t`)
	colours  = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

// startLinesOf runs a program until it has printed n start lines to standard output, and returns them without their
// times and colours.
func startLinesOf(t *testing.T, n int, program string, args ...string) (lines []string) {
	t.Helper()
	c := exec.Command(program, args...)
	c.Env, c.Dir = append(os.Environ(), asCommand+"=1"), t.TempDir()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	limit := time.AfterFunc(10*time.Minute, func() { _ = c.Process.Kill() })
	defer func() {
		limit.Stop()
		_ = c.Process.Kill()
		_ = c.Wait()
	}()
	for s := bufio.NewScanner(out); len(lines) < n && s.Scan(); {
		if startLine.MatchString(s.Text()) {
			require.Regexp(t, lineTime, s.Text())
			lines = append(lines, colours.ReplaceAllString(lineTime.ReplaceAllString(s.Text(), ""), ""))
		}
	}
	require.Len(t, lines, n, program)
	return lines
}

// TestStartLines compares the lines that both services print to standard output when they start with the reference's.
func TestStartLines(t *testing.T) {
	dir, port, restricted := t.TempDir(), aPort(t), aPort(t)
	wallet := []string{"--wallet-dir", filepath.Join(dir, "w"), "--rpc-bind-port", port, "--disable-rpc-login",
		"--offline", "--rpc-ssl", "disabled", "--log-file", filepath.Join(dir, "wallet.log")}
	daemon := []string{"--regtest", "--offline", "--no-zmq", "--non-interactive", "--rpc-ssl", "disabled",
		"--data-dir", filepath.Join(dir, "d"), "--log-file", filepath.Join(dir, "daemon.log"),
		"--rpc-bind-port", port, "--rpc-restricted-bind-port", restricted}
	wallets := startLinesOf(t, 2, os.Args[0], append([]string{"wallet-rpc"}, wallet...)...)
	require.Equal(t, []string{"I Binding on 127.0.0.1 (IPv4):" + port, "W Starting wallet RPC server"}, wallets)
	both := startLinesOf(t, 4, os.Args[0], append([]string{"daemon"}, daemon...)...)
	require.Equal(t, []string{
		"I Binding on 127.0.0.1 (IPv4):" + port, "I Binding on 127.0.0.1 (IPv4):" + restricted,
		"I core RPC server started ok", "I restricted RPC server started ok",
	}, both)
	real := peers.Require(t)
	require.Equal(t, startLinesOf(t, 2, real.WalletRPC, wallet...), wallets)
	require.Equal(t, startLinesOf(t, 4, real.Daemon, slices.Concat(daemon, []string{"--p2p-bind-port", aPort(t)})...),
		both)
}

// TestStartLinesArriveSeparately: monero-ts misreads the address if the next line arrives together with it.
func TestStartLinesArriveSeparately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := Logging{LogFormat: formatText}.newStartLines(&out)
		s.listens([]net.Listener{listenerAt("127.0.0.1:5"), listenerAt("[::1]:5")})
		require.Regexp(t, `\tI Binding on 127\.0\.0\.1 \(IPv4\):5\n.*\tI Binding on ::1 \(IPv6\):5\n$`, out.String())
		end := s.serves('W', "Starting")
		synctest.Wait()
		require.NotContains(t, out.String(), "Starting")
		time.Sleep(startLinesGap)
		synctest.Wait()
		require.Regexp(t, `\tW Starting\n$`, out.String())
		end()
	})
}

// listenerAt is a listener that only has an address.
type listenerAt string

func (l listenerAt) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (l listenerAt) Close() error              { return nil }
func (l listenerAt) Addr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(string(l)))
}

// TestNoStartLines: with JSON logs nothing is printed, and nothing after the end.
func TestNoStartLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		Logging{LogFormat: formatJSON}.newStartLines(&out).serves('W', "Starting")
		Logging{LogFormat: formatText}.newStartLines(&out).serves('W', "Starting")() // ends at once
		time.Sleep(2 * startLinesGap)
		synctest.Wait()
		require.Empty(t, out.String())
	})
}
