package daemonrpc

import (
	"glim/core/rpc"
	"glim/core/xmr"
)

// GetHeightResponse answers /get_height.
type GetHeightResponse struct {
	Common
	Height uint64 `json:"height"` // count of blocks: the top's index plus one
	Hash   string `json:"hash"`   // of the top block
}

// GetHeight returns the length of the main chain.
var GetHeight = rpc.Method[None, GetHeightResponse]{Name: "get_height", Aliases: []string{"getheight"}, Wire: rpc.Path}

// GetBlockRequest names a block by Hash or, when that is empty, by Height.
type GetBlockRequest struct {
	Payer
	Hash        string `json:"hash"`
	Height      uint64 `json:"height"` // index
	FillPowHash bool   `json:"fill_pow_hash"`
}

// GetBlockResponse carries a block in three forms: described, as bytes and as JSON.
type GetBlockResponse struct {
	Metered
	BlockHeader BlockHeader `json:"block_header"`
	MinerTxHash string      `json:"miner_tx_hash"`
	TxHashes    []xmr.Hash  `json:"tx_hashes" max:"131072"` // without the coinbase
	Blob        string      `json:"blob"`                   // hexadecimal
	JSON        string      `json:"json"`                   // a JSON object as text
}

// GetBlock returns one block without the bytes of its transactions; CodeTooBigHeight above the top.
var GetBlock = rpc.Method[GetBlockRequest, GetBlockResponse]{Name: "get_block", Aliases: []string{"getblock"}}

// TxBlob is a transaction within a block entry. On the wire it is a plain string when the block is not pruned.
type TxBlob struct {
	Blob         []byte   `json:"blob"`          // up to the prunable part when the block is pruned
	PrunableHash xmr.Hash `json:"prunable_hash"` // of the part left out; zero for version 1

	whole bool
}

// WholeTx returns the entry of a transaction with its prunable part, as unpruned blocks carry them.
func WholeTx(blob []byte) TxBlob { return TxBlob{Blob: blob, whole: true} }

// Whole reports whether the blob includes the prunable part.
func (t TxBlob) Whole() bool { return t.whole }

// UnmarshalEpeeString takes the bytes of an unpruned transaction, aliasing them.
func (t *TxBlob) UnmarshalEpeeString(b []byte) error {
	*t = WholeTx(b)
	return nil
}

// MarshalEpeeString returns the bytes when they are a whole transaction's.
func (t TxBlob) MarshalEpeeString() ([]byte, bool) { return t.Blob, t.whole }

// BlockEntry is a block with its transactions, the coinbase being in the block itself.
type BlockEntry struct {
	Pruned      bool     `json:"pruned" epee:"omitempty"`
	Block       []byte   `json:"block"`
	BlockWeight uint64   `json:"block_weight" epee:"omitempty"` // filled for pruned blocks, whose weight nobody can compute
	Txs         []TxBlob `json:"txs"`                           // in the block's order
}

// Values of GetBlocksRequest.RequestedInfo. A daemon before RPC 3.11 knows none and sends blocks.
const (
	BlocksOnly    = 0
	BlocksAndPool = 1
	PoolOnly      = 2
)

// GetBlocksRequest asks for the blocks after the newest one both sides know.
type GetBlocksRequest struct {
	Payer
	RequestedInfo uint8 `json:"requested_info" epee:"omitempty"`
	// BlockIDs is the caller's chain, newest first: ten in a row, then at distances 2, 4, 8 …, genesis last.
	BlockIDs      []xmr.Hash `json:"block_ids" epee:"blob"`
	StartHeight   uint64     `json:"start_height"` // index to start at when above 0; the history is then unread
	Prune         bool       `json:"prune"`
	NoMinerTx     bool       `json:"no_miner_tx" epee:"omitempty"` // leaves out the coinbases' output indices
	PoolInfoSince uint64     `json:"pool_info_since" epee:"omitempty"`
	MaxBlockCount uint64     `json:"max_block_count" epee:"omitempty"` // 0 for the daemon's limit: 1,000 blocks or 20,000 transactions
}

// TxOutputIndices lists the global index of each output of one transaction.
type TxOutputIndices struct {
	Indices []uint64 `json:"indices"`
}

// BlockOutputIndices lists those of the coinbase first, then of each transaction of a block.
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
	TxBlob          []byte   `json:"tx_blob"` // up to the prunable part when the request says prune
	DoubleSpendSeen bool     `json:"double_spend_seen"`
}

// GetBlocksResponse carries consecutive blocks of the main chain, the first being one the caller knew.
type GetBlocksResponse struct {
	Metered
	Blocks         []BlockEntry         `json:"blocks" max:"1000"`
	StartHeight    uint64               `json:"start_height"`              // index of Blocks[0]
	CurrentHeight  uint64               `json:"current_height"`            // count of blocks the daemon has
	OutputIndices  []BlockOutputIndices `json:"output_indices" max:"1000"` // one for each of Blocks
	DaemonTime     uint64               `json:"daemon_time" epee:"omitempty"`
	PoolInfoExtent uint8                `json:"pool_info_extent" epee:"omitempty"`
	AddedPoolTxs   []PoolTxInfo         `json:"added_pool_txs" max:"1048576"`
	// RemainingAddedPoolTxIDs names added transactions that did not fit the answer of a restricted service.
	RemainingAddedPoolTxIDs []xmr.Hash `json:"remaining_added_pool_txids" epee:"blob" max:"1048576"`
	RemovedPoolTxIDs        []xmr.Hash `json:"removed_pool_txids" epee:"blob" max:"1048576"`
}

// GetBlocks returns blocks with their transactions and output indices, and changes of the pool.
var GetBlocks = rpc.Method[GetBlocksRequest, GetBlocksResponse]{Name: "get_blocks.bin", Aliases: []string{"getblocks.bin"}, Wire: rpc.Binary}

// GetBlocksByHeightRequest names blocks by index, at most 1,000 on restricted services.
type GetBlocksByHeightRequest struct {
	Payer
	Heights []uint64 `json:"heights"`
}

// GetBlocksByHeightResponse carries the blocks in the order asked for.
type GetBlocksByHeightResponse struct {
	Metered
	Blocks []BlockEntry `json:"blocks" max:"heights"`
}

// GetBlocksByHeight returns unpruned blocks with their transactions.
var GetBlocksByHeight = rpc.Method[GetBlocksByHeightRequest, GetBlocksByHeightResponse]{Name: "get_blocks_by_height.bin", Aliases: []string{"getblocks_by_height.bin"}, Wire: rpc.Binary}

// GetHashesRequest asks for the block hashes after the newest one both sides know.
type GetHashesRequest struct {
	Payer
	BlockIDs    []xmr.Hash `json:"block_ids" epee:"blob"` // as in GetBlocksRequest
	StartHeight uint64     `json:"start_height"`
}

// GetHashesResponse carries hashes of consecutive blocks, the first being one the caller knew.
type GetHashesResponse struct {
	Metered
	BlockIDs      []xmr.Hash `json:"m_block_ids" epee:"blob" max:"25000"`
	StartHeight   uint64     `json:"start_height"`   // index of BlockIDs[0]
	CurrentHeight uint64     `json:"current_height"` // count
}

// GetHashes returns block hashes of the main chain.
var GetHashes = rpc.Method[GetHashesRequest, GetHashesResponse]{Name: "get_hashes.bin", Aliases: []string{"gethashes.bin"}, Wire: rpc.Binary}

// GetAltBlocksHashesResponse answers /get_alt_blocks_hashes.
type GetAltBlocksHashesResponse struct {
	Metered
	BlksHashes []xmr.Hash `json:"blks_hashes" max:"131072"`
}

// GetAltBlocksHashes returns the hashes of all blocks off the main chain. Restricted.
var GetAltBlocksHashes = rpc.Method[PayerOnly, GetAltBlocksHashesResponse]{Name: "get_alt_blocks_hashes", Wire: rpc.Path, Restricted: true}

// AlternateChain is a branch off the main chain.
type AlternateChain struct {
	BlockHash            string     `json:"block_hash"` // its top
	Height               uint64     `json:"height"`     // index of its first block
	Length               uint64     `json:"length"`     // blocks
	Difficulty           uint64     `json:"difficulty"` // cumulative, low half
	WideDifficulty       string     `json:"wide_difficulty"`
	DifficultyTop64      uint64     `json:"difficulty_top64"`
	BlockHashes          []xmr.Hash `json:"block_hashes"` // newest first
	MainChainParentBlock string     `json:"main_chain_parent_block"`
}

// GetAlternateChainsResponse answers get_alternate_chains.
type GetAlternateChainsResponse struct {
	Common
	Chains []AlternateChain `json:"chains" max:"131072"`
}

// GetAlternateChains returns the branches the daemon knows. Restricted.
var GetAlternateChains = rpc.Method[None, GetAlternateChainsResponse]{Name: "get_alternate_chains", Restricted: true}

// PopBlocksRequest says how many blocks to drop from the top.
type PopBlocksRequest struct {
	NBlocks uint64 `json:"nblocks"`
}

// PopBlocksResponse answers /pop_blocks.
type PopBlocksResponse struct {
	Common
	Height uint64 `json:"height"` // count of blocks afterwards
}

// PopBlocks drops blocks from the top, their transactions going back to the pool. Restricted.
var PopBlocks = rpc.Method[PopBlocksRequest, PopBlocksResponse]{Name: "pop_blocks", Wire: rpc.Path, Restricted: true}

// GetCoinbaseTxSumRequest names a run of blocks.
type GetCoinbaseTxSumRequest struct {
	Payer
	Height uint64 `json:"height"` // index of the first
	Count  uint64 `json:"count"`
}

// GetCoinbaseTxSumResponse carries sums in atomic units; the wide_ members are 128-bit hexadecimal.
type GetCoinbaseTxSumResponse struct {
	Metered
	EmissionAmount      uint64 `json:"emission_amount"` // new coins, fees excluded
	WideEmissionAmount  string `json:"wide_emission_amount"`
	EmissionAmountTop64 uint64 `json:"emission_amount_top64"`
	FeeAmount           uint64 `json:"fee_amount"`
	WideFeeAmount       string `json:"wide_fee_amount"`
	FeeAmountTop64      uint64 `json:"fee_amount_top64"`
}

// GetCoinbaseTxSum returns what a run of blocks issued and what fees it collected. Restricted.
var GetCoinbaseTxSum = rpc.Method[GetCoinbaseTxSumRequest, GetCoinbaseTxSumResponse]{Name: "get_coinbase_tx_sum", Restricted: true}

// PruneBlockchainRequest says whether to prune or only to look.
type PruneBlockchainRequest struct {
	Check bool `json:"check"`
}

// PruneBlockchainResponse tells the state of pruning.
type PruneBlockchainResponse struct {
	Common
	Pruned      bool   `json:"pruned"`
	PruningSeed uint32 `json:"pruning_seed"` // which eighth is kept; 0 when nothing is pruned
}

// PruneBlockchain drops most prunable parts from the database, or tells whether that was done. Restricted.
var PruneBlockchain = rpc.Method[PruneBlockchainRequest, PruneBlockchainResponse]{Name: "prune_blockchain", Restricted: true}

// FlushCacheRequest names what to forget. BadTxs has no effect since 0.18.1.
type FlushCacheRequest struct {
	BadTxs    bool `json:"bad_txs"`
	BadBlocks bool `json:"bad_blocks"`
}

// FlushCache forgets blocks and transactions remembered as invalid. Restricted.
var FlushCache = rpc.Method[FlushCacheRequest, Plain]{Name: "flush_cache", Restricted: true}

// SaveBlockchain writes the database to disk. Restricted.
var SaveBlockchain = rpc.Method[None, Plain]{Name: "save_bc", Wire: rpc.Path, Restricted: true}
