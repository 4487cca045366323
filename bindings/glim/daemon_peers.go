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

// lookUp is how long finding a peer's address by its name may take.
const lookUp = 30 * time.Second

// on reports whether there are peers at all.
func (p *Peers) on() bool { return p.wanted && !p.Offline }

// finishPeers checks what flags about peers say together.
func (c *DaemonConfig) finishPeers() error {
	p := &c.Peers
	if c.Network != xmr.Regtest {
		if p.on() {
			c.Warnings = append(c.Warnings, "flags about peers: no effect without --regtest")
		}
		p.Offline = true
		return nil
	}
	if p.limit >= 0 {
		p.Up, p.Down = p.limit, p.limit
	}
	strangers := c.RestrictedPort
	if strangers == 0 && c.Restricted {
		strangers = c.Serving.BindPort
	}
	switch {
	case p.Public && strangers == 0:
		return fmt.Errorf("--public-node needs --restricted-rpc or --rpc-restricted-bind-port")
	case p.PerHost < 1:
		return fmt.Errorf("--max-connections-per-ip: 1 or more")
	case p.on() && p.BindPort == 0:
		return fmt.Errorf("--p2p-bind-port: not 0")
	}
	if _, err := p.proxy(); err != nil {
		return err
	}
	for _, l := range [][]string{p.Exclusive, p.Priority, p.Known, p.Seeds} {
		for _, name := range l {
			if _, err := netaddr.Parse(name, p.BindPort); err != nil && p.Proxy != "" {
				return fmt.Errorf("%q is no IP address, and with --proxy no name is looked up", name)
			}
		}
	}
	return nil
}

// proxy returns the way to peers; nil for the direct one.
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
		return nil, fmt.Errorf("--proxy: should be HOST:PORT of a SOCKS 5 proxy") // without it: it may hold a password
	}
	password, _ := u.User.Password()
	proxy, err := sockets.NewProxy(u.Host, u.User.Username(), password)
	if err != nil {
		return nil, fmt.Errorf("--proxy: %w", err)
	}
	return proxy, nil
}

// machine says what the machine of a node's peers is to be.
func (c *DaemonConfig) machine(ctx context.Context, n *node.Node) (m p2p.Config, err error) {
	p := &c.Peers
	m = p2p.Config{
		Network: c.Network, Chain: p2p.Of(n.Chain()), Random: rand.Reader, Out: p.Out, In: p.In, PerHost: p.PerHost,
		AllowLocal: p.AllowLocal, NoSync: c.NoSync, PadTransactions: p.Pad, BlocksAtOnce: p.BlockSync, QueueBytes: p.MaxDownload,
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

// join makes the node part of its network, when flags ask for peers. end takes leave.
func (c *DaemonConfig) join(ctx context.Context, n *node.Node, log *slog.Logger, say io.Writer) (end func() error, err error) {
	p, end := &c.Peers, func() error { return nil }
	if !p.on() {
		return end, nil
	}
	with := sockets.Config{IPv6: p.UseIPv6, Log: log}
	if with.Proxy, err = p.proxy(); err != nil {
		return end, err
	}
	settings, err := c.machine(ctx, n)
	if err != nil {
		return end, err
	}
	var kept keeper
	if kept.dir, err = c.folder(); err != nil {
		return end, err
	}
	if kept.listed, err = readBanList(p.BanList); err != nil {
		return end, fmt.Errorf("--ban-list: %w", err)
	}
	if with.Machine, err = kept.open(settings); err != nil {
		return end, err
	}
	with.Save = kept.save
	limits := node.DefaultPeering()
	limits.Out, limits.In = bound(p.Out, limits.Out), bound(p.In, limits.In)
	limits.Down, limits.Up = rate(p.Down, limits.Down), rate(p.Up, limits.Up)
	with.Down, with.Up = limits.Down*peering.KB, limits.Up*peering.KB
	where := sockets.Listening{IP: p.BindIP, IPv6: p.BindIPv6, Port: p.BindPort, PortIPv6: p.BindPort6, UseIPv6: p.UseIPv6, WithoutIPv4: p.IgnoreIPv4}
	if with.Listeners, err = where.Listen(); err != nil {
		return end, fmt.Errorf("--p2p-bind-port: %w", err)
	}
	for _, l := range with.Listeners {
		fmt.Fprintf(say, "glim daemon meets peers at %s\n", l.Addr())
	}
	network := sockets.Start(with)
	kept.running.Store(network)
	n.Join(peering.NewNetwork(network), limits)
	return func() error { return errors.Join(kept.saveBans(), network.Close()) }, nil
}

// bound returns how many connections a flag asks for, −1 being the default.
func bound(flag int, usual uint32) uint32 {
	if flag < 0 {
		return usual
	}
	return uint32(flag)
}

func rate(flag int64, usual uint64) uint64 {
	if flag <= 0 {
		return usual
	}
	return uint64(flag)
}

// resolve returns the addresses of peers, which may be named. Names are looked up; a port that is not named is usual.
func resolve(ctx context.Context, names []string, usual uint16) (all []netaddr.Address, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookUp)
	defer cancel()
	for _, name := range names {
		if a, err := netaddr.Parse(name, usual); err == nil {
			all = append(all, a)
			continue
		}
		host, port := name, usual
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			p, err := netip.ParseAddrPort("127.0.0.1" + name[at:])
			if err != nil || p.Port() == 0 {
				return nil, fmt.Errorf("%q: the port is none", name)
			}
			host, port = name[:at], p.Port()
		}
		ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return nil, fmt.Errorf("the peer %q: %w", name, err)
		}
		for _, ip := range ips {
			all = append(all, netaddr.From(ip.Unmap().AsSlice(), port))
		}
	}
	return all, nil
}
