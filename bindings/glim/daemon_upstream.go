package main

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	"glim/bindings/native"
	"glim/bindings/native/digest"
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

	stagenet, testnet, mainnet bool
}

// upstreamFlags are about networks, and other daemons behind this one. Source: src/rpc/core_rpc_server.cpp.
var upstreamFlags = []dflag{
	{"mainnet", "", "pass on what daemons of the main network say, as without any network's flag (ours)", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.mainnet })},
	{"stagenet", "", "pass on what daemons of the staging network say", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.stagenet })},
	{"testnet", "", "pass on what daemons of the test network say", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.testnet })},
	{"bootstrap-daemon-address", "HOST:PORT", "ask this daemon what the chain here has not; several with commas, or the flag again", groupUpstream, func(c *DaemonConfig, v string) error { c.Addresses = append(c.Addresses, list(v)...); return nil }},
	{"bootstrap-daemon-login", "USER:PASSWORD", "the login they ask for", groupUpstream, func(c *DaemonConfig, v string) (err error) { c.UpstreamLogin, err = parseLogin(v); return err }},
	{"bootstrap-daemon-proxy", "HOST:PORT", "reach them through this SOCKS proxy", groupUpstream, text(func(c *DaemonConfig) *string { return &c.UpstreamProxy })},
	{"bootstrap-daemon-cache", "MIB", "remember as much of what they say and cannot change (256; ours)", groupUpstream, number(func(c *DaemonConfig) *uint64 { return &c.UpstreamCache }, 20)},
	{"no-sync", "", "ask them always, not only while the chain here is behind", groupUpstream, boolean(func(c *DaemonConfig) *bool { return &c.NoSync })},
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
func newFront(cfg DaemonConfig, n *node.Node, log *slog.Logger) (*upstream.Front, error) {
	f := upstream.New(upstream.Config{
		Network: cfg.Network, Local: n, Always: cfg.Network != xmr.Regtest || cfg.NoSync,
		Memory: int(min(cfg.UpstreamCache, math.MaxInt>>20)) << 20, Log: log,
		Now: func() uint64 { return uint64(time.Now().Unix()) },
		Connect: func(s upstream.Server) (rpc.Transport, error) {
			return native.NewTransport(native.TransportOptions{
				Address: s.Address, DefaultPort: cfg.Network.DaemonPort(), Login: digest.NewLogin(s.Username, s.Password),
				Proxy: s.Proxy, Timeout: upstreamTimeout, MaxAnswer: upstreamMaxAnswer, Connections: upstreamConnections,
			})
		},
	})
	err := f.Name(upstream.Server{
		Address: strings.Join(cfg.Addresses, ","), Username: cfg.UpstreamLogin.Username, Password: cfg.UpstreamLogin.Password(),
		Proxy: cfg.UpstreamProxy,
	})
	if err != nil {
		return nil, fmt.Errorf("--bootstrap-daemon-address: %w", err)
	}
	return f, nil
}
