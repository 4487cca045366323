package main

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

const groupPeers = "Peers"

// Peers configures peer-to-peer networking.
type Peers struct {
	Offline     bool
	BindIP      string
	BindIPv6    string
	BindPort    uint16
	BindPort6   uint16
	UseIPv6     bool
	IgnoreIPv4  bool
	External    uint16 // the port announced to peers; 0 for BindPort
	Hide        bool
	Public      bool // announce the restricted RPC port to peers
	AllowLocal  bool
	Pad         bool
	Exclusive   []string
	Priority    []string
	Known       []string
	Seeds       []string
	Out, In     int // −1 for the default
	PerIP       int
	Up, Down    int64 // kB a second; −1 for the default
	Proxy       string
	BanList     string        // file
	BlockSync   int           // blocks requested at a time; 0 for the default
	MaxDownload int           // bytes of downloaded blocks not yet verified; 0 for the default
	BatchMB     int           // expected size of the blocks requested at a time, in MB; 0 for the default
	Ahead       time.Duration // time to verify the downloaded blocks; 0 for no limit

	wanted bool // a flag enables peers
	limit  int64
}

func defaultPeers(port int) Peers {
	return Peers{
		BindIP: "0.0.0.0", BindIPv6: "::", BindPort: uint16(port), BindPort6: uint16(port),
		Out: -1, In: -1, PerIP: 1, Up: -1, Down: -1, limit: -1,
	}
}

// The default and the maximum of --batch-max-weight, in MB. Source: src/cryptonote_config.h after release 0.18.5.1,
// BATCH_MAX_WEIGHT, BATCH_MAX_ALLOWED_WEIGHT.
const (
	defaultBatchMB = 10
	maxBatchMB     = 50
)

// batchBytes returns the expected size of the blocks to request at a time. It is 0, which is no limit, if the number of
// blocks is given.
func (p *Peers) batchBytes() int {
	switch {
	case p.BlockSync > 0:
		return 0
	case p.BatchMB == 0:
		return defaultBatchMB * 1_000_000
	}
	return min(p.BatchMB, maxBatchMB) * 1_000_000
}

// setAhead reads minutes. 0 is the minimum, and not the absence of a limit.
func setAhead(c *DaemonConfig, v string) error {
	var minutes uint64
	if err := number(func(*DaemonConfig) *uint64 { return &minutes }, 16)(c, v); err != nil {
		return err
	}
	c.Peers.Ahead = max(time.Duration(minutes)*time.Minute, 1)
	return nil
}

// enablesPeers makes a flag enable peers.
func enablesPeers(apply func(*DaemonConfig, string) error) func(*DaemonConfig, string) error {
	return func(c *DaemonConfig, v string) error {
		c.Peers.wanted = true
		return apply(c, v)
	}
}

// appendPeers appends a flag's value, a comma-separated list, to the list that p returns.
func appendPeers(p func(*Peers) *[]string) func(*DaemonConfig, string) error {
	return enablesPeers(func(c *DaemonConfig, v string) error {
		to := p(&c.Peers)
		*to = append(*to, list(v)...)
		return nil
	})
}

// orDefault stores a flag's value, a number or −1 for the default, where p points.
func orDefault[N int | int64](p func(*Peers) *N) func(*DaemonConfig, string) error {
	return func(c *DaemonConfig, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < -1 || n > math.MaxInt32 {
			return fmt.Errorf("%q is not -1 or a number below 2^31", v)
		}
		*p(&c.Peers) = N(n)
		return nil
	}
}

// peerFlags configure peer-to-peer networking. Source: src/p2p/net_node.cpp, src/cryptonote_core/cryptonote_core.cpp.
var peerFlags = []dflag{
	{"offline", "",
		"do not connect to peers (also the default unless a flag names a peer or a --p2p-bind-… flag is given)",
		groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.Offline })},
	{"add-exclusive-node", "ADDRESS", "connect only to the peers given with this flag; comma-separated or repeated",
		groupPeers, appendPeers(func(p *Peers) *[]string { return &p.Exclusive })},
	{"add-priority-node", "ADDRESS", "connect to this peer first and keep the connection", groupPeers,
		appendPeers(func(p *Peers) *[]string { return &p.Priority })},
	{"add-peer", "ADDRESS", "add a peer to the list of known peers", groupPeers,
		appendPeers(func(p *Peers) *[]string { return &p.Known })},
	{"seed-node", "ADDRESS", "request peers from this node while few are known", groupPeers,
		appendPeers(func(p *Peers) *[]string { return &p.Seeds })},
	{"p2p-bind-port", "PORT", "listen for peers on PORT (default 18080)", groupPeers,
		enablesPeers(number(func(c *DaemonConfig) *uint16 { return &c.Peers.BindPort }, 16))},
	{"p2p-bind-ip", "IP", "listen for peers on this IPv4 address (default 0.0.0.0)", groupPeers,
		enablesPeers(text(func(c *DaemonConfig) *string { return &c.Peers.BindIP }))},
	{"p2p-use-ipv6", "", "enable IPv6 for peers", groupPeers,
		boolean(func(c *DaemonConfig) *bool { return &c.Peers.UseIPv6 })},
	{"p2p-bind-ipv6-address", "IP", "listen for peers on this IPv6 address (default ::)", groupPeers,
		enablesPeers(text(func(c *DaemonConfig) *string { return &c.Peers.BindIPv6 }))},
	{"p2p-bind-port-ipv6", "PORT", "listen for peers on this IPv6 port (default 18080)", groupPeers,
		enablesPeers(number(func(c *DaemonConfig) *uint16 { return &c.Peers.BindPort6 }, 16))},
	{"p2p-ignore-ipv4", "", "continue if listening on IPv4 fails", groupPeers,
		boolean(func(c *DaemonConfig) *bool { return &c.Peers.IgnoreIPv4 })},
	{"p2p-external-port", "PORT",
		"announce this port to peers, for use with port forwarding (default: --p2p-bind-port)",
		groupPeers, number(func(c *DaemonConfig) *uint16 { return &c.Peers.External }, 16)},
	{"hide-my-port", "", "do not announce a port to peers", groupPeers,
		boolean(func(c *DaemonConfig) *bool { return &c.Peers.Hide })},
	{"public-node", "", "announce the restricted RPC port to peers", groupPeers,
		boolean(func(c *DaemonConfig) *bool { return &c.Peers.Public })},
	{"allow-local-ip", "", "accept peers with private network addresses from peer lists", groupPeers,
		boolean(func(c *DaemonConfig) *bool { return &c.Peers.AllowLocal })},
	{"out-peers", "N", "maximum number of outgoing connections (default -1: 12)", groupPeers,
		orDefault(func(p *Peers) *int { return &p.Out })},
	{"in-peers", "N", "maximum number of incoming connections (default -1: unlimited)", groupPeers,
		orDefault(func(p *Peers) *int { return &p.In })},
	{"max-connections-per-ip", "N",
		"maximum number of incoming connections from one IP address (default 1)", groupPeers,
		number(func(c *DaemonConfig) *int { return &c.Peers.PerIP }, 16)},
	{"limit-rate", "KBS", "limit both sending and receiving, in kB/s", groupPeers,
		orDefault(func(p *Peers) *int64 { return &p.limit })},
	{"limit-rate-up", "KBS", "limit sending, in kB/s (default 8192)", groupPeers,
		orDefault(func(p *Peers) *int64 { return &p.Up })},
	{"limit-rate-down", "KBS", "limit receiving, in kB/s (default 32768)", groupPeers,
		orDefault(func(p *Peers) *int64 { return &p.Down })},
	{"proxy", "[USER:PASSWORD@]HOST:PORT", "connect to peers only through this SOCKS 5 proxy; disables name lookups",
		groupPeers, text(func(c *DaemonConfig) *string { return &c.Peers.Proxy })},
	{"ban-list", "FILE", "ban the addresses and subnets in FILE, one a line", groupPeers,
		text(func(c *DaemonConfig) *string { return &c.Peers.BanList })},
	{"block-sync-size", "N", "number of blocks to request at a time (default 20)", groupPeers,
		number(func(c *DaemonConfig) *int { return &c.Peers.BlockSync }, 16)},
	{"block-download-max-size", "BYTES", "maximum size of downloaded blocks awaiting verification (default 104857600)",
		groupPeers, number(func(c *DaemonConfig) *int { return &c.Peers.MaxDownload }, 31)},
	{"batch-max-weight", "MB",
		"maximum expected size of the blocks requested at a time, without --block-sync-size (default 10, at most 50)",
		groupPeers, number(func(c *DaemonConfig) *int { return &c.Peers.BatchMB }, 16)},
	{"span-limit", "MINUTES", "download no more blocks than are verified in this time (default: no such limit)",
		groupPeers, setAhead},
	{"pad-transactions", "", "pad transaction messages, so that their lengths reveal less", groupPeers,
		boolean(func(c *DaemonConfig) *bool { return &c.Peers.Pad })},

	implied("no-igd", "", "UPnP port mapping is not supported"),
	ineffective("igd", "MODE", "UPnP port mapping is not supported; later releases of monerod have removed it"),
	implied("proxy-allow-dns-leaks", "", "with a proxy, no names are looked up"),
	implied("fluffy-blocks", "", "blocks are always announced as fluffy blocks"),
	ineffective("no-fluffy-blocks", "",
		"blocks are always announced as fluffy blocks; later releases of monerod have removed the flag"),
	implied("sync-pruned-blocks", "", "blocks are always downloaded and verified in full"),
	ineffective("tos-flag", "N", "the system's default is used"),
	ineffective("enable-dns-blocklist", "", "DNS is not used; --ban-list reads such a list from a file"),
	ineffective("tx-proxy", "PROXY",
		"anonymity networks are not supported, and transactions go to all peers; use --proxy"),
	ineffective("anonymous-inbound", "ADDRESS", "anonymity networks are not supported, and no such address is served"),
}
