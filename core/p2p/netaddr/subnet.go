package netaddr

import (
	"strconv"
	"strings"
)

// Subnet is a set of addresses with a common prefix; a single host has all bits. It is comparable with ==.
type Subnet struct {
	Kind Kind
	IP   [16]byte // bits after the prefix are 0
	Bits uint8
}

// HostSubnet returns the subnet of one host.
func HostSubnet(a Address) Subnet {
	return Subnet{Kind: a.Kind, IP: a.IP, Bits: uint8(8 * len(a.Bytes()))}
}

// HostPrefixSubnet returns the subnet of Address.HostPrefix.
func HostPrefixSubnet(a Address) Subnet {
	s := HostSubnet(a.HostPrefix())
	if s.Kind == IPv6 && !a.Loopback() && !a.Local() {
		s.Bits = 64
	}
	return s
}

// NewSubnet returns the subnet of this prefix length that contains an address.
func NewSubnet(a Address, bits uint8) Subnet {
	s := Subnet{Kind: a.Kind, Bits: bits}
	for i := range s.IP {
		s.IP[i] = a.IP[i] & high(min(max(int(bits)-8*i, 0), 8))
	}
	return s
}

// ParseSubnet parses an address, whose port is ignored, or a subnet as a.b.c.d/bits or IPv6/bits, which the reference
// supports for IPv4 only. It returns ErrAddress if s has another form.
// Source: src/rpc/core_rpc_server.cpp, on_set_bans.
func ParseSubnet(s string) (Subnet, error) {
	host, bits, subnet := strings.Cut(s, "/")
	if !subnet {
		a, err := Parse(host, 0)
		return HostSubnet(a), err
	}
	n, err := strconv.ParseUint(bits, 10, 8)
	if err != nil {
		return Subnet{}, ErrAddress
	}
	if ip, good := parse4(host); good && n <= 32 {
		return NewSubnet(FromBytes(ip[:], 0), uint8(n)), nil
	}
	if ip, good := parse6(host); good && n <= 128 {
		if a := FromBytes(ip[:], 0); a.Kind == IPv6 {
			return NewSubnet(a, uint8(n)), nil
		}
	}
	return Subnet{}, ErrAddress
}

// Single reports whether the subnet is a single host.
func (s Subnet) Single() bool {
	return s.Kind == IPv4 && s.Bits == 32 || s.Kind == IPv6 && s.Bits == 128
}

// Host returns the first address of the subnet.
func (s Subnet) Host() Address { return Address{Kind: s.Kind, IP: s.IP} }

// Contains reports whether an address is in the subnet.
func (s Subnet) Contains(a Address) bool {
	return a.Kind == s.Kind && NewSubnet(a, s.Bits) == s
}

// String returns the address of a single host, or the address and the prefix length as address/bits.
func (s Subnet) String() string {
	if s.Single() {
		return s.Host().HostString()
	}
	return s.Host().HostString() + "/" + strconv.Itoa(int(s.Bits))
}

// high returns a byte with its first n bits set.
func high(n int) byte { return ^byte(0xff >> n) }
