package node

import (
	"context"
	"slices"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// getTransactionPool returns the pool's transactions with their state. Restricted callers are not offered it. The
// transactions are described outside the view, because that takes long.
// Source: src/cryptonote_core/tx_pool.cpp, get_transactions_and_spent_keys_info.
func (s service) getTransactionPool(
	context.Context, daemonrpc.PayerOnly,
) (r daemonrpc.GetTransactionPoolResponse, err error) {
	r.Metered = metered
	var list []*chain.PoolTx
	s.view(func(v chain.View) {
		list = s.pool(v)
		for _, image := range v.PoolImages() {
			spent := daemonrpc.SpentKeyImage{IDHash: image, TxsHashes: v.PoolSpends(image)}
			r.SpentKeyImages = append(r.SpentKeyImages, spent)
		}
	})
	for _, p := range list {
		e := daemonrpc.PoolTransaction{
			IDHash: p.ID, TxJSON: daemonrpc.DescribeTx(p.Tx.Tx, true), BlobSize: uint64(len(p.Blob)), Weight: p.Weight,
			Fee: p.Fee, MaxUsedBlockIDHash: p.MaxUsedID.String(), MaxUsedBlockHeight: p.MaxUsedHeight,
			KeptByBlock:      p.KeptByBlock,
			LastFailedHeight: p.LastFailedHeight, LastFailedIDHash: p.LastFailedID.String(), Relayed: p.Relayed,
			DoNotRelay: p.DoNotRelay, DoubleSpendSeen: p.DoubleSpendSeen, TxBlob: toHex(p.Blob),
			ReceiveTime: p.Received, LastRelayedTime: p.LastRelayed,
		}
		r.Transactions = append(r.Transactions, e)
	}
	return r, nil
}

func (s service) poolIDs() (ids []xmr.Hash) {
	s.view(func(v chain.View) {
		for _, p := range s.pool(v) {
			ids = append(ids, p.ID)
		}
	})
	return ids
}

func (s service) getTransactionPoolHashesBin(
	context.Context, daemonrpc.PayerOnly,
) (daemonrpc.GetTransactionPoolHashesBinResponse, error) {
	return daemonrpc.GetTransactionPoolHashesBinResponse{
		Metered: metered, TxHashes: daemonrpc.PackHashes(s.poolIDs()),
	}, nil
}

func (s service) getTransactionPoolHashes(
	context.Context, daemonrpc.PayerOnly,
) (daemonrpc.GetTransactionPoolHashesResponse, error) {
	return daemonrpc.GetTransactionPoolHashesResponse{Metered: metered, TxHashes: s.poolIDs()}, nil
}

func (s service) getTxPoolBacklog(
	context.Context, daemonrpc.PayerOnly,
) (r daemonrpc.GetTxPoolBacklogResponse, err error) {
	var list []daemonrpc.BacklogEntry
	s.view(func(v chain.View) {
		for _, p := range s.pool(v) {
			list = append(list, daemonrpc.BacklogEntry{
				Weight: p.Weight, Fee: p.Fee, TimeInPool: v.Now() - min(p.Received, v.Now()),
			})
		}
	})
	return daemonrpc.GetTxPoolBacklogResponse{Metered: metered, Backlog: daemonrpc.PackBacklog(list)}, nil
}

func (s service) flushTxPool(_ context.Context, req daemonrpc.FlushTxPoolRequest) (r daemonrpc.Plain, err error) {
	var ids []xmr.Hash
	for _, text := range req.TxIDs {
		if id, err := parseHash(text); err == nil {
			ids = append(ids, id)
		}
	}
	switch {
	case len(ids) == len(req.TxIDs):
		r.Common = ok
	case len(ids) == 0:
		r.Common = status("Failed to parse txid")
		return r, nil
	default:
		r.Common = status("Failed to parse some of the txids")
	}
	return r, s.chain.FlushPool(ids...)
}

// histogramBins is the maximum number of bins in get_transaction_pool_stats.
const histogramBins = 10

// getTransactionPoolStats summarises the pool.
// Source: src/cryptonote_core/tx_pool.cpp, get_transaction_stats.
func (s service) getTransactionPoolStats(
	context.Context, daemonrpc.PayerOnly,
) (r daemonrpc.GetTransactionPoolStatsResponse, err error) {
	r.Metered = metered
	p := &r.PoolStats
	s.view(func(v chain.View) {
		now := v.Now()
		var weights, ages []uint64
		byAge := map[uint64]daemonrpc.PoolHistogramEntry{}
		for _, t := range s.pool(v) {
			p.TxsTotal++
			weights = append(weights, t.Weight)
			p.BytesTotal += t.Weight
			p.FeeTotal += t.Fee
			p.BytesMax = max(p.BytesMax, uint32(t.Weight))
			if p.BytesMin == 0 || uint32(t.Weight) < p.BytesMin {
				p.BytesMin = uint32(t.Weight)
			}
			if p.Oldest == 0 || t.Received < p.Oldest {
				p.Oldest = t.Received
			}
			for counter, counts := range map[*uint32]bool{
				&p.NumNotRelayed: !t.Relayed, &p.NumFailing: t.LastFailedHeight > 0,
				&p.NumDoubleSpends: t.DoubleSpendSeen,
				&p.Num10m:          t.Received+600 < now,
			} {
				if counts {
					*counter++
				}
			}
			age := max(now-min(t.Received, now), 1)
			if _, seen := byAge[age]; !seen {
				ages = append(ages, age)
			}
			e := byAge[age]
			byAge[age] = daemonrpc.PoolHistogramEntry{Txs: e.Txs + 1, Bytes: e.Bytes + t.Weight}
		}
		p.BytesMed = uint32(consensus.Median(weights))
		if p.TxsTotal > 1 {
			slices.Sort(ages)
			histogram(p, now, ages, byAge)
		}
	})
	return r, nil
}

// histogram distributes transactions by age over bins of equal width. Of fifty or more transactions, the oldest two
// percent have a separate bin.
func histogram(p *daemonrpc.PoolStats, now uint64, ages []uint64, byAge map[uint64]daemonrpc.PoolHistogramEntry) {
	bins := min(uint64(p.TxsTotal), histogramBins)
	width, young := now-min(p.Oldest, now), len(ages)
	size := bins
	if last := p.TxsTotal / 50; last > 0 {
		for counted := uint32(0); young > 0 && (counted == 0 || counted < last); {
			young--
			counted += byAge[ages[young]].Txs
		}
		p.Histo98pc = ages[young]
		bins, size, width = histogramBins-1, histogramBins, ages[young]
	}
	width = max(width, 1)
	p.Histo = make([]daemonrpc.PoolHistogramEntry, size)
	for i, age := range ages {
		bin := bins
		if i < young {
			bin = (age*bins - 1) / width
		}
		e := &p.Histo[min(bin, size-1)]
		e.Txs += byAge[age].Txs
		e.Bytes += byAge[age].Bytes
	}
}
