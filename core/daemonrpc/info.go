package daemonrpc

import "glim/core/rpc"

// GetInfoResponse describes the daemon and its chain. The wide_ fields are 128-bit hexadecimal. Restricted services set
// the fields about the machine to 0.
type GetInfoResponse struct {
	Metered
	Height uint64 `json:"height"` // number of blocks
	// number of blocks in the network; 0 or less than Height if synchronised
	TargetHeight              uint64 `json:"target_height"`
	Difficulty                uint64 `json:"difficulty"`
	WideDifficulty            string `json:"wide_difficulty"`
	DifficultyTop64           uint64 `json:"difficulty_top64"`
	Target                    uint64 `json:"target"`   // seconds between blocks
	TxCount                   uint64 `json:"tx_count"` // without coinbases
	TxPoolSize                uint64 `json:"tx_pool_size"`
	AltBlocksCount            uint64 `json:"alt_blocks_count"`
	OutgoingConnectionsCount  uint64 `json:"outgoing_connections_count"`
	IncomingConnectionsCount  uint64 `json:"incoming_connections_count"`
	RPCConnectionsCount       uint64 `json:"rpc_connections_count"`
	WhitePeerlistSize         uint64 `json:"white_peerlist_size"`
	GreyPeerlistSize          uint64 `json:"grey_peerlist_size"`
	Mainnet                   bool   `json:"mainnet"`
	Testnet                   bool   `json:"testnet"`
	Stagenet                  bool   `json:"stagenet"`
	NetType                   string `json:"nettype"` // mainnet, testnet, stagenet or fakechain
	TopBlockHash              string `json:"top_block_hash"`
	CumulativeDifficulty      uint64 `json:"cumulative_difficulty"`
	WideCumulativeDifficulty  string `json:"wide_cumulative_difficulty"`
	CumulativeDifficultyTop64 uint64 `json:"cumulative_difficulty_top64"`
	BlockSizeLimit            uint64 `json:"block_size_limit"`             // block_weight_limit under its old name
	BlockWeightLimit          uint64 `json:"block_weight_limit,omitempty"` // bytes
	BlockSizeMedian           uint64 `json:"block_size_median"`
	BlockWeightMedian         uint64 `json:"block_weight_median,omitempty"`
	AdjustedTime              uint64 `json:"adjusted_time"` // seconds since 1970
	StartTime                 uint64 `json:"start_time"`    // seconds since 1970
	FreeSpace                 uint64 `json:"free_space"`    // bytes
	Offline                   bool   `json:"offline"`
	BootstrapDaemonAddress    string `json:"bootstrap_daemon_address"`
	HeightWithoutBootstrap    uint64 `json:"height_without_bootstrap"`
	WasBootstrapEverUsed      bool   `json:"was_bootstrap_ever_used"`
	DatabaseSize              uint64 `json:"database_size"` // bytes
	UpdateAvailable           bool   `json:"update_available"`
	BusySyncing               bool   `json:"busy_syncing"`
	Version                   string `json:"version"`
	Synchronized              bool   `json:"synchronized"`
	Restricted                bool   `json:"restricted"`
}

// GetInfo describes the daemon and its chain.
var GetInfo = rpc.Method[PayerOnly, GetInfoResponse]{Name: "get_info"}

// GetInfoPath is GetInfo at its older path.
var GetInfoPath = rpc.Method[PayerOnly, GetInfoResponse]{Name: "get_info", Aliases: []string{"getinfo"}, Wire: rpc.Path}

// HardForkInfoRequest selects a hard fork version; 0 for the current one.
type HardForkInfoRequest struct {
	Payer
	Version uint8 `json:"version"`
}

// HardForkInfoResponse describes a hard fork.
type HardForkInfoResponse struct {
	Metered
	Version        uint8  `json:"version"`
	Enabled        bool   `json:"enabled"`
	Window         uint32 `json:"window"`    // number of blocks whose votes count
	Votes          uint32 `json:"votes"`     // for this version, within the window
	Threshold      uint32 `json:"threshold"` // votes required
	Voting         uint8  `json:"voting"`    // version that new blocks vote for
	State          uint32 `json:"state"`     // 0 likely forked, 1 update needed, 2 ready
	EarliestHeight uint64 `json:"earliest_height"`
}

// HardForkInfo returns the state of a hard fork.
var HardForkInfo = rpc.Method[HardForkInfoRequest, HardForkInfoResponse]{Name: "hard_fork_info"}

// HardForkEntry is a hard fork version with its first block.
type HardForkEntry struct {
	HFVersion uint8  `json:"hf_version"`
	Height    uint64 `json:"height"` // index
}

// GetVersionResponse is the version of the daemon's RPC interface. The optional fields exist since RPC 3.11.
type GetVersionResponse struct {
	Common
	Version       uint32          `json:"version"` // major in the upper 16 bits, minor in the lower
	Release       bool            `json:"release"`
	CurrentHeight uint64          `json:"current_height,omitempty"` // count
	TargetHeight  uint64          `json:"target_height,omitempty"`
	HardForks     []HardForkEntry `json:"hard_forks,omitempty" max:"256"`
}

// GetVersion returns the version of the daemon's RPC interface.
var GetVersion = rpc.Method[None, GetVersionResponse]{Name: "get_version"}

// SyncPeer is a peer that the daemon synchronises with.
type SyncPeer struct {
	Info Connection `json:"info"`
}

// SyncSpan is a range of blocks being downloaded.
type SyncSpan struct {
	StartBlockHeight uint64 `json:"start_block_height"` // index
	NBlocks          uint64 `json:"nblocks"`
	ConnectionID     string `json:"connection_id"`
	Rate             uint32 `json:"rate"`  // bytes per second
	Speed            uint32 `json:"speed"` // percentage of the fastest
	Size             uint64 `json:"size"`  // bytes
	RemoteAddress    string `json:"remote_address"`
}

// SyncInfoResponse describes the progress of synchronisation.
type SyncInfoResponse struct {
	Metered
	Height                uint64     `json:"height"`        // count
	TargetHeight          uint64     `json:"target_height"` // count
	NextNeededPruningSeed uint32     `json:"next_needed_pruning_seed"`
	Peers                 []SyncPeer `json:"peers" max:"131072"`
	Spans                 []SyncSpan `json:"spans" max:"131072"`
	Overview              string     `json:"overview"`
}

// SyncInfo returns the progress of synchronisation, by peer. Restricted.
var SyncInfo = rpc.Method[PayerOnly, SyncInfoResponse]{Name: "sync_info", Restricted: true}

// GetNetStatsResponse is the peer-to-peer traffic since the daemon started.
type GetNetStatsResponse struct {
	Common
	StartTime       uint64 `json:"start_time"` // seconds since 1970
	TotalPacketsIn  uint64 `json:"total_packets_in"`
	TotalBytesIn    uint64 `json:"total_bytes_in"`
	TotalPacketsOut uint64 `json:"total_packets_out"`
	TotalBytesOut   uint64 `json:"total_bytes_out"`
}

// GetNetStats returns the peer-to-peer traffic. Restricted.
var GetNetStats = rpc.Method[None, GetNetStatsResponse]{Name: "get_net_stats", Wire: rpc.Path, Restricted: true}
