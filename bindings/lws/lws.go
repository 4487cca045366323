package lws

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"glim/bindings/native"
	"glim/bindings/native/webhook"
	"glim/core/daemon"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/rpc"
	"glim/core/syncer"
	"glim/core/xmr"
)

// Config configures a Service.
type Config struct {
	Network xmr.Network
	Folder  string // of the database
	KeyFile string // opens the database; empty for lws.key in Folder
	// AdminKeyFile has the "auth" of administrators' requests; empty for lws-admin.key in Folder. NoAdminAuth accepts
	// requests without it.
	AdminKeyFile string
	NoAdminAuth  bool

	Daemon    rpc.Transport
	Untrusted bool          // compare whole transactions with their IDs
	Poll      time.Duration // between requests for new blocks; 0 means two seconds
	Workers   int           // goroutines that scan; 0 means one

	MaxSubaddresses uint32
	MaxRequests     int // 0 for the default
	MaxAccounts     int // 0 for the default
	AcceptCreation  bool
	AcceptImport    bool
	Calls           Calls // of webhooks
	Rates           Rates // exchange rates
	// MayCall, if not nil, says whether webhooks may be called now: not while another process may call them.
	MayCall func() bool

	Origins []string // web origins that may read responses
	Limits  native.ServerLimits
	Random  io.Reader
	Log     *slog.Logger // may be nil
	Version string       // of the program
}

// Service is a light-wallet server with its database.
type Service struct {
	Book *lws.Book

	cfg    Config
	store  Stored
	source *Source
	api    *lws.API
	admin  *lws.Admin
	caller *caller
	rates  *rates // nil without exchange rates
}

// Stored is a database with a Book.
type Stored interface {
	lws.Store
	Close() error
}

// Now returns the time in POSIX seconds.
func Now() uint64 { return uint64(time.Now().Unix()) }

// logOf returns log, or a logger that discards everything if log is nil.
func logOf(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}

// SetDefaults sets the fields that are empty and have a default.
func (cfg *Config) SetDefaults() {
	cfg.Log = logOf(cfg.Log)
	if cfg.Poll == 0 {
		cfg.Poll = 2 * time.Second
	}
	if cfg.KeyFile == "" {
		cfg.KeyFile = filepath.Join(cfg.Folder, "lws.key")
	}
	if cfg.AdminKeyFile == "" {
		cfg.AdminKeyFile = filepath.Join(cfg.Folder, "lws-admin.key")
	}
}

// Open opens the database, or creates it with its keys, and locks it until Close. It returns the errors of OpenStore,
// ReadKey and lws.Open.
func Open(cfg Config) (*Service, error) {
	cfg.SetDefaults()
	if err := os.MkdirAll(cfg.Folder, 0o700); err != nil {
		return nil, err
	}
	key, err := ReadKey(cfg.KeyFile, !StoreExists(cfg.Folder), cfg.Random)
	if err != nil {
		return nil, err
	}
	auth, err := ReadKey(cfg.AdminKeyFile, true, cfg.Random)
	if err != nil {
		return nil, err
	}
	store, err := OpenStore(cfg.Folder, key, cfg.Random)
	if err != nil {
		return nil, err
	}
	return OpenOn(cfg, store, auth)
}

// OpenOn returns a service on an open database, which it closes. auth is the "auth" of administrators' requests. It
// returns the errors of lws.Open.
func OpenOn(cfg Config, store Stored, auth Key) (s *Service, err error) {
	cfg.SetDefaults()
	s = &Service{cfg: cfg, store: store}
	workers := syncer.Workers{Count: max(cfg.Workers, 1), LowPriority: native.LowPriority}
	scanner := lws.NewTogether(workers)
	s.Book, err = lws.Open(lws.Options{
		Network: cfg.Network, Store: s.store, Scanner: scanner, Now: Now,
		MaxSubaddresses: cfg.MaxSubaddresses, MaxRequests: cfg.MaxRequests, MaxAccounts: cfg.MaxAccounts,
		AcceptCreation: cfg.AcceptCreation, AcceptImport: cfg.AcceptImport,
	})
	if err != nil {
		return nil, errors.Join(err, s.store.Close())
	}
	client := daemon.New(cfg.Daemon)
	s.source = &Source{Client: client, Network: cfg.Network, Whole: cfg.Untrusted, Workers: workers}
	s.api = &lws.API{Book: s.Book, Node: client, Random: cfg.Random, Now: Now, Version: cfg.Version}
	s.api.CheckURL = s.checkURL
	s.caller = newCaller(s.Book, cfg.Calls, cfg.Log)
	if cfg.Rates.Interval > 0 {
		s.rates = newRates(cfg.Rates)
		s.api.Rates = s.rates.current
	}
	if cfg.MayCall != nil {
		s.caller.may = cfg.MayCall
	}
	s.admin = &lws.Admin{API: s.api, Key: keys.Secret(auth), OpenToAll: cfg.NoAdminAuth}
	return s, nil
}

// Close closes the database. Run must have returned, and the servers must be shut down.
func (s *Service) Close() error { return s.store.Close() }

// checkURL returns webhook.ErrURL for a URL that webhooks cannot call.
func (s *Service) checkURL(url string) error {
	_, err := webhook.Host(url)
	if err == nil {
		webhook.WarnPlain(s.cfg.Log, url)
	}
	return err
}

// Run reads blocks, calls webhooks and asks for exchange rates until ctx ends. It logs failures and tries again.
func (s *Service) Run(ctx context.Context) {
	var calling sync.WaitGroup
	calling.Go(func() { s.caller.run(ctx) })
	if s.rates != nil {
		calling.Go(func() { s.askRates(ctx) })
	}
	defer calling.Wait()
	s.read(ctx)
}

// read reads blocks until ctx ends.
func (s *Service) read(ctx context.Context) {
	last := ""
	for ctx.Err() == nil {
		done, err := s.step(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && err.Error() != last:
			s.cfg.Log.Error("cannot read the chain; retrying", "error", err)
			last = err.Error()
		case err == nil && last != "":
			s.cfg.Log.Info("the chain is read again")
			last = ""
		}
		if !done {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.cfg.Poll):
		}
	}
}

// step reads blocks once. wait says that there is nothing more to do now.
func (s *Service) step(ctx context.Context) (wait bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			wait, err = true, fmt.Errorf("a scan panicked: %T", p)
		}
	}()
	done, err := s.Book.Step(ctx, s.source)
	return done || err != nil, err
}

// Wallets returns the wallets' interface.
func (s *Service) Wallets() *lws.API { return s.api }

// Administrators returns the administrators' interface.
func (s *Service) Administrators() *lws.Admin { return s.admin }

// Server returns the server of the wallets' interface. prefix is empty, or a path that those of requests begin with,
// such as /basic.
func (s *Service) Server(prefix string) *native.Server { return s.cfg.NewServer(prefix, s.api) }

// NewServer returns a server of the wallets' interface, like Service.Server.
func (cfg *Config) NewServer(prefix string, wallets native.Service) *native.Server {
	return cfg.server(prefix, wallets, lws.MaxBody+1<<10, cfg.Origins, []string{"*"})
}

// AdminServer returns the server of the administrators' interface. prefix is like that of Server. Without a secret in
// requests, it accepts only those whose Host is this machine, so that web pages cannot use it.
func (s *Service) AdminServer(prefix string) *native.Server {
	return s.cfg.NewAdminServer(prefix, s.admin)
}

// NewAdminServer returns a server of the administrators' interface, like Service.AdminServer.
func (cfg *Config) NewAdminServer(prefix string, administrators native.Service) *native.Server {
	hosts := []string{"*"}
	if cfg.NoAdminAuth {
		hosts = nil
	}
	return cfg.server(prefix, administrators, 64<<10, nil, hosts)
}

// below is a service whose paths begin with a prefix.
type below struct {
	prefix string
	native.Service
}

// Serve implements native.Service.
func (b below) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	rest, ok := strings.CutPrefix(path, b.prefix)
	if !ok {
		return nil, rpc.ErrNoPath
	}
	return b.Service.Serve(ctx, rest, body, o)
}

func (cfg *Config) server(
	prefix string, service native.Service, body int64, origins, hosts []string,
) *native.Server {
	limits := cfg.Limits
	limits.Body = body
	return native.NewServer(native.ServerConfig{
		Service: below{prefix, service},
		Front:   onlyPost(prefix),
		Origins: origins,
		Hosts:   hosts,
		Kind:    "application/json",
		Limits:  limits,
		Random:  cfg.Random,
		Log:     cfg.Log,
	})
}

// onlyPost answers requests with another method than the operation's. Paths of operations begin with prefix.
func onlyPost(prefix string) func(r *http.Request) (answer native.Answer, known bool) {
	return func(r *http.Request) (answer native.Answer, known bool) {
		operation, served := strings.CutPrefix(r.URL.Path, prefix)
		if r.Method == http.MethodPost || r.Method == http.MethodOptions ||
			r.Method == http.MethodGet && (!served || !lws.NeedsPost(operation)) {
			return nil, false
		}
		return func(w http.ResponseWriter, _ *http.Request) int {
			w.Header().Set("Allow", http.MethodPost)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return http.StatusMethodNotAllowed
		}, false
	}
}
