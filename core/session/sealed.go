package session

import (
	"bytes"
	"context"
	"errors"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/signer"
	"glim/core/syncer"
	"glim/core/wallet"
)

// ErrSealed: the wallet's spend key is sealed apart from its log, and only what keeps it can open the wallet.
var ErrSealed = errors.New("session: the wallet's spend key is sealed apart")

// sealedMark stands between the network's name and the sealed spend key in the public bytes of a file. No network has it in its name.
const sealedMark = "\x00"

func sealedIn(public []byte) ([]byte, bool) {
	_, sealed, ok := bytes.Cut(public, []byte(sealedMark))
	return sealed, ok
}

// unsealed returns public without the spend key, but with what its password becomes a key by.
func unsealed(public []byte) []byte {
	network, sealed, _ := bytes.Cut(public, []byte(sealedMark))
	return append(append(bytes.Clone(network), sealedMark...), signer.Bare(sealed)...)
}

// IsSealed reports whether st holds a wallet for OpenSealed.
func IsSealed(st journal.Storage) bool {
	public, err := journal.Public(st)
	if err != nil {
		return false
	}
	_, ok := sealedIn(public)
	return ok
}

// CreateSealed makes a wallet in empty storage whose spend key is where opened says, and opens it. o is Create's, but for its keys and
// words. What opens the log does not open the spend key, and the other way round. Where opened has no spend key, from CreateBare, o is Create's.
// Errors: journal's; after one the place is left open.
func CreateSealed(st journal.Storage, vault signer.Post, opened *signer.Opened, o wallet.Origin, l wallet.Lookahead, h Host) (*Session, error) {
	if opened.Place != nil {
		var err error
		if o.Keys, err = opened.Keys(); err != nil {
			return nil, err
		}
		o.Words = nil
	}
	first, err := wallet.EncodeOrigin(o, l)
	if err != nil {
		return nil, err
	}
	defer clear(first)
	if content, err := st.Load(); err != nil {
		return nil, err
	} else if len(content) > 0 {
		return nil, journal.ErrExists
	}
	log, err := journal.Replace(st, opened.Key, h.Random, append([]byte(o.Network.String()+sealedMark), opened.Sealed...), first)
	if err != nil {
		return nil, err
	}
	s := newSession(h, wallet.New(o, l), log, 0)
	s.vault, s.place = vault, opened.Place
	return s, nil
}

// OpenSealed opens a wallet that CreateSealed made, with the help of what keeps its spend key. Errors: ErrPassword; the vault's;
// those of Open.
func OpenSealed(ctx context.Context, st journal.Storage, password []byte, vault signer.Post, h Host) (*Session, error) {
	log, records, opened, err := openSealed(ctx, st, password, vault, h)
	if err != nil {
		return nil, err
	}
	w, err := replay(records)
	if err == nil && w.Keys().Away() != (opened.Place != nil) {
		err = wallet.ErrRecord // a spend key that is not the wallet's
	}
	if err == nil && opened.Place != nil && w.Keys().SpendPublic != opened.SpendPublic {
		err = wallet.ErrRecord
	}
	if err != nil {
		opened.Close(ctx)
		return nil, err
	}
	s := newSession(h, w, log, len(records))
	s.vault = vault
	if opened.Place != nil {
		s.place = opened.Place
		w.Keys().Attach(s.place)
	}
	return s, nil
}

func openSealed(ctx context.Context, st journal.Storage, password []byte, vault signer.Post, h Host) (*journal.Journal, [][]byte, *signer.Opened, error) {
	public, err := journal.Public(st)
	if err != nil {
		return nil, nil, nil, err
	}
	sealed, ok := sealedIn(public)
	if !ok {
		return nil, nil, nil, journal.ErrFormat
	}
	opened, err := vault.Unlock(ctx, password, sealed)
	if errors.Is(err, journal.ErrPassword) {
		return nil, nil, nil, ErrPassword
	}
	if err != nil {
		return nil, nil, nil, err
	}
	log, records, err := journal.OpenKey(st, opened.Key, h.Random)
	if errors.Is(err, journal.ErrPassword) {
		err = ErrPassword
	}
	if err != nil {
		opened.Close(ctx)
		return nil, nil, nil, err
	}
	return log, records, opened, nil
}

// comeSealed opens a sealed wallet's own log for StopBackground.
func (s *Session) comeSealed(ctx context.Context, st journal.Storage, password []byte, seed *Seed) (*journal.Journal, [][]byte, *signer.Place, error) {
	if st != nil {
		log, records, opened, err := openSealed(ctx, st, password, s.vault, s.host)
		if err != nil {
			return nil, nil, nil, err
		}
		return log, records, opened.Place, nil
	}
	if seed == nil { // in memory, as for other wallets, the seed is asked for
		return nil, nil, nil, ErrSpendKey
	}
	sealed, _ := sealedIn(s.log.Public())
	opened, err := s.vault.Unlock(ctx, password, sealed)
	if err != nil {
		return nil, nil, nil, err
	}
	k, err := opened.Keys()
	if err == nil && k.SpendPublic != s.w.Keys().SpendPublic {
		err = ErrSpendKey
	}
	if err != nil {
		opened.Close(ctx)
		return nil, nil, nil, err
	}
	records, err := s.w.Whole(k, nil)
	return s.log, records, opened.Place, err
}

// checkSealed has the vault try a password. What keeps the spend key may have started anew since: the place is the one found now.
func (s *Session) checkSealed(ctx context.Context, vault signer.Post, public, password []byte) error {
	sealed, ok := sealedIn(public)
	if !ok {
		return ErrSealed // the wallet goes on in another file; see CheckSealed
	}
	opened, err := vault.Unlock(ctx, password, sealed)
	if errors.Is(err, journal.ErrPassword) {
		return ErrPassword
	}
	if err != nil {
		return err
	}
	s.writing.Lock()
	right, place := s.log.Has(opened.Key), s.place
	s.writing.Unlock()
	if right && place != nil && opened.Place != nil {
		place.Take(ctx, opened.Place)
		return nil
	}
	opened.Close(ctx)
	if !right {
		return ErrPassword
	}
	return nil
}

// CheckSealed returns ErrPassword unless password is that of the sealed wallet in st, of which only the header is looked at. Other errors
// are the vault's.
func CheckSealed(ctx context.Context, st journal.Storage, password []byte, vault signer.Post) error {
	public, err := journal.Public(st)
	if err != nil {
		return err
	}
	sealed, _ := sealedIn(public)
	opened, err := vault.Unlock(ctx, password, sealed)
	if errors.Is(err, journal.ErrPassword) {
		return ErrPassword
	}
	if err == nil {
		opened.Close(ctx)
	}
	return err
}

// reseal changes the password: log and spend key are under the new one at the same moment, when the storage has the new file.
func (s *Session) reseal(ctx context.Context, old, password []byte) error {
	public := s.log.Public()
	sealed, ok := sealedIn(public)
	if !ok {
		return ErrSealed
	}
	if signer.IsBare(sealed) { // nothing there tells whether a password is right, but the log does
		opened, err := s.vault.Unlock(ctx, old, sealed)
		if err != nil {
			return err
		}
		if !s.log.Has(opened.Key) {
			return ErrPassword
		}
	}
	key, again, err := s.vault.Reseal(ctx, sealed, old, password)
	if errors.Is(err, journal.ErrPassword) {
		return ErrPassword
	}
	if err != nil {
		return err
	}
	return s.log.ChangeKey(key, append(bytes.TrimSuffix(public, sealed), again...))
}

// leavePlace has the vault forget the spend key.
func (s *Session) leavePlace() {
	s.writing.Lock()
	place := s.place
	s.place = nil
	s.writing.Unlock()
	if place != nil {
		_ = place.Close(context.Background()) // one that is not there has forgotten it
	}
}

// Sealed reports whether the spend key is sealed apart from the log.
func (s *Session) Sealed() bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.vault != nil
}

// Seal moves the spend key, which is in the log, to a vault: afterwards the file is as CreateSealed makes it, under password, and before it
// is as it was. It waits for a refresh under way and for whoever holds the key. Errors: ErrClosed, ErrApart, keys.ErrKey for a wallet
// without a spend key; the vault's, the log's.
func (s *Session) Seal(ctx context.Context, vault signer.Post, password []byte, kdf journal.KDF) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.using.Lock()
	defer s.using.Unlock()
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.apart {
		return ErrApart
	}
	o := s.w.Origin()
	if _, ok := o.Keys.SpendSecret(); !ok {
		return keys.ErrKey
	}
	opened, err := vault.Create(ctx, password, kdf, o.Network, o.Keys, o.Words)
	if err != nil {
		return err
	}
	err = func() error {
		k, err := opened.Keys()
		if err != nil {
			return err
		}
		records, err := s.w.Whole(k, nil)
		if err != nil {
			return err
		}
		w, err := wallet.Replay(records)
		if err != nil {
			return err
		}
		public := append([]byte(o.Network.String()+sealedMark), opened.Sealed...)
		if err := s.log.Rewrite(opened.Key, public, records...); err != nil {
			return err
		}
		w.Keys().Attach(opened.Place)
		s.become(w, s.log, len(records), false)
		s.vault, s.place = vault, opened.Place
		return nil
	}()
	if err != nil {
		opened.Close(ctx)
		return err
	}
	o.Keys.Forget()
	clear(o.Words)
	return nil
}

// asking calls try until it lacks nothing: no key image that only the place of the spend key can make, and no candidates of a wide
// transaction. These are made meanwhile, under no lock.
func (s *Session) asking(ctx context.Context, try func() error) error {
	for {
		err := try()
		if more, err := s.supply(ctx, err, func(use func(*wallet.Wallet)) { s.View(use) }); !more {
			return err
		}
	}
}

// supply makes what a decision lacked, as its error says, and reports whether it is to be made again. view shows the wallet that decides.
func (s *Session) supply(ctx context.Context, err error, view func(func(*wallet.Wallet))) (again bool, _ error) {
	var wanted *keys.WantedError
	var search *wallet.SearchError
	var own *keys.Keys
	view(func(w *wallet.Wallet) { own = w.Keys() })
	switch {
	case errors.As(err, &wanted):
		err = own.Learn(ctx, wanted.Outputs)
	case errors.As(err, &search):
		err = syncer.Search(ctx, own.ViewSecret(), search, func(list []scan.Candidate) (ours []scan.Candidate) {
			view(func(w *wallet.Wallet) { ours = search.Ours(w, list) })
			return ours
		}, s.host.crew())
	default:
		return false, err
	}
	return err == nil, err
}

// ChangeAsking is Change for a decision that may take key images or the candidates of wide transactions: what a *keys.WantedError or a
// *wallet.SearchError names is made, and the decision is made again. Errors: Change's, the place's, those of syncer.Search.
func (s *Session) ChangeAsking(ctx context.Context, decide func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error)) error {
	return s.asking(ctx, func() error { return s.Change(decide) })
}
