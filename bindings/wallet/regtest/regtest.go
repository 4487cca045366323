// Package regtest provides a private Monero chain inside the process, for tests of programs that use package wallet. It
// opens no port, needs no other program, and its money is worthless.
//
// Pass a Chain as Transport of a wallet.Config with Network wallet.Regtest. The chain grows only when a method mines
// blocks.
package regtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"glim/core/node"
	"glim/core/xmr"
)

// Chain is a private chain. Its methods may be called from any goroutine.
type Chain struct{ node *node.Regtest }

// New returns a chain that consists of the genesis block. Call Close to release it.
func New() (*Chain, error) {
	n, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("regtest: %w", err)
	}
	return &Chain{n}, nil
}

// Close releases the chain.
func (c *Chain) Close() error { return c.node.Close() }

// Post calls the daemon RPC of the chain, so that a Chain is an rpc.Transport.
func (c *Chain) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return c.node.Registry().Post(ctx, path, body)
}

// Height returns the number of blocks, the genesis block included.
func (c *Chain) Height() uint64 { return c.node.Height() }

// A mining reward can be spent Unlock blocks after its own, all other money after Confirmations blocks.
const (
	Unlock        = xmr.CoinbaseUnlock
	Confirmations = xmr.SpendableAge
)

// Mine adds n blocks, the first with the pending transactions. The rewards go to address; if that is empty, they are
// lost.
func (c *Chain) Mine(ctx context.Context, n int, address string) error {
	_, err := c.node.Mine(ctx, n, minerAddress(address))
	return err
}

// Fund mines n blocks whose rewards, about 35 XMR each, go to address, and then as many blocks as it takes to unlock
// them. A transaction needs other outputs as decoys, so fund with at least ten blocks before the first payment.
func (c *Chain) Fund(ctx context.Context, n int, address string) error {
	return c.node.Fund(ctx, n, address)
}

// Reorganise replaces the last n blocks by n+1 others. The transactions of the replaced blocks become pending again.
func (c *Chain) Reorganise(ctx context.Context, n int) error {
	_, err := c.node.Reorganise(ctx, n, node.UnspendableAddress())
	return err
}

// minerAddress returns address, or one that nobody can spend from if it is empty.
func minerAddress(address string) string {
	if address == "" {
		return node.UnspendableAddress()
	}
	return address
}
