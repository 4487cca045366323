package daemonrpc

import "glim/core/rpc"

// BlockHeader describes one block. The wide_ members are 128-bit numbers as hexadecimal with 0x in front; the members
// of the same name without it hold their low and high halves. Hashes are empty in a header that was not requested.
type BlockHeader struct {
	MajorVersion              uint8  `json:"major_version"`
	MinorVersion              uint8  `json:"minor_version"`
	Timestamp                 uint64 `json:"timestamp"` // seconds since 1970
	PrevHash                  string `json:"prev_hash"`
	Nonce                     uint32 `json:"nonce"`
	OrphanStatus              bool   `json:"orphan_status"` // not on the main chain
	Height                    uint64 `json:"height"`        // index
	Depth                     uint64 `json:"depth"`         // blocks after this one
	Hash                      string `json:"hash"`
	Difficulty                uint64 `json:"difficulty"`
	WideDifficulty            string `json:"wide_difficulty"`
	DifficultyTop64           uint64 `json:"difficulty_top64"`
	CumulativeDifficulty      uint64 `json:"cumulative_difficulty"`
	WideCumulativeDifficulty  string `json:"wide_cumulative_difficulty"`
	CumulativeDifficultyTop64 uint64 `json:"cumulative_difficulty_top64"`
	Reward                    uint64 `json:"reward"`                 // atomic units, fees included
	BlockSize                 uint64 `json:"block_size"`             // the weight, under its old name
	BlockWeight               uint64 `json:"block_weight,omitempty"` // bytes
	NumTxes                   uint64 `json:"num_txes"`               // without the coinbase
	PowHash                   string `json:"pow_hash"`               // set if fill_pow_hash is true
	LongTermWeight            uint64 `json:"long_term_weight,omitempty"`
	MinerTxHash               string `json:"miner_tx_hash"`
}

// GetBlockCountResponse is the response of get_block_count.
type GetBlockCountResponse struct {
	Common
	Count uint64 `json:"count"` // blocks, genesis included
}

// GetBlockCount returns the number of blocks of the main chain. Its parameters are ignored.
var GetBlockCount = rpc.Method[[]string, GetBlockCountResponse]{
	Name:    "get_block_count",
	Aliases: []string{"getblockcount"},
}

// OnGetBlockHash returns the hash of the block at the index that is the only element of the request.
var OnGetBlockHash = rpc.Method[[]uint64, string]{Name: "on_get_block_hash", Aliases: []string{"on_getblockhash"}}

// GetLastBlockHeaderRequest asks for the top block.
type GetLastBlockHeaderRequest struct {
	Payer
	FillPowHash bool `json:"fill_pow_hash"` // ignored by restricted services: it is costly
}

// BlockHeaderResponse contains one header.
type BlockHeaderResponse struct {
	Metered
	BlockHeader BlockHeader `json:"block_header"`
}

// GetLastBlockHeader returns the header of the top block.
var GetLastBlockHeader = rpc.Method[GetLastBlockHeaderRequest, BlockHeaderResponse]{
	Name:    "get_last_block_header",
	Aliases: []string{"getlastblockheader"},
}

// GetBlockHeaderByHashRequest selects one block, several, or both.
type GetBlockHeaderByHashRequest struct {
	Payer
	Hash        string   `json:"hash"`
	Hashes      []string `json:"hashes"` // at most 1,000 on restricted services
	FillPowHash bool     `json:"fill_pow_hash"`
}

// GetBlockHeaderByHashResponse contains the requested headers, each list in the order of its request.
type GetBlockHeaderByHashResponse struct {
	Metered
	BlockHeader  BlockHeader   `json:"block_header"`
	BlockHeaders []BlockHeader `json:"block_headers" max:"hashes"`
}

// GetBlockHeaderByHash returns headers by block hash, of alternative chains too.
var GetBlockHeaderByHash = rpc.Method[GetBlockHeaderByHashRequest, GetBlockHeaderByHashResponse]{
	Name:    "get_block_header_by_hash",
	Aliases: []string{"getblockheaderbyhash"},
}

// GetBlockHeaderByHeightRequest selects a block of the main chain.
type GetBlockHeaderByHeightRequest struct {
	Payer
	Height      uint64 `json:"height"` // index
	FillPowHash bool   `json:"fill_pow_hash"`
}

// GetBlockHeaderByHeight returns the header of a block of the main chain. It returns CodeTooBigHeight above the top.
var GetBlockHeaderByHeight = rpc.Method[GetBlockHeaderByHeightRequest, BlockHeaderResponse]{
	Name:    "get_block_header_by_height",
	Aliases: []string{"getblockheaderbyheight"},
}

// GetBlockHeadersRangeRequest selects a range of blocks, including both ends.
type GetBlockHeadersRangeRequest struct {
	Payer
	StartHeight uint64 `json:"start_height"` // index
	EndHeight   uint64 `json:"end_height"`   // index; at most 1,000 blocks on restricted services
	FillPowHash bool   `json:"fill_pow_hash"`
}

// GetBlockHeadersRangeResponse contains headers in order of height.
type GetBlockHeadersRangeResponse struct {
	Metered
	Headers []BlockHeader `json:"headers" max:"end_height-start_height"`
}

// GetBlockHeadersRange returns the headers of a range of the main chain.
var GetBlockHeadersRange = rpc.Method[GetBlockHeadersRangeRequest, GetBlockHeadersRangeResponse]{
	Name:    "get_block_headers_range",
	Aliases: []string{"getblockheadersrange"},
}
