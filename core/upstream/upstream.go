// Package upstream serves a daemon's operations from configured remote daemons. It checks their responses as a wallet
// does, caches data of deeply buried blocks, and uses the next daemon if one fails.
//
// It opens no socket and reads no clock: the host provides connections and the time. Requests are sent to configured
// daemons only. Every response from one is marked untrusted, because no check proves the proof of work, the contents of
// the pool, or that the response is complete.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"glim/core/daemon"
	"glim/core/internal/flight"
	"glim/core/rpc"
	"glim/core/xmr"
)

// Defaults of Config.
const (
	// DefaultDepth is the number of blocks that must follow a block before its data are cached. No reorganisation of
	// mainnet has been deeper than a fifth of it.
	DefaultDepth = 100
	// DefaultMemory is the size limit of the cache in bytes.
	DefaultMemory = 256 << 20
)

// Local is the local daemon; node.Node implements it.
type Local interface {
	Registry() *rpc.Registry
	Restricted() *rpc.Registry
}

// Server is the address of a daemon, with login and proxy.
type Server struct {
	Address            string // host:port or a URL
	Username, Password string
	Proxy              string // SOCKS proxy; empty for none
}

// Config configures a Front. New requires Local, Connect and Now.
type Config struct {
	Network xmr.Network
	// Local serves requests that do not concern the chain and, unless its chain is behind, the others too.
	Local Local
	// Always uses the upstreams whatever the state of the local chain: for a daemon without a chain.
	Always bool
	// Connect returns a transport to a daemon that limits the duration of requests and the size of responses. A
	// transport with a Close method is closed when it is no longer needed.
	Connect func(Server) (rpc.Transport, error)
	// Now returns the time in POSIX seconds.
	Now func() uint64
	// Depth is a number of blocks, Memory a number of bytes: see DefaultDepth and DefaultMemory, which replace 0.
	Depth  uint64
	Memory int
	// Log receives failures of upstreams. May be nil.
	Log *slog.Logger
}

// ErrAuto reports a request to choose upstreams automatically (address "auto").
var ErrAuto = errors.New(
	"upstream: auto is not supported, because operators of public daemons may spy on their users; name a daemon",
)

// MaxServers is the number of daemons that Name takes: each has connections and buffers of its own.
const MaxServers = 64

// ErrServers reports more than MaxServers daemons.
var ErrServers = errors.New("upstream: at most " + strconv.Itoa(MaxServers) + " daemons can be named")

// Front serves operations from upstreams or the local daemon. It is safe for concurrent use.
type Front struct {
	c          Config
	log        *slog.Logger
	group      flight.Group
	store      *store
	whole      *Service
	restricted *Service

	mu      sync.Mutex
	servers []*server
	proxy   string // default for servers that Name receives without one
	used    bool   // an upstream has received a request
	tip     tip
	choice  choice
}

// New returns a front without upstreams; Name sets them. It returns an error if Config.Local, Connect or Now is not
// set.
func New(c Config) (*Front, error) {
	switch {
	case c.Local == nil:
		return nil, errors.New("upstream: Config.Local is not set")
	case c.Connect == nil:
		return nil, errors.New("upstream: Config.Connect is not set")
	case c.Now == nil:
		return nil, errors.New("upstream: Config.Now is not set")
	}
	if c.Depth == 0 {
		c.Depth = DefaultDepth
	}
	if c.Memory == 0 {
		c.Memory = DefaultMemory
	}
	f := &Front{c: c, log: c.Log, store: newStore(c.Memory)}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	f.whole = newService(f, c.Local.Registry(), false)
	f.restricted = newService(f, c.Local.Restricted(), true)
	return f, nil
}

// Registry returns the service for unrestricted callers.
func (f *Front) Registry() *Service { return f.whole }

// Restricted returns the service with the limits of restricted RPC. Serve it with rpc.Options.Restricted.
func (f *Front) Restricted() *Service { return f.restricted }

// Name sets the upstreams; the first one that works receives the requests. The address may be a comma-separated list of
// daemons that share login and proxy; an empty address removes all upstreams. Without a proxy, the proxy of the
// previous call is used, so that no request bypasses it by accident. It returns ErrAuto, ErrServers or the error of
// Config.Connect, and then changes nothing.
func (f *Front) Name(s Server) error {
	var servers []*server
	if s.Proxy == "" {
		s.Proxy = f.usualProxy()
	}
	for address := range strings.SplitSeq(s.Address, ",") {
		if address = strings.TrimSpace(address); address == "" {
			continue
		}
		if len(servers) == MaxServers {
			return ErrServers
		}
		if strings.EqualFold(address, "auto") {
			return ErrAuto
		}
		one := s
		one.Address = address
		transport, err := f.c.Connect(one)
		if err != nil {
			return fmt.Errorf("upstream: %w", err)
		}
		servers = append(servers, &server{address: plain(address), transport: transport, client: daemon.New(transport)})
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, old := range f.servers {
		if c, ok := old.transport.(interface{ Close() }); ok {
			c.Close()
		}
	}
	f.servers, f.proxy, f.choice, f.tip = servers, s.Proxy, choice{}, tip{}
	f.store.clear() // the new upstreams may be on another branch
	return nil
}

func (f *Front) usualProxy() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.proxy
}

// plain returns host:port, without scheme and login.
func plain(address string) string {
	if _, after, found := strings.Cut(address, "://"); found {
		address = after
	}
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		address = address[i+1:]
	}
	return strings.TrimSuffix(address, "/")
}

// address returns the address of the preferred upstream, or "" without upstreams.
func (f *Front) address() string {
	for _, s := range f.order() {
		return s.address
	}
	return ""
}

// choice records whether the local chain is behind, and when the heights were compared.
type choice struct {
	at      uint64 // POSIX seconds, 0 for never
	behind  bool
	settled bool // the local chain has caught up and is used from then on
}

// Interval between comparisons of the heights, in seconds, and the number of blocks the local chain may be behind.
// Source: src/rpc/core_rpc_server.cpp of release 0.18, use_bootstrap_daemon_if_necessary.
const (
	compareEvery = 30
	mayLag       = 10
)

// active reports whether requests about the chain are sent to upstreams.
func (f *Front) active(ctx context.Context) bool {
	if f.c.Always {
		return true
	}
	now := f.c.Now()
	f.mu.Lock()
	c, none := f.choice, len(f.servers) == 0
	due := !none && !c.settled && (c.at == 0 || now >= c.at+compareEvery)
	if due {
		f.choice.at = now // concurrent callers do not wait
	}
	f.mu.Unlock()
	if !due {
		return !none && !c.settled && c.behind
	}
	c.at = now
	if there, err := f.info(ctx); err == nil {
		if here, err := f.localHeight(ctx); err == nil {
			c.behind = here+mayLag < there.Height
			c.settled = !c.behind
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.choice.at == c.at { // otherwise Name has set other upstreams meanwhile
		f.choice = c
	}
	return c.behind
}
