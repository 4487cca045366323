package peers

import (
	"context"
	"crypto/rand"
	"net"
	"sync"
	"time"

	"glim/bindings/native"
	"glim/core/node"
)

// StartOwn starts a daemon of ours in the place of monerod: in this process, on a free port, with a chain that lives in memory.
// It needs no program installed. It lives until Stop, Kill or the end of ctx; its chain lives as long as the Daemon, so that
// Restart continues it.
func StartOwn(ctx context.Context) (*Daemon, error) {
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		return nil, err
	}
	return Serve(ctx, chain)
}

// Serve serves a chain of this process as StartOwn does.
func Serve(ctx context.Context, chain *node.Regtest) (*Daemon, error) {
	d := &Daemon{Own: chain}
	d.process.ctx = ctx
	return d, d.open()
}

// door is where a daemon of ours answers.
type door struct {
	server *native.Server
	ended  chan struct{}
	once   sync.Once
}

// open begins to answer on a free port.
func (d *Daemon) open() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	at := &door{ended: make(chan struct{}), server: native.NewServer(native.ServerConfig{
		Service: d.Own.Registry(), Limits: native.ServerLimits{Connections: 1000, ConnectionsLocal: 1000},
	})}
	d.Client, d.door = Client{URL: "http://" + l.Addr().String()}, at
	go func() {
		defer close(at.ended)
		_ = at.server.Serve(l)
	}()
	context.AfterFunc(d.process.ctx, func() { _ = at.close(d.process.ctx) })
	return nil
}

// close lets the running calls finish, as long as ctx lives, and ends.
func (at *door) close(ctx context.Context) (err error) {
	at.once.Do(func() { err = at.server.Shutdown(ctx) })
	<-at.ended
	return err
}

// shut ends answering, at once or when the running calls have finished.
func (d *Daemon) shut(atOnce bool) error {
	if d.Own.Close(); d.door == nil {
		return nil // it never opened
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	if atOnce {
		cancel()
		_ = d.door.close(ctx) // its error is that calls were cut off
		return nil
	}
	return d.door.close(ctx)
}
