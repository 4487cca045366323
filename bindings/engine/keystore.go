package engine

import (
	"context"
	"errors"
	"sync"

	"glim/core/rpc"
	"glim/core/walletrpc"
)

// KeyStore is where a host keeps the passwords of wallets, behind a fingerprint or whatever its platform has.
type KeyStore interface {
	// Password returns the password of a wallet for an operation that needs its spend key. The name is empty for the wallet of the
	// plain path. An error refuses the operation, as who does not want to be asked does.
	Password(ctx context.Context, wallet, operation string) (string, error)
}

// CodeNoKey is what an operation fails with whose spend key the key store did not give. Of glim's own.
const CodeNoKey = -1000

// keyed brings spend keys back for as long as an operation needs them.
type keyed struct {
	store KeyStore

	mu    sync.Mutex // guards what follows
	doors map[string]*door
}

// door lets one caller at a time through to where a wallet's spend key is.
type door struct {
	lock  chan struct{}
	users int
}

// SetKeyStore says whom Call asks for a wallet's password when an operation needs a spend key that start_background_sync has put
// away. The key is in memory then until the operation ends, and no longer. Set it before the first call; nil is nobody: the
// operation is refused with walletrpc.CodeIsBackgroundSyncing, as it is on the way of Post.
func (e *Engine) SetKeyStore(k KeyStore) {
	e.keys = nil
	if k != nil {
		e.keys = &keyed{store: k, doors: map[string]*door{}}
	}
}

// begins and ends of background synchronisation wait for who has the key, so that theirs is the last word.
var switches = map[string]bool{
	walletrpc.SetupBackgroundSync.Name: true, walletrpc.StartBackgroundSync.Name: true, walletrpc.StopBackgroundSync.Name: true,
}

// withKey calls an operation and, when its spend key is away, asks for it and calls again. Errors: call's, *rpc.Error with CodeNoKey.
func (e *Engine) withKey(ctx context.Context, path, wallet, method string, params []byte, bigStrings bool) ([]byte, error) {
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
	result, err := e.call(ctx, path, method, params, bigStrings) // it may be back meanwhile
	if switches[method] || !keyIsAway(err) {
		return result, err
	}
	password, err := k.store.Password(ctx, wallet, method)
	if err != nil {
		return nil, &rpc.Error{Code: CodeNoKey, Message: "the spend key was not given"} // what the host says may hold anything
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
	// Whatever became of it, the key goes, and nobody's patience ends before.
	_, away := e.call(context.WithoutCancel(ctx), path, walletrpc.StartBackgroundSync.Name, nil, false)
	var refused *rpc.Error
	if away != nil && !(errors.As(away, &refused) && refused.Code == walletrpc.CodeNotOpen) { // with its wallet a key goes, too
		e.log.Error("the spend key could not be put away again", "wallet", wallet, "error", away)
	}
	return result, err
}

func keyIsAway(err error) bool {
	var e *rpc.Error
	return errors.As(err, &e) && e.Code == walletrpc.CodeIsBackgroundSyncing
}

// enter waits for its turn at a wallet's spend key. Errors: the context's.
func (k *keyed) enter(ctx context.Context, wallet string) (leave func(), err error) {
	k.mu.Lock()
	d := k.doors[wallet]
	if d == nil {
		d = &door{lock: make(chan struct{}, 1)}
		k.doors[wallet] = d
	}
	d.users++
	k.mu.Unlock()
	out := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if d.users--; d.users == 0 {
			delete(k.doors, wallet)
		}
	}
	select {
	case d.lock <- struct{}{}:
	case <-ctx.Done():
		out()
		return nil, ctx.Err()
	}
	return func() { <-d.lock; out() }, nil
}
