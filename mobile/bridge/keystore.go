package bridge

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// KeyStore holds the passwords of wallets for the app, for example in Android's Keystore or the Keychain. The engine
// calls it if an operation needs a wallet's spend key that is not in memory (after start_background_sync). The key then
// stays in memory until the operation ends.
type KeyStore interface {
	// Ask begins to ask the user, for example for a fingerprint, and returns. The question receives the answer,
	// immediately or later.
	Ask(q *Question) error
	// Forget reports that the answer is no longer needed.
	Forget(q *Question) error
}

// Question is a request for a wallet's password.
type Question struct {
	id                int64
	wallet, operation string
	reply             reply[string]
}

// ID returns a number that is unique in the process; several objects may represent the same question.
func (q *Question) ID() int64 { return q.id }

// Wallet returns the wallet's name; empty for one opened without a name.
func (q *Question) Wallet() string { return q.wallet }

// Operation returns the name of the operation that needs the spend key.
func (q *Question) Operation() string { return q.operation }

// Answer delivers the wallet's password. Only the first answer counts.
func (q *Question) Answer(password string) { q.reply.give(password, nil) }

// Refuse reports that there is no password; the operation fails with CodeNoKey.
func (q *Question) Refuse() { q.reply.give("", errRefused) }

var errRefused = errors.New("refused")

// keyStore adapts a KeyStore to the engine's interface.
type keyStore struct{ host KeyStore }

func (k keyStore) Password(ctx context.Context, wallet, operation string) (string, error) {
	q := &Question{ids.Add(1), wallet, operation, newReply[string]()}
	return await(ctx, q.reply, func() error { return k.host.Ask(q) }, func() { _ = k.host.Forget(q) })
}

// ids numbers the requests to hosts.
var ids atomic.Int64

// reply is a value that a host delivers once.
type reply[T any] struct {
	once *sync.Once
	came chan answered[T]
}

type answered[T any] struct {
	value T
	err   error
}

func newReply[T any]() reply[T] { return reply[T]{&sync.Once{}, make(chan answered[T], 1)} }

// give delivers the value or an error. Only the first call counts.
func (r reply[T]) give(v T, err error) {
	if r.once == nil {
		return // a zero value that the host created
	}
	r.once.Do(func() { r.came <- answered[T]{v, err} })
}

// await sends a request to the host, without blocking in the host's code, and waits for the reply. If ctx ends first,
// it notifies the host.
func await[T any](ctx context.Context, r reply[T], ask func() error, forget func()) (T, error) {
	go func() {
		var none T
		err := func() (err error) {
			defer contain(&err)
			return ask()
		}()
		if err != nil {
			r.give(none, err)
		}
	}()
	select {
	case a := <-r.came:
		return a.value, a.err
	case <-ctx.Done():
		go func() {
			var err error
			defer contain(&err)
			forget()
		}()
		var none T
		return none, ctx.Err()
	}
}
