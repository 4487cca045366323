package upstream

import (
	"context"
	"fmt"

	"glim/core/block"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/tx"
)

// getCompactBlocks answers as getBlocks does, with compact blocks, whether the upstream knows them or not: they are made here, of
// transactions that are proven to be those their blocks name.
func (s service) getCompactBlocks(
	ctx context.Context, req daemonrpc.GetCompactBlocksRequest,
) (r daemonrpc.GetCompactBlocksResponse, err error) {
	switch {
	case req.Version < compact.Version:
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
	r = daemonrpc.GetCompactBlocksResponse{Common: ok, Version: compact.Version, StartHeight: b.start, CurrentHeight: b.current}
	if end := b.start + uint64(len(b.blocks)); req.MaxBlockCount == 0 && end < b.current { // who goes on begins with a segment
		b.blocks = b.blocks[:compact.Whole(b.start, uint64(len(b.blocks)))]
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

// makeCompact returns the compact form, which is remembered with the block.
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
		if txs[i], err = tx.ParsePruned(b.txs[i].blob[:b.txs[i].pruned]); err != nil {
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
