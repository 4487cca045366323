package service

import (
	"context"
	"errors"
	"strings"
	"sync"

	"glim/core/rpc"
)

// Wallets is any number of wallets open at once. The plain path is the service the contract describes, with one wallet open at a
// time; /wallets/NAME/json_rpc is the same service for the wallet NAME alone, whatever else is open. Their calls are
// answered side by side, and a daemon that several use is asked once for all of them. A wallet may be open on both
// paths: it is one wallet all the same.
type Wallets struct {
	*shared
	config Config
	plain  *Service

	mu    sync.Mutex // guards what follows
	named map[string]*named
	run   func(*named) // what goes on without being asked; nil before Run and after it
}

// named is a service for one wallet, there while a wallet is open or a call under way.
type named struct {
	*Service
	calls   int
	running bool
	end     context.CancelFunc // of what runs
}

// NewWallets returns a service without open wallets that uses the daemon d. Errors: *ConfigError, Config.Connect's.
func NewWallets(c Config, d DaemonConfig) (*Wallets, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.setDefaults()
	w := &Wallets{shared: &shared{wallets: map[string]*open{}}, config: c, named: map[string]*named{}}
	if stop := c.Stop; stop != nil {
		c.Stop = func() {
			w.interrupt()
			stop()
		}
	}
	var err error
	w.plain, err = newService(w.shared, c, d)
	return w, err
}

// Plain returns the service of the plain path.
func (w *Wallets) Plain() *Service { return w.plain }

// prefix is what the path of a named wallet begins with.
const prefix = "/wallets/"

// Serve answers one request: /wallets/NAME/PATH for the wallet NAME, any other path for the plain service. Errors: rpc.ErrNoPath,
// the registry's.
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

// enter returns the service of a wallet, made when there is none.
func (w *Wallets) enter(name string) (*named, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.named[name]
	if n == nil {
		s, err := newService(w.shared, w.config, w.plain.initial)
		if err != nil {
			return nil, err
		}
		s.only = name
		n = &named{Service: s, end: func() {}}
		w.named[name] = n
	}
	n.calls++
	return n, nil
}

// leave ends a call. A service whose wallet is closed goes with its last call; one whose wallet is open is kept up to date.
func (w *Wallets) leave(name string, n *named) {
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
		_ = n.Close() // nothing is open; not within mu, for another wallet's opening may take its time
	}
}

// start runs what goes on for n without being asked. The caller holds mu.
func (w *Wallets) start(n *named) {
	if !n.running && w.run != nil {
		n.running = true
		w.run(n)
	}
}

// Run refreshes open wallets automatically until ctx ends.
func (w *Wallets) Run(ctx context.Context) {
	var group sync.WaitGroup
	w.mu.Lock()
	w.run = func(n *named) {
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

// interrupt ends refreshes under way; they go on where they were when their wallet is opened again.
func (s *shared) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.wallets {
		o.cancel()
	}
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
