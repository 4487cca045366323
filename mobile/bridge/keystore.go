package bridge

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// KeyStore is where the app keeps passwords of wallets: Android's Keystore, the Keychain. It is asked while a wallet's spend key is
// away (start_background_sync) and an operation needs it; the key is in memory then until the operation ends.
type KeyStore interface {
	// Ask begins to ask the user, for a fingerprint perhaps, and returns. The answer goes to the question, then or later.
	Ask(q *Question) error
	// Forget says that nobody waits for the answer any more.
	Forget(q *Question) error
}

// Question is a password that is asked for.
type Question struct {
	id                int64
	wallet, operation string
	reply             reply[string]
}

// ID returns a number that no other question of the process has: another object may stand for the same question.
func (q *Question) ID() int64 { return q.id }

// Wallet returns the wallet's name; empty for one open without a name.
func (q *Question) Wallet() string { return q.wallet }

// Operation returns the name of the operation that needs the spend key.
func (q *Question) Operation() string { return q.operation }

// Answer hands over the wallet's password. Only the first answer counts.
func (q *Question) Answer(password string) { q.reply.give(password, nil) }

// Refuse says that there is none; the operation fails with CodeNoKey.
func (q *Question) Refuse() { q.reply.give("", errRefused) }

var errRefused = errors.New("refused")

// keyStore is the engine's view of a KeyStore.
type keyStore struct{ host KeyStore }

func (k keyStore) Password(ctx context.Context, wallet, operation string) (string, error) {
	q := &Question{ids.Add(1), wallet, operation, newReply[string]()}
	return await(ctx, q.reply, func() error { return k.host.Ask(q) }, func() { _ = k.host.Forget(q) })
}

// ids numbers what hosts are asked.
var ids atomic.Int64

// reply is a value that a host hands over once.
type reply[T any] struct {
	once *sync.Once
	came chan answered[T]
}

type answered[T any] struct {
	value T
	err   error
}

func newReply[T any]() reply[T] { return reply[T]{&sync.Once{}, make(chan answered[T], 1)} }

// give hands over the value, or says why there is none. Only the first counts.
func (r reply[T]) give(v T, err error) {
	if r.once == nil {
		return // nobody asked: a host made it
	}
	r.once.Do(func() { r.came <- answered[T]{v, err} })
}

// await asks the host, whose thread it does not wait for, and waits for the reply. When ctx ends first, the host is told.
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
