package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"glim/bindings/lws"
	"glim/bindings/lws/postgres"
	"glim/bindings/native"
	"glim/bindings/native/webhook"
)

const lwsUsage = `
Usage: glim lws [--network main|test|stage | --regtest] --daemon HOST:PORT [flags]
`

func lwsHelp(w io.Writer) {
	fmt.Fprint(w, lwsUsage, `
Serves wallets that cannot scan themselves: they deposit their view keys, and ask over REST what they received. Flags
are those of monero-lws-daemon.
`)
	printFlags(w, lwsFlags)
	printOthers(w, lwsFlags)
}

// lwsCommand runs `glim lws` and returns the exit code.
func lwsCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseLWS(args, os.Getenv, os.ReadFile)
	switch {
	case err != nil:
		return misused(stderr, "lws", lwsUsage, err)
	case cfg.help:
		lwsHelp(stdout)
		return 0
	case cfg.printsVersion:
		fmt.Fprintln(stdout, version())
		return 0
	}
	if err := runLWS(ctx, cfg, stderr); err != nil {
		cfg.failed(stderr, "glim lws", err)
		return 1
	}
	return 0
}

// runLWS serves wallets until ctx ends. Messages to the operator go to out.
func runLWS(ctx context.Context, cfg LWSConfig, out io.Writer) (err error) {
	log, _, closeLog, err := cfg.open(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	cfg.logStart(log, "glim lws")
	for _, w := range cfg.Warnings {
		log.With(category, "global").Warn(w)
	}
	messages := cfg.messages(out, log)
	// Listen first: if a port is in use, nothing else must have happened.
	listeners, err := cfg.listen(cfg.Servers)
	if err != nil {
		return fmt.Errorf("--rest-server: %w", err)
	}
	defer func() { _ = closeAll(listeners) }() // closed by their servers, unless something fails before
	admin, err := cfg.listen(cfg.AdminServers)
	if err != nil {
		return fmt.Errorf("--admin-rest-server: %w", err)
	}
	defer func() { _ = closeAll(admin) }()
	s, place, err := cfg.service(ctx, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	fmt.Fprintf(messages, "glim lws stores accounts in %s\n", place)

	reading, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); s.Run(reading) }()
	defer func() { stop(); <-ended }() // before the database is closed
	var all []endpoint
	add := func(listeners []net.Listener, at []restAddress, server func(prefix string) *native.Server, who string) {
		servers := map[string]*native.Server{} // by prefix, because limits are those of a server
		for i, l := range listeners {
			prefix := at[i].prefix
			if servers[prefix] == nil {
				servers[prefix] = server(prefix)
			}
			all = append(all, endpoint{l, servers[prefix], who})
		}
	}
	add(listeners, cfg.Servers, s.Server, "wallets")
	add(admin, cfg.AdminServers, s.AdminServer, "administrators")
	return serveEndpoints(ctx, all, "glim lws", messages, nil)
}

// lightWallet is a light-wallet server: *lws.Service or *postgres.Server.
type lightWallet interface {
	Run(ctx context.Context)
	Server(prefix string) *native.Server
	AdminServer(prefix string) *native.Server
	Close() error
}

// service opens the database, which place describes, and connects to the daemon.
func (c *LWSConfig) service(ctx context.Context, log *slog.Logger) (s lightWallet, place string, err error) {
	transport, err := native.NewTransport(native.TransportOptions{
		Address: c.Daemon, DefaultPort: c.Network.DaemonPort(), Login: c.DaemonLogin, Proxy: c.Proxy,
		Timeout: upstreamTimeout, MaxAnswer: upstreamMaxAnswer, Connections: upstreamConnections,
	})
	if err != nil {
		return nil, "", fmt.Errorf("--daemon: %w", err)
	}
	cfg := lws.Config{
		Network: c.Network, Folder: c.Folder, KeyFile: c.KeyFile, AdminKeyFile: c.AdminKeyFile,
		NoAdminAuth: c.NoAdminAuth, Daemon: transport, Untrusted: c.Untrusted, Workers: c.Workers,
		MaxSubaddresses: c.MaxSubaddresses, MaxRequests: c.MaxRequests, MaxAccounts: c.MaxAccounts,
		AcceptCreation: c.AcceptCreation, AcceptImport: c.AcceptImport, Origins: c.Origins,
		Calls: lws.Calls{Client: webhook.ClientOptions{Proxy: c.Proxy, AnyCertificate: c.AnyReceiver}},
		Rates: c.rates(),
		Limits: native.ServerLimits{
			Connections: c.MaxConnections, ConnectionsPublic: c.MaxPublic, ConnectionsLocal: c.MaxConnections / 2,
		},
		Random: rand.Reader, Log: log.With(category, "rpc"), Version: version(),
	}
	if c.Database != "" {
		shared, err := postgres.Open(ctx, postgres.Config{Config: cfg, URL: c.Database})
		if err != nil {
			return nil, "", fmt.Errorf("--database: %w", err)
		}
		return shared, shared.Place(), nil
	}
	own, err := lws.Open(cfg)
	if err != nil {
		return nil, "", err
	}
	return own, c.Folder, nil
}

// rates configures the request for exchange rates.
func (c *LWSConfig) rates() lws.Rates {
	return lws.Rates{
		Interval: time.Duration(c.RateMinutes) * time.Minute, Client: webhook.ClientOptions{Proxy: c.Proxy},
	}
}

// listen opens addresses. After an error none stays open.
func (c *LWSConfig) listen(addresses []restAddress) (all []net.Listener, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, closeAll(all))
			all = nil
		}
	}()
	for _, a := range addresses {
		l, err := net.Listen(family(a.host), net.JoinHostPort(a.host, strconv.Itoa(int(a.port))))
		if err != nil {
			return all, err
		}
		all = append(all, l)
		ssl := c.SSL
		ssl.Mode = native.SSLDisabled
		if a.secure {
			ssl.Mode = native.SSLEnabled
		}
		if all[len(all)-1], err = native.ListenSSL(l, ssl); err != nil {
			all[len(all)-1] = l
			return all, err
		}
	}
	return all, nil
}
