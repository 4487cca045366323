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

// txScanner implements scan_tx.
type txScanner struct {
	active    *active
	refresher *refresher
	workers   syncer.Workers
}

// scanTx scans single transactions. For those above the wallet's height it refreshes the wallet, which finds them. The
// reference instead skips all blocks below them, and misses the transfers in those.
// Source: src/wallet/wallet2.cpp, scan_tx.
func (s *txScanner) scanTx(ctx context.Context, req walletrpc.ScanTxRequest) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	ids, err := txIDs(req.TxIDs)
	if err != nil || len(ids) == 0 {
		return empty{}, err
	}
	t := scanRequest{s: s, o: o, txs: map[xmr.Hash]wallet.MinedTx{}}
	pool, err := t.fetch(ctx, ids)
	if err != nil {
		return empty{}, err
	}
	err = t.apply(ctx)
	if errors.Is(err, wallet.ErrAhead) {
		if _, err = s.refresher.refresh(ctx, o, 0); err == nil {
			err = t.apply(ctx)
		}
	}
	if errors.Is(err, wallet.ErrAhead) {
		err = errMoved // the block was there, and the chain of the refresh is shorter
	}
	if err != nil {
		return empty{}, err
	}
	if pool {
		return empty{}, s.active.refreshPool(ctx)
	}
	return empty{}, nil
}

// errWouldTell refuses to reveal the wallet's transactions to a daemon that is not trusted. Source:
// src/wallet/wallet_errors.h, wont_reprocess_recent_txs_via_untrusted_daemon; src/wallet/wallet_rpc_server.cpp,
// on_scan_tx.
var errWouldTell = refuse("The wallet has already seen 1 or more recent transactions than the scanned tx. " +
	"Either connect to a trusted daemon or rescan the chain.")

var errMoved = refuse("The chain has changed since the wallet read it. Refresh the wallet and try again.")

// scanRequest is one scan of single transactions.
type scanRequest struct {
	s    *txScanner
	o    *openWallet
	txs  map[xmr.Hash]wallet.MinedTx // scanned transactions
	from uint64                      // index of the first block with one of them
}

// fetch adds transactions to the scan, and reports whether one of them is in the pool, which is read separately.
func (t *scanRequest) fetch(ctx context.Context, ids []xmr.Hash) (pool bool, err error) {
	client := t.s.active.client()
	found, missing, err := client.Transactions(ctx, ids, daemon.Pruned)
	if err != nil {
		return false, err
	}
	if len(missing) > 0 {
		return false, refuse(notFetched)
	}
	var places []wallet.MinedTx
	var txs []syncer.Tx
	for i := range found {
		f := &found[i]
		if f.InPool {
			pool = true
			continue
		}
		m := wallet.MinedTx{Height: f.Height, Timestamp: f.Timestamp}
		if extra, _ := tx.ParseExtra(f.Extra); extra.PaymentID != nil { // its meaning depends on the block's version
			header, err := client.BlockHeader(ctx, f.Height)
			if err != nil {
				return false, err
			}
			m.Version = header.Major
		}
		places, txs = append(places, m), append(txs, syncTx(&f.Tx))
	}
	scanned, err := syncer.ScanTxs(ctx, t.o.Keys().ViewSecret(), txs, t.s.workers)
	if err != nil {
		return false, err
	}
	for i := range scanned {
		m := places[i]
		m.ScannedTx = scanned[i]
		if len(t.txs) == 0 || m.Height < t.from {
			t.from = m.Height
		}
		t.txs[m.ID] = m
	}
	return pool, nil
}

// apply decides on the fetched transactions together with all that the wallet found in later blocks. If a refresh
// finds more in the meantime, it fetches that too. It returns wallet.ErrAhead for a block that is not scanned yet.
func (t *scanRequest) apply(ctx context.Context) error {
	for {
		if err := t.complete(ctx); err != nil {
			return err
		}
		all := make([]wallet.MinedTx, 0, len(t.txs))
		for _, m := range t.txs {
			all = append(all, m)
		}
		err := t.o.ChangeRetrying(ctx,
			func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) { return w.DecideScan(all) })
		switch {
		case errors.Is(err, wallet.ErrIncomplete):
			continue // each iteration requires a refresh that found something
		case errors.Is(err, wallet.ErrMoved):
			return errMoved
		}
		return err
	}
}

// complete fetches what the wallet found since the first of the transactions.
func (t *scanRequest) complete(ctx context.Context) error {
	if len(t.txs) == 0 {
		return nil
	}
	var again []xmr.Hash
	var height uint64
	t.o.View(func(w *wallet.Wallet) {
		height = w.Height()
		for id := range w.TxsFrom(t.from) {
			if _, ok := t.txs[id]; !ok {
				again = append(again, id)
			}
		}
	})
	if len(again) == 0 || t.from >= height {
		return nil
	}
	if t.s.active.trusted() != nil {
		return errWouldTell
	}
	unmined, err := t.fetch(ctx, again)
	if err == nil && unmined {
		return errMoved
	}
	return err
}
