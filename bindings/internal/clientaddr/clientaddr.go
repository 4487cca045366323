// Package clientaddr identifies clients by address: limits and fair sharing count clients, not addresses.
package clientaddr

import (
	"net"
	"net/netip"
)

// LimitKey returns the address under which limits count a client: its IPv4 address, or the first address of its IPv6
// /64, which is the smallest network that a provider assigns. All loopback addresses, IPv4 and IPv6, share one key. It
// returns the zero Addr if a is not an IP address, such as that of a Unix socket.
func LimitKey(a net.Addr) netip.Addr {
	ip := IP(a)
	switch {
	case ip.IsLoopback():
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	case ip.Is6() && !ip.IsLinkLocalUnicast():
		if p, err := ip.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return ip
}

// IP returns the IP address of a, with an IPv4-mapped IPv6 address as IPv4, or the zero Addr if a has none.
func IP(a net.Addr) netip.Addr {
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().WithZone("").Unmap()
}
