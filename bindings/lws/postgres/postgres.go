// Package postgres runs light-wallet servers on several machines that share their accounts in a PostgreSQL database.
// Each process scans for a share of the accounts, and all answer requests for every account. The accounts of a process
// that ends move to the others within seconds.
//
// The accounts are divided into 64 parts by a hash of their address. Each part has a row with the epoch of the share
// that it belongs to, and each process has a row with the epoch of its share and the end of its lease, by the clock of
// the database. A process that takes parts gives them a new epoch. Each commit locks the rows of its parts and compares
// the epoch, so that a process whose parts were taken while it was paused cannot write.
package postgres

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	local "glim/bindings/lws"
	"glim/bindings/native"
	"glim/core/daemon"
	"glim/core/lws"
)

// Config configures a Server.
type Config struct {
	local.Config // Folder has the key files only
	// URL is the address of the database, without a password: pgx reads that from ~/.pgpass or the file that PGPASSFILE
	// names.
	URL string
	// Lease is after how long other processes take the accounts of one that does not answer; 0 means five seconds.
	Lease time.Duration
}

// Server is one of the processes that share the accounts in a database.
type Server struct {
	cfg  Config
	d    *database
	auth local.Key
	node *node
	// reading bounds the accounts that are read from the database at the same time.
	reading chan struct{}
	// hooking is held while the webhooks for new accounts are read or changed.
	hooking sync.Mutex

	mu      sync.RWMutex
	current *held
}

// held is a share with the service that scans for it.
type held struct {
	*share
	service *local.Service
}

// Open connects to the database, creates its tables if they are missing, and takes a share of the accounts. It returns
// ErrURL, ErrPassword, ErrVersion, the errors of local.ReadKey and local.OpenOn, or an error of the database.
func Open(ctx context.Context, cfg Config) (s *Server, err error) {
	if cfg.Lease == 0 {
		cfg.Lease = 5 * time.Second
	}
	if err := os.MkdirAll(cfg.Folder, 0o700); err != nil {
		return nil, err
	}
	cfg.SetDefaults()
	d, err := connect(ctx, cfg.URL, cfg.Lease)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	s = &Server{
		cfg: cfg, d: d, node: &node{Node: daemon.New(cfg.Daemon)}, reading: make(chan struct{}, maxConnections),
	}
	isNew, err := d.isNew(ctx)
	if err != nil {
		return nil, err
	}
	key, err := local.ReadKey(cfg.KeyFile, isNew, cfg.Random)
	if err != nil {
		return nil, err
	}
	if s.auth, err = local.ReadKey(cfg.AdminKeyFile, true, cfg.Random); err != nil {
		return nil, err
	}
	if err := d.identify(ctx, local.NewSealer(key, cfg.Random), cfg.Network); err != nil {
		return nil, err
	}
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Place describes the database, without a login.
func (s *Server) Place() string { return s.d.place }

// take replaces the share by one of the parts that are there now.
func (s *Server) take(ctx context.Context) error {
	s.mu.RLock()
	was := s.current
	s.mu.RUnlock()
	old := int64(0)
	if was != nil {
		old = was.epoch
	}
	next, err := s.d.join(ctx, old)
	if err != nil {
		return err
	}
	cfg := s.cfg.Config
	cfg.MayCall = next.fresh
	service, err := local.OpenOn(cfg, &store{share: next, network: s.cfg.Network}, s.auth)
	if err != nil {
		next.end()
		return errors.Join(err, s.d.leave(ctx, next.epoch))
	}
	s.mu.Lock()
	s.current = &held{next, service}
	s.mu.Unlock()
	s.cfg.Log.Info("accounts divided", "parts", len(next.parts), "of", parts)
	return nil
}

// Run scans for the accounts of the share until ctx ends, and takes other shares when processes come and go.
func (s *Server) Run(ctx context.Context) {
	last := ""
	for ctx.Err() == nil {
		s.mu.RLock()
		now := s.current
		s.mu.RUnlock()
		if now.ctx.Err() == nil {
			s.scan(ctx, now)
		}
		if ctx.Err() != nil {
			return
		}
		err := s.take(ctx)
		switch {
		case err == nil:
			last = ""
		case err.Error() != last:
			s.cfg.Log.Error("cannot take a share of the accounts; retrying", "error", err)
			last = err.Error()
		}
		if err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(s.cfg.Lease / renewals):
			}
		}
	}
}

// scan scans for the accounts of a share, and does the errands for it, until it is lost or ctx ends.
func (s *Server) scan(ctx context.Context, h *held) {
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(h.ctx, cancel)()
	var both sync.WaitGroup
	both.Go(func() { h.service.Run(ctx) })
	both.Go(func() { s.followHooks(ctx, h) })
	both.Go(func() {
		for ctx.Err() == nil {
			if err := h.errands(ctx, h.service); err != nil {
				s.cfg.Log.Error("a request of another process was dropped", "error", err)
			}
		}
	})
	<-ctx.Done()
	cancel()
	both.Wait()
	h.end()
	if cause := context.Cause(h.ctx); !errors.Is(cause, errLost) {
		s.cfg.Log.Error("the database failed; accounts are read from it again", "error", cause)
	}
}

// Close frees the accounts for other processes and disconnects. Run must have returned, and the servers must be shut
// down.
func (s *Server) Close() error {
	s.mu.RLock()
	h := s.current
	s.mu.RUnlock()
	h.end()
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Lease)
	defer cancel()
	err := s.d.leave(ctx, h.epoch)
	s.d.close()
	return err
}

// Top returns the index of the last block of the daemon's chain.
func (s *Server) Top() uint64 { return s.held().service.Book.Top() }

func (s *Server) held() *held {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.current
}

// Server returns the server of the wallets' interface, like local.Service.Server.
func (s *Server) Server(prefix string) *native.Server { return s.cfg.NewServer(prefix, wallets{s}) }

// AdminServer returns the server of the administrators' interface, like local.Service.AdminServer.
func (s *Server) AdminServer(prefix string) *native.Server {
	return s.cfg.NewAdminServer(prefix, administrators{s})
}

// node caches the fees of the daemon, so that requests for accounts of other processes cannot flood it.
type node struct {
	lws.Node

	mu    sync.Mutex
	fees  []uint64
	mask  uint64
	until time.Time
}

// feeLife is how long fees are cached, as in core/lws.
const feeLife = 5 * time.Second

// FeeEstimate implements lws.Node.
func (n *node) FeeEstimate(ctx context.Context) ([]uint64, uint64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if time.Now().Before(n.until) {
		return slices.Clone(n.fees), n.mask, nil
	}
	fees, mask, err := n.Node.FeeEstimate(ctx)
	if err == nil {
		n.fees, n.mask, n.until = slices.Clone(fees), mask, time.Now().Add(feeLife)
	}
	return fees, mask, err
}
