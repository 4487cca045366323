package daemon

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// PoolTx is a transaction of the pool. That it is there, and whether a rival was seen, is unproven: a lying daemon
// can show what it keeps from the network, or raise a false alarm.
type PoolTx struct {
	Tx
	DoubleSpendSeen bool
}

// PoolChange is what happened in the pool since a time, or all of it.
type PoolChange struct {
	Known   bool // the daemon said something about its pool
	Full    bool // Added is all there is, whatever was known before
	Time    uint64
	Added   []PoolTx
	More    []xmr.Hash // added, too, but not sent: ask Transactions
	Removed []xmr.Hash
}

// DecodePool decodes what the answer says about the pool; the zero value when that is nothing.
func (r *RawBlocks) DecodePool() (PoolChange, error) {
	extent := r.resp.PoolInfoExtent
	if extent == daemonrpc.PoolInfoNone {
		return PoolChange{}, nil
	}
	if r.req.Pool == NoPool {
		return PoolChange{}, lie("news of the pool that nobody asked for")
	}
	if extent != daemonrpc.PoolInfoFull && extent != daemonrpc.PoolInfoIncremental {
		return PoolChange{}, lie("pool extent %d", extent)
	}
	if extent == daemonrpc.PoolInfoFull && len(r.resp.RemovedPoolTxIDs) > 0 {
		return PoolChange{}, lie("transactions removed from all of the pool")
	}
	out := PoolChange{
		Known: true, Full: extent == daemonrpc.PoolInfoFull, Time: r.resp.DaemonTime,
		More: r.resp.RemainingAddedPoolTxIDs, Removed: r.resp.RemovedPoolTxIDs,
		Added: make([]PoolTx, len(r.resp.AddedPoolTxs)),
	}
	for i := range r.resp.AddedPoolTxs {
		e := &r.resp.AddedPoolTxs[i]
		t, err := decodeTx(nil, e.TxHash, e.TxBlob, r.req.Whole, xmr.Hash{})
		if err != nil {
			return PoolChange{}, err
		}
		if t.IsCoinbase() {
			return PoolChange{}, lie("a coinbase in the pool")
		}
		out.Added[i] = PoolTx{t, e.DoubleSpendSeen}
	}
	return out, nil
}

// PoolHashes asks for the IDs in the pool.
func (c *Client) PoolHashes(ctx context.Context) ([]xmr.Hash, error) {
	r, err := call(ctx, c, daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{})
	if err != nil {
		return nil, err
	}
	return r.TxHashes, nil
}

// Pool asks for the pool the old way, for daemons whose Version has no PoolInfo: ids is all that is there, added the
// transactions among them that are not in known. One that leaves the pool meanwhile is only in ids.
func (c *Client) Pool(ctx context.Context, known func(xmr.Hash) bool) (ids []xmr.Hash, added []PoolTx, err error) {
	if ids, err = c.PoolHashes(ctx); err != nil {
		return nil, nil, err
	}
	var fresh []xmr.Hash
	for _, id := range ids {
		if known == nil || !known(id) {
			fresh = append(fresh, id)
		}
	}
	found, _, err := c.Transactions(ctx, fresh, Pruned)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range found {
		if t.InPool {
			added = append(added, PoolTx{t.Tx, t.DoubleSpendSeen})
		}
	}
	return ids, added, nil
}
