package daemonrpc

import "glim/core/rpc"

// Connection is a connection to a peer.
type Connection struct {
	Incoming          bool   `json:"incoming"`
	Localhost         bool   `json:"localhost"`
	LocalIP           bool   `json:"local_ip"`
	Address           string `json:"address"`
	Host              string `json:"host"`
	IP                string `json:"ip"`
	Port              string `json:"port"`
	RPCPort           uint16 `json:"rpc_port"`
	RPCCreditsPerHash uint32 `json:"rpc_credits_per_hash"`
	PeerID            string `json:"peer_id"`
	RecvCount         uint64 `json:"recv_count"`     // bytes
	RecvIdleTime      uint64 `json:"recv_idle_time"` // seconds
	SendCount         uint64 `json:"send_count"`     // bytes
	SendIdleTime      uint64 `json:"send_idle_time"` // seconds
	State             string `json:"state"`
	LiveTime          uint64 `json:"live_time"`    // seconds
	AvgDownload       uint64 `json:"avg_download"` // kB per second
	CurrentDownload   uint64 `json:"current_download"`
	AvgUpload         uint64 `json:"avg_upload"`
	CurrentUpload     uint64 `json:"current_upload"`
	SupportFlags      uint32 `json:"support_flags"`
	ConnectionID      string `json:"connection_id"`
	Height            uint64 `json:"height"` // number of blocks that the peer has
	PruningSeed       uint32 `json:"pruning_seed"`
	AddressType       uint8  `json:"address_type"` // 1 IPv4, 2 IPv6, 3 I2P, 4 Tor
}

// GetConnectionsResponse is the response of get_connections.
type GetConnectionsResponse struct {
	Common
	Connections []Connection `json:"connections" max:"131072"`
}

// GetConnections returns the current connections to peers. Restricted.
var GetConnections = rpc.Method[None, GetConnectionsResponse]{Name: "get_connections", Restricted: true}

// GetPeerListRequest filters the list.
type GetPeerListRequest struct {
	PublicOnly     bool `json:"public_only" default:"true"` // exclude peers of anonymity networks
	IncludeBlocked bool `json:"include_blocked"`
}

// Peer is a known peer.
type Peer struct {
	ID                uint64 `json:"id"`
	Host              string `json:"host"`
	IP                uint32 `json:"ip"` // IPv4, the first byte is the least significant
	Port              uint16 `json:"port"`
	RPCPort           uint16 `json:"rpc_port,omitempty"`
	RPCCreditsPerHash uint32 `json:"rpc_credits_per_hash,omitempty"`
	LastSeen          uint64 `json:"last_seen"` // seconds since 1970
	PruningSeed       uint32 `json:"pruning_seed,omitempty"`
}

// GetPeerListResponse is the response of /get_peer_list.
type GetPeerListResponse struct {
	Common
	WhiteList []Peer `json:"white_list" max:"131072"` // reached
	GrayList  []Peer `json:"gray_list" max:"131072"`  // only heard of
}

// GetPeerList returns the peer list of the daemon. Restricted.
var GetPeerList = rpc.Method[GetPeerListRequest, GetPeerListResponse]{
	Name: "get_peer_list", Wire: rpc.Path, Restricted: true,
}

// GetPublicNodesRequest selects the lists to return.
type GetPublicNodesRequest struct {
	Gray           bool `json:"gray"`
	White          bool `json:"white" default:"true"`
	IncludeBlocked bool `json:"include_blocked"`
}

// PublicNode is a peer that offers its RPC to everybody.
type PublicNode struct {
	Host              string `json:"host"`
	LastSeen          uint64 `json:"last_seen"` // seconds since 1970
	RPCPort           uint16 `json:"rpc_port"`
	RPCCreditsPerHash uint32 `json:"rpc_credits_per_hash"`
}

// GetPublicNodesResponse is the response of /get_public_nodes.
type GetPublicNodesResponse struct {
	Common
	Gray  []PublicNode `json:"gray" max:"131072"`
	White []PublicNode `json:"white" max:"131072"`
}

// GetPublicNodes returns the peers that offer their RPC.
var GetPublicNodes = rpc.Method[GetPublicNodesRequest, GetPublicNodesResponse]{Name: "get_public_nodes", Wire: rpc.Path}

// GetLimitResponse contains limits in kB a second.
type GetLimitResponse struct {
	Common
	LimitUp   uint64 `json:"limit_up"`
	LimitDown uint64 `json:"limit_down"`
}

// GetLimit returns the bandwidth limits.
var GetLimit = rpc.Method[None, GetLimitResponse]{Name: "get_limit", Wire: rpc.Path}

// SetLimitRequest contains limits in kB a second; −1 for the default, 0 to leave one as it is.
type SetLimitRequest struct {
	LimitDown int64 `json:"limit_down"`
	LimitUp   int64 `json:"limit_up"`
}

// SetLimitResponse contains the limits that now hold.
type SetLimitResponse struct {
	Common
	LimitUp   int64 `json:"limit_up"`
	LimitDown int64 `json:"limit_down"`
}

// SetLimit sets the bandwidth limits. Restricted.
var SetLimit = rpc.Method[SetLimitRequest, SetLimitResponse]{Name: "set_limit", Wire: rpc.Path, Restricted: true}

// OutPeersRequest sets the limit, or reads it if Set is false.
type OutPeersRequest struct {
	Set      bool   `json:"set" default:"true"`
	OutPeers uint32 `json:"out_peers"`
}

// OutPeersResponse contains the limit that now holds.
type OutPeersResponse struct {
	Common
	OutPeers uint32 `json:"out_peers"`
}

// OutPeers limits outgoing connections. Restricted.
var OutPeers = rpc.Method[OutPeersRequest, OutPeersResponse]{Name: "out_peers", Wire: rpc.Path, Restricted: true}

// InPeersRequest sets the limit, or reads it if Set is false.
type InPeersRequest struct {
	Set     bool   `json:"set" default:"true"`
	InPeers uint32 `json:"in_peers"`
}

// InPeersResponse contains the limit that now holds.
type InPeersResponse struct {
	Common
	InPeers uint32 `json:"in_peers"`
}

// InPeers limits incoming connections. Restricted.
var InPeers = rpc.Method[InPeersRequest, InPeersResponse]{Name: "in_peers", Wire: rpc.Path, Restricted: true}
