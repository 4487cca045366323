package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	disk "glim/bindings/native/files"
	sockets "glim/bindings/native/p2p"
	"glim/core/node"
	"glim/core/p2p"
	"glim/core/p2p/netaddr"
	"glim/core/peering"
	"glim/core/xmr"
)

const (
	// peersFile keeps peers and bans, beside the chain.
	peersFile = "glim-peers.bin"
	// maxPeersFile is more than a machine ever saves, in bytes.
	maxPeersFile = 16 << 20
	// maxBanList bounds a list of whom to keep away, in bytes.
	maxBanList = 64 << 20
	// lookUp is how long finding a peer's address by its name may take.
	lookUp = 30 * time.Second
	// forEver is how long a ban of a list holds.
	forEver = 100 * 365 * 24 * time.Hour
)

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

// join makes the node part of its network, when flags ask for peers. end takes leave.
func (c *DaemonConfig) join(ctx context.Context, n *node.Node, log *slog.Logger, say io.Writer) (end func() error, err error) {
	p, end := &c.Peers, func() error { return nil }
	if !p.on() {
		return end, nil
	}
	proxy, err := p.proxy()
	if err != nil {
		return end, err
	}
	banned, err := readBanList(p.BanList)
	if err != nil {
		return end, fmt.Errorf("--ban-list: %w", err)
	}
	settings := p2p.Config{
		Network: c.Network, Chain: p2p.Of(n.Chain()), Random: rand.Reader, Out: p.Out, In: p.In, PerHost: p.PerHost,
		AllowLocal: p.AllowLocal, NoSync: c.NoSync, PadTransactions: p.Pad, BlocksAtOnce: p.BlockSync, QueueBytes: p.MaxDownload,
	}
	if !p.Hide {
		settings.Port = p.BindPort
		if p.External != 0 {
			settings.Port = p.External
		}
	}
	if p.Public {
		settings.RPCPort = c.RestrictedPort
		if settings.RPCPort == 0 {
			settings.RPCPort = c.Serving.BindPort
		}
	}
	for _, l := range []struct {
		names []string
		to    *[]netaddr.Address
	}{{p.Exclusive, &settings.Exclusive}, {p.Priority, &settings.Priority}, {p.Known, &settings.Peers}, {p.Seeds, &settings.Seeds}} {
		if *l.to, err = resolve(ctx, l.names, uint16(c.Network.DaemonPort()-1)); err != nil {
			return end, err
		}
	}
	with := sockets.Config{Proxy: proxy, IPv6: p.UseIPv6, Log: log}
	dir, err := c.folder()
	if err != nil {
		return end, err
	}
	if dir != "" {
		path := filepath.Join(dir, peersFile)
		if settings.State, err = readPeers(path); err != nil {
			return end, err
		}
		with.Save = func(state []byte) error { return disk.Replace(path, state) }
	}
	if with.Machine, err = p2p.New(settings); err != nil {
		return end, err
	}
	for _, who := range banned {
		with.Machine.SetBan(time.Now(), who, forEver)
	}
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
	n.Join(peering.NewNetwork(network), limits)
	return network.Close, nil
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

// readPeers reads what was saved of peers, nothing when there is none.
func readPeers(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxPeersFile))
}

// readBanList reads addresses and IPv4 subnets, one a line; # begins a comment. Source: src/p2p/net_node.inl, handle_command_line.
func readBanList(path string) (all []netaddr.Subnet, err error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBanList+1))
	if err != nil || len(b) > maxBanList {
		return nil, errors.Join(err, errors.New("it cannot be read, or is too long"))
	}
	return parseBanList(b)
}

func parseBanList(b []byte) (all []netaddr.Subnet, err error) {
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		who, err := netaddr.ParseSubnet(text)
		if err != nil {
			return nil, fmt.Errorf("line %d is no address and no IPv4 subnet", n)
		}
		all = append(all, who)
	}
	return all, lines.Err()
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
