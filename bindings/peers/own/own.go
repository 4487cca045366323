// Package own starts daemons of ours in the place of monerod, for tests, the demonstration and the examples.
package own

import (
	"context"
	"crypto/rand"
	"time"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/node"
)

// Start starts a daemon in this process, on a free port, with a chain that lives in memory. It needs no program installed. It lives
// until Stop, Kill or the end of ctx; its chain lives as long as the Daemon, so that Restart continues it.
func Start(ctx context.Context) (*peers.Daemon, error) {
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		return nil, err
	}
	return Serve(ctx, chain)
}

// Serve serves a chain of this process as Start does.
func Serve(ctx context.Context, chain *node.Regtest) (*peers.Daemon, error) {
	return peers.Serve(ctx, chain, func() peers.Door {
		return native.NewServer(native.ServerConfig{
			Service: chain.Registry(), Limits: native.ServerLimits{Connections: 1000, ConnectionsLocal: 1000},
		})
	})
}
