package service

import (
	"context"
	"errors"
	"io"
	"sync"

	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletfile"
)

// references keeps the reference's files next to wallets, if Files support it.
type references struct {
	keyRounds int
	languages mnemonic.Languages
	random    io.Reader
	log       Log
}

// referenceFiles are the reference's files of an open wallet.
type referenceFiles struct {
	*references
	files Reference
	name  string

	sharing sync.Mutex // guards the rest
	shared  bool       // the cache was compared with the wallet since it was opened
	at      uint64     // the wallet's Revision then
	next    uint64     // when shareAtTimes does that again, in POSIX seconds
}

// lock returns the reference's files of a wallet that is to be opened; nil if Files do not keep any. It returns the
// error of open_wallet if the reference has the wallet open.
func (s *references) lock(files Files, name string) (*referenceFiles, error) {
	with, ok := files.(ReferenceFiles)
	if !ok || name == "" {
		return nil, nil
	}
	its := with.Reference(name)
	if its == nil {
		return nil, nil
	}
	r := &referenceFiles{references: s, files: its, name: name}
	err := its.Lock()
	if errors.Is(err, ErrInUse) {
		return nil, notOpenedFor("monero-wallet-rpc has it open", err)
	}
	return r, err
}

// of returns the reference's files of an open wallet, current and locked; nil if it has none. Wallets with an external
// signer have none, because their spend key stays with the signer, and those with the keys of the next hard fork,
// because the reference does not know such keys. With an error it may return the files as well.
func (s *references) of(files Files, name string, o *session.Session, password string) (*referenceFiles, error) {
	if o.UsesSigner() || o.Keys().External() || withoutSpendKey(o) ||
		keys.HasHierarchies && o.Keys().Hierarchy() != nil {
		return nil, nil
	}
	r, err := s.lock(files, name)
	if r == nil || err != nil {
		return nil, err
	}
	if err := r.files.Keep(r.state(o, password)); err != nil {
		return r, err
	}
	return r, r.keepKey(o)
}

// keepKey stores the key of the wallet's file for reopen.
func (r *referenceFiles) keepKey(o *session.Session) error {
	sealed, err := o.SealKey()
	if err != nil || sealed == nil {
		return err
	}
	return r.files.PutSealedKey(sealed)
}

// reopen opens a wallet whose password the reference has changed: password opens the reference's keys file, whose keys
// decrypt the key of the wallet's own file. The wallet then has that password. It returns session.ErrPassword if that
// does not work, for example because glim changed the password last, without the reference's files.
func (s *references) reopen(
	files Files, name string, st Storage, password string, h session.Host,
) (*session.Session, error) {
	r, err := s.lock(files, name)
	if err != nil {
		return nil, err
	}
	if r == nil || session.NeedsSigner(st) {
		return nil, session.ErrPassword
	}
	defer func() { _ = r.close() }() // locked again once the wallet is open
	sealed, err := r.files.SealedKey()
	if err != nil {
		return nil, errors.Join(session.ErrPassword, err)
	}
	file, err := files.Keys(name)
	if err != nil {
		return nil, errors.Join(session.ErrPassword, err)
	}
	found, err := walletfile.Open(file, []byte(password), max(s.keyRounds, walletfile.Rounds))
	if err != nil {
		return nil, errors.Join(session.ErrPassword, err)
	}
	defer found.Keys.Forget()
	opened, err := session.OpenSealed(st, sealed, found.Keys, found.Multisig, []byte(password), h)
	if err == nil {
		s.log.Warn("monero-wallet-rpc changed the wallet's password; the wallet now has it in glim, too", "name", name)
	}
	return opened, err
}

// close releases the lock. r may be nil.
func (r *referenceFiles) close() error {
	if r == nil {
		return nil
	}
	return r.files.Close()
}

func (r *referenceFiles) state(o *session.Session, password string) ReferenceState {
	var b wallet.Background
	o.View(func(w *wallet.Wallet) { b = w.Background() })
	return ReferenceState{
		Background: b.Type,
		Name:       r.name, Wallet: r.keysFile(o), Password: []byte(password),
		Rounds: max(r.keyRounds, walletfile.Rounds), Random: r.random,
	}
}

// keysFile returns the contents of a wallet's keys file for the reference.
func (s *references) keysFile(o *session.Session) *walletfile.Wallet {
	var w walletfile.Wallet
	o.View(func(is *wallet.Wallet) {
		origin, ahead, depth := is.Identity(), is.Lookahead(), is.MaxReorgDepth()
		w = walletfile.Wallet{
			Keys: origin.Keys, Network: origin.Network, Language: localName(s.languages, origin.Language),
			RestoreHeight:  origin.RestoreHeight,
			LookaheadMajor: ahead.Major, LookaheadMinor: ahead.Minor,
			Multisig: origin.Multisig, EnableMultisig: is.MultisigEnabled(), MaxReorgDepth: &depth,
		}
	})
	return &w
}

// joined updates the files after a round of a multisig key exchange. password may be empty; without the wallet's
// password, the files become current when the wallet is opened.
func (r *referenceFiles) joined(ctx context.Context, o *session.Session, password string) {
	if r == nil {
		return
	}
	err := o.CheckPassword(ctx, []byte(password))
	if err == nil {
		err = errors.Join(r.files.Keep(r.state(o, password)), r.keepKey(o))
	}
	if err != nil {
		r.log.Warn("the files for monero-wallet-rpc do not have this round of the key exchange; they will have it "+
			"when the wallet is opened again", "name", r.name, "error", err)
	}
}

// share adds what the wallet knows to the reference's cache, unless that was done since the last change. r may be nil.
// With again it compares the cache in any case. The log says what fails: the wallet itself has everything.
func (r *referenceFiles) share(o *session.Session, again bool) {
	if r == nil || withoutSpendKey(o) {
		return
	}
	r.sharing.Lock()
	defer r.sharing.Unlock()
	r.update(o, again)
}

// shareInterval is the least time between two calls of update by shareAtTimes, in seconds. It is also how much longer
// than one update the pause after it is.
const shareInterval = 60

// shareAtTimes does what share does, at most once a minute, and less often if that takes long: writing a large cache
// takes seconds. A program that is killed leaves a cache that lacks the changes since then.
func (r *referenceFiles) shareAtTimes(o *session.Session, now func() uint64) {
	if r == nil || withoutSpendKey(o) {
		return
	}
	r.sharing.Lock()
	defer r.sharing.Unlock()
	began := now()
	if began < r.next {
		return
	}
	r.update(o, false)
	ended := now()
	r.next = ended + shareInterval*(1+ended-min(began, ended))
}

// update is share; the caller holds sharing.
func (r *referenceFiles) update(o *session.Session, again bool) {
	var f *wallet.CacheContents
	var origin wallet.Identity
	var known, print [32]byte
	same := false
	o.View(func(w *wallet.Wallet) {
		if !w.HasAddress() || r.shared && r.at == w.Revision() && !again {
			return
		}
		r.at = w.Revision()
		f, origin, known = w.Contents(), w.Identity(), w.CacheDigest()
		print = w.Fingerprint(f)
		same = w.Shared() != nil && w.Shared().Content == print && !again
	})
	r.shared = true
	if f == nil {
		return
	}
	defer f.Wipe()
	digest, written, err := r.files.Update(f, &origin, known, same)
	if err == nil && written {
		err = o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideShared(f, print, digest), nil, nil
		})
	}
	if err != nil && !errors.Is(err, ErrNoWallet) {
		r.log.Warn("monero-wallet-rpc's cache does not have everything that the wallet has",
			"name", r.name, "error", err)
	}
}

// localName returns a language's name as the reference's files contain it: in the language itself. Languages without
// twenty-five-word seeds become English.
func localName(all mnemonic.Languages, name string) string {
	if name == "" {
		return ""
	}
	if l := all.Find(name); l != nil {
		return l.LocalName()
	}
	return mnemonic.English().LocalName()
}

// changePassword changes the password of a wallet and of the reference's files. A crash leaves files that opening the
// wallet completes.
func (r *referenceFiles) changePassword(ctx context.Context, o *session.Session, old, password string) error {
	if r == nil {
		return o.ChangePassword(ctx, []byte(old), []byte(password))
	}
	commit, err := r.files.ChangePassword(r.state(o, old), []byte(password))
	if err != nil {
		return err
	}
	if err := o.ChangePassword(ctx, []byte(old), []byte(password)); err != nil {
		return err
	}
	if err := errors.Join(commit(), r.keepKey(o)); err != nil {
		r.log.Warn("the keys file for monero-wallet-rpc has the old password; open the wallet again to correct it",
			"name", r.name, "error", err)
	}
	r.share(o, true) // the cache is another file now
	return nil
}

// withoutSpendKey reports whether a wallet is in its background file.
func withoutSpendKey(o *session.Session) (is bool) {
	o.View(func(w *wallet.Wallet) { is = w.Identity().Background })
	return is || o.InBackground()
}

// checkBackground returns the error of setup_background_sync if the reference has the files for background sync open.
func (r *referenceFiles) checkBackground() error {
	if r == nil {
		return nil
	}
	err := r.files.CheckBackground()
	if errors.Is(err, ErrInUse) {
		return backgroundInUse(r.name)
	}
	return err
}

// setBackground changes the background sync of the reference's files to that of the wallet.
func (r *referenceFiles) setBackground(o *session.Session, password, background string) error {
	if r == nil {
		return nil
	}
	return r.files.SetBackground(r.state(o, password), []byte(background))
}
