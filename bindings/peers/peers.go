// Package peers starts the services a wallet is tried with: the packaged real programs, monerod and monero-wallet-rpc, to compare
// with, or a daemon of ours.
package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"glim/core/node"
)

// startLimit is how long a program may take until it answers; they need one to five seconds on an idle machine.
const startLimit = 5 * time.Minute

// stopLimit is how long a program may take to end after it was asked to.
const stopLimit = 5 * time.Minute

// attempts is how often a start is tried with other ports when the program ends by itself, and a call whose connection is lost.
const attempts = 5

// Programs are the paths of the two executables.
type Programs struct{ Daemon, WalletRPC string }

// ErrMissing reports that a program is not installed; the message around it says what to install.
var ErrMissing = errors.New("peers: program not installed")

// Find looks both programs up in PATH. The error, ErrMissing, says in one line what to install.
func Find() (Programs, error) {
	var p Programs
	var err error
	for _, want := range []struct {
		name string
		path *string
	}{{"monerod", &p.Daemon}, {"monero-wallet-rpc", &p.WalletRPC}} {
		if *want.path, err = exec.LookPath(want.name); err != nil {
			return Programs{}, fmt.Errorf("%w: no %s in PATH; install it with \"apt-get install monero\" on Debian or from getmonero.org/downloads", ErrMissing, want.name)
		}
	}
	return p, nil
}

// Options say how a program is started.
type Options struct {
	// Dir is where the program keeps everything it writes; made when missing. Required.
	Dir string
	// FixedDifficulty of a daemon's chain; 0 stands for 1.
	FixedDifficulty uint64
	// Dynamic lets the difficulty of a daemon's chain follow its blocks' times instead.
	Dynamic bool
	// KeepChain makes a daemon keep its chain over a restart. Without it a restart forgets every block.
	KeepChain bool
	// RPCLogin is "user:password" for digest login to the service; empty for none.
	RPCLogin string
	// Command is started in the place of monerod or monero-wallet-rpc: another program that takes its flags, with what comes
	// before them. Empty for the packaged program. Another daemon is told of a folder for its chain only if it is to keep it.
	Command []string
	// P2PPort is the port of 127.0.0.1 where a daemon lets peers in, the same over restarts. Empty for a daemon without peers.
	P2PPort string
	// Args are added to the command line.
	Args []string
}

// Daemon is a running daemon with a regtest chain of its own, hard fork 16 from block 1; offline, unless it was given a port for peers.
type Daemon struct {
	Client
	process
	// Own is the chain of a daemon of ours, in this process; nil stands for monerod.
	Own   *node.Regtest
	doors func() Door
	door  *door
	// easy: it is monerod, and takes any block's work for enough.
	easy bool
}

// WalletRPC is a running monero-wallet-rpc that keeps its wallets in Options.Dir.
type WalletRPC struct {
	Client
	process
	// Wallets is the folder of its wallets.
	Wallets string
	daemon  *Daemon // nil: offline
}

// StartDaemon starts monerod on free ports and returns when it answers. The daemon lives until Stop, Kill or the
// end of ctx.
func StartDaemon(ctx context.Context, o Options) (*Daemon, error) {
	command, err := commandOf(o, func(p Programs) string { return p.Daemon })
	if err != nil {
		return nil, err
	}
	difficulty := max(o.FixedDifficulty, 1)
	if o.Dynamic {
		difficulty = 0
	}
	d := &Daemon{easy: len(o.Command) == 0 && difficulty == 1}
	d.process = process{ctx: ctx, program: command[0], dir: o.Dir, log: filepath.Base(command[0]) + ".log"}
	d.process.arguments = func(rpc, p2p string) []string {
		args := append(slices.Clone(command[1:]), "--regtest")
		if o.P2PPort == "" {
			args = append(args, "--offline")
		} else {
			p2p = o.P2PPort
		}
		if !slices.Contains(o.Args, "--zmq-pub") {
			args = append(args, "--no-zmq")
		}
		args = append(args, "--no-igd", "--non-interactive",
			"--check-updates", "disabled", "--disable-dns-checkpoints", "--log-level", "0",
			"--fixed-difficulty", strconv.FormatUint(difficulty, 10),
			"--rpc-bind-ip", "127.0.0.1", "--rpc-bind-port", rpc, "--p2p-bind-ip", "127.0.0.1", "--p2p-bind-port", p2p)
		if len(o.Command) == 0 || o.KeepChain {
			args = append(args, "--data-dir", filepath.Join(o.Dir, "chain"))
		}
		args = plain(args, o, "--rpc-ssl")
		if o.KeepChain {
			args = append(args, "--keep-fakechain")
		}
		if o.RPCLogin != "" {
			args = append(args, "--rpc-login", o.RPCLogin)
		}
		return append(args, o.Args...)
	}
	d.process.ready = func(ctx context.Context, url string) error {
		d.Client = Client{URL: url, Login: o.RPCLogin}
		return d.JSON(ctx, "get_info", nil, nil)
	}
	return d, d.start()
}

// commandOf returns what is to be started: the command that o names, which needs nothing installed, or one of the packaged programs.
func commandOf(o Options, packaged func(Programs) string) ([]string, error) {
	if len(o.Command) > 0 {
		return o.Command, nil
	}
	programs, err := Find()
	return []string{packaged(programs)}, err
}

// Stop asks the daemon to end and waits for it; a daemon that does not obey is killed, which is an error.
func (d *Daemon) Stop() error {
	if d.Own != nil {
		return d.shut(false)
	}
	return d.process.stop(func(ctx context.Context) error { return d.Path(ctx, "/stop_daemon", nil, nil) })
}

// Restart stops the daemon and starts it again in the same folder; its URL may change. Without Options.KeepChain
// a chain of monerod is back at its first block.
func (d *Daemon) Restart() error {
	if err := d.Stop(); err != nil {
		return err
	}
	if d.Own != nil {
		return d.open()
	}
	return d.start()
}

// Kill ends the daemon at once and waits until it is gone. Killing twice is harmless.
func (d *Daemon) Kill() error {
	if d.Own != nil {
		return d.shut(true)
	}
	return d.process.Kill()
}

// StartWalletRPC starts monero-wallet-rpc on a free port and returns when it answers; a nil daemon starts it
// offline. A Daemon value made from a Client alone stands for a daemon started by others. The service lives until
// Stop, Kill or the end of ctx.
func StartWalletRPC(ctx context.Context, d *Daemon, o Options) (*WalletRPC, error) {
	command, err := commandOf(o, func(p Programs) string { return p.WalletRPC })
	if err != nil {
		return nil, err
	}
	w := &WalletRPC{daemon: d, Wallets: filepath.Join(o.Dir, "wallets")}
	w.process = process{ctx: ctx, program: command[0], dir: o.Dir, log: filepath.Base(command[0]) + ".log"}
	if err := os.MkdirAll(w.Wallets, 0o700); err != nil {
		return nil, err
	}
	w.process.arguments = func(rpc, _ string) []string {
		args := append(slices.Clone(command[1:]), "--non-interactive", "--log-level", "0", "--wallet-dir", w.Wallets,
			"--shared-ringdb-dir", filepath.Join(o.Dir, "rings"), "--rpc-bind-ip", "127.0.0.1", "--rpc-bind-port", rpc)
		args = plain(args, o, "--rpc-ssl", "--daemon-ssl")
		if d == nil {
			args = append(args, "--offline")
		} else {
			args = append(args, "--trusted-daemon", "--daemon-address", strings.TrimPrefix(d.URL, "http://"))
			if d.Login != "" {
				args = append(args, "--daemon-login", d.Login)
			}
		}
		if o.RPCLogin != "" {
			args = append(args, "--rpc-login", o.RPCLogin)
		} else {
			args = append(args, "--disable-rpc-login")
		}
		return append(args, o.Args...)
	}
	w.process.ready = func(ctx context.Context, url string) error {
		w.Client = Client{URL: url, Login: o.RPCLogin}
		return w.JSON(ctx, "get_version", nil, nil)
	}
	return w, w.start()
}

// JSON calls a method as Client.JSON does, and calls again while the wallet says that it did not reach a daemon that answers
// us: on a busy machine the packaged programs lose a connection now and then, and with it the first call after it.
func (w *WalletRPC) JSON(ctx context.Context, method string, params, out any) error {
	for n := 1; ; n++ {
		err := w.Client.JSON(ctx, method, params, out)
		if n == attempts || !unreached(err) || w.daemon == nil || w.daemon.JSON(ctx, "get_info", nil, nil) != nil {
			return err
		}
	}
}

// unreached reports whether a wallet's refusal says that its daemon did not answer: a code of its own or, from some of its depths,
// only words. Source: src/wallet/wallet2.cpp and node_rpc_proxy.cpp.
func unreached(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && (refused.Code == -38 || strings.HasPrefix(refused.Message, "Failed to get ") ||
		strings.HasPrefix(refused.Message, "no connection to daemon"))
}

// Stop makes the service save its wallet, then waits for its end; a service that does not obey is killed, which is
// an error.
func (w *WalletRPC) Stop() error {
	return w.process.stop(func(ctx context.Context) error { return w.JSON(ctx, "stop_wallet", nil, nil) })
}

// plain switches TLS off, unless o says something of it: for TLS the programs make keys at every start, and wallets at every
// opening, which takes them seconds.
func plain(args []string, o Options, flags ...string) []string {
	for _, f := range flags {
		if !slices.Contains(o.Args, f) {
			args = append(args, f, "disabled")
		}
	}
	return args
}

// TryLine starts a wallet service with a command line as it stands and reports whether it answers on port, and what it printed. It is killed
// before TryLine returns. program is the service and whatever comes before its flags; dir is where it runs.
func TryLine(ctx context.Context, program []string, dir, port string, args []string) (answers bool, printed string, err error) {
	p := process{ctx: ctx, program: program[0], dir: dir, log: filepath.Base(program[0])}
	p.ready = func(ctx context.Context, url string) error {
		var refused *Error
		err := (Client{URL: url}).JSON(ctx, "get_version", nil, nil)
		if errors.As(err, &refused) {
			return nil // a refusal is an answer
		}
		return err
	}
	if err := p.launch(append(slices.Clone(program[1:]), args...)); err != nil {
		return false, "", err
	}
	err = p.await("http://127.0.0.1:" + port)
	printed = p.printed()
	killed := p.Kill()
	if errors.Is(err, errEnded) {
		return false, printed, killed
	}
	return err == nil, printed, errors.Join(err, killed)
}
