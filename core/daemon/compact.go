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

// RawCompact asks for compact blocks. Of req, History, Start and Max count. A daemon that has none gives one error or another, and
// RawBlocks is there for it.
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
	if r.Version != compact.Version {
		return nil, lie("compact blocks of form %d", r.Version)
	}
	if err := req.placed(uint64(len(r.Blocks)), r.StartHeight, r.CurrentHeight); err != nil {
		return nil, err
	}
	return &RawCompact{Start: r.StartHeight, Current: r.CurrentHeight, resp: r, req: req}, nil
}

// Len returns the number of blocks; 0 when the daemon's top is the newest of the history.
func (r *RawCompact) Len() int { return len(r.resp.Blocks) }

// Parse decodes block i of the answer and checks its height. Its memory is a's, which several goroutines must not use at a time; nil for
// memory of its own.
func (r *RawCompact) Parse(a *tx.Arena, i int) (*compact.Block, error) {
	height := r.Start + uint64(i)
	b, err := compact.Parse(a, r.resp.Blocks[i])
	if err != nil {
		return nil, lie("block %d: %w", height, err)
	}
	if b.Block.Height() != height {
		return nil, lie("block %d says it is %d", height, b.Block.Height())
	}
	for _, list := range b.Indices {
		for _, n := range list {
			if n > maxIndex {
				return nil, lie("output index %d", n)
			}
		}
	}
	return b, nil
}

// Link checks that parsed, all of r in order, are a chain that starts where it was asked to, and returns its blocks. Their headers, coinbases
// and lists of transactions are proven by their IDs; no other transaction is Proven, and what they have lacks what package compact leaves out.
func (r *RawCompact) Link(parsed []*compact.Block) ([]Block, error) {
	blocks := make([]Block, len(parsed))
	prev := r.resp.Prev
	for i, b := range parsed {
		id, err := b.Seal(prev)
		if err != nil {
			return nil, lie("block %d: %w", r.Start+uint64(i), err)
		}
		out := Block{
			Height: r.Start + uint64(i), Hash: id, Prev: prev, Timestamp: b.Block.Timestamp, Major: b.Block.Major,
			MinerTx: Tx{ID: b.Coinbase, Transaction: &b.Block.MinerTx, Proven: true, OutputIndices: b.Indices[0]}, Txs: make([]Tx, len(b.Txs)),
		}
		for k, t := range b.Txs {
			out.Txs[k] = Tx{ID: b.Block.TxHashes[k], Transaction: t, OutputIndices: b.Indices[1+k], Compact: true}
		}
		blocks[i], prev = out, id
	}
	if len(blocks) > 0 && prev != r.resp.Last {
		return nil, lie("block %d is not the one it says", r.Start+uint64(len(blocks))-1)
	}
	if len(blocks) > 0 && r.req.Start == 0 && len(r.req.History) > 0 && !slices.Contains(r.req.History, blocks[0].Hash) {
		return nil, lie("block %d is none of the history", blocks[0].Height)
	}
	return blocks, nil
}

// Decode decodes and checks everything.
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
