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

// publishFlags are about what the daemon publishes over ZeroMQ. Source: src/daemon/command_line_args.h.
var publishFlags = []dflag{
	{"zmq-pub", "ADDRESS", "publish blocks, transactions and what miners need at tcp://IP:PORT or ipc://PATH, to subscribers over ZeroMQ; several with commas, or the flag again", groupNotify,
		func(c *DaemonConfig, v string) error { c.PublishAt = append(c.PublishAt, list(v)...); return nil }},
	{"no-zmq", "", "publish nothing, whatever --zmq-pub says", groupNotify, boolean(func(c *DaemonConfig) *bool { return &c.NoZMQ })},
	{"confirm-zmq-rpc-external-bind", "", "yes, publish at an address other machines can reach", groupNotify, boolean(func(c *DaemonConfig) *bool { return &c.confirmZMQ })},
}

// finishPublishing checks what flags about publishing say together.
func (c *DaemonConfig) finishPublishing() error {
	if len(c.PublishAt) > 0 && c.NoZMQ {
		c.Warnings = append(c.Warnings, "--zmq-pub: no effect with --no-zmq")
		c.PublishAt = nil
	}
	if len(c.PublishAt) > 0 && c.Network != xmr.Regtest {
		return fmt.Errorf("--zmq-pub needs --regtest: of another daemon's chain nothing is published")
	}
	for _, at := range c.PublishAt {
		network, where, err := publishAddress(at)
		if err != nil {
			return err
		}
		if network == "unix" {
			continue
		}
		if a := netip.MustParseAddrPort(where).Addr(); !a.IsLoopback() && !c.confirmZMQ {
			return fmt.Errorf("--zmq-pub %s can be reached by other machines; --confirm-zmq-rpc-external-bind says that is meant", at)
		}
	}
	return nil
}

// publishAddress reads an address as ZeroMQ has them and returns what to listen on. * stands for every address of the machine.
func publishAddress(at string) (network, where string, err error) {
	if path, ok := strings.CutPrefix(at, "ipc://"); ok && path != "" {
		return "unix", path, nil
	}
	if where, ok := strings.CutPrefix(at, "tcp://"); ok {
		if port, ok := strings.CutPrefix(where, "*:"); ok {
			where = "0.0.0.0:" + port
		}
		if port, ok := strings.CutPrefix(where, "localhost:"); ok {
			where = "127.0.0.1:" + port
		}
		if a, err := netip.ParseAddrPort(where); err == nil && a.Port() != 0 {
			return family(a.Addr().String()), a.String(), nil
		}
	}
	return "", "", fmt.Errorf("--zmq-pub: %q is neither tcp://IP:PORT nor ipc://PATH", at)
}

// publisher listens where flags say and publishes from now on; nil when they name no address.
func (c *DaemonConfig) publisher(log *slog.Logger, say io.Writer) (*zmq.Publisher, error) {
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
		fmt.Fprintf(say, "glim daemon publishes at %s\n", at)
	}
	return zmq.Start(listeners, log), nil
}

func listenToPublish(at string) (net.Listener, error) {
	network, where, err := publishAddress(at)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen(network, where)
	if err == nil || network != "unix" {
		return l, err
	}
	// A socket that a process left behind when it was killed is in the way, and nobody is there.
	if info, gone := os.Lstat(where); gone != nil || info.Mode().Type() != fs.ModeSocket {
		return nil, err
	}
	if conn, refused := net.Dial(network, where); refused == nil {
		return nil, errors.Join(err, conn.Close())
	}
	if gone := os.Remove(where); gone != nil {
		return nil, errors.Join(err, gone)
	}
	return net.Listen(network, where)
}
