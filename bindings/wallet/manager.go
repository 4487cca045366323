// Package wallet is Monero wallets for Go programs: open, create and restore them, follow the chain, receive and send.
//
// A Manager keeps the wallets of one folder and the way to one daemon; each of its wallets is a Wallet. Methods may be
// called from any goroutine. Those that may wait take a context and return soon after it ends. Failures are tested with
// errors.Is, for the kinds that this package names, and errors.As, for *Error and *ConfigError. Passwords, seeds and
// keys are in no error and no log.
//
// What a method answered is on the disk: a wallet can be killed at any moment, and goes on from there when it is opened
// again.
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

// Manager keeps any number of wallets open at once, which read the chain together: a block is fetched once for all of
// them.
type Manager struct {
	config Config
	engine *engine.Engine
	tasks  tasks
	close  func() error // once

	mu    sync.Mutex
	names map[string]*place // of wallets that are open, or on their way
}

// place is a name that is taken.
type place struct {
	wallet  *Wallet       // nil while it is being opened or closed
	settled chan struct{} // closed when that has come to an end
}

// NewManager checks the configuration and makes the folder when it is missing. It reaches for no daemon and opens no
// wallet. Close it when done. Errors: *ConfigError.
func NewManager(c Config) (*Manager, error) {
	s, d, err := c.engine()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(s, d)
	if err != nil {
		return nil, fmt.Errorf("wallet: %w", err)
	}
	m := &Manager{config: c, engine: e, names: map[string]*place{}}
	m.tasks.begin()
	if c.Refresh >= 0 && !c.Offline {
		m.tasks.group.Go(func() { e.Run(m.tasks.life) })
	}
	m.close = sync.OnceValue(m.end)
	return m, nil
}

// Close closes every wallet and ends what the Manager does: when it returns, none of its goroutines is left. Closing
// twice is harmless. Errors: of the file system; what was answered before is stored all the same.
func (m *Manager) Close() error { return m.close() }

func (m *Manager) end() error {
	m.tasks.end()
	var errs []error
	for _, w := range m.Wallets() {
		errs = append(errs, w.Close())
	}
	m.tasks.group.Wait()
	return errors.Join(append(errs, failed("close", m.engine.Close(), nil))...)
}

// Wallets returns the wallets that are open, by name.
func (m *Manager) Wallets() (all []*Wallet) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.names {
		if p.wallet != nil {
			all = append(all, p.wallet)
		}
	}
	slices.SortFunc(all, func(a, b *Wallet) int { return cmp.Compare(a.name, b.name) })
	return all
}

// Open opens a wallet of the folder: one of glim's, or of monero-wallet-rpc, whose own files stay as they are. Errors:
// ErrNotFound, ErrWrongPassword, ErrInUse, ErrName, ErrDamaged, ErrCache, ErrNetwork, ErrClosed.
func (m *Manager) Open(ctx context.Context, name, password string) (*Wallet, error) {
	return m.enter(ctx, "open", name, func(ctx context.Context, w *Wallet) error {
		got, reason, err := call(ctx, w, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Password: password})
		w.warning = got.Warning
		return failed("open", err, reason)
	})
}

// Create makes a wallet with a new seed of 25 English words. Write Seed down somewhere else. It begins at the daemon's
// height, or at the first block when no daemon answers. When ctx ends first, there may be a wallet or none, and never
// half of one. Errors: ErrExists, ErrName, ErrClosed.
func (m *Manager) Create(ctx context.Context, name, password string) (*Wallet, error) {
	return m.enter(ctx, "create", name, func(ctx context.Context, w *Wallet) error {
		_, reason, err := call(ctx, w, walletrpc.CreateWallet,
			walletrpc.CreateWalletRequest{Password: password, Language: "English"})
		return failed("create", err, reason)
	})
}

// CreatePolyseed is Create with a seed of sixteen English words, which tell when they were made.
func (m *Manager) CreatePolyseed(ctx context.Context, name, password string) (*Wallet, error) {
	return m.enter(ctx, "create", name, func(ctx context.Context, w *Wallet) error {
		_, reason, err := call(ctx, w, walletrpc.CreateWallet,
			walletrpc.CreateWalletRequest{Password: password, Language: "English", SeedType: "polyseed"})
		return failed("create", err, reason)
	})
}

// Backup is what a wallet is restored from: a Seed or Keys.
type Backup interface {
	restore(ctx context.Context, w *Wallet, password string) (reason, err error)
}

// Seed is the words of a wallet, in any of their languages.
type Seed struct {
	Words      Secret // 25 or 24 words, 13 or 12 of MyMonero's, or sixteen of Polyseed
	Passphrase Secret // that was put over the seed; empty for none
	Since      Since
}

// Keys are the keys of a wallet. Without SpendKey the wallet is view-only: it sees what comes in and cannot spend.
type Keys struct {
	Address  string // the first one of the wallet
	ViewKey  Secret // 64 hexadecimal digits, as SpendKey
	SpendKey Secret
	Since    Since
}

// Since says which blocks need not be read, for they are older than the wallet. With both members the earlier one
// counts; with neither all blocks are read, but for a Polyseed, which tells when it was made.
type Since struct {
	Height uint64    // index of the first block to read
	Date   time.Time // at the earliest 2014-04-18, when Monero began; needs a daemon, which knows the blocks' times
}

func (s Since) date() []byte {
	if s.Date.IsZero() {
		return nil
	}
	return fmt.Appendf(nil, "%d", max(s.Date.Unix(), 1))
}

func (s Seed) restore(ctx context.Context, w *Wallet, password string) (reason, err error) {
	_, reason, err = call(ctx, w, walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
		Password: password, Seed: string(s.Words), SeedOffset: string(s.Passphrase),
		RestoreHeight: s.Since.Height, RestoreDate: s.Since.date()})
	return reason, err
}

func (k Keys) restore(ctx context.Context, w *Wallet, password string) (reason, err error) {
	_, reason, err = call(ctx, w, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Password: password, Address: k.Address, ViewKey: string(k.ViewKey), SpendKey: string(k.SpendKey),
		RestoreHeight: k.Since.Height, RestoreDate: k.Since.date()})
	return reason, err
}

// Restore makes a wallet from its words or keys; the next refresh finds its history. When ctx ends first, there may be
// a wallet or none, and never half of one. Errors: ErrBackup, ErrExists, ErrName, ErrClosed; ErrDaemon for a date
// without a daemon.
func (m *Manager) Restore(ctx context.Context, name, password string, from Backup) (*Wallet, error) {
	if from == nil {
		return nil, refused("restore", ErrBackup, "it is empty")
	}
	return m.enter(ctx, "restore", name, func(ctx context.Context, w *Wallet) error {
		reason, err := from.restore(ctx, w, password)
		if err == nil {
			return nil
		}
		e := failed("restore", err, reason).(*Error)
		if _, stated := reason.(*rpc.Error); e.Kind == nil && stated {
			e.Kind = ErrBackup
		}
		return e
	})
}

// enter takes a name and has a wallet opened under it by f. A wallet that opens when nobody waits any more is closed.
func (m *Manager) enter(ctx context.Context, op, name string, f func(context.Context, *Wallet) error) (*Wallet, error) {
	lower := strings.ToLower(name)
	if name == "" || strings.ContainsAny(name, `/\`) || strings.HasSuffix(lower, ".keys") ||
		strings.HasSuffix(lower, ".glim") {
		return nil, refused(op, ErrName, "")
	}
	at, err := m.take(ctx, op, name)
	if err != nil {
		return nil, err
	}
	w := newWallet(m, name, at)
	_, begun, err := try(ctx, op, &m.tasks, func(ctx context.Context) (struct{}, error) {
		err := f(ctx, w)
		if err == nil {
			err = w.settle(ctx)
		}
		if err != nil {
			_ = w.shut() // it may be open all the same
			m.release(name, at)
		}
		return struct{}{}, err
	}, func(struct{}) { _ = w.Close() })
	if !begun {
		m.release(name, at)
	}
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	at.wallet = w
	close(at.settled)
	m.mu.Unlock()
	if m.tasks.over() { // closed meanwhile, by one who may not have seen this wallet
		_ = w.Close()
		return nil, refused(op, ErrClosed, "")
	}
	return w, nil
}

// take makes a name the caller's. It waits for one that is on its way. Errors: ErrInUse, ErrClosed, the context's.
func (m *Manager) take(ctx context.Context, op, name string) (*place, error) {
	for {
		m.mu.Lock()
		taken := m.names[name]
		if taken == nil && !m.tasks.over() {
			at := &place{settled: make(chan struct{})}
			m.names[name] = at
			m.mu.Unlock()
			return at, nil
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

// leaving says that a wallet is being closed: who opens it again waits for that.
func (m *Manager) leaving(at *place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at.wallet != nil {
		at.wallet, at.settled = nil, make(chan struct{})
	}
}

// release makes a name free again.
func (m *Manager) release(name string, at *place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.names, name)
	close(at.settled)
}

// period is the pause between refreshes as the engine takes it.
func (c *Config) period() walletrpc.AutoRefreshRequest {
	r := walletrpc.AutoRefreshRequest{Enable: c.Refresh >= 0}
	if c.Refresh > 0 {
		r.Period = uint32(min((c.Refresh+time.Second-1)/time.Second, math.MaxInt32))
	}
	return r
}

// transport is the way to one wallet of the engine. It keeps the error behind the last answer; one call has one.
type transport struct {
	engine *engine.Engine
	name   string
	reason error
}

// Post implements rpc.Transport.
func (t *transport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return t.engine.Serve(ctx, "/wallets/"+t.name+path, body, rpc.Options{Failed: func(err error) { t.reason = err }})
}

// call carries out an operation on a wallet. reason is the error behind err, when it is known.
func call[Req, Resp any](ctx context.Context, w *Wallet, m rpc.Method[Req, Resp], req Req) (resp Resp, reason,
	err error) {
	t := &transport{engine: w.m.engine, name: w.name}
	resp, err = rpc.Call(ctx, t, m, req)
	return resp, t.reason, err
}

// standing returns how far a wallet has come.
func (m *Manager) standing(name string) (s service.Standing, open bool) {
	for _, s := range m.engine.Standing() {
		if s.Name == name {
			return s, true
		}
	}
	return s, false
}
