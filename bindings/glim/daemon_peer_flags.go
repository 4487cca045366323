package main

import (
	"fmt"
	"math"
	"strconv"
)

const groupPeers = "Peers"

// Peers says how the daemon deals with a network of peers, as flags have it.
type Peers struct {
	Offline     bool
	BindIP      string
	BindIPv6    string
	BindPort    uint16
	BindPort6   uint16
	UseIPv6     bool
	IgnoreIPv4  bool
	External    uint16 // the port peers reach; 0 for BindPort
	Hide        bool
	Public      bool // peers are told of the port for strangers
	AllowLocal  bool
	Pad         bool
	Exclusive   []string
	Priority    []string
	Known       []string
	Seeds       []string
	Out, In     int // −1 for the default
	PerHost     int
	Up, Down    int64 // kB a second; −1 for the default
	Proxy       string
	BanList     string // file
	BlockSync   int    // blocks asked for at once; 0 for the default
	MaxDownload int    // bytes of blocks that wait; 0 for the default

	wanted bool // a flag asks for peers
	limit  int64
}

func defaultPeers(port int) Peers {
	return Peers{BindIP: "0.0.0.0", BindIPv6: "::", BindPort: uint16(port), BindPort6: uint16(port), Out: -1, In: -1, PerHost: 1,
		Up: -1, Down: -1, limit: -1}
}

// wants makes a flag one that asks for peers.
func wants(apply func(*DaemonConfig, string) error) func(*DaemonConfig, string) error {
	return func(c *DaemonConfig, v string) error {
		c.Peers.wanted = true
		return apply(c, v)
	}
}

// add appends a flag's value, which may be several with commas, where p points.
func add(p func(*Peers) *[]string) func(*DaemonConfig, string) error {
	return wants(func(c *DaemonConfig, v string) error {
		to := p(&c.Peers)
		*to = append(*to, list(v)...)
		return nil
	})
}

// orDefault writes a flag's value, 0 or more, or −1 for the default, where p points.
func orDefault[N int | int64](p func(*Peers) *N) func(*DaemonConfig, string) error {
	return func(c *DaemonConfig, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < -1 || n > math.MaxInt32 {
			return fmt.Errorf("%q is neither -1 nor a number below 2^31", v)
		}
		*p(&c.Peers) = N(n)
		return nil
	}
}

// peerFlags are about other daemons of the network. Source: src/p2p/net_node.cpp, src/cryptonote_core/cryptonote_core.cpp.
var peerFlags = []dflag{
	{"offline", "", "have no peers, whatever else is said; without a flag that names a peer or --p2p-bind-… there are none either", groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.Offline })},
	{"add-exclusive-node", "ADDRESS", "have this peer, and those named so, and call no other; several with commas, or the flag again", groupPeers, add(func(p *Peers) *[]string { return &p.Exclusive })},
	{"add-priority-node", "ADDRESS", "call this peer before others, and keep to it", groupPeers, add(func(p *Peers) *[]string { return &p.Priority })},
	{"add-peer", "ADDRESS", "know this peer", groupPeers, add(func(p *Peers) *[]string { return &p.Known })},
	{"seed-node", "ADDRESS", "ask this peer for others while few are known", groupPeers, add(func(p *Peers) *[]string { return &p.Seeds })},
	{"p2p-bind-port", "PORT", "let peers in on PORT (18080)", groupPeers, wants(number(func(c *DaemonConfig) *uint16 { return &c.Peers.BindPort }, 16))},
	{"p2p-bind-ip", "IP", "on this IP (0.0.0.0)", groupPeers, wants(text(func(c *DaemonConfig) *string { return &c.Peers.BindIP }))},
	{"p2p-use-ipv6", "", "have peers with IPv6 addresses, too", groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.UseIPv6 })},
	{"p2p-bind-ipv6-address", "IP", "let them in on this IP (::)", groupPeers, wants(text(func(c *DaemonConfig) *string { return &c.Peers.BindIPv6 }))},
	{"p2p-bind-port-ipv6", "PORT", "and this port (18080)", groupPeers, wants(number(func(c *DaemonConfig) *uint16 { return &c.Peers.BindPort6 }, 16))},
	{"p2p-ignore-ipv4", "", "go on when IPv4 cannot be listened on", groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.IgnoreIPv4 })},
	{"p2p-external-port", "PORT", "tell peers this port, where a router passes it on (that of --p2p-bind-port)", groupPeers, number(func(c *DaemonConfig) *uint16 { return &c.Peers.External }, 16)},
	{"hide-my-port", "", "tell peers no port", groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.Hide })},
	{"public-node", "", "tell peers the port for strangers", groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.Public })},
	{"allow-local-ip", "", "take peers with addresses of private networks from others, too", groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.AllowLocal })},
	{"out-peers", "N", "call N peers at most (-1: 12)", groupPeers, orDefault(func(p *Peers) *int { return &p.Out })},
	{"in-peers", "N", "let N peers in at most (-1: any number)", groupPeers, orDefault(func(p *Peers) *int { return &p.In })},
	{"max-connections-per-ip", "N", "of them, from one address (1)", groupPeers, number(func(c *DaemonConfig) *int { return &c.Peers.PerHost }, 16)},
	{"limit-rate", "KBS", "send and receive so many kB a second at most", groupPeers, orDefault(func(p *Peers) *int64 { return &p.limit })},
	{"limit-rate-up", "KBS", "send (2048)", groupPeers, orDefault(func(p *Peers) *int64 { return &p.Up })},
	{"limit-rate-down", "KBS", "receive (8192)", groupPeers, orDefault(func(p *Peers) *int64 { return &p.Down })},
	{"proxy", "[USER:PASSWORD@]HOST:PORT", "reach peers through this SOCKS 5 proxy and no other way; no name is looked up then", groupPeers, text(func(c *DaemonConfig) *string { return &c.Peers.Proxy })},
	{"ban-list", "FILE", "keep away from the addresses and subnets in FILE, one a line", groupPeers, text(func(c *DaemonConfig) *string { return &c.Peers.BanList })},
	{"block-sync-size", "N", "ask for N blocks at once (20)", groupPeers, number(func(c *DaemonConfig) *int { return &c.Peers.BlockSync }, 16)},
	{"block-download-max-size", "BYTES", "hold so much of what waits to be judged (104857600)", groupPeers, number(func(c *DaemonConfig) *int { return &c.Peers.MaxDownload }, 31)},
	{"pad-transactions", "", "make what tells of transactions alike in length", groupPeers, boolean(func(c *DaemonConfig) *bool { return &c.Peers.Pad })},

	pointless("no-igd", "", "no port is mapped"),
	idle("igd", "MODE", "no port is mapped; later releases of monerod map none either"),
	pointless("proxy-allow-dns-leaks", "", "with a proxy no name is looked up"),
	pointless("fluffy-blocks", "", "they always are"),
	refused[DaemonConfig]("no-fluffy-blocks", "", "blocks are told as fluffy blocks; later releases of monerod know no others"),
	pointless("sync-pruned-blocks", "", "blocks are judged whole, and asked for whole"),
	idle("tos-flag", "N", "the system's choice holds"),
	idle("enable-dns-blocklist", "", "DNS is not asked for whom to keep away; --ban-list takes such a list as a file"),
	refused[DaemonConfig]("tx-proxy", "PROXY", "there are no peers in anonymity networks; --proxy leads to all peers"),
	refused[DaemonConfig]("anonymous-inbound", "ADDRESS", "there are no peers in anonymity networks"),
}
