package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"glim/bindings/engine"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
)

// Manager keeps any number of wallets open at the same time. They refresh together, so that each block is fetched once.
type Manager struct {
	config    Config
	engine    *engine.Engine
	tasks     tasks
	closeOnce func() error

	mu    sync.Mutex
	slots map[string]*slot // by name: wallets that are open, being opened or being closed
}

// slot reserves the name of a wallet.
type slot struct {
	wallet  *Wallet       // nil while the wallet is being opened or closed
	settled chan struct{} // closed when opening or closing has ended
}

// NewManager checks the configuration and creates the folder if it does not exist. It neither connects to the daemon
// nor opens a wallet. Call Close to release the manager. It returns a *ConfigError if the configuration cannot be
// used.
func NewManager(c Config) (*Manager, error) {
	s, d, err := c.engine()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(s, d)
	if err != nil {
		return nil, fmt.Errorf("wallet: %w", err)
	}
	m := &Manager{config: c, engine: e, slots: map[string]*slot{}}
	m.tasks.begin()
	if c.Refresh >= 0 && !c.Offline {
		m.tasks.group.Go(func() { e.Run(m.tasks.life) })
	}
	m.closeOnce = sync.OnceValue(m.end)
	return m, nil
}

// Close closes all wallets and waits until every goroutine of the manager has ended, except idle threads of low
// priority that scanning keeps for later managers. Further calls return the same result. The error is that of the file
// system; whatever methods have reported before is stored nevertheless.
func (m *Manager) Close() error { return m.closeOnce() }

func (m *Manager) end() error {
	m.tasks.end()
	var errs []error
	for _, w := range m.Wallets() {
		errs = append(errs, w.Close())
	}
	m.tasks.group.Wait()
	return errors.Join(append(errs, failed("close", m.engine.Close(), nil))...)
}

// Wallets returns the open wallets, sorted by name.
func (m *Manager) Wallets() (all []*Wallet) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.slots {
		if s.wallet != nil {
			all = append(all, s.wallet)
		}
	}
	slices.SortFunc(all, func(a, b *Wallet) int { return cmp.Compare(a.name, b.name) })
	return all
}

// Open opens a wallet of the folder. The wallet may be glim's or monero-wallet-rpc's; the files of the latter are not
// changed.
//
// Kinds of failure: ErrNotFound, ErrWrongPassword, ErrInUse, ErrName, ErrDamaged, ErrCache, ErrNetwork, ErrClosed.
func (m *Manager) Open(ctx context.Context, name, password string) (*Wallet, error) {
	return m.enter(ctx, "open", name, func(ctx context.Context, w *Wallet) error {
		got, reason, err := call(ctx, w, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Password: password})
		w.warning = got.Warning
		return failed("open", err, reason)
	})
}

// Create creates and opens a wallet with a new seed of 25 English words; see Wallet.Seed. The wallet scans blocks from
// the daemon's current height on, or all blocks if the daemon does not respond. If ctx ends before Create returns, the
// wallet may have been created or not, but it is never incomplete.
//
// Kinds of failure: ErrExists, ErrName, ErrClosed.
func (m *Manager) Create(ctx context.Context, name, password string) (*Wallet, error) {
	return m.enter(ctx, "create", name, func(ctx context.Context, w *Wallet) error {
		_, reason, err := call(ctx, w, walletrpc.CreateWallet,
			walletrpc.CreateWalletRequest{Password: password, Language: "English"})
		return failed("create", err, reason)
	})
}

// CreatePolyseed is Create with a Polyseed: a seed of 16 English words that includes the wallet's creation date.
func (m *Manager) CreatePolyseed(ctx context.Context, name, password string) (*Wallet, error) {
	return m.enter(ctx, "create", name, func(ctx context.Context, w *Wallet) error {
		_, reason, err := call(ctx, w, walletrpc.CreateWallet,
			walletrpc.CreateWalletRequest{Password: password, Language: "English", SeedType: "polyseed"})
		return failed("create", err, reason)
	})
}

// Backup is what Restore restores a wallet from: a Seed or Keys.
type Backup interface {
	restore(ctx context.Context, w *Wallet, password string) (reason, err error)
}

// Seed is a wallet's seed words, in any language that Monero wallets use, or with Kind the seed of another wallet.
type Seed struct {
	Words      Secret // 25 or 24 words, or the 16 words of a Polyseed; what Kind says
	Passphrase Secret // the seed's passphrase, also called seed offset; empty if it has none
	Since      Since
	// Kind is monero, polyseed, or what made the seed: mymonero (13 words), trezor or ledger (12 to 24 words of BIP
	// 39). If it is empty, only the first two are accepted. The same words are another wallet of each kind.
	Kind    string
	Account uint32 // number of the account of a trezor or ledger
}

// Keys are the secret keys of a wallet. Without SpendKey the wallet is view-only: it sees incoming money, but cannot
// spend.
type Keys struct {
	Address  string // primary address
	ViewKey  Secret // 64 hexadecimal digits
	SpendKey Secret // 64 hexadecimal digits, or empty
	Since    Since
}

// Since tells Restore which blocks are older than the wallet and need not be scanned. If both fields are set, the
// earlier block counts. If neither is set, all blocks are scanned, except with a Polyseed, which includes its date.
type Since struct {
	Height uint64    // index of the first block to scan
	Date   time.Time // 2014-04-18, when Monero started, or later; needs a daemon to find the block
}

func (s Since) date() []byte {
	if s.Date.IsZero() {
		return nil
	}
	return fmt.Appendf(nil, "%d", max(s.Date.Unix(), 1))
}

func (s Seed) restore(ctx context.Context, w *Wallet, password string) (reason, err error) {
	_, reason, err = call(ctx, w, walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
		Password: password, Seed: string(s.Words), SeedOffset: string(s.Passphrase), SeedType: s.Kind,
		Account: s.Account, RestoreHeight: s.Since.Height, RestoreDate: s.Since.date()})
	return reason, err
}

func (k Keys) restore(ctx context.Context, w *Wallet, password string) (reason, err error) {
	_, reason, err = call(ctx, w, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Password: password, Address: k.Address, ViewKey: string(k.ViewKey), SpendKey: string(k.SpendKey),
		RestoreHeight: k.Since.Height, RestoreDate: k.Since.date()})
	return reason, err
}

// Restore creates and opens a wallet from its seed or keys; the next refresh finds its history. If ctx ends before
// Restore returns, the wallet may have been created or not, but it is never incomplete.
//
// Kinds of failure: ErrBackup, ErrExists, ErrName, ErrClosed, and ErrDaemon if Since has a date and the daemon does not
// respond.
func (m *Manager) Restore(ctx context.Context, name, password string, from Backup) (*Wallet, error) {
	if from == nil {
		return nil, refused("restore", ErrBackup, "the backup is nil")
	}
	return m.enter(ctx, "restore", name, func(ctx context.Context, w *Wallet) error {
		reason, err := from.restore(ctx, w, password)
		if err == nil {
			return nil
		}
		e := failed("restore", err, reason).(*Error)
		if stated := (*rpc.Error)(nil); e.Kind == nil && errors.As(reason, &stated) {
			e.Kind = ErrBackup
		}
		return e
	})
}

// enter reserves a name and calls f to open a wallet with it. If the caller has gone by the time the wallet is open,
// enter closes the wallet.
func (m *Manager) enter(ctx context.Context, op, name string, f func(context.Context, *Wallet) error) (*Wallet, error) {
	lower := strings.ToLower(name)
	if name == "" || strings.ContainsAny(name, `/\`) || strings.HasSuffix(lower, ".keys") ||
		strings.HasSuffix(lower, ".glim") {
		return nil, refused(op, ErrName, "")
	}
	s, err := m.reserve(ctx, op, name)
	if err != nil {
		return nil, err
	}
	w := newWallet(m, name, s)
	_, begun, err := try(ctx, op, &m.tasks, func(ctx context.Context) (struct{}, error) {
		err := f(ctx, w)
		if err == nil {
			err = w.settle(ctx)
		}
		if err != nil {
			_ = w.shut() // f may have opened it before the failure
			m.release(name, s)
		}
		return struct{}{}, err
	}, func(struct{}) { _ = w.Close() })
	if !begun {
		m.release(name, s)
	}
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	s.wallet = w
	close(s.settled)
	m.mu.Unlock()
	if m.tasks.over() { // Close may have run before the wallet was in its list
		_ = w.Close()
		return nil, refused(op, ErrClosed, "")
	}
	return w, nil
}

// reserve reserves a name. If a wallet of that name is being opened or closed, reserve waits for the end of that. It
// returns ErrInUse, ErrClosed or the context's error.
func (m *Manager) reserve(ctx context.Context, op, name string) (*slot, error) {
	for {
		m.mu.Lock()
		taken := m.slots[name]
		if taken == nil && !m.tasks.over() {
			s := &slot{settled: make(chan struct{})}
			m.slots[name] = s
			m.mu.Unlock()
			return s, nil
		}
		inUse := taken != nil && taken.wallet != nil
		var settled chan struct{}
		if taken != nil {
			settled = taken.settled
		}
		m.mu.Unlock()
		switch {
		case m.tasks.over():
			return nil, refused(op, ErrClosed, "")
		case inUse:
			return nil, refused(op, ErrInUse, "")
		}
		select {
		case <-settled:
		case <-m.tasks.life.Done():
		case <-ctx.Done():
			return nil, failed(op, ctx.Err(), nil)
		}
	}
}

// closing marks a wallet as being closed, so that a call which opens it again waits for that.
func (m *Manager) closing(s *slot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.wallet != nil {
		s.wallet, s.settled = nil, make(chan struct{})
	}
}

// release frees a name.
func (m *Manager) release(name string, s *slot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.slots, name)
	close(s.settled)
}

// period returns the request that sets the pause between refreshes.
func (c *Config) period() walletrpc.AutoRefreshRequest {
	r := walletrpc.AutoRefreshRequest{Enable: c.Refresh >= 0}
	if c.Refresh > 0 {
		r.Period = uint32(min((c.Refresh+time.Second-1)/time.Second, math.MaxInt32))
	}
	return r
}

// transport calls operations of one wallet in the engine. Each call uses its own transport.
type transport struct {
	engine *engine.Engine
	name   string
	reason error // why the call failed, as Go error
}

// Post implements rpc.Transport.
func (t *transport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return t.engine.Serve(ctx, "/wallets/"+t.name+path, body, rpc.Options{Failed: func(err error) { t.reason = err }})
}

// call calls an operation of a wallet. err is the error of the RPC contract, and reason, if not nil, the Go error that
// caused it.
func call[Req, Resp any](ctx context.Context, w *Wallet, m rpc.Method[Req, Resp], req Req) (resp Resp, reason,
	err error) {
	t := &transport{engine: w.m.engine, name: w.name}
	resp, err = rpc.Call(ctx, t, m, req)
	return resp, t.reason, err
}

// standing returns how far a wallet is synchronized.
func (m *Manager) standing(name string) (s service.WalletStatus, open bool) {
	for _, s := range m.engine.Statuses() {
		if s.Name == name {
			return s, true
		}
	}
	return s, false
}
