// Package bridge is the wallet engine as gomobile binds it for Kotlin and Swift.
//
// Every exported name is restricted to what gobind binds: int, int32, int64, string, bool and []byte, pointers to
// structs and interfaces of this package, and an error as the last result. Amounts and other numbers that may exceed
// 2^53 are decimal strings inside JSON. An object that the host implements passes its answer, immediately or later, to
// an object that it receives, so that no thread blocks in the host's code. All methods of host objects return an error,
// so that an exception of the host is always handled. No panic reaches the host.
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

	"glim/bindings/dnssec"
	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/mnemonic/languages"
	polyseeds "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
)

// Engine holds any number of wallets by name. Its methods may be called on any thread. Create one with Open; a zero
// Engine behaves like a closed one.
type Engine struct {
	engine *engine.Engine
	log    service.Log
	ctx    context.Context // ends with Close
	cancel context.CancelFunc

	mu     sync.Mutex // guards the fields below
	closed bool
	tasks  sync.WaitGroup
}

// The root of DNS and the time at which signatures must be valid. Tests replace them.
var (
	anchors = dnssec.RootAnchors
	now     = time.Now
)

var errClosed = errors.New("the engine is closed")

// Open returns an engine without open wallets. It does not connect to a daemon and does not block. While wallets are
// open, it refreshes them unless auto_refresh disables it. Only one engine at a time may use a folder.
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

// config converts the host's options.
func (o *Options) config() (c service.Config, d service.DaemonConfig, err error) {
	if c.Network, err = o.network(); err != nil {
		return c, d, err
	}
	c.Files = newStore(nowhere{})
	switch {
	case o.Storage != nil && o.Folder != "":
		return c, d, errors.New("the options Folder and Storage cannot be used together")
	case o.Storage != nil:
		c.Files = newStore(o.Storage)
	case o.Folder != "":
		if err := os.MkdirAll(o.Folder, 0o700); err != nil {
			return c, d, fmt.Errorf("the folder: %w", err)
		}
		c.Files = native.WalletDir(o.Folder)
	}
	if o.Names != "" {
		if o.HTTP != nil {
			return c, d, errors.New("the options HTTP and Names cannot be used together")
		}
		if _, _, err := dnssec.Configured(o.Names, ""); err != nil {
			return c, d, errors.New("the option Names must be tcp, or tcp:// and an IP address with an optional port")
		}
		c.TXT = dnssec.Host{Public: o.Names, Anchors: anchors, Now: now}.TXT
	}
	c.Log = newLog(o.Logger)
	c.Lookahead.Major, c.Lookahead.Minor = uint32(o.Accounts), uint32(o.Addresses)
	c.Random = rand.Reader
	c.Now = func() uint64 { return uint64(time.Now().Unix()) }
	c.Wait = native.Wait
	c.LowPriority = native.LowPriority
	c.Match = native.Match
	c.Workers = runtime.NumCPU()
	if o.Workers > 0 {
		c.Workers = min(int(o.Workers), c.Workers)
	}
	c.Languages, c.Polyseeds = languages.All(), polyseeds.All()
	c.ReleaseMemory = debug.FreeOSMemory
	port := c.Network.DaemonPort()
	c.Connect = func(d service.DaemonConfig) (rpc.Transport, error) { return native.DaemonTransport(d, port, false) }
	if o.HTTP != nil {
		c.Connect = func(d service.DaemonConfig) (rpc.Transport, error) { return newTransport(o.HTTP, d, port) }
	}
	return c, o.daemon(), nil
}

// Close ends all work, waits for it and closes every wallet. Later calls and subscriptions fail.
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

// work runs f in a goroutine; Close cancels its context and waits for it.
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

// Trim returns unused memory to the system, for a host that received a memory warning.
func Trim() { engine.Trim() }

// contain turns a panic into an error. The panic value may contain a secret, so the error does not include it.
func contain(err *error) {
	if recover() != nil {
		*err = errors.New("an unexpected failure; please report it")
	}
}

// report recovers a goroutine's panic and logs where it came from.
func (e *Engine) report() {
	if recover() != nil {
		e.log.Error("an unexpected failure; please report it", "stack", string(debug.Stack()))
	}
}
