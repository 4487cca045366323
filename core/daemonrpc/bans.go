package daemonrpc

import "glim/core/rpc"

// AllHosts is the host of an order that lifts every ban.
// Source: src/rpc/core_rpc_server.cpp, on_set_bans, after release 0.18.5.1.
const AllHosts = "all"

// BanOrder bans a peer or lifts its ban. Host takes precedence over IP; one of them is required.
type BanOrder struct {
	Host    string `json:"host"` // address or, for IPv4, a subnet; AllHosts to lift every ban
	IP      uint32 `json:"ip"`   // IPv4, the first byte is the least significant
	Ban     bool   `json:"ban"`
	Seconds uint32 `json:"seconds"` // duration
}

// SetBansRequest lists orders, carried out in order.
type SetBansRequest struct {
	Bans []BanOrder `json:"bans"`
}

// SetBans bans peers and lifts bans. Restricted.
var SetBans = rpc.Method[SetBansRequest, Plain]{Name: "set_bans", Restricted: true}

// Ban is an active ban.
type Ban struct {
	Host    string `json:"host"`
	IP      uint32 `json:"ip"`      // IPv4, the first byte is the least significant
	Seconds uint32 `json:"seconds"` // remaining
}

// GetBansResponse is the response of get_bans.
type GetBansResponse struct {
	Common
	Bans []Ban `json:"bans" max:"131072"`
}

// GetBans returns the active bans. Restricted.
var GetBans = rpc.Method[None, GetBansResponse]{Name: "get_bans", Restricted: true}

// BannedRequest is the address of a peer.
type BannedRequest struct {
	Address string `json:"address"`
}

// BannedResponse reports whether a peer is banned.
type BannedResponse struct {
	Status  string `json:"status"`
	Banned  bool   `json:"banned"`
	Seconds uint32 `json:"seconds"` // remaining
}

// StatusText returns the status.
func (r BannedResponse) StatusText() string { return r.Status }

// Banned reports whether an address is banned. Restricted.
var Banned = rpc.Method[BannedRequest, BannedResponse]{Name: "banned", Restricted: true}
