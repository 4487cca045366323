// Package holder tells whose connection one is, as far as its address does: limits and fairness count holders, not addresses.
package holder

import (
	"net"
	"net/netip"
)

// Of returns the first address of what one client has for certain no more than one of: the address itself, of IPv6 the network of 2^64 addresses that
// everybody is given, and of the machine itself all its addresses, in IPv4 and IPv6. Of what has no IP address, such as a socket of Unix, it is the zero Addr.
func Of(a net.Addr) netip.Addr {
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

// IP returns the IP address of a, invalid for what has none. IPv4 in IPv6 is IPv4.
func IP(a net.Addr) netip.Addr {
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().WithZone("").Unmap()
}
