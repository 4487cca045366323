package upstream

import (
	"context"
	"fmt"
	"math"

	"glim/core/daemon"
	"glim/core/daemonrpc"
)

// getBlocksByHeight returns blocks with full transactions.
// Source: src/rpc/core_rpc_server.cpp, on_get_blocks_by_height.
func (s service) getBlocksByHeight(
	ctx context.Context, req daemonrpc.GetBlocksByHeightRequest,
) (r daemonrpc.GetBlocksByHeightResponse, err error) {
	if len(req.Heights) > restrictedBlocks {
		return r, refuse("Too many blocks requested in restricted mode")
	}
	if _, err := s.top(ctx); err != nil { // checks that the cache still matches the chain
		return r, err
	}
	r.Metered = metered
	r.Blocks = make([]daemonrpc.BlockEntry, len(req.Heights))
	var missing []int
	size := 0
	for i, h := range req.Heights {
		b, ok := get[*held](s.store, key{kind: ofBlock, n: h})
		if !ok || !b.whole() {
			missing = append(missing, i)
			continue
		}
		if r.Blocks[i], err = b.entry(false); err != nil {
			return r, err
		}
		size += b.size()
	}
	for len(missing) > 0 {
		some := missing[:min(len(missing), askBlocks)]
		missing = missing[len(some):]
		var heights []uint64
		for _, i := range some {
			heights = append(heights, req.Heights[i])
		}
		list, err := ask(ctx, s.Front, func(ctx context.Context, c *daemon.Client) ([]daemonrpc.BlockEntry, error) {
			_, raw, err := c.BlocksAt(ctx, heights)
			return raw, err
		})
		if err != nil {
			return r, err
		}
		for k, i := range some {
			r.Blocks[i] = list[k]
			size += len(list[k].Block)
			for _, t := range list[k].Txs {
				size += len(t.Blob)
			}
		}
		if size > maxBlocksBytes && len(missing) > 0 {
			return r, refuse(fmt.Sprintf("Error retrieving block at height %d", req.Heights[missing[0]]))
		}
	}
	return r, nil
}

// getHashes returns the hashes of cached blocks if there are at least minHashes, otherwise the upstream's response.
func (s service) getHashes(
	ctx context.Context, req daemonrpc.GetHashesRequest,
) (r daemonrpc.GetHashesResponse, err error) {
	if len(req.BlockIDs) == 0 || len(req.BlockIDs) > maxHistory {
		return r, refuse(daemonrpc.StatusFailed)
	}
	m, err := s.memory(ctx)
	if err != nil {
		return r, err
	}
	r.Metered = metered
	if start, ok := s.store.heightOf(req.BlockIDs[0]); ok {
		if list, _ := s.store.run(start, maxHashes, math.MaxInt, math.MaxInt, false); len(list) >= minHashes {
			for _, b := range list {
				r.BlockIDs = append(r.BlockIDs, b.id)
			}
			r.StartHeight, r.CurrentHeight = start, m.tip.height
			return r, nil
		}
	}
	chain, err := ask(ctx, s.Front, func(ctx context.Context, c *daemon.Client) (daemon.HashChain, error) {
		return c.Hashes(ctx, req.BlockIDs)
	})
	if err != nil {
		return r, err
	}
	r.BlockIDs, r.StartHeight, r.CurrentHeight = chain.IDs, chain.Start, chain.Current
	return r, nil
}
