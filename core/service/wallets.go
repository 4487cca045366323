package service

import (
	"context"
	"errors"
	"strings"
	"sync"

	"glim/core/rpc"
)

// Wallets serves any number of open wallets. The default path serves the contract with one wallet open at a time;
// /wallets/NAME/json_rpc serves the wallet NAME, whatever else is open. Calls run concurrently, and all wallets share
// the connection to a daemon. A wallet that is open on both paths is the same wallet.
type Wallets struct {
	*shared
	config Config
	plain  *Service

	mu    sync.Mutex // guards the fields below
	named map[string]*namedService
	run   func(*namedService) // starts automatic refreshing; nil before and after Run
}

// namedService is the service of one wallet. It exists while the wallet is open or a call is running.
type namedService struct {
	*Service
	calls   int
	running bool
	end     context.CancelFunc // ends automatic refreshing
}

// NewWallets returns a service without open wallets that uses the daemon d. It returns a *ConfigError or an error of
// Config.Connect.
func NewWallets(c Config, d DaemonConfig) (*Wallets, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.setDefaults()
	w := &Wallets{shared: &shared{wallets: map[string]*openWallet{}}, config: c, named: map[string]*namedService{}}
	if stop := c.Stop; stop != nil {
		c.Stop = func() {
			w.interrupt()
			stop()
		}
	}
	var err error
	w.plain, err = newService(w.shared, c, d, "")
	return w, err
}

// Default returns the service of the default path.
func (w *Wallets) Default() *Service { return w.plain }

// prefix begins the path of a named wallet.
const prefix = "/wallets/"

// Serve answers one request: /wallets/NAME/PATH for the wallet NAME, any other path for the default service. It
// returns rpc.ErrNoPath or the registry's errors.
func (w *Wallets) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		return w.plain.Serve(ctx, path, body, o)
	}
	name, rest, ok := strings.Cut(rest, "/")
	if !ok || name == "" {
		return nil, rpc.ErrNoPath
	}
	n, err := w.enter(name)
	if err != nil {
		return nil, err
	}
	defer w.leave(name, n)
	return n.Serve(ctx, "/"+rest, body, o)
}

// Follow returns a stream of the events of the wallet with this path: /events, or /wallets/NAME/events. It returns
// rpc.ErrNoPath for another path, or CodeNotOpen.
func (w *Wallets) Follow(path string, cursor uint64) (*EventStream, error) {
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		if path != "/events" {
			return nil, rpc.ErrNoPath
		}
		return w.plain.Follow(cursor)
	}
	name, rest, ok := strings.Cut(rest, "/")
	if !ok || name == "" || rest != "events" {
		return nil, rpc.ErrNoPath
	}
	n, err := w.enter(name)
	if err != nil {
		return nil, err
	}
	defer w.leave(name, n)
	return n.Follow(cursor)
}

// enter returns the service of a wallet, and creates it if necessary.
func (w *Wallets) enter(name string) (*namedService, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.named[name]
	if n == nil {
		s, err := newService(w.shared, w.config, w.plain.initial, name)
		if err != nil {
			return nil, err
		}
		n = &namedService{Service: s, end: func() {}}
		w.named[name] = n
	}
	n.calls++
	return n, nil
}

// leave ends a call. It removes the service of a closed wallet after its last call, and starts automatic refreshing of
// an open wallet.
func (w *Wallets) leave(name string, n *namedService) {
	w.mu.Lock()
	n.calls--
	_, err := n.current()
	idle := err != nil && n.calls == 0
	if idle {
		delete(w.named, name)
		n.end()
	} else if err == nil {
		w.start(n)
	}
	w.mu.Unlock()
	if idle {
		_ = n.Close() // nothing is open; outside mu, because opening another wallet may take long
	}
}

// start runs the automatic refresh of n. The caller holds mu.
func (w *Wallets) start(n *namedService) {
	if !n.running && w.run != nil {
		n.running = true
		w.run(n)
	}
}

// Run refreshes open wallets automatically until ctx ends.
func (w *Wallets) Run(ctx context.Context) {
	var group sync.WaitGroup
	w.mu.Lock()
	w.run = func(n *namedService) {
		var own context.Context
		own, n.end = context.WithCancel(ctx)
		group.Go(func() { n.Run(own) })
	}
	for _, n := range w.named {
		w.start(n)
	}
	w.mu.Unlock()
	w.plain.Run(ctx)
	w.mu.Lock()
	w.run = nil
	w.mu.Unlock()
	group.Wait()
}

// Close closes every open wallet.
func (w *Wallets) Close() error {
	w.mu.Lock()
	err := w.plain.Close()
	for name, n := range w.named {
		delete(w.named, name)
		n.end()
		err = errors.Join(err, n.Close())
	}
	w.mu.Unlock()
	return err
}
