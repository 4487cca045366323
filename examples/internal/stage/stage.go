// Package stage prepares what the examples need: a private chain, and glim's wallet service.
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
	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// timeLimit limits the time of an example, which takes seconds.
const timeLimit = 10 * time.Minute

// Stage is a private chain with its daemon and a folder.
type Stage struct {
	Daemon *peers.Daemon // of the chain, in this process
	Dir    string        // for files; removed at the end
	ends   []func() error
}

// Run is the main function of an example: it prepares the stage, runs the example and cleans up, also after Ctrl-C. It
// ends the process with code 0, or with 1 if the example fails.
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
	if s.Daemon, err = inprocess.Start(ctx); err != nil {
		return err
	}
	s.ends = append(s.ends, s.Daemon.Kill)
	return example(ctx, s)
}

var serves = regexp.MustCompile(`serves \w+ at (\S+)`)

// WalletService starts `glim wallet-rpc`, with more flags, and returns a connection to it.
func (s *Stage) WalletService(ctx context.Context, more ...string) (rpc.Transport, error) {
	return s.WalletServiceAt(ctx, s.Daemon.URL, more...)
}

// WalletServiceAt is WalletService with another daemon.
func (s *Stage) WalletServiceAt(ctx context.Context, daemon string, more ...string) (rpc.Transport, error) {
	password := rand.Text()
	// Other users could read it on the command line.
	address, err := s.Glim(ctx, []string{"RPC_LOGIN=example:" + password},
		append([]string{
			"wallet-rpc", "--regtest", "--daemon-address", daemon, "--wallet-dir", filepath.Join(s.Dir, "wallets"),
		}, more...)...)
	if err != nil {
		return nil, err
	}
	return native.NewTransport(native.TransportOptions{
		Address: "http://" + address, Login: digest.NewLogin("example", password),
	})
}

// Glim builds glim, starts it on a free port in another process, and returns its address. It runs until the example
// ends.
func (s *Stage) Glim(ctx context.Context, env []string, args ...string) (address string, err error) {
	glim := filepath.Join(s.Dir, "glim")
	compile := exec.CommandContext(ctx, "go", "build", "-o", glim, "glim/bindings/glim")
	compile.Stderr = os.Stderr
	if err := compile.Run(); err != nil {
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
		_ = cmd.Process.Signal(os.Interrupt) // fails if it has already ended, which the next line reports
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

// listener looks for the line with the address of the service.
type listener struct {
	text  []byte
	found chan string
}

func (l *listener) Write(b []byte) (int, error) {
	l.text = append(l.text, b...)
	if m := serves.FindSubmatch(l.text); m != nil {
		select {
		case l.found <- string(m[1]):
		default: // found already
		}
	}
	return len(b), nil
}

// Fund mines to an address until it has spendable outputs, and until there are enough decoys.
func (s *Stage) Fund(ctx context.Context, address string) error {
	if err := s.Daemon.Mine(ctx, 20, address); err != nil {
		return err
	}
	return s.Confirm(ctx, xmr.CoinbaseUnlock+xmr.SpendableAge)
}

// Confirm mines n blocks to an address outside the example.
func (s *Stage) Confirm(ctx context.Context, n int) error {
	return s.Daemon.Mine(ctx, n, node.UnspendableAddress())
}

// CreateWallet creates a wallet, which is then open, and returns its address.
func CreateWallet(ctx context.Context, wallets rpc.Transport, name string) (string, error) {
	_, err := rpc.Call(ctx, wallets, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{
		Filename: name, Password: "secret", Language: "English"})
	if err != nil {
		return "", err
	}
	a, err := rpc.Call(ctx, wallets, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	return a.Address, err
}

// Money formats an amount.
func Money(atomic uint64) string { return xmr.FormatAmount(atomic) + " XMR" }
