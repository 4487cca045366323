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

// Scan looks through blocks with the view key and returns them ready for the wallet to decide on.
// Errors: keys.ErrKey, ErrPanic, the context's.
func Scan(ctx context.Context, view keys.Secret, blocks []Block, crew Crew) ([]wallet.Block, error) {
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
	return out, scanAll(ctx, view, txs, crew)
}

// ScanTxs is Scan for transactions without their blocks: those of a pool, or single ones.
func ScanTxs(ctx context.Context, view keys.Secret, txs []Tx, crew Crew) ([]wallet.Tx, error) {
	out := walletTxs(txs)
	all := make([]*wallet.Tx, len(out))
	for i := range out {
		all[i] = &out[i]
	}
	return out, scanAll(ctx, view, all, crew)
}

func walletTxs(txs []Tx) []wallet.Tx {
	out := make([]wallet.Tx, len(txs))
	for i := range txs {
		out[i] = wallet.Tx{ID: txs[i].ID, Tx: txs[i].Tx, Indices: txs[i].Indices, DoubleSpendSeen: txs[i].DoubleSpendSeen}
	}
	return out
}

func scanAll(ctx context.Context, view keys.Secret, txs []*wallet.Tx, crew Crew) error {
	scanner, err := scan.NewScanner(view)
	if err != nil {
		return err
	}
	var parts [][]*wallet.Tx
	for len(txs) > 0 {
		n := min(jobTxs, len(txs))
		parts = append(parts, txs[:n])
		txs = txs[n:]
	}
	own := sync.Pool{New: func() any { return scanner.Clone() }} // one for each that works at the same time
	return crew.Split(ctx, len(parts), func(i int) error {
		job := scan.Job{View: view, Txs: make([]scan.Tx, len(parts[i]))}
		for n, t := range parts[i] {
			job.Txs[n] = scan.Tx{ID: t.ID, Tx: t.Tx}
		}
		var result scan.Result
		if crew.Scan != nil {
			var err error
			if result, err = crew.Scan(ctx, job); err != nil {
				return err
			}
		} else {
			s := own.Get().(*scan.Scanner)
			defer own.Put(s)
			result = s.Run(job.Txs)
		}
		for n := range result.Found {
			parts[i][result.Found[n].Tx].Found = &result.Found[n]
		}
		return nil
	})
}
