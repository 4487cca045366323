package message

import "glim/core/p2p/netaddr"

// Peer is an entry of a list of peers. Source: src/p2p/p2p_protocol_defs.h, peerlist_entry_base.
type Peer struct {
	Address     Address `json:"adr"`
	ID          uint64  `json:"id"`
	LastSeen    int64   `json:"last_seen" epee:"omitempty"` // POSIX seconds; 0 if not reported
	PruningSeed uint32  `json:"pruning_seed" epee:"omitempty"`
	RPCPort     uint16  `json:"rpc_port" epee:"omitempty"`
	RPCCredits  uint32  `json:"rpc_credits_per_hash" epee:"omitempty"`
}

// Address is a network address in portable storage format: a type and a body that depends on the type.
// Source: contrib/epee/include/net/net_utils_base.h, network_address.
type Address struct {
	Type uint8       `json:"type"`
	Addr AddressBody `json:"addr"`
}

// AddressBody is an IPv4 address, first byte lowest, or the 16 bytes of an IPv6 address.
type AddressBody struct {
	IPv4 *uint32 `json:"m_ip"`
	IPv6 []byte  `json:"addr" epee:"omitempty"`
	Port uint16  `json:"m_port"`
}

// FromAddress converts an address to the message format.
func FromAddress(a netaddr.Address) Address {
	out := Address{Type: uint8(a.Kind), Addr: AddressBody{Port: a.Port}}
	if a.Kind == netaddr.IPv6 {
		out.Addr.IPv6 = a.Bytes()
		return out
	}
	n := a.Number()
	out.Addr.IPv4 = &n
	return out
}

// Address returns the address, or the zero value if it is invalid or of another type. An IPv4-mapped IPv6 address is
// invalid, as in the reference: a peer with an IPv4 address announces that.
// Source: src/p2p/net_node.inl, is_forbidden_ipv4_mapped_ipv6_address, after release 0.18.5.1.
func (a Address) Address() netaddr.Address {
	switch {
	case a.Type == uint8(netaddr.IPv4) && a.Addr.IPv4 != nil:
		return netaddr.FromNumber(*a.Addr.IPv4, a.Addr.Port)
	case a.Type == uint8(netaddr.IPv6) && len(a.Addr.IPv6) == 16:
		if found := netaddr.FromBytes(a.Addr.IPv6, a.Addr.Port); found.Kind == netaddr.IPv6 {
			return found
		}
	}
	return netaddr.Address{}
}
