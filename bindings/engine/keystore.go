package engine

import (
	"context"
	"errors"
	"sync"

	"glim/core/rpc"
	"glim/core/walletrpc"
)

// KeyStore gives access to the wallet passwords that a host stores, for example protected by a fingerprint.
type KeyStore interface {
	// Password returns the password of a wallet for an operation that needs its spend key. wallet is empty for the
	// wallet without a name. An error refuses the operation, for example if the user declines.
	Password(ctx context.Context, wallet, operation string) (string, error)
}

// CodeNoKey is the error code if the key store does not provide the password. The reference has no such code.
const CodeNoKey = -1000

// keyed restores spend keys while an operation needs them.
type keyed struct {
	store KeyStore

	mu    sync.Mutex // guards the fields below
	locks map[string]*keyLock
}

// keyLock is held by the one caller that uses a wallet's spend key.
type keyLock struct {
	held  chan struct{}
	users int
}

// SetKeyStore sets the key store from which Call gets a wallet's password if an operation needs a spend key that
// start_background_sync has removed. The key is then in memory until the operation ends. SetKeyStore must be called
// before the first call. Without a key store, such operations fail with walletrpc.CodeIsBackgroundSyncing, as they
// always do with Post.
func (e *Engine) SetKeyStore(k KeyStore) {
	e.keys = nil
	if k != nil {
		e.keys = &keyed{store: k, locks: map[string]*keyLock{}}
	}
}

// switches are the operations that start and stop background synchronisation. They wait for callers that use the key,
// so that their effect lasts.
var switches = map[string]bool{
	walletrpc.SetupBackgroundSync.Name: true,
	walletrpc.StartBackgroundSync.Name: true,
	walletrpc.StopBackgroundSync.Name:  true,
}

// withKey calls an operation. If the spend key is missing, it gets the password and calls again. It returns the errors
// of call, or an *rpc.Error with CodeNoKey.
func (e *Engine) withKey(
	ctx context.Context, path, wallet, method string, params []byte, bigStrings bool,
) ([]byte, error) {
	k := e.keys
	if k == nil {
		return e.call(ctx, path, method, params, bigStrings)
	}
	if !switches[method] {
		result, err := e.call(ctx, path, method, params, bigStrings)
		if !keyIsAway(err) {
			return result, err
		}
	}
	leave, err := k.enter(ctx, wallet)
	if err != nil {
		return nil, err
	}
	defer leave()
	result, err := e.call(ctx, path, method, params, bigStrings) // the key may have been restored meanwhile
	if switches[method] || !keyIsAway(err) {
		return result, err
	}
	password, err := k.store.Password(ctx, wallet, method)
	if err != nil {
		// the host's error may contain secrets
		return nil, &rpc.Error{Code: CodeNoKey, Message: "the spend key was not provided"}
	}
	stop, err := rpc.Encode(walletrpc.StopBackgroundSyncRequest{WalletPassword: password})
	if err != nil {
		return nil, err
	}
	_, err = e.call(ctx, path, walletrpc.StopBackgroundSync.Name, stop, false)
	clear(stop)
	if err != nil {
		return nil, err
	}
	result, err = e.call(ctx, path, method, params, bigStrings)
	// Remove the key whatever the result is, even if ctx has ended.
	_, away := e.call(context.WithoutCancel(ctx), path, walletrpc.StartBackgroundSync.Name, nil, false)
	var refused *rpc.Error
	closed := errors.As(away, &refused) && refused.Code == walletrpc.CodeNotOpen
	if away != nil && !closed { // a closed wallet has no key
		e.log.Error("the spend key could not be removed again", "wallet", wallet, "error", away)
	}
	return result, err
}

func keyIsAway(err error) bool {
	var e *rpc.Error
	return errors.As(err, &e) && e.Code == walletrpc.CodeIsBackgroundSyncing
}

// enter waits until no other caller uses the wallet's spend key. It returns the error of ctx if that ends before.
func (k *keyed) enter(ctx context.Context, wallet string) (leave func(), err error) {
	k.mu.Lock()
	d := k.locks[wallet]
	if d == nil {
		d = &keyLock{held: make(chan struct{}, 1)}
		k.locks[wallet] = d
	}
	d.users++
	k.mu.Unlock()
	release := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if d.users--; d.users == 0 {
			delete(k.locks, wallet)
		}
	}
	select {
	case d.held <- struct{}{}:
	case <-ctx.Done():
		release()
		return nil, ctx.Err()
	}
	return func() { <-d.held; release() }, nil
}
