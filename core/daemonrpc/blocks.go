package daemonrpc

import (
	"glim/core/rpc"
	"glim/core/xmr"
)

// GetHeightResponse is the response of /get_height.
type GetHeightResponse struct {
	Common
	Height uint64 `json:"height"` // number of blocks
	Hash   string `json:"hash"`   // of the top block
}

// GetHeight returns the length of the main chain.
var GetHeight = rpc.Method[None, GetHeightResponse]{Name: "get_height", Aliases: []string{"getheight"}, Wire: rpc.Path}

// GetBlockRequest selects a block by Hash or, if that is empty, by Height.
type GetBlockRequest struct {
	Payer
	Hash        string `json:"hash"`
	Height      uint64 `json:"height"` // index
	FillPowHash bool   `json:"fill_pow_hash"`
}

// GetBlockResponse contains a block in three forms: header fields, bytes and JSON.
type GetBlockResponse struct {
	Metered
	BlockHeader BlockHeader `json:"block_header"`
	MinerTxHash string      `json:"miner_tx_hash"`
	TxHashes    []xmr.Hash  `json:"tx_hashes" max:"131072"` // without the coinbase
	Blob        string      `json:"blob"`                   // hexadecimal
	JSON        string      `json:"json"`                   // a JSON object as a string
}

// GetBlock returns one block, without the bytes of its transactions. It returns CodeTooBigHeight above the top.
var GetBlock = rpc.Method[GetBlockRequest, GetBlockResponse]{Name: "get_block", Aliases: []string{"getblock"}}

// TxBlob is a transaction of a block entry. It is encoded as a string if the block is not pruned.
type TxBlob struct {
	Blob         []byte   `json:"blob"`          // without the prunable part if the block is pruned
	PrunableHash xmr.Hash `json:"prunable_hash"` // hash of the omitted part; zero for version 1

	whole bool
}

// WholeTx returns the entry of a complete transaction, as in blocks that are not pruned.
func WholeTx(blob []byte) TxBlob { return TxBlob{Blob: blob, whole: true} }

// Whole reports whether the blob includes the prunable part.
func (t TxBlob) Whole() bool { return t.whole }

// UnmarshalEpeeString sets t to a complete transaction. It does not copy b.
func (t *TxBlob) UnmarshalEpeeString(b []byte) error {
	*t = WholeTx(b)
	return nil
}

// MarshalEpeeString returns the bytes, and true if they are a complete transaction.
func (t TxBlob) MarshalEpeeString() ([]byte, bool) { return t.Blob, t.whole }

// BlockEntry is a block with its transactions. The coinbase is part of Block.
type BlockEntry struct {
	Pruned bool   `json:"pruned" epee:"omitempty"`
	Block  []byte `json:"block"`
	// set for pruned blocks, whose weight cannot be computed
	BlockWeight uint64   `json:"block_weight" epee:"omitempty"`
	Txs         []TxBlob `json:"txs"` // in the order of the block
}

// Values of GetBlocksRequest.RequestedInfo. Daemons before RPC 3.11 ignore it and send blocks.
const (
	BlocksOnly    = 0
	BlocksAndPool = 1
	PoolOnly      = 2
)

// GetBlocksRequest requests the blocks after the newest common block.
type GetBlocksRequest struct {
	Payer
	RequestedInfo uint8 `json:"requested_info" epee:"omitempty"`
	// BlockIDs is the short history of the client's chain, newest first: ten consecutive blocks, then blocks at
	// distances 2, 4, 8 …, and the genesis block last.
	BlockIDs      []xmr.Hash `json:"block_ids" epee:"blob"`
	StartHeight   uint64     `json:"start_height"` // if not 0, index to start at; BlockIDs is then ignored
	Prune         bool       `json:"prune"`
	NoMinerTx     bool       `json:"no_miner_tx" epee:"omitempty"` // omit the output indices of coinbases
	PoolInfoSince uint64     `json:"pool_info_since" epee:"omitempty"`
	// 0 for the daemon's limit: 1,000 blocks or 20,000 transactions
	MaxBlockCount uint64 `json:"max_block_count" epee:"omitempty"`
	// begin after the newest common block instead of with it, unless StartHeight is set; daemons before RPC 3.16 of
	// master, which include all releases 0.18, ignore it
	BlockIDsExclusive bool `json:"block_ids_exclusive" epee:"omitempty"`
}

// TxOutputIndices lists the global index of each output of one transaction.
type TxOutputIndices struct {
	Indices []uint64 `json:"indices"`
}

// BlockOutputIndices lists the output indices of a block: those of the coinbase first, then of each transaction.
type BlockOutputIndices struct {
	Indices []TxOutputIndices `json:"indices"`
}

// Values of GetBlocksResponse.PoolInfoExtent.
const (
	PoolInfoNone        = 0
	PoolInfoIncremental = 1 // changes since pool_info_since
	PoolInfoFull        = 2 // everything
)

// PoolTxInfo is a transaction of the pool.
type PoolTxInfo struct {
	TxHash          xmr.Hash `json:"tx_hash"`
	TxBlob          []byte   `json:"tx_blob"` // without the prunable part if Prune is set
	DoubleSpendSeen bool     `json:"double_spend_seen"`
}

// GetBlocksResponse contains consecutive blocks of the main chain. The first is the newest common block, or the next
// one if BlockIDsExclusive is set.
type GetBlocksResponse struct {
	Metered
	Blocks         []BlockEntry         `json:"blocks" max:"1000"`
	StartHeight    uint64               `json:"start_height"`              // index of Blocks[0]
	CurrentHeight  uint64               `json:"current_height"`            // number of blocks that the daemon has
	OutputIndices  []BlockOutputIndices `json:"output_indices" max:"1000"` // one for each of Blocks
	DaemonTime     uint64               `json:"daemon_time" epee:"omitempty"`
	PoolInfoExtent uint8                `json:"pool_info_extent" epee:"omitempty"`
	AddedPoolTxs   []PoolTxInfo         `json:"added_pool_txs" max:"1048576"`
	// RemainingAddedPoolTxIDs lists added transactions beyond the limit of a restricted service.
	RemainingAddedPoolTxIDs []xmr.Hash `json:"remaining_added_pool_txids" epee:"blob" max:"1048576"`
	RemovedPoolTxIDs        []xmr.Hash `json:"removed_pool_txids" epee:"blob" max:"1048576"`
	// TopBlockHash is the ID of block CurrentHeight − 1. Releases 0.18 omit it.
	TopBlockHash xmr.Hash `json:"top_block_hash" epee:"omitempty"`
}

// GetBlocks returns blocks with their transactions and output indices, and changes of the pool.
var GetBlocks = rpc.Method[GetBlocksRequest, GetBlocksResponse]{
	Name:    "get_blocks.bin",
	Aliases: []string{"getblocks.bin"},
	Wire:    rpc.Binary,
}

// GetBlocksByHeightRequest selects blocks by index, at most 1,000 on restricted services.
type GetBlocksByHeightRequest struct {
	Payer
	Heights []uint64 `json:"heights"`
}

// GetBlocksByHeightResponse contains the blocks in the order of the request.
type GetBlocksByHeightResponse struct {
	Metered
	Blocks []BlockEntry `json:"blocks" max:"heights"`
}

// GetBlocksByHeight returns unpruned blocks with their transactions.
var GetBlocksByHeight = rpc.Method[GetBlocksByHeightRequest, GetBlocksByHeightResponse]{
	Name:    "get_blocks_by_height.bin",
	Aliases: []string{"getblocks_by_height.bin"},
	Wire:    rpc.Binary,
}

// GetHashesRequest requests the block hashes after the newest common block.
type GetHashesRequest struct {
	Payer
	BlockIDs    []xmr.Hash `json:"block_ids" epee:"blob"` // as in GetBlocksRequest
	StartHeight uint64     `json:"start_height"`
}

// GetHashesResponse contains hashes of consecutive blocks. The first is that of the newest common block.
type GetHashesResponse struct {
	Metered
	BlockIDs      []xmr.Hash `json:"m_block_ids" epee:"blob" max:"25000"`
	StartHeight   uint64     `json:"start_height"`   // index of BlockIDs[0]
	CurrentHeight uint64     `json:"current_height"` // count
}

// GetHashes returns block hashes of the main chain.
var GetHashes = rpc.Method[GetHashesRequest, GetHashesResponse]{
	Name:    "get_hashes.bin",
	Aliases: []string{"gethashes.bin"},
	Wire:    rpc.Binary,
}

// GetAltBlocksHashesResponse is the response of /get_alt_blocks_hashes.
type GetAltBlocksHashesResponse struct {
	Metered
	BlksHashes []xmr.Hash `json:"blks_hashes" max:"131072"`
}

// GetAltBlocksHashes returns the hashes of all blocks off the main chain. Restricted.
var GetAltBlocksHashes = rpc.Method[PayerOnly, GetAltBlocksHashesResponse]{
	Name: "get_alt_blocks_hashes", Wire: rpc.Path, Restricted: true,
}

// AlternateChain is a branch off the main chain.
type AlternateChain struct {
	BlockHash            string     `json:"block_hash"` // of its top block
	Height               uint64     `json:"height"`     // index of its first block
	Length               uint64     `json:"length"`     // blocks
	Difficulty           uint64     `json:"difficulty"` // cumulative, low half
	WideDifficulty       string     `json:"wide_difficulty"`
	DifficultyTop64      uint64     `json:"difficulty_top64"`
	BlockHashes          []xmr.Hash `json:"block_hashes"` // newest first
	MainChainParentBlock string     `json:"main_chain_parent_block"`
}

// GetAlternateChainsResponse is the response of get_alternate_chains.
type GetAlternateChainsResponse struct {
	Common
	Chains []AlternateChain `json:"chains" max:"131072"`
}

// GetAlternateChains returns the branches off the main chain. Restricted.
var GetAlternateChains = rpc.Method[None, GetAlternateChainsResponse]{Name: "get_alternate_chains", Restricted: true}

// PopBlocksRequest is the number of blocks to remove from the top.
type PopBlocksRequest struct {
	NBlocks uint64 `json:"nblocks"`
	KeepTxs bool   `json:"keep_txs" default:"true"` // return their transactions to the pool; releases 0.18 always do
}

// PopBlocksResponse is the response of /pop_blocks.
type PopBlocksResponse struct {
	Common
	Height uint64 `json:"height"` // number of blocks afterwards
}

// PopBlocks removes blocks from the top, and returns their transactions to the pool unless KeepTxs is false.
// Restricted.
var PopBlocks = rpc.Method[PopBlocksRequest, PopBlocksResponse]{Name: "pop_blocks", Wire: rpc.Path, Restricted: true}

// GetCoinbaseTxSumRequest selects a range of blocks.
type GetCoinbaseTxSumRequest struct {
	Payer
	Height uint64 `json:"height"` // index of the first block
	Count  uint64 `json:"count"`
}

// GetCoinbaseTxSumResponse contains totals in atomic units. The wide_ fields are 128-bit hexadecimal.
type GetCoinbaseTxSumResponse struct {
	Metered
	EmissionAmount      uint64 `json:"emission_amount"` // new coins, without fees
	WideEmissionAmount  string `json:"wide_emission_amount"`
	EmissionAmountTop64 uint64 `json:"emission_amount_top64"`
	FeeAmount           uint64 `json:"fee_amount"`
	WideFeeAmount       string `json:"wide_fee_amount"`
	FeeAmountTop64      uint64 `json:"fee_amount_top64"`
}

// GetCoinbaseTxSum returns the emission and the fees of a range of blocks. Restricted.
var GetCoinbaseTxSum = rpc.Method[GetCoinbaseTxSumRequest, GetCoinbaseTxSumResponse]{
	Name: "get_coinbase_tx_sum", Restricted: true,
}

// PruneBlockchainRequest selects whether to prune or only to check.
type PruneBlockchainRequest struct {
	Check bool `json:"check"`
}

// PruneBlockchainResponse describes the pruning state.
type PruneBlockchainResponse struct {
	Common
	Pruned      bool   `json:"pruned"`
	PruningSeed uint32 `json:"pruning_seed"` // selects the eighth that is kept; 0 if not pruned
}

// PruneBlockchain prunes the database, or checks whether it is pruned. Restricted.
var PruneBlockchain = rpc.Method[PruneBlockchainRequest, PruneBlockchainResponse]{
	Name: "prune_blockchain", Restricted: true,
}

// FlushCacheRequest selects the caches to flush. Other members have no effect, such as bad_txs of releases before
// 0.18.5.
type FlushCacheRequest struct {
	BadBlocks bool `json:"bad_blocks"`
}

// FlushCache clears the cache of invalid blocks. Restricted.
var FlushCache = rpc.Method[FlushCacheRequest, Plain]{Name: "flush_cache", Restricted: true}

// SaveBlockchain writes the database to disk. Restricted.
var SaveBlockchain = rpc.Method[None, Plain]{Name: "save_bc", Wire: rpc.Path, Restricted: true}
