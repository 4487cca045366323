package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	sockets "glim/bindings/native/p2p"
	"glim/core/node"
	"glim/core/p2p"
	"glim/core/p2p/netaddr"
	"glim/core/peering"
	"glim/core/xmr"
)

// lookupTimeout limits the time to resolve the names of peers.
const lookupTimeout = 30 * time.Second

// enabled reports whether the daemon has peers.
func (p *Peers) enabled() bool { return p.wanted && !p.Offline }

// finishPeers checks flags about peers that depend on each other.
func (c *DaemonConfig) finishPeers() error {
	p := &c.Peers
	if c.Network != xmr.Regtest {
		if p.enabled() {
			c.Warnings = append(c.Warnings, "flags about peers have no effect without --regtest")
		}
		p.Offline = true
		return nil
	}
	if p.limit >= 0 {
		p.Up, p.Down = p.limit, p.limit
	}
	restricted := c.RestrictedPort
	if restricted == 0 && c.Restricted {
		restricted = c.Serving.BindPort
	}
	switch {
	case p.Public && restricted == 0:
		return fmt.Errorf("--public-node requires --restricted-rpc or --rpc-restricted-bind-port")
	case p.PerIP < 1:
		return fmt.Errorf("--max-connections-per-ip must be at least 1")
	case p.enabled() && p.BindPort == 0:
		return fmt.Errorf("--p2p-bind-port must not be 0")
	}
	if _, err := p.proxy(); err != nil {
		return err
	}
	for _, l := range [][]string{p.Exclusive, p.Priority, p.Known, p.Seeds} {
		for _, name := range l {
			if _, err := netaddr.Parse(name, p.BindPort); err != nil && p.Proxy != "" {
				return fmt.Errorf("%q is not an IP address; names are not looked up with --proxy", name)
			}
		}
	}
	return nil
}

// proxy returns the proxy for connections to peers, or nil.
func (p *Peers) proxy() (*sockets.Proxy, error) {
	if p.Proxy == "" {
		return nil, nil
	}
	at := p.Proxy
	if !strings.Contains(at, "://") {
		at = "socks5://" + at
	}
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "socks5" || u.Path != "" && u.Path != "/" {
		// The error omits the value, because it may hold a password.
		return nil, fmt.Errorf("--proxy: must be HOST:PORT of a SOCKS 5 proxy")
	}
	password, _ := u.User.Password()
	proxy, err := sockets.NewProxy(u.Host, u.User.Username(), password)
	if err != nil {
		return nil, fmt.Errorf("--proxy: %w", err)
	}
	return proxy, nil
}

// machine returns the configuration of the peer-to-peer state machine of a node.
func (c *DaemonConfig) machine(ctx context.Context, n *node.Node) (m p2p.Config, err error) {
	p := &c.Peers
	m = p2p.Config{
		Network:         c.Network,
		Chain:           p2p.FromChain(n.Chain()),
		Random:          rand.Reader,
		Out:             p.Out,
		In:              p.In,
		PerHost:         p.PerIP,
		AllowLocal:      p.AllowLocal,
		NoSync:          c.NoSync,
		PadTransactions: p.Pad,
		BlocksAtOnce:    p.BlockSync,
		QueueBytes:      p.MaxDownload,
		BatchBytes:      p.batchBytes(),
		Ahead:           p.Ahead,
	}
	if !p.Hide {
		m.Port = p.BindPort
		if p.External != 0 {
			m.Port = p.External
		}
	}
	if p.Public {
		m.RPCPort = c.RestrictedPort
		if m.RPCPort == 0 {
			m.RPCPort = c.Serving.BindPort
		}
	}
	for _, l := range []struct {
		names []string
		to    *[]netaddr.Address
	}{{p.Exclusive, &m.Exclusive}, {p.Priority, &m.Priority}, {p.Known, &m.Peers}, {p.Seeds, &m.Seeds}} {
		if *l.to, err = resolve(ctx, l.names, uint16(c.Network.DaemonPort()-1)); err != nil {
			return m, err
		}
	}
	return m, nil
}

// joinPeers connects the node to its peers if flags enable them. leave disconnects it.
func (c *DaemonConfig) joinPeers(
	ctx context.Context, n *node.Node, log *slog.Logger, out io.Writer,
) (leave func() error, err error) {
	p, leave := &c.Peers, func() error { return nil }
	if !p.enabled() {
		return leave, nil
	}
	config := sockets.Config{IPv6: p.UseIPv6, Log: log}
	if config.Proxy, err = p.proxy(); err != nil {
		return leave, err
	}
	settings, err := c.machine(ctx, n)
	if err != nil {
		return leave, err
	}
	var store peerStore
	if store.dir, err = c.folder(); err != nil {
		return leave, err
	}
	if store.listed, err = readBanList(p.BanList); err != nil {
		return leave, fmt.Errorf("--ban-list: %w", err)
	}
	if config.Machine, err = store.open(settings); err != nil {
		return leave, err
	}
	config.Save = store.save
	limits := node.DefaultPeerLimits()
	limits.Out, limits.In = connectionLimit(p.Out, limits.Out), connectionLimit(p.In, limits.In)
	limits.Down, limits.Up = rateLimit(p.Down, limits.Down), rateLimit(p.Up, limits.Up)
	config.Down, config.Up = limits.Down*peering.KB, limits.Up*peering.KB
	addresses := sockets.Listening{
		IP: p.BindIP, IPv6: p.BindIPv6, Port: p.BindPort, PortIPv6: p.BindPort6,
		UseIPv6: p.UseIPv6, WithoutIPv4: p.IgnoreIPv4,
	}
	if config.Listeners, err = addresses.Listen(); err != nil {
		return leave, fmt.Errorf("--p2p-bind-port: %w", err)
	}
	for _, l := range config.Listeners {
		fmt.Fprintf(out, "glim daemon listens for peers at %s\n", l.Addr())
	}
	network := sockets.Start(config)
	store.network.Store(network)
	n.Join(peering.NewNetwork(network), limits)
	return func() error { return errors.Join(store.saveBans(), network.Close()) }, nil
}

// connectionLimit returns the limit that a flag sets, where −1 selects the default.
func connectionLimit(flag int, defaultLimit uint32) uint32 {
	if flag < 0 {
		return defaultLimit
	}
	return uint32(flag)
}

func rateLimit(flag int64, defaultLimit uint64) uint64 {
	if flag <= 0 {
		return defaultLimit
	}
	return uint64(flag)
}

// resolve returns the addresses of peers, which may be given as host names, and with or without a port.
func resolve(ctx context.Context, names []string, defaultPort uint16) (all []netaddr.Address, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	for _, name := range names {
		if a, err := netaddr.Parse(name, defaultPort); err == nil {
			all = append(all, a)
			continue
		}
		host, port := name, defaultPort
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			p, err := netip.ParseAddrPort("127.0.0.1" + name[at:])
			if err != nil || p.Port() == 0 {
				return nil, fmt.Errorf("%q has an invalid port", name)
			}
			host, port = name[:at], p.Port()
		}
		ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return nil, fmt.Errorf("peer %q: %w", name, err)
		}
		for _, ip := range ips {
			all = append(all, netaddr.FromBytes(ip.Unmap().AsSlice(), port))
		}
	}
	return all, nil
}
