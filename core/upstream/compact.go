package upstream

import (
	"context"
	"fmt"
	"slices"

	"glim/core/block"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/internal/compact"
	"glim/core/tx"
)

// getCompactBlocks is getBlocks with compact blocks. The upstream need not support them: they are made here, from
// transactions that are proven to match the IDs in their blocks.
func (s service) getCompactBlocks(
	ctx context.Context, req daemonrpc.GetCompactBlocksRequest,
) (r daemonrpc.GetCompactBlocksResponse, err error) {
	switch {
	case req.Version < compact.MinVersion:
		return r, refuse("Failed, this form of compact blocks is unknown")
	case len(req.BlockIDs) == 0 && req.StartHeight == 0, len(req.BlockIDs) > maxHistory, req.StartHeight > maxHeight:
		return r, refuse(daemonrpc.StatusFailed)
	}
	b, err := s.blocks(ctx, daemon.BlocksRequest{
		History: req.BlockIDs, Start: req.StartHeight, Max: int(min(req.MaxBlockCount, maxBlocks)),
	})
	if err != nil {
		return r, err
	}
	version := min(req.Version, compact.Version)
	if slices.ContainsFunc(b.blocks, func(h *held) bool { return !compact.Fits(version, h.major) }) {
		return r, refuse(compact.TooOld) // fewer blocks would look like the end of the chain
	}
	r = daemonrpc.GetCompactBlocksResponse{
		Common: ok, Version: version, StartHeight: b.start, CurrentHeight: b.current,
	}
	// End at a segment boundary, so that the client's next request begins with a segment.
	if end := b.start + uint64(len(b.blocks)); req.MaxBlockCount == 0 && end < b.current {
		b.blocks = b.blocks[:compact.WholeSegments(b.start, uint64(len(b.blocks)))]
	}
	for i, h := range b.blocks {
		bytes, err := h.makeCompact()
		if err != nil {
			return daemonrpc.GetCompactBlocksResponse{}, err
		}
		if i == 0 {
			r.Prev = h.prev
		}
		r.Blocks, r.Last = append(r.Blocks, bytes), h.id
	}
	return r, nil
}

// makeCompact returns the compact form, and caches it with the block.
func (b *held) makeCompact() ([]byte, error) {
	if made := b.compact.Load(); made != nil {
		return *made, nil
	}
	blk, err := block.Parse(b.blob)
	if err != nil {
		return nil, fmt.Errorf("upstream: block %d: %w", b.height, err)
	}
	txs := make([]*tx.Transaction, len(b.txs))
	for i := range txs {
		if txs[i], err = fcmptx.Default.ParsePrunedAny(b.txs[i].blob[:b.txs[i].pruned]); err != nil {
			return nil, fmt.Errorf("upstream: transaction %s: %w", b.txs[i].id, err)
		}
	}
	made, err := compact.Append(nil, blk, b.id, txs, b.indices)
	if err != nil {
		return nil, fmt.Errorf("upstream: block %d: %w", b.height, err)
	}
	b.compact.Store(&made)
	return made, nil
}
