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

// PoolMode selects what a BlocksRequest requests.
type PoolMode uint8

// The pool modes. A daemon whose Version has no PoolInfo ignores them; use NoPool and Client.Pool for it.
const (
	NoPool   PoolMode = iota // blocks without the pool
	WithPool                 // blocks and the pool
	OnlyPool                 // the pool without blocks
)

// BlocksRequest requests the blocks from the newest one of History that the daemon has, or from index Start.
type BlocksRequest struct {
	// History holds block IDs of the caller's chain, newest first: ten consecutive blocks, then blocks at distances 2,
	// 4, 8, …, and the genesis block last.
	History []xmr.Hash
	Start   uint64 // index to start at if above 0, regardless of History
	Max     int    // maximum number of blocks; 0 means the daemon's limit; older daemons ignore it
	// Whole requests proofs and signatures too: three times the bytes, but every transaction is Proven.
	Whole     bool
	Pool      PoolMode
	PoolSince uint64 // PoolChange.Time of the last answer; 0 for the entire pool
}

// RawBlocks is an answer whose blocks are not decoded yet. Its methods are safe for concurrent use, so several
// goroutines can decode it.
type RawBlocks struct {
	Start   uint64 // index of the first block
	Current uint64 // count of blocks the daemon claims to have; unproven
	// Top is the ID that the daemon claims block Current−1 has. It is zero for releases 0.18, and unproven unless the
	// answer contains that block.
	Top    xmr.Hash
	resp   daemonrpc.GetBlocksResponse
	req    BlocksRequest
	hashes bool // whether a pruned transaction comes with the hash of its prunable part
}

// Tx is a transaction of a block or the pool.
type Tx struct {
	ID xmr.Hash
	*tx.Transaction
	// Proven reports whether ID is the hash of these very bytes. Pruned answers of releases 0.18, and pruned
	// transactions of version 1, lack the data that this takes.
	// Outputs and key images of a transaction that is not Proven are unverified: a malicious daemon can hide payments,
	// and could forge them if a wallet accepted them without Client.Prove.
	Proven bool
	// Proofs are the serialized proofs of a transaction of the next hard fork, which Transaction never has; nil if it
	// is pruned, and for other transactions.
	Proofs serializedProofs
	// Compact reports whether the transaction is from a compact block and lacks the data that package compact omits.
	Compact bool
	// OutputIndices holds the index of each output among all outputs of its amount, which is 0 for RingCT. It is empty
	// for pool transactions. The values are unproven: with forged ones, a wallet would build rings without the output
	// it spends, which the transaction builder detects.
	OutputIndices []uint64
}

// Block is a block with its transactions. Hash is computed from the bytes of the block, and covers Prev, Timestamp, the
// coinbase and the IDs of Txs. The proof of work is not checked.
type Block struct {
	Height    uint64 // index, as in the coinbase
	Hash      xmr.Hash
	Prev      xmr.Hash
	Timestamp uint64      // seconds since 1970
	Major     uint8       // version of the hard fork
	Tree      *block.Tree // that the header commits to, from the next hard fork on; nil in compact blocks
	MinerTx   Tx
	Txs       []Tx // in the order of the block
}

// Blocks is a decoded answer.
type Blocks struct {
	Start   uint64     // index of Blocks[0]
	Current uint64     // count of blocks the daemon claims to have; unproven
	Blocks  []Block    // linked by Prev; starts at a block of the request's history, or at its Start
	Pool    PoolChange // zero unless requested
}

// Blocks requests blocks and decodes them. Use RawBlocks to decode them with several goroutines. It returns ErrHistory
// as RawBlocks does, and ErrInvalidResponse.
func (c *Client) Blocks(ctx context.Context, req BlocksRequest) (Blocks, error) {
	raw, err := c.RawBlocks(ctx, req)
	if err != nil {
		return Blocks{}, err
	}
	return raw.Decode()
}

// RawBlocks requests blocks without decoding them. It returns ErrHistory if History is empty and Start is 0, unless
// Pool is OnlyPool.
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
		return nil, invalid("output indices of %d blocks for %d", len(r.OutputIndices), len(r.Blocks))
	}
	if err := req.placed(uint64(len(r.Blocks)), r.StartHeight, r.CurrentHeight); err != nil {
		return nil, err
	}
	return &RawBlocks{
		Start: r.StartHeight, Current: r.CurrentHeight, Top: r.TopBlockHash, resp: r, req: req,
		hashes: slices.ContainsFunc(r.Blocks, hashed),
	}, nil
}

// hashed reports whether a transaction of the block comes with the hash of its prunable part.
func hashed(b daemonrpc.BlockEntry) bool {
	return slices.ContainsFunc(b.Txs, func(t daemonrpc.TxBlob) bool { return !t.PrunableHash.IsZero() })
}

// placed checks the position of the n blocks of an answer, which start at index start of a chain of current blocks.
func (q BlocksRequest) placed(n, start, current uint64) error {
	switch {
	case current > maxHeight || start > maxHeight:
		return invalid("a chain of %d blocks from %d", current, start)
	case n > 0 && start+n > current:
		return invalid("blocks to %d of a chain of %d", start+n, current)
	case n > 0 && q.Start > 0 && start != q.Start:
		return invalid("blocks from %d instead of %d", start, q.Start)
	}
	return nil
}

// Len returns the number of blocks. It is 0 if the newest block of the history is the daemon's top.
func (r *RawBlocks) Len() int { return len(r.resp.Blocks) }

// Decode decodes and checks all blocks and the pool. It returns ErrInvalidResponse.
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

// CheckLinks checks that blocks, all of r in order, form a chain. If the request has a history and no Start, the chain
// must start at a block of the history. If the chain ends in blocks, the last must be Top.
func (r *RawBlocks) CheckLinks(blocks []Block) error {
	for i := 1; i < len(blocks); i++ {
		if blocks[i].Prev != blocks[i-1].Hash {
			return invalid("block %d does not follow the one before", blocks[i].Height)
		}
	}
	if len(blocks) > 0 && r.req.Start == 0 && len(r.req.History) > 0 &&
		!slices.Contains(r.req.History, blocks[0].Hash) {
		return invalid("block %d is not in the history", blocks[0].Height)
	}
	if n := len(blocks); n > 0 && blocks[n-1].Height+1 == r.Current && !r.Top.IsZero() && blocks[n-1].Hash != r.Top {
		return invalid("block %d is not the top %s", blocks[n-1].Height, r.Top)
	}
	return nil
}

// Raw returns block i of the answer and its output indices as received. Only DecodeBlock checks them.
func (r *RawBlocks) Raw(i int) (daemonrpc.BlockEntry, daemonrpc.BlockOutputIndices) {
	return r.resp.Blocks[i], r.resp.OutputIndices[i]
}

// DecodeBlock decodes block i of the answer and checks its height, its transactions against the list of their IDs, and
// the number of output indices. It allocates from a, which only one goroutine may use at a time. If a is nil, it
// allocates separately.
func (r *RawBlocks) DecodeBlock(a *tx.Arena, i int) (Block, error) {
	height := r.Start + uint64(i)
	out, err := decodeBlock(a, height, &r.resp.Blocks[i])
	if err != nil {
		return Block{}, err
	}
	for k := range out.Txs {
		// A daemon that has the hash of one transaction has those of all, except in version 1. An omitted one hides a
		// change. Source: src/blockchain_db/lmdb/db_lmdb.cpp, get_blocks_from, master of August 2026.
		if t := &out.Txs[k]; r.hashes && !t.Proven && t.Version != 1 {
			return Block{}, invalid("no prunable hash for transaction %s, although others have theirs", t.ID)
		}
	}
	indices := r.resp.OutputIndices[i].Indices
	if len(indices) != 1+len(out.Txs) {
		return Block{}, invalid(
			"output indices of %d transactions for the %d of block %d", len(indices), 1+len(out.Txs), height,
		)
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

// decodeBlock decodes the block at index height. It checks the height, and the transactions against the list of their
// IDs.
func decodeBlock(a *tx.Arena, height uint64, entry *daemonrpc.BlockEntry) (Block, error) {
	parse := block.ParseWithIDs
	if len(entry.Block) > 0 && entry.Block[0] >= block.TreeVersion {
		parse = parseNewBlock
	}
	blk, id, coinbase, err := parse(a, entry.Block)
	if err != nil {
		return Block{}, invalid("block %d: %w", height, err)
	}
	out := Block{Height: blk.Height(), Hash: id, Prev: blk.Prev, Timestamp: blk.Timestamp, Major: blk.Major,
		Tree: blk.Tree}
	if out.Height != height {
		return Block{}, invalid("block %d claims height %d", height, out.Height)
	}
	if len(entry.Txs) != len(blk.TxHashes) {
		return Block{}, invalid("%d transactions for the %d of block %d", len(entry.Txs), len(blk.TxHashes), height)
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
			return Block{}, invalid("transaction %d of block %d is a coinbase", k, height)
		}
		if out.Txs[k].Carrot != nil && blk.Major < block.TreeVersion {
			return Block{}, invalid("transaction %d of block %d is of a later version", k, height)
		}
	}
	return out, nil
}

// BlocksAt requests complete blocks by index, without output indices. blocks and raw are in the order of heights; raw
// holds the blocks as received.
func (c *Client) BlocksAt(
	ctx context.Context, heights []uint64,
) (blocks []Block, raw []daemonrpc.BlockEntry, err error) {
	r, err := call(ctx, c, daemonrpc.GetBlocksByHeight, daemonrpc.GetBlocksByHeightRequest{Heights: heights})
	if err != nil {
		return nil, nil, err
	}
	if len(r.Blocks) != len(heights) {
		return nil, nil, invalid("%d blocks for %d", len(r.Blocks), len(heights))
	}
	blocks = make([]Block, len(heights))
	arena := new(tx.Arena)
	for i, height := range heights {
		for k := range r.Blocks[i].Txs {
			if !r.Blocks[i].Txs[k].Whole() {
				return nil, nil, invalid("block %d is pruned", height)
			}
		}
		if blocks[i], err = decodeBlock(arena, height, &r.Blocks[i]); err != nil {
			return nil, nil, err
		}
	}
	return blocks, r.Blocks, nil
}

// decodeTx parses a transaction and checks, as far as its bytes allow, that its ID is id. It allocates pruned
// transactions from a.
func decodeTx(a *tx.Arena, id xmr.Hash, blob []byte, whole bool, prunable xmr.Hash) (Tx, error) {
	out := Tx{ID: id, Proven: true}
	var is xmr.Hash
	var err error
	switch {
	case whole:
		out.Transaction, is, err = tx.ParseWithHash(blob)
	case prunable.IsZero(): // as in get_blocks.bin of the reference up to 0.18.5.1, and for version 1
		if out.Transaction, err = a.ParsePruned(blob); err == nil {
			is, out.Proven = id, false
		}
	default:
		out.Transaction, is, err = a.ParsePrunedWithHash(blob, prunable)
		if errors.Is(err, tx.ErrPruned) {
			is, out.Proven, err = id, false, nil
		}
	}
	if errors.Is(err, tx.ErrOutput) { // perhaps one of the next hard fork
		out, is, err = decodeNewTx(id, blob, whole, prunable)
	}
	if err != nil {
		return Tx{}, invalid("transaction %s: %w", id, err)
	}
	if is != id {
		return Tx{}, invalid("transaction %s for %s", is, id)
	}
	out.Extra = a.Bytes(out.Extra) // an alias would keep the complete answer in memory
	return out, nil
}

func (t *Tx) setIndices(indices []uint64) error {
	if len(indices) != len(t.Outputs) {
		return invalid("%d output indices for the %d outputs of %s", len(indices), len(t.Outputs), t.ID)
	}
	for _, i := range indices {
		if i > maxIndex {
			return invalid("output index %d", i)
		}
	}
	t.OutputIndices = indices
	return nil
}

// HashChain is a sequence of block IDs of the main chain. Only the first is checked, against the history; fetching the
// blocks verifies the others.
type HashChain struct {
	Start   uint64 // index of IDs[0]
	Current uint64 // count of blocks the daemon claims to have; unproven
	IDs     []xmr.Hash
}

// Hashes requests the block IDs from the newest one of history that the daemon has. history has the form of
// BlocksRequest.History. It returns ErrHistory if history is empty.
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
		return HashChain{}, invalid("%d block hashes", n)
	case r.CurrentHeight > maxHeight || r.StartHeight > maxHeight || r.StartHeight+n > r.CurrentHeight:
		return HashChain{}, invalid(
			"block hashes from %d to %d of a chain of %d", r.StartHeight, r.StartHeight+n, r.CurrentHeight,
		)
	case !slices.Contains(history, r.BlockIDs[0]):
		return HashChain{}, invalid("block %s is not in the history", r.BlockIDs[0])
	}
	return HashChain{r.StartHeight, r.CurrentHeight, r.BlockIDs}, nil
}
