package node

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"runtime"

	"glim/core/address"
	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// maxReserve limits the reserved bytes of a coinbase. Source: src/rpc/core_rpc_server.cpp, on_getblocktemplate.
const maxReserve = 255

// maker is a chain, or a batch of changes to a chain.
type maker interface {
	NewTemplate(to address.Address, nonce []byte, prev *xmr.Hash) (*chain.Template, error)
	AddBlock(blob []byte, txs ...[]byte) (chain.Added, error)
}

// template makes a block template for a request.
func (s service) template(c maker, to, prev string, nonce []byte) (*chain.Template, error) {
	a, err := address.ParseFor(s.config.Chain.Network, to)
	if err != nil {
		return nil, fail(daemonrpc.CodeWrongWalletAddress, "Failed to parse wallet address")
	}
	if a.Kind == address.Subaddress {
		return nil, fail(daemonrpc.CodeMiningToSubaddress, "Mining to subaddress is not supported yet")
	}
	var parent *xmr.Hash
	if prev != "" {
		id, err := parseHash(prev)
		if err != nil {
			return nil, fail(daemonrpc.CodeInternal, "Invalid prev_block")
		}
		parent = &id
	}
	t, err := c.NewTemplate(a, nonce, parent)
	if err != nil {
		return nil, fail(daemonrpc.CodeInternal, "Internal error: failed to create block template")
	}
	return t, nil
}

// getBlockTemplate returns a block template.
// Source: src/rpc/core_rpc_server.cpp, on_getblocktemplate.
func (s service) getBlockTemplate(
	_ context.Context, req daemonrpc.GetBlockTemplateRequest,
) (r daemonrpc.GetBlockTemplateResponse, err error) {
	switch {
	case req.ReserveSize > maxReserve:
		return r, fail(daemonrpc.CodeTooBigReserveSize, "Too big reserved size, maximum 255")
	case req.ReserveSize > 0 && req.ExtraNonce != "":
		return r, fail(daemonrpc.CodeWrongParam, "Cannot specify both a reserve_size and an extra_nonce")
	case len(req.ExtraNonce) > 2*maxReserve:
		return r, fail(daemonrpc.CodeTooBigReserveSize, "Too big extra_nonce size, maximum 510 hex chars")
	}
	nonce := make([]byte, req.ReserveSize)
	if req.ExtraNonce != "" {
		if nonce, err = hex.DecodeString(req.ExtraNonce); err != nil {
			return r, fail(daemonrpc.CodeWrongParam, "Parameter extra_nonce should be a hex string")
		}
	}
	t, err := s.template(s.chain, req.WalletAddress, req.PrevBlock, nonce)
	if err != nil {
		return r, err
	}
	hashing, err := t.Block.HashingBlob()
	if err != nil {
		return r, fail(daemonrpc.CodeInternal, "Internal error: failed to create block template")
	}
	blob := t.Block.Append(nil)
	r = daemonrpc.GetBlockTemplateResponse{
		Common: ok, Height: t.Height, ExpectedReward: t.Reward, PrevHash: t.Block.Prev.String(),
		SeedHeight: t.SeedHeight, CumulativeWeight: t.Weight,
		SeedHash: t.Seed.String(), BlockTemplateBlob: toHex(blob), BlockHashingBlob: toHex(hashing),
	}
	r.Difficulty, r.WideDifficulty, r.DifficultyTop64 = wide(t.Difficulty)
	if t.NextSeed != t.Seed {
		r.NextSeedHash = t.NextSeed.String()
	}
	if len(nonce) > 0 {
		// The key is followed by the nonce's tag and its length, a varint of one or two bytes.
		r.ReservedOffset = uint64(bytes.Index(blob, t.Key[:]) + len(t.Key) + 1 + wire.VarintLen(uint64(len(nonce))))
	}
	return r, nil
}

func (s service) getMinerData(context.Context, daemonrpc.None) (r daemonrpc.GetMinerDataResponse, err error) {
	s.view(func(v chain.View) { r = minerData(v, s.limited) })
	return r, nil
}

// minerData returns the data for the next block. Restricted callers do not see unrelayed transactions.
func minerData(v chain.View, restricted bool) daemonrpc.GetMinerDataResponse {
	top := v.Top()
	r := daemonrpc.GetMinerDataResponse{
		Common: ok, MajorVersion: v.VersionAt(v.Height()), Height: v.Height(),
		PrevID:   top.ID.String(),
		SeedHash: v.Block(v.SeedHeight(v.Height())).ID.String(), Difficulty: v.NextDifficulty().String(),
		MedianWeight: v.Limits().Median, AlreadyGeneratedCoins: top.Coins,
	}
	if t := v.NextTree(); t != nil {
		r.TreeLayers, r.TreeRoot = &t.Layers, toHex(t.Root[:])
	}
	for _, p := range v.Ready(func(p *chain.PoolTx) bool { return restricted && p.DoNotRelay }) {
		r.TxBacklog = append(r.TxBacklog, daemonrpc.BacklogTx{ID: p.ID, Weight: p.Weight, Fee: p.Fee})
	}
	return r
}

// submit adds a block. A known block, or one with an unknown parent, is not an error.
func submit(c maker, blob []byte) (xmr.Hash, error) {
	added, err := c.AddBlock(blob)
	if errors.Is(err, chain.ErrNotStored) {
		return added.ID, errNotStored
	}
	if err != nil && !errors.Is(err, chain.ErrOrphan) {
		return added.ID, fail(daemonrpc.CodeBlockNotAccepted, "Block not accepted")
	}
	return added.ID, nil
}

// submitBlock adds a block that was mined elsewhere, with transactions of the pool.
// Source: src/rpc/core_rpc_server.cpp, on_submitblock; src/cryptonote_core/cryptonote_core.cpp, handle_block_found.
func (s service) submitBlock(_ context.Context, req []string) (r daemonrpc.SubmitBlockResponse, err error) {
	if len(req) != 1 {
		return r, fail(daemonrpc.CodeWrongParam, "Wrong param")
	}
	blob, err := hex.DecodeString(req[0])
	var b *block.Block
	if err == nil {
		b, err = block.Parse(blob)
	}
	if err != nil {
		return r, fail(daemonrpc.CodeWrongBlockBlob, "Wrong block blob")
	}
	var limit uint64
	whole := true // all transactions are in the pool, even of a known block
	s.view(func(v chain.View) {
		limit = v.Limits().Limit
		for _, id := range b.TxHashes {
			whole = whole && v.PoolTx(id) != nil
		}
	})
	if uint64(len(blob)) > limit+consensus.BlockSizeLeeway {
		return r, fail(daemonrpc.CodeWrongBlockBlobSize, "Block bloc size is too big, rejecting block")
	}
	if !whole {
		return r, fail(daemonrpc.CodeBlockNotAccepted, "Block not accepted")
	}
	id, err := submit(s.chain, blob)
	if err != nil {
		return r, err
	}
	return daemonrpc.SubmitBlockResponse{Common: ok, BlockID: id.String()}, nil
}

// generated is the number of blocks without work that are made and stored in one batch, which blocks readers.
const generated = 100

// generateBlocks mines blocks, each on the previous one, and the first on the given block.
// Source: src/rpc/core_rpc_server.cpp, on_generateblocks.
func (s service) generateBlocks(
	ctx context.Context, req daemonrpc.GenerateBlocksRequest,
) (r daemonrpc.GenerateBlocksResponse, err error) {
	if s.config.Chain.Network != xmr.Regtest {
		return r, fail(daemonrpc.CodeRegtestRequired, "Regtest required when generating blocks")
	}
	r.Common = ok
	s.view(func(v chain.View) { r.Height = v.Height() })
	prev := req.PrevBlock
	template := func(c maker) (*chain.Template, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t, err := s.template(c, req.WalletAddress, prev, []byte{0})
		if err == nil {
			t.Block.Nonce = req.StartingNonce
		}
		return t, err
	}
	add := func(c maker, t *chain.Template) error {
		id, err := submit(c, t.Block.Append(nil))
		if err == nil {
			r.Blocks, r.Height, prev = append(r.Blocks, id), t.Height, id.String()
		}
		return err
	}
	for left := req.AmountOfBlocks; left > 0; left = req.AmountOfBlocks - uint64(len(r.Blocks)) {
		var laborious *chain.Template
		err := s.chain.Batch(func(b chain.Batch) error {
			for range min(left, generated) {
				t, err := template(b)
				if err != nil {
					return err
				}
				if !easy(t) {
					laborious = t // mined after the batch, which locks the chain
					return nil
				}
				if err := add(b, t); err != nil {
					return err
				}
			}
			return nil
		})
		if errors.Is(err, chain.ErrNotStored) {
			return daemonrpc.GenerateBlocksResponse{}, errNotStored
		}
		if err == nil && laborious != nil {
			if err = s.work(ctx, laborious); err == nil {
				err = add(s.chain, laborious)
			}
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// easy reports whether every nonce is valid.
func easy(t *chain.Template) bool { return t.Difficulty == consensus.Difficulty{Lo: 1} }

// work tries nonces until one is valid, on all processors. It finds the first valid one.
func (s service) work(ctx context.Context, t *chain.Template) error {
	if easy(t) {
		return nil
	}
	if s.config.Chain.PoW == nil {
		return fail(daemonrpc.CodeInternal, "Internal error: "+chain.ErrNoPoW.Error())
	}
	for ctx.Err() == nil {
		if found, err := s.try(t, few(t, consensus.Together*runtime.GOMAXPROCS(0))); found || err != nil {
			return err
		}
	}
	return ctx.Err()
}

// few returns the number of nonces to try together: at most half the number that a block needs on average, because
// hashes after the first valid one are in vain.
func few(t *chain.Template, most int) int {
	if t.Difficulty.Hi > 0 {
		return most
	}
	return int(min(uint64(most), max(1, t.Difficulty.Lo/2)))
}

// try tries some nonces from the block's on. If some are valid, the block has the first of them then, and otherwise the
// next nonce to try.
func (n *Node) try(t *chain.Template, count int) (found bool, err error) {
	first := t.Block.Nonce
	blobs := make([][]byte, count)
	for i := range blobs {
		t.Block.Nonce = first + uint32(i)
		if blobs[i], err = t.Block.HashingBlob(); err != nil {
			return false, err
		}
	}
	hashes, err := n.hashes(t, blobs)
	if err != nil {
		return false, err
	}
	for i, h := range hashes {
		if consensus.CheckWork(h, t.Difficulty) {
			t.Block.Nonce = first + uint32(i)
			return true, nil
		}
	}
	t.Block.Nonce = first + uint32(count)
	return false, nil
}

// hashes returns the proof-of-work hashes of a template's hashing blobs.
func (n *Node) hashes(t *chain.Template, blobs [][]byte) ([]xmr.Hash, error) {
	if n.config.Chain.PoWs != nil {
		return n.config.Chain.PoWs(t.Block.Major, t.Height, t.Seed, blobs)
	}
	hashes := make([]xmr.Hash, len(blobs))
	for i, blob := range blobs {
		h, err := n.config.Chain.PoW(t.Block.Major, t.Height, t.Seed, blob)
		if err != nil {
			return nil, err
		}
		hashes[i] = h
	}
	return hashes, nil
}

// seed returns the RandomX seed for a height of the main chain.
func (s service) seed(height uint64) (seed xmr.Hash, err error) {
	s.view(func(v chain.View) {
		b := v.Block(v.SeedHeight(height))
		if b == nil {
			err = tooHigh(v, height)
			return
		}
		seed = b.ID
	})
	return seed, err
}
