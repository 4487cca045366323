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

// HolderOnly returns the subnet of whoever holds an address: see Address.Holder.
func HolderOnly(a Address) Subnet {
	s := HostOnly(a.Holder())
	if s.Kind == IPv6 && !a.Loopback() && !a.Local() {
		s.Bits = 64
	}
	return s
}

// Of returns the subnet of so many bits that an address is in.
func Of(a Address, bits uint8) Subnet {
	s := Subnet{Kind: a.Kind, Bits: bits}
	for i := range s.IP {
		s.IP[i] = a.IP[i] & high(min(max(int(bits)-8*i, 0), 8))
	}
	return s
}

// ParseSubnet reads what operations of the daemon ban: an address, whose port does not matter, or a subnet, as a.b.c.d/bits or
// IPv6/bits, which the reference has of IPv4 only.
// Error: ErrAddress. Source: src/rpc/core_rpc_server.cpp, on_set_bans.
func ParseSubnet(s string) (Subnet, error) {
	host, bits, subnet := strings.Cut(s, "/")
	if !subnet {
		a, err := Parse(host, 0)
		return HostOnly(a), err
	}
	n, err := strconv.ParseUint(bits, 10, 8)
	if err != nil {
		return Subnet{}, ErrAddress
	}
	if ip, good := parse4(host); good && n <= 32 {
		return Of(From(ip[:], 0), uint8(n)), nil
	}
	if ip, good := parse6(host); good && n <= 128 {
		if a := From(ip[:], 0); a.Kind == IPv6 {
			return Of(a, uint8(n)), nil
		}
	}
	return Subnet{}, ErrAddress
}

// Single reports whether the subnet is one host.
func (s Subnet) Single() bool {
	return s.Kind == IPv4 && s.Bits == 32 || s.Kind == IPv6 && s.Bits == 128
}

// Host returns the address the subnet begins with.
func (s Subnet) Host() Address { return Address{Kind: s.Kind, IP: s.IP} }

// Contains reports whether an address is in the subnet.
func (s Subnet) Contains(a Address) bool {
	return a.Kind == s.Kind && Of(a, s.Bits) == s
}

// String returns the host's address, or a.b.c.d/bits, or IPv6/bits.
func (s Subnet) String() string {
	if s.Single() {
		return s.Host().HostString()
	}
	return s.Host().HostString() + "/" + strconv.Itoa(int(s.Bits))
}

// high returns a byte whose first n bits are set.
func high(n int) byte { return ^byte(0xff >> n) }
