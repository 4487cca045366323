package wallet

import (
	"maps"
	"slices"

	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// Wide is a transaction of so many public keys or outputs that not every candidate can be kept, see scan.Wide: it is looked through for
// addresses that are known beforehand. Copies of a Tx share it.
type Wide struct {
	tx    *tx.Transaction
	found *scan.Found // with the wallet's own candidates alone
	sizes []uint32    // of the table of addresses that were looked for; nil when nobody looked
}

// NewWide returns t as it is before anybody looked through it.
func NewWide(t *tx.Transaction) *Wide { return &Wide{tx: t} }

// found returns the candidates of t as far as they are known.
func (t *Tx) found() *scan.Found {
	if t.Wide != nil {
		return t.Wide.found
	}
	return t.Found
}

// Candidates returns how many outputs of t are known that may be the wallet's.
func (t *Tx) Candidates() int {
	if f := t.found(); f != nil {
		return len(f.Candidates)
	}
	return 0
}

// SearchError says that a decision lacks the candidates of wide transactions. Once they are looked through and Found has them, the
// decision is to be made again; it may name some again, when what they brought made the table of addresses grow.
type SearchError struct {
	wide  []*Wide
	extra *table // what the wallet's table lacks
	sizes []uint32
}

func (*SearchError) Error() string {
	return "wallet: transactions of many public keys have to be looked through"
}

// Txs returns the transactions to look through, for scan.NewSearch.
func (e *SearchError) Txs() []*tx.Transaction {
	txs := make([]*tx.Transaction, len(e.wide))
	for i, w := range e.wide {
		txs[i] = w.tx
	}
	return txs
}

// Ours returns those of list that pay addresses looked for, in the memory of list. w is the wallet that was to decide.
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

// Found takes what a search through Txs found, in their order.
func (e *SearchError) Found(found []*scan.Found) {
	for i, w := range e.wide {
		w.found, w.sizes = found[i], e.sizes
	}
}

// lacking adds what d lacks to e, which may be nil.
func (e *SearchError) lacking(d *draft) *SearchError {
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

// sought notes that t has to be looked through, when it is wide and was not yet: for all addresses that the draft has come to.
func (d *draft) sought(t *Tx) {
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
