package daemon

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/fee"
)

// Demand requests the load of the chain: the pool backlog, the limit of block weights and the weights of recent
// blocks. It is not proven; fee.Demand describes what a malicious daemon can achieve.
func (c *Client) Demand(ctx context.Context) (fee.Demand, error) {
	info, err := c.Info(ctx)
	if err != nil {
		return fee.Demand{}, err
	}
	d := fee.Demand{WeightLimit: info.WeightLimit}
	if d.Pool, err = c.Backlog(ctx); err != nil {
		return fee.Demand{}, err
	}
	if info.Height > fee.RecentBlocks {
		d.Recent, err = c.RecentWeights(ctx, info.Height)
	}
	return d, err
}

// Backlog requests the pool backlog, for Demand.Pool.
func (c *Client) Backlog(ctx context.Context) (pool []fee.PoolEntry, err error) {
	backlog, err := call(ctx, c, daemonrpc.GetTxPoolBacklog, daemonrpc.PayerOnly{})
	if err != nil {
		return nil, err
	}
	entries, err := daemonrpc.UnpackBacklog(backlog.Backlog)
	if err != nil {
		return nil, invalid("pool backlog: %w", err)
	}
	if len(entries) > maxPool {
		return nil, invalid("%d transactions in the pool", len(entries))
	}
	for _, e := range entries {
		pool = append(pool, fee.PoolEntry{Weight: e.Weight, Fee: e.Fee})
	}
	return pool, nil
}

// RecentWeights requests Demand.Recent of a chain with the given number of blocks, which exceeds fee.RecentBlocks.
func (c *Client) RecentWeights(ctx context.Context, height uint64) (weights []uint64, err error) {
	headers, err := call(ctx, c, daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{
		StartHeight: height - fee.RecentBlocks, EndHeight: height - 1})
	if err != nil {
		return nil, err
	}
	if len(headers.Headers) != fee.RecentBlocks {
		return nil, invalid("%d block headers for %d", len(headers.Headers), fee.RecentBlocks)
	}
	for _, h := range headers.Headers {
		weights = append(weights, h.BlockWeight)
	}
	return weights, nil
}
