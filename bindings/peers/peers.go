// Package peers starts the services that tests and examples need: the packaged reference programs, monerod and
// monero-wallet-rpc, or daemons of glim.
package peers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"glim/core/node"
)

// startLimit is the longest time until a program responds. On an idle machine it takes one to five seconds.
const startLimit = 5 * time.Minute

// stopLimit is the longest time until a program ends after the request to stop.
const stopLimit = 5 * time.Minute

// attempts is the maximum number of attempts: to start a program that exits, each time with other ports, and to send a
// request whose connection is lost.
const attempts = 5

// Options configure the start of a program.
type Options struct {
	// Dir is the folder of all files that the program writes. It is created if missing. Required.
	Dir string
	// FixedDifficulty is the difficulty of a daemon's chain; 0 means 1.
	FixedDifficulty uint64
	// Dynamic makes the difficulty of a daemon's chain depend on the timestamps of its blocks instead.
	Dynamic bool
	// KeepChain makes a daemon keep its chain when it restarts. By default a restart discards every block.
	KeepChain bool
	// RPCLogin is "user:password" for digest authentication at the service; empty for no login.
	RPCLogin string
	// Command is a program with the flags of monerod or monero-wallet-rpc, and the arguments that precede these flags.
	// It is started instead of the packaged program, unless empty. Such a daemon receives --data-dir only with
	// KeepChain.
	Command []string
	// Programs are the packaged programs to start; those of Find if empty.
	Programs Programs
	// P2PPort is the port of 127.0.0.1 on which a daemon accepts peers; restarts do not change it. Empty for a daemon
	// without peers.
	P2PPort string
	// Args are appended to the command line.
	Args []string
}

// Daemon is a running daemon with a private regtest chain, hard fork 16 from block 1. It is offline unless
// Options.P2PPort is set.
type Daemon struct {
	Client
	process
	// Chain is the chain of a daemon in this process, as Serve starts it; nil for another process.
	Chain     *node.Regtest
	newServer func() Server
	running   *running
	// acceptsAnyWork is true for monerod with difficulty 1, because every block then has enough work.
	acceptsAnyWork bool
}

// WalletRPC is a running monero-wallet-rpc, or Options.Command.
type WalletRPC struct {
	Client
	process
	// Wallets is the folder of its wallets.
	Wallets string
	daemon  *Daemon // nil if offline
}

// StartDaemon starts monerod, or o.Command, on free ports and returns when it responds. The daemon runs until Stop,
// Kill or the end of ctx.
func StartDaemon(ctx context.Context, o Options) (*Daemon, error) {
	command, err := commandOf(o, func(p Programs) string { return p.Daemon })
	if err != nil {
		return nil, err
	}
	difficulty := max(o.FixedDifficulty, 1)
	if o.Dynamic {
		difficulty = 0
	}
	d := &Daemon{acceptsAnyWork: len(o.Command) == 0 && difficulty == 1}
	d.process = process{ctx: ctx, program: command[0], dir: o.Dir, log: filepath.Base(command[0]) + ".log"}
	d.process.arguments = func(rpc, p2p string) []string {
		args := append(slices.Clone(command[1:]), "--regtest")
		if o.P2PPort == "" {
			args = append(args, "--offline")
		} else {
			p2p = o.P2PPort
		}
		if !slices.Contains(o.Args, "--zmq-pub") && !slices.Contains(o.Args, "--zmq-rpc-bind-port") {
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

// commandOf returns the command to start: o.Command, or one of the packaged programs. It returns ErrMissing if that is
// not installed.
func commandOf(o Options, packaged func(Programs) string) ([]string, error) {
	if len(o.Command) > 0 {
		return o.Command, nil
	}
	programs, err := o.programs()
	return []string{packaged(programs)}, err
}

// programs returns o.Programs, or those of Find.
func (o Options) programs() (Programs, error) {
	if o.Programs != (Programs{}) {
		return o.Programs, nil
	}
	return Find()
}

// Stop sends the daemon a request to stop and waits until it has ended. It kills a daemon that does not end within
// stopLimit, and returns an error.
func (d *Daemon) Stop() error {
	if d.Chain != nil {
		return d.stopServing(false)
	}
	return d.process.stop(func(ctx context.Context) error { return d.Path(ctx, "/stop_daemon", nil, nil) })
}

// Restart stops the daemon and starts it again in the same folder. Its URL may change. Without Options.KeepChain,
// another process starts again from the genesis block; a chain of this process continues.
func (d *Daemon) Restart() error {
	if err := d.Stop(); err != nil {
		return err
	}
	if d.Chain != nil {
		return d.open()
	}
	return d.start()
}

// Kill ends the daemon at once and waits until it has ended. It may be called twice.
func (d *Daemon) Kill() error {
	if d.Chain != nil {
		return d.stopServing(true)
	}
	return d.process.Kill()
}

// StartWalletRPC starts monero-wallet-rpc, or o.Command, on a free port and returns when it responds. If d is nil, the
// service is offline. For a daemon that another program started, d needs only its Client. The service runs until Stop,
// Kill or the end of ctx.
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
	// From 0.18.2.0 on the service refuses a daemon whose hard forks differ from the network's, as on a private chain.
	anyDaemon := false
	if len(o.Command) == 0 {
		programs, err := o.programs()
		if err != nil {
			return nil, err
		}
		anyDaemon = programs.Release.AtLeast(0, 18, 2)
	}
	w.process.arguments = func(rpc, _ string) []string {
		args := append(slices.Clone(command[1:]), "--non-interactive", "--log-level", "0", "--wallet-dir", w.Wallets,
			"--shared-ringdb-dir", filepath.Join(o.Dir, "rings"), "--rpc-bind-ip", "127.0.0.1", "--rpc-bind-port", rpc)
		args = plain(args, o, "--rpc-ssl", "--daemon-ssl")
		if d == nil {
			args = append(args, "--offline")
		} else {
			args = append(args, "--trusted-daemon", "--daemon-address", strings.TrimPrefix(d.URL, "http://"))
			if anyDaemon {
				args = append(args, "--allow-mismatched-daemon-version")
			}
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

// JSON is Client.JSON, except that it repeats a call if the wallet reports that it could not reach its daemon, although
// the daemon responds. On a busy machine the packaged programs sometimes lose a connection, and then their next request
// on it fails.
func (w *WalletRPC) JSON(ctx context.Context, method string, params, out any) error {
	for n := 1; ; n++ {
		err := w.Client.JSON(ctx, method, params, out)
		if n == attempts || !unreached(err) || w.daemon == nil || w.daemon.JSON(ctx, "get_info", nil, nil) != nil {
			return err
		}
	}
}

// unreached reports whether an error of a wallet means that its daemon did not respond. That has an error code, but
// some functions of the wallet return only a message. Source: src/wallet/wallet2.cpp and node_rpc_proxy.cpp.
func unreached(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && (refused.Code == -38 || strings.HasPrefix(refused.Message, "Failed to get ") ||
		strings.HasPrefix(refused.Message, "no connection to daemon"))
}

// Stop makes the service save its wallet and waits until it has ended. It kills a service that does not end within
// stopLimit, and returns an error.
func (w *WalletRPC) Stop() error {
	return w.process.stop(func(ctx context.Context) error { return w.JSON(ctx, "stop_wallet", nil, nil) })
}

// plain disables TLS by each flag that is not in o.Args. With TLS, daemons generate keys at every start, and wallet
// services whenever they open a wallet, which takes seconds.
func plain(args []string, o Options, flags ...string) []string {
	for _, f := range flags {
		if !slices.Contains(o.Args, f) {
			args = append(args, f, "disabled")
		}
	}
	return args
}

// TryLine starts a wallet service with exactly these arguments, and kills it before it returns. It reports whether the
// service responded on port, and returns its output. program is the path of the service and the arguments that precede
// args; dir is its working directory.
func TryLine(
	ctx context.Context, program []string, dir, port string, args []string,
) (answers bool, printed string, err error) {
	p := process{ctx: ctx, program: program[0], dir: dir, log: filepath.Base(program[0])}
	p.ready = func(ctx context.Context, url string) error {
		var refused *Error
		err := (Client{URL: url}).JSON(ctx, "get_version", nil, nil)
		if errors.As(err, &refused) {
			return nil // an error is a response
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
