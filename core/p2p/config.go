package p2p

import (
	"io"
	"time"

	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// Config configures a Machine.
type Config struct {
	// Network is the network to join. Peers compare it first.
	Network xmr.Network
	// Chain is the chain to synchronise with peers.
	Chain Chain
	// Random is the source of identities, orders and delays. Only the machine reads it.
	Random io.Reader
	// State holds the bytes of the last Save action, or nothing. Invalid bytes count as nothing.
	State []byte

	// Out and In limit the number of connections of each direction; negative for the defaults, DefaultOut and no limit.
	Out, In int
	// PerHost limits the incoming connections of one host; 0 for 1. With AllowLocal, loopback hosts have no limit.
	PerHost int
	// Port is the port announced to peers; 0 announces none (--hide-my-port).
	Port uint16
	// RPCPort is announced to peers as a public RPC service; 0 announces none.
	RPCPort uint16
	// Offline disables all connections.
	Offline bool
	// AllowLocal allows private and loopback addresses in lists of peers. Those given below are used in any case.
	AllowLocal bool
	// NoSync disables requests for blocks (--no-sync).
	NoSync bool
	// PadTransactions pads messages with transactions to similar lengths (--pad-transactions).
	PadTransactions bool

	// Exclusive, if not empty, are the only peers to connect to. The host resolves host names, here and below.
	Exclusive []netaddr.Address
	// Priority are connected before all others, and kept connected.
	Priority []netaddr.Address
	// Peers are added to the list of known peers.
	Peers []netaddr.Address
	// Seeds are asked for peers while too few are known.
	Seeds []netaddr.Address

	// BlocksAtOnce is the number of blocks in one request; 0 for DefaultBlocks (--block-sync-size).
	BlocksAtOnce int
	// QueueBytes limits the size of fetched blocks that are not yet verified; 0 for DefaultQueue
	// (--block-download-max-size).
	QueueBytes int
	// BatchBytes, if not 0, limits the expected size of the blocks in one request, but one block is always requested
	// (--batch-max-weight).
	BatchBytes int
	// Ahead, if not 0, limits the fetched blocks that are not yet verified to those that are verified in this time, but
	// not below ten requests (--span-limit).
	Ahead time.Duration
}

// Defaults of Config. Source: src/cryptonote_config.h, P2P_DEFAULT_CONNECTIONS_COUNT,
// BLOCKS_SYNCHRONIZING_DEFAULT_COUNT; src/cryptonote_protocol/cryptonote_protocol_handler.inl,
// BLOCK_QUEUE_SIZE_THRESHOLD.
const (
	DefaultOut    = 12
	DefaultBlocks = 20
	DefaultQueue  = 100 << 20
)
