package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"glim/bindings/internal/zmq"
	"glim/core/node"
	"glim/core/xmr"
)

// Messages configures RPC over ZeroMQ. It is served if the IP address or the port is set.
type Messages struct {
	IP         string // 127.0.0.1 if empty
	Port       uint16 // the default RPC port plus 1 if 0
	Restricted bool
}

// messageFlags configure RPC over ZeroMQ. Source: src/daemon/command_line_args.h.
var messageFlags = []dflag{
	{"zmq-rpc-bind-ip", "IP", "serve RPC over ZeroMQ on IP (default 127.0.0.1)", groupServer,
		text(func(c *DaemonConfig) *string { return &c.Messages.IP })},
	{"zmq-rpc-bind-port", "PORT",
		"serve RPC over ZeroMQ on PORT (default, with --zmq-rpc-bind-ip: 18082)", groupServer,
		number(func(c *DaemonConfig) *uint16 { return &c.Messages.Port }, 16)},
	{"restricted-zmq-rpc", "", "serve only restricted RPC over ZeroMQ", groupServer,
		boolean(func(c *DaemonConfig) *bool { return &c.Messages.Restricted })},
}

// enabled reports whether RPC is served over ZeroMQ.
func (m *Messages) enabled() bool { return m.IP != "" || m.Port != 0 }

// finishMessages checks the flags of RPC over ZeroMQ and sets defaults.
// Source: src/daemon/daemon.cpp, verify_zmq_rpc_bind.
func (c *DaemonConfig) finishMessages() error {
	m := &c.Messages
	switch {
	case !m.enabled():
		return nil
	case c.NoZMQ:
		c.Warnings = append(c.Warnings, "--zmq-rpc-bind-ip and --zmq-rpc-bind-port have no effect with --no-zmq")
		*m = Messages{}
		return nil
	case c.Network != xmr.Regtest:
		c.Warnings = append(c.Warnings, "--zmq-rpc-bind-ip and --zmq-rpc-bind-port have no effect without --regtest: "+
			"data of another daemon is served over HTTP only")
		*m = Messages{}
		return nil
	}
	if m.IP == "" {
		m.IP = "127.0.0.1"
	}
	if m.Port == 0 {
		m.Port = uint16(c.Network.DaemonPort()) + 1
	}
	m.IP = strings.TrimSuffix(strings.TrimPrefix(m.IP, "["), "]")
	switch ip, err := netip.ParseAddr(m.IP); {
	case err != nil:
		return fmt.Errorf("--zmq-rpc-bind-ip: %q is not an IP address", m.IP)
	case !ip.IsLoopback() && !c.confirmZMQ:
		return fmt.Errorf("--zmq-rpc-bind-ip %s lets other machines connect without encryption; "+
			"allow it with --confirm-zmq-rpc-external-bind", m.IP)
	}
	return nil
}

// listen returns nil if RPC is not served over ZeroMQ.
func (m *Messages) listen() (net.Listener, error) {
	if !m.enabled() {
		return nil, nil
	}
	l, err := net.Listen(family(m.IP), net.JoinHostPort(m.IP, strconv.Itoa(int(m.Port))))
	if err != nil {
		return nil, fmt.Errorf("--zmq-rpc-bind-port: %w", err)
	}
	return l, nil
}

// answerMessages serves RPC over ZeroMQ, if it is configured, until the daemon ends.
func (d *daemonProcess) answerMessages(ctx context.Context, n *node.Node) {
	if d.messages == nil {
		return
	}
	answer := func(request []byte) []byte { return n.Answer(ctx, request, d.cfg.Messages.Restricted) }
	r := zmq.Reply([]net.Listener{d.messages}, node.MaxMessage, answer, d.log.With(category, "rpc"))
	d.onClose(func() error { _ = r.Close(); return nil })
	fmt.Fprintf(d.out, "glim daemon answers messages of ZeroMQ at %s\n", d.messages.Addr())
}
