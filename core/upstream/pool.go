package upstream

import (
	"context"
	"encoding/hex"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/xmr"
)

// getTransactionPool returns the upstream's pool. It checks that transactions match their IDs; it cannot check that
// they are in the pool, or that the pool is complete.
func (s service) getTransactionPool(
	ctx context.Context, req daemonrpc.PayerOnly,
) (daemonrpc.GetTransactionPoolResponse, error) {
	return pass(
		ctx, s.Front, daemonrpc.GetTransactionPool, req,
		func(r *daemonrpc.GetTransactionPoolResponse) error {
			for i := range r.Transactions {
				p := &r.Transactions[i]
				blob, err := hex.DecodeString(p.TxBlob)
				if err != nil {
					return invalid("transaction %s is not hexadecimal", p.IDHash)
				}
				t, id, err := fcmptx.Default.ParseAny(blob)
				switch {
				case err != nil:
					return invalid("transaction %s: %w", p.IDHash, err)
				case id != p.IDHash:
					return invalid("transaction %s for %s", id, p.IDHash)
				case t.IsCoinbase():
					return invalid("a coinbase in the pool")
				}
				if text, ok := daemonrpc.TxJSON(t, true); ok {
					p.TxJSON = text // made from the bytes, so that it cannot contradict them
				}
			}
			return nil
		},
	)
}

func (s service) poolHashes(ctx context.Context) ([]xmr.Hash, error) {
	return ask(
		ctx, s.Front, func(ctx context.Context, c *daemon.Client) ([]xmr.Hash, error) { return c.PoolHashes(ctx) },
	)
}

func (s service) getTransactionPoolHashes(
	ctx context.Context, _ daemonrpc.PayerOnly,
) (r daemonrpc.GetTransactionPoolHashesResponse, err error) {
	r.Metered = metered
	r.TxHashes, err = s.poolHashes(ctx)
	return r, err
}

func (s service) getTransactionPoolHashesBin(
	ctx context.Context, _ daemonrpc.PayerOnly,
) (r daemonrpc.GetTransactionPoolHashesBinResponse, err error) {
	ids, err := s.poolHashes(ctx)
	return daemonrpc.GetTransactionPoolHashesBinResponse{Metered: metered, TxHashes: daemonrpc.PackHashes(ids)}, err
}

func (s service) getTransactionPoolStats(
	ctx context.Context, req daemonrpc.PayerOnly,
) (daemonrpc.GetTransactionPoolStatsResponse, error) {
	return pass(ctx, s.Front, daemonrpc.GetTransactionPoolStats, req, nil)
}

func (s service) getTxPoolBacklog(
	ctx context.Context, req daemonrpc.PayerOnly,
) (daemonrpc.GetTxPoolBacklogResponse, error) {
	var list []daemonrpc.BacklogEntry
	r, err := pass(ctx, s.Front, daemonrpc.GetTxPoolBacklog, req, func(r *daemonrpc.GetTxPoolBacklogResponse) error {
		_, err := daemonrpc.UnpackBacklog(r.Backlog)
		if err != nil {
			err = invalid("backlog: %w", err)
		}
		return err
	})
	if err != nil {
		return r, err
	}
	if list, err = daemonrpc.UnpackBacklog(r.Backlog); err == nil {
		r.Backlog = daemonrpc.PackBacklog(list)
	}
	return r, err
}
