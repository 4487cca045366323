package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"runtime"
	"time"

	"glim/bindings/app"
	"glim/bindings/native"
	disk "glim/bindings/native/files"
)

// startLimit is how long a running app may take to answer a second start.
const startLimit = time.Minute

// runApp serves the web wallet until ctx ends or the page quits. If the app is running already, it opens that one.
func runApp(ctx context.Context, cfg AppConfig, stdout, stderr io.Writer) (err error) {
	settings, err := cfg.place()
	if err != nil {
		return err
	}
	folder, err := app.RuntimeFolder(os.Getenv)
	if err != nil {
		return err
	}
	instance := app.NewInstance(folder, flagOf(cfg.Network))
	switch err := instance.Claim(); {
	case errors.Is(err, disk.ErrLocked):
		return openRunning(ctx, cfg, instance, stdout, stderr)
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, instance.Release()) }()
	pages, err := cfg.pages()
	if err != nil {
		return err
	}
	var env serviceEnv
	closeLog, err := env.openLog(cfg.Logging, stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	cfg.logStart(env.log, "glim app")
	ctx, env.stop = context.WithCancel(ctx)
	defer env.stop()

	wallets, err := newAppEngine(ctx, cfg, env)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wallets.close()) }()
	listener, err := net.Listen("tcp4", "127.0.0.1:0") // the port differs at each start, and with it the page's origin
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // its server has closed it, unless something failed before
	owner := app.NewToken()
	front, err := app.New(app.Config{
		Pages: pages, Host: listener.Addr().String(), Owner: owner,
		Info: app.Info{
			Network: flagOf(cfg.Network), Folder: cfg.WalletDir, Version: version(), Proxy: cfg.Proxy != "",
			Names: !cfg.NoDNS && !cfg.Offline,
		},
		Nodes: wallets, Wallets: native.WalletDir(cfg.WalletDir), Settings: settings, Now: time.Now, Quit: env.stop,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", cfg.Pages, err)
	}
	defer context.AfterFunc(ctx, front.End)()
	running := app.Running{Host: listener.Addr().String(), Owner: owner, Folder: cfg.WalletDir}
	if err := instance.Announce(running); err != nil {
		return err
	}
	server := native.NewServer(native.ServerConfig{
		Service: loggedService{wallets, env.log.With(category, "rpc")},
		Events:  wallets.follow, Front: front.Front, Origins: []string{front.Origin()},
		Log: env.log.With(category, "rpc"),
	})
	opened := func() {
		if err := cfg.show(instance, running.Host, front.Ticket(), stdout, stderr); err != nil {
			fmt.Fprintf(stderr, "glim app: %v\n", err)
		}
	}
	all := []endpoint{{listener, server, flagOf(cfg.Network)}}
	return serveEndpoints(ctx, all, "glim app", cfg.messages(stderr, env.log), opened)
}

// pages returns the built web wallet.
func (c *AppConfig) pages() (fs.FS, error) {
	if c.Pages != "" {
		return os.DirFS(c.Pages), nil
	}
	if p := app.Embedded(); p != nil {
		return p, nil
	}
	return nil, errNoPages
}

// openRunning opens the page of the app that another process runs.
func openRunning(ctx context.Context, cfg AppConfig, i *app.Instance, stdout, stderr io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	running, err := i.Find(ctx)
	if err != nil {
		return err
	}
	if running.Folder != cfg.WalletDir {
		return fmt.Errorf("glim app is already running with the folder %s: quit it first", running.Folder)
	}
	ticket, err := running.Ticket(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "glim app is already running: its page is opened")
	return cfg.show(i, running.Host, ticket, stdout, stderr)
}

// show opens the page with a ticket in the browser, or prints its address.
func (c *AppConfig) show(i *app.Instance, host string, ticket app.Token, stdout, stderr io.Writer) error {
	address := app.Address(host, ticket)
	if c.NoBrowser {
		_, err := fmt.Fprintf(stdout, "Open this address in your browser. It works once:\n%s\n", address)
		return err
	}
	page, err := i.Page(address)
	if err != nil {
		return err
	}
	for _, command := range app.Openers(runtime.GOOS) {
		opener := exec.Command(command[0], append(command[1:], page)...)
		_ = ownSession(opener) // so that Ctrl-C does not end the browser too, where the system can do that
		if opener.Start() != nil {
			continue
		}
		go func() {
			if opener.Wait() != nil {
				fmt.Fprintf(stderr, "%s could not open %s; open it in your browser\n", command[0], page)
			}
		}()
		return nil
	}
	return fmt.Errorf("no program opens a browser here; open %s, or use --no-browser", page)
}
