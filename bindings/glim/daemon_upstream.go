package main

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"glim/bindings/native"
	"glim/core/consensus"
	"glim/core/gateway"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/upstream"
	"glim/core/xmr"
)

// Upstream configures the network, and the other daemons whose data is served.
type Upstream struct {
	Addresses     []string // in order of preference
	UpstreamLogin digest.Login
	UpstreamProxy string // SOCKS host:port
	UpstreamCache uint64 // MiB of immutable data to cache; 0 for the default
	NoSync        bool   // always use the other daemons
	Gateway       bool   // restricted RPC returns what most of the daemons agree on
	GatewayCache  string // folder of immutable data; empty for memory only

	stagenet, testnet, mainnet bool
}

// upstreamFlags select the network and the other daemons. Source: src/rpc/core_rpc_server.cpp.
var upstreamFlags = []dflag{
	{"mainnet", "", "use daemons of mainnet, the default (glim only)", groupUpstream,
		boolean(func(c *DaemonConfig) *bool { return &c.mainnet })},
	{"stagenet", "", "use daemons of stagenet", groupUpstream,
		boolean(func(c *DaemonConfig) *bool { return &c.stagenet })},
	{"testnet", "", "use daemons of testnet", groupUpstream,
		boolean(func(c *DaemonConfig) *bool { return &c.testnet })},
	{"bootstrap-daemon-address", "HOST:PORT",
		"request data that the local chain lacks from this daemon; comma-separated or repeated", groupUpstream,
		func(c *DaemonConfig, v string) error { c.Addresses = append(c.Addresses, list(v)...); return nil }},
	{"bootstrap-daemon-login", "USER:PASSWORD", "login for these daemons", groupUpstream,
		func(c *DaemonConfig, v string) (err error) { c.UpstreamLogin, err = fullLogin(v); return err }},
	{"bootstrap-daemon-proxy", "HOST:PORT", "connect to these daemons through this SOCKS proxy", groupUpstream,
		text(func(c *DaemonConfig) *string { return &c.UpstreamProxy })},
	{"bootstrap-daemon-cache", "MIB", "size of the cache of immutable data (glim only; default 256)", groupUpstream,
		number(func(c *DaemonConfig) *uint64 { return &c.UpstreamCache }, 20)},
	{"gateway", "",
		"serve restricted RPC (--restricted-rpc, --rpc-restricted-bind-port) as a gateway: compare the answers of " +
			"these daemons and exclude a daemon that the majority contradicts (glim only)",
		groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.Gateway })},
	{"gateway-cache", "DIR", "store compact blocks in this folder (glim only; default: memory)", groupUpstream,
		text(func(c *DaemonConfig) *string { return &c.GatewayCache })},
	{"no-sync", "",
		"use these daemons always, not only while the local chain is behind; do not download blocks from peers",
		groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.NoSync })},
}

const groupUpstream = "Other daemons"

// network returns the network that the flags select.
func (c *DaemonConfig) network() xmr.Network {
	switch {
	case c.regtest:
		return xmr.Regtest
	case c.stagenet:
		return xmr.Stagenet
	case c.testnet:
		return xmr.Testnet
	}
	return xmr.Mainnet
}

// checkNetwork checks the flags about networks and other daemons.
func (c *DaemonConfig) checkNetwork() error {
	given := 0
	for _, is := range []bool{c.mainnet, c.stagenet, c.testnet, c.regtest} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return fmt.Errorf("--mainnet, --stagenet, --testnet and --regtest are mutually exclusive: %w", errUsage)
	case slices.ContainsFunc(c.Addresses, func(a string) bool { return strings.EqualFold(a, "auto") }):
		return fmt.Errorf("--bootstrap-daemon-address: %w", upstream.ErrAuto)
	case !c.regtest && len(c.Addresses) == 0:
		return fmt.Errorf("there is no local chain of %v: name a daemon with --bootstrap-daemon-address HOST:PORT, "+
			"or run a private chain with --regtest: %w", c.Network, errUsage)
	case c.Gateway && len(c.Addresses) == 0:
		return fmt.Errorf("--gateway requires --bootstrap-daemon-address: %w", errUsage)
	case !c.Gateway && c.GatewayCache != "":
		return fmt.Errorf("--gateway-cache requires --gateway: %w", errUsage)
	case !c.regtest && c.FixedDifficulty != 0:
		return fmt.Errorf("--fixed-difficulty requires --regtest")
	case !c.regtest && c.ForkHeight != 0:
		return fmt.Errorf("--fork-height requires --regtest: the hard forks of %v are the network's", c.Network)
	case c.ForkHeight == 0 && c.ForkGrace != consensus.GraceBlocks:
		return fmt.Errorf("--fork-grace requires --fork-height")
	}
	return nil
}

// Limits of one request to another daemon. A response with blocks may have a hundred megabytes.
const (
	upstreamTimeout     = 90 * time.Second
	upstreamMaxAnswer   = 160 << 20
	upstreamConnections = 6
)

// newFront returns the chain of n with the other daemons behind it, which flags name now or clients later.
func newFront(cfg DaemonConfig, n *node.Node, log *slog.Logger, counts *meters) (*upstream.Front, error) {
	f, err := upstream.New(upstream.Config{
		Network: cfg.Network, Local: n, Always: cfg.Network != xmr.Regtest || cfg.NoSync,
		Memory: int(min(cfg.UpstreamCache, math.MaxInt>>20)) << 20, Log: log.With(category, "daemon"),
		Now:     func() uint64 { return uint64(time.Now().Unix()) },
		Connect: func(s upstream.Server) (rpc.Transport, error) { return cfg.connect(s, counts) },
	})
	if err != nil {
		return nil, err
	}
	err = f.Name(upstream.Server{
		Address:  strings.Join(cfg.Addresses, ","),
		Username: cfg.UpstreamLogin.Username,
		Password: cfg.UpstreamLogin.Password(),
		Proxy:    cfg.UpstreamProxy,
	})
	if err != nil {
		return nil, fmt.Errorf("--bootstrap-daemon-address: %w", err)
	}
	return f, nil
}

// connect returns a transport to another daemon. Its requests are counted under its number in the list of addresses.
func (c *DaemonConfig) connect(s upstream.Server, counts *meters) (rpc.Transport, error) {
	name := "other"
	if i := slices.Index(c.Addresses, s.Address); i >= 0 {
		name = strconv.Itoa(i + 1)
	}
	t, err := native.NewTransport(native.TransportOptions{
		Address: s.Address, DefaultPort: c.Network.DaemonPort(), Login: digest.NewLogin(s.Username, s.Password),
		Proxy: s.Proxy, Timeout: upstreamTimeout, MaxAnswer: upstreamMaxAnswer, Connections: upstreamConnections,
	})
	if err != nil {
		return nil, err
	}
	return counts.countDaemon(name, t), nil
}

// newGateway returns a gateway to the daemons named by flags. end closes its cache folder.
func newGateway(cfg DaemonConfig, log *slog.Logger, counts *meters) (g *gateway.Gateway, end func() error, err error) {
	end = func() error { return nil }
	c := gateway.Config{
		Network: cfg.Network.String(), MaxBody: maxBody, Now: func() uint64 { return uint64(time.Now().Unix()) },
		Report: func(upstream, reason string) {
			log.With(category, "daemon").Warn("upstream", "address", upstream, "reason", reason)
		},
	}
	for _, address := range cfg.Addresses {
		server := upstream.Server{
			Address:  address,
			Username: cfg.UpstreamLogin.Username,
			Password: cfg.UpstreamLogin.Password(),
			Proxy:    cfg.UpstreamProxy,
		}
		t, err := cfg.connect(server, counts)
		if err != nil {
			return nil, end, fmt.Errorf("--bootstrap-daemon-address: %w", err)
		}
		c.Upstreams = append(c.Upstreams, gateway.Upstream{Name: address, Transport: t})
	}
	if cfg.GatewayCache != "" {
		diskCache, err := native.OpenFileCache(cfg.GatewayCache)
		if err != nil {
			return nil, end, fmt.Errorf("--gateway-cache: %w", err)
		}
		c.Cache, end = diskCache, diskCache.Close
	}
	return gateway.New(c), end, nil
}
