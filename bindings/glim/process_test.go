package main

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/inprocess"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
)

// asCommand is an environment variable that makes the test binary act as the command.
const asCommand = "GLIM_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is the command as a separate process.
type process struct {
	*exec.Cmd
	lines chan string
	ended chan error
}

// run starts the command until the test ends.
func runProcess(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), lines: make(chan string, 1000), ended: make(chan error, 1)}
	p.Env, p.Dir = append(os.Environ(), asCommand+"=1"), t.TempDir()
	out, err := p.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
		close(p.lines)
		p.ended <- p.Wait()
	}()
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// await waits for a line that contains text.
func (p *process) await(t *testing.T, text string) {
	t.Helper()
	patience := time.After(10 * time.Minute)
	for {
		select {
		case line, more := <-p.lines:
			if t.Log(line); strings.Contains(line, text) {
				return
			}
			if more {
				continue
			}
		case <-patience:
		}
		t.Fatalf("the command does not say %q", text)
	}
}

// pausingDaemon returns the address of a proxy for a daemon that delays /send…: handing is closed at the first such
// request, and all of them wait until goOn is closed.
func pausingDaemon(t *testing.T, daemon string) (address string, handing, goOn chan struct{}) {
	t.Helper()
	to, err := url.Parse(daemon)
	require.NoError(t, err)
	handing, goOn = make(chan struct{}), make(chan struct{})
	var once sync.Once
	proxy := httputil.NewSingleHostReverseProxy(to)
	slow := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/send") {
			once.Do(func() { close(handing) })
			<-goOn
		}
		proxy.ServeHTTP(w, r)
	})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = slow.Serve(l) }()
	t.Cleanup(func() { _ = slow.Close() })
	return l.Addr().String(), handing, goOn
}

// TestTerminatedInTheMiddle sends SIGTERM during a payment: new clients are refused, the payment completes, the process
// exits with success, and the wallet has the payment.
func TestTerminatedInTheMiddle(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	d, err := inprocess.Start(ctx)
	require.NoError(t, err)
	address, handing, goOn := pausingDaemon(t, d.URL)
	dir, port := t.TempDir(), aPort(t)
	line := []string{
		"wallet-rpc", "--regtest", "--wallet-dir", dir, "--rpc-bind-port", port, "--disable-rpc-login", "--log-format",
		"json", "--daemon-address", address,
	}
	p := runProcess(t, line...)
	p.await(t, `"msg":"glim wallet-rpc serves fakechain at`)
	w := dial(t, port, digest.Login{})
	_, err = rpc.Call(ctx, w, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	require.NoError(t, d.Mine(ctx, 80, a.Address))
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)

	type answer struct {
		walletrpc.TransferResponse
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		r, err := rpc.Call(ctx, w, walletrpc.Transfer,
			walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 5e11, Address: a.Address}}})
		answered <- answer{r, err}
	}()
	select {
	case <-handing:
	case r := <-answered:
		t.Fatal("the payment ended before it was handed over: ", r.err)
	}
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	p.await(t, "glim wallet-rpc ends")
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, 5*time.Minute, 20*time.Millisecond, "new clients are refused")
	select {
	case err := <-p.ended:
		t.Fatal("the process ended before its payment: ", err)
	default:
	}
	close(goOn)
	r := <-answered
	require.NoError(t, r.err, "the payment is answered")
	for range p.lines {
	}
	require.NoError(t, <-p.ended, "it exits with success")

	p = runProcess(t, line...)
	p.await(t, "serves fakechain")
	_, err = rpc.Call(ctx, w, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "a"})
	require.NoError(t, err)
	got, err := rpc.Call(ctx, w, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: r.TxHash})
	require.NoError(t, err)
	require.Equal(t, "pending", got.Transfer.Type)
	require.NoError(t, p.Process.Signal(os.Interrupt))
	for range p.lines {
	}
	require.NoError(t, <-p.ended)
}

// TestDaemonTerminated ends a daemon by SIGTERM and by closing its terminal, which may send SIGHUP twice. The chain
// must be stored, as after /stop_daemon.
func TestDaemonTerminated(t *testing.T) {
	// A process started by nohup ignores SIGHUP, and so do its children, unless they handle it.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	dir, port := t.TempDir(), aPort(t)
	line := []string{
		"daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", port, "--data-dir", dir,
		"--keep-fakechain",
	}
	for height, ends := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		p := runProcess(t, line...)
		p.await(t, "serves fakechain")
		ctx := t.Context()
		require.EqualValues(t, height*3+1, heightOf(ctx, t, port))
		mine(ctx, t, port, 3)
		require.NoError(t, p.Process.Signal(ends))
		if ends == syscall.SIGHUP {
			p.await(t, "glim daemon ends")
			_ = p.Process.Signal(ends) // it may have ended already
		}
		for range p.lines {
		}
		require.NoError(t, <-p.ended)
	}
}

// TestHangupAfterTheEnd: a closing terminal may send SIGHUP again when the command has ended and the process has not.
func TestHangupAfterTheEnd(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP) // a process started by nohup ignores it from the beginning
	_, stop := signalContext()
	defer signal.Reset(syscall.SIGHUP, syscall.SIGPIPE)
	require.False(t, signal.Ignored(syscall.SIGHUP))
	signal.Stop(heard)
	stop()
	require.True(t, signal.Ignored(syscall.SIGHUP))
}

// TestClosedOutput closes the reader of a service's output. The service must continue until it is stopped.
func TestClosedOutput(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	pid, port := filepath.Join(t.TempDir(), "pid"), aPort(t)
	c := exec.Command(
		os.Args[0],
		"wallet-rpc", "--offline", "--wallet-dir", t.TempDir(), "--rpc-bind-port", port, "--disable-rpc-login",
		"--log-level", "2", "--pidfile", pid,
	)
	c.Env, c.Stderr = append(os.Environ(), asCommand+"=1"), write
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	require.NoError(t, write.Close())
	for s := bufio.NewScanner(read); s.Scan() && !strings.Contains(s.Text(), "serves mainnet"); {
	}
	require.NoError(t, read.Close())
	for range 2 { // each call writes output without a reader
		_, err = rpc.Call(t.Context(), dial(t, port, digest.Login{}), walletrpc.GetVersion, walletrpc.Empty{})
		require.NoError(t, err)
	}
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	require.NoError(t, c.Wait())
	require.NoFileExists(t, pid)
}
