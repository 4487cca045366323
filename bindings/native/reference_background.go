package native

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"glim/bindings/native/files"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/walletfile"
)

// CheckBackground implements service.Reference.
func (r *reference) CheckBackground() error {
	if files.IsHeld(r.background() + keysSuffix) {
		return service.ErrInUse
	}
	return nil
}

// errOtherBackground refuses to overwrite a wallet that the owner has called NAME.background.
var errOtherBackground = errors.New("its file NAME.background.keys is not that of its background sync; move it away")

// SetBackground implements service.Reference. The files for background sync exist before the keys file names them, and
// are removed before it no longer does. Without a keys file of the wallet's account and password nothing changes.
func (r *reference) SetBackground(p service.ReferenceState, password []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := r.path + keysSuffix
	now, err := files.Read(path, maxKeys)
	if errors.Is(err, files.ErrMissing) {
		now, err = r.keys, nil
	}
	if err != nil {
		return err
	}
	if now == nil {
		return nil
	}
	own := walletfile.NewPassword(p.Password, p.Rounds)
	defer own.Wipe()
	if check(now, own, p) != nil {
		return nil
	}
	b := walletfile.Background{Type: uint8(p.Background)}
	was, err := own.BackgroundOf(now)
	if err != nil {
		return err
	}
	defer clear(was.Key[:])
	if p.Background == wallet.BackgroundCustom {
		b.Key = walletfile.BackgroundKey(password, p.Rounds)
		defer clear(b.Key[:])
	}
	owned, err := r.ownsBackground(was.Key, b.Key)
	switch {
	case err != nil:
	case p.Background != wallet.BackgroundCustom && owned:
		err = r.removeBackground()
	case p.Background == wallet.BackgroundCustom && !owned:
		err = fmt.Errorf("%s: %w", p.Name, errOtherBackground)
	case p.Background == wallet.BackgroundCustom:
		err = r.writeBackground(p, b.Key)
	}
	if err != nil {
		return err
	}
	if was != b {
		if r.keys, err = own.SetBackground(now, b, p.Random); err != nil {
			return err
		}
		if err := r.disk.writeHidden(path, nextKind, r.keys); err != nil {
			return err
		}
		if err := r.putKeys(); err != nil {
			return err
		}
	}
	return nil
}

// ownsBackground reports whether the keys file for background sync is missing, or opens with one of the keys.
func (r *reference) ownsBackground(all ...[32]byte) (bool, error) {
	file, err := files.Read(r.background()+keysSuffix, maxKeys)
	if errors.Is(err, files.ErrMissing) {
		return true, nil
	}
	return slices.ContainsFunc(all, func(key [32]byte) bool { return walletfile.OpensBackground(file, key) }), err
}

// writeBackground replaces the files for background sync.
func (r *reference) writeBackground(p service.ReferenceState, key [32]byte) (err error) {
	if r.backgroundKeys, err = walletfile.SealBackground(p.Wallet, key, p.Random); err != nil {
		return err
	}
	k := p.Wallet.Keys
	r.backgroundCache, err = walletcache.EmptyBackground(k.SpendPublic, k.ViewPublic, key, p.Random)
	if err != nil {
		return err
	}
	if err := r.disk.replace(r.background()+keysSuffix, r.backgroundKeys); err != nil {
		return err
	}
	return r.disk.replace(r.background(), r.backgroundCache)
}

// removeBackground removes the reference's files for background sync.
func (r *reference) removeBackground() error {
	r.backgroundKeys, r.backgroundCache = nil, nil
	for _, suffix := range []string{"", addressSuffix, keysSuffix} {
		if err := r.disk.remove(r.background() + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return r.disk.syncNames(r.path)
}

// addressSuffix ends the name of a file with a wallet's primary address, which some programs of the reference write.
const addressSuffix = ".address.txt"

// keepBackground creates missing files for background sync, if the keys file names them and glim syncs in the
// background with a password of its own. The caller has read the keys file.
func (r *reference) keepBackground(p service.ReferenceState, password *walletfile.Password) error {
	if p.Background != wallet.BackgroundCustom {
		return nil
	}
	b, err := password.BackgroundOf(r.keys)
	if err != nil {
		return err
	}
	defer clear(b.Key[:])
	if wallet.BackgroundType(b.Type) != wallet.BackgroundCustom ||
		present(r.background()) && present(r.background()+keysSuffix) {
		return nil
	}
	if files.IsHeld(r.background() + keysSuffix) {
		return nil // the reference is using them
	}
	return r.writeBackground(p, b.Key)
}
