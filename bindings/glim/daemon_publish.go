package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"

	"glim/bindings/internal/zmq"
	"glim/core/xmr"
)

// publishFlags configure notifications over ZeroMQ. Source: src/daemon/command_line_args.h.
var publishFlags = []dflag{
	{"zmq-pub", "ADDRESS",
		"publish blocks, transactions and miner data over ZeroMQ at tcp://IP:PORT or ipc://PATH; " +
			"comma-separated or repeated",
		groupNotify,
		func(c *DaemonConfig, v string) error { c.PublishAt = append(c.PublishAt, list(v)...); return nil }},
	{"no-zmq", "", "disable ZeroMQ, overriding --zmq-pub and --zmq-rpc-bind-port", groupNotify,
		boolean(func(c *DaemonConfig) *bool { return &c.NoZMQ })},
	{"confirm-zmq-rpc-external-bind", "", "allow ZeroMQ, which is not encrypted, on a non-loopback address",
		groupNotify, boolean(func(c *DaemonConfig) *bool { return &c.confirmZMQ })},
}

// finishPublishing checks flags about publishing that depend on each other.
func (c *DaemonConfig) finishPublishing() error {
	if len(c.PublishAt) > 0 && c.NoZMQ {
		c.Warnings = append(c.Warnings, "--zmq-pub has no effect with --no-zmq")
		c.PublishAt = nil
	}
	if err := c.finishMessages(); err != nil {
		return err
	}
	if len(c.PublishAt) > 0 && c.Network != xmr.Regtest {
		return fmt.Errorf("--zmq-pub requires --regtest; the chain of another daemon cannot be published")
	}
	for _, at := range c.PublishAt {
		network, address, err := publishAddress(at)
		if err != nil {
			return err
		}
		if network == "unix" {
			continue
		}
		if a := netip.MustParseAddrPort(address).Addr(); !a.IsLoopback() && !c.confirmZMQ {
			return fmt.Errorf("--zmq-pub %s is not a loopback address; "+
				"allow it with --confirm-zmq-rpc-external-bind", at)
		}
	}
	return nil
}

// publishAddress parses a ZeroMQ address and returns the network and address to listen on. * means all addresses.
func publishAddress(at string) (network, address string, err error) {
	if path, ok := strings.CutPrefix(at, "ipc://"); ok && path != "" {
		return "unix", path, nil
	}
	if address, ok := strings.CutPrefix(at, "tcp://"); ok {
		if port, ok := strings.CutPrefix(address, "*:"); ok {
			address = "0.0.0.0:" + port
		}
		if port, ok := strings.CutPrefix(address, "localhost:"); ok {
			address = "127.0.0.1:" + port
		}
		if a, err := netip.ParseAddrPort(address); err == nil && a.Port() != 0 {
			return family(a.Addr().String()), a.String(), nil
		}
	}
	return "", "", fmt.Errorf("--zmq-pub: %q is not tcp://IP:PORT or ipc://PATH", at)
}

// publisher listens on the configured addresses and starts publishing. It returns nil if no address is configured.
func (c *DaemonConfig) publisher(log *slog.Logger, out io.Writer) (*zmq.Publisher, error) {
	var listeners []net.Listener
	for _, at := range c.PublishAt {
		l, err := listenToPublish(at)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--zmq-pub %s: %w", at, err), closeAll(listeners))
		}
		listeners = append(listeners, l)
	}
	if listeners == nil {
		return nil, nil
	}
	for _, at := range c.PublishAt {
		fmt.Fprintf(out, "glim daemon publishes at %s\n", at)
	}
	return zmq.Start(listeners, log), nil
}

func listenToPublish(at string) (net.Listener, error) {
	network, address, err := publishAddress(at)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen(network, address)
	if err == nil || network != "unix" {
		return l, err
	}
	// A killed process may have left its socket behind. Remove the socket if nothing answers on it.
	if info, statErr := os.Lstat(address); statErr != nil || info.Mode().Type() != fs.ModeSocket {
		return nil, err
	}
	if conn, dialErr := net.Dial(network, address); dialErr == nil {
		return nil, errors.Join(err, conn.Close())
	}
	if removeErr := os.Remove(address); removeErr != nil {
		return nil, errors.Join(err, removeErr)
	}
	return net.Listen(network, address)
}
