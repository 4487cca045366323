package node

import (
	"context"
	"errors"
	"io"

	"glim/core/address"
	"glim/core/chain"
	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/xmr"
)

// Regtest is a private chain in this process for tests and demonstrations: hard fork 16 from block 1, difficulty 1. It
// serves clients as a daemon (see Registry), and mines on request.
type Regtest struct{ *Node }

// NewRegtest creates a chain in memory. now returns POSIX seconds; random makes the keys of coinbases. It returns an
// error if one of them is nil.
func NewRegtest(now func() uint64, random io.Reader) (*Regtest, error) {
	return OpenRegtest(now, random, nil)
}

// OpenRegtest opens the chain in a store, which may be empty, and stores every change in it. Otherwise it is like
// NewRegtest. It returns the errors of the store as well, and an error if the store's records are no chain.
func OpenRegtest(now func() uint64, random io.Reader, store chain.Store) (*Regtest, error) {
	if random == nil {
		return nil, errors.New("node: a private chain needs a random source")
	}
	n, err := New(Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: random, Store: store,
	}})
	if err != nil {
		return nil, err
	}
	return &Regtest{n}, nil
}

// Height returns the number of blocks.
func (r *Regtest) Height() (height uint64) {
	r.chain.View(func(v chain.View) { height = v.Height() })
	return height
}

// Mine adds n blocks that pay address and include the pool's transactions. It returns their IDs.
func (r *Regtest) Mine(ctx context.Context, n int, address string) ([]xmr.Hash, error) {
	return r.mine(ctx, n, address, "")
}

func (r *Regtest) mine(ctx context.Context, n int, address, prev string) ([]xmr.Hash, error) {
	got, err := rpc.Call(ctx, r.whole, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: uint64(max(n, 0)), WalletAddress: address, PrevBlock: prev})
	return got.Blocks, err
}

// Fund mines n blocks to an address, and further blocks until the rewards can be spent.
func (r *Regtest) Fund(ctx context.Context, n int, address string) error {
	if _, err := r.Mine(ctx, n, address); err != nil {
		return err
	}
	_, err := r.Mine(ctx, xmr.CoinbaseUnlock, UnspendableAddress())
	return err
}

// UnspendableAddress returns an address without known secret keys, for rewards that belong to no wallet.
func UnspendableAddress() string {
	return address.Address{
		Network: xmr.Regtest,
		Spend:   edwards.HashToPoint([32]byte{1}).Encode(),
		View:    edwards.HashToPoint([32]byte{2}).Encode(),
	}.String()
}

// Reorganise replaces the last n blocks by n + 1 new ones that pay address. Transactions of the replaced blocks that
// are not in the new ones return to the pool.
func (r *Regtest) Reorganise(ctx context.Context, n int, address string) ([]xmr.Hash, error) {
	var prev string
	r.chain.View(func(v chain.View) {
		if b := v.Block(v.Height() - 1 - min(uint64(max(n, 0)), v.Height()-1)); b != nil {
			prev = b.ID.String()
		}
	})
	return r.mine(ctx, n+1, address, prev)
}
