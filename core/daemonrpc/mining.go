package daemonrpc

import (
	"glim/core/rpc"
	"glim/core/xmr"
)

// GetBlockTemplateRequest asks for a block to mine on.
type GetBlockTemplateRequest struct {
	ReserveSize   uint64 `json:"reserve_size"`   // bytes to keep free in the coinbase's extra, at most 255
	WalletAddress string `json:"wallet_address"` // who receives the reward; no subaddress
	PrevBlock     string `json:"prev_block"`     // parent, empty for the top
	ExtraNonce    string `json:"extra_nonce"`    // hexadecimal, instead of ReserveSize
}

// GetBlockTemplateResponse carries the block and what mining it takes.
type GetBlockTemplateResponse struct {
	Common
	Difficulty        uint64 `json:"difficulty"`
	WideDifficulty    string `json:"wide_difficulty"`
	DifficultyTop64   uint64 `json:"difficulty_top64"`
	Height            uint64 `json:"height"`          // index of the block to be
	ReservedOffset    uint64 `json:"reserved_offset"` // of the free bytes in the blob
	ExpectedReward    uint64 `json:"expected_reward"` // atomic units
	PrevHash          string `json:"prev_hash"`
	SeedHeight        uint64 `json:"seed_height"`
	BlockTemplateBlob string `json:"blocktemplate_blob"` // hexadecimal
	BlockHashingBlob  string `json:"blockhashing_blob"`  // hexadecimal
	SeedHash          string `json:"seed_hash"`
	NextSeedHash      string `json:"next_seed_hash"` // empty unless a change is near
}

// GetBlockTemplate returns a block to mine on.
var GetBlockTemplate = rpc.Method[GetBlockTemplateRequest, GetBlockTemplateResponse]{Name: "get_block_template", Aliases: []string{"getblocktemplate"}}

// BacklogTx is a pool transaction as a miner sees it.
type BacklogTx struct {
	ID     xmr.Hash `json:"id"`
	Weight uint64   `json:"weight"` // bytes
	Fee    uint64   `json:"fee"`    // atomic units
}

// GetMinerDataResponse carries what a pool needs to build its own block.
type GetMinerDataResponse struct {
	Common
	MajorVersion          uint8       `json:"major_version"`
	Height                uint64      `json:"height"` // index of the block to be
	PrevID                string      `json:"prev_id"`
	SeedHash              string      `json:"seed_hash"`
	Difficulty            string      `json:"difficulty"` // 128-bit hexadecimal
	MedianWeight          uint64      `json:"median_weight"`
	AlreadyGeneratedCoins uint64      `json:"already_generated_coins"` // atomic units
	TxBacklog             []BacklogTx `json:"tx_backlog" max:"1048576"`
}

// GetMinerData returns what building the next block takes.
var GetMinerData = rpc.Method[None, GetMinerDataResponse]{Name: "get_miner_data"}

// CalcPowRequest names a block to hash.
type CalcPowRequest struct {
	MajorVersion uint8  `json:"major_version"`
	Height       uint64 `json:"height"`     // index
	BlockBlob    string `json:"block_blob"` // hexadecimal
	SeedHash     string `json:"seed_hash"`
}

// CalcPow returns the proof-of-work hash of a block. Restricted.
var CalcPow = rpc.Method[CalcPowRequest, string]{Name: "calc_pow", Restricted: true}

// AuxPow is another chain's stake in a merge-mined block.
type AuxPow struct {
	ID   string `json:"id"`
	Hash string `json:"hash"`
}

// AddAuxPowRequest adds other chains to a block template.
type AddAuxPowRequest struct {
	BlockTemplateBlob string   `json:"blocktemplate_blob"` // hexadecimal
	AuxPow            []AuxPow `json:"aux_pow"`            // at most 10 on restricted services
}

// AddAuxPowResponse carries the template with the Merkle root of the other chains.
type AddAuxPowResponse struct {
	Common
	BlockTemplateBlob string   `json:"blocktemplate_blob"`
	BlockHashingBlob  string   `json:"blockhashing_blob"`
	MerkleRoot        string   `json:"merkle_root"`
	MerkleTreeDepth   uint32   `json:"merkle_tree_depth"`     // with the nonce packed in
	AuxPow            []AuxPow `json:"aux_pow" max:"aux_pow"` // in the tree's order
}

// AddAuxPow adds merge mining to a block template.
var AddAuxPow = rpc.Method[AddAuxPowRequest, AddAuxPowResponse]{Name: "add_aux_pow"}

// SubmitBlockResponse answers submit_block.
type SubmitBlockResponse struct {
	Common
	BlockID string `json:"block_id,omitempty"` // since 0.18.1
}

// SubmitBlock adds the mined block, hexadecimal, that is the only element of the request; CodeBlockNotAccepted when
// it is invalid.
var SubmitBlock = rpc.Method[[]string, SubmitBlockResponse]{Name: "submit_block", Aliases: []string{"submitblock"}}

// GenerateBlocksRequest says how many blocks to mine, and to whom.
type GenerateBlocksRequest struct {
	AmountOfBlocks uint64 `json:"amount_of_blocks"`
	WalletAddress  string `json:"wallet_address"`
	PrevBlock      string `json:"prev_block"` // parent of the first, empty for the top
	StartingNonce  uint32 `json:"starting_nonce"`
}

// GenerateBlocksResponse names the new blocks.
type GenerateBlocksResponse struct {
	Common
	Height uint64     `json:"height"` // index of the last
	Blocks []xmr.Hash `json:"blocks" max:"131072"`
}

// GenerateBlocks mines blocks at once; CodeRegtestRequired anywhere but on regtest. Restricted.
var GenerateBlocks = rpc.Method[GenerateBlocksRequest, GenerateBlocksResponse]{Name: "generateblocks", Restricted: true}

// StartMiningRequest sets up the daemon's own miner.
type StartMiningRequest struct {
	MinerAddress       string `json:"miner_address"`
	ThreadsCount       uint64 `json:"threads_count"`
	DoBackgroundMining bool   `json:"do_background_mining"` // only while the machine is idle
	IgnoreBattery      bool   `json:"ignore_battery"`
}

// StartMining starts the daemon's own miner. Restricted.
var StartMining = rpc.Method[StartMiningRequest, Plain]{Name: "start_mining", Wire: rpc.Path, Restricted: true}

// StopMining stops it. Restricted.
var StopMining = rpc.Method[None, Plain]{Name: "stop_mining", Wire: rpc.Path, Restricted: true}

// MiningStatusResponse describes the daemon's own miner.
type MiningStatusResponse struct {
	Common
	Active                    bool   `json:"active"`
	Speed                     uint64 `json:"speed"` // hashes a second
	ThreadsCount              uint32 `json:"threads_count"`
	Address                   string `json:"address"`
	PowAlgorithm              string `json:"pow_algorithm"`
	IsBackgroundMiningEnabled bool   `json:"is_background_mining_enabled"`
	BgIdleThreshold           uint8  `json:"bg_idle_threshold"` // percent
	BgMinIdleSeconds          uint8  `json:"bg_min_idle_seconds"`
	BgIgnoreBattery           bool   `json:"bg_ignore_battery"`
	BgTarget                  uint8  `json:"bg_target"`    // percent
	BlockTarget               uint32 `json:"block_target"` // seconds between blocks
	BlockReward               uint64 `json:"block_reward"` // atomic units
	Difficulty                uint64 `json:"difficulty"`
	WideDifficulty            string `json:"wide_difficulty"`
	DifficultyTop64           uint64 `json:"difficulty_top64"`
}

// MiningStatus describes the daemon's own miner. Restricted.
var MiningStatus = rpc.Method[None, MiningStatusResponse]{Name: "mining_status", Wire: rpc.Path, Restricted: true}
