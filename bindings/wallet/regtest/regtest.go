// Package regtest is a private chain of Monero in the process, for tests of programs that use package wallet: nothing
// listens, nothing else is installed, and its money is worth nothing.
//
// A Chain is a Transport of wallet.Config, whose Network is wallet.Regtest. Blocks come when they are mined, and at no
// other time.
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

// New returns a chain with nothing in it but the network's first block. Close it when done.
func New() (*Chain, error) {
	n, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("regtest: %w", err)
	}
	return &Chain{n}, nil
}

// Close ends the chain.
func (c *Chain) Close() error { return c.node.Close() }

// Post asks the chain's daemon, so that a Chain is an rpc.Transport.
func (c *Chain) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return c.node.Registry().Post(ctx, path, body)
}

// Height returns the number of blocks.
func (c *Chain) Height() uint64 { return c.node.Height() }

// Unlock is how many blocks later a mining reward can be spent, and Confirmations how many any other money.
const (
	Unlock        = xmr.CoinbaseUnlock
	Confirmations = xmr.SpendableAge
)

// Mine adds n blocks with the transactions that wait. Their rewards go to address, or to nobody when that is empty.
func (c *Chain) Mine(ctx context.Context, n int, address string) error {
	_, err := c.node.Mine(ctx, n, orNobody(address))
	return err
}

// Fund gives address the rewards of n blocks, some 35 XMR each, and mines until they can be spent. A payment hides
// among other outputs: fund with ten blocks or more before the first one.
func (c *Chain) Fund(ctx context.Context, n int, address string) error {
	return c.node.Fund(ctx, n, address)
}

// Reorganise takes the last n blocks away and puts n+1 others in their place. Transactions that were in them wait for
// another block.
func (c *Chain) Reorganise(ctx context.Context, n int) error {
	_, err := c.node.Reorganise(ctx, n, node.Nobody())
	return err
}

func orNobody(address string) string {
	if address == "" {
		return node.Nobody()
	}
	return address
}
