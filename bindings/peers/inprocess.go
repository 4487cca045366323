package peers

import (
	"context"
	"net"
	"sync"

	"glim/core/node"
)

// Server serves a daemon of this process over HTTP.
type Server interface {
	// Serve answers requests on l until Shutdown.
	Serve(l net.Listener) error
	// Shutdown stops Serve. Running calls may finish until ctx ends.
	Shutdown(ctx context.Context) error
}

// Serve serves a chain of this process on a free port of 127.0.0.1, instead of monerod, until ctx ends. newServer is
// called at every start.
func Serve(ctx context.Context, chain *node.Regtest, newServer func() Server) (*Daemon, error) {
	d := &Daemon{Chain: chain, newServer: newServer}
	d.process.ctx = ctx
	return d, d.open()
}

// running is a Server that has been started.
type running struct {
	server Server
	ended  chan struct{}
	once   sync.Once
}

// open starts to serve on a free port.
func (d *Daemon) open() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	r := &running{ended: make(chan struct{}), server: d.newServer()}
	d.Client, d.running = Client{URL: "http://" + l.Addr().String()}, r
	go func() {
		defer close(r.ended)
		_ = r.server.Serve(l)
	}()
	context.AfterFunc(d.process.ctx, func() { _ = r.shutdown(d.process.ctx) })
	return nil
}

// shutdown stops the server. Running calls may finish until ctx ends.
func (r *running) shutdown(ctx context.Context) (err error) {
	r.once.Do(func() { err = r.server.Shutdown(ctx) })
	<-r.ended
	return err
}

// stopServing stops the server, either at once or after the running calls have finished.
func (d *Daemon) stopServing(atOnce bool) error {
	if d.Chain.Close(); d.running == nil {
		return nil // it was never started
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	if atOnce {
		cancel()
		_ = d.running.shutdown(ctx) // returns that calls were cancelled
		return nil
	}
	return d.running.shutdown(ctx)
}
