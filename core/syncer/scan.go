package syncer

import (
	"context"
	"sync"

	"glim/core/keys"
	"glim/core/scan"
	"glim/core/wallet"
)

// jobTxs is how many transactions one worker takes at a time: enough to share inversions, few enough to spread.
const jobTxs = 250

// Scan looks through blocks with the view key on workers goroutines and returns them ready for the wallet to decide on.
// Errors: keys.ErrKey, ErrPanic, the context's.
func Scan(ctx context.Context, view keys.Secret, blocks []Block, workers int) ([]wallet.Block, error) {
	out := make([]wallet.Block, len(blocks))
	var txs []*wallet.Tx
	for i := range blocks {
		b := &blocks[i]
		out[i] = wallet.Block{BlockID: wallet.BlockID{Height: b.Height, Hash: b.Hash}, Version: b.Version,
			Timestamp: b.Timestamp, Txs: walletTxs(b.Txs)}
		for j := range out[i].Txs {
			txs = append(txs, &out[i].Txs[j])
		}
	}
	return out, scanAll(ctx, view, txs, workers)
}

// ScanTxs is Scan for transactions without their blocks: those of a pool, or single ones.
func ScanTxs(ctx context.Context, view keys.Secret, txs []Tx, workers int) ([]wallet.Tx, error) {
	out := walletTxs(txs)
	all := make([]*wallet.Tx, len(out))
	for i := range out {
		all[i] = &out[i]
	}
	return out, scanAll(ctx, view, all, workers)
}

func walletTxs(txs []Tx) []wallet.Tx {
	out := make([]wallet.Tx, len(txs))
	for i := range txs {
		out[i] = wallet.Tx{ID: txs[i].ID, Tx: txs[i].Tx, Indices: txs[i].Indices, DoubleSpendSeen: txs[i].DoubleSpendSeen}
	}
	return out
}

func scanAll(ctx context.Context, view keys.Secret, txs []*wallet.Tx, workers int) error {
	scanner, err := scan.NewScanner(view)
	if err != nil {
		return err
	}
	parts := make(chan []*wallet.Tx)
	errs := make(chan error, max(workers, 1))
	var group sync.WaitGroup
	for range max(workers, 1) {
		own := scanner.Clone()
		group.Go(func() {
			var failed error
			for part := range parts {
				if failed == nil {
					failed = Contain(func() error { scanPart(own, part); return nil })
				}
			}
			errs <- failed
		})
	}
	for len(txs) > 0 && ctx.Err() == nil {
		n := min(jobTxs, len(txs))
		parts <- txs[:n]
		txs = txs[n:]
	}
	close(parts)
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func scanPart(s *scan.Scanner, part []*wallet.Tx) {
	txs := make([]scan.Tx, len(part))
	for i, t := range part {
		txs[i] = scan.Tx{ID: t.ID, Tx: t.Tx}
	}
	result := s.Run(txs)
	for i := range result.Found {
		part[result.Found[i].Tx].Found = &result.Found[i]
	}
}
