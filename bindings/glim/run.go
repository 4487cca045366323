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
	"glim/bindings/native/digest"
	disk "glim/bindings/native/files"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
)

// graceful is how long running calls may go on after the process was asked to end.
const graceful = 2 * time.Minute

// run serves wallets until ctx ends or a client calls stop_wallet, then lets the running calls finish and closes the
// service. What people should see goes to say; what happens goes to the log.
func run(ctx context.Context, cfg WalletRPCConfig, open opener, stdin io.Reader, say io.Writer) (err error) {
	var h host
	var endLog func() error
	var level *logSwitch
	if h.log, level, endLog, err = cfg.open(say); err != nil {
		return err
	}
	h.setLog = level.orRefuse
	defer func() { err = errors.Join(err, endLog()) }()
	prompt := say
	say = cfg.people(say, h.log)
	cfg.begins(h.log, "glim wallet-rpc")
	for _, w := range cfg.Warnings {
		h.log.With(category, "global").Warn(w)
	}
	ctx, h.stop = context.WithCancel(ctx)
	defer h.stop()
	h.meters = newMeters(cfg.Metrics)
	if err := cfg.ask(ctx, stdin, prompt); err != nil {
		return err
	}

	// Listening comes first: a port that is taken must cost neither a login file nor an open wallet.
	listeners, err := cfg.listen()
	if err != nil {
		return err
	}
	defer func() {
		_ = closeAll(listeners) // closed by their server already, unless something failed before
	}()
	if metered, err := cfg.listenMetrics(); err != nil {
		return err
	} else if metered != nil {
		defer func() { _ = metered.Close() }() // likewise
		h.metered = metered
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
		fmt.Fprintf(say, "RPC username/password is stored in file %s\n", file)
	}
	service, closeService, err := open(ctx, cfg, h)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceful)
		defer cancel()
		err = errors.Join(err, closeService(ctx))
	}()
	return serve(ctx, cfg, service, listeners, h, say)
}

// ask asks for the passwords that the flags leave open, one line each.
func (c *WalletRPCConfig) ask(ctx context.Context, stdin io.Reader, say io.Writer) error {
	if c.PromptForPassword {
		password, err := readPassword(ctx, stdin, say, "Wallet password: ")
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
		password, err := readPassword(ctx, stdin, say, l.prompt)
		if err != nil {
			return fmt.Errorf("%s: %w", l.flag, err)
		}
		if password == "" { // the end of the input, as under a service manager
			return fmt.Errorf("%s: no password was typed; %w", l.flag, errLogin)
		}
		*l.login = digest.NewLogin(l.user, string(password))
	}
	return nil
}

// serve answers clients until ctx ends or a listener fails.
func serve(ctx context.Context, cfg WalletRPCConfig, service native.Service, listeners []net.Listener, h host, say io.Writer) error {
	server := native.NewServer(native.ServerConfig{
		Service: told{h.meters.count(service), h.log.With(category, "rpc")},
		Options: rpc.Options{Restricted: cfg.Restricted, Deny: walletrpc.Fail(walletrpc.CodeDenied, "")},
		Login:   cfg.Login,
		Origins: cfg.Origins,
		Limits:  cfg.limits(),
		Random:  rand.Reader,
		Log:     h.log.With(category, "rpc"),
		Events:  eventsOf(service),

		Answered: h.meters.answered(),
	})
	var all []listening
	for _, l := range listeners {
		all = append(all, listening{l, server, cfg.Network.String()})
	}
	if h.metered != nil {
		h.meters.wallets(service, cfg.Metrics.WalletNames)
		all = append(all, h.meters.door(h.metered, h.log, server))
	}
	return answer(ctx, all, "glim wallet-rpc", say, cfg.served)
}

// listening is a server, where it listens and what it serves.
type listening struct {
	net.Listener
	server *native.Server
	what   string
}

// answer answers clients until ctx ends or a listener fails, and lets the running calls finish. People are told who serves what; then ready
// is called, unless it is nil.
func answer(ctx context.Context, all []listening, who string, say io.Writer, ready func()) error {
	served := make(chan error, len(all))
	for _, l := range all {
		go func() { served <- l.server.Serve(l) }()
		fmt.Fprintf(say, "%s serves %s at %s\n", who, l.what, l.Addr())
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
	fmt.Fprintln(say, who, "ends")
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceful)
	defer cancel()
	for _, l := range all {
		err = errors.Join(err, l.server.Shutdown(finish)) // again for a second listener of the same, which changes nothing
	}
	for range running {
		err = errors.Join(err, <-served)
	}
	return err
}

// writePID writes the process's number to a file, which remove deletes. A file that holds something else than a number is somebody's, perhaps
// a wallet's, and stays.
func writePID(file string) (remove func() error, err error) {
	was, err := disk.Read(file, 64)
	if err != nil && !errors.Is(err, disk.ErrMissing) {
		return nil, fmt.Errorf("--pidfile: %w", err)
	}
	if strings.Trim(string(was), "0123456789\r\n ") != "" {
		return nil, fmt.Errorf("--pidfile: %s holds something else than the number of a process", file)
	}
	if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		var half *fs.PathError
		if errors.As(err, &half) && half.Op != "open" {
			err = errors.Join(err, os.Remove(file)) // half of a number would be another process's
		}
		return nil, fmt.Errorf("--pidfile: %w", err)
	}
	return func() error { return os.Remove(file) }, nil
}

// eventsOf returns where the server finds a service's events; nil when it has none.
func eventsOf(s native.Service) func(path string, cursor uint64) (native.EventStream, error) {
	source, ok := s.(interface {
		Follow(path string, cursor uint64) (*service.Follower, error)
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
