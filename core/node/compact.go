package node

import (
	"context"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/tx"
)

// getCompactBlocks is getBlocks for compact blocks.
func (s service) getCompactBlocks(
	_ context.Context, req daemonrpc.GetCompactBlocksRequest,
) (r daemonrpc.GetCompactBlocksResponse, err error) {
	if req.Version < compact.MinVersion {
		r.Common = status("Failed, this form of compact blocks is unknown")
		return r, nil
	}
	r.Common, r.Version = ok, min(req.Version, compact.Version)
	s.view(func(v chain.View) {
		if len(req.BlockIDs) > 0 && req.BlockIDs[0] == v.Top().ID {
			r.CurrentHeight = v.Height() // nothing new
			return
		}
		start, found := req.StartHeight, req.StartHeight < v.Height()
		if start == 0 {
			start, found = v.Common(req.BlockIDs)
		}
		if !found {
			r.Common = status(daemonrpc.StatusFailed)
			return
		}
		r.StartHeight, r.CurrentHeight = start, v.Height()
		r.Prev = v.Block(start).Block.Prev
		err = fillCompact(v, req.MaxBlockCount, &r)
	})
	return r, err
}

func fillCompact(v chain.View, most uint64, r *daemonrpc.GetCompactBlocksResponse) error {
	count := min(maxBlocks, v.Height()-r.StartHeight)
	if most > 0 {
		count = min(count, most)
	}
	r.Blocks = make([][]byte, 0, count)
	txs := 0
	for h := r.StartHeight; uint64(len(r.Blocks)) < count; h++ {
		b := v.Block(h)
		if !compact.Fits(r.Version, b.Block.Major) { // fewer blocks would look like the end of the chain
			*r = daemonrpc.GetCompactBlocksResponse{Common: status(compact.TooOld), Version: r.Version}
			return nil
		}
		if len(r.Blocks) >= minBlocks && txs+len(b.Txs) > maxBlockTxs {
			break
		}
		txs += len(b.Txs)
		parsed := make([]*tx.Transaction, len(b.Txs))
		for i, t := range b.Txs {
			parsed[i] = t.Tx
		}
		bytes, err := compact.Append(nil, b.Block, b.ID, parsed, b.Indices)
		if err != nil {
			return err
		}
		r.Blocks, r.Last = append(r.Blocks, bytes), b.ID
	}
	if end := r.StartHeight + uint64(len(r.Blocks)); most == 0 &&
		end < v.Height() { // a client that continues begins at a segment
		n := compact.WholeSegments(r.StartHeight, uint64(len(r.Blocks)))
		r.Blocks, r.Last = r.Blocks[:n], v.Block(r.StartHeight+n-1).ID
	}
	return nil
}
