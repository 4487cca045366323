package daemonrpc

import (
	"encoding/json"

	"glim/core/rpc"
	"glim/core/xmr"
)

// PoolTransaction is a transaction of the pool with its story.
type PoolTransaction struct {
	IDHash             xmr.Hash `json:"id_hash"`
	TxJSON             string   `json:"tx_json"`
	BlobSize           uint64   `json:"blob_size"`        // bytes
	Weight             uint64   `json:"weight,omitempty"` // bytes
	Fee                uint64   `json:"fee"`              // atomic units
	MaxUsedBlockIDHash string   `json:"max_used_block_id_hash"`
	MaxUsedBlockHeight uint64   `json:"max_used_block_height"` // index of the newest block a ring reaches
	KeptByBlock        bool     `json:"kept_by_block"`
	LastFailedHeight   uint64   `json:"last_failed_height"`
	LastFailedIDHash   string   `json:"last_failed_id_hash"`
	ReceiveTime        uint64   `json:"receive_time"` // seconds since 1970; 0 on restricted services
	Relayed            bool     `json:"relayed"`
	LastRelayedTime    uint64   `json:"last_relayed_time"`
	DoNotRelay         bool     `json:"do_not_relay"`
	DoubleSpendSeen    bool     `json:"double_spend_seen"`
	TxBlob             string   `json:"tx_blob"` // hexadecimal
}

// SpentKeyImage lists the pool transactions that spend one output.
type SpentKeyImage struct {
	IDHash    xmr.KeyImage `json:"id_hash"`
	TxsHashes []xmr.Hash   `json:"txs_hashes"`
}

// GetTransactionPoolResponse is the response of /get_transaction_pool.
type GetTransactionPoolResponse struct {
	Metered
	Transactions   []PoolTransaction `json:"transactions" max:"1048576"`
	SpentKeyImages []SpentKeyImage   `json:"spent_key_images" max:"1048576"`
}

// GetTransactionPool returns everything in the pool. Restricted, as in the reference after release 0.18.5.1: others can
// request the hashes, and then transactions by hash.
var GetTransactionPool = rpc.Method[PayerOnly, GetTransactionPoolResponse]{
	Name: "get_transaction_pool", Wire: rpc.Path, Restricted: true,
}

// GetTransactionPoolHashesBinResponse contains hashes packed into one raw JSON string: see UnquoteBlob.
type GetTransactionPoolHashesBinResponse struct {
	Metered
	TxHashes json.RawMessage `json:"tx_hashes,omitempty"`
}

// GetTransactionPoolHashesBin returns the hashes in the pool. In spite of its name it answers JSON.
var GetTransactionPoolHashesBin = rpc.Method[PayerOnly, GetTransactionPoolHashesBinResponse]{
	Name: "get_transaction_pool_hashes.bin", Wire: rpc.Path,
}

// GetTransactionPoolHashesResponse is the response of /get_transaction_pool_hashes.
type GetTransactionPoolHashesResponse struct {
	Metered
	TxHashes []xmr.Hash `json:"tx_hashes" max:"1048576"`
}

// GetTransactionPoolHashes returns the hashes in the pool.
var GetTransactionPoolHashes = rpc.Method[PayerOnly, GetTransactionPoolHashesResponse]{
	Name: "get_transaction_pool_hashes", Wire: rpc.Path,
}

// GetTxPoolBacklogResponse contains entries of three 64-bit little-endian numbers in one raw JSON string: see Backlog.
type GetTxPoolBacklogResponse struct {
	Metered
	Backlog json.RawMessage `json:"backlog,omitempty"`
}

// GetTxPoolBacklog returns weight, fee and age of each pool transaction.
var GetTxPoolBacklog = rpc.Method[PayerOnly, GetTxPoolBacklogResponse]{Name: "get_txpool_backlog"}

// PoolHistogramEntry counts the transactions of one age.
type PoolHistogramEntry struct {
	Txs   uint32 `json:"txs"`
	Bytes uint64 `json:"bytes"`
}

// PoolStats sums up the pool.
type PoolStats struct {
	BytesTotal      uint64               `json:"bytes_total"`
	BytesMin        uint32               `json:"bytes_min"`
	BytesMax        uint32               `json:"bytes_max"`
	BytesMed        uint32               `json:"bytes_med"`
	FeeTotal        uint64               `json:"fee_total"` // atomic units
	Oldest          uint64               `json:"oldest"`    // seconds since 1970
	TxsTotal        uint32               `json:"txs_total"`
	NumFailing      uint32               `json:"num_failing"`
	Num10m          uint32               `json:"num_10m"` // older than ten minutes
	NumNotRelayed   uint32               `json:"num_not_relayed"`
	Histo98pc       uint64               `json:"histo_98pc"` // seconds that 98 % are younger than
	Histo           []PoolHistogramEntry `json:"histo"`
	NumDoubleSpends uint32               `json:"num_double_spends"`
}

// GetTransactionPoolStatsResponse is the response of /get_transaction_pool_stats.
type GetTransactionPoolStatsResponse struct {
	Metered
	PoolStats PoolStats `json:"pool_stats"`
}

// GetTransactionPoolStats sums up the pool.
var GetTransactionPoolStats = rpc.Method[PayerOnly, GetTransactionPoolStatsResponse]{
	Name: "get_transaction_pool_stats", Wire: rpc.Path,
}

// FlushTxPoolRequest selects transactions; an empty list selects all.
type FlushTxPoolRequest struct {
	TxIDs []string `json:"txids"`
}

// FlushTxPool drops transactions from the pool. Restricted.
var FlushTxPool = rpc.Method[FlushTxPoolRequest, Plain]{Name: "flush_txpool", Restricted: true}
