package node

import (
	"context"
	"fmt"

	"glim/core/chain"
	"glim/core/daemonrpc"
)

// restrictedHeaders limits one restricted response. Source: src/rpc/core_rpc_server.cpp, RESTRICTED_BLOCK_COUNT and
// RESTRICTED_BLOCK_HEADER_RANGE.
const restrictedHeaders = 1000

// maxHeaders limits any response, because a request can repeat a block or ask for all blocks of a long chain.
const maxHeaders = 100_000

func (s service) getBlockCount(context.Context, []string) (r daemonrpc.GetBlockCountResponse, err error) {
	s.view(func(v chain.View) { r = daemonrpc.GetBlockCountResponse{Common: ok, Count: v.Height()} })
	return r, nil
}

func (s service) onGetBlockHash(_ context.Context, req []uint64) (id string, err error) {
	if len(req) != 1 {
		return "", fail(daemonrpc.CodeWrongParam, "Wrong parameters, expected height")
	}
	s.view(func(v chain.View) {
		b := v.Block(req[0])
		if b == nil {
			err = tooHigh(v, req[0])
			return
		}
		id = b.ID.String()
	})
	return id, err
}

func tooHigh(v chain.View, height uint64) error {
	return fail(daemonrpc.CodeTooBigHeight,
		fmt.Sprintf("Requested block height: %d greater than current top block height: %d", height, v.Height()-1))
}

// header describes a block. For a block off the main chain, the reference describes the main chain's block of that
// height instead. Source: src/rpc/core_rpc_server.cpp, fill_block_header_response.
func (s service) header(v chain.View, b *chain.Block, main, pow bool) (h daemonrpc.BlockHeader, err error) {
	h = daemonrpc.BlockHeader{
		MajorVersion: b.Block.Major, MinorVersion: b.Block.Minor, Timestamp: b.Block.Timestamp,
		PrevHash: b.Block.Prev.String(), Nonce: b.Block.Nonce, OrphanStatus: !main, Height: b.Height,
		Depth: v.Height() - b.Height - 1, Hash: b.ID.String(), Reward: b.Reward(), BlockSize: b.Weight,
		BlockWeight: b.Weight, NumTxes: uint64(len(b.Block.TxHashes)), LongTermWeight: b.LongTerm,
		MinerTxHash: b.CoinbaseID.String(),
	}
	h.Difficulty, h.WideDifficulty, h.DifficultyTop64 = wide(b.Difficulty)
	h.CumulativeDifficulty, h.WideCumulativeDifficulty, h.CumulativeDifficultyTop64 = wide(b.Cumulative)
	if pow && !s.limited {
		hash, err := v.Work(b)
		if err != nil {
			return h, fail(daemonrpc.CodeInternal, "Internal error: "+err.Error())
		}
		h.PowHash = hash.String()
	}
	return h, nil
}

func (s service) getLastBlockHeader(
	_ context.Context, req daemonrpc.GetLastBlockHeaderRequest,
) (r daemonrpc.BlockHeaderResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) { r.BlockHeader, err = s.header(v, v.Top(), true, req.FillPowHash) })
	return r, err
}

func (s service) getBlockHeaderByHeight(
	_ context.Context, req daemonrpc.GetBlockHeaderByHeightRequest,
) (r daemonrpc.BlockHeaderResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) {
		b := v.Block(req.Height)
		if b == nil {
			err = tooHigh(v, req.Height)
			return
		}
		r.BlockHeader, err = s.header(v, b, true, req.FillPowHash)
	})
	return r, err
}

// named returns the block with a hash.
func named(v chain.View, hash string) (*chain.Block, bool, error) {
	id, err := parseHash(hash)
	if err != nil {
		return nil, false, fail(
			daemonrpc.CodeWrongParam,
			"Failed to parse hex representation of block hash. Hex = "+hash+".",
		)
	}
	b, main := v.BlockByID(id)
	if b == nil {
		return nil, false, fail(daemonrpc.CodeInternal, "Internal error: can't get block by hash. Hash = "+hash+".")
	}
	return b, main, nil
}

func (s service) getBlockHeaderByHash(
	_ context.Context, req daemonrpc.GetBlockHeaderByHashRequest,
) (r daemonrpc.GetBlockHeaderByHashResponse, err error) {
	if len(req.Hashes) > maxHeaders || s.limited && len(req.Hashes) > restrictedHeaders {
		return r, fail(daemonrpc.CodeRestricted, "Too many block headers requested in restricted mode")
	}
	r.Metered = metered
	s.view(func(v chain.View) {
		get := func(hash string) (h daemonrpc.BlockHeader) {
			if err != nil {
				return h
			}
			var b *chain.Block
			var main bool
			if b, main, err = named(v, hash); err == nil {
				h, err = s.header(v, b, main, req.FillPowHash)
			}
			return h
		}
		if req.Hash != "" {
			r.BlockHeader = get(req.Hash)
		}
		for _, hash := range req.Hashes {
			r.BlockHeaders = append(r.BlockHeaders, get(hash))
		}
	})
	return r, err
}

func (s service) getBlockHeadersRange(
	_ context.Context, req daemonrpc.GetBlockHeadersRangeRequest,
) (r daemonrpc.GetBlockHeadersRangeResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) {
		switch {
		case req.StartHeight > req.EndHeight || req.EndHeight >= v.Height():
			err = fail(daemonrpc.CodeTooBigHeight, "Invalid start/end heights.")
			return
		case req.EndHeight-req.StartHeight >= maxHeaders,
			s.limited && req.EndHeight-req.StartHeight > restrictedHeaders:
			err = fail(daemonrpc.CodeRestricted, "Too many block headers requested.")
			return
		}
		for h := req.StartHeight; h <= req.EndHeight && err == nil; h++ {
			var header daemonrpc.BlockHeader
			header, err = s.header(v, v.Block(h), true, req.FillPowHash)
			r.Headers = append(r.Headers, header)
		}
	})
	return r, err
}
