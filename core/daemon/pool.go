package daemon

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// PoolTx is a transaction of the pool. Its presence and DoubleSpendSeen are not proven: a malicious daemon can return
// a transaction that it withholds from the network, or report a double spend that does not exist.
type PoolTx struct {
	Tx
	DoubleSpendSeen bool
}

// PoolChange is the change of the pool since a time, or the complete pool.
type PoolChange struct {
	Known   bool // the daemon said something about its pool
	Full    bool // Added is all there is, whatever was known before
	Time    uint64
	Added   []PoolTx
	More    []xmr.Hash // added, too, but not sent: ask Transactions
	Removed []xmr.Hash
}

// DecodePool decodes the pool part of the response. Without one it returns the zero value.
func (r *RawBlocks) DecodePool() (PoolChange, error) {
	extent := r.resp.PoolInfoExtent
	if extent == daemonrpc.PoolInfoNone {
		return PoolChange{}, nil
	}
	if r.req.Pool == NoPool {
		return PoolChange{}, invalid("pool changes that were not requested")
	}
	if extent != daemonrpc.PoolInfoFull && extent != daemonrpc.PoolInfoIncremental {
		return PoolChange{}, invalid("pool extent %d", extent)
	}
	if extent == daemonrpc.PoolInfoFull && len(r.resp.RemovedPoolTxIDs) > 0 {
		return PoolChange{}, invalid("transactions removed from all of the pool")
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
			return PoolChange{}, invalid("a coinbase in the pool")
		}
		out.Added[i] = PoolTx{t, e.DoubleSpendSeen}
	}
	return out, nil
}

// PoolHashes requests the IDs in the pool.
func (c *Client) PoolHashes(ctx context.Context) ([]xmr.Hash, error) {
	r, err := call(ctx, c, daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{})
	if err != nil {
		return nil, err
	}
	return r.TxHashes, nil
}

// Pool requests the pool from daemons whose Version has no PoolInfo. It returns all IDs, and in added the transactions
// that known does not report. A transaction that leaves the pool during the call is only in ids.
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
