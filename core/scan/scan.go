// Package scan finds, with a view key alone, the outputs of transactions that may be a wallet's.
package scan

import (
	"encoding/binary"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Job is a run of transactions to look through. It and Result are plain values, so that several workers can share a
// range of the chain.
type Job struct {
	View keys.Secret
	Txs  []Tx
}

// Tx is a transaction with its ID; a pruned one has all that is needed.
type Tx struct {
	ID xmr.Hash
	Tx *tx.Transaction
	// First is the index of the first of Tx.Outputs when Tx is a part of a transaction, see Search.
	First int
}

// Candidate is an output that would be the wallet's if SpendKey were one of its addresses'. Which addresses there are is decided
// where results are applied, in chain order, so that a table of addresses that grows half-way misses nothing.
type Candidate struct {
	Key        int                // counts the transaction's public keys, but not those that find the same
	Output     int                // index in the transaction
	SpendKey   xmr.PublicKey      // the address's public spend key
	Derivation edwards.Derivation // the shared secret with the sender
}

// Found is what one transaction holds.
type Found struct {
	Tx         int         // index in the transactions looked through
	Candidates []Candidate // by public key of the transaction, then by output
	// Main is the derivation of the transaction's last public key, all zeros when that is no point; it opens an encrypted payment ID.
	Main edwards.Derivation
}

// Result lists the transactions with candidates, in order.
type Result struct{ Found []Found }

// Run looks through job. Errors: keys.ErrKey.
func Run(job Job) (Result, error) {
	s, err := NewScanner(job.View)
	if err != nil {
		return Result{}, err
	}
	return s.Run(job.Txs), nil
}

// Scanner looks through many runs of transactions with one view key, which it takes apart once. Goroutines that scan at
// the same time need one each, which Clone gives.
type Scanner struct{ deriver *edwards.Deriver }

// NewScanner prepares view. Errors: keys.ErrKey.
func NewScanner(view keys.Secret) (*Scanner, error) {
	v, err := edwards.DecodeScalar(view)
	if err != nil {
		return nil, keys.ErrKey
	}
	return &Scanner{edwards.NewDeriver(v)}, nil
}

// Clone returns a Scanner of the same view key, for another goroutine.
func (r *Scanner) Clone() *Scanner { return &Scanner{r.deriver.Clone()} }

// Run looks through txs. A transaction without a public key yields nothing. Every public key is tried with every output, and each may be a
// candidate: transactions for which Wide holds are for a Search, which calls Run with parts of them.
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
			additional = nil // they go with the first public key alone
		}
	}
	s.compare()
	return s.result(func(i int) edwards.Derivation { return derivations[plan.txs[i].main+plan.txs[i].mains-1] })
}

// unique drops repeated derivations: a public key named twice pays once.
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

// keyPlan lays the public keys of all transactions in one row, for one batch of derivations.
type keyPlan struct {
	keys [][32]byte
	txs  []struct{ main, mains, additional int }
}

func planKeys(txs []Tx) keyPlan {
	var additional [][32]byte
	p := keyPlan{keys: make([][32]byte, 0, len(txs)), txs: make([]struct{ main, mains, additional int }, len(txs))}
	for i := range txs {
		t := txs[i].Tx
		if len(t.Outputs) == 0 {
			continue
		}
		p.txs[i].main = len(p.keys)
		p.keys, additional = tx.AppendKeys(p.keys, additional[:0], t.Extra) // fields before a malformed one count
		if p.txs[i].mains = len(p.keys) - p.txs[i].main; p.txs[i].mains == 0 {
			continue
		}
		p.txs[i].additional = min(len(additional), len(t.Outputs)) // one is for one output
		p.keys = append(p.keys, additional[:p.txs[i].additional]...)
	}
	return p
}

// search gathers payments that may be the wallet's; their spend keys are found together at the end.
type search struct {
	outputs  []tx.Output
	first    uint64 // index of the first of outputs
	payments []edwards.Payment
	of       []origin // of each payment

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

// neutral takes the place of a derivation where a public key is no point: the reference goes on with it, so an output can be paid so.
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
		s.compare() // payments are in order
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
	all := make([]Candidate, 0, len(s.payments)) // one piece of memory, which the transactions share
	last := -1
	for i := range s.payments {
		if s.of[i].tx != last {
			last = s.of[i].tx
			r.Found = append(r.Found, Found{Tx: last, Main: main(last)})
		}
		if p := &s.payments[i]; p.Valid { // otherwise the output belongs to nobody
			all = append(all, Candidate{s.of[i].key, int(p.Index), p.SpendKey, p.Derivation})
			f := &r.Found[len(r.Found)-1]
			n := len(f.Candidates) + 1
			f.Candidates = all[len(all)-n : len(all) : len(all)]
		}
	}
	return r
}

// Amount opens output o of t with the derivation that found it. It returns the amount in atomic units and the mask
// of its commitment; false when the amount is zero or does not open the commitment on the chain, in which case the
// output cannot be spent and must not be counted.
// Source: src/wallet/wallet2.cpp, scan_output, decodeRct; src/ringct/rctSigs.cpp, decodeRctSimple.
func Amount(t *tx.Transaction, o int, d edwards.Derivation) (amount uint64, mask [32]byte, ok bool) {
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
		open := keys.SealAmount(shared, [8]byte(r.Ecdh[o].Amount[:8]))
		amount, m = binary.LittleEndian.Uint64(open[:]), keys.CommitmentMask(shared)
	} else {
		amount, m = keys.OpenLongAmount(shared, r.Ecdh[o].Mask, r.Ecdh[o].Amount)
	}
	if amount == 0 || !r.Commits(o, edwards.Commit(m, amount).Encode()) {
		return 0, mask, false
	}
	return amount, edwards.EncodeScalar(m), true
}
