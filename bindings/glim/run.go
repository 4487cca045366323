package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"glim/bindings/native"
	disk "glim/bindings/native/files"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/service"
	"glim/core/walletrpc"
)

// graceful is how long running calls may take after the process was asked to end.
const graceful = 2 * time.Minute

// run serves wallets until ctx ends or a client calls stop_wallet. It then lets running calls finish and closes the
// service. Messages to the operator go to out.
func run(ctx context.Context, cfg WalletRPCConfig, start startService, stdin io.Reader, out io.Writer) (err error) {
	var env serviceEnv
	closeLog, err := env.openLog(cfg.Logging, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	prompt := out
	out = cfg.messages(out, env.log)
	cfg.logStart(env.log, "glim wallet-rpc")
	for _, w := range cfg.Warnings {
		env.log.With(category, "global").Warn(w)
	}
	ctx, env.stop = context.WithCancel(ctx)
	defer env.stop()
	env.meters = newMeters(cfg.Metrics)
	if err := cfg.promptPasswords(ctx, stdin, prompt); err != nil {
		return err
	}

	// Listen first: if a port is in use, no login file and no open wallet must be left behind.
	listeners, err := cfg.listen()
	if err != nil {
		return err
	}
	defer func() {
		_ = closeAll(listeners) // their server has closed them, unless something failed before
	}()
	cfg.started.listens(listeners)
	if env.metrics, err = cfg.listenMetrics(); err != nil {
		return err
	}
	if env.metrics != nil {
		defer func() { _ = env.metrics.Close() }() // likewise
	}
	if cfg.PIDFile != "" {
		remove, err := writePID(cfg.PIDFile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
	}
	if !cfg.DisableLogin && cfg.Login.IsZero() {
		file := fmt.Sprintf("monero-wallet-rpc.%d.login", cfg.BindPort)
		login, remove, err := native.GenerateLogin(file, rand.Reader)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
		cfg.Login = login
		fmt.Fprintf(out, "RPC username/password is stored in file %s\n", file)
	}
	service, closeService, err := start(ctx, cfg, env)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceful)
		defer cancel()
		err = errors.Join(err, closeService(ctx))
	}()
	return serve(ctx, cfg, service, listeners, env, out)
}

// promptPasswords reads the passwords that the flags leave out, one a line.
func (c *WalletRPCConfig) promptPasswords(ctx context.Context, stdin io.Reader, out io.Writer) error {
	if c.PromptForPassword {
		password, err := readPassword(ctx, stdin, out, "Wallet password: ")
		if err != nil {
			return err
		}
		c.Password = password
	}
	for _, l := range []struct {
		flag, prompt, user string
		login              *digest.Login
	}{
		{"--rpc-login", "RPC server password: ", c.loginUser, &c.Login},
		{"--daemon-login", "Daemon client password: ", c.daemonUser, &c.DaemonLogin},
	} {
		if l.user == "" {
			continue
		}
		password, err := readPassword(ctx, stdin, out, l.prompt)
		if err != nil {
			return fmt.Errorf("%s: %w", l.flag, err)
		}
		if password == "" { // the input ended, as under a service manager
			return fmt.Errorf("%s: no password was entered; %w", l.flag, errLogin)
		}
		*l.login = digest.NewLogin(l.user, string(password))
	}
	return nil
}

// serve answers clients until ctx ends or a listener fails.
func serve(
	ctx context.Context,
	cfg WalletRPCConfig,
	service native.Service,
	listeners []net.Listener,
	env serviceEnv,
	out io.Writer,
) error {
	server := native.NewServer(native.ServerConfig{
		Service:  loggedService{env.meters.count(service), env.log.With(category, "rpc")},
		Options:  rpc.Options{Restricted: cfg.Restricted, Deny: walletrpc.Fail(walletrpc.CodeDenied, "")},
		Login:    cfg.Login,
		Origins:  cfg.Origins,
		Limits:   cfg.limits(),
		Random:   rand.Reader,
		Log:      env.log.With(category, "rpc"),
		Events:   eventsOf(service),
		Answered: env.meters.answered(),
	})
	var all []endpoint
	for _, l := range listeners {
		all = append(all, endpoint{l, server, cfg.Network.String()})
	}
	if env.metrics != nil {
		env.meters.wallets(service, cfg.Metrics.WalletNames)
		all = append(all, env.meters.endpoint(env.metrics, env.log, server))
	}
	defer cfg.started.serves('W', "Starting wallet RPC server")()
	return serveEndpoints(ctx, all, "glim wallet-rpc", out, cfg.served)
}

// endpoint is a server with its listener and a description of what it serves.
type endpoint struct {
	net.Listener
	server *native.Server
	what   string
}

// serveEndpoints answers clients until ctx ends or a listener fails, and lets running calls finish. It prints the
// endpoints to out and then calls ready, which may be nil.
func serveEndpoints(ctx context.Context, all []endpoint, command string, out io.Writer, ready func()) error {
	served := make(chan error, len(all))
	for _, e := range all {
		go func() { served <- e.server.Serve(e) }()
		fmt.Fprintf(out, "%s serves %s at %s\n", command, e.what, e.Addr())
	}
	if ready != nil {
		ready()
	}
	var err error
	running := len(all)
	select {
	case <-ctx.Done():
	case err = <-served:
		running--
	}
	fmt.Fprintln(out, command, "ends")
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceful)
	defer cancel()
	for _, e := range all {
		err = errors.Join(err, e.server.Shutdown(finish)) // a second call for the same server has no effect
	}
	for range running {
		err = errors.Join(err, <-served)
	}
	return err
}

// writePID writes the process ID to a file, which remove deletes. A file with anything but a number is not overwritten,
// because it may be a wallet.
func writePID(file string) (remove func() error, err error) {
	was, err := disk.Read(file, 64)
	if err != nil && !errors.Is(err, disk.ErrMissing) {
		return nil, fmt.Errorf("--pidfile: %w", err)
	}
	if strings.Trim(string(was), "0123456789\r\n ") != "" {
		return nil, fmt.Errorf("--pidfile: %s exists and does not contain a process ID", file)
	}
	if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		var partial *fs.PathError
		if errors.As(err, &partial) && partial.Op != "open" {
			err = errors.Join(err, os.Remove(file)) // part of the number would be another process's ID
		}
		return nil, fmt.Errorf("--pidfile: %w", err)
	}
	return func() error { return os.Remove(file) }, nil
}

// eventsOf returns the event streams of a service for the server, or nil if the service has none.
func eventsOf(s native.Service) func(path string, cursor uint64) (native.EventStream, error) {
	source, ok := s.(interface {
		Follow(path string, cursor uint64) (*service.EventStream, error)
	})
	if !ok {
		return nil
	}
	return func(path string, cursor uint64) (native.EventStream, error) {
		f, err := source.Follow(path, cursor)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}
