package service

import (
	"context"
	"errors"

	"glim/core/daemon"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// errWouldTell refuses to show a daemon that is not trusted which transactions are the wallet's. Source:
// src/wallet/wallet_errors.h, wont_reprocess_recent_txs_via_untrusted_daemon; src/wallet/wallet_rpc_server.cpp, on_scan_tx.
var errWouldTell = refuse("The wallet has already seen 1 or more recent transactions than the scanned tx. " +
	"Either connect to a trusted daemon or rescan the chain.")

var errMoved = refuse("The chain has changed since the wallet read it. Refresh the wallet and try again.")

// scanTx looks at single transactions out of turn. Those above the wallet's height are refused, because a refresh finds
// them. The reference skips all blocks up to them instead and so loses what is in between.
// Source: src/wallet/wallet2.cpp, scan_tx.
func (s *Service) scanTx(ctx context.Context, req walletrpc.ScanTxRequest) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	ids, err := txIDs(req.TxIDs)
	if err != nil || len(ids) == 0 {
		return empty{}, err
	}
	t := ticket{s: s, o: o, txs: map[xmr.Hash]wallet.Mined{}}
	pool, err := t.fetch(ctx, ids)
	if err != nil {
		return empty{}, err
	}
	if err := t.apply(ctx); err != nil {
		return empty{}, err
	}
	if pool {
		return empty{}, s.refreshPool(ctx)
	}
	return empty{}, nil
}

// ticket is one look at transactions out of turn.
type ticket struct {
	s    *Service
	o    *open
	txs  map[xmr.Hash]wallet.Mined // scanned
	from uint64                    // index of the first one's block
}

// fetch adds transactions to those to look at and reports whether any of them is in the pool, which is looked at as a whole.
func (t *ticket) fetch(ctx context.Context, ids []xmr.Hash) (pool bool, err error) {
	client := t.s.daemon()
	found, missing, err := client.Transactions(ctx, ids, daemon.Pruned)
	if err != nil {
		return false, err
	}
	if len(missing) > 0 {
		return false, refuse(notFetched)
	}
	var places []wallet.Mined
	var txs []syncer.Tx
	for i := range found {
		f := &found[i]
		if f.InPool {
			pool = true
			continue
		}
		m := wallet.Mined{Height: f.Height, Timestamp: f.Timestamp}
		if extra, _ := tx.ParseExtra(f.Extra); extra.PaymentID != nil { // whether it counts depends on the block's version
			header, err := client.Header(ctx, f.Height)
			if err != nil {
				return false, err
			}
			m.Version = header.Major
		}
		places, txs = append(places, m), append(txs, syncTx(&f.Tx))
	}
	scanned, err := syncer.ScanTxs(ctx, t.o.Keys().ViewSecret(), txs, t.s.config.crew())
	if err != nil {
		return false, err
	}
	for i := range scanned {
		m := places[i]
		m.Tx = scanned[i]
		if len(t.txs) == 0 || m.Height < t.from {
			t.from = m.Height
		}
		t.txs[m.ID] = m
	}
	return pool, nil
}

// apply decides on what was fetched, together with what the wallet knows since: should a refresh add to that
// meanwhile, it fetches that, too.
func (t *ticket) apply(ctx context.Context) error {
	for {
		if err := t.complete(ctx); err != nil {
			return err
		}
		all := make([]wallet.Mined, 0, len(t.txs))
		for _, m := range t.txs {
			all = append(all, m)
		}
		err := t.o.ChangeAsking(ctx, func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) { return w.DecideScan(all) })
		switch {
		case errors.Is(err, wallet.ErrIncomplete):
			continue // each time around takes a refresh that found something
		case errors.Is(err, wallet.ErrAhead):
			return refuse("A transaction is in a block that the wallet has not read yet. Refresh the wallet instead.")
		case errors.Is(err, wallet.ErrMoved):
			return errMoved
		}
		return err
	}
}

// complete fetches what the wallet knows since the first of the transactions.
func (t *ticket) complete(ctx context.Context) error {
	if len(t.txs) == 0 {
		return nil
	}
	var again []xmr.Hash
	var height uint64
	t.o.View(func(w *wallet.Wallet) {
		height = w.Height()
		for id := range w.Since(t.from) {
			if _, ok := t.txs[id]; !ok {
				again = append(again, id)
			}
		}
	})
	if len(again) == 0 || t.from >= height {
		return nil
	}
	if t.s.trusted() != nil {
		return errWouldTell
	}
	unmined, err := t.fetch(ctx, again)
	if err == nil && unmined {
		return errMoved
	}
	return err
}
