package native

import (
	"crypto/sha256"
	"errors"

	"glim/bindings/native/files"
	"glim/bindings/native/takeover"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/walletfile"
)

func (r *reference) keepCache(p service.ReferenceState) error {
	next, err := files.ReadHidden(r.path, nextKind, maxCache)
	staged := err == nil
	if r.cache, err = r.empty(p); err != nil {
		return err
	}
	_, err = files.ReadStart(r.path, 1)
	switch {
	case errors.Is(err, files.ErrMissing):
		if staged && r.cacheKey.Opens(next) == nil {
			return r.disk.putHidden(r.path, nextKind)
		}
		return r.disk.writeMissing(r.path, r.cache)
	case err != nil:
		return err
	}
	if !staged {
		return nil
	}
	now, err := files.Read(r.path, maxCache)
	if err != nil {
		return err
	}
	if r.cacheKey.Opens(now) == nil {
		return r.disk.removeHidden(r.path, nextKind)
	}
	if r.cacheKey.Opens(next) != nil {
		return nil
	}
	return r.disk.putHidden(r.path, nextKind)
}

// setKey stores the key of caches under a password.
func (r *reference) setKey(password *walletfile.Password, p service.ReferenceState) {
	r.cacheKey.Wipe()
	r.cacheKey, r.random = walletcache.PasswordKey(password), p.Random
}

// empty returns an empty cache.
func (r *reference) empty(p service.ReferenceState) ([]byte, error) {
	return r.cacheKey.Empty(p.Wallet.Keys.SpendPublic, p.Wallet.Keys.ViewPublic, r.random)
}

// nextCache returns the cache under the key of another password, nil if it stays as it is, and the digest of the
// present one.
func (r *reference) nextCache(
	p service.ReferenceState, old, key *walletcache.Key,
) (next []byte, before [32]byte, err error) {
	defer old.Wipe()
	now, err := files.Read(r.path, maxCache)
	if errors.Is(err, files.ErrMissing) {
		next, err = key.Empty(p.Wallet.Keys.SpendPublic, p.Wallet.Keys.ViewPublic, p.Random)
		return next, before, err
	}
	if err != nil {
		return nil, before, err
	}
	next, err = old.Reseal(now, key, p.Random)
	if errors.Is(err, walletcache.ErrPassword) || errors.Is(err, walletcache.ErrFormat) {
		return nil, before, nil // of an old release, whose key does not depend on the password, or damaged
	}
	return next, sha256.Sum256(now), err
}

// Update implements service.Reference. A cache in the format of releases before 0.17 stays as it is.
func (r *reference) Update(
	f *wallet.CacheContents, o *wallet.Identity, known [32]byte, has bool,
) (digest [32]byte, written bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cacheKey == nil { // closed
		return digest, false, service.ErrNoWallet
	}
	if r.held == nil { // the file was missing, or the system has no such locks
		if err := r.lock(); err != nil {
			return digest, false, err
		}
	}
	now, err := files.ReadStart(r.path, int64(walletcache.EmptySize)+1)
	if err == nil && has && !walletcache.IsEmpty(now) {
		return known, false, nil
	}
	if err == nil {
		now, err = files.Read(r.path, maxCache)
	}
	if errors.Is(err, files.ErrMissing) {
		err = service.ErrNoWallet
	}
	if err != nil {
		return digest, false, err
	}
	digest = sha256.Sum256(now)
	switch own := walletcache.IsEmpty(now); {
	case own && f.Blank():
		return digest, false, nil
	case !own && digest != known && (digest != r.resealed[1] || known != r.resealed[0]):
		return digest, false, service.ErrCacheChanged
	}
	next, err := r.cacheKey.Edit(now, o.Keys.SpendPublic, o.Keys.ViewPublic, r.random,
		func(c *walletcache.Cache) ([]walletcache.WatchedKey, error) { return takeover.Fill(c, f, o), nil })
	if err != nil {
		return digest, false, err
	}
	if after := sha256.Sum256(next); after != digest {
		if err := r.disk.replace(r.path, next); err != nil {
			return digest, false, err
		}
		digest = after
	}
	return digest, true, nil
}
