// Package node is a daemon with a chain of its own: it serves the daemon's RPC operations.
//
// It opens no sockets and reads no clock. The host provides those, and passes requests to the registry, which is also a
// transport for clients in the same process.
package node

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/xmr"
)

// rpcVersion is the version in get_version: major · 65536 + minor.
// Source: src/rpc/core_rpc_server_commands_defs.h of release 0.18.5.1, CORE_RPC_VERSION.
const rpcVersion = 3<<16 | 16

// Config is the chain and the functions that the host provides.
type Config struct {
	Chain chain.Options
	// Version is the program's version in get_info.
	Version string
	// FreeSpace returns the free bytes where the chain is stored, for get_info. May be nil.
	FreeSpace func() uint64
	// DatabaseSize returns the size of the stored chain in bytes, for get_info. Nil for a chain in memory.
	DatabaseSize func() uint64
	// Connections returns the number of connected clients, for get_info. May be nil.
	Connections func() uint64
	// SetLog sets the log level, 0 to 4, or log categories such as *:WARNING, and returns the resulting categories.
	// Invalid ones are ignored. May be nil.
	SetLog func(level string) (categories string)
	// Wait returns after d, or with the error of ctx. May be nil, which disables background mining.
	Wait func(ctx context.Context, d time.Duration) error
	// Machine provides the state of the machine for background mining. May be nil, which disables it.
	Machine *Machine
	// Background configures background mining.
	Background Background
	// HashRate is called every few seconds with the hash rate while set_log_hash_rate enables it. May be nil.
	HashRate func(perSecond float64)
	// Publisher is notified of blocks and transactions. May be nil.
	Publisher Publisher
	// Log is the log. May be nil.
	Log *slog.Logger
	// Micros returns the microseconds since some moment, for rpc_access_tracking. May be nil.
	Micros func() uint64
	// Stop is called when a client stops the daemon. May be nil.
	Stop func()
}

// Node is a daemon. It has no peers until Join is called.
type Node struct {
	config  Config
	chain   *chain.Chain
	started uint64 // POSIX seconds
	joined  atomic.Pointer[Network]

	settings *settings
	miner    *miner
	tracker  *tracker

	calculating sync.Mutex // held by calc_pow

	pruning sync.Mutex // held by prune_blockchain

	whole      *rpc.Registry
	restricted *rpc.Registry
}

// New opens the chain. It returns the errors of chain.New.
func New(c Config) (*Node, error) {
	n := new(Node)
	host := c.Chain.OnBlockAdded
	c.Chain.OnBlockAdded = func(v chain.View, a chain.Added) {
		if host != nil {
			host(v, a)
		}
		if w := n.network(); w != nil {
			w.BlockAdded(a)
		}
		publishBlocks(c.Publisher, v, a)
	}
	pooled := c.Chain.OnPoolAdded
	c.Chain.OnPoolAdded = func(list []*chain.PoolTx) {
		if pooled != nil {
			pooled(list)
		}
		publishPool(c.Publisher, list)
	}
	held, err := chain.New(c.Chain)
	if err != nil {
		return nil, err
	}
	c.Background.setDefaults()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	n.config, n.chain, n.started, n.settings, n.miner = c, held, c.Chain.Now(), newSettings(), new(miner)
	n.tracker = &tracker{micros: c.Micros, uses: map[string]daemonrpc.RPCUse{}}
	n.whole = register(service{n, false})
	n.restricted = register(service{n, true})
	return n, nil
}

// Registry returns the unrestricted operations. The registry is also a transport.
func (n *Node) Registry() *rpc.Registry { return n.whole }

// Restricted returns the operations with the limits of restricted RPC. Serve it with rpc.Options.Restricted, which
// rejects operations that are not available at all.
func (n *Node) Restricted() *rpc.Registry { return n.restricted }

// Chain returns the chain.
func (n *Node) Chain() *chain.Chain { return n.chain }

// service implements the operations, unrestricted or restricted.
type service struct {
	*Node
	limited bool // restricted
}

// view calls read with a view of the chain.
func (s service) view(read func(chain.View)) { s.chain.View(read) }

var ok = daemonrpc.Common{Status: daemonrpc.StatusOK}

var metered = daemonrpc.Metered{Common: ok}

func status(text string) daemonrpc.Common { return daemonrpc.Common{Status: text} }

func meteredStatus(text string) daemonrpc.Metered { return daemonrpc.Metered{Common: status(text)} }

func fail(code int, message string) error { return &rpc.Error{Code: code, Message: message} }

// errNotStored reports that storing failed, without details, because any client may see it.
var errNotStored = fail(daemonrpc.CodeInternal, "Internal error: cannot be stored")

var errHash = errors.New("node: not 64 hexadecimal digits")

// parseHash parses a hash of a request.
func parseHash(s string) (xmr.Hash, error) {
	h, err := xmr.ParseHash(s)
	if err != nil {
		return h, errHash
	}
	return h, nil
}

func toHex(b []byte) string { return hex.EncodeToString(b) }

// wide returns the three JSON fields of a 128-bit number: the low half, hexadecimal digits, and the high half.
func wide(d consensus.Difficulty) (uint64, string, uint64) { return d.Lo, d.String(), d.Hi }
