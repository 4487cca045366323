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

// jobBytes is from how many bytes on a job goes to a worker alone: what passes between workers is bounded with it.
const jobBytes = 1 << 20

// scanAll looks through txs, but those for which scan.Wide holds: these are for Search, once it is known which addresses the wallet has by then.
func scanAll(ctx context.Context, view keys.Secret, txs []*wallet.Tx, crew Crew) error {
	scanner, err := scan.NewScanner(view)
	if err != nil {
		return err
	}
	var parts [][]*wallet.Tx
	if err := Contain(func() error { parts = narrow(txs); return nil }); err != nil {
		return err
	}
	run := crew.runner(view, scanner)
	return crew.Split(ctx, len(parts), func(i int) error {
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

// narrow marks those of txs that are wide, and cuts the others into jobs.
func narrow(txs []*wallet.Tx) (parts [][]*wallet.Tx) {
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

// Search looks through the transactions that missing names, for a decision that lacked them. ours returns which candidates are the wallet's, as
// SearchError.Ours; calls come from several goroutines. Errors: keys.ErrKey, ErrPanic, the context's.
func Search(ctx context.Context, view keys.Secret, missing *wallet.SearchError, ours func([]scan.Candidate) []scan.Candidate, crew Crew) error {
	scanner, err := scan.NewScanner(view)
	if err != nil {
		return err
	}
	search := scan.NewSearch(missing.Txs())
	run := crew.runner(view, scanner)
	if err := crew.Split(ctx, search.Jobs(), func(i int) error {
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

// runner returns what runs a job for one of several goroutines, here or where the host says.
func (c Crew) runner(view keys.Secret, scanner *scan.Scanner) func(context.Context, []scan.Tx) (scan.Result, error) {
	if c.Scan != nil {
		return func(ctx context.Context, txs []scan.Tx) (scan.Result, error) {
			return c.Scan(ctx, scan.Job{View: view, Txs: txs})
		}
	}
	own := sync.Pool{New: func() any { return scanner.Clone() }} // one for each that works at the same time
	return func(_ context.Context, txs []scan.Tx) (scan.Result, error) {
		s := own.Get().(*scan.Scanner)
		defer own.Put(s)
		return s.Run(txs), nil
	}
}
