package message

import "glim/core/p2p/netaddr"

// Peer is a peer as lists name it. Source: src/p2p/p2p_protocol_defs.h, peerlist_entry_base.
type Peer struct {
	Address     Address `json:"adr"`
	ID          uint64  `json:"id"`
	LastSeen    int64   `json:"last_seen" epee:"omitempty"` // POSIX seconds; 0 when it is not said
	PruningSeed uint32  `json:"pruning_seed" epee:"omitempty"`
	RPCPort     uint16  `json:"rpc_port" epee:"omitempty"`
	RPCCredits  uint32  `json:"rpc_credits_per_hash" epee:"omitempty"`
}

// Address is a network address as portable storage has it: a type, and what that type needs.
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

// FromAddress returns an address as it is written.
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

// Address returns the address, or the zero value for one that cannot be: of another type, or without its bytes.
func (a Address) Address() netaddr.Address {
	switch {
	case a.Type == uint8(netaddr.IPv4) && a.Addr.IPv4 != nil:
		return netaddr.FromNumber(*a.Addr.IPv4, a.Addr.Port)
	case a.Type == uint8(netaddr.IPv6) && len(a.Addr.IPv6) == 16:
		return netaddr.From(a.Addr.IPv6, a.Addr.Port)
	}
	return netaddr.Address{}
}
