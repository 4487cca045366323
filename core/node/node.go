// Package node serves the operations of a daemon from a chain of its own.
//
// It opens no socket and reads no clock: a host hands those in and carries requests to the registry, which is also a
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

// rpcVersion is what get_version answers: major · 65536 + minor of the interface served here.
// Source: src/rpc/core_rpc_server_commands_defs.h of release 0.18.5.1, CORE_RPC_VERSION.
const rpcVersion = 3<<16 | 16

// Config is a chain and what the host says about itself.
type Config struct {
	Chain chain.Options
	// Version is what get_info names the program.
	Version string
	// FreeSpace returns the bytes free where the chain is stored, for get_info. Nil when there is no such place.
	FreeSpace func() uint64
	// DatabaseSize returns how many bytes the stored chain takes, for get_info. Nil when it is not stored.
	DatabaseSize func() uint64
	// Connections returns how many clients are connected, for get_info. Nil where nobody counts.
	Connections func() uint64
	// SetLog sets how much is logged, a level, 0 to 4, or categories such as *:WARNING, and returns the categories that hold then; of what
	// is neither it makes what it can. Nil when that is fixed.
	SetLog func(level string) (categories string)
	// Wait returns after d, or with the context's error. Nil where there is no waiting, and so no mining in the background.
	Wait func(ctx context.Context, d time.Duration) error
	// Machine is asked while mining in the background; nil where nobody knows what the machine does, and then there is none.
	Machine *Machine
	// Background says when it may be.
	Background Background
	// HashRate is told how many hashes a second are made, every few seconds while set_log_hash_rate wants that. Nil for nobody.
	HashRate func(perSecond float64)
	// Publisher is told of blocks and transactions as they come. Nil for nobody.
	Publisher Publisher
	// Log receives what happens, or nothing does.
	Log *slog.Logger
	// Micros returns microseconds since some moment, for rpc_access_tracking; nil where nobody measures.
	Micros func() uint64
	// Stop is called when a client asks the daemon to end. Nil when it cannot.
	Stop func()
}

// Node is a daemon. It has no peers until it joins a network.
type Node struct {
	config  Config
	chain   *chain.Chain
	started uint64 // POSIX seconds
	joined  atomic.Pointer[Network]

	settings *settings
	miner    *miner
	tracker  *tracker

	calculating sync.Mutex // held by calc_pow

	whole      *rpc.Registry
	restricted *rpc.Registry
}

// New opens the chain and lists its operations. Errors: those of chain.New.
func New(c Config) (*Node, error) {
	n := new(Node)
	host := c.Chain.Joined
	c.Chain.Joined = func(v chain.View, a chain.Added) {
		if host != nil {
			host(v, a)
		}
		if w := n.network(); w != nil {
			w.Added(a)
		}
		publishBlocks(c.Publisher, v, a)
	}
	pooled := c.Chain.Pooled
	c.Chain.Pooled = func(list []*chain.PoolTx) {
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

// Registry returns the operations for callers who may do everything. It is a transport, too.
func (n *Node) Registry() *rpc.Registry { return n.whole }

// Restricted returns the operations with the limits for strangers. Serve it with rpc.Options.Restricted, which refuses
// the operations that are not for them at all.
func (n *Node) Restricted() *rpc.Registry { return n.restricted }

// Chain returns the chain served.
func (n *Node) Chain() *chain.Chain { return n.chain }

// service are the operations for one kind of callers.
type service struct {
	*Node
	limited bool // whether they are strangers
}

// view calls read with the chain as it is.
func (s service) view(read func(chain.View)) { s.chain.View(read) }

var ok = daemonrpc.Common{Status: daemonrpc.StatusOK}

var metered = daemonrpc.Metered{Common: ok}

func status(text string) daemonrpc.Common { return daemonrpc.Common{Status: text} }

func meteredStatus(text string) daemonrpc.Metered { return daemonrpc.Metered{Common: status(text)} }

func fail(code int, message string) error { return &rpc.Error{Code: code, Message: message} }

// errNotStored tells that the host's store failed, and not where or how, for strangers may hear it.
var errNotStored = fail(daemonrpc.CodeInternal, "Internal error: cannot be stored")

var errHash = errors.New("node: not 64 hexadecimal digits")

// parseHash reads a hash of a request.
func parseHash(s string) (xmr.Hash, error) {
	h, err := xmr.ParseHash(s)
	if err != nil {
		return h, errHash
	}
	return h, nil
}

func toHex(b []byte) string { return hex.EncodeToString(b) }

// wide returns the three members of a 128-bit number: its low half, hexadecimal, its high half.
func wide(d consensus.Difficulty) (uint64, string, uint64) { return d.Lo, d.String(), d.Hi }
