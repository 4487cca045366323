package daemon

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/fee"
)

// Demand asks how busy the chain is: what waits in the pool, how large blocks may be and how large the last ones
// were. All of it is unproven; what a lying daemon gains by it is in fee.Demand.
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

// Backlog asks what waits in the pool, for Demand.Pool.
func (c *Client) Backlog(ctx context.Context) (pool []fee.PoolEntry, err error) {
	backlog, err := call(ctx, c, daemonrpc.GetTxPoolBacklog, daemonrpc.PayerOnly{})
	if err != nil {
		return nil, err
	}
	entries, err := daemonrpc.UnpackBacklog(backlog.Backlog)
	if err != nil {
		return nil, lie("pool backlog: %w", err)
	}
	if len(entries) > maxPool {
		return nil, lie("%d transactions in the pool", len(entries))
	}
	for _, e := range entries {
		pool = append(pool, fee.PoolEntry{Weight: e.Weight, Fee: e.Fee})
	}
	return pool, nil
}

// RecentWeights asks for Demand.Recent, of a chain of so many blocks, more than fee.RecentBlocks.
func (c *Client) RecentWeights(ctx context.Context, height uint64) (weights []uint64, err error) {
	headers, err := call(ctx, c, daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{
		StartHeight: height - fee.RecentBlocks, EndHeight: height - 1})
	if err != nil {
		return nil, err
	}
	if len(headers.Headers) != fee.RecentBlocks {
		return nil, lie("%d block headers for %d", len(headers.Headers), fee.RecentBlocks)
	}
	for _, h := range headers.Headers {
		weights = append(weights, h.BlockWeight)
	}
	return weights, nil
}
