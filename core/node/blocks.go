package node

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// Limits of responses. Source: src/cryptonote_config.h, COMMAND_RPC_GET_BLOCKS_FAST_MAX_BLOCK_COUNT and others;
// src/cryptonote_core/blockchain.cpp, FIND_BLOCKCHAIN_SUPPLEMENT_MAX_SIZE; src/rpc/core_rpc_server.cpp.
const (
	maxBlocks        = 1000
	maxBlockTxs      = 20000
	maxBlocksBytes   = 100 << 20
	minBlocks        = 3 // returned whatever their size
	maxHashes        = 10000
	maxPoolTxs       = 20000
	restrictedBlocks = 1000
	restrictedTxs    = 100
)

func (s service) getBlock(_ context.Context, req daemonrpc.GetBlockRequest) (r daemonrpc.GetBlockResponse, err error) {
	s.view(func(v chain.View) {
		b, main := v.Block(req.Height), true
		if req.Hash != "" {
			b, main, err = named(v, req.Hash)
		} else if b == nil {
			err = tooHigh(v, req.Height)
		}
		if err != nil {
			return
		}
		r = daemonrpc.GetBlockResponse{
			Metered: metered, MinerTxHash: b.CoinbaseID.String(), TxHashes: b.Block.TxHashes, Blob: toHex(b.Blob),
			JSON: daemonrpc.DescribeBlock(b.Block),
		}
		r.BlockHeader, err = s.header(v, b, main, req.FillPowHash)
	})
	return r, err
}

// getBlocks returns blocks, the pool, or both.
// Source: src/rpc/core_rpc_server.cpp, on_get_blocks.
func (s service) getBlocks(
	_ context.Context, req daemonrpc.GetBlocksRequest,
) (r daemonrpc.GetBlocksResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) {
		r.DaemonTime = v.Now()
		if req.RequestedInfo > daemonrpc.PoolOnly {
			r.Metered = meteredStatus("Failed, wrong requested info")
			return
		}
		if req.RequestedInfo != daemonrpc.BlocksOnly {
			s.poolInfo(v, &req, &r)
		}
		if req.RequestedInfo == daemonrpc.PoolOnly {
			return
		}
		r.TopBlockHash = v.Top().ID
		if len(req.BlockIDs) > 0 && req.BlockIDs[0] == v.Top().ID {
			r.CurrentHeight = v.Height() // nothing new
			return
		}
		start, found := req.StartHeight, req.StartHeight < v.Height()
		if start == 0 {
			if start, found = v.Common(req.BlockIDs); found && req.BlockIDsExclusive {
				start++
			}
		}
		if !found {
			r = daemonrpc.GetBlocksResponse{Metered: meteredStatus(daemonrpc.StatusFailed), DaemonTime: r.DaemonTime}
			return
		}
		r.StartHeight, r.CurrentHeight = start, v.Height()
		fillBlocks(v, &req, &r)
	})
	return r, nil
}

func fillBlocks(v chain.View, req *daemonrpc.GetBlocksRequest, r *daemonrpc.GetBlocksResponse) {
	count := uint64(maxBlocks)
	if req.MaxBlockCount > 0 {
		count = min(count, req.MaxBlockCount)
	}
	count = min(count, v.Height()-r.StartHeight)
	r.Blocks = make([]daemonrpc.BlockEntry, 0, count)
	r.OutputIndices = make([]daemonrpc.BlockOutputIndices, 0, count)
	size, txs := 0, 0
	for h := r.StartHeight; h < v.Height() && uint64(len(r.Blocks)) < count; h++ {
		b := v.Block(h)
		if len(r.Blocks) >= minBlocks && (size >= maxBlocksBytes || txs+len(b.Txs) > maxBlockTxs) {
			break
		}
		entry := daemonrpc.BlockEntry{Pruned: req.Prune, Block: b.Blob}
		size += len(b.Blob)
		txs += len(b.Txs)
		if len(b.Txs) > 0 {
			entry.Txs = make([]daemonrpc.TxBlob, 0, len(b.Txs))
		}
		for _, t := range b.Txs {
			blob := daemonrpc.WholeTx(t.Blob)
			if req.Prune {
				blob = daemonrpc.TxBlob{Blob: t.Pruned(), PrunableHash: t.PrunableHash}
			}
			size += len(blob.Blob)
			entry.Txs = append(entry.Txs, blob)
		}
		r.Blocks = append(r.Blocks, entry)
		indices := daemonrpc.BlockOutputIndices{Indices: make([]daemonrpc.TxOutputIndices, 0, len(b.Indices))}
		for i, list := range b.Indices {
			if i == 0 && req.NoMinerTx {
				list = nil
			}
			indices.Indices = append(indices.Indices, daemonrpc.TxOutputIndices{Indices: list})
		}
		r.OutputIndices = append(r.OutputIndices, indices)
	}
}

// poolInfo returns the changes of the pool since the requested time or, if they are not known, the complete pool. The
// number of full transactions is limited; of the others it returns the IDs.
func (s service) poolInfo(v chain.View, req *daemonrpc.GetBlocksRequest, r *daemonrpc.GetBlocksResponse) {
	most := maxPoolTxs
	if s.limited {
		most = restrictedTxs
	}
	added, gone, known := v.PoolSince(req.PoolInfoSince, s.limited)
	r.PoolInfoExtent, r.RemovedPoolTxIDs = daemonrpc.PoolInfoFull, gone
	if known {
		r.PoolInfoExtent = daemonrpc.PoolInfoIncremental
	}
	for _, p := range added {
		if len(r.AddedPoolTxs) >= most {
			r.RemainingAddedPoolTxIDs = append(r.RemainingAddedPoolTxIDs, p.ID)
			continue
		}
		blob := p.Blob
		if req.Prune {
			blob = p.Pruned()
		}
		r.AddedPoolTxs = append(r.AddedPoolTxs, daemonrpc.PoolTxInfo{
			TxHash: p.ID, TxBlob: blob, DoubleSpendSeen: p.DoubleSpendSeen,
		})
	}
}

func (s service) getBlocksByHeight(
	_ context.Context, req daemonrpc.GetBlocksByHeightRequest,
) (r daemonrpc.GetBlocksByHeightResponse, err error) {
	if s.limited && len(req.Heights) > restrictedBlocks {
		r.Metered = meteredStatus("Too many blocks requested in restricted mode")
		return r, nil
	}
	r.Metered = metered
	s.view(func(v chain.View) {
		size := 0
		for _, h := range req.Heights {
			b := v.Block(h)
			if b == nil || size > maxBlocksBytes {
				r = daemonrpc.GetBlocksByHeightResponse{
					Metered: meteredStatus(fmt.Sprintf("Error retrieving block at height %d", h)),
				}
				return
			}
			entry := daemonrpc.BlockEntry{Block: b.Blob}
			size += len(b.Blob)
			for _, t := range b.Txs {
				entry.Txs = append(entry.Txs, daemonrpc.WholeTx(t.Blob))
				size += len(t.Blob)
			}
			r.Blocks = append(r.Blocks, entry)
		}
	})
	return r, nil
}

func (s service) getHashes(
	_ context.Context, req daemonrpc.GetHashesRequest,
) (r daemonrpc.GetHashesResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) {
		start, found := v.Common(req.BlockIDs)
		if !found {
			r.Metered, r.StartHeight = meteredStatus(daemonrpc.StatusFailed), req.StartHeight
			return
		}
		r.StartHeight, r.CurrentHeight = start, v.Height()
		r.BlockIDs = make([]xmr.Hash, 0, min(v.Height()-start, maxHashes))
		for h := start; h < v.Height() && len(r.BlockIDs) < maxHashes; h++ {
			r.BlockIDs = append(r.BlockIDs, v.Block(h).ID)
		}
	})
	return r, nil
}

func (s service) getAltBlocksHashes(
	context.Context, daemonrpc.PayerOnly,
) (r daemonrpc.GetAltBlocksHashesResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) { r.BlksHashes = v.OffMain() })
	return r, nil
}

// getAlternateChains lists branches. As in the reference, Height is the height of the last block of a branch.
// Source: src/rpc/core_rpc_server.cpp, on_get_alternate_chains.
func (s service) getAlternateChains(
	context.Context, daemonrpc.None,
) (r daemonrpc.GetAlternateChainsResponse, err error) {
	r.Common = ok
	s.view(func(v chain.View) {
		for _, branch := range v.Branches() {
			top := branch[len(branch)-1]
			a := daemonrpc.AlternateChain{
				BlockHash: top.ID.String(), Height: top.Height, Length: uint64(len(branch)),
				MainChainParentBlock: branch[0].Block.Prev.String(),
			}
			a.Difficulty, a.WideDifficulty, a.DifficultyTop64 = wide(top.Cumulative)
			for _, b := range slices.Backward(branch) {
				a.BlockHashes = append(a.BlockHashes, b.ID)
			}
			r.Chains = append(r.Chains, a)
		}
	})
	return r, nil
}

func (s service) popBlocks(_ context.Context, req daemonrpc.PopBlocksRequest) (daemonrpc.PopBlocksResponse, error) {
	pop := s.chain.PopBlocks
	if !req.KeepTxs {
		pop = s.chain.DropBlocks
	}
	height, err := pop(req.NBlocks)
	return daemonrpc.PopBlocksResponse{Common: ok, Height: height}, err
}

// getCoinbaseTxSum returns the sums of new coins and of fees in blocks.
// Source: src/cryptonote_core/cryptonote_core.cpp, get_coinbase_tx_sum.
func (s service) getCoinbaseTxSum(
	_ context.Context, req daemonrpc.GetCoinbaseTxSumRequest,
) (r daemonrpc.GetCoinbaseTxSumResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) {
		if req.Height >= v.Height() || req.Count > v.Height() {
			r.Metered = meteredStatus("height or count is too large")
			return
		}
		var emission, fees consensus.Difficulty // used as a 128-bit number
		for h := req.Height; h < min(req.Height+req.Count, v.Height()); h++ {
			b := v.Block(h)
			var paid uint64
			for _, t := range b.Txs {
				paid += t.Fee
			}
			created, _ := bits.Sub64(b.Reward(), paid, 0)
			emission = emission.Add(consensus.Difficulty{Lo: created})
			fees = fees.Add(consensus.Difficulty{Lo: paid})
		}
		r.EmissionAmount, r.WideEmissionAmount, r.EmissionAmountTop64 = wide(emission)
		r.FeeAmount, r.WideFeeAmount, r.FeeAmountTop64 = wide(fees)
	})
	return r, nil
}

// pool returns the transactions of the pool that the caller may see. Restricted callers do not see unrelayed ones.
func (s service) pool(v chain.View) []*chain.PoolTx {
	list := v.Pool()
	if s.limited {
		list = slices.DeleteFunc(list, func(p *chain.PoolTx) bool { return p.DoNotRelay })
	}
	return list
}
