// Package bridge is the wallet engine as gomobile binds it for Kotlin and Swift.
//
// Every exported name keeps to what gobind binds: int, int32, int64, string, bool and []byte, pointers to structs and interfaces of this
// package, and an error as the last result. Amounts and whatever else may exceed 2^53 are decimal strings inside JSON. What a host
// implements gets an answer's receiver instead of returning an answer, so that no thread waits in it, and every method of it may fail,
// so that an exception of the host's always has somebody to go to. Nothing here panics into the host.
package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/mnemonic/languages"
	sixteen "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
)

// Engine is any number of wallets, each under its name. Its methods may be called from any thread. Open makes one; one that a host
// makes otherwise is as one that is closed.
type Engine struct {
	engine *engine.Engine
	log    service.Log
	ctx    context.Context // ends with Close
	cancel context.CancelFunc

	mu     sync.Mutex // guards what follows
	closed bool
	tasks  sync.WaitGroup
}

var errClosed = errors.New("the engine is closed")

// Open returns an engine with no wallet open. It reaches for no daemon and waits for nothing; while wallets are open it refreshes
// them, until auto_refresh says otherwise. One engine at a time may use a folder.
func Open(o *Options) (e *Engine, err error) {
	defer contain(&err)
	if o == nil {
		o = NewOptions()
	}
	c, d, err := o.config()
	if err != nil {
		return nil, err
	}
	inner, err := engine.New(c, d)
	if err != nil {
		return nil, err
	}
	e = &Engine{engine: inner, log: c.Log}
	if o.KeyStore != nil {
		inner.SetKeyStore(keyStore{o.KeyStore})
	}
	if o.Memory > 0 {
		engine.LimitMemory(o.Memory)
	}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	e.tasks.Go(func() {
		defer e.report()
		inner.Run(e.ctx)
	})
	return e, nil
}

// config is what the engine takes from its host.
func (o *Options) config() (c service.Config, d service.DaemonConfig, err error) {
	if c.Network, err = o.network(); err != nil {
		return c, d, err
	}
	c.Files = newStore(nowhere{})
	switch {
	case o.Storage != nil && o.Folder != "":
		return c, d, errors.New("a folder and a storage exclude each other")
	case o.Storage != nil:
		c.Files = newStore(o.Storage)
	case o.Folder != "":
		if err := os.MkdirAll(o.Folder, 0o700); err != nil {
			return c, d, fmt.Errorf("the folder: %w", err)
		}
		c.Files = native.WalletDir(o.Folder)
	}
	c.Log = newLog(o.Logger)
	c.Lookahead.Major, c.Lookahead.Minor = uint32(o.Accounts), uint32(o.Addresses)
	c.Random = rand.Reader
	c.Now = func() uint64 { return uint64(time.Now().Unix()) }
	c.Wait = native.Wait
	c.Behind = native.Behind
	c.Match = native.Match
	c.Workers = runtime.NumCPU()
	if o.Workers > 0 {
		c.Workers = min(int(o.Workers), c.Workers)
	}
	c.Languages, c.Polyseeds = languages.All(), sixteen.All()
	c.Spare = debug.FreeOSMemory
	port := c.Network.DaemonPort()
	c.Connect = func(d service.DaemonConfig) (rpc.Transport, error) { return native.DaemonTransport(d, port, false) }
	if o.HTTP != nil {
		c.Connect = func(d service.DaemonConfig) (rpc.Transport, error) { return newTransport(o.HTTP, d, port) }
	}
	return c, o.daemon(), nil
}

// Close ends what is under way, waits for it and closes every wallet. Calls and subscriptions begun after it fail.
func (e *Engine) Close() (err error) {
	defer contain(&err)
	if e.engine == nil {
		return nil
	}
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.cancel()
	err = e.engine.Close()
	e.tasks.Wait()
	return err
}

// work runs f until it ends, beside others; Close waits for it and ends its context.
func (e *Engine) work(f func()) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.engine == nil {
		return errClosed
	}
	e.tasks.Go(func() {
		defer e.report()
		f()
	})
	return nil
}

// Trim gives memory that nobody uses back to the system: for a host that was told that there is little left.
func Trim() { engine.Trim() }

// contain makes an error of a panic. What panicked may hold a secret, so the error does not say it.
func contain(err *error) {
	if recover() != nil {
		*err = errors.New("an unexpected failure; please report this")
	}
}

// report ends a goroutine's panic, and logs where it came from.
func (e *Engine) report() {
	if recover() != nil {
		e.log.Error("an unexpected failure; please report this", "stack", string(debug.Stack()))
	}
}
