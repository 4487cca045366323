// Package netaddr represents addresses of peers without package net, so that the protocol code needs no sockets.
package netaddr

import (
	"errors"
	"strconv"
	"strings"
)

// Kind is the type of an address, with the numbers of the protocol and of get_connections.
// Source: contrib/epee/include/net/enums.h, address_type.
type Kind uint8

// Supported types.
const (
	IPv4 Kind = 1
	IPv6 Kind = 2
)

// ErrAddress reports text that is not an IP address.
var ErrAddress = errors.New("netaddr: not an IP address with or without a port")

// Address is an IP address with a port, comparable with ==. The zero value is invalid.
type Address struct {
	Kind Kind
	IP   [16]byte // IPv4 uses the first four bytes
	Port uint16
}

// FromBytes returns the address of 4 or 16 bytes. An IPv4-mapped IPv6 address (::ffff:a.b.c.d) becomes IPv4. It returns
// the zero value for any other number of bytes.
func FromBytes(ip []byte, port uint16) Address {
	a := Address{Port: port}
	switch len(ip) {
	case 4:
		a.Kind = IPv4
	case 16:
		a.Kind = IPv6
		if [12]byte(ip[:12]) == [12]byte{10: 0xff, 11: 0xff} {
			a.Kind, ip = IPv4, ip[12:]
		}
	default:
		return Address{}
	}
	copy(a.IP[:], ip)
	return a
}

// Valid reports whether a is a valid address.
func (a Address) Valid() bool { return a.Kind == IPv4 || a.Kind == IPv6 }

// Bytes returns the 4 or 16 bytes of the IP address.
func (a Address) Bytes() []byte {
	if a.Kind == IPv4 {
		return a.IP[:4]
	}
	return a.IP[:]
}

// WithPort returns the address with another port.
func (a Address) WithPort(port uint16) Address {
	a.Port = port
	return a
}

// Host returns the address without its port.
func (a Address) Host() Address { return a.WithPort(0) }

// HostPrefix returns the host of an IPv4 address, or the /64 prefix of an IPv6 address, which is the smallest network
// that a provider assigns. Source: contrib/epee/src/net_utils_base.cpp, should_group_ipv6_by_prefix.
func (a Address) HostPrefix() Address {
	if a = a.Host(); a.Kind == IPv6 && !a.Loopback() && !a.Local() {
		clear(a.IP[8:])
	}
	return a
}

// Reserved reports whether the address cannot belong to a host: unspecified, multicast or reserved for future use.
// Source: RFC 6890, section 2.2.
func (a Address) Reserved() bool {
	if a.Kind == IPv4 {
		return a.IP[0] == 0 || a.IP[0] >= 224
	}
	return a.IP == [16]byte{} || a.IP[0] == 0xff
}

// Number returns an IPv4 address as RPC operations encode it, with the first byte lowest; 0 for IPv6.
func (a Address) Number() uint32 {
	if a.Kind != IPv4 {
		return 0
	}
	return uint32(a.IP[0]) | uint32(a.IP[1])<<8 | uint32(a.IP[2])<<16 | uint32(a.IP[3])<<24
}

// FromNumber is the inverse of Address.Number.
func FromNumber(n uint32, port uint16) Address {
	return FromBytes([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}, port)
}

// Loopback reports whether the address is a loopback address.
func (a Address) Loopback() bool {
	return a.Kind == IPv4 && a.IP[0] == 127 || a.Kind == IPv6 && a.IP == [16]byte{15: 1}
}

// Local reports whether the address is in a private network. Source: contrib/epee/include/net/local_ip.h, is_ip_local.
func (a Address) Local() bool {
	if a.Kind == IPv6 {
		return a.IP[0]&0xfe == 0xfc || a.IP[0] == 0xfe && a.IP[1]&0xc0 == 0x80
	}
	return a.IP[0] == 10 || a.IP[0] == 192 && a.IP[1] == 168 || a.IP[0] == 172 && a.IP[1]&0xf0 == 16 ||
		a.IP[0] == 169 && a.IP[1] == 254 || a.IP[0] == 100 && a.IP[1]&0xc0 == 64
}

// NetGroup returns the first 24 bits of an IPv4 address or the first 32 of an IPv6 address, which are likely to belong
// to one owner.
// Source: src/p2p/net_node.inl, make_new_connection_from_peerlist.
func (a Address) NetGroup() (n [5]byte) {
	n[0] = byte(a.Kind)
	copy(n[1:], a.IP[:3])
	if a.Kind == IPv6 {
		copy(n[1:], a.IP[:4])
	}
	return n
}

// HostString returns the address without the port as text.
func (a Address) HostString() string {
	switch a.Kind {
	case IPv4:
		b := make([]byte, 0, 15)
		for i, x := range a.IP[:4] {
			if i > 0 {
				b = append(b, '.')
			}
			b = strconv.AppendUint(b, uint64(x), 10)
		}
		return string(b)
	case IPv6:
		return a.text6()
	}
	return "<none>"
}

// String returns the address as text, a.b.c.d:port or [IPv6]:port, as the reference writes them.
func (a Address) String() string {
	port := strconv.Itoa(int(a.Port))
	if a.Kind == IPv6 {
		return "[" + a.text6() + "]:" + port
	}
	return a.HostString() + ":" + port
}

func (a Address) group(i int) uint64 { return uint64(a.IP[2*i])<<8 | uint64(a.IP[2*i+1]) }

// text6 writes an IPv6 address in the form of RFC 5952.
func (a Address) text6() string {
	from, to := -1, -1 // the longest run of zero groups, at least two
	for i := 0; i < 8; i++ {
		end := i
		for end < 8 && a.group(end) == 0 {
			end++
		}
		if end-i >= 2 && end-i > to-from {
			from, to = i, end
		}
		i = max(i, end-1)
	}
	var b []byte
	for i := 0; i < 8; i++ {
		if i == from {
			b = append(b, "::"...)
			i = to - 1
			continue
		}
		if i > 0 && i != to {
			b = append(b, ':')
		}
		b = strconv.AppendUint(b, a.group(i), 16)
	}
	return string(b)
}

// Parse parses a.b.c.d, a.b.c.d:port, [IPv6]:port, [IPv6] or IPv6. defaultPort is used without a port. It returns
// ErrAddress if s has another form.
func Parse(s string, defaultPort uint16) (Address, error) {
	host, port := s, ""
	if rest, bracket := strings.CutPrefix(s, "["); bracket {
		var closed bool
		host, port, closed = strings.Cut(rest, "]")
		if !closed || port != "" && port[0] != ':' || !strings.Contains(host, ":") {
			return Address{}, ErrAddress
		}
		if port == ":" {
			return Address{}, ErrAddress
		}
		port = strings.TrimPrefix(port, ":")
	} else if strings.Count(s, ":") == 1 {
		host, port, _ = strings.Cut(s, ":")
		if port == "" {
			return Address{}, ErrAddress
		}
	}
	number := uint64(defaultPort)
	if port != "" {
		var err error
		if number, err = strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
			return Address{}, ErrAddress
		}
	}
	if strings.Contains(host, ":") {
		ip, good := parse6(host)
		if !good {
			return Address{}, ErrAddress
		}
		return FromBytes(ip[:], uint16(number)), nil
	}
	ip, good := parse4(host)
	if !good {
		return Address{}, ErrAddress
	}
	return FromBytes(ip[:], uint16(number)), nil
}

func parse4(s string) (ip [4]byte, good bool) {
	parts := strings.Split(s, ".")
	if len(parts) != len(ip) {
		return ip, false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(p) > 1 && p[0] == '0' || p[0] == '+' {
			return ip, false
		}
		ip[i] = byte(n)
	}
	return ip, true
}

// groups parses hexadecimal groups. The last may be an IPv4 address.
func groups(s string) (b []byte, good bool) {
	if s == "" {
		return nil, true
	}
	parts := strings.Split(s, ":")
	for i, p := range parts {
		if i == len(parts)-1 && strings.Contains(p, ".") {
			ip, good := parse4(p)
			return append(b, ip[:]...), good
		}
		n, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 || p[0] == '+' {
			return nil, false
		}
		b = append(b, byte(n>>8), byte(n))
	}
	return b, true
}

func parse6(s string) (ip [16]byte, good bool) {
	head, tail, short := strings.Cut(s, "::")
	a, good := groups(head)
	if !good || !short && len(a) != 16 {
		return ip, false
	}
	b, good := groups(tail)
	if !good || len(a)+len(b) > 16 || short && len(a)+len(b) > 14 || short && strings.Contains(head, ".") {
		return ip, false
	}
	copy(ip[:], a)
	copy(ip[16-len(b):], b)
	return ip, true
}
