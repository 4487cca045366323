// Package service is the wallet service: it implements every operation of the contract on the open wallet.
package service

import (
	"context"
	"sync"

	"glim/core/rpc"
	"glim/core/walletrpc"
)

// Service implements the wallet operations. Its methods may be called from any goroutine.
type Service struct {
	*active
	config     Config
	operations *operations
	registry   *rpc.Registry

	gone sync.Once
}

// New returns a service without an open wallet that uses the daemon d. It returns a *ConfigError or an error of
// Config.Connect.
func New(c Config, d DaemonConfig) (*Service, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.setDefaults()
	return newService(&shared{wallets: map[string]*openWallet{}}, c, d, "")
}

// newService returns a service for the wallet called only, or for any wallet if only is empty.
func newService(with *shared, c Config, d DaemonConfig, only string) (*Service, error) {
	a := &active{
		shared: with, dialer: c.dialer(), initial: d, log: c.Log, releaseMemory: c.ReleaseMemory,
		autoRefresh: DefaultAutoRefresh, changed: make(chan struct{}),
	}
	var err error
	if a.conn, err = with.connect(a.dialer, d); err != nil {
		return nil, err
	}
	s := &Service{active: a, config: c}
	s.assemble(only)
	return s, nil
}

// assemble makes the operations from the configuration.
func (s *Service) assemble(only string) {
	s.operations = newOperations(&s.config, s.active, only)
	s.registry = s.operations.register()
}

// Registry returns the operations, for a server or a caller in the same process.
func (s *Service) Registry() *rpc.Registry { return s.registry }

// Serve answers one request. Source of the denial: src/wallet/wallet_rpc_server.cpp, restricted mode.
func (s *Service) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	o.Deny = walletrpc.Fail(walletrpc.CodeDenied, "")
	return s.registry.Serve(ctx, path, body, o)
}

// Close closes the open wallet and the connection to the daemon. The service cannot be used afterwards.
func (s *Service) Close() error {
	s.shared.files.Lock()
	err := s.replace(nil)
	s.shared.files.Unlock()
	s.gone.Do(func() { s.shared.disconnect(s.connection()) })
	return err
}

// Follow returns a stream of the open wallet's events after cursor. It ends when another wallet is opened. It returns
// CodeNotOpen if no wallet is open.
func (s *Service) Follow(cursor uint64) (*EventStream, error) {
	o, err := s.current()
	if err != nil {
		return nil, err
	}
	f := o.follow(cursor)
	f.s = s.active
	return f, nil
}

// Open opens the wallet called name in files, for a host that selects a wallet at its start. It returns the errors of
// open_wallet.
func (s *Service) Open(files Files, name, password string) error {
	return s.operations.files.open(files, name, password)
}

// Run refreshes the open wallet automatically until ctx ends.
func (s *Service) Run(ctx context.Context) { s.operations.automatic.run(ctx) }
