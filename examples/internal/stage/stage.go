// Package stage sets up what the examples play on: a private chain, and glim's wallet service.
package stage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"glim/bindings/native"
	"glim/bindings/native/digest"
	"glim/bindings/peers"
	"glim/bindings/peers/own"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// timeLimit is how long an example may take; they take seconds.
const timeLimit = 10 * time.Minute

// Stage is a private chain with what belongs to it.
type Stage struct {
	Daemon *peers.Daemon // with a chain of its own, in this process
	Dir    string        // to write to; removed at the end
	ends   []func() error
}

// Run is the main function of an example: it sets the stage, lets the example play and clears up, on Ctrl-C too. It ends
// the process: with 0, or with 1 when the example fails.
func Run(example func(context.Context, *Stage) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	err := run(ctx, example)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, example func(context.Context, *Stage) error) (err error) {
	dir, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		return err
	}
	s := &Stage{Dir: dir}
	defer func() {
		for i := len(s.ends) - 1; i >= 0; i-- {
			err = errors.Join(err, s.ends[i]())
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}()
	if s.Daemon, err = own.Start(ctx); err != nil {
		return err
	}
	s.ends = append(s.ends, s.Daemon.Kill)
	return example(ctx, s)
}

var serves = regexp.MustCompile(`serves \w+ at (\S+)`)

// WalletService starts `glim wallet-rpc`, with more flags, and returns the way to it.
func (s *Stage) WalletService(ctx context.Context, more ...string) (rpc.Transport, error) {
	return s.WalletServiceAt(ctx, s.Daemon.URL, more...)
}

// WalletServiceAt is WalletService for a daemon elsewhere.
func (s *Stage) WalletServiceAt(ctx context.Context, daemon string, more ...string) (rpc.Transport, error) {
	password := rand.Text()
	address, err := s.Glim(ctx, []string{"RPC_LOGIN=example:" + password}, // on the command line other users could read it
		append([]string{"wallet-rpc", "--regtest", "--daemon-address", daemon, "--wallet-dir", filepath.Join(s.Dir, "wallets")}, more...)...)
	if err != nil {
		return nil, err
	}
	return native.NewTransport(native.TransportOptions{Address: "http://" + address, Login: digest.NewLogin("example", password)})
}

// Glim builds glim, starts it as a program of its own, on a free port, and returns where it serves. It lives until the example ends.
func (s *Stage) Glim(ctx context.Context, env []string, args ...string) (address string, err error) {
	glim := filepath.Join(s.Dir, "glim")
	build := exec.CommandContext(ctx, "go", "build", "-o", glim, "glim/bindings/glim")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("building glim: %w", err)
	}
	port, err := peers.FreePort()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(glim, append(args, "--rpc-bind-port", port)...)
	cmd.Env = append(os.Environ(), env...)
	says := &listener{found: make(chan string, 1)}
	cmd.Stderr = says
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s.ends = append(s.ends, func() error {
		_ = cmd.Process.Signal(os.Interrupt) // fails when it has ended, which the next line tells
		return <-ended
	})
	select {
	case address := <-says.found:
		return address, nil
	case err := <-ended:
		ended <- nil
		return "", fmt.Errorf("glim %s ended: %w\n%s", args[0], err, says.text)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// listener waits for the line that says where the service is.
type listener struct {
	text  []byte
	found chan string
}

func (l *listener) Write(b []byte) (int, error) {
	l.text = append(l.text, b...)
	if m := serves.FindSubmatch(l.text); m != nil {
		select {
		case l.found <- string(m[1]):
		default: // said already
		}
	}
	return len(b), nil
}

// Fund mines to an address until it has money that can be spent, and until there are outputs enough to hide it among.
func (s *Stage) Fund(ctx context.Context, address string) error {
	if err := s.Daemon.Mine(ctx, 20, address); err != nil {
		return err
	}
	return s.Confirm(ctx, xmr.CoinbaseUnlock+xmr.SpendableAge)
}

// Confirm mines n blocks that pay nobody of the example.
func (s *Stage) Confirm(ctx context.Context, n int) error {
	return s.Daemon.Mine(ctx, n, node.Nobody())
}

// CreateWallet makes a wallet, which is open then, and returns its address.
func CreateWallet(ctx context.Context, wallets rpc.Transport, name string) (string, error) {
	_, err := rpc.Call(ctx, wallets, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{
		Filename: name, Password: "secret", Language: "English"})
	if err != nil {
		return "", err
	}
	a, err := rpc.Call(ctx, wallets, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	return a.Address, err
}

// Money writes an amount for people.
func Money(atomic uint64) string { return xmr.FormatAmount(atomic) + " XMR" }
