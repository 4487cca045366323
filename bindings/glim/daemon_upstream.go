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
	"glim/bindings/native/digest"
	"glim/core/gateway"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/upstream"
	"glim/core/xmr"
)

// Upstream says which other daemons are asked, and of what network they are.
type Upstream struct {
	Addresses     []string // in the order they are to be asked
	UpstreamLogin digest.Login
	UpstreamProxy string // SOCKS host:port
	UpstreamCache uint64 // MiB remembered of what they say; 0 for the default
	NoSync        bool   // they are asked whatever the chain here has
	Gateway       bool   // strangers get what most of them say
	GatewayCache  string // folder of what never changes; empty for memory alone

	stagenet, testnet, mainnet bool
}

// upstreamFlags are about networks, and other daemons behind this one. Source: src/rpc/core_rpc_server.cpp.
var upstreamFlags = []dflag{
	{"mainnet", "", "pass on what daemons of the main network say, as without any network's flag (ours)", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.mainnet })},
	{"stagenet", "", "pass on what daemons of the staging network say", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.stagenet })},
	{"testnet", "", "pass on what daemons of the test network say", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.testnet })},
	{"bootstrap-daemon-address", "HOST:PORT", "ask this daemon what the chain here has not; several with commas, or the flag again", groupUpstream, func(c *DaemonConfig, v string) error { c.Addresses = append(c.Addresses, list(v)...); return nil }},
	{"bootstrap-daemon-login", "USER:PASSWORD", "the login they ask for", groupUpstream, func(c *DaemonConfig, v string) (err error) { c.UpstreamLogin, err = fullLogin(v); return err }},
	{"bootstrap-daemon-proxy", "HOST:PORT", "reach them through this SOCKS proxy", groupUpstream, text(func(c *DaemonConfig) *string { return &c.UpstreamProxy })},
	{"bootstrap-daemon-cache", "MIB", "remember as much of what they say and cannot change (256; ours)", groupUpstream, number(func(c *DaemonConfig) *uint64 { return &c.UpstreamCache }, 20)},
	{"gateway", "", "answer strangers (--restricted-rpc, --rpc-restricted-bind-port) as a gateway: these daemons have to agree, and one that most contradict is left out (ours)", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.Gateway })},
	{"gateway-cache", "DIR", "keep compact blocks in this folder (ours; in memory)", groupUpstream, text(func(c *DaemonConfig) *string { return &c.GatewayCache })},
	{"no-sync", "", "ask them always, not only while the chain here is behind; ask peers for no blocks", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.NoSync })},
}

const groupUpstream = "Other daemons"

// network returns the network the flags name.
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

// checkNetwork refuses what cannot be meant together.
func (c *DaemonConfig) checkNetwork() error {
	given := 0
	for _, is := range []bool{c.mainnet, c.stagenet, c.testnet, c.regtest} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return fmt.Errorf("only one of --mainnet, --stagenet, --testnet and --regtest: %w", errUsage)
	case slices.ContainsFunc(c.Addresses, func(a string) bool { return strings.EqualFold(a, "auto") }):
		return fmt.Errorf("--bootstrap-daemon-address: %w", upstream.ErrAuto)
	case !c.regtest && len(c.Addresses) == 0:
		return fmt.Errorf("there is no chain of %v here: name a daemon that has it with --bootstrap-daemon-address HOST:PORT, "+
			"or keep a private chain with --regtest: %w", c.Network, errUsage)
	case c.Gateway && len(c.Addresses) == 0:
		return fmt.Errorf("--gateway: name the daemons with --bootstrap-daemon-address: %w", errUsage)
	case !c.Gateway && c.GatewayCache != "":
		return fmt.Errorf("--gateway-cache is of --gateway: %w", errUsage)
	case !c.regtest && c.FixedDifficulty != 0:
		return fmt.Errorf("--fixed-difficulty is for private chains, with --regtest")
	}
	return nil
}

// Bounds of one question to another daemon: blocks come in answers of a hundred megabytes at most.
const (
	upstreamTimeout     = 90 * time.Second
	upstreamMaxAnswer   = 160 << 20
	upstreamConnections = 6
)

// newFront puts the daemons named by the flags, or later by a client, beside the chain of n.
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
		Address: strings.Join(cfg.Addresses, ","), Username: cfg.UpstreamLogin.Username, Password: cfg.UpstreamLogin.Password(),
		Proxy: cfg.UpstreamProxy,
	})
	if err != nil {
		return nil, fmt.Errorf("--bootstrap-daemon-address: %w", err)
	}
	return f, nil
}

// connect makes the way to another daemon, which is counted under its place among those named.
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
	return counts.way(name, t), nil
}

// newGateway puts a gateway before the daemons named by the flags. end lets go of its folder.
func newGateway(cfg DaemonConfig, log *slog.Logger, counts *meters) (g *gateway.Gateway, end func() error, err error) {
	end = func() error { return nil }
	c := gateway.Config{
		Network: cfg.Network.String(), MaxBody: maxBody, Now: func() uint64 { return uint64(time.Now().Unix()) },
		Report: func(upstream, reason string) {
			log.With(category, "daemon").Warn("upstream", "address", upstream, "reason", reason)
		},
	}
	for _, address := range cfg.Addresses {
		t, err := cfg.connect(upstream.Server{
			Address: address, Username: cfg.UpstreamLogin.Username, Password: cfg.UpstreamLogin.Password(), Proxy: cfg.UpstreamProxy}, counts)
		if err != nil {
			return nil, end, fmt.Errorf("--bootstrap-daemon-address: %w", err)
		}
		c.Upstreams = append(c.Upstreams, gateway.Upstream{Name: address, Transport: t})
	}
	if cfg.GatewayCache != "" {
		shelf, err := native.OpenShelf(cfg.GatewayCache)
		if err != nil {
			return nil, end, fmt.Errorf("--gateway-cache: %w", err)
		}
		c.Cache, end = shelf, shelf.Close
	}
	return gateway.New(c), end, nil
}
