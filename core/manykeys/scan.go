package manykeys

import (
	"cmp"
	"context"
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/internal/parallel"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// Match is an output that is paid to an address of an account.
type Match struct {
	Account ID
	Tx      int // index in the scanned transactions
	// Candidate has the output's index, its derivation, and the public spend key of the address. Candidate.Key is the
	// lowest index of a public key, among the distinct ones of the transaction, that finds the output. For an output of
	// the next hard fork, the derivation is carrot.Shared, and scan.Open returns more about the output.
	scan.Candidate
	Index keys.Index // of the address; zero for the main address
	// Main is the derivation of the transaction's last public key, or zeros if that key is not a point. It decrypts a
	// payment ID, see keys.DecryptPaymentID. It is zero for an output of the next hard fork.
	Main edwards.Derivation
	// Amount in atomic units, and the mask of the commitment, as scan.Amount returns them. Opens is false if the amount
	// is zero or does not open the commitment: then the output cannot be spent and must not be counted.
	Amount uint64
	Mask   [32]byte
	Opens  bool
}

const (
	accountsAtOnce = 256 // whose derivations and view tags are computed together
	paymentsAtOnce = 64  // whose spend keys are computed together
	leastAccounts  = 512 // in a piece of work that is not all accounts
	piecesEach     = 4   // for every goroutine, so that all end at about the same time
)

// Scan returns the outputs of txs that are paid to the accounts, by transaction, then by account, then by public key of
// the transaction, then by output. For each account it finds what scan.Find finds, and pruned transactions are
// sufficient. Of transactions of the next hard fork (Carrot) it finds what scan.Scanner finds and scan.Open opens.
//
// Work is divided by transactions, and by accounts where there are few transactions. Besides the matches, each
// goroutine needs about 600 KiB of memory, whatever the transactions contain. The number of derivations is that of a
// transaction's public keys times that of accounts, and each is tried with every output. Consensus limits both only by
// the size of a block, so a miner can make a block that takes hours; scan.Wide tells which transactions have many. Scan
// returns the error of ctx soon after that ends.
func (s *Set) Scan(ctx context.Context, txs []*tx.Transaction) ([]Match, error) {
	n := s.acquire()
	defer s.release(n)
	if len(n.accounts) == 0 || len(txs) == 0 {
		return nil, ctx.Err()
	}
	parts := (piecesEach*s.workers() + len(txs) - 1) / len(txs)
	parts = max(1, min(parts, len(n.accounts)/leastAccounts))
	size := (len(n.accounts) + parts - 1) / parts
	var mu sync.Mutex
	var all []Match
	pool := parallel.Pool{Workers: s.workers(), LowPriority: s.LowPriority}
	err := pool.For(ctx, parts*len(txs), func(i int) error {
		first := i % parts * size
		end := min(first+size, len(n.accounts))
		if first >= end {
			return nil
		}
		p := pieces.Get().(*piece)
		defer p.put()
		p.start(ctx, n, i/parts, txs[i/parts], first, end)
		if err := p.run(); err != nil || len(p.matches) == 0 {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, p.matches...)
		return nil
	})
	if err != nil {
		clear(all)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	smallsort.Stable(all, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Tx, b.Tx), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Output, b.Output))
	})
	return all, nil
}

// piece scans one transaction for some of the accounts.
type piece struct {
	ctx        context.Context
	snapshot   *snapshot
	index      int
	tx         *tx.Transaction
	first, end int // accounts

	table        edwards.KeyTable
	derivations  [accountsAtOnce]edwards.Derivation
	indices      [accountsAtOnce]uint64
	tags         [accountsAtOnce]byte
	payments     []edwards.Payment
	of           []origin // of each payment
	main, others [][32]byte
	known        map[found]bool // what the matches are of
	matches      []Match
}

// origin is the account of a payment, as index in the snapshot, and the number of the transaction's public key.
type origin struct{ account, key int }

// found identifies an output of an account by the derivation that finds it: public keys that differ only by torsion
// find it repeatedly.
type found struct {
	account, output int
	derivation      edwards.Derivation
}

// neutral replaces the derivation of a public key that is not a point, as in package scan.
var neutral = edwards.Derivation{1}

var pieces = sync.Pool{New: func() any { return new(piece) }}

func (p *piece) start(ctx context.Context, n *snapshot, index int, t *tx.Transaction, first, end int) {
	p.ctx, p.snapshot, p.index, p.tx, p.first, p.end = ctx, n, index, t, first, end
}

// put overwrites what the view keys determine, and keeps p for another piece.
func (p *piece) put() {
	clear(p.derivations[:])
	clear(p.tags[:])
	clear(p.payments[:cap(p.payments)])
	clear(p.matches)
	p.payments, p.of, p.matches, p.known = p.payments[:0], p.of[:0], p.matches[:0], nil
	p.ctx, p.snapshot, p.tx = nil, nil, nil
	pieces.Put(p)
}

func (p *piece) run() error {
	if p.tx.Carrot != nil {
		return p.runCarrot()
	}
	if len(p.tx.Outputs) == 0 {
		return nil
	}
	p.main, p.others = tx.AppendKeys(p.main[:0], p.others[:0], p.tx.Extra) // also fields before a malformed one
	if len(p.main) == 0 {
		return nil
	}
	last := p.main[len(p.main)-1]
	// Every public key may pay every output. Additional keys pay one output each, and belong to the first public key.
	number := 0
	seen := map[[32]byte]bool{}
	for _, key := range p.main {
		if seen[key] {
			continue
		}
		seen[key] = true
		if err := p.try(key, number, 0, len(p.tx.Outputs)); err != nil {
			return err
		}
		if number == 0 {
			for o, key := range p.others[:min(len(p.others), len(p.tx.Outputs))] {
				if err := p.try(key, number, o, o+1); err != nil {
					return err
				}
			}
		}
		number++
	}
	p.flush()
	p.setMain(last)
	return nil
}

// try looks for payments with a public key to outputs from from to to, exclusively.
func (p *piece) try(key [32]byte, number, from, to int) error {
	valid := p.table.Set(key, p.end-p.first)
	for first := p.first; first < p.end; first += accountsAtOnce {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		n := min(accountsAtOnce, p.end-first)
		ds := p.derivations[:n]
		if valid {
			p.table.Derive(ds, p.snapshot.views, first)
		} else {
			for i := range ds {
				ds[i] = neutral
			}
		}
		for o := from; o < to; o++ {
			if o%accountsAtOnce == accountsAtOnce-1 && p.ctx.Err() != nil {
				return p.ctx.Err()
			}
			p.tryOutput(ds, o, first, number)
		}
	}
	return nil
}

// tryOutput looks for payments to one output by the derivations of accounts from first on.
func (p *piece) tryOutput(ds []edwards.Derivation, o, first, number int) {
	out := &p.tx.Outputs[o]
	if !out.Tagged {
		for i := range ds {
			p.add(&ds[i], out, o, origin{first + i, number})
		}
		return
	}
	indices, tags := p.indices[:len(ds)], p.tags[:len(ds)]
	for i := range indices {
		indices[i] = uint64(o)
	}
	edwards.ViewTags(tags, ds, indices)
	for i, tag := range tags {
		if tag == out.ViewTag {
			p.add(&ds[i], out, o, origin{first + i, number})
		}
	}
}

func (p *piece) add(d *edwards.Derivation, out *tx.Output, o int, from origin) {
	p.payments = append(p.payments, edwards.Payment{Derivation: *d, Index: uint64(o), Output: out.Key})
	p.of = append(p.of, from)
	if len(p.payments) == paymentsAtOnce {
		p.flush()
	}
}

// flush makes matches of the payments that are for addresses of their accounts.
func (p *piece) flush() {
	edwards.SpendKeys(p.payments)
	for i := range p.payments {
		pay, from := &p.payments[i], p.of[i]
		a := p.snapshot.accounts[from.account]
		if !pay.Valid {
			continue // the output has no owner
		}
		if index, ours := a.find(pay.SpendKey); ours {
			p.match(a, index, pay, from)
		}
	}
	p.payments, p.of = p.payments[:0], p.of[:0]
}

func (p *piece) match(a *account, index keys.Index, pay *edwards.Payment, from origin) {
	id := found{from.account, int(pay.Index), pay.Derivation}
	if p.known[id] {
		return // by an earlier public key
	}
	if p.known == nil {
		p.known = map[found]bool{}
	}
	p.known[id] = true
	m := Match{
		Account: a.id, Tx: p.index, Index: index,
		Candidate: scan.Candidate{
			Key: from.key, Output: int(pay.Index), SpendKey: xmr.PublicKey(pay.SpendKey), Derivation: pay.Derivation,
		},
	}
	m.Amount, m.Mask, m.Opens = scan.Amount(p.tx, m.Output, m.Derivation)
	p.matches = append(p.matches, m)
}

// setMain sets Main of the matches.
func (p *piece) setMain(last [32]byte) {
	mains := map[ID]edwards.Derivation{}
	for id := range p.known {
		a := p.snapshot.accounts[id.account]
		if _, done := mains[a.id]; !done {
			mains[a.id], _ = edwards.Derive(&p.snapshot.scalars[id.account], last) // zeros with the error
		}
	}
	for i := range p.matches {
		p.matches[i].Main = mains[p.matches[i].Account]
	}
}
