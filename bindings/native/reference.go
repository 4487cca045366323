package native

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"glim/bindings/native/files"
	"glim/core/service"
	"glim/core/walletcache"
	"glim/core/walletfile"
)

// nextKind is the hidden file with the next content of a file of the reference while the wallet's password changes.
const nextKind = ".next"

// reference is service.Reference for the wallet at path. The caller has the wallet open, which keeps other processes of
// glim away. Nothing here overwrites a keys file or a cache of the reference, except to change its password, and then
// the new content has everything of the old one.
type reference struct {
	path string
	mu   sync.Mutex
	held *os.File // locks the keys file; nil without a keys file or without the lock
	// The encrypted contents that Restore writes if the files are missing; nil for a file that is not glim's.
	keys, cache                     []byte
	backgroundKeys, backgroundCache []byte
	disk                            *disk

	cacheKey *walletcache.Key // of the wallet's password; nil before Keep
	random   io.Reader
	resealed [2][32]byte // digests of the cache before and after the last change of the password
}

// background returns the path of the reference's files for background sync, without the suffix .keys.
func (r *reference) background() string { return r.path + backgroundSuffix }

// Reference implements service.ReferenceFiles. It returns nil for a background file, and for a wallet that is stored in
// the file NAME itself, which is the place of the reference's cache.
func (d SharedDir) Reference(name string) service.Reference {
	path, err := d.path(short(name))
	if err != nil || place(path) == path {
		return nil
	}
	return &reference{path: path, disk: d.disk}
}

// Lock implements service.Reference.
func (r *reference) Lock() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lock()
}

func (r *reference) lock() error {
	next, err := files.Hold(r.path + keysSuffix)
	switch {
	case errors.Is(err, files.ErrLocked):
		return errors.Join(service.ErrInUse, err)
	case err != nil: // there is no such file yet, or it can only be read
		return nil
	}
	_ = r.unlock()
	r.held = next
	return nil
}

func (r *reference) unlock() (err error) {
	if r.held != nil {
		err = r.held.Close()
	}
	r.held = nil
	return err
}

// Close implements service.Reference.
func (r *reference) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cacheKey.Wipe()
	r.cacheKey = nil
	return r.unlock()
}

// unlockKind is the hidden file with the key of the wallet's file.
const unlockKind = ".unlock"

// maxSealedKey limits the size of that file, in bytes.
const maxSealedKey = 1 << 10

// SealedKey implements service.Reference.
func (r *reference) SealedKey() ([]byte, error) {
	sealed, err := files.ReadHidden(r.path, unlockKind, maxSealedKey)
	if errors.Is(err, files.ErrMissing) {
		return nil, service.ErrNoWallet
	}
	return sealed, err
}

// PutSealedKey implements service.Reference.
func (r *reference) PutSealedKey(sealed []byte) error {
	const next = unlockKind + ".new"
	if err := r.disk.writeHidden(r.path, next, sealed); err != nil {
		return err
	}
	return r.disk.renameHidden(r.path, next, unlockKind)
}

// putKeys replaces the keys file by the next one, and locks that instead.
func (r *reference) putKeys() error {
	err := r.disk.putHidden(r.path+keysSuffix, nextKind)
	_ = r.lock() // the wallet stays open without it
	return err
}

// same reports whether two keys files belong to the same account in the same state.
func same(a, b *walletfile.Wallet) bool {
	if a.Keys.SpendPublic != b.Keys.SpendPublic || a.Keys.ViewPublic != b.Keys.ViewPublic ||
		a.Keys.CanSpend() != b.Keys.CanSpend() || (a.Multisig == nil) != (b.Multisig == nil) {
		return false
	}
	return a.Multisig == nil || a.Multisig.Data().Round == b.Multisig.Data().Round
}

// check returns nil if file is a keys file of p.Wallet under password.
func check(file []byte, password *walletfile.Password, p service.ReferenceState) error {
	found, err := password.Open(file)
	if err != nil {
		return err
	}
	defer found.Keys.Forget()
	if !same(found, p.Wallet) {
		return errOtherAccount
	}
	return nil
}

var errOtherAccount = errors.New("it belongs to another account")

// Keep implements service.Reference.
func (r *reference) Keep(p service.ReferenceState) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	password := walletfile.NewPassword(p.Password, p.Rounds)
	defer password.Wipe()
	r.setKey(password, p)
	if err := r.keepKeys(p, password); err != nil {
		return err
	}
	if err := r.keepBackground(p, password); err != nil {
		return err
	}
	if err := r.keepCache(p); err != nil || files.HasHidden(r.path, sharedKind) {
		return err
	}
	return r.disk.writeHidden(r.path, sharedKind, nil)
}

func (r *reference) keepKeys(p service.ReferenceState, password *walletfile.Password) error {
	path := r.path + keysSuffix
	now, err := files.Read(path, maxKeys)
	missing := errors.Is(err, files.ErrMissing)
	if err != nil && !missing {
		return err
	}
	if !missing {
		if err = check(now, password, p); err == nil {
			r.keys = now
			return r.disk.removeHidden(path, nextKind)
		}
	}
	// A password change may have ended between the wallet's file and this one.
	if next, nextErr := files.ReadHidden(path, nextKind, maxKeys); nextErr == nil && check(next, password, p) == nil {
		r.keys = next
		return r.putKeys()
	}
	if !missing && errors.Is(err, errOtherAccount) {
		if next, updateErr := r.nextRound(now, p, password); updateErr != nil || next {
			return updateErr
		}
	}
	if !missing {
		return fmt.Errorf("%s.keys is left as it is: %w", p.Name, err)
	}
	if now, err = password.Seal(p.Wallet, p.Random); err != nil {
		return err
	}
	r.keys = now
	if err := r.disk.writeMissing(path, now); err != nil {
		return err
	}
	return r.lock()
}

// nextRound updates the files of a wallet that has joined a multisig group, or advanced by a round, since they were
// written. It returns false if the keys file is not an earlier one of the wallet. The cache, which belongs to the
// wallet's earlier address, is replaced by an empty one, as the reference does; the wallet itself has imported it.
func (r *reference) nextRound(
	file []byte, p service.ReferenceState, password *walletfile.Password,
) (bool, error) {
	found, err := password.Open(file)
	if err != nil {
		return false, err
	}
	defer found.Keys.Forget()
	if !found.Earlier(p.Wallet) {
		return false, nil
	}
	next, err := password.Update(file, p.Wallet, p.Random)
	if err != nil {
		return false, err
	}
	if found.Multisig == nil || found.Keys.SpendPublic != p.Wallet.Keys.SpendPublic ||
		found.Keys.ViewPublic != p.Wallet.Keys.ViewPublic {
		if r.cache, err = r.empty(p); err != nil {
			return false, err
		}
		if err := r.disk.replace(r.path, r.cache); err != nil {
			return false, err
		}
	}
	if err := r.disk.writeHidden(r.path+keysSuffix, nextKind, next); err != nil {
		return false, err
	}
	r.keys = next
	return true, r.putKeys()
}

// Restore implements service.Reference.
func (r *reference) Restore() (cache bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range []struct {
		path    string
		content []byte
	}{
		{r.path + keysSuffix, r.keys}, {r.path, r.cache},
		{r.background() + keysSuffix, r.backgroundKeys}, {r.background(), r.backgroundCache},
	} {
		if f.content == nil || present(f.path) {
			continue
		}
		if err := r.disk.writeMissing(f.path, f.content); err != nil && !errors.Is(err, files.ErrExists) {
			return cache, err
		}
		switch f.path {
		case r.path:
			cache = true
		case r.path + keysSuffix:
			_ = r.lock() // the wallet stays open without it
		}
	}
	return cache, nil
}

// ChangePassword implements service.Reference.
func (r *reference) ChangePassword(p service.ReferenceState, password []byte) (commit func() error, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := r.path + keysSuffix
	old, next := walletfile.NewPassword(p.Password, p.Rounds), walletfile.NewPassword(password, p.Rounds)
	defer old.Wipe()
	defer next.Wipe()
	cacheKey := walletcache.PasswordKey(next)
	defer func() {
		if commit == nil {
			cacheKey.Wipe()
		}
	}()
	keys, err := r.nextKeys(p, old, next)
	if err != nil {
		return nil, err
	}
	if keys == nil { // the reference's files already have another password
		return func() error { return nil }, nil
	}
	cache, before, err := r.nextCache(p, walletcache.PasswordKey(old), cacheKey)
	if err != nil {
		return nil, err
	}
	if cache != nil {
		err = r.disk.writeHidden(r.path, nextKind, cache)
	}
	if err == nil {
		err = r.disk.writeHidden(path, nextKind, keys)
	}
	if err == nil {
		err = r.disk.syncNames(path)
	}
	if err != nil {
		_ = errors.Join(r.disk.removeHidden(r.path, nextKind), r.disk.removeHidden(path, nextKind))
		return nil, err
	}
	return func() error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.keys = keys
		r.cacheKey.Wipe()
		r.cacheKey, r.random = cacheKey, p.Random
		if err := r.putKeys(); err != nil {
			return err
		}
		if r.cache, err = r.empty(p); err != nil || cache == nil {
			return err
		}
		if err := r.disk.putHidden(r.path, nextKind); err != nil {
			return err
		}
		r.resealed = [2][32]byte{before, sha256.Sum256(cache)}
		return nil
	}, nil
}

// nextKeys returns the keys file under another password; nil if the present file is not the wallet's under its
// password, and so stays as it is.
func (r *reference) nextKeys(p service.ReferenceState, old, next *walletfile.Password) ([]byte, error) {
	now, err := files.Read(r.path+keysSuffix, maxKeys)
	if errors.Is(err, files.ErrMissing) {
		return next.Seal(p.Wallet, p.Random)
	}
	if err != nil {
		return nil, err
	}
	if check(now, old, p) != nil {
		return nil, nil
	}
	file, err := old.Reseal(now, next, p.Random)
	if errors.Is(err, walletfile.ErrPassword) { // written by a release before 2018
		return next.Seal(p.Wallet, p.Random)
	}
	return file, err
}
