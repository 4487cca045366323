package main

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	"glim/bindings/app"
	"glim/bindings/native"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/rpc/digest"
)

// checkLimit is how long a node may take to answer a check.
const checkLimit = 30 * time.Second

// appEngine is the wallet service of `glim app`. Another node means another service: nothing that one node said is
// used with another.
type appEngine struct {
	ctx context.Context
	env serviceEnv

	mu      sync.RWMutex // guards the fields below; held for writing while there is no service
	cfg     AppConfig
	none    bool // no node
	running native.Service
	end     func(context.Context) error
	calls   sync.WaitGroup
	limit   context.Context // of the calls of the running service
	cancel  context.CancelFunc
}

var errEnding = errors.New("the service ends")

func newAppEngine(ctx context.Context, cfg AppConfig, env serviceEnv) (*appEngine, error) {
	e := &appEngine{ctx: ctx, env: env, cfg: cfg}
	return e, e.start()
}

// start starts a service with the node of the configuration. The caller holds mu, or is the only one.
func (e *appEngine) start() (err error) {
	cfg := e.cfg.WalletRPCConfig
	cfg.Offline = cfg.Offline || e.none
	e.limit, e.cancel = context.WithCancel(context.WithoutCancel(e.ctx))
	e.running, e.end, err = openService(e.ctx, cfg, e.env)
	return err
}

// stop lets running calls finish, and closes all wallets. The caller holds mu, or is the only one.
func (e *appEngine) stop() error {
	if e.running == nil {
		return nil
	}
	late := time.AfterFunc(graceful, e.cancel)
	defer late.Stop()
	e.calls.Wait()
	e.cancel()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.ctx), graceful)
	defer cancel()
	e.running = nil
	return e.end(ctx)
}

func (e *appEngine) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stop()
}

// enter returns the running service for a call, which ends with leave.
func (e *appEngine) enter() (s native.Service, limit context.Context, err error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.running == nil {
		return nil, nil, errEnding
	}
	e.calls.Add(1)
	return e.running, e.limit, nil
}

// Serve implements native.Service.
func (e *appEngine) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	s, limit, err := e.enter()
	if err != nil {
		return nil, err
	}
	defer e.calls.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(limit, cancel)()
	return s.Serve(ctx, path, body, o)
}

// follow is native.ServerConfig.Events.
func (e *appEngine) follow(path string, cursor uint64) (native.EventStream, error) {
	s, _, err := e.enter()
	if err != nil {
		return nil, err
	}
	defer e.calls.Done()
	return eventsOf(s)(path, cursor)
}

// Node implements app.Nodes.
func (e *appEngine) Node() app.Node {
	e.mu.RLock()
	defer e.mu.RUnlock()
	n := app.Node{Username: e.cfg.DaemonLogin.Username, Trusted: e.cfg.TrustedDaemon, Chosen: e.cfg.chosenNode}
	if !e.none && !e.cfg.Offline {
		n.Address = withScheme(e.cfg.DaemonAddress)
	}
	if e.cfg.TxDaemon != "" {
		n.Sending = withScheme(e.cfg.TxDaemon)
	}
	return n
}

// withScheme returns the address of a daemon as a URL.
func withScheme(address string) string {
	if strings.Contains(address, "://") {
		return address
	}
	return "http://" + address
}

// Choose implements app.Nodes.
func (e *appEngine) Choose(_ context.Context, n app.NodeChoice) error {
	if err := errors.Join(validNode(n), validNode(app.NodeChoice{Address: n.Sending})); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cfg.Offline && n.Address != "" {
		return errors.Join(app.ErrNode, errors.New("glim app was started with --offline"))
	}
	before, hadNone := e.cfg, e.none
	err := e.stop()
	e.none = n.Address == ""
	e.cfg.chosenNode = true
	e.cfg.DaemonAddress, e.cfg.TrustedDaemon, e.cfg.TxDaemon = n.Address, n.Trusted, n.Sending
	e.cfg.DaemonLogin = digest.NewLogin(n.Username, n.Password)
	if failed := e.start(); failed != nil {
		e.cfg, e.none = before, hadNone
		return errors.Join(err, failed, e.start())
	}
	return err
}

// validNode returns an error wrapping app.ErrNode for an address that is neither empty nor http(s)://host:port.
func validNode(n app.NodeChoice) error {
	if n.Address == "" {
		return nil
	}
	u, err := url.Parse(n.Address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return errors.Join(app.ErrNode, errors.New("the address must be http(s)://host:port"))
	}
	return nil
}

// Check implements app.Nodes.
func (e *appEngine) Check(ctx context.Context, n app.NodeChoice) ([]byte, error) {
	if err := validNode(n); err != nil {
		return nil, err
	}
	e.mu.RLock()
	cfg, used := e.cfg, e.cfg.DaemonAddress
	e.mu.RUnlock()
	if n.Password == "" && withScheme(used) == n.Address && n.Username == cfg.DaemonLogin.Username {
		n.Password = cfg.DaemonLogin.Password() // the page does not keep it
	}
	d := daemonOf(cfg.WalletRPCConfig)
	d.Address, d.Username, d.Password, d.Proxy = n.Address, n.Username, n.Password, cfg.Proxy
	t, err := native.DaemonTransport(d, cfg.Network.DaemonPort(), cfg.DaemonTLS.AllowChained)
	if err != nil {
		return nil, errors.Join(app.ErrNode, err)
	}
	if c, ok := t.(interface{ Close() }); ok {
		defer c.Close()
	}
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	info, err := rpc.Call(ctx, t, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	switch {
	case errors.Is(err, native.ErrUnlogged):
		return nil, errors.Join(app.ErrLogin, err)
	case err != nil:
		return nil, errors.Join(app.ErrNode, err)
	}
	return rpc.Encode(&info)
}

var _ interface {
	native.Service
	app.Nodes
} = (*appEngine)(nil)
