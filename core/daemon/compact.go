package daemon

import (
	"context"
	"slices"

	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/tx"
)

// RawCompact is an answer with compact blocks that are not decoded yet. Its methods are safe for concurrent use.
type RawCompact struct {
	Start   uint64 // index of the first block
	Current uint64 // count of blocks the daemon claims to have; unproven
	resp    daemonrpc.GetCompactBlocksResponse
	req     BlocksRequest
}

// RawCompact requests compact blocks. It uses only History, Start and Max of req. If the daemon does not support
// compact blocks it returns an unspecified error; use RawBlocks then. It returns ErrHistory if History is empty and
// Start is 0.
func (c *Client) RawCompact(ctx context.Context, req BlocksRequest) (*RawCompact, error) {
	if len(req.History) == 0 && req.Start == 0 {
		return nil, ErrHistory
	}
	r, err := call(ctx, c, daemonrpc.GetCompactBlocks, daemonrpc.GetCompactBlocksRequest{
		Version: compact.Version, BlockIDs: req.History, StartHeight: req.Start, MaxBlockCount: uint64(max(req.Max, 0)),
	})
	if err != nil {
		return nil, err
	}
	if r.Version < compact.MinVersion || r.Version > compact.Version {
		return nil, invalid("compact blocks of form %d", r.Version)
	}
	if err := req.placed(uint64(len(r.Blocks)), r.StartHeight, r.CurrentHeight); err != nil {
		return nil, err
	}
	return &RawCompact{Start: r.StartHeight, Current: r.CurrentHeight, resp: r, req: req}, nil
}

// Len returns the number of blocks. It is 0 if the newest block of the history is the daemon's top.
func (r *RawCompact) Len() int { return len(r.resp.Blocks) }

// Parse decodes block i of the answer and checks its height. It allocates from a, which only one goroutine may use at a
// time. If a is nil, it allocates separately.
func (r *RawCompact) Parse(a *tx.Arena, i int) (*compact.Block, error) {
	height := r.Start + uint64(i)
	b, err := compact.Parse(a, r.resp.Blocks[i])
	if err != nil {
		return nil, invalid("block %d: %w", height, err)
	}
	if b.Block.Height() != height {
		return nil, invalid("block %d claims height %d", height, b.Block.Height())
	}
	for _, list := range b.Indices {
		for _, n := range list {
			if n > maxIndex {
				return nil, invalid("output index %d", n)
			}
		}
	}
	return b, nil
}

// Link checks that parsed, all of r in order, form a chain, and returns its blocks. If the request has a history and no
// Start, the chain must start at a block of the history. The block IDs prove headers, coinbases and lists of
// transaction IDs. Other transactions than coinbases are not Proven and lack the data that package compact omits.
func (r *RawCompact) Link(parsed []*compact.Block) ([]Block, error) {
	blocks := make([]Block, len(parsed))
	prev := r.resp.Prev
	for i, b := range parsed {
		id, err := b.SetPrev(prev)
		if err != nil {
			return nil, invalid("block %d: %w", r.Start+uint64(i), err)
		}
		out := Block{
			Height: r.Start + uint64(i), Hash: id, Prev: prev, Timestamp: b.Block.Timestamp, Major: b.Block.Major,
			Tree: b.Block.Tree,
			MinerTx: Tx{
				ID: b.Coinbase, Transaction: &b.Block.MinerTx, Proven: true, OutputIndices: b.Indices[0],
			}, Txs: make([]Tx, len(b.Txs)),
		}
		for k, t := range b.Txs {
			out.Txs[k] = Tx{ID: b.Block.TxHashes[k], Transaction: t, OutputIndices: b.Indices[1+k], Compact: true}
		}
		blocks[i], prev = out, id
	}
	if len(blocks) > 0 && prev != r.resp.Last {
		return nil, invalid("block %d is not the one it says", r.Start+uint64(len(blocks))-1)
	}
	if len(blocks) > 0 && r.req.Start == 0 && len(r.req.History) > 0 &&
		!slices.Contains(r.req.History, blocks[0].Hash) {
		return nil, invalid("block %d is not in the history", blocks[0].Height)
	}
	return blocks, nil
}

// Decode decodes and checks all blocks. It returns ErrInvalidResponse.
func (r *RawCompact) Decode() ([]Block, error) {
	parsed, arena := make([]*compact.Block, r.Len()), new(tx.Arena)
	for i := range parsed {
		var err error
		if parsed[i], err = r.Parse(arena, i); err != nil {
			return nil, err
		}
	}
	return r.Link(parsed)
}
