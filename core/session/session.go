// Package session owns one open wallet: its state, its log, and the order in which both change.
package session

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/scan"
	"glim/core/signer"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Errors a caller can act on.
var (
	ErrClosed   = errors.New("session: the wallet is closed")
	ErrPassword = errors.New("invalid password")
	// ErrBroken: a change was written and could not be carried out. Nothing more is read or written; what the log holds is
	// what opening the wallet again gives.
	ErrBroken = errors.New("session: the wallet is not what its file says; open it again")
)

// Session is one open wallet. Its methods may be called from any goroutine: reads work on the last committed state and
// never wait for a refresh or a disk; changes come one after another, each durable before it is visible.
type Session struct {
	host Host

	writing sync.Mutex   // held by the one who decides, logs and commits
	state   sync.RWMutex // guards w; write-locked for a commit only
	w       *wallet.Wallet
	log     *journal.Journal
	closed  bool
	broken  bool                      // set under both locks
	apart   bool                      // going on without the spend key
	vault   signer.Post               // where the spend key is kept, of a wallet whose file is sealed; or nil
	place   *signer.Place             // of the spend key there; nil while it is away
	keys    atomic.Pointer[keys.Keys] // of w
	using   sync.RWMutex              // read-locked by whoever uses the spend key

	refreshing  sync.Mutex             // one refresh at a time; guards the next seven
	refused     xmr.Hash               // first block of the reorganisation that was refused last
	used        bool                   // addresses that nothing uses were dropped since blocks were
	poolAnew    bool                   // blocks were dropped, or many read: what the pool holds may mean something else now
	poolTelling *syncer.Telling        // that the next two are from
	poolSeen    map[xmr.Hash]bool      // transactions of strangers
	poolOurs    map[xmr.Hash]wallet.Tx // and those that are about the wallet's outputs
	poolMissed  map[xmr.Hash]bool      // the wallet's own that were not in the pool at the last look, see missing
	poolDrops   int                    // how often DropPool was called; guarded by writing
	progress    progress
	news        news

	records int   // in the log
	retry   int64 // how far the log has grown when it is shortened again, after that failed
	ending  journal.Ending
}

// Host is what a wallet needs of the outside.
type Host struct {
	Random  io.Reader     // a cryptographic source
	Now     func() uint64 // POSIX seconds
	Workers int           // goroutines to scan with
	// Behind runs work so that what else the process does comes first, see syncer.Crew. Nil runs it like anything else.
	Behind func(work func())
	// Scan and Between are a syncer.Crew's: work that others do, and a break for those who share the thread. Nil for neither.
	Scan    func(ctx context.Context, job scan.Job) (scan.Result, error)
	Between func()
	// Event is told what changed, after it is durable and visible. It must not call back. Nil is nobody.
	Event func(wallet.Event)
}

func (h Host) crew() syncer.Crew {
	return syncer.Crew{Size: h.Workers, Behind: h.Behind, Scan: h.Scan, Between: h.Between}
}

// Create makes a wallet in empty storage and opens it. Errors: journal's.
func Create(st journal.Storage, password []byte, kdf journal.KDF, o wallet.Origin, l wallet.Lookahead, h Host) (*Session, error) {
	first, err := wallet.EncodeOrigin(o, l)
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
	go w.Prepare(h.Between)()
	return s
}

// Open opens the wallet in storage. ErrPassword when the password is wrong, ErrSealed when it is for OpenSealed; other errors are
// journal's or wallet.ErrRecord, with which the storage is left as it was.
func Open(st journal.Storage, password []byte, h Host) (*Session, error) {
	if IsSealed(st) {
		return nil, ErrSealed
	}
	log, records, err := journal.Open(st, password, h.Random)
	if errors.Is(err, journal.ErrPassword) {
		return nil, ErrPassword
	}
	if err != nil {
		return nil, err
	}
	w, err := replay(records)
	if err != nil {
		return nil, err
	}
	return newSession(h, w, log, len(records)), nil
}

// replay rebuilds a wallet and wipes the record that has its keys.
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

// CheckPassword returns ErrPassword unless password is the wallet's. Of a sealed wallet its vault is asked, whose errors are returned.
func (s *Session) CheckPassword(ctx context.Context, password []byte) error {
	s.writing.Lock()
	if vault := s.vault; vault != nil {
		public := s.log.Public()
		s.writing.Unlock()
		return s.checkSealed(ctx, vault, public, password)
	}
	defer s.writing.Unlock()
	if s.log.CheckPassword(password) != nil {
		return ErrPassword
	}
	return nil
}

// ChangePassword seals the log under another password, and with it the spend key where that is sealed apart. Errors: ErrPassword, the
// log's, the vault's.
func (s *Session) ChangePassword(ctx context.Context, old, password []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return ErrClosed
	}
	if s.vault != nil {
		return s.reseal(ctx, old, password)
	}
	if err := s.log.ChangePassword(old, password); errors.Is(err, journal.ErrPassword) {
		return ErrPassword
	} else {
		return err
	}
}

// Keys returns the wallet's keys. They change only in that the spend key goes and comes back, see StartBackground.
func (s *Session) Keys() *keys.Keys { return s.keys.Load() }

// Err returns ErrBroken when the wallet can no longer be read.
func (s *Session) Err() error {
	s.state.RLock()
	defer s.state.RUnlock()
	if s.broken {
		return ErrBroken
	}
	return nil
}

// View calls f with the wallet as last committed. f must not keep what it is given, nor change it, and be short: a commit waits for
// it, and others wait for the commit.
func (s *Session) View(f func(*wallet.Wallet)) {
	s.state.RLock()
	defer s.state.RUnlock()
	f(s.w)
}

// Change decides, makes durable and commits. decide sees the wallet as it is and nobody changes it meanwhile; it may
// take its time, for readers do not wait. An error of decide or of the log changes nothing.
func (s *Session) Change(decide func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.change(decide)
}

// change is Change for a caller who holds writing.
func (s *Session) change(decide func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error)) error {
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
	s.news.tell()
	if s.host.Event != nil {
		for _, e := range events {
			s.host.Event(e)
		}
	}
	s.shorten()
	return nil
}

// shorten writes a snapshot in the place of the log when that has become more than twice as long as the last one, and not little longer. So a
// file is bounded by what the wallet is, however long nobody stores or closes it. What a snapshot costs is in proportion to what was logged since
// the last; readers do not wait for it. A failure is no failure of the change, which is stored, and is not met again at every change.
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
		return say.Errorf("session: the change could not be written and was not made: %w", err)
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

// commit makes c visible. The caller holds writing. Readers wait as short as can be: what takes long is made before, and a long
// list of addresses enters in parts.
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

// locked calls f while nobody reads, and lets them read again even when it panics.
func (s *Session) locked(f func()) {
	s.state.Lock()
	defer s.state.Unlock()
	f()
}

// undisturbed calls f while nobody changes the wallet. It may take its time, for readers do not wait.
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

// setPoolSince is setPool, unless DropPool was called since it had been called drops times; it reports which.
func (s *Session) setPoolSince(drops int, txs []wallet.PoolTx) bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.poolDrops != drops {
		return false
	}
	s.locked(func() { s.w.SetPool(txs) })
	return true
}

// When a snapshot is worth its writing: when what was logged since the last one has grown to half of the log, and is not little. So what
// is written over the years stays in proportion to what changed, however large the wallet.
const (
	compactBytes = 4 << 20
	recordBytes  = 2 << 10 // what a record costs who reads it, its length aside
)

// Store makes sure that everything is on disk, as it is after every change, shortens the log when that pays, and marks its end. A log that was
// removed by others is made again.
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
	_ = s.log.Mark() // all is stored; a file without a mark only says less of itself
	return nil
}

// Ending returns what the end of the wallet's file told when it was opened.
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

// Close shortens the log when that pays and refuses changes from then on. A vault forgets the spend key. The storage is its owner's to
// close.
func (s *Session) Close() error {
	defer s.leavePlace()
	err := s.Store()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	if errors.Is(err, ErrBroken) {
		err = nil // its log is whole
	}
	s.writing.Lock()
	s.closed = true
	s.writing.Unlock()
	return err
}
