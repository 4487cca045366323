package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"glim/core/codec/epee"
	"glim/core/crypto/keccak"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/flight"
	"glim/core/xmr"
)

// Limits of requests and responses. Source: src/cryptonote_config.h, COMMAND_RPC_GET_BLOCKS_FAST_MAX_BLOCK_COUNT and
// others.
const (
	maxBlocks      = 1000
	maxBlockTxs    = 20000
	maxBlocksBytes = 100 << 20
	minBlocks      = 3 // sent whatever their size
	maxHistory     = 10000
	maxHashes      = 10000
	minHashes      = 1000 // with fewer cached hashes, the request is sent to the upstream
	askBlocks      = 100  // in one request by height
)

// held is a cached block. It is shared and, except for compact, immutable.
type held struct {
	height   uint64
	id, prev xmr.Hash
	time     uint64 // POSIX seconds
	major    uint8
	blob     []byte
	coinbase xmr.Hash
	txs      []heldTx
	indices  [][]uint64             // global output indices: of the coinbase, then of each of txs
	compact  atomic.Pointer[[]byte] // the compact form, made at the first request
}

// heldTx is a transaction whose bytes are proven to match its ID.
type heldTx struct {
	id       xmr.Hash
	blob     []byte
	pruned   int      // length of the part that is not prunable, in bytes
	whole    bool     // blob includes the prunable part
	prunable xmr.Hash // hash of the prunable part; zero for version 1
}

func (b *held) size() int {
	n := 2 * len(b.blob)
	for i := range b.txs {
		n += len(b.txs[i].blob) + 128 + b.txs[i].pruned // the compact form is at most as long as the pruned part
	}
	for _, list := range b.indices {
		n += 24 + 8*len(list)
	}
	return n
}

func (b *held) whole() bool {
	for i := range b.txs {
		if !b.txs[i].whole {
			return false
		}
	}
	return true
}

// hold returns the cache entry of a checked transaction. prunable is the hash of the prunable part that blob lacks.
func hold(t *daemon.Tx, blob []byte, prunable xmr.Hash) heldTx {
	out := heldTx{
		id: t.ID, blob: bytes.Clone(blob), pruned: len(t.AppendPruned(nil)), whole: !t.IsPruned(), prunable: prunable,
	}
	if t.Carrot != nil && !t.IsCoinbase() {
		out.whole = t.Proofs != nil
	}
	if out.whole && t.Version > 1 {
		out.prunable = keccak.Sum256(blob[out.pruned:]) // of no bytes for a coinbase, although its ID uses zero
	}
	return out
}

// holdBlock returns the cache entry of a checked block. entry is the block as received; prunable maps transaction IDs
// to the hashes of omitted prunable parts that entry lacks.
func holdBlock(b *daemon.Block, entry *daemonrpc.BlockEntry, prunable map[xmr.Hash]xmr.Hash) *held {
	out := &held{
		height: b.Height, id: b.Hash, prev: b.Prev, time: b.Timestamp, major: b.Major,
		blob: bytes.Clone(entry.Block), coinbase: b.MinerTx.ID,
		txs: make([]heldTx, len(b.Txs)), indices: [][]uint64{b.MinerTx.OutputIndices},
	}
	for i := range b.Txs {
		hash := entry.Txs[i].PrunableHash
		if hash.IsZero() {
			hash = prunable[b.Txs[i].ID]
		}
		out.txs[i] = hold(&b.Txs[i], entry.Txs[i].Blob, hash)
		out.indices = append(out.indices, b.Txs[i].OutputIndices)
	}
	return out
}

// batch is a response with blocks.
type batch struct {
	start, current uint64
	top            xmr.Hash // of block current−1, as the upstream reports it; zero if unknown
	blocks         []*held
	pool           daemon.PoolChange
	poolWhole      bool
}

// fetch requests blocks from an upstream. It requests full transactions, because only those can be compared with the
// IDs in the block. From a pruned daemon it requests pruned transactions, and then the hashes that prove them.
func fetch(ctx context.Context, c *daemon.Client, q daemon.BlocksRequest) (batch, error) {
	q.Whole = true
	raw, err := c.RawBlocks(ctx, q)
	var refused *daemon.Refused
	if errors.As(err, &refused) && q.Pool != daemon.OnlyPool {
		q.Whole = false
		raw, err = c.RawBlocks(ctx, q)
	}
	if err != nil {
		return batch{}, err
	}
	all, err := raw.Decode()
	if err != nil {
		return batch{}, err
	}
	var unproven []*daemon.Tx
	for i := range all.Blocks {
		for k := range all.Blocks[i].Txs {
			if t := &all.Blocks[i].Txs[k]; !t.Proven {
				unproven = append(unproven, t)
			}
		}
	}
	prunable, err := prove(ctx, c, unproven)
	if err != nil {
		return batch{}, err
	}
	out := batch{start: all.Start, current: all.Current, top: raw.Top, pool: all.Pool, poolWhole: q.Whole}
	for i := range all.Blocks {
		entry, _ := raw.Raw(i)
		out.blocks = append(out.blocks, holdBlock(&all.Blocks[i], &entry, prunable))
	}
	return out, nil
}

// prove requests the data that prove pruned transactions to match their IDs, and returns the hashes of their prunable
// parts by ID. It returns *daemon.Refused if one cannot be proven.
func prove(ctx context.Context, c *daemon.Client, txs []*daemon.Tx) (map[xmr.Hash]xmr.Hash, error) {
	byID := map[xmr.Hash]*daemon.Tx{}
	ids := make([]xmr.Hash, len(txs))
	for i, t := range txs {
		ids[i], byID[t.ID] = t.ID, t
	}
	found, missing, err := c.Transactions(ctx, ids, daemon.Pruned)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, invalid("transaction %s, shown before, is missing", missing[0])
	}
	hashes := map[xmr.Hash]xmr.Hash{}
	for i := range found {
		p := &found[i]
		if !p.Proven {
			// a pruned transaction of version 1 cannot be proven
			return nil, &daemon.Refused{Operation: daemonrpc.GetBlocks.Name, Status: daemonrpc.StatusFailed}
		}
		if !bytes.Equal(byID[p.ID].AppendPruned(nil), p.AppendPruned(nil)) {
			return nil, invalid("transaction %s differs from the one shown before", p.ID)
		}
		hashes[p.ID] = p.Prunable
	}
	return hashes, nil
}

// getBlocks returns cached blocks, followed by blocks of the upstream.
// Source: src/rpc/core_rpc_server.cpp, on_get_blocks.
func (s service) getBlocks(
	ctx context.Context, req daemonrpc.GetBlocksRequest,
) (r daemonrpc.GetBlocksResponse, err error) {
	switch {
	case req.RequestedInfo > daemonrpc.PoolOnly:
		return r, refuse("Failed, wrong requested info")
	case len(req.BlockIDs) == 0 && req.StartHeight == 0 && req.RequestedInfo != daemonrpc.PoolOnly,
		len(req.BlockIDs) > maxHistory, req.StartHeight > maxHeight:
		return r, refuse(daemonrpc.StatusFailed)
	}
	exclusive, most := req.BlockIDsExclusive && req.StartHeight == 0, req.MaxBlockCount
	if exclusive && most > 0 {
		most++ // the common block is left out
	}
	b, err := s.blocks(ctx, daemon.BlocksRequest{
		History: req.BlockIDs, Start: req.StartHeight, Max: int(min(most, maxBlocks)), Whole: !req.Prune,
		Pool: daemon.PoolMode(req.RequestedInfo), PoolSince: req.PoolInfoSince,
	})
	if err != nil {
		return r, err
	}
	if exclusive && len(b.blocks) > 0 {
		b.start, b.blocks = b.start+1, b.blocks[1:]
	}
	r = daemonrpc.GetBlocksResponse{
		Metered: metered, StartHeight: b.start, CurrentHeight: b.current, TopBlockHash: b.top,
	}
	for _, h := range b.blocks {
		entry, err := h.entry(req.Prune)
		if err != nil {
			return daemonrpc.GetBlocksResponse{}, err
		}
		r.Blocks = append(r.Blocks, entry)
		var indices daemonrpc.BlockOutputIndices
		for i, list := range h.indices {
			if i == 0 && req.NoMinerTx {
				list = nil
			}
			indices.Indices = append(indices.Indices, daemonrpc.TxOutputIndices{Indices: list})
		}
		r.OutputIndices = append(r.OutputIndices, indices)
	}
	s.tellPool(&b, req.Prune, &r)
	return r, nil
}

// blocks serves q, once for simultaneous identical requests. If q.Max is 0, it returns up to maxBlocks blocks.
func (f *Front) blocks(ctx context.Context, q daemon.BlocksRequest) (batch, error) {
	if q.Max == 0 {
		q.Max = maxBlocks
	}
	name, err := epee.Marshal(&daemonrpc.GetBlocksRequest{
		RequestedInfo: uint8(q.Pool), BlockIDs: q.History, StartHeight: q.Start, MaxBlockCount: uint64(q.Max),
		PoolInfoSince: q.PoolSince, Prune: !q.Whole,
	})
	if err != nil {
		return batch{}, err
	}
	return flight.Get(
		ctx, &f.group, "get_blocks "+string(name),
		func(ctx context.Context) (batch, error) { return f.collect(ctx, q) },
	)
}

// entry returns the block in the form of a response, with pruned or full transactions.
func (b *held) entry(prune bool) (daemonrpc.BlockEntry, error) {
	e := daemonrpc.BlockEntry{Pruned: prune, Block: b.blob}
	for i := range b.txs {
		t := &b.txs[i]
		switch {
		case prune:
			e.Txs = append(e.Txs, daemonrpc.TxBlob{Blob: t.blob[:t.pruned], PrunableHash: t.prunable})
		case !t.whole:
			return e, refuse(fmt.Sprintf("Error retrieving block at height %d", b.height))
		default:
			e.Txs = append(e.Txs, daemonrpc.WholeTx(t.blob))
		}
	}
	return e, nil
}

// tellPool adds the upstream's pool to a response. Restricted callers receive a limited number of transactions and the
// IDs of the others.
func (s service) tellPool(b *batch, prune bool, r *daemonrpc.GetBlocksResponse) {
	p := b.pool
	if !p.Known {
		return
	}
	r.DaemonTime, r.PoolInfoExtent = p.Time, daemonrpc.PoolInfoIncremental
	if p.Full {
		r.PoolInfoExtent = daemonrpc.PoolInfoFull
	}
	r.RemainingAddedPoolTxIDs = append(r.RemainingAddedPoolTxIDs, p.More...)
	r.RemovedPoolTxIDs = p.Removed
	for i := range p.Added {
		t := &p.Added[i]
		if s.limited && len(r.AddedPoolTxs) >= restrictedTxs || !prune && !b.poolWhole {
			r.RemainingAddedPoolTxIDs = append(r.RemainingAddedPoolTxIDs, t.ID)
			continue
		}
		blob := t.AppendPruned(nil)
		if !prune {
			blob = t.Append(nil)
		}
		r.AddedPoolTxs = append(
			r.AddedPoolTxs, daemonrpc.PoolTxInfo{TxHash: t.ID, TxBlob: blob, DoubleSpendSeen: t.DoubleSpendSeen},
		)
	}
}

// collect returns as many blocks for q as one response may contain.
func (f *Front) collect(ctx context.Context, q daemon.BlocksRequest) (batch, error) {
	m, err := f.memory(ctx) // checks that the cache still matches the chain
	if err != nil {
		return batch{}, err
	}
	whole := q.Whole
	if q.Pool != daemon.OnlyPool {
		start, known := q.Start, q.Start > 0
		if !known {
			start, known = f.store.heightOf(q.History[0])
		}
		if known {
			list, full := f.store.run(start, q.Max, maxBlocksBytes, maxBlockTxs, whole)
			if full { // far below the top, where clients do not need the pool yet
				return batch{start: start, current: m.tip.height, top: m.tip.id, blocks: list}, nil
			}
			if len(list) > 0 {
				rest := daemon.BlocksRequest{
					Start: start + uint64(len(list)), Max: q.Max - len(list), Pool: q.Pool, PoolSince: q.PoolSince,
				}
				more, err := f.upstreamBlocks(ctx, m, rest)
				if err == nil && len(more.blocks) > 0 && more.blocks[0].prev == list[len(list)-1].id {
					more.start, more.blocks = start, append(list[:len(list):len(list)], more.blocks...)
					return more.limit(q.Max), nil
				}
				if err != nil && !errors.Is(err, daemon.ErrRefused) {
					return batch{}, err
				}
				f.store.clear() // the chain is shorter or has other blocks: it was reorganised
			}
		}
	}
	b, err := f.upstreamBlocks(ctx, m, q)
	return b.limit(q.Max), err
}

func (f *Front) upstreamBlocks(ctx context.Context, m memory, q daemon.BlocksRequest) (batch, error) {
	b, err := ask(ctx, f, func(ctx context.Context, c *daemon.Client) (batch, error) { return fetch(ctx, c, q) })
	if err != nil {
		return b, err
	}
	for _, h := range b.blocks {
		if !m.add(h) {
			f.forget("a block does not link with it")
			break
		}
	}
	return b, nil
}

// limit truncates the batch to what a daemon sends in one response.
func (b batch) limit(blocks int) batch {
	size, txs := 0, 0
	for i, h := range b.blocks {
		if i >= blocks || i >= minBlocks && (size >= maxBlocksBytes || txs+len(h.txs) > maxBlockTxs) {
			b.blocks, b.pool = b.blocks[:i:i], daemon.PoolChange{}
			break
		}
		size += h.size()
		txs += len(h.txs)
	}
	return b
}
