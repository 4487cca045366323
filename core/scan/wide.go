package scan

import (
	"cmp"
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// A transaction may have any number of public keys, and each may pay any of its outputs: consensus limits both only by
// the size of a block, and the reference tries all pairs. Most transactions have one key, some have two. Transactions
// with more are scanned in parts of bounded size, and only candidates with spend keys of the wallet are kept.
const (
	narrowKeys    = 2 // beyond these a transaction is wide
	narrowOutputs = 4096
	narrowExtra   = 8 << 10 // bytes

	// Limits of a part: public keys, outputs, pairs of both, and pairs with untagged outputs. Every untagged pair
	// yields a candidate, and one in 256 of the others.
	partKeys     = 256
	partOutputs  = 4096
	partPairs    = 1 << 18
	partUntagged = 1 << 12

	// The most small transactions in one job.
	jobTxs = 250
)

// Wide reports whether t has so many public keys or outputs that its candidates must not be held in memory at once.
func Wide(t *tx.Transaction) bool {
	switch {
	case len(t.Outputs) == 0 || t.Carrot != nil: // at most one key for each output, and no candidates but by chance
		return false
	case len(t.Outputs) > narrowOutputs || len(t.Extra) > narrowExtra:
		return true
	case len(t.Extra) <= 33*narrowKeys:
		return false
	}
	main, _ := tx.AppendKeys(nil, nil, t.Extra)
	return len(main) > narrowKeys
}

// Search scans wide transactions in parts that goroutines share. Each goroutine takes jobs by number, runs them with a
// Scanner and passes the results to Take, which keeps only candidates of the wallet. Memory is bounded by the
// transactions and these candidates.
type Search struct {
	txs  []wide
	jobs []jobs

	mu    sync.Mutex // guards found
	found [][]Candidate
	at    []map[payment]int // position in found
}

// wide is a transaction of a search.
type wide struct {
	outputs    []tx.Output
	main       [][32]byte // public keys in order, without repeated ones
	additional [][32]byte // at most one per output
	last       [32]byte   // of all public keys
	keys, outs int        // limits of a part
}

// jobs describes consecutive jobs: the parts of one transaction, or one job for several transactions of one part each.
type jobs struct {
	before int // number of jobs before these
	tx, n  int // first transaction, and how many
}

// payment identifies an output by the derivation that found it: public keys that differ only by torsion find it
// repeatedly.
type payment struct {
	output     int
	derivation edwards.Derivation
}

// NewSearch splits txs into jobs.
func NewSearch(txs []*tx.Transaction) *Search {
	s := &Search{
		txs:   make([]wide, len(txs)),
		found: make([][]Candidate, len(txs)),
		at:    make([]map[payment]int, len(txs)),
	}
	before, pairs := 0, 0
	for i, t := range txs {
		w := &s.txs[i]
		w.plan(t)
		parts := w.parts()
		if parts == 0 {
			continue
		}
		size := (len(w.main) + 1) * len(w.outputs)
		if j := len(s.jobs) - 1; j >= 0 && parts == 1 && pairs > 0 && pairs+size <= partUntagged &&
			s.jobs[j].tx+s.jobs[j].n == i && s.jobs[j].n < jobTxs {
			s.jobs[j].n++
			pairs += size
			continue
		}
		s.jobs = append(s.jobs, jobs{before, i, 1})
		before += parts
		if pairs = size; parts > 1 {
			pairs = 0 // no other transaction joins these jobs
		}
	}
	s.jobs = append(s.jobs, jobs{before: before})
	return s
}

func (w *wide) plan(t *tx.Transaction) {
	w.outputs = t.Outputs
	w.main, w.additional = tx.AppendKeys(nil, nil, t.Extra)
	if len(w.main) == 0 {
		return
	}
	w.last = w.main[len(w.main)-1]
	seen := make(map[[32]byte]bool, len(w.main))
	distinct := w.main[:0]
	for _, k := range w.main {
		if !seen[k] {
			seen[k] = true
			distinct = append(distinct, k)
		}
	}
	w.main, w.additional = distinct, w.additional[:min(len(w.additional), len(t.Outputs))]
	pairs := partPairs
	for i := range t.Outputs {
		if !t.Outputs[i].Tagged {
			pairs = partUntagged
			break
		}
	}
	w.outs = min(len(t.Outputs), partOutputs)
	w.keys = min(max(pairs/max(w.outs, 1), 1), partKeys)
}

// parts returns the number of parts of w. They are ordered by public key, then by output.
func (w *wide) parts() int {
	if len(w.main) == 0 || len(w.outputs) == 0 {
		return 0
	}
	return count(len(w.main), w.keys) * count(len(w.outputs), w.outs)
}

func count(n, each int) int { return (n + each - 1) / each }

// part returns part n as a transaction, and the number of its first public key.
func (w *wide) part(n int) (Tx, int) {
	across := count(len(w.outputs), w.outs)
	key, first := n/across*w.keys, n%across*w.outs
	end := min(first+w.outs, len(w.outputs))
	t := &tx.Transaction{Outputs: w.outputs[first:end]}
	for _, k := range w.main[key:min(key+w.keys, len(w.main))] {
		t.Extra = tx.AppendPublicKey(t.Extra, k)
	}
	if key == 0 && first < len(w.additional) {
		list := make([]xmr.PublicKey, min(end, len(w.additional))-first)
		for i := range list {
			list[i] = w.additional[first+i]
		}
		t.Extra = tx.AppendAdditionalKeys(t.Extra, list)
	}
	return Tx{Tx: t, First: first}, key
}

// Jobs returns the number of jobs.
func (s *Search) Jobs() int { return s.jobs[len(s.jobs)-1].before }

// of returns the entry of s.jobs that contains job n.
func (s *Search) of(n int) jobs {
	low, high := 0, len(s.jobs)-1
	for high-low > 1 {
		if mid := (low + high) / 2; s.jobs[mid].before <= n {
			low = mid
		} else {
			high = mid
		}
	}
	return s.jobs[low]
}

// Job returns the transactions of job n for Scanner.Run.
func (s *Search) Job(n int) []Tx {
	j := s.of(n)
	txs := make([]Tx, j.n)
	for i := range txs {
		txs[i], _ = s.txs[j.tx+i].part(n - j.before)
	}
	return txs
}

// Take adds the result of job n. ours returns the candidates with spend keys of the wallet, in order; it may reuse its
// argument.
func (s *Search) Take(n int, r Result, ours func([]Candidate) []Candidate) {
	j := s.of(n)
	_, key := s.txs[j.tx].part(n - j.before)
	for i := range r.Found {
		f := &r.Found[i]
		list := ours(f.Candidates)
		if len(list) == 0 {
			continue
		}
		s.enter(j.tx+f.Tx, key, list)
	}
}

func (s *Search) enter(n, key int, list []Candidate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at[n] == nil {
		s.at[n] = map[payment]int{}
	}
	for _, c := range list {
		c.Key += key
		p := payment{c.Output, c.Derivation}
		if at, known := s.at[n][p]; known {
			s.found[n][at].Key = min(s.found[n][at].Key, c.Key) // because jobs finish in any order
			continue
		}
		s.at[n][p] = len(s.found[n])
		s.found[n] = append(s.found[n], c)
	}
}

// Found returns the results of all jobs, one entry per transaction, nil if nothing was found in it. r must have the
// view key of the jobs.
func (s *Search) Found(r *Scanner) []*Found {
	all := make([]*Found, len(s.txs))
	for i := range s.txs {
		list := s.sorted(i)
		if len(list) == 0 {
			continue
		}
		var main [1]edwards.Derivation
		r.deriver.Derive(main[:], [][32]byte{s.txs[i].last})
		all[i] = &Found{Tx: i, Candidates: list, Main: main[0]}
	}
	return all
}

// sorted returns the candidates of transaction i by public key, then by output.
func (s *Search) sorted(i int) []Candidate {
	smallsort.Stable(
		s.found[i],
		func(a, b Candidate) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Output, b.Output)) },
	)
	return s.found[i]
}

// Find scans t for outputs with spend keys for which ours is true, in bounded memory for any t. Candidates are ordered
// as in Found; nil if it found no output. It returns keys.ErrKey for an invalid view key.
func Find(view keys.Secret, t *tx.Transaction, ours func(xmr.PublicKey) bool) ([]Candidate, error) {
	r, err := NewScanner(view)
	if err != nil {
		return nil, err
	}
	s := NewSearch([]*tx.Transaction{t})
	for n := range s.Jobs() {
		s.Take(n, r.Run(s.Job(n)), func(list []Candidate) []Candidate { return Ours(list, ours) })
	}
	return s.sorted(0), nil
}

// Ours filters list in place and returns the candidates whose spend key satisfies ours.
func Ours(list []Candidate, ours func(xmr.PublicKey) bool) []Candidate {
	kept := list[:0]
	for i := range list {
		if ours(list[i].SpendKey) {
			kept = append(kept, list[i])
		}
	}
	return kept
}
