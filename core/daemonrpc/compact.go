package daemonrpc

import (
	"glim/core/rpc"
	"glim/core/xmr"
)

// GetCompactBlocksRequest requests the blocks after the newest common block.
type GetCompactBlocksRequest struct {
	Version  uint8      `json:"version"`               // newest form of compact blocks that the caller reads
	BlockIDs []xmr.Hash `json:"block_ids" epee:"blob"` // as in GetBlocksRequest
	// if not 0, index to start at; BlockIDs is then ignored
	StartHeight uint64 `json:"start_height"`
	// 0 for the daemon's limit: 1,000 blocks or 20,000 transactions
	MaxBlockCount uint64 `json:"max_block_count"`
}

// GetCompactBlocksResponse contains consecutive blocks of the main chain, the first being one the caller knew or the
// one at StartHeight; none when the caller's newest is the chain's.
type GetCompactBlocksResponse struct {
	Common
	Version       uint8    `json:"version"`        // form of the blocks, at most the requested one: see package compact
	StartHeight   uint64   `json:"start_height"`   // index of Blocks[0]
	CurrentHeight uint64   `json:"current_height"` // number of blocks that the daemon has
	Prev          xmr.Hash `json:"prev"`           // ID of the block before Blocks[0]
	// ID of the last of Blocks: the IDs before follow from the blocks themselves
	Last   xmr.Hash `json:"last"`
	Blocks [][]byte `json:"blocks" max:"1000"`
}

// GetCompactBlocks returns blocks with only what finding a wallet's money takes. No daemon but ours knows it: to others
// it is an unknown path.
var GetCompactBlocks = rpc.Method[GetCompactBlocksRequest, GetCompactBlocksResponse]{
	Name: "get_compact_blocks.bin", Wire: rpc.Binary,
}

// Extensions returns the operations that releases 0.18 of the reference do not have, by name. The result is the
// caller's.
func Extensions() []*rpc.Operation {
	r := rpc.NewRegistry()
	list(r, GetCompactBlocks)
	list(r, GetTxIDsLoose)
	return r.Operations()
}
