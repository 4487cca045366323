package p2p

import (
	"io"

	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// Config is what a Machine is told when it is made.
type Config struct {
	// Network is which network it joins; the first thing peers compare.
	Network xmr.Network
	// Chain is what it keeps the same as its peers'.
	Chain Chain
	// Random makes identities, orders and delays. The machine alone reads it.
	Random io.Reader
	// State is what the last Save action held, or nothing. What cannot be read is as nothing.
	State []byte

	// Out and In bound how many connections of each kind there are; negative for the defaults, DefaultOut and no limit.
	Out, In int
	// PerHost bounds how many incoming connections one host has, at least 1; 0 for 1. Loopback hosts have no bound when AllowLocal.
	PerHost int
	// Port is where this daemon is reached; 0 tells nobody (--hide-my-port).
	Port uint16
	// RPCPort is told to peers as a public service; 0 for none.
	RPCPort uint16
	// Offline: call nobody and let nobody in.
	Offline bool
	// AllowLocal: addresses of private networks and of this machine may be in lists of peers. Those named below are called anyway.
	AllowLocal bool
	// NoSync: ask nobody for blocks (--no-sync).
	NoSync bool
	// PadTransactions makes notes of transactions look alike in length (--pad-transactions).
	PadTransactions bool

	// Exclusive, when there are any, are the only peers that are called. Host names are resolved by the host, here and below.
	Exclusive []netaddr.Address
	// Priority are called before all others and kept connected.
	Priority []netaddr.Address
	// Peers are put into the list of peers as if they had been told.
	Peers []netaddr.Address
	// Seeds are asked for peers while too few are known.
	Seeds []netaddr.Address

	// BlocksAtOnce is how many blocks are asked for in one request; 0 for DefaultBlocks (--block-sync-size).
	BlocksAtOnce int
	// QueueBytes bounds blocks that are fetched and not judged yet; 0 for DefaultQueue (--block-download-max-size).
	QueueBytes int
}

// Defaults of Config. Source: src/cryptonote_config.h, P2P_DEFAULT_CONNECTIONS_COUNT, BLOCKS_SYNCHRONIZING_DEFAULT_COUNT;
// src/cryptonote_protocol/cryptonote_protocol_handler.inl, BLOCK_QUEUE_SIZE_THRESHOLD.
const (
	DefaultOut    = 12
	DefaultBlocks = 20
	DefaultQueue  = 100 << 20
)
