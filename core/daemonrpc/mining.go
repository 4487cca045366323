package daemonrpc

import (
	"glim/core/rpc"
	"glim/core/xmr"
)

// GetBlockTemplateRequest describes a block to mine.
type GetBlockTemplateRequest struct {
	ReserveSize   uint64 `json:"reserve_size"`   // bytes to reserve in the coinbase's extra field, at most 255
	WalletAddress string `json:"wallet_address"` // receives the reward; must not be a subaddress
	PrevBlock     string `json:"prev_block"`     // parent; empty for the top
	ExtraNonce    string `json:"extra_nonce"`    // hexadecimal, instead of ReserveSize
}

// GetBlockTemplateResponse contains a block template and its difficulty.
type GetBlockTemplateResponse struct {
	Common
	Difficulty        uint64 `json:"difficulty"`
	WideDifficulty    string `json:"wide_difficulty"`
	DifficultyTop64   uint64 `json:"difficulty_top64"`
	Height            uint64 `json:"height"`          // index of the new block
	ReservedOffset    uint64 `json:"reserved_offset"` // of the reserved bytes in the blob
	ExpectedReward    uint64 `json:"expected_reward"` // atomic units
	PrevHash          string `json:"prev_hash"`
	SeedHeight        uint64 `json:"seed_height"`
	BlockTemplateBlob string `json:"blocktemplate_blob"` // hexadecimal
	BlockHashingBlob  string `json:"blockhashing_blob"`  // hexadecimal
	SeedHash          string `json:"seed_hash"`
	NextSeedHash      string `json:"next_seed_hash"` // empty unless the seed is about to change
	// bytes that the block's weight has, coinbase included; releases 0.18 omit it
	CumulativeWeight uint64 `json:"cumulative_weight,omitempty"`
}

// GetBlockTemplate returns a block template to mine.
var GetBlockTemplate = rpc.Method[GetBlockTemplateRequest, GetBlockTemplateResponse]{
	Name:    "get_block_template",
	Aliases: []string{"getblocktemplate"},
}

// BacklogTx is a transaction of the pool, with the fields that a miner needs.
type BacklogTx struct {
	ID     xmr.Hash `json:"id"`
	Weight uint64   `json:"weight"` // bytes
	Fee    uint64   `json:"fee"`    // atomic units
}

// GetMinerDataResponse contains the data to build a block template.
type GetMinerDataResponse struct {
	Common
	MajorVersion          uint8       `json:"major_version"`
	Height                uint64      `json:"height"` // index of the new block
	PrevID                string      `json:"prev_id"`
	TreeLayers            *uint8      `json:"fcmp_pp_n_tree_layers,omitempty"` // from the next hard fork on
	TreeRoot              string      `json:"fcmp_pp_tree_root,omitempty"`     // hexadecimal; likewise
	SeedHash              string      `json:"seed_hash"`
	Difficulty            string      `json:"difficulty"` // 128-bit hexadecimal
	MedianWeight          uint64      `json:"median_weight"`
	AlreadyGeneratedCoins uint64      `json:"already_generated_coins"` // atomic units
	TxBacklog             []BacklogTx `json:"tx_backlog" max:"1048576"`
}

// GetMinerData returns the data to build a block template.
var GetMinerData = rpc.Method[None, GetMinerDataResponse]{Name: "get_miner_data"}

// CalcPowRequest is the block to hash.
type CalcPowRequest struct {
	MajorVersion uint8  `json:"major_version"`
	Height       uint64 `json:"height"`     // index
	BlockBlob    string `json:"block_blob"` // hexadecimal
	SeedHash     string `json:"seed_hash"`
}

// CalcPow returns the proof-of-work hash of a block. Restricted.
var CalcPow = rpc.Method[CalcPowRequest, string]{Name: "calc_pow", Restricted: true}

// AuxPow is the merge-mining hash of another chain.
type AuxPow struct {
	ID   string `json:"id"`
	Hash string `json:"hash"`
}

// AddAuxPowRequest is a block template with the hashes of other chains.
type AddAuxPowRequest struct {
	BlockTemplateBlob string   `json:"blocktemplate_blob"` // hexadecimal
	AuxPow            []AuxPow `json:"aux_pow"`            // at most 10 on restricted services
}

// AddAuxPowResponse contains the template with the Merkle root of the other chains.
type AddAuxPowResponse struct {
	Common
	BlockTemplateBlob string   `json:"blocktemplate_blob"`
	BlockHashingBlob  string   `json:"blockhashing_blob"`
	MerkleRoot        string   `json:"merkle_root"`
	MerkleTreeDepth   uint64   `json:"merkle_tree_depth"`     // encoded together with the nonce
	AuxPow            []AuxPow `json:"aux_pow" max:"aux_pow"` // in the order of the tree
}

// AddAuxPow adds merge-mined chains to a block template.
var AddAuxPow = rpc.Method[AddAuxPowRequest, AddAuxPowResponse]{Name: "add_aux_pow"}

// SubmitBlockResponse is the response of submit_block.
type SubmitBlockResponse struct {
	Common
	BlockID string `json:"block_id,omitempty"` // since 0.18.1
}

// SubmitBlock adds a mined block to the chain. The request has one element, the block in hexadecimal. It returns
// CodeBlockNotAccepted for an invalid block.
var SubmitBlock = rpc.Method[[]string, SubmitBlockResponse]{Name: "submit_block", Aliases: []string{"submitblock"}}

// GenerateBlocksRequest is the number of blocks to mine, and the recipient of the rewards.
type GenerateBlocksRequest struct {
	AmountOfBlocks uint64 `json:"amount_of_blocks"`
	WalletAddress  string `json:"wallet_address"`
	PrevBlock      string `json:"prev_block"` // parent of the first block; empty for the top
	StartingNonce  uint32 `json:"starting_nonce"`
}

// GenerateBlocksResponse lists the new blocks.
type GenerateBlocksResponse struct {
	Common
	Height uint64     `json:"height"` // index of the last block
	Blocks []xmr.Hash `json:"blocks" max:"131072"`
}

// GenerateBlocks mines blocks immediately. It returns CodeRegtestRequired on networks other than regtest. Restricted.
var GenerateBlocks = rpc.Method[GenerateBlocksRequest, GenerateBlocksResponse]{Name: "generateblocks", Restricted: true}

// StartMiningRequest configures the daemon's miner.
type StartMiningRequest struct {
	MinerAddress       string `json:"miner_address"`
	ThreadsCount       uint64 `json:"threads_count"`
	DoBackgroundMining bool   `json:"do_background_mining"` // only while the machine is idle
	IgnoreBattery      bool   `json:"ignore_battery"`
}

// StartMining starts the daemon's miner. Restricted.
var StartMining = rpc.Method[StartMiningRequest, Plain]{Name: "start_mining", Wire: rpc.Path, Restricted: true}

// StopMining stops the daemon's miner. Restricted.
var StopMining = rpc.Method[None, Plain]{Name: "stop_mining", Wire: rpc.Path, Restricted: true}

// MiningStatusResponse is the state of the daemon's miner.
type MiningStatusResponse struct {
	Common
	Active                    bool   `json:"active"`
	Speed                     uint64 `json:"speed"` // hashes per second
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

// MiningStatus returns the state of the daemon's miner. Restricted.
var MiningStatus = rpc.Method[None, MiningStatusResponse]{Name: "mining_status", Wire: rpc.Path, Restricted: true}
