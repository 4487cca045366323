// Package service is the wallet service: every operation of the contract, carried out on the wallet that is open.
package service

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/journal"
	"glim/core/mnemonic"
	"glim/core/polyseed"
	"glim/core/rpc"
	"glim/core/scan"
	"glim/core/session"
	"glim/core/signer"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// Files keeps wallets by name.
type Files interface {
	// Create makes empty storage for a new wallet. ErrExists when the name is taken; nothing is ever overwritten.
	Create(name string) (Storage, error)
	// Open opens a wallet's storage. ErrNoWallet when it does not exist, ErrInUse when another process has it.
	Open(name string) (Storage, error)
	// Keys returns the reference's file of keys of that name. ErrNoWallet when it does not exist.
	Keys(name string) ([]byte, error)
	// Beside makes empty storage for a wallet taken over from the reference, whose own files stay as they are; Open
	// finds it from then on. ErrExists when there is one already.
	Beside(name string) (Storage, error)
	// Export stores the reference's file of keys for a wallet of that name, whole or not at all. ErrExists when any wallet has
	// the name.
	Export(name string, keys []byte) error
	// Background opens the file in which the wallet called name goes on without its spend key, and makes it, empty, when there
	// is none. ErrInUse when another process has it.
	Background(name string) (Storage, error)
	// DropBackground removes that file, which nobody has open; that there is none is no error.
	DropBackground(name string) error
}

// Storage is one wallet's file while it is open.
type Storage interface {
	journal.Storage
	io.Closer
}

// Caches is Files that know of the reference's caches, see Cache.
type Caches interface {
	// Cache returns the cache beside the reference's file of keys of that name. ErrNoWallet when it does not exist.
	Cache(name string) (Cache, error)
}

// Cache is the file in which the reference keeps what it knows of a wallet besides its keys. It is never written to.
type Cache interface {
	// Digest returns a hash of the file.
	Digest() ([32]byte, error)
	// Read returns what the wallet of this origin takes over. password opens the file of keys beside it, and was hashed
	// rounds times.
	Read(password []byte, rounds int, o *wallet.Origin) (Former, error)
}

// Former is what a wallet takes over; it is a *wallet.Former. That this is an interface keeps what reads it out of
// programs without such files.
type Former interface {
	// Started returns the index of the first block with anything of the wallet; ^0 when there is no such block.
	Started() uint64
	// Decide returns what taking over changes, see wallet.Wallet.DecideTakeOver, as one change after the other.
	Decide(w *wallet.Wallet, now uint64) []wallet.ChangeSet
}

// Errors of Files.
var (
	ErrName     = errors.New("invalid filename")
	ErrExists   = errors.New("the wallet exists already")
	ErrNoWallet = errors.New("there is no wallet of that name")
	ErrInUse    = errors.New("the wallet is open in another process")
	// ErrCache: monero-wallet-rpc's, beside its file of keys. With Config.WithoutCache the wallet opens.
	ErrCache = errors.New("monero-wallet-rpc's cache cannot be read")
)

// ErrNetwork reports a wallet of another network than Config.Network's.
var ErrNetwork = errors.New("the wallet is for another network")

// Config is what a host gives the service.
type Config struct {
	Network xmr.Network
	Files   Files // nil when no wallet folder is configured
	// Lookahead is that of new wallets; one that is opened and looks less far looks so far from then on. Zero is
	// wallet.DefaultLookahead for new wallets and changes no other.
	Lookahead wallet.Lookahead
	// WithoutCache opens wallets of the reference without what their caches know.
	WithoutCache bool
	// MaxReorgDepth is how many blocks a reorganisation may drop: a setting of each wallet that is opened, or made, from then on. Nil leaves it
	// as it is; it is wallet.DefaultMaxReorgDepth in new wallets.
	MaxReorgDepth *uint64
	KDF           journal.KDF
	KeyRounds     int                // how often the passwords of the reference's files were hashed; 0 is once
	Random        io.Reader          // a cryptographic source; required
	Now           func() uint64      // POSIX seconds; required
	Workers       int                // goroutines to scan with
	Languages     mnemonic.Languages // of seed words; English alone when nil
	Polyseeds     polyseed.Languages // of seeds of sixteen words; English alone when nil
	// Vault asks a signer.Server, in another worker or process, which has the spend keys of wallets that are made here, and of sealed ones that
	// are opened. Nil keeps them in the wallets' files, and those of sealed wallets in this process.
	Vault signer.Post
	// Behind runs work so that calls come first while blocks are decoded and scanned, see syncer.Crew. Nil runs it like anything else.
	Behind func(work func())
	// Scan and Between are a syncer.Crew's: work that others do, and a break for those who share the thread. Nil for neither.
	Scan    func(ctx context.Context, job scan.Job) (scan.Result, error)
	Between func()
	// Wait returns after d, or with the context's error. Without it nothing is refreshed automatically.
	Wait func(ctx context.Context, d time.Duration) error
	// Connect makes a transport to a daemon. It does not have to reach it yet. Without it, naming a daemon fails with a *ConfigError.
	Connect func(DaemonConfig) (rpc.Transport, error)
	Compact Compact // how compact blocks are used
	// Witness is a second daemon. It is asked whether the chain is the one it knows, whether a fee is what it would ask, and for some blocks
	// in full; what it knows otherwise is a *DisagreementError. None without an address; while it does not answer, the log says so.
	Witness DaemonConfig
	Log     Log // nil is Silence
	// SetLog sets how much is logged: a level, 0 to 4, or categories such as *:WARNING; nil when that is fixed.
	SetLog func(level string) error
	// Match returns what decides whether a text as a whole fits a regular expression, or why the expression is none; nil is a host
	// that has no such expressions.
	Match func(expression string) (fits func(text string) bool, err error)
	// Event is told what happens to the wallet of a name, which is empty for one in memory; nil is nobody.
	Event func(name string, e wallet.Event)
	// Opened is told of every wallet that opens, before anything happens to it. It must not wait. Nil is nobody.
	Opened func(Opened)
	// Stop is called once when a client asks the service to end.
	Stop func()
	// Spare is told that much memory, needed for a while, no longer is: the key of a wallet's file was derived, or a long
	// run of blocks read. A host that shares its machine gives it back. Nil is nobody.
	Spare func()

	ahead wallet.Lookahead // that the host asked for; zero for none
}

// ConfigError reports a member of Config that is required and not set.
type ConfigError struct{ Field string }

// Error names the member.
func (e *ConfigError) Error() string { return "service: Config." + e.Field + " is not set" }

// check returns a *ConfigError when what no service can do without is missing.
func (c *Config) check() error {
	switch {
	case c.Random == nil:
		return &ConfigError{"Random"}
	case c.Now == nil:
		return &ConfigError{"Now"}
	}
	return nil
}

func (c Config) crew() syncer.Crew {
	return syncer.Crew{Size: c.Workers, Behind: c.Behind, Scan: c.Scan, Between: c.Between}
}

// DaemonConfig says how to reach a daemon.
type DaemonConfig struct {
	Address  string // host:port or URL; empty for none
	Username string
	Password string
	Trusted  bool
	Proxy    string // SOCKS host:port
	SSL      SSL
}

// String names the daemon without login and proxy, which may hold passwords.
func (d DaemonConfig) String() string { return "daemon " + d.Address }

// GoString returns what String does.
func (d DaemonConfig) GoString() string { return d.String() }

// same reports whether both lead to one daemon in one way.
func (d *DaemonConfig) same(e *DaemonConfig) bool {
	s, t := &d.SSL, &e.SSL
	return d.Address == e.Address && d.Username == e.Username && d.Password == e.Password && d.Trusted == e.Trusted && d.Proxy == e.Proxy &&
		s.Support == t.Support && s.PrivateKeyPath == t.PrivateKeyPath && s.CertificatePath == t.CertificatePath && s.CAFile == t.CAFile &&
		slices.Equal(s.AllowedFingerprints, t.AllowedFingerprints) && s.AllowAnyCert == t.AllowAnyCert
}

// SSL says how a daemon's identity is checked. Paths are the host's.
type SSL struct {
	Support             string // disabled, enabled, autodetect
	PrivateKeyPath      string
	CertificatePath     string
	CAFile              string
	AllowedFingerprints []string
	AllowAnyCert        bool
}

// DefaultAutoRefresh is the pause between automatic refreshes.
// Source: src/wallet/wallet_rpc_server.cpp, DEFAULT_AUTO_REFRESH_PERIOD.
const DefaultAutoRefresh = 20 * time.Second

// Service carries out wallet operations. Its methods may be called from any goroutine.
type Service struct {
	*shared
	config  Config
	initial DaemonConfig // of the daemon that every wallet starts with
	ops     *rpc.Registry
	only    string // the one wallet it is for; empty for any

	mu          sync.Mutex // guards what follows
	open        *open
	way         *link         // to the daemon
	chosen      bool          // by set_daemon
	autoRefresh time.Duration // 0 is off
	changed     chan struct{} // closed when auto-refresh should look again

	stop, gone sync.Once
}

// shared is what several services have together.
type shared struct {
	files sync.Mutex // one opening or closing at a time: each takes memory for its key

	once sync.Once
	own  *signer.Server // has the spend keys of sealed wallets where no vault is; from once on

	mu      sync.Mutex // guards what follows
	links   []*link
	wallets map[string]*open // those open from Config.Files, by name
}

// open is a wallet that is open, with what belongs to it alone.
type open struct {
	*session.Session
	name    string
	users   int // services that have it open; guarded by shared.mu
	storage io.Closer
	warning string          // what its file told when it was opened; empty for nothing
	taken   string          // what it took over from the reference's cache as it was opened; empty for nothing
	ctx     context.Context // ends when the wallet closes
	cancel  context.CancelFunc
	sending sync.Mutex    // one payment at a time, so that two do not choose the same outputs
	handed  sync.Map      // IDs of the transactions that a daemon has taken since the wallet was opened
	boxing  sync.Mutex    // guards what follows
	box     *coldset.Box  // see messages
	boxView xmr.PublicKey // the view key it is for: a wallet made multisig has another
	apart   apartFile
	vault   signer.Post // that a sealed wallet was opened by
	// witnessed: the second daemon knows the chain that was read last.
	witnessed atomic.Bool
}

// New returns a service without an open wallet that uses the daemon d. Errors: *ConfigError, Config.Connect's.
func New(c Config, d DaemonConfig) (*Service, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.setDefaults()
	return newService(&shared{wallets: map[string]*open{}}, c, d)
}

func (c *Config) setDefaults() {
	if c.ahead = c.Lookahead; c.Lookahead == (wallet.Lookahead{}) {
		c.Lookahead = wallet.DefaultLookahead
	}
	if c.KDF == (journal.KDF{}) {
		c.KDF = journal.DefaultKDF()
	}
	if c.Languages == nil {
		c.Languages = mnemonic.Languages{mnemonic.English()}
	}
	if c.Polyseeds == nil {
		c.Polyseeds = polyseed.Languages{polyseed.English()}
	}
	if c.Log == nil {
		c.Log = Silence{}
	}
}

func newService(with *shared, c Config, d DaemonConfig) (*Service, error) {
	s := &Service{shared: with, config: c, initial: d, autoRefresh: DefaultAutoRefresh, changed: make(chan struct{})}
	var err error
	if s.way, err = s.link(&s.config, d); err != nil {
		return nil, err
	}
	s.ops = s.register()
	return s, nil
}

// Registry returns the operations, for a server or an in-process caller.
func (s *Service) Registry() *rpc.Registry { return s.ops }

// Serve answers one request. Source of the refusal: src/wallet/wallet_rpc_server.cpp, restricted mode.
func (s *Service) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	o.Deny = walletrpc.Fail(walletrpc.CodeDenied, "")
	return s.ops.Serve(ctx, path, body, o)
}

// refuse is CodeUnknown in words of its own, for what the contract has no code for.
func refuse(text string) error { return walletrpc.Fail(walletrpc.CodeUnknown, "%s", text) }

// current returns the open wallet, or CodeNotOpen.
func (s *Service) current() (*open, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		return nil, walletrpc.Fail(walletrpc.CodeNotOpen, "")
	}
	return s.open, nil
}

// view calls f with the open wallet's state.
func (s *Service) view(f func(*wallet.Wallet) error) error {
	o, err := s.current()
	if err != nil {
		return err
	}
	if err := o.Err(); err != nil {
		return err
	}
	o.View(func(w *wallet.Wallet) { err = f(w) })
	return err
}

// change decides on the open wallet, makes it durable, commits. A text beyond its bound is wallet.ErrText.
func (s *Service) change(decide func(*wallet.Wallet) (wallet.ChangeSet, error)) error {
	o, err := s.current()
	if err != nil {
		return err
	}
	return o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c, err := decide(w)
		if err == nil {
			err = w.CheckTexts(&c.User)
		}
		return c, nil, err
	})
}

// replace lets go of what is open and puts next, which may be nil, in its place. A daemon that set_daemon chose goes with
// the wallet it was chosen for.
func (s *Service) replace(next *open) error {
	way := s.home()
	s.mu.Lock()
	last, left := s.open, s.way
	s.open, s.way, s.chosen = next, way, false
	s.wake()
	s.mu.Unlock()
	s.unlink(left)
	defer s.spare()
	if last == nil {
		return nil
	}
	return s.release(last)
}

// hold makes a wallet known under its name, for other services to share.
func (s *shared) hold(o *open, named bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.users++; named {
		s.wallets[o.name] = o
	}
}

// held returns the wallet of a name when some service has it open; password must be the wallet's. It is the caller's, too, until
// release. Errors: session.ErrPassword.
func (s *shared) held(ctx context.Context, name, password string) (*open, error) {
	s.mu.Lock()
	o := s.wallets[name]
	s.mu.Unlock()
	if o == nil {
		return nil, nil
	}
	if err := o.CheckPassword(ctx, []byte(password)); err != nil {
		return nil, err
	}
	s.hold(o, false)
	return o, nil
}

// release closes a wallet that nobody else has open. The caller holds files.
func (s *shared) release(o *open) error {
	s.mu.Lock()
	o.users--
	last := o.users == 0
	if last && s.wallets[o.name] == o {
		delete(s.wallets, o.name)
	}
	s.mu.Unlock()
	if !last {
		return nil
	}
	o.cancel()
	return errors.Join(o.Close(), o.storage.Close())
}

func (s *Service) spare() {
	if s.config.Spare != nil {
		s.config.Spare()
	}
}

// wake makes auto-refresh look at its settings again. The caller holds mu.
func (s *Service) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Close closes the open wallet and lets go of the daemon. The service is of no use afterwards.
func (s *Service) Close() error {
	s.files.Lock()
	err := s.replace(nil)
	s.files.Unlock()
	s.gone.Do(func() { s.unlink(s.source()) })
	return err
}

// Run refreshes the open wallet automatically until ctx ends.
func (s *Service) Run(ctx context.Context) {
	if s.config.Wait == nil {
		<-ctx.Done()
		return
	}
	failing := false
	for ctx.Err() == nil {
		s.mu.Lock()
		o, period, changed := s.open, s.autoRefresh, s.changed
		s.mu.Unlock()
		if o != nil && period > 0 {
			err := syncer.Contain(func() error {
				_, err := s.refresh(o.ctx, o, 0)
				return err
			})
			if err != nil && o.ctx.Err() == nil {
				s.config.Log.Warn("automatic refresh failed; it will be tried again", "error", err, "in", period)
				failing = true
			} else if failing && err == nil {
				s.config.Log.Warn("automatic refresh works again")
				failing = false
			}
		}
		if period == 0 || o == nil {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		s.pause(ctx, period, changed)
	}
}

// pause waits for d, or until something changed.
func (s *Service) pause(ctx context.Context, d time.Duration, changed <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.config.Wait(ctx, d) // whether it ended early makes no difference
	}()
	select {
	case <-done:
	case <-changed:
	}
}

func (s *Service) source() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.way
}

func (s *Service) daemon() *daemon.Client { return s.source().client }
