package lws

import (
	"context"
	"slices"

	"glim/core/keys"
	"glim/core/manykeys"
	"glim/core/scan"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// Together is a Scanner that scans for many accounts at once, which takes about a third of the time of PerAccount. It
// scans for each account separately where that is faster: for a few of them, such as new accounts that are behind, and
// in transactions with so many public keys that scan.Wide reports them.
type Together struct {
	PerAccount
	set manykeys.Set
}

// NewTogether returns a Scanner that uses these workers.
func NewTogether(workers syncer.Workers) *Together {
	return &Together{
		PerAccount: PerAccount{Workers: workers},
		set:        manykeys.Set{Workers: workers.Count, LowPriority: workers.LowPriority},
	}
}

// fewAccounts is the number of accounts from which on package manykeys is faster.
const fewAccounts = 10

// Add implements Scanner.
func (t *Together) Add(id uint64, view keys.Secret, spend xmr.PublicKey) error {
	if err := t.PerAccount.Add(id, view, spend); err != nil {
		return err
	}
	return t.set.Add(manykeys.ID(id), view, spend)
}

// Watch implements Scanner.
func (t *Together) Watch(id uint64, list []Watched) {
	t.PerAccount.Watch(id, list)
	at := make(map[xmr.PublicKey]keys.Index, len(list))
	for _, w := range list {
		at[w.Key] = w.At
	}
	_ = t.set.AddSpendKeys(manykeys.ID(id), at) // an account that was removed is not scanned
}

// Remove implements Scanner.
func (t *Together) Remove(id uint64) {
	t.PerAccount.Remove(id)
	_ = t.set.Remove(manykeys.ID(id)) // it was removed before
}

// Scan implements Scanner.
func (t *Together) Scan(ctx context.Context, accounts []uint64, txs []scan.Tx) ([]Hit, error) {
	if len(accounts) < fewAccounts || 2*len(accounts) < t.set.Len() {
		return t.PerAccount.Scan(ctx, accounts, txs)
	}
	var narrow []*tx.Transaction
	var wide []scan.Tx
	var narrowPlaces, widePlaces []int // indices in txs
	for i := range txs {
		if scan.Wide(txs[i].Tx) {
			wide, widePlaces = append(wide, txs[i]), append(widePlaces, i)
		} else {
			narrow, narrowPlaces = append(narrow, txs[i].Tx), append(narrowPlaces, i)
		}
	}
	matches, err := t.set.Scan(ctx, narrow)
	if err != nil {
		return nil, err
	}
	hits := t.hits(accounts, narrowPlaces, txs, matches)
	if len(wide) > 0 {
		more, err := t.PerAccount.Scan(ctx, accounts, wide)
		if err != nil {
			return nil, err
		}
		for i := range more {
			more[i].Tx = widePlaces[more[i].Tx]
		}
		hits = append(hits, more...)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return a.Tx - b.Tx })
	return hits, nil
}

// hits returns the matches of accounts that can be spent. places are the indices of the scanned transactions in txs.
func (t *Together) hits(accounts []uint64, places []int, txs []scan.Tx, matches []manykeys.Match) (hits []Hit) {
	wanted := make(map[uint64]bool, len(accounts))
	for _, id := range accounts {
		wanted[id] = true
	}
	type output struct {
		account uint64
		tx, n   int
	}
	seen := map[output]bool{}
	for i := range matches {
		m := &matches[i]
		id, place := uint64(m.Account), places[m.Tx]
		a := t.account(id)
		of := output{id, place, m.Output}
		if a == nil || !wanted[id] || !m.Opens || seen[of] {
			continue
		}
		if txs[place].Tx.Carrot != nil {
			if h, ok := a.openCarrot(txs[place].Tx, &m.Candidate); ok {
				h.Account, h.Tx, seen[of] = id, place, true
				hits = append(hits, h)
			}
			continue
		}
		seen[of] = true
		hits = append(hits, Hit{
			Account: id, Tx: place, Output: m.Output, Amount: m.Amount, Mask: m.Mask, At: m.Index,
			TxKey: a.publicKey(txs[place].Tx, &m.Candidate), Shared: m.Derivation,
		})
	}
	return hits
}
