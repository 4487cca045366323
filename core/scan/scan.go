// Package scan finds the outputs of transactions that may belong to a wallet, with the view key alone. Use Find for one
// transaction, a Scanner for many, and a Search for transactions that Wide reports.
package scan

import (
	"encoding/binary"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Job is a list of transactions to scan. Job and Result are plain values, so that several workers can share a range of
// the chain.
type Job struct {
	View keys.Secret
	Txs  []Tx
}

// Tx is a transaction with its ID. A pruned one is sufficient.
type Tx struct {
	ID xmr.Hash
	Tx *tx.Transaction
	// First is the index of Tx.Outputs[0] in the transaction when Tx is a part of one; see Search.
	First int
}

// Candidate is an output that belongs to the wallet if SpendKey is one of its addresses. The caller checks that when it
// applies the results in chain order, because the address table may have grown by then. An output of the next hard fork
// is a candidate if it has the view tag: Open tells what it contains.
type Candidate struct {
	Key        int                // index among the transaction's distinct public keys
	Output     int                // index in the transaction
	SpendKey   xmr.PublicKey      // public spend key of the address; zero for an output of the next hard fork
	Derivation edwards.Derivation // the shared secret with the sender; of the next hard fork, carrot.Shared
}

// Found lists the candidates of one transaction.
type Found struct {
	Tx         int         // index in the scanned transactions
	Candidates []Candidate // by public key of the transaction, then by output
	// Main is the derivation of the transaction's last public key, or zeros if that key is not a point. It decrypts a
	// payment ID.
	Main edwards.Derivation
}

// Result lists the transactions with candidates, in order.
type Result struct{ Found []Found }

// Run scans the transactions of job. It returns keys.ErrKey for an invalid view key.
func Run(job Job) (Result, error) {
	s, err := NewScanner(job.View)
	if err != nil {
		return Result{}, err
	}
	return s.Run(job.Txs), nil
}

// Scanner scans with one view key, which it prepares once. Only one goroutine may use it at a time; Clone returns one
// for another goroutine.
type Scanner struct {
	deriver *edwards.Deriver
	view    *edwards.Scalar
	sharer  *sharer // nil before the first transaction of the next hard fork
}

// NewScanner prepares a view key. It returns keys.ErrKey for an invalid one.
func NewScanner(view keys.Secret) (*Scanner, error) {
	v, err := edwards.DecodeScalar(view)
	if err != nil {
		return nil, keys.ErrKey
	}
	return &Scanner{deriver: edwards.NewDeriver(v), view: v}, nil
}

// Clone returns a Scanner with the same view key for another goroutine.
func (r *Scanner) Clone() *Scanner { return &Scanner{deriver: r.deriver.Clone(), view: r.view} }

// Run scans txs. A transaction without a public key yields nothing. Each public key is tried with each output, and each
// pair can yield a candidate, so transactions for which Wide is true belong in a Search, which calls Run with parts of
// them. Outputs of the next hard fork are found together with the others, in one pass.
// Source: src/wallet/wallet2.cpp, process_new_transaction.
func (r *Scanner) Run(txs []Tx) Result {
	plan := planKeys(txs)
	derivations := make([]edwards.Derivation, len(plan.keys))
	r.deriver.Derive(derivations, plan.keys)

	s := search{}
	for i, p := range plan.txs {
		s.outputs, s.first = txs[i].Tx.Outputs, uint64(txs[i].First)
		additional := derivations[p.main+p.mains : p.main+p.mains+p.additional]
		for key, main := range unique(derivations[p.main : p.main+p.mains]) {
			s.try(i, key, main, additional)
			additional = nil // they belong to the first public key only
		}
	}
	s.compare()
	found := s.result(func(i int) edwards.Derivation { return derivations[plan.txs[i].main+plan.txs[i].mains-1] })
	if plan.carrot > 0 {
		found = merge(found, r.runCarrot(txs, plan.carrot))
	}
	return found
}

// merge returns the transactions of both lists, which have none in common, in order.
func merge(r Result, more []Found) Result {
	if len(more) == 0 {
		return r
	}
	all := make([]Found, 0, len(r.Found)+len(more))
	for _, f := range r.Found {
		for len(more) > 0 && more[0].Tx < f.Tx {
			all, more = append(all, more[0]), more[1:]
		}
		all = append(all, f)
	}
	return Result{append(all, more...)}
}

// unique drops repeated derivations: a repeated public key pays only once.
func unique(ds []edwards.Derivation) []edwards.Derivation {
	if len(ds) < 2 {
		return ds
	}
	out := make([]edwards.Derivation, 0, len(ds))
	seen := make(map[edwards.Derivation]bool, len(ds))
	for _, d := range ds {
		if !seen[d] {
			seen[d] = true
			out = append(out, d)
		}
	}
	return out
}

// keyPlan collects the public keys of all transactions for one batch of derivations.
type keyPlan struct {
	keys   [][32]byte
	txs    []struct{ main, mains, additional int }
	carrot int // number of transactions of the next hard fork, which need other exchanges
}

func planKeys(txs []Tx) keyPlan {
	var additional [][32]byte
	p := keyPlan{keys: make([][32]byte, 0, len(txs)), txs: make([]struct{ main, mains, additional int }, len(txs))}
	for i := range txs {
		t := txs[i].Tx
		if t.Carrot != nil {
			p.carrot++
			continue
		}
		if len(t.Outputs) == 0 {
			continue
		}
		p.txs[i].main = len(p.keys)
		p.keys, additional = tx.AppendKeys(p.keys, additional[:0], t.Extra) // also fields before a malformed one
		if p.txs[i].mains = len(p.keys) - p.txs[i].main; p.txs[i].mains == 0 {
			continue
		}
		p.txs[i].additional = min(len(additional), len(t.Outputs)) // at most one per output
		p.keys = append(p.keys, additional[:p.txs[i].additional]...)
	}
	return p
}

// search gathers payments that may be the wallet's; their spend keys are found together at the end.
type search struct {
	outputs  []tx.Output
	first    uint64 // index of the first of outputs
	payments []edwards.Payment
	of       []origin // origin of each payment

	// Outputs whose view tags are going to be compared, in order.
	waiting     int
	derivations [tagsAtOnce]edwards.Derivation
	indices     [tagsAtOnce]uint64
	tags        [tagsAtOnce]byte
	waits       [tagsAtOnce]struct {
		origin
		*tx.Output
	}
}

// origin is the transaction of a payment and the number of its public key there.
type origin struct{ tx, key int }

// neutral replaces the derivation of a public key that is not a point. The reference also continues with the neutral
// element, so an output can be paid with such a key.
// Source: src/wallet/wallet2.cpp, process_parsed_blocks and process_new_transaction.
var neutral = edwards.Derivation{1}

// tagsAtOnce is how many view tags are computed together.
const tagsAtOnce = 64

func (s *search) try(txIndex, key int, main edwards.Derivation, additional []edwards.Derivation) {
	from := origin{txIndex, key}
	for o := range s.outputs {
		s.tryOutput(from, o, main)
		if o < len(additional) {
			s.tryOutput(from, o, additional[o])
		}
	}
}

func (s *search) tryOutput(from origin, o int, d edwards.Derivation) {
	if d == (edwards.Derivation{}) {
		d = neutral
	}
	out, index := &s.outputs[o], s.first+uint64(o)
	if !out.Tagged {
		s.compare() // keeps the payments in order
		s.add(from, index, d, out)
		return
	}
	n := s.waiting
	s.derivations[n], s.indices[n], s.waits[n].origin, s.waits[n].Output = d, index, from, out
	if s.waiting++; s.waiting == tagsAtOnce {
		s.compare()
	}
}

// compare adds the waiting outputs that have the view tags of payments.
func (s *search) compare() {
	n := s.waiting
	edwards.ViewTags(s.tags[:n], s.derivations[:n], s.indices[:n])
	for i := range n {
		if w := &s.waits[i]; s.tags[i] == w.ViewTag {
			s.add(w.origin, s.indices[i], s.derivations[i], w.Output)
		}
	}
	s.waiting = 0
}

func (s *search) add(from origin, index uint64, d edwards.Derivation, out *tx.Output) {
	s.payments = append(s.payments, edwards.Payment{Derivation: d, Index: index, Output: out.Key})
	s.of = append(s.of, from)
}

func (s *search) result(main func(txIndex int) edwards.Derivation) Result {
	edwards.SpendKeys(s.payments)
	var r Result
	all := make([]Candidate, 0, len(s.payments)) // one allocation, which the transactions share
	last := -1
	for i := range s.payments {
		if s.of[i].tx != last {
			last = s.of[i].tx
			r.Found = append(r.Found, Found{Tx: last, Main: main(last)})
		}
		if p := &s.payments[i]; p.Valid { // otherwise the output has no owner
			all = append(all, Candidate{s.of[i].key, int(p.Index), p.SpendKey, p.Derivation})
			f := &r.Found[len(r.Found)-1]
			n := len(f.Candidates) + 1
			f.Candidates = all[len(all)-n : len(all) : len(all)]
		}
	}
	return r
}

// Amount opens output o of t with the derivation that found it. It returns the amount in atomic units and the mask of
// its commitment; ok is false if the amount is zero or does not open the commitment on the chain, in which case the
// output cannot be spent and must not be counted.
// Source: src/wallet/wallet2.cpp, scan_output, decodeRct; src/ringct/rctSigs.cpp, decodeRctSimple.
func Amount(t *tx.Transaction, o int, d edwards.Derivation) (amount uint64, mask [32]byte, ok bool) {
	if t.Carrot != nil {
		return 0, mask, false // see Open
	}
	if a := t.Outputs[o].Amount; a != 0 {
		return a, edwards.EncodeScalar(edwards.ScalarFromUint64(1)), true
	}
	r := &t.RingCT
	if o >= len(r.Ecdh) {
		return 0, mask, false
	}
	shared := d.Scalar(uint64(o))
	var m *edwards.Scalar
	if r.Type >= tx.RingCTBulletproof2 {
		open := keys.DecryptAmount(shared, [8]byte(r.Ecdh[o].Amount[:8]))
		amount, m = binary.LittleEndian.Uint64(open[:]), keys.CommitmentMask(shared)
	} else {
		amount, m = keys.DecryptLongAmount(shared, r.Ecdh[o].Mask, r.Ecdh[o].Amount)
	}
	if amount == 0 || !r.Commits(o, edwards.Commit(m, amount).Encode()) {
		return 0, mask, false
	}
	return amount, edwards.EncodeScalar(m), true
}
