package peers

import (
	"context"
	"encoding/hex"
	"time"

	"glim/core/block"
)

// mineChunk is the maximum number of blocks in one request, so that each response arrives quickly.
const mineChunk = 20

// poolPatience is the longest time that Mine waits for the pool.
const poolPatience = 5 * time.Minute

// settlePool waits until every transaction of the pool can be mined, or until poolPatience has passed. A daemon
// withholds a new transaction from its blocks at first, because mining it would reveal its origin. Without peers, it
// stops doing so a moment later.
func (d *Daemon) settlePool(ctx context.Context) error {
	for deadline := time.Now().Add(poolPatience); ; {
		var pool struct {
			Transactions []struct {
				Relayed    bool `json:"relayed"`
				DoNotRelay bool `json:"do_not_relay"`
			} `json:"transactions"`
		}
		if err := d.Path(ctx, "/get_transaction_pool", nil, &pool); err != nil {
			return err
		}
		waiting := false
		for _, t := range pool.Transactions {
			waiting = waiting || !t.Relayed && !t.DoNotRelay
		}
		if !waiting || time.Now().After(deadline) {
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Mine adds n blocks that pay address, with the transactions of the pool. They extend the block with ID prevBlock, to
// build a fork, or by default the chain.
func (d *Daemon) Mine(ctx context.Context, n int, address string, prevBlock ...string) error {
	if err := d.settlePool(ctx); err != nil {
		return err
	}
	prev := ""
	if len(prevBlock) > 0 {
		prev = prevBlock[0]
	}
	if d.acceptsAnyWork {
		return d.mineUnhashed(ctx, n, address, prev)
	}
	for n > 0 {
		request := map[string]any{"amount_of_blocks": min(n, mineChunk), "wallet_address": address, "starting_nonce": 0}
		if prev != "" {
			request["prev_block"] = prev
		}
		var mined struct {
			Blocks []string `json:"blocks"`
		}
		before, err := d.height(ctx)
		if err != nil {
			return err
		}
		for {
			if err = d.JSON(ctx, "generateblocks", request, &mined); !lost(err) || prev != "" {
				break
			}
			// The height shows whether the daemon has added the blocks, unless they are a fork.
			if after, gone := d.height(ctx); gone != nil || after > before {
				err = gone
				break
			}
		}
		if err != nil {
			return err
		}
		if prev != "" && len(mined.Blocks) > 0 {
			prev = mined.Blocks[len(mined.Blocks)-1]
		}
		n -= mineChunk
	}
	return nil
}

// mineUnhashed is Mine for a daemon that accepts every nonce. It avoids the hashing of generateblocks, which would
// double the time per block, and mining takes most of the time of tests.
func (d *Daemon) mineUnhashed(ctx context.Context, n int, address, prev string) error {
	for range n {
		request := map[string]any{"wallet_address": address, "reserve_size": 0}
		if prev != "" {
			request["prev_block"] = prev
		}
		var made struct {
			Blob string `json:"blocktemplate_blob"`
		}
		if err := d.JSON(ctx, "get_block_template", request, &made); err != nil {
			return err
		}
		blob, err := hex.DecodeString(made.Blob)
		if err != nil {
			return err
		}
		b, err := block.Parse(blob)
		if err != nil {
			return err
		}
		id, err := b.Hash()
		if err != nil {
			return err
		}
		if err = d.JSON(ctx, "submit_block", []string{made.Blob}, nil); lost(err) {
			err = d.JSON(ctx, "get_block_header_by_hash", map[string]any{"hash": id.String()}, nil) // was it accepted?
		}
		if err != nil {
			return err
		}
		if prev != "" {
			prev = id.String()
		}
	}
	return nil
}

// height returns the number of blocks of the chain.
func (d *Daemon) height(ctx context.Context) (uint64, error) {
	var r struct{ Count uint64 }
	err := d.JSON(ctx, "get_block_count", nil, &r)
	return r.Count, err
}
