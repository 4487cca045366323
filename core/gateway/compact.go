package gateway

import (
	"context"
	"slices"
	"strconv"

	"glim/core/block"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/internal/compact"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// Limits of requests and responses.
const (
	maxBlocks   = 1000    // in one response
	maxBytes    = 8 << 20 // size of blocks after which a response ends
	maxHistory  = 10000
	maxIndexOut = 1 << 48 // global output indices
)

// compact handles get_compact_blocks.bin: from segments where blocks are assumed to be final, otherwise from the tail.
func (g *Gateway) compact(ctx context.Context, body []byte) ([]byte, error) {
	var q daemonrpc.GetCompactBlocksRequest
	if err := epee.Unmarshal(body, &q); err != nil {
		return nil, ErrRequest
	}
	r := daemonrpc.GetCompactBlocksResponse{
		Common:  daemonrpc.Common{Status: daemonrpc.StatusOK, Untrusted: true},
		Version: min(q.Version, compact.Version),
	}
	refuse := func(status string) ([]byte, error) {
		return epee.Marshal(&daemonrpc.GetCompactBlocksResponse{
			Common: daemonrpc.Common{Status: status, Untrusted: true},
		})
	}
	switch {
	case q.Version < compact.MinVersion:
		return refuse("Failed, this form of compact blocks is unknown")
	case len(q.BlockIDs) == 0 && q.StartHeight == 0, len(q.BlockIDs) > maxHistory:
		return refuse(daemonrpc.StatusFailed)
	}
	if err := g.agree(ctx); err != nil {
		return nil, err
	}
	end, err := g.tip(ctx, q.StartHeight)
	if err != nil {
		return nil, err
	}
	start := q.StartHeight
	if start == 0 {
		if q.BlockIDs[0] == end.id {
			r.CurrentHeight = end.height
			return epee.Marshal(&r)
		}
		var found bool
		var err error
		if start, found, err = g.common(ctx, end, q.BlockIDs); err != nil {
			return nil, err
		} else if !found {
			return refuse(daemonrpc.StatusFailed)
		}
	}
	most := uint64(maxBlocks)
	if q.MaxBlockCount > 0 {
		most = min(most, q.MaxBlockCount)
	}
	run, err := g.collect(ctx, end, start, most)
	if err != nil {
		return nil, err
	}
	if len(run.Blocks) == 0 {
		return refuse(daemonrpc.StatusFailed)
	}
	beyond := func(b []byte) bool { return len(b) > 0 && !compact.Fits(r.Version, b[0]) }
	if slices.ContainsFunc(run.Blocks, beyond) {
		return refuse(compact.TooOld) // fewer blocks would look like the end of the chain
	}
	r.StartHeight, r.Prev, r.Last, r.Blocks = start, run.Prev, run.IDs[len(run.IDs)-1], run.Blocks
	r.CurrentHeight = max(end.height, start+uint64(len(run.Blocks)))
	return epee.Marshal(&r)
}

// common returns the height of the newest block of a history that is on the main chain, and whether there is one.
func (g *Gateway) common(ctx context.Context, end tip, history []xmr.Hash) (uint64, bool, error) {
	const most = 64 // IDs to look up, besides the last; a history has no more
	if _, err := g.tailAt(ctx, end, end.height-1); err != nil && ctx.Err() != nil {
		return 0, false, err
	}
	for i, id := range history {
		if i >= most && i < len(history)-1 {
			continue
		}
		if at, ok := g.segs.heightOf(id); ok {
			return at, true, nil
		}
		if at, ok := g.tail.heightOf(end, id); ok {
			return at, true, nil
		}
		var at uint64
		found := false
		call := rpcCall("get_block_header_by_hash", `{"hash":"`+id.String()+`"}`)
		_, err := g.ask(ctx, "/json_rpc", call, func(b []byte) error {
			if header, ok := member(b, "result", "block_header"); ok {
				n, ok := numberOf(header, "height")
				orphan, said := member(header, "orphan_status")
				if !ok || !said || n >= maxHeight {
					return wrong("get_block_header_by_hash returns a header without a valid height")
				}
				at, found = n, string(orphan) == "false"
				return nil
			}
			if _, ok := member(b, "error"); !ok {
				return wrong("get_block_header_by_hash returns neither a header nor an error")
			}
			return nil
		})
		if err != nil || found {
			return at, found, err
		}
	}
	return 0, false, nil
}

// run is a run of consecutive compact blocks. It is shared and immutable.
type run struct {
	Start  uint64     `json:"start"` // index of the first block
	Prev   xmr.Hash   `json:"prev"`
	IDs    []xmr.Hash `json:"ids" epee:"blob"`
	Blocks [][]byte   `json:"blocks"`
}

func (r *run) size() (n int) {
	for i := range r.Blocks {
		n += len(r.Blocks[i]) + 64
	}
	return n
}

// from returns at most most blocks of r from index start.
func (r *run) from(start, most uint64) run {
	skip := start - r.Start
	out := run{Start: start, Prev: r.Prev, IDs: r.IDs[skip:], Blocks: r.Blocks[skip:]}
	if skip > 0 {
		out.Prev = r.IDs[skip-1]
	}
	if uint64(len(out.Blocks)) > most {
		out.IDs, out.Blocks = out.IDs[:most], out.Blocks[:most]
	}
	return out
}

// collect returns blocks from start, up to most, maxBytes or the top of the chain. A segment that has to be fetched
// from a daemon ends the run, so that a response waits for at most one.
func (g *Gateway) collect(ctx context.Context, end tip, start, most uint64) (run, error) {
	out := run{Start: start}
	size := 0
	for at := start; at < start+most && size < maxBytes; at = start + uint64(len(out.Blocks)) {
		part, last, err := g.part(ctx, end, at, most-(at-start))
		if err != nil && len(out.Blocks) == 0 {
			return out, err
		}
		if err != nil || len(part.Blocks) == 0 {
			break
		}
		if len(out.Blocks) == 0 {
			out.Prev = part.Prev
		} else if part.Prev != out.IDs[len(out.IDs)-1] {
			break // the chain was reorganised meanwhile
		}
		out.IDs, out.Blocks = append(out.IDs, part.IDs...), append(out.Blocks, part.Blocks...)
		size += part.size()
		if last {
			break
		}
	}
	return out, nil
}

// part returns blocks from an index: of a segment, or of the tail. last reports that a response must end with them.
func (g *Gateway) part(ctx context.Context, end tip, at, most uint64) (_ run, last bool, err error) {
	first := at / segmentBlocks * segmentBlocks
	if first < g.stays(end.height) {
		seg, fresh, err := g.segment(ctx, first)
		if err != nil {
			return run{}, fresh, err
		}
		return seg.from(at, most), fresh, nil
	}
	if at >= end.height {
		return run{}, true, nil
	}
	r, err := g.tailAt(ctx, end, at)
	switch {
	case err == nil:
		return r.from(at, most), false, nil
	case ctx.Err() != nil:
		return run{}, true, ctx.Err()
	}
	// The daemon that responds now is on another chain than the one that reported the tip.
	direct, err := g.fetch(ctx, at, min(most, maxFresh))
	return direct, true, err
}

// maxFresh is the number of blocks of the tail that are fetched at once.
const maxFresh = 100

// fetch requests full blocks and makes compact ones from them. Block IDs prove their content, except the global output
// indices. Older daemons send more than count blocks; fetch drops the excess. It returns an empty run if start is above
// the top.
func (g *Gateway) fetch(ctx context.Context, start, count uint64) (out run, err error) {
	q := daemonrpc.GetBlocksRequest{StartHeight: start, MaxBlockCount: count}
	if start == 0 { // a start height of 0 means that BlockIDs determine the start
		first, err := g.idOf(ctx, 0)
		if err != nil {
			return run{}, err
		}
		q.BlockIDs = []xmr.Hash{first}
	}
	body, err := epee.Marshal(&q)
	if err != nil {
		return run{}, err
	}
	_, err = g.ask(ctx, "/get_blocks.bin", body, func(b []byte) (err error) {
		var r daemonrpc.GetBlocksResponse
		if err := epee.Unmarshal(b, &r); err != nil {
			return err
		}
		if r.Status != daemonrpc.StatusOK && r.Status != daemonrpc.StatusBusy {
			out = run{} // start is above the top
			return nil
		}
		if r.Status == daemonrpc.StatusBusy || r.StartHeight != start || len(r.OutputIndices) != len(r.Blocks) {
			return wrong("get_blocks.bin returns the status %q and blocks from %d on",
				smallfmt.Short(r.Status), r.StartHeight)
		}
		n := min(len(r.Blocks), int(count))
		out, err = makeRun(start, r.Blocks[:n], r.OutputIndices[:n])
		return err
	})
	return out, err
}

// makeRun makes compact blocks from full ones. It returns an error unless the blocks are linked and their transactions
// match the IDs.
func makeRun(start uint64, blocks []daemonrpc.BlockEntry, indices []daemonrpc.BlockOutputIndices) (run, error) {
	out := run{Start: start}
	for i := range blocks {
		height := start + uint64(i)
		blk, err := block.Parse(blocks[i].Block)
		if err != nil {
			return run{}, wrong("block %d: %w", height, err)
		}
		id, err := blk.Hash()
		if err != nil {
			return run{}, wrong("block %d: %w", height, err)
		}
		if blk.Height() != height || i > 0 && blk.Prev != out.IDs[i-1] || len(blocks[i].Txs) != len(blk.TxHashes) ||
			len(indices[i].Indices) != 1+len(blk.TxHashes) {
			return run{}, wrong("block %d has another height or parent, or the wrong number of transactions", height)
		}
		txs := make([]*tx.Transaction, len(blk.TxHashes))
		lists := make([][]uint64, 1, 1+len(txs))
		lists[0] = indices[i].Indices[0].Indices
		for k := range txs {
			var is xmr.Hash
			if txs[k], is, err = fcmptx.Default.ParseAny(blocks[i].Txs[k].Blob); err != nil || is != blk.TxHashes[k] ||
				!blocks[i].Txs[k].Whole() {
				return run{}, wrong("transaction %s does not match its ID, or is pruned", blk.TxHashes[k])
			}
			lists = append(lists, indices[i].Indices[1+k].Indices)
		}
		for _, list := range lists {
			for _, n := range list {
				if n > maxIndexOut {
					return run{}, wrong("output index %d is too large", n)
				}
			}
		}
		made, err := compact.Append(nil, blk, id, txs, lists)
		if err != nil {
			return run{}, err
		}
		if i == 0 {
			out.Prev = blk.Prev
		}
		out.IDs, out.Blocks = append(out.IDs, id), append(out.Blocks, made)
	}
	return out, nil
}

// idOf requests the ID of the block at height.
func (g *Gateway) idOf(ctx context.Context, height uint64) (id xmr.Hash, err error) {
	call := rpcCall("on_get_block_hash", "["+strconv.FormatUint(height, 10)+"]")
	_, err = g.ask(ctx, "/json_rpc", call, func(b []byte) error {
		h, ok := hashOf(stringOf(b, "result"))
		if !ok {
			return wrong("on_get_block_hash returns no ID for block %d", height)
		}
		id = h
		return nil
	})
	return id, err
}
