package peers

import (
	"context"
	"net"
	"sync"

	"glim/core/node"
)

// Door carries requests to a daemon of this process, over HTTP.
type Door interface {
	// Serve answers on l until Shutdown, which lets running calls finish as long as ctx lives.
	Serve(l net.Listener) error
	Shutdown(ctx context.Context) error
}

// Serve lets a chain of this process stand in the place of monerod, on a free port, as long as ctx lives. door makes a door to it,
// each time it starts.
func Serve(ctx context.Context, chain *node.Regtest, door func() Door) (*Daemon, error) {
	d := &Daemon{Own: chain, doors: door}
	d.process.ctx = ctx
	return d, d.open()
}

// door is where a daemon of ours answers.
type door struct {
	server Door
	ended  chan struct{}
	once   sync.Once
}

// open begins to answer on a free port.
func (d *Daemon) open() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	at := &door{ended: make(chan struct{}), server: d.doors()}
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
