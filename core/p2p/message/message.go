// Package message defines the messages between peers, as Go values and in portable storage format.
//
// Source: src/p2p/p2p_protocol_defs.h and src/cryptonote_protocol/cryptonote_protocol_defs.h.
package message

import (
	"math"

	"glim/core/codec/epee"
	"glim/core/xmr"
)

// Commands. Those below 2000 are requests with a response; the others have none.
const (
	Handshake      = 1001
	TimedSync      = 1002
	Ping           = 1003
	SupportFlags   = 1007
	NewBlock       = 2001
	NewTxs         = 2002
	GetObjects     = 2003
	Objects        = 2004
	GetChain       = 2006
	Chain          = 2007
	NewFluffyBlock = 2008
	GetMissingTxs  = 2009
	PoolComplement = 2010
)

// MaxBytes returns the size limit of a command's body.
// Source: src/cryptonote_basic/connection_context.cpp, get_max_bytes.
func MaxBytes(command uint32) int {
	switch command {
	case Handshake, TimedSync:
		return 64 << 10
	case Ping, SupportFlags:
		return 4 << 10
	case NewBlock, NewTxs, Objects:
		return 128 << 20
	case GetObjects:
		return 2 << 20
	case GetChain:
		return 512 << 10
	case Chain, NewFluffyBlock, PoolComplement:
		return 4 << 20
	case GetMissingTxs:
		return 1 << 20
	}
	return math.MaxInt
}

// FluffyBlocks is the support flag of peers that handle NewFluffyBlock. Source: src/cryptonote_config.h,
// P2P_SUPPORT_FLAG_FLUFFY_BLOCKS.
const FluffyBlocks = 1

// MaxPeers is the maximum number of peers in a response. Source: src/cryptonote_config.h, P2P_MAX_PEERS_IN_HANDSHAKE.
const MaxPeers = 250

// NetworkID returns the ID that all peers of a network share. A private chain uses mainnet's.
// Source: src/cryptonote_config.h, NETWORK_ID.
func NetworkID(n xmr.Network) [16]byte {
	id := [16]byte{0x12, 0x30, 0xf1, 0x71, 0x61, 0x04, 0x41, 0x61, 0x17, 0x31, 0x00, 0x82, 0x16, 0xa1, 0xa1, 0x10}
	switch n {
	case xmr.Testnet:
		id[15] = 0x11
	case xmr.Stagenet:
		id[15] = 0x12
	}
	return id
}

// Node describes a daemon. Source: basic_node_data.
type Node struct {
	NetworkID    [16]byte `json:"network_id"`
	PeerID       uint64   `json:"peer_id"`
	Port         uint32   `json:"my_port"` // 0 if it accepts no connections
	RPCPort      uint16   `json:"rpc_port" epee:"omitempty"`
	RPCCredits   uint32   `json:"rpc_credits_per_hash" epee:"omitempty"`
	SupportFlags uint32   `json:"support_flags" epee:"omitempty"`
}

// SyncData describes the top of a daemon's chain. Source: CORE_SYNC_DATA.
type SyncData struct {
	Height       uint64   `json:"current_height"` // number of blocks
	Cumulative   uint64   `json:"cumulative_difficulty"`
	CumulativeHi uint64   `json:"cumulative_difficulty_top64"`
	TopID        xmr.Hash `json:"top_id"`
	TopVersion   uint8    `json:"top_version" epee:"omitempty"`
	PruningSeed  uint32   `json:"pruning_seed" epee:"omitempty"`
}

// HandshakeRequest begins a connection. Source: COMMAND_HANDSHAKE_T.
type HandshakeRequest struct {
	Node Node     `json:"node_data"`
	Sync SyncData `json:"payload_data"`
}

// HandshakeResponse accepts a connection.
type HandshakeResponse struct {
	Node  Node     `json:"node_data"`
	Sync  SyncData `json:"payload_data"`
	Peers []Peer   `json:"local_peerlist_new"`
}

// TimedSyncRequest reports the sender's chain. Source: COMMAND_TIMED_SYNC_T.
type TimedSyncRequest struct {
	Sync SyncData `json:"payload_data"`
}

// TimedSyncResponse reports the responder's chain.
type TimedSyncResponse struct {
	Sync  SyncData `json:"payload_data"`
	Peers []Peer   `json:"local_peerlist_new"`
}

// Empty is the body of requests without parameters.
type Empty struct{}

// PingResponse identifies the responder. Source: COMMAND_PING.
type PingResponse struct {
	Status string `json:"status"` // PingOK
	PeerID uint64 `json:"peer_id"`
}

// PingOK is the PingResponse.Status of success. Source: PING_OK_RESPONSE_STATUS_TEXT.
const PingOK = "OK"

// SupportFlagsResponse reports supported features. Source: COMMAND_REQUEST_SUPPORT_FLAGS.
type SupportFlagsResponse struct {
	SupportFlags uint32 `json:"support_flags"`
}

// Tx is a transaction, full or pruned. Source: tx_blob_entry.
type Tx struct {
	Blob []byte `json:"blob"`
	// Prunable is the hash of the part that a pruned transaction lacks.
	Prunable xmr.Hash `json:"prunable_hash"`
	Pruned   bool     `json:"-" epee:"-"`
}

// UnmarshalEpeeString takes the bytes of a full transaction without copying them.
func (t *Tx) UnmarshalEpeeString(b []byte) error {
	*t = Tx{Blob: b}
	return nil
}

// MarshalEpeeString returns the bytes of a full transaction.
func (t Tx) MarshalEpeeString() ([]byte, bool) { return t.Blob, !t.Pruned }

// Block is a block with its transactions. Source: block_complete_entry.
type Block struct {
	Pruned bool   `json:"pruned" epee:"omitempty"`
	Blob   []byte `json:"block"`
	Weight uint64 `json:"block_weight" epee:"omitempty"` // in bytes, of a pruned block
	Txs    []Tx   `json:"txs"`
}

// Size returns the size of the block and its transactions, in bytes.
func (b *Block) Size() int {
	n := len(b.Blob)
	for i := range b.Txs {
		n += len(b.Txs[i].Blob)
	}
	return n
}

// BlockNotice announces a block with all (NewBlock) or some (NewFluffyBlock) of its transactions.
// Source: NOTIFY_NEW_BLOCK, NOTIFY_NEW_FLUFFY_BLOCK.
type BlockNotice struct {
	Block  Block  `json:"b"`
	Height uint64 `json:"current_blockchain_height"` // number of blocks
}

// TxsNotice relays transactions. Source: NOTIFY_NEW_TRANSACTIONS.
type TxsNotice struct {
	Txs     [][]byte `json:"txs"`
	Padding []byte   `json:"_"`
	Fluff   bool     `json:"dandelionpp_fluff" epee:"omitempty" default:"true"` // false in the stem phase
}

// ObjectsRequest requests blocks. Source: NOTIFY_REQUEST_GET_OBJECTS.
type ObjectsRequest struct {
	Blocks []xmr.Hash `json:"blocks" epee:"blob"`
	Prune  bool       `json:"prune" epee:"omitempty"`
}

// ObjectsResponse contains requested blocks. Source: NOTIFY_RESPONSE_GET_OBJECTS.
type ObjectsResponse struct {
	Blocks []Block    `json:"blocks"`
	Missed []xmr.Hash `json:"missed_ids" epee:"blob"`
	Height uint64     `json:"current_blockchain_height"` // number of blocks
}

// ChainRequest requests the IDs of blocks that follow a history. Source: NOTIFY_REQUEST_CHAIN.
type ChainRequest struct {
	IDs   []xmr.Hash `json:"block_ids" epee:"blob"` // newest first
	Prune bool       `json:"prune" epee:"omitempty"`
}

// ChainResponse contains requested block IDs. Source: NOTIFY_RESPONSE_CHAIN_ENTRY.
type ChainResponse struct {
	Start        uint64     `json:"start_height"` // height of the first of IDs
	Total        uint64     `json:"total_height"` // number of blocks
	Cumulative   uint64     `json:"cumulative_difficulty"`
	CumulativeHi uint64     `json:"cumulative_difficulty_top64"`
	IDs          []xmr.Hash `json:"m_block_ids" epee:"blob"`
	Weights      []uint64   `json:"m_block_weights" epee:"blob"`
	FirstBlock   []byte     `json:"first_block"` // the second of IDs
}

// MissingTxsRequest requests transactions of an announced block by their indices.
// Source: NOTIFY_REQUEST_FLUFFY_MISSING_TX.
type MissingTxsRequest struct {
	ID      xmr.Hash `json:"block_hash"`
	Height  uint64   `json:"current_blockchain_height"`
	Indices []uint64 `json:"missing_tx_indices" epee:"blob"`
}

// PoolRequest requests the transactions of the pool other than these. Source: NOTIFY_GET_TXPOOL_COMPLEMENT.
type PoolRequest struct {
	IDs []xmr.Hash `json:"hashes" epee:"blob"`
}

// Encode encodes a message as the body of a frame.
func Encode(v any) []byte {
	b, err := epee.Marshal(v)
	if err != nil {
		panic(err) // only for types that the format does not support; tests cover all
	}
	return b
}

// Decode decodes the body of a frame into v, a pointer to a type of this package, which then shares memory with body.
// It returns the errors of epee.
func Decode(body []byte, v any) error {
	if n, ok := v.(*TxsNotice); ok {
		n.Fluff = true
	}
	if err := epee.Unmarshal(body, v); err != nil {
		return err
	}
	switch m := v.(type) {
	case *BlockNotice:
		m.Block.mark()
	case *ObjectsResponse:
		for i := range m.Blocks {
			m.Blocks[i].mark()
		}
	}
	return nil
}

// mark marks the transactions of a pruned block, which are encoded as objects, as pruned.
func (b *Block) mark() {
	for i := range b.Txs {
		b.Txs[i].Pruned = b.Pruned
	}
}
