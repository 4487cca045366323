// Package inprocess starts glim's daemon inside the calling process, for tests, the demonstration and the examples.
package inprocess

import (
	"context"
	"crypto/rand"
	"time"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/node"
)

// Start starts a daemon on a free port, with a private chain in memory. It needs no other program. The daemon serves
// until Stop, Kill or the end of ctx; Restart continues the same chain.
func Start(ctx context.Context) (*peers.Daemon, error) {
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		return nil, err
	}
	return Serve(ctx, chain)
}

// Serve is Start with an existing chain.
func Serve(ctx context.Context, chain *node.Regtest) (*peers.Daemon, error) {
	limits := native.ServerLimits{Connections: 1000, ConnectionsLocal: 1000}
	return peers.Serve(ctx, chain, func() peers.Server {
		return native.NewServer(native.ServerConfig{Service: chain.Registry(), Limits: limits})
	})
}
