package wallet

import (
	"maps"
	"slices"

	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// Wide is a transaction with so many public keys or outputs that not every candidate can be kept, see scan.Wide. It
// is searched only for addresses that are known beforehand. Copies of a ScannedTx share it.
type Wide struct {
	tx    *tx.Transaction
	found *scan.Found // with only the wallet's own candidates
	sizes []uint32    // of the address table that was searched for; nil before the first search
}

// NewWide returns t before its first search.
func NewWide(t *tx.Transaction) *Wide { return &Wide{tx: t} }

// found returns the candidates of t, as far as they are known.
func (t *ScannedTx) found() *scan.Found {
	if t.Wide != nil {
		return t.Wide.found
	}
	return t.Found
}

// Candidates returns the number of outputs of t that may belong to the wallet, as far as they are known.
func (t *ScannedTx) Candidates() int {
	if f := t.found(); f != nil {
		return len(f.Candidates)
	}
	return 0
}

// SearchError says that a decision lacks the candidates of wide transactions. After they are searched and passed to
// Found, the decision is to be made again. It may then name some of them again, if their outputs extended the address
// table.
type SearchError struct {
	wide  []*Wide
	extra *table // addresses that the wallet's table lacks
	sizes []uint32
}

func (*SearchError) Error() string {
	return "wallet: transactions with many public keys must be searched"
}

// Txs returns the transactions to search, for scan.NewSearch.
func (e *SearchError) Txs() []*tx.Transaction {
	txs := make([]*tx.Transaction, len(e.wide))
	for i, w := range e.wide {
		txs[i] = w.tx
	}
	return txs
}

// Ours returns those candidates of list that pay one of the addresses searched for; the result reuses the memory of
// list. w is the wallet of the decision.
func (e *SearchError) Ours(w *Wallet, list []scan.Candidate) []scan.Candidate {
	mine := w.table.filled().index
	return scan.Ours(list, func(spend xmr.PublicKey) bool {
		_, ours := mine[spend]
		if !ours {
			_, ours = e.extra.index[spend]
		}
		return ours
	})
}

// Found stores the results of the search, in the order of Txs.
func (e *SearchError) Found(found []*scan.Found) {
	for i, w := range e.wide {
		w.found, w.sizes = found[i], e.sizes
	}
}

// merge adds the searches that d requires to e, which may be nil.
func (e *SearchError) merge(d *draft) *SearchError {
	if len(d.search) == 0 {
		return e
	}
	if e == nil {
		e = &SearchError{extra: newTable(), sizes: slices.Clone(d.w.table.filled().sizes)}
	}
	e.wide = append(e.wide, d.search...)
	if d.table != nil {
		maps.Copy(e.extra.index, d.table.index)
		for major, n := range d.table.sizes {
			if major == len(e.sizes) {
				e.sizes = append(e.sizes, n)
			}
			e.sizes[major] = max(e.sizes[major], n)
		}
	}
	return e
}

// requireSearch adds t to the required searches if it is wide and was not searched for all addresses of the draft.
func (d *draft) requireSearch(t *ScannedTx) {
	if t.Wide == nil {
		return
	}
	enough := t.Wide.sizes != nil
	if d.table != nil {
		for major, n := range d.table.sizes {
			enough = enough && major < len(t.Wide.sizes) && n <= t.Wide.sizes[major]
		}
	}
	if !enough {
		d.search = append(d.search, t.Wide)
	}
}
