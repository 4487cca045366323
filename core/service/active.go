package service

import (
	"context"
	"sync"
	"time"

	"glim/core/daemon"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// active holds the wallet that a service has open, and its connection to a daemon.
type active struct {
	shared        *shared
	dialer        *dialer
	initial       DaemonConfig // the default daemon, with which every wallet starts
	log           Log
	releaseMemory func()

	mu          sync.Mutex // guards the fields below
	wallet      *openWallet
	conn        *connection   // to the daemon
	chosen      bool          // by set_daemon
	autoRefresh time.Duration // 0 is off
	changed     chan struct{} // closed when automatic refreshing must read its settings again
}

// current returns the open wallet, or CodeNotOpen.
func (a *active) current() (*openWallet, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.wallet == nil {
		return nil, walletrpc.Fail(walletrpc.CodeNotOpen, "")
	}
	return a.wallet, nil
}

// view calls f with the open wallet's state.
func (a *active) view(f func(*wallet.Wallet) error) error {
	o, err := a.current()
	if err != nil {
		return err
	}
	if err := o.Err(); err != nil {
		return err
	}
	o.View(func(w *wallet.Wallet) { err = f(w) })
	return err
}

// change calls decide with the open wallet, makes the resulting change durable and commits it. It returns
// wallet.ErrText if a text exceeds its limit.
func (a *active) change(decide func(*wallet.Wallet) (wallet.ChangeSet, error)) error {
	o, err := a.current()
	if err != nil {
		return err
	}
	return o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, err := decide(w)
		if err == nil {
			err = w.CheckTexts(&c.User)
		}
		return c, nil, err
	})
}

// replace closes the open wallet and puts next, which may be nil, in its place. A daemon chosen by set_daemon is used
// only for the wallet it was chosen for.
func (a *active) replace(next *openWallet) error {
	conn := a.connectDefault()
	a.mu.Lock()
	last, left := a.wallet, a.conn
	a.wallet, a.conn, a.chosen = next, conn, false
	a.wake()
	a.mu.Unlock()
	a.shared.disconnect(left)
	defer a.releaseMemory()
	if last == nil {
		return nil
	}
	return a.shared.release(last)
}

// wake makes automatic refreshing read its settings again. The caller holds mu.
func (a *active) wake() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// connectDefault returns a connection to the default daemon, which the caller uses until it calls disconnect. If that
// fails, for example because a certificate was removed, the result has no daemon rather than another one.
func (a *active) connectDefault() *connection {
	l, err := a.shared.connect(a.dialer, a.initial)
	if err == nil {
		return l
	}
	a.log.Warn("the daemon cannot be used; set_daemon chooses one", "daemon", a.initial.Address, "error", err)
	l, _ = a.shared.connect(a.dialer, DaemonConfig{}) // needs no transport, so it cannot fail
	return l
}

// useDaemon switches to the daemon d for as long as o is open.
func (a *active) useDaemon(o *openWallet, d DaemonConfig) error {
	next, err := a.shared.connect(a.dialer, d)
	if err != nil {
		return err
	}
	a.mu.Lock()
	last := a.conn
	still := a.wallet == o
	if still {
		a.conn, a.chosen = next, !d.same(&a.initial)
	}
	a.mu.Unlock()
	if !still {
		a.shared.disconnect(next)
		return walletrpc.Fail(walletrpc.CodeNotOpen, "")
	}
	a.shared.disconnect(last)
	next.pool.restart() // another daemon may have taken over an address used before
	o.DropPool()
	return nil
}

func (a *active) connection() *connection {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.conn
}

func (a *active) client() *daemon.Client { return a.connection().client }

func (a *active) trusted() error {
	if !a.connection().config.Trusted {
		return errUntrusted
	}
	return nil
}

// checkSpendKey returns an error if the spend key is absent. It is for operations that need the key only for some
// requests; guard checks the others.
func (a *active) checkSpendKey() error {
	o, err := a.current()
	if err != nil {
		return err
	}
	return o.checkSpendKey()
}

// refreshPool reads only the daemon's pool.
func (a *active) refreshPool(ctx context.Context) error {
	o, err := a.current()
	if err != nil {
		return err
	}
	return o.RefreshPool(ctx, a.connection())
}

// primaryAddress returns the primary address of the open wallet.
func (a *active) primaryAddress() (text string, err error) {
	err = a.view(func(w *wallet.Wallet) error {
		text = primary(w.Identity())
		return nil
	})
	return text, err
}

// errUntrusted is returned for operations that reveal too much to an untrusted daemon.
var errUntrusted error = walletrpc.Fail(walletrpc.CodeUnknown, "This command requires a trusted daemon.")
