// Package session owns one open wallet: its state, its log, and the order in which they change.
package session

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/signer"
	"glim/core/smallfmt"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Errors.
var (
	ErrClosed   = errors.New("session: the wallet is closed")
	ErrPassword = errors.New("invalid password")
	// ErrBroken: a change was logged but could not be applied. The session can no longer be used; opening the wallet
	// again gives the state in the log.
	ErrBroken = errors.New("session: the wallet differs from its file; open it again")
)

// Session is one open wallet. Its methods are safe for concurrent use. Reads see the last committed state and never
// wait for a refresh or for storage. Changes are made one after another, and each is durable before it is visible.
type Session struct {
	host Host

	writing    sync.Mutex   // held while a change is decided, logged and committed
	state      sync.RWMutex // guards w; write-locked only for a commit
	w          *wallet.Wallet
	log        *journal.Journal
	closed     bool
	broken     bool                      // set while holding both locks
	background bool                      // background syncing is active, without the spend key
	vault      signer.Transport          // the external signer, or nil if the log has the spend key
	signerKey  *signer.ExternalWallet    // the spend key at the external signer; nil during background syncing
	keys       atomic.Pointer[keys.Keys] // of w
	paths      Paths                     // may be nil
	using      sync.RWMutex              // read-locked while the spend key is used

	refreshing sync.Mutex // held during a refresh; guards the next eight fields
	refused    xmr.Hash   // first block of the last refused reorganisation
	used       bool       // unused addresses were dropped since the last change of the chain
	// Blocks were dropped, or many scanned: known pool transactions must be examined again.
	poolStale bool
	poolEpoch *syncer.PoolEpoch             // epoch of the next two fields
	poolSeen  map[xmr.Hash]bool             // transactions that do not concern the wallet
	poolOurs  map[xmr.Hash]wallet.ScannedTx // transactions that concern the wallet
	// The wallet's own transactions that were not in the pool at the last refresh, see missing.
	poolMissed map[xmr.Hash]bool
	poolDrops  int // number of DropPool calls; guarded by writing
	progress   progress
	changed    broadcast

	records int   // in the log
	retry   int64 // after a failed compaction: growth of the log at which it is tried again
	ending  journal.Ending
}

// Host provides what a wallet needs from its environment.
type Host struct {
	Random  io.Reader     // a cryptographic source
	Now     func() uint64 // POSIX seconds
	Workers int           // goroutines to scan with
	// LowPriority, Yield and Scan are those of syncer.Workers; each may be nil.
	LowPriority func(work func())
	Scan        func(ctx context.Context, job scan.Job) (scan.Result, error)
	Yield       func()
	// Paths returns what keeps the paths of the outputs of the wallet with keys k. It may be nil, or return nil.
	Paths func(k *keys.Keys) Paths
	// Event, if not nil, is called after a change is durable and visible. It must not call the session.
	Event func(wallet.HostEvent)
}

func (h Host) workers() syncer.Workers {
	return syncer.Workers{Count: h.Workers, LowPriority: h.LowPriority, Scan: h.Scan, Yield: h.Yield}
}

// Create makes a wallet in empty storage and opens it. Errors: those of journal.Create.
func Create(
	st journal.Storage, password []byte, kdf journal.KDF, o wallet.Identity, l wallet.Lookahead, h Host,
) (*Session, error) {
	first, err := wallet.EncodeIdentity(o, l)
	if err != nil {
		return nil, err
	}
	defer clear(first)
	log, err := journal.Create(st, password, h.Random, kdf, []byte(o.Network.String()), first)
	if err != nil {
		return nil, err
	}
	return newSession(h, wallet.New(o, l), log, 0), nil
}

func newSession(h Host, w *wallet.Wallet, log *journal.Journal, records int) *Session {
	s := &Session{host: h, w: w, log: log, records: records, ending: log.Ending()}
	s.keys.Store(w.Keys())
	if keys.HasHierarchies && h.Paths != nil {
		s.paths = h.Paths(w.Keys())
	}
	go w.Prepare(h.Yield)()
	return s
}

// Open opens the wallet in storage. It returns ErrPassword if the password is wrong, and ErrNeedsSigner if the wallet
// must be opened with OpenWithSigner. Other errors are those of journal.Open and wallet.ErrRecord; the storage is
// then unchanged.
func Open(st journal.Storage, password []byte, h Host) (*Session, error) {
	if NeedsSigner(st) {
		return nil, ErrNeedsSigner
	}
	log, records, err := journal.Open(st, password, h.Random)
	w, err := opened(records, err)
	if err != nil {
		return nil, err
	}
	return newSession(h, w, log, len(records)), nil
}

// opened rebuilds the wallet from the results of opening its log. It returns ErrPassword for journal.ErrPassword.
func opened(records [][]byte, err error) (*wallet.Wallet, error) {
	if errors.Is(err, journal.ErrPassword) {
		return nil, ErrPassword
	}
	if err != nil {
		return nil, err
	}
	return replay(records)
}

// replay rebuilds a wallet and wipes the record with its keys.
func replay(records [][]byte) (*wallet.Wallet, error) {
	w, err := wallet.Replay(records)
	wipeKeys(records)
	return w, err
}

func wipeKeys(records [][]byte) {
	if len(records) > 0 {
		clear(records[0])
	}
}

// CheckPassword returns ErrPassword unless password is the wallet's. If an external signer has the spend key, it
// checks the password and its errors are returned.
func (s *Session) CheckPassword(ctx context.Context, password []byte) error {
	s.writing.Lock()
	if vault := s.vault; vault != nil {
		public := s.log.Public()
		s.writing.Unlock()
		return s.checkPasswordWithSigner(ctx, vault, public, password)
	}
	defer s.writing.Unlock()
	if s.log.CheckPassword(password) != nil {
		return ErrPassword
	}
	return nil
}

// ChangePassword encrypts the log under another password, and the spend key as well if an external signer has it.
// Errors: ErrPassword, those of the log and of the external signer.
func (s *Session) ChangePassword(ctx context.Context, old, password []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return ErrClosed
	}
	if s.vault != nil {
		return s.changePasswordWithSigner(ctx, old, password)
	}
	if err := s.log.ChangePassword(old, password); errors.Is(err, journal.ErrPassword) {
		return ErrPassword
	} else {
		return err
	}
}

// Keys returns the wallet's keys. They change only when background syncing starts or stops, see StartBackground.
func (s *Session) Keys() *keys.Keys { return s.keys.Load() }

// Err returns ErrBroken if the wallet can no longer be used.
func (s *Session) Err() error {
	s.state.RLock()
	defer s.state.RUnlock()
	if s.broken {
		return ErrBroken
	}
	return nil
}

// View calls f with the last committed state. f must not change or keep the wallet, and must be short: a commit waits
// for it, and further readers wait for the commit.
func (s *Session) View(f func(*wallet.Wallet)) {
	s.state.RLock()
	defer s.state.RUnlock()
	f(s.w)
}

// Decision computes a change of the wallet, without changing it, and the events for the host.
type Decision func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error)

// Change makes a decision, makes it durable and commits it. decide sees the current state, which does not change
// while it runs; it may take long, because readers do not wait for it. If decide or the log fails, nothing changes.
func (s *Session) Change(decide Decision) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.change(decide)
}

// change is Change for a caller that holds s.writing.
func (s *Session) change(decide Decision) error {
	if err := s.writable(); err != nil {
		return err
	}
	change, events, err := decide(s.w)
	if err != nil {
		return err
	}
	if change.Empty() {
		return nil
	}
	record, err := change.Encode()
	if err != nil {
		return err
	}
	if err := s.append(record); err != nil {
		return err
	}
	s.commit(change)
	s.changed.notify()
	s.emit(events)
	s.shorten()
	return nil
}

// shorten replaces the log with a snapshot when the log is more than twice as long as the last snapshot, and not
// small. So the size of the file is bounded by the size of the wallet, even if it is never stored or closed. The cost
// of a snapshot is proportional to what was logged since the last one, and readers do not wait for it. A failure does
// not affect the change, which is already stored, and is not retried at every change.
func (s *Session) shorten() {
	grown := s.log.Grown()
	if grown <= max(compactBytes, s.log.Whole(), s.retry) {
		return
	}
	if s.compact() != nil {
		s.retry = 2 * grown
	}
}

func (s *Session) append(record []byte) error {
	if err := s.log.Append(record); err != nil {
		return smallfmt.Errorf("session: the change could not be stored and was not made: %w", err)
	}
	s.records++
	return nil
}

func (s *Session) writable() error {
	switch {
	case s.closed:
		return ErrClosed
	case s.broken:
		return ErrBroken
	}
	return nil
}

// commit makes c visible. The caller holds s.writing. Readers wait as little as possible: expensive parts are
// computed before locking, and a long list of addresses is added in parts.
func (s *Session) commit(c wallet.ChangeSet) {
	broken := true
	defer func() {
		if broken {
			s.locked(func() { s.broken = true })
		}
	}()
	g := s.w.Growth(&c)
	for more := true; more; {
		s.locked(func() { more = s.w.Extend(&g) })
	}
	s.locked(func() { s.w.CommitGrown(c, g) })
	broken = false
}

// locked calls f while no reader is active. It unlocks even if f panics.
func (s *Session) locked(f func()) {
	s.state.Lock()
	defer s.state.Unlock()
	f()
}

// undisturbed calls f while the wallet cannot change. f may take long, because readers do not wait for it.
func (s *Session) undisturbed(f func(*wallet.Wallet)) {
	s.writing.Lock()
	defer s.writing.Unlock()
	f(s.w)
}

// setPool replaces what is known of the pool, which is not logged.
func (s *Session) setPool(txs []wallet.PoolTx) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.locked(func() { s.w.SetPool(txs) })
}

// setPoolSince is setPool unless DropPool was called after the first drops calls; it reports whether it set the pool.
func (s *Session) setPoolSince(drops int, txs []wallet.PoolTx) bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.poolDrops != drops {
		return false
	}
	s.locked(func() { s.w.SetPool(txs) })
	return true
}

// Store writes a snapshot when at least half of the log was appended since the last one, and that is not small. So
// the amount written over time is proportional to the changes, however large the wallet is.
const (
	compactBytes = 4 << 20
	recordBytes  = 2 << 10 // cost of reading a record, besides its length
)

// Store shortens the log if that is worthwhile, and marks its end; every change is already durable. It recreates a
// file that another program deleted.
func (s *Session) Store() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.log.Grown()+recordBytes*int64(s.records) >= max(compactBytes, s.log.Size()/2) || s.log.Lost() {
		if err := s.compact(); err != nil {
			return err
		}
	}
	_ = s.log.Mark() // everything is stored; without a mark a later truncation is merely not detected
	return nil
}

// Ending returns the state of the end of the wallet's file when it was opened.
func (s *Session) Ending() journal.Ending { return s.ending }

func (s *Session) compact() error {
	records, err := s.w.Snapshot()
	if err != nil {
		return err
	}
	defer wipeKeys(records)
	if err := s.log.Compact(records...); err != nil {
		return err
	}
	s.retry, s.records = 0, len(records)
	return nil
}

// Close stores the wallet, see Store, and refuses changes from then on. An external signer forgets the spend key. The
// caller closes the storage.
func (s *Session) Close() error {
	defer s.closeSigner()
	err := s.Store()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	if errors.Is(err, ErrBroken) {
		err = nil // its log is complete
	}
	s.writing.Lock()
	s.closed = true
	s.writing.Unlock()
	if keys.HasHierarchies && s.hasTree() {
		err = errors.Join(err, s.paths.Close())
	}
	return err
}
