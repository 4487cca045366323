package session

import (
	"context"
	"errors"
	"io"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/signer"
	"glim/core/syncer"
	"glim/core/wallet"
)

// Errors of background syncing. The first two texts are the reference's.
var (
	ErrSpendKey          = errors.New("invalid spend key")
	ErrNotSetUp          = errors.New("must setup background sync first before using background sync")
	ErrNotBackgroundFile = errors.New("the file at the path of the background file is not a background file")
)

// backgroundMark follows the network's name in the public bytes of a background file, so that no other file is
// overwritten.
const backgroundMark = " background"

// InBackground reports whether background syncing is active: the spend key is then not in memory.
func (s *Session) InBackground() bool {
	s.state.RLock()
	defer s.state.RUnlock()
	return s.background
}

// HoldSpendKey keeps the spend key in memory until release is called. It is required for using the spend key outside
// Change.
func (s *Session) HoldSpendKey() (release func()) {
	s.using.RLock()
	return s.using.RUnlock
}

// IsBackgroundFile reports whether st is empty or holds a background file, so that a background file may replace it.
func IsBackgroundFile(st journal.Storage) bool {
	public, err := journal.Public(st)
	if errors.Is(err, journal.ErrEmpty) {
		return true
	}
	n := len(public) - len(backgroundMark)
	return err == nil && n >= 0 && string(public[n:]) == backgroundMark
}

// SetupBackground configures background syncing. For wallet.BackgroundCustom, which takes a password and the
// parameters of its key, it creates the file in st, replacing its content. For other types, and for a wallet in
// memory, st is nil. The key is derived before any lock is taken, and the file is written before the wallet's log
// refers to it: after a crash between the two, the log has the old setup, and a file that no key in the log opens is
// replaced. Errors: those of the log and of the storage, ErrNotBackgroundFile.
func (s *Session) SetupBackground(t wallet.BackgroundType, st journal.Storage, password []byte, kdf journal.KDF) error {
	b := wallet.Background{Type: t}
	var key journal.Key
	if st != nil {
		var err error
		if key, err = journal.NewKey(password, kdf, s.host.Random); err != nil {
			return err
		}
		b.Lock = key.Bytes()
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if st != nil {
		if err := s.writeBackgroundFile(s.w, st, key); err != nil {
			return err
		}
	}
	return s.change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return wallet.ChangeSet{User: wallet.UserChange{Background: &b}}, nil, nil
	})
}

// writeBackgroundFile creates a background file of w without opening it.
func (s *Session) writeBackgroundFile(w *wallet.Wallet, st journal.Storage, key journal.Key) error {
	_, log, err := s.newBackgroundFile(w, st, key, false)
	if err == nil {
		log.Forget()
	}
	return err
}

// newBackgroundFile creates a background file of w and returns its records with the open journal. user is as in
// BackgroundLog.
func (s *Session) newBackgroundFile(
	w *wallet.Wallet, st journal.Storage, key journal.Key, user bool,
) ([][]byte, *journal.Journal, error) {
	if !IsBackgroundFile(st) {
		return nil, nil, ErrNotBackgroundFile
	}
	records, err := w.BackgroundLog(user)
	if err != nil {
		return nil, nil, err
	}
	public := []byte(w.Identity().Network.String() + backgroundMark)
	log, err := journal.Replace(st, key, s.host.Random, public, records...)
	return records, log, err
}

// UpdateBackgroundFile brings the background file of a wallet with wallet.BackgroundCustom to the current state.
// Errors: those of the storage, ErrNotBackgroundFile.
func (s *Session) UpdateBackgroundFile(st journal.Storage) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writable() != nil || s.background || s.w.Background().Type != wallet.BackgroundCustom {
		return nil
	}
	key, err := journal.ParseKey(s.w.Background().Lock)
	if err != nil {
		return err
	}
	return s.writeBackgroundFile(s.w, st, key)
}

// StartBackground wipes the spend key from memory and continues in the background file in st, which it creates anew.
// The wallet's own log stays as it is, and its key is wiped. A wallet in memory, for which st is nil, continues in
// its own log; then only the seed restores the spend key. StartBackground waits for a refresh in progress and for
// users of the spend key. It does nothing if background syncing is active. Errors: ErrNotSetUp, ErrClosed,
// ErrNotBackgroundFile, those of the logs; after an error the spend key is still in memory.
func (s *Session) StartBackground(st journal.Storage) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.using.Lock()
	defer s.using.Unlock()
	s.writing.Lock()
	defer s.writing.Unlock()
	switch err := s.writable(); {
	case err != nil:
		return err
	case s.background:
		return nil
	case s.w.Background().Type == wallet.BackgroundOff:
		return ErrNotSetUp
	}
	log, records, err := s.backgroundLog(st)
	if err != nil {
		return err
	}
	w, err := wallet.Replay(records)
	if err != nil {
		return err
	}
	old := s.w
	s.install(w, log, len(records), true)
	old.Keys().Forget()
	clear(old.Identity().Words)
	return nil
}

// backgroundLog returns the log in which background syncing continues, with its records.
func (s *Session) backgroundLog(st journal.Storage) (*journal.Journal, [][]byte, error) {
	if st == nil {
		records, err := s.w.BackgroundLog(true)
		if err != nil {
			return nil, nil, err
		}
		return s.log, records, s.log.Compact(records...)
	}
	b := s.w.Background()
	if b.Type == wallet.BackgroundCustom {
		key, err := journal.ParseKey(b.Lock)
		if err != nil {
			return nil, nil, err
		}
		records, log, err := s.newBackgroundFile(s.w, st, key, false)
		return log, records, err
	}
	// The wallet's log keeps the key of the background file, and nothing else opens that file. So its password is not
	// needed here, and the memory of the process has nothing that opens the wallet's own file.
	var secret [32]byte
	defer clear(secret[:])
	if _, err := io.ReadFull(s.host.Random, secret[:]); err != nil {
		return nil, nil, err
	}
	key, err := journal.NewKey(secret[:], journal.WeakestKDF(), s.host.Random)
	if err != nil {
		return nil, nil, err
	}
	records, log, err := s.newBackgroundFile(s.w, st, key, true)
	if err != nil {
		return nil, nil, err
	}
	c := wallet.ChangeSet{User: wallet.UserChange{Background: &wallet.Background{Type: b.Type, Lock: key.Bytes()}}}
	record, err := c.Encode()
	if err != nil {
		return nil, nil, err
	}
	return log, records, s.append(record)
}

// install replaces the state. The caller holds all locks.
func (s *Session) install(w *wallet.Wallet, log *journal.Journal, records int, background bool) {
	if log != s.log {
		s.log.Forget()
	}
	s.locked(func() { s.w, s.background = w, background })
	s.keys.Store(w.Keys())
	s.log, s.records, s.retry = log, records, 0
	// The new state has no pool: all transactions are examined again.
	s.poolSeen, s.poolOurs, s.poolMissed = nil, nil, nil
	s.changed.notify()
}

// Seed restores a spend key that is stored nowhere else. It never prints.
type Seed struct {
	Spend keys.Secret
	Words wallet.Words // if the wallet was made from a Polyseed
}

// StopBackground restores the spend key: from the wallet's own log in st, which password opens, or, for a wallet in
// memory, for which st is nil, from seed. A given seed must be the wallet's. The transactions recorded in the
// meantime are processed with the spend key, and the result is in the wallet's log before it is visible.
// StopBackground waits for a refresh in progress. Errors: ErrPassword, ErrSpendKey, ErrClosed, those of the logs, the
// error of ctx; after an error the spend key is not in memory.
func (s *Session) StopBackground(ctx context.Context, st journal.Storage, password []byte, seed *Seed) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.using.Lock()
	defer s.using.Unlock()
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil || !s.background {
		return err
	}
	w, log, records, place, err := s.openWithSpendKey(ctx, st, password, seed)
	if err != nil {
		return err
	}
	c, events, err := s.decideBackgroundCache(ctx, w, s.w)
	if err != nil {
		if place != nil {
			_ = place.Close(ctx) // the first error is more informative
		}
		return err
	}
	if st == nil {
		w.Commit(c)
		all, err := w.Snapshot()
		if err == nil {
			defer wipeKeys(all)
			err = log.Compact(all...)
		}
		if err != nil {
			return err
		}
	} else if err := store(log, w, c); err != nil {
		return err
	}
	s.install(w, log, records+1, false)
	s.signerKey = place
	s.emit(events)
	return nil
}

// openWithSpendKey opens the wallet with its spend key, in the state before background syncing.
func (s *Session) openWithSpendKey(
	ctx context.Context, st journal.Storage, password []byte, seed *Seed,
) (w *wallet.Wallet, log *journal.Journal, n int, place *signer.ExternalWallet, err error) {
	log = s.log
	var records [][]byte
	switch {
	case s.vault != nil:
		log, records, place, err = s.reopenWithSigner(ctx, st, password, seed)
	case st != nil:
		log, records, err = journal.Open(st, password, s.host.Random)
	default:
		records, err = s.logWithSpendKey(password, seed)
	}
	w, err = opened(records, err)
	if err == nil {
		k := w.Keys()
		if !k.CanSpend() || k.SpendPublic != s.w.Keys().SpendPublic || seed != nil && !seed.Of(k) {
			err = ErrSpendKey
		}
	}
	if err != nil {
		if place != nil {
			_ = place.Close(ctx) // the first error is more informative
		}
		return nil, nil, 0, nil, err
	}
	if place != nil {
		w.Keys().AttachSigner(place)
	}
	return w, log, len(records), place, nil
}

// Of reports whether s is the seed of k.
func (s *Seed) Of(k *keys.Keys) bool {
	own, err := keys.FromSecrets(s.Spend, k.ViewSecret())
	if err != nil {
		return false
	}
	defer own.Forget()
	return own.SpendPublic == k.SpendPublic
}

// logWithSpendKey returns the log of a wallet in memory with the spend key of seed.
func (s *Session) logWithSpendKey(password []byte, seed *Seed) ([][]byte, error) {
	if s.log.CheckPassword(password) != nil {
		return nil, ErrPassword
	}
	if seed == nil {
		return nil, ErrSpendKey
	}
	k, err := keys.FromSecrets(seed.Spend, s.w.Keys().ViewSecret())
	if err != nil || k.SpendPublic != s.w.Keys().SpendPublic {
		return nil, ErrSpendKey
	}
	return s.w.LogWithKeys(k, seed.Words)
}

// decideBackgroundCache processes the transactions recorded in background again, with the spend key of w.
func (s *Session) decideBackgroundCache(
	ctx context.Context, w, background *wallet.Wallet,
) (wallet.ChangeSet, []wallet.HostEvent, error) {
	noted := background.Noted()
	txs := make([]syncer.Tx, len(noted))
	for i, n := range noted {
		t, err := n.Transaction()
		if err != nil {
			return wallet.ChangeSet{}, nil, err
		}
		txs[i] = syncer.Tx{ID: n.TxID, Tx: t, Indices: n.Indices}
	}
	scanned, err := syncer.ScanTxs(ctx, w.Keys().ViewSecret(), txs, s.host.workers())
	if err != nil {
		return wallet.ChangeSet{}, nil, err
	}
	mined := make([]wallet.MinedTx, len(noted))
	for i, n := range noted {
		mined[i] = wallet.MinedTx{ScannedTx: scanned[i], Height: n.Height, Timestamp: n.Timestamp, Version: n.Version}
	}
	for {
		c, events, err := w.DecideBackgroundCache(background, mined)
		if err == nil {
			return c, events, nil
		}
		if again, err := s.supply(ctx, err, func(use func(*wallet.Wallet)) { use(w) }); !again {
			return wallet.ChangeSet{}, nil, err
		}
	}
}

// largeRecord is the size in bytes above which a change is stored as a snapshot, whose records are small.
const largeRecord = 1 << 24

// store makes c durable in log, then commits it to w, which is not visible yet.
func store(log *journal.Journal, w *wallet.Wallet, c wallet.ChangeSet) error {
	if c.Empty() {
		return nil
	}
	record, err := c.Encode()
	if err != nil {
		return err
	}
	if len(record) <= largeRecord {
		if err := log.Append(record); err != nil {
			return err
		}
		w.Commit(c)
		return nil
	}
	w.Commit(c)
	records, err := w.Snapshot()
	if err != nil {
		return err
	}
	defer wipeKeys(records)
	return log.Compact(records...)
}

// ImportBackgroundFile takes over what the background file in st found while the wallet was closed, or before the
// process ended without StopBackground. An empty file or that of another wallet changes nothing. Errors: those of the
// logs, the error of ctx.
func (s *Session) ImportBackgroundFile(ctx context.Context, st journal.Storage) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	var b wallet.Background
	s.View(func(w *wallet.Wallet) { b = w.Background() })
	if s.InBackground() || len(b.Lock) == 0 || !IsBackgroundFile(st) {
		return nil
	}
	key, err := journal.ParseKey(b.Lock)
	if err != nil {
		return err
	}
	log, records, err := journal.OpenKey(st, key, s.host.Random)
	if errors.Is(err, journal.ErrEmpty) || errors.Is(err, journal.ErrPassword) {
		return nil
	}
	if err != nil {
		return err
	}
	defer log.Forget()
	background, err := wallet.Replay(records)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	c, events, err := s.decideBackgroundCache(ctx, s.w, background)
	if err != nil || c.Empty() {
		return err
	}
	// The visible state changes in one step: the new one is built from a snapshot.
	records, err = s.w.Snapshot()
	if err != nil {
		return err
	}
	w, err := replay(records)
	if err != nil {
		return err
	}
	if s.signerKey != nil {
		w.Keys().AttachSigner(s.signerKey)
	}
	if err := store(s.log, w, c); err != nil {
		return err
	}
	s.install(w, s.log, s.records+1, false)
	s.emit(events)
	return nil
}

func (s *Session) emit(events []wallet.HostEvent) {
	if s.host.Event == nil {
		return
	}
	for _, e := range events {
		s.host.Event(e)
	}
}
