package netaddr

import (
	"strconv"
	"strings"
)

// Subnet is all addresses that share their first bits; a host is a subnet of all its bits. Comparable with ==.
type Subnet struct {
	Kind Kind
	IP   [16]byte // the bits that do not count are 0
	Bits uint8
}

// HostOnly returns the subnet of one host.
func HostOnly(a Address) Subnet {
	return Subnet{Kind: a.Kind, IP: a.IP, Bits: uint8(8 * len(a.Bytes()))}
}

// ParseSubnet reads what operations of the daemon ban: an address, whose port does not matter, or an IPv4 subnet a.b.c.d/bits.
// Error: ErrAddress. Source: src/rpc/core_rpc_server.cpp, on_set_bans.
func ParseSubnet(s string) (Subnet, error) {
	host, bits, subnet := strings.Cut(s, "/")
	if !subnet {
		a, err := Parse(host, 0)
		return HostOnly(a), err
	}
	ip, good := parse4(host)
	n, err := strconv.ParseUint(bits, 10, 8)
	if !good || err != nil || n > 32 {
		return Subnet{}, ErrAddress
	}
	sub := Subnet{Kind: IPv4, Bits: uint8(n)}
	for i := range ip {
		keep := min(max(int(n)-8*i, 0), 8)
		sub.IP[i] = ip[i] & high(keep)
	}
	return sub, nil
}

// Single reports whether the subnet is one host.
func (s Subnet) Single() bool {
	return s.Kind == IPv4 && s.Bits == 32 || s.Kind == IPv6 && s.Bits == 128
}

// Host returns the address the subnet begins with.
func (s Subnet) Host() Address { return Address{Kind: s.Kind, IP: s.IP} }

// Contains reports whether an address is in the subnet.
func (s Subnet) Contains(a Address) bool {
	if a.Kind != s.Kind {
		return false
	}
	for i := range a.IP {
		keep := min(max(int(s.Bits)-8*i, 0), 8)
		if a.IP[i]&high(keep) != s.IP[i] {
			return false
		}
	}
	return true
}

// String returns the host's address, or a.b.c.d/bits.
func (s Subnet) String() string {
	if s.Single() {
		return s.Host().HostString()
	}
	return s.Host().HostString() + "/" + strconv.Itoa(int(s.Bits))
}

// high returns a byte whose first n bits are set.
func high(n int) byte { return ^byte(0xff >> n) }
