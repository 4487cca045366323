package session

import (
	"context"
	"errors"
	"io"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/signer"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/wallet"
)

// Errors of going on without the spend key.
var (
	ErrSpendKey = errors.New("invalid spend key")
	ErrNotSetUp = errors.New("must setup background sync first before using background sync")
	ErrForeign  = errors.New("a file that is no background file is where the wallet's would be")
)

// backgroundMark follows the network's name in the public bytes of a background file, so that nothing else is replaced.
const backgroundMark = " background"

// Apart reports whether the spend key is away, since StartBackground.
func (s *Session) Apart() bool {
	s.state.RLock()
	defer s.state.RUnlock()
	return s.apart
}

// Hold keeps the spend key where it is until release is called: whoever uses it outside Change holds it.
func (s *Session) Hold() (release func()) {
	s.using.RLock()
	return s.using.RUnlock
}

// IsBackgroundFile reports whether st holds what may be replaced by a background file: one, or nothing.
func IsBackgroundFile(st journal.Storage) bool {
	public, err := journal.Public(st)
	if errors.Is(err, journal.ErrEmpty) {
		return true
	}
	n := len(public) - len(backgroundMark)
	return err == nil && n >= 0 && string(public[n:]) == backgroundMark
}

// SetupBackground says how the wallet goes on without its spend key. For wallet.BackgroundCustom, which takes a password
// and how to make a key of it, the file in st is made, in the place of what it holds; for other types, and for a wallet that is in
// memory alone, st is nil. The key is made before anybody has to wait for it, and the file before the wallet's log says so: after a crash between
// the two the log still has what it had, and a file that no key in the log opens is made anew. Errors: the log's, the storage's, ErrForeign.
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
		if err := s.writeApart(s.w, st, key); err != nil {
			return err
		}
	}
	return s.change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return wallet.ChangeSet{User: wallet.UserChange{Background: &b}}, nil, nil
	})
}

// writeApart makes a background file of w that stays closed.
func (s *Session) writeApart(w *wallet.Wallet, st journal.Storage, key journal.Key) error {
	_, log, err := s.newApart(w, st, key, false)
	if err == nil {
		log.Forget()
	}
	return err
}

func (s *Session) newApart(w *wallet.Wallet, st journal.Storage, key journal.Key, user bool) ([][]byte, *journal.Journal, error) {
	if !IsBackgroundFile(st) {
		return nil, nil, ErrForeign
	}
	records, err := w.Apart(user)
	if err != nil {
		return nil, nil, err
	}
	log, err := journal.Replace(st, key, s.host.Random, []byte(w.Origin().Network.String()+backgroundMark), records...)
	return records, log, err
}

// RefreshApart brings the background file of a wallet that was set up with wallet.BackgroundCustom to where the wallet is.
// Errors: the storage's, ErrForeign.
func (s *Session) RefreshApart(st journal.Storage) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writable() != nil || s.apart || s.w.Background().Type != wallet.BackgroundCustom {
		return nil
	}
	key, err := journal.ParseKey(s.w.Background().Lock)
	if err != nil {
		return err
	}
	return s.writeApart(s.w, st, key)
}

// StartBackground wipes the spend key from memory. The wallet goes on in the background file in st, which is made anew; its own
// log stays as it is, and what opens it is forgotten. A wallet that is in memory alone, for which st is nil, goes on in its own log:
// then only its seed brings the key back. It waits for a refresh under way and for whoever holds the key. When the key is away
// already, nothing happens. Errors: ErrNotSetUp, ErrClosed, ErrForeign, the logs'; after one the key is still there.
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
	case s.apart:
		return nil
	case s.w.Background().Type == wallet.BackgroundOff:
		return ErrNotSetUp
	}
	log, records, err := s.leave(st)
	if err != nil {
		return err
	}
	w, err := wallet.Replay(records)
	if err != nil {
		return err
	}
	old := s.w
	s.become(w, log, len(records), true)
	old.Keys().Forget()
	clear(old.Origin().Words)
	return nil
}

// leave prepares the log to go on in.
func (s *Session) leave(st journal.Storage) (*journal.Journal, [][]byte, error) {
	if st == nil {
		records, err := s.w.Apart(true)
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
		records, log, err := s.newApart(s.w, st, key, false)
		return log, records, err
	}
	// The wallet's log keeps what opens the file, and nothing else can: so its password need not be at hand, and whoever
	// reads the memory finds nothing that opens the wallet's own file.
	var secret [32]byte
	defer clear(secret[:])
	if _, err := io.ReadFull(s.host.Random, secret[:]); err != nil {
		return nil, nil, err
	}
	key, err := journal.NewKey(secret[:], journal.WeakestKDF(), s.host.Random)
	if err != nil {
		return nil, nil, err
	}
	records, log, err := s.newApart(s.w, st, key, true)
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

// become puts another state in the place of the one there is. The caller holds all locks.
func (s *Session) become(w *wallet.Wallet, log *journal.Journal, records int, apart bool) {
	if log != s.log {
		s.log.Forget()
	}
	s.locked(func() { s.w, s.apart = w, apart })
	s.keys.Store(w.Keys())
	s.log, s.records, s.retry = log, records, 0
	s.poolSeen, s.poolOurs, s.poolMissed = nil, nil, nil // a wallet just made has no pool: all of it is looked at anew
	s.news.tell()
}

// Seed is what brings a spend key back that is nowhere else. It never prints.
type Seed struct {
	Spend keys.Secret
	Words wallet.Words // when the wallet was made from sixteen
}

// StopBackground brings the spend key back: from the wallet's own log in st, which password opens, or for a wallet that is in
// memory alone, for which st is nil, from seed. A seed that is given must be the wallet's. What happened meanwhile is
// found in what was noted, and is in the wallet's log before it is seen. It waits for a refresh under way. Errors: ErrPassword,
// ErrSpendKey, ErrClosed, the logs', the context's; after one the key is still away.
func (s *Session) StopBackground(ctx context.Context, st journal.Storage, password []byte, seed *Seed) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.using.Lock()
	defer s.using.Unlock()
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil || !s.apart {
		return err
	}
	w, log, records, place, err := s.come(ctx, st, password, seed)
	if err != nil {
		return err
	}
	c, events, err := s.decideReturn(ctx, w, s.w)
	if err != nil {
		if place != nil {
			_ = place.Close(ctx) // the first error says more
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
	s.become(w, log, records+1, false)
	s.place = place
	s.tell(events)
	return nil
}

// come opens the wallet with its spend key, as it was when that went.
func (s *Session) come(ctx context.Context, st journal.Storage, password []byte, seed *Seed) (w *wallet.Wallet, log *journal.Journal, n int,
	place *signer.Place, err error) {
	log = s.log
	var records [][]byte
	switch {
	case s.vault != nil:
		log, records, place, err = s.comeSealed(ctx, st, password, seed)
	case st != nil:
		log, records, err = journal.Open(st, password, s.host.Random)
	default:
		records, err = s.whole(password, seed)
	}
	if errors.Is(err, journal.ErrPassword) {
		err = ErrPassword
	}
	if err == nil {
		w, err = replay(records)
	}
	if err == nil && (!w.Keys().CanSpend() || w.Keys().SpendPublic != s.w.Keys().SpendPublic || seed != nil && !seed.Of(w.Keys())) {
		err = ErrSpendKey
	}
	if err != nil {
		if place != nil {
			_ = place.Close(ctx) // the first error says more
		}
		return nil, nil, 0, nil, err
	}
	if place != nil {
		w.Keys().Attach(place)
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

// whole is the log of a wallet in memory with the spend key in it.
func (s *Session) whole(password []byte, seed *Seed) ([][]byte, error) {
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
	return s.w.Whole(k, seed.Words)
}

// decideReturn looks again at what was noted while the spend key was away.
func (s *Session) decideReturn(ctx context.Context, w, apart *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
	noted := apart.Noted()
	txs := make([]syncer.Tx, len(noted))
	for i, n := range noted {
		t, err := tx.ParsePruned(n.Blob)
		if err != nil {
			return wallet.ChangeSet{}, nil, err
		}
		txs[i] = syncer.Tx{ID: n.TxID, Tx: t, Indices: n.Indices}
	}
	scanned, err := syncer.ScanTxs(ctx, w.Keys().ViewSecret(), txs, s.host.crew())
	if err != nil {
		return wallet.ChangeSet{}, nil, err
	}
	mined := make([]wallet.Mined, len(noted))
	for i, n := range noted {
		mined[i] = wallet.Mined{Tx: scanned[i], Height: n.Height, Timestamp: n.Timestamp, Version: n.Version}
	}
	for {
		c, events, err := w.DecideReturn(apart, mined)
		if err == nil {
			return c, events, nil
		}
		if again, err := s.supply(ctx, err, func(use func(*wallet.Wallet)) { use(w) }); !again {
			return wallet.ChangeSet{}, nil, err
		}
	}
}

// largeRecord is from how many bytes on a change is stored as a snapshot, whose records are kept small.
const largeRecord = 1 << 24

// store makes c durable in log, then commits it to w, which nobody sees yet.
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

// Gather takes over what the background file in st found while the wallet was closed, or when the process ended before
// StopBackground. A file that is empty, or another one's, changes nothing. Errors: the logs', the context's.
func (s *Session) Gather(ctx context.Context, st journal.Storage) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	var b wallet.Background
	s.View(func(w *wallet.Wallet) { b = w.Background() })
	if s.Apart() || len(b.Lock) == 0 || !IsBackgroundFile(st) {
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
	apart, err := wallet.Replay(records)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	c, events, err := s.decideReturn(ctx, s.w, apart)
	if err != nil || c.Empty() {
		return err
	}
	// What is seen changes in one step: it is made beside, from the log of the moment.
	records, err = s.w.Snapshot()
	if err != nil {
		return err
	}
	w, err := replay(records)
	if err != nil {
		return err
	}
	if s.place != nil {
		w.Keys().Attach(s.place)
	}
	if err := store(s.log, w, c); err != nil {
		return err
	}
	s.become(w, s.log, s.records+1, false)
	s.tell(events)
	return nil
}

func (s *Session) tell(events []wallet.Event) {
	if s.host.Event == nil {
		return
	}
	for _, e := range events {
		s.host.Event(e)
	}
}
