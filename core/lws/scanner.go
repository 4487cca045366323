package lws

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// Scanner finds outputs of many accounts in the same transactions. Only one goroutine at a time calls Scan; others may
// call the other methods meanwhile. A Book discards what Scan finds for an account that changed meanwhile.
type Scanner interface {
	// Add adds an account with its primary address. It returns the errors of keys.ViewOnly.
	Add(id uint64, view keys.Secret, spend xmr.PublicKey) error
	// Watch adds subaddresses of an account.
	Watch(id uint64, list []Watched)
	// Remove removes an account.
	Remove(id uint64)
	// Scan returns the outputs of txs that these accounts can spend, ordered by transaction. It returns the error of
	// ctx.
	Scan(ctx context.Context, accounts []uint64, txs []scan.Tx) ([]Hit, error)
}

// Hit is an output that an account received.
type Hit struct {
	Account uint64
	Tx      int // index in the scanned transactions
	Output  int // index in the transaction
	Amount  uint64
	Mask    [32]byte // opens the commitment together with Amount
	At      keys.Index
	TxKey   xmr.PublicKey      // the public key of the transaction that the output was found with
	Shared  edwards.Derivation // the secret shared with the sender; zero for an output of the next hard fork
	// PaymentID is that of an output of the next hard fork to an integrated address, otherwise zero.
	PaymentID [8]byte
}

// PerAccount is a Scanner that scans for each account separately. It prepares a view key whenever it scans for it,
// because that takes microseconds, and what is prepared takes 200 kB.
type PerAccount struct {
	Workers syncer.Workers

	mu       sync.Mutex
	accounts map[uint64]*scanned
}

// scanned is an account of PerAccount. Its fields do not change: Watch replaces it.
type scanned struct {
	view  keys.Secret
	spend xmr.PublicKey
	at    map[xmr.PublicKey]keys.Index // the subaddresses; nil without any, because most accounts have none
}

// Add implements Scanner.
func (p *PerAccount) Add(id uint64, view keys.Secret, spend xmr.PublicKey) error {
	if _, err := keys.ViewOnly(view, spend); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.accounts == nil {
		p.accounts = map[uint64]*scanned{}
	}
	p.accounts[id] = &scanned{view: view, spend: spend}
	return nil
}

// Watch implements Scanner.
func (p *PerAccount) Watch(id uint64, list []Watched) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.accounts[id]
	if a == nil || len(list) == 0 {
		return
	}
	at := maps.Clone(a.at)
	if at == nil {
		at = map[xmr.PublicKey]keys.Index{}
	}
	for _, w := range list {
		at[w.Key] = w.At
	}
	p.accounts[id] = &scanned{a.view, a.spend, at}
}

// Remove implements Scanner.
func (p *PerAccount) Remove(id uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.accounts, id)
}

// account returns an account, or nil.
func (p *PerAccount) account(id uint64) *scanned {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.accounts[id]
}

// Scan implements Scanner.
func (p *PerAccount) Scan(ctx context.Context, accounts []uint64, txs []scan.Tx) ([]Hit, error) {
	narrow, places := make([]scan.Tx, 0, len(txs)), make([]int, 0, len(txs)) // places are indices in txs
	var wide []*tx.Transaction
	var widePlaces []int
	for i := range txs {
		if scan.Wide(txs[i].Tx) {
			wide, widePlaces = append(wide, txs[i].Tx), append(widePlaces, i)
			continue
		}
		narrow, places = append(narrow, txs[i]), append(places, i)
	}
	var mu sync.Mutex
	var hits []Hit
	err := p.Workers.For(ctx, len(accounts), func(i int) error {
		a := p.account(accounts[i])
		if a == nil {
			return nil
		}
		s, err := scan.NewScanner(a.view)
		if err != nil {
			return err
		}
		var found []Hit
		for _, f := range s.Run(narrow).Found {
			found = a.open(found, accounts[i], places[f.Tx], txs, &f)
		}
		if len(wide) > 0 {
			search := scan.NewSearch(wide)
			for n := range search.Jobs() {
				search.Take(n, s.Run(search.Job(n)), func(list []scan.Candidate) []scan.Candidate {
					return scan.Ours(list, a.owns)
				})
			}
			for n, f := range search.Found(s) {
				if f != nil {
					found = a.open(found, accounts[i], widePlaces[n], txs, f)
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		hits = append(hits, found...)
		return nil
	})
	slices.SortStableFunc(hits, func(a, b Hit) int { return a.Tx - b.Tx })
	return hits, err
}

func (a *scanned) owns(key xmr.PublicKey) bool {
	_, ok := a.index(key)
	return ok
}

// index returns the index of the address with a spend key.
func (a *scanned) index(key xmr.PublicKey) (at keys.Index, ok bool) {
	if key == a.spend {
		return keys.Index{}, true
	}
	at, ok = a.at[key]
	return at, ok
}

// open appends the outputs of a transaction that belong to the account and can be spent.
func (a *scanned) open(hits []Hit, id uint64, place int, txs []scan.Tx, f *scan.Found) []Hit {
	t := txs[place].Tx
	seen := map[int]bool{}
	for _, c := range f.Candidates {
		if seen[c.Output] {
			continue
		}
		if t.Carrot != nil {
			if h, ok := a.openCarrot(t, &c); ok {
				h.Account, h.Tx, seen[c.Output] = id, place, true
				hits = append(hits, h)
			}
			continue
		}
		at, ours := a.index(c.SpendKey)
		if !ours {
			continue
		}
		amount, mask, ok := scan.Amount(t, c.Output, c.Derivation)
		if !ok {
			continue
		}
		seen[c.Output] = true
		hits = append(hits, Hit{
			Account: id, Tx: place, Output: c.Output, Amount: amount, Mask: mask, At: at,
			TxKey: a.publicKey(t, &c), Shared: c.Derivation,
		})
	}
	return hits
}

// publicKey returns the public key of t whose derivation found c.
func (a *scanned) publicKey(t *tx.Transaction, c *scan.Candidate) xmr.PublicKey {
	view, err := edwards.DecodeScalar(a.view)
	if err != nil {
		panic("unreachable: Add checks the view key")
	}
	main, additional := tx.AppendKeys(nil, nil, t.Extra)
	if c.Output < len(additional) {
		if d, err := edwards.Derive(view, additional[c.Output]); err == nil && d == c.Derivation {
			return additional[c.Output]
		}
	}
	for _, k := range main {
		if d, err := edwards.Derive(view, k); err == nil && d == c.Derivation {
			return k
		}
	}
	return xmr.PublicKey(main[0]) // the key is not a point, and the output was paid with the neutral element
}

// errScanner reports an account that the Book has and its Scanner refuses.
var errScanner = errors.New("lws: the scanner refuses an account")
