package syncer

import (
	"context"
	"sync"

	"glim/core/internal/parallel"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/wallet"
)

// jobTxs is the number of transactions that one goroutine scans at a time: enough to share field inversions, few
// enough to spread the work.
const jobTxs = 250

// Scan scans blocks with the private view key and returns the results for the wallet to decide on. Errors:
// keys.ErrKey, ErrPanic, the error of ctx.
func Scan(ctx context.Context, view keys.Secret, blocks []Block, workers Workers) ([]wallet.ScannedBlock, error) {
	out := make([]wallet.ScannedBlock, len(blocks))
	var txs []*wallet.ScannedTx
	for i := range blocks {
		b := &blocks[i]
		out[i] = wallet.ScannedBlock{BlockID: wallet.BlockID{Height: b.Height, Hash: b.Hash}, Version: b.Version,
			Timestamp: b.Timestamp, Txs: walletTxs(b.Txs)}
		for j := range out[i].Txs {
			txs = append(txs, &out[i].Txs[j])
		}
	}
	return out, scanAll(ctx, view, txs, workers)
}

// ScanTxs is Scan for transactions without their blocks: pool transactions, or single ones.
func ScanTxs(ctx context.Context, view keys.Secret, txs []Tx, workers Workers) ([]wallet.ScannedTx, error) {
	out := walletTxs(txs)
	all := make([]*wallet.ScannedTx, len(out))
	for i := range out {
		all[i] = &out[i]
	}
	return out, scanAll(ctx, view, all, workers)
}

func walletTxs(txs []Tx) []wallet.ScannedTx {
	out := make([]wallet.ScannedTx, len(txs))
	for i := range txs {
		t := &txs[i]
		out[i] = wallet.ScannedTx{ID: t.ID, Tx: t.Tx, Indices: t.Indices, DoubleSpendSeen: t.DoubleSpendSeen}
	}
	return out
}

// jobBytes is the size above which a job has only one transaction, to limit the size of messages between workers.
const jobBytes = 1 << 20

// scanAll scans txs, except those for which scan.Wide holds: Search scans them once it is known which addresses the
// wallet has by then.
func scanAll(ctx context.Context, view keys.Secret, txs []*wallet.ScannedTx, workers Workers) error {
	scanner, err := scan.NewScanner(view)
	if err != nil {
		return err
	}
	var parts [][]*wallet.ScannedTx
	if err := parallel.Contain(func() error { parts = narrow(txs); return nil }); err != nil {
		return err
	}
	run := workers.runner(view, scanner)
	return workers.For(ctx, len(parts), func(i int) error {
		list := make([]scan.Tx, len(parts[i]))
		for n, t := range parts[i] {
			list[n] = scan.Tx{ID: t.ID, Tx: t.Tx}
		}
		result, err := run(ctx, list)
		if err != nil {
			return err
		}
		for n := range result.Found {
			parts[i][result.Found[n].Tx].Found = &result.Found[n]
		}
		return nil
	})
}

// narrow marks the wide transactions among txs and splits the others into jobs.
func narrow(txs []*wallet.ScannedTx) (parts [][]*wallet.ScannedTx) {
	size := 0
	for _, t := range txs {
		if scan.Wide(t.Tx) {
			t.Wide = wallet.NewWide(t.Tx)
			continue
		}
		last := len(parts) - 1
		more := len(t.Tx.Extra) + 34*len(t.Tx.Outputs)
		if last < 0 || len(parts[last]) == jobTxs || size+more > jobBytes {
			parts, size, last = append(parts, nil), 0, last+1
		}
		parts[last], size = append(parts[last], t), size+more
	}
	return parts
}

// Search scans the transactions of missing, which a decision lacked. ours returns the candidates that belong to the
// wallet, see SearchError.Ours; it is called from several goroutines. Errors: keys.ErrKey, ErrPanic, the error of
// ctx.
func Search(
	ctx context.Context, view keys.Secret, missing *wallet.SearchError, ours func([]scan.Candidate) []scan.Candidate,
	workers Workers,
) error {
	scanner, err := scan.NewScanner(view)
	if err != nil {
		return err
	}
	search := scan.NewSearch(missing.Txs())
	run := workers.runner(view, scanner)
	if err := workers.For(ctx, search.Jobs(), func(i int) error {
		result, err := run(ctx, search.Job(i))
		if err == nil {
			search.Take(i, result, ours)
		}
		return err
	}); err != nil {
		return err
	}
	missing.Found(search.Found(scanner))
	return nil
}

// runner returns the function that scans a job: w.Scan, or a local scanner for each goroutine.
func (w Workers) runner(view keys.Secret, scanner *scan.Scanner) func(context.Context, []scan.Tx) (scan.Result, error) {
	if w.Scan != nil {
		return func(ctx context.Context, txs []scan.Tx) (scan.Result, error) {
			return w.Scan(ctx, scan.Job{View: view, Txs: txs})
		}
	}
	scanners := sync.Pool{New: func() any { return scanner.Clone() }} // one for each goroutine
	return func(_ context.Context, txs []scan.Tx) (scan.Result, error) {
		s := scanners.Get().(*scan.Scanner)
		defer scanners.Put(s)
		return s.Run(txs), nil
	}
}
