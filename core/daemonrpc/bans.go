package daemonrpc

import "glim/core/rpc"

// BanOrder bans a peer or lifts its ban. A host wins over an IP.
type BanOrder struct {
	Host    string `json:"host"` // address or, for IPv4, a subnet
	IP      uint32 `json:"ip"`   // IPv4, first byte lowest
	Ban     bool   `json:"ban"`
	Seconds uint32 `json:"seconds"` // how long
}

// SetBansRequest carries orders, done in turn.
type SetBansRequest struct {
	Bans []BanOrder `json:"bans"`
}

// SetBans bans peers and lifts bans. Restricted.
var SetBans = rpc.Method[SetBansRequest, Plain]{Name: "set_bans", Restricted: true}

// Ban is a ban in force.
type Ban struct {
	Host    string `json:"host"`
	IP      uint32 `json:"ip"`      // IPv4, first byte lowest
	Seconds uint32 `json:"seconds"` // left
}

// GetBansResponse answers get_bans.
type GetBansResponse struct {
	Common
	Bans []Ban `json:"bans" max:"131072"`
}

// GetBans returns the bans in force. Restricted.
var GetBans = rpc.Method[None, GetBansResponse]{Name: "get_bans", Restricted: true}

// BannedRequest names an address.
type BannedRequest struct {
	Address string `json:"address"`
}

// BannedResponse says whether it is banned.
type BannedResponse struct {
	Status  string `json:"status"`
	Banned  bool   `json:"banned"`
	Seconds uint32 `json:"seconds"` // left
}

// StatusText returns the status.
func (r BannedResponse) StatusText() string { return r.Status }

// Banned tells whether an address is banned. Restricted.
var Banned = rpc.Method[BannedRequest, BannedResponse]{Name: "banned", Restricted: true}
