// Package upstream answers a daemon's operations with the help of daemons elsewhere: it asks one that was named, checks what it
// says as a wallet would, remembers what cannot change, and goes on with the next when one fails.
//
// It opens no socket and reads no clock: a host hands those in. Nothing is asked of a daemon that nobody named, and every answer
// that came from one is marked untrusted: work, the pool, and what was left out are not proven by any check.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"glim/core/daemon"
	"glim/core/internal/flight"
	"glim/core/rpc"
	"glim/core/xmr"
)

// Defaults of Config.
const (
	// DefaultDepth is how many blocks must follow a block before what it says is remembered. No branch of mainnet has been
	// longer than a fifth of it.
	DefaultDepth = 100
	// DefaultMemory is how many bytes are remembered.
	DefaultMemory = 256 << 20
)

// Local is the daemon beside which upstreams are asked: node.Node is one.
type Local interface {
	Registry() *rpc.Registry
	Restricted() *rpc.Registry
}

// Server names a daemon.
type Server struct {
	Address            string // host:port or a URL
	Username, Password string
	Proxy              string // of SOCKS; empty for none
}

// Config says beside what, how and by what means upstreams are asked.
type Config struct {
	Network xmr.Network
	// Local answers what is not about the chain and, while it is not behind, what is.
	Local Local
	// Always asks upstreams whatever the local chain has: for a daemon that has none of its own.
	Always bool
	// Connect makes the way to a daemon, bounded in time and size. A transport with a Close is closed when it is not needed any
	// more.
	Connect func(Server) (rpc.Transport, error)
	// Now returns POSIX seconds.
	Now func() uint64
	// Depth and Memory: 0 for the defaults.
	Depth  uint64
	Memory int
	// Log is told when an upstream fails. Nil for nobody.
	Log *slog.Logger
}

// ErrAuto reports that upstreams were to be chosen automatically.
var ErrAuto = errors.New("upstream: auto is not offered: who runs public daemons can spy on those sent to them; name a daemon")

// Front asks upstreams. It is safe for concurrent use.
type Front struct {
	c      Config
	log    *slog.Logger
	group  flight.Group
	store  *store
	whole  *Service
	guests *Service

	mu      sync.Mutex
	servers []*server
	proxy   string // of servers named later without one
	used    bool   // an upstream was ever asked
	tip     tip
	choice  choice
}

// New returns a front that asks nobody yet: see Name. Errors: Config.Local, Connect or Now is not set.
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
	f.guests = newService(f, c.Local.Restricted(), true)
	return f, nil
}

// Registry returns the operations for callers who may do everything.
func (f *Front) Registry() *Service { return f.whole }

// Restricted returns the operations with the limits for strangers. Serve it with rpc.Options.Restricted.
func (f *Front) Restricted() *Service { return f.guests }

// Name makes these the daemons to ask, the first as long as it is well; an empty address is nobody. The address may be a list with
// commas, of daemons that share login and proxy. Without a proxy that of the last call is used, so that nothing goes around it
// unmeant. Errors: ErrAuto, those of Config.Connect, which leave everything as it was.
func (f *Front) Name(s Server) error {
	var servers []*server
	if s.Proxy == "" {
		s.Proxy = f.usualProxy()
	}
	for _, address := range strings.Split(s.Address, ",") {
		if address = strings.TrimSpace(address); address == "" {
			continue
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
			c.Close() // of connections nobody uses
		}
	}
	f.servers, f.proxy, f.choice, f.tip = servers, s.Proxy, choice{}, tip{}
	f.store.clear() // who comes now may be on another branch
	return nil
}

func (f *Front) usualProxy() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.proxy
}

// plain returns host:port without the scheme and what could be a login.
func plain(address string) string {
	if _, after, found := strings.Cut(address, "://"); found {
		address = after
	}
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		address = address[i+1:]
	}
	return strings.TrimSuffix(address, "/")
}

// address returns the daemon that is asked, or would be; empty when there is none.
func (f *Front) address() string {
	for _, s := range f.order() {
		return s.address
	}
	return ""
}

// choice is whether a local chain is behind, and when that was looked at.
type choice struct {
	at      uint64 // POSIX seconds, 0 for never
	behind  bool
	settled bool // the local chain has caught up, and is asked from then on
}

// How often the heights are compared, in seconds, and how many blocks the local chain may be behind.
// Source: src/rpc/core_rpc_server.cpp of release 0.18, use_bootstrap_daemon_if_necessary.
const (
	compareEvery = 30
	mayLag       = 10
)

// active reports whether questions about the chain go upstream.
func (f *Front) active(ctx context.Context) bool {
	if f.c.Always {
		return true
	}
	now := f.c.Now()
	f.mu.Lock()
	c, none := f.choice, len(f.servers) == 0
	due := !none && !c.settled && (c.at == 0 || now >= c.at+compareEvery)
	if due {
		f.choice.at = now // who comes meanwhile does not wait
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
	if f.choice.at == c.at { // else others were named meanwhile
		f.choice = c
	}
	return c.behind
}
