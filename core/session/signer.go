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

// ErrNeedsSigner: an external signer has the wallet's spend key, and only it can open the wallet.
var ErrNeedsSigner = errors.New("session: the wallet needs the external signer that has its spend key")

// sealedMark separates the network's name from the encrypted spend key in the public bytes of a file. No network name
// contains it.
const sealedMark = "\x00"

// sealedIn returns the encrypted spend key in the public bytes of a file.
func sealedIn(public []byte) ([]byte, bool) {
	_, sealed, ok := bytes.Cut(public, []byte(sealedMark))
	return sealed, ok
}

// unsealed returns public without the spend key, but with the parameters that derive the key from the password.
func unsealed(public []byte) []byte {
	network, sealed, _ := bytes.Cut(public, []byte(sealedMark))
	return append(append(bytes.Clone(network), sealedMark...), signer.WithoutSecrets(sealed)...)
}

// NeedsSigner reports whether the wallet in st must be opened with OpenWithSigner.
func NeedsSigner(st journal.Storage) bool {
	public, err := journal.Public(st)
	if err != nil {
		return false
	}
	_, ok := sealedIn(public)
	return ok
}

// CreateWithSigner makes a wallet in empty storage whose spend key the external signer has, and opens it. o is the
// identity as for Create; its keys and words are ignored. The key that opens the log does not decrypt the spend key,
// and vice versa. If opened has no spend key, from CreateWithoutSecrets, o is used completely. Errors: those of the
// journal; after one, opened stays open.
func CreateWithSigner(
	st journal.Storage, vault signer.Transport, opened *signer.OpenedWallet, o wallet.Identity, l wallet.Lookahead,
	h Host,
) (*Session, error) {
	if opened.Wallet != nil {
		var err error
		if o.Keys, err = opened.Keys(); err != nil {
			return nil, err
		}
		o.Words = nil
	}
	first, err := wallet.EncodeIdentity(o, l)
	if err != nil {
		return nil, err
	}
	defer clear(first)
	if content, err := st.Load(); err != nil {
		return nil, err
	} else if len(content) > 0 {
		return nil, journal.ErrExists
	}
	public := append([]byte(o.Network.String()+sealedMark), opened.Sealed...)
	log, err := journal.Replace(st, opened.Key, h.Random, public, first)
	if err != nil {
		return nil, err
	}
	s := newSession(h, wallet.New(o, l), log, 0)
	s.vault, s.signerKey = vault, opened.Wallet
	return s, nil
}

// OpenWithSigner opens a wallet that CreateWithSigner made. Errors: ErrPassword, those of the external signer, those
// of Open.
func OpenWithSigner(
	ctx context.Context, st journal.Storage, password []byte, vault signer.Transport, h Host,
) (*Session, error) {
	log, records, opened, err := openWithSigner(ctx, st, password, vault, h)
	if err != nil {
		return nil, err
	}
	w, err := replay(records)
	if err == nil && w.Keys().External() != (opened.Wallet != nil) {
		err = wallet.ErrRecord // the spend key is not the wallet's
	}
	if err == nil && opened.Wallet != nil && w.Keys().SpendPublic != opened.SpendPublic {
		err = wallet.ErrRecord
	}
	if err != nil {
		opened.Close(ctx)
		return nil, err
	}
	s := newSession(h, w, log, len(records))
	s.vault = vault
	if opened.Wallet != nil {
		s.signerKey = opened.Wallet
		w.Keys().AttachSigner(s.signerKey)
	}
	return s, nil
}

func openWithSigner(
	ctx context.Context, st journal.Storage, password []byte, vault signer.Transport, h Host,
) (*journal.Journal, [][]byte, *signer.OpenedWallet, error) {
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

// reopenWithSigner opens the log with the spend key for StopBackground.
func (s *Session) reopenWithSigner(
	ctx context.Context, st journal.Storage, password []byte, seed *Seed,
) (*journal.Journal, [][]byte, *signer.ExternalWallet, error) {
	if st != nil {
		log, records, opened, err := openWithSigner(ctx, st, password, s.vault, s.host)
		if err != nil {
			return nil, nil, nil, err
		}
		return log, records, opened.Wallet, nil
	}
	if seed == nil { // a wallet in memory needs the seed, as without an external signer
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
	records, err := s.w.LogWithKeys(k, nil)
	return s.log, records, opened.Wallet, err
}

// checkPasswordWithSigner has the external signer check a password. If the signer has restarted, this also restores
// its access to the spend key.
func (s *Session) checkPasswordWithSigner(ctx context.Context, vault signer.Transport, public, password []byte) error {
	sealed, ok := sealedIn(public)
	if !ok {
		return ErrNeedsSigner // background syncing in another file; see CheckPasswordWithSigner
	}
	opened, err := vault.Unlock(ctx, password, sealed)
	if errors.Is(err, journal.ErrPassword) {
		return ErrPassword
	}
	if err != nil {
		return err
	}
	s.writing.Lock()
	right, place := s.log.Has(opened.Key), s.signerKey
	s.writing.Unlock()
	if right && place != nil && opened.Wallet != nil {
		place.Replace(ctx, opened.Wallet)
		return nil
	}
	opened.Close(ctx)
	if !right {
		return ErrPassword
	}
	return nil
}

// CheckPasswordWithSigner returns ErrPassword unless password is that of the wallet in st. It reads only the header.
// Other errors are those of the external signer.
func CheckPasswordWithSigner(ctx context.Context, st journal.Storage, password []byte, vault signer.Transport) error {
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

// changePasswordWithSigner changes the password of log and spend key at the same moment, when the storage has the new
// file.
func (s *Session) changePasswordWithSigner(ctx context.Context, old, password []byte) error {
	public := s.log.Public()
	sealed, ok := sealedIn(public)
	if !ok {
		return ErrNeedsSigner
	}
	if signer.IsWithoutSecrets(sealed) { // without a spend key, only the log shows whether the password is right
		opened, err := s.vault.Unlock(ctx, old, sealed)
		if err != nil {
			return err
		}
		if !s.log.Has(opened.Key) {
			return ErrPassword
		}
	}
	key, again, err := s.vault.ChangePassword(ctx, sealed, old, password)
	if errors.Is(err, journal.ErrPassword) {
		return ErrPassword
	}
	if err != nil {
		return err
	}
	return s.log.ChangeKey(key, append(bytes.TrimSuffix(public, sealed), again...))
}

// closeSigner makes the external signer forget the spend key.
func (s *Session) closeSigner() {
	s.writing.Lock()
	place := s.signerKey
	s.signerKey = nil
	s.writing.Unlock()
	if place != nil {
		_ = place.Close(context.Background()) // a signer that cannot be reached has forgotten it
	}
}

// UsesSigner reports whether an external signer has the spend key.
func (s *Session) UsesSigner() bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.vault != nil
}

// MoveToSigner moves the spend key from the log to an external signer. Afterwards the file is as CreateWithSigner
// makes it, under password; the change is atomic. It waits for a refresh in progress and for users of the spend key.
// Errors: ErrClosed, ErrBackground, keys.ErrKey for a wallet without a spend key, those of the external signer and of
// the log.
func (s *Session) MoveToSigner(ctx context.Context, vault signer.Transport, password []byte, kdf journal.KDF) error {
	unlock, err := s.lockWholeWallet()
	if err != nil {
		return err
	}
	defer unlock()
	o := s.w.Identity()
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
		records, err := s.w.LogWithKeys(k, nil)
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
		w.Keys().AttachSigner(opened.Wallet)
		s.install(w, s.log, len(records), false)
		s.vault, s.signerKey = vault, opened.Wallet
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

// retryMissing calls try until it no longer lacks key images that only the external signer can compute, or candidates
// of wide transactions. It computes them between calls, without holding a lock.
func (s *Session) retryMissing(ctx context.Context, try func() error) error {
	for {
		err := try()
		if more, err := s.supply(ctx, err, func(use func(*wallet.Wallet)) { s.View(use) }); !more {
			return err
		}
	}
}

// supply computes what a decision lacked according to its error, and reports whether to make the decision again. view
// gives access to the wallet of the decision.
func (s *Session) supply(ctx context.Context, err error, view func(func(*wallet.Wallet))) (again bool, _ error) {
	var wanted *keys.UnknownKeyImagesError
	var search *wallet.SearchError
	var k *keys.Keys
	view(func(w *wallet.Wallet) { k = w.Keys() })
	switch {
	case errors.As(err, &wanted):
		err = k.FetchKeyImages(ctx, wanted.Outputs)
	case errors.As(err, &search):
		err = syncer.Search(ctx, k.ViewSecret(), search, func(list []scan.Candidate) (ours []scan.Candidate) {
			view(func(w *wallet.Wallet) { ours = search.Ours(w, list) })
			return ours
		}, s.host.workers())
	default:
		return false, err
	}
	return err == nil, err
}

// ChangeRetrying is Change for a decision that may need key images from the external signer or the candidates of wide
// transactions: it computes what a *keys.UnknownKeyImagesError or a *wallet.SearchError names, and makes the decision
// again.
// Errors: those of Change, of the external signer and of syncer.Search.
func (s *Session) ChangeRetrying(ctx context.Context, decide Decision) error {
	return s.retryMissing(ctx, func() error { return s.Change(decide) })
}
