package daemon

import (
	"context"
	"errors"
	"slices"

	"glim/core/block"
	"glim/core/daemonrpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// PoolWish says what a BlocksRequest asks besides blocks.
type PoolWish uint8

// The wishes. A daemon whose Version has no PoolInfo ignores them: NoPool then, and Client.Pool.
const (
	NoPool PoolWish = iota
	WithPool
	OnlyPool
)

// BlocksRequest asks for the blocks after the newest one both sides know.
type BlocksRequest struct {
	// History is the caller's chain, newest first: ten in a row, then at distances 2, 4, 8 …, genesis last.
	History []xmr.Hash
	Start   uint64 // index to start at when above 0, whatever History says
	Max     int    // blocks; 0 for the daemon's limit. Older daemons ignore it.
	// Whole asks for proofs and signatures, too: three times the bytes, but every transaction is Proven.
	Whole     bool
	Pool      PoolWish
	PoolSince uint64 // PoolChange.Time of the last answer; 0 for all of the pool
}

// RawBlocks is an answer that has the right shape but is not decoded yet. Its methods are safe for concurrent use, so
// several goroutines can decode it.
type RawBlocks struct {
	Start   uint64 // index of the first block
	Current uint64 // count of blocks the daemon claims to have; unproven
	resp    daemonrpc.GetBlocksResponse
	req     BlocksRequest
}

// Tx is a transaction of a block or the pool.
type Tx struct {
	ID xmr.Hash
	*tx.Transaction
	// Proven says that ID is the hash of these very bytes. Daemons that prune leave out what that takes, so outputs
	// and key images of a transaction that is not Proven are only claimed: a lying daemon can hide payments that way,
	// and could invent them if a wallet took them without Client.Prove.
	Proven bool
	// Compact says that it comes from a compact block, and lacks what package compact leaves out.
	Compact bool
	// OutputIndices are where the outputs stand among all of their amount, 0 for RingCT; none for the pool. Only
	// their number is checked: with false ones a wallet would build rings that do not hold the output it spends, which
	// building notices.
	OutputIndices []uint64
}

// Block is a block with its transactions. Hash is computed from the bytes, and covers Prev, Timestamp, the coinbase
// and the IDs of Txs. Whether work was done for it is not checked.
type Block struct {
	Height    uint64 // index, as the coinbase says
	Hash      xmr.Hash
	Prev      xmr.Hash
	Timestamp uint64 // seconds since 1970
	Major     uint8  // hard fork
	MinerTx   Tx
	Txs       []Tx // in the block's order
}

// Blocks is a decoded answer.
type Blocks struct {
	Start   uint64     // index of Blocks[0]
	Current uint64     // count of blocks the daemon claims to have; unproven
	Blocks  []Block    // linked by Prev; Blocks[0].Hash is in the history asked with, or its index is Start
	Pool    PoolChange // zero unless asked for
}

// Blocks asks for blocks and decodes them; see RawBlocks for how to spread the work.
func (c *Client) Blocks(ctx context.Context, req BlocksRequest) (Blocks, error) {
	raw, err := c.RawBlocks(ctx, req)
	if err != nil {
		return Blocks{}, err
	}
	return raw.Decode()
}

// RawBlocks asks for blocks and leaves them undecoded.
func (c *Client) RawBlocks(ctx context.Context, req BlocksRequest) (*RawBlocks, error) {
	if len(req.History) == 0 && req.Start == 0 && req.Pool != OnlyPool {
		return nil, ErrHistory
	}
	q := daemonrpc.GetBlocksRequest{
		RequestedInfo: uint8(req.Pool), BlockIDs: req.History, StartHeight: req.Start, Prune: !req.Whole,
		PoolInfoSince: req.PoolSince, MaxBlockCount: uint64(max(req.Max, 0)),
	}
	r, err := call(ctx, c, daemonrpc.GetBlocks, q)
	if err != nil {
		return nil, err
	}
	if len(r.OutputIndices) != len(r.Blocks) {
		return nil, lie("output indices of %d blocks for %d", len(r.OutputIndices), len(r.Blocks))
	}
	if err := req.placed(uint64(len(r.Blocks)), r.StartHeight, r.CurrentHeight); err != nil {
		return nil, err
	}
	return &RawBlocks{Start: r.StartHeight, Current: r.CurrentHeight, resp: r, req: req}, nil
}

// placed checks where an answer says its n blocks are, on a chain of current blocks.
func (q BlocksRequest) placed(n, start, current uint64) error {
	switch {
	case current > maxHeight || start > maxHeight:
		return lie("a chain of %d blocks from %d", current, start)
	case n > 0 && start+n > current:
		return lie("blocks to %d of a chain of %d", start+n, current)
	case n > 0 && q.Start > 0 && start != q.Start:
		return lie("blocks from %d instead of %d", start, q.Start)
	}
	return nil
}

// Len returns the number of blocks; 0 when the daemon's top is the newest of the history.
func (r *RawBlocks) Len() int { return len(r.resp.Blocks) }

// Decode decodes and checks everything.
func (r *RawBlocks) Decode() (Blocks, error) {
	out := Blocks{Start: r.Start, Current: r.Current, Blocks: make([]Block, r.Len())}
	arena := new(tx.Arena)
	for i := range out.Blocks {
		var err error
		if out.Blocks[i], err = r.DecodeBlock(arena, i); err != nil {
			return Blocks{}, err
		}
	}
	if err := r.CheckLinks(out.Blocks); err != nil {
		return Blocks{}, err
	}
	var err error
	if out.Pool, err = r.DecodePool(); err != nil {
		return Blocks{}, err
	}
	return out, nil
}

// CheckLinks checks that blocks, all of r in order, are a chain that starts where it was asked to.
func (r *RawBlocks) CheckLinks(blocks []Block) error {
	for i := 1; i < len(blocks); i++ {
		if blocks[i].Prev != blocks[i-1].Hash {
			return lie("block %d does not follow the one before", blocks[i].Height)
		}
	}
	if len(blocks) > 0 && r.req.Start == 0 && len(r.req.History) > 0 && !slices.Contains(r.req.History, blocks[0].Hash) {
		return lie("block %d is none of the history", blocks[0].Height)
	}
	return nil
}

// Raw returns block i of the answer as it came. DecodeBlock says whether it is what it should be.
func (r *RawBlocks) Raw(i int) (daemonrpc.BlockEntry, daemonrpc.BlockOutputIndices) {
	return r.resp.Blocks[i], r.resp.OutputIndices[i]
}

// DecodeBlock decodes and checks block i of the answer: its height, its transactions against its list, the number of
// output indices. Its memory is a's, which several goroutines must not use at a time; nil for memory of its own.
func (r *RawBlocks) DecodeBlock(a *tx.Arena, i int) (Block, error) {
	height := r.Start + uint64(i)
	out, err := decodeBlock(a, height, &r.resp.Blocks[i])
	if err != nil {
		return Block{}, err
	}
	indices := r.resp.OutputIndices[i].Indices
	if len(indices) != 1+len(out.Txs) {
		return Block{}, lie("output indices of %d transactions for the %d of block %d", len(indices), 1+len(out.Txs), height)
	}
	if err := out.MinerTx.setIndices(indices[0].Indices); err != nil {
		return Block{}, err
	}
	for k := range out.Txs {
		if err := out.Txs[k].setIndices(indices[k+1].Indices); err != nil {
			return Block{}, err
		}
	}
	return out, nil
}

// decodeBlock decodes the block at an index and checks its height, and its transactions against its list.
func decodeBlock(a *tx.Arena, height uint64, entry *daemonrpc.BlockEntry) (Block, error) {
	blk, id, coinbase, err := block.ParseWithIDs(a, entry.Block)
	if err != nil {
		return Block{}, lie("block %d: %w", height, err)
	}
	out := Block{Height: blk.Height(), Hash: id, Prev: blk.Prev, Timestamp: blk.Timestamp, Major: blk.Major}
	if out.Height != height {
		return Block{}, lie("block %d says it is %d", height, out.Height)
	}
	if len(entry.Txs) != len(blk.TxHashes) {
		return Block{}, lie("%d transactions for the %d of block %d", len(entry.Txs), len(blk.TxHashes), height)
	}
	miner := &blk.MinerTx
	miner.Extra = a.Bytes(miner.Extra)
	out.MinerTx = Tx{ID: coinbase, Transaction: miner, Proven: true}
	out.Txs = make([]Tx, len(entry.Txs))
	for k := range entry.Txs {
		e := &entry.Txs[k]
		if out.Txs[k], err = decodeTx(a, blk.TxHashes[k], e.Blob, e.Whole(), e.PrunableHash); err != nil {
			return Block{}, err
		}
		if out.Txs[k].IsCoinbase() {
			return Block{}, lie("transaction %d of block %d is a coinbase", k, height)
		}
	}
	return out, nil
}

// BlocksAt asks for whole blocks by index, in the order of heights, without output indices. raw are the blocks as they came, one for
// each of blocks.
func (c *Client) BlocksAt(ctx context.Context, heights []uint64) (blocks []Block, raw []daemonrpc.BlockEntry, err error) {
	r, err := call(ctx, c, daemonrpc.GetBlocksByHeight, daemonrpc.GetBlocksByHeightRequest{Heights: heights})
	if err != nil {
		return nil, nil, err
	}
	if len(r.Blocks) != len(heights) {
		return nil, nil, lie("%d blocks for %d", len(r.Blocks), len(heights))
	}
	blocks = make([]Block, len(heights))
	arena := new(tx.Arena)
	for i, height := range heights {
		for k := range r.Blocks[i].Txs {
			if !r.Blocks[i].Txs[k].Whole() {
				return nil, nil, lie("block %d is pruned", height)
			}
		}
		if blocks[i], err = decodeBlock(arena, height, &r.Blocks[i]); err != nil {
			return nil, nil, err
		}
	}
	return blocks, r.Blocks, nil
}

// decodeTx parses a transaction, in a's memory unless it is whole, and checks as far as the bytes allow that it is id.
func decodeTx(a *tx.Arena, id xmr.Hash, blob []byte, whole bool, prunable xmr.Hash) (Tx, error) {
	out := Tx{ID: id, Proven: true}
	var is xmr.Hash
	var err error
	switch {
	case whole:
		out.Transaction, is, err = tx.ParseWithHash(blob)
	case prunable.IsZero(): // get_blocks.bin of the reference never fills it
		if out.Transaction, err = a.ParsePruned(blob); err == nil {
			is, out.Proven = id, false
		}
	default:
		out.Transaction, is, err = a.ParsePrunedWithHash(blob, prunable)
		if errors.Is(err, tx.ErrPruned) {
			is, out.Proven, err = id, false, nil
		}
	}
	if err != nil {
		return Tx{}, lie("transaction %s: %w", id, err)
	}
	if is != id {
		return Tx{}, lie("transaction %s for %s", is, id)
	}
	out.Extra = a.Bytes(out.Extra) // else it would keep the whole answer
	return out, nil
}

func (t *Tx) setIndices(indices []uint64) error {
	if len(indices) != len(t.Outputs) {
		return lie("%d output indices for the %d outputs of %s", len(indices), len(t.Outputs), t.ID)
	}
	for _, i := range indices {
		if i > maxIndex {
			return lie("output index %d", i)
		}
	}
	t.OutputIndices = indices
	return nil
}

// HashChain is a run of block IDs of the main chain. Only its first is checked, against the history; whether the
// others are blocks shows when they are fetched.
type HashChain struct {
	Start   uint64 // index of IDs[0]
	Current uint64 // count of blocks the daemon claims to have; unproven
	IDs     []xmr.Hash
}

// Hashes asks for the block IDs from the newest one of history on, which is BlocksRequest.History.
func (c *Client) Hashes(ctx context.Context, history []xmr.Hash) (HashChain, error) {
	if len(history) == 0 {
		return HashChain{}, ErrHistory
	}
	r, err := call(ctx, c, daemonrpc.GetHashes, daemonrpc.GetHashesRequest{BlockIDs: history})
	if err != nil {
		return HashChain{}, err
	}
	n := uint64(len(r.BlockIDs))
	switch {
	case n == 0:
		return HashChain{}, lie("%d block hashes", n)
	case r.CurrentHeight > maxHeight || r.StartHeight > maxHeight || r.StartHeight+n > r.CurrentHeight:
		return HashChain{}, lie("block hashes from %d to %d of a chain of %d", r.StartHeight, r.StartHeight+n, r.CurrentHeight)
	case !slices.Contains(history, r.BlockIDs[0]):
		return HashChain{}, lie("block %s is none of the history", r.BlockIDs[0])
	}
	return HashChain{r.StartHeight, r.CurrentHeight, r.BlockIDs}, nil
}
