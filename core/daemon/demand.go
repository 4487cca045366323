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
	backlog, err := call(ctx, c, daemonrpc.GetTxPoolBacklog, daemonrpc.PayerOnly{})
	if err != nil {
		return fee.Demand{}, err
	}
	entries, err := daemonrpc.UnpackBacklog(backlog.Backlog)
	if err != nil {
		return fee.Demand{}, lie("pool backlog: %w", err)
	}
	if len(entries) > maxPool {
		return fee.Demand{}, lie("%d transactions in the pool", len(entries))
	}
	for _, e := range entries {
		d.Pool = append(d.Pool, fee.PoolEntry{Weight: e.Weight, Fee: e.Fee})
	}
	if info.Height <= fee.RecentBlocks {
		return d, nil
	}
	headers, err := call(ctx, c, daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{
		StartHeight: info.Height - fee.RecentBlocks, EndHeight: info.Height - 1})
	if err != nil {
		return fee.Demand{}, err
	}
	if len(headers.Headers) != fee.RecentBlocks {
		return fee.Demand{}, lie("%d block headers for %d", len(headers.Headers), fee.RecentBlocks)
	}
	for _, h := range headers.Headers {
		d.Recent = append(d.Recent, h.BlockWeight)
	}
	return d, nil
}
