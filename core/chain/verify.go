package chain

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"glim/core/consensus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/keccak"
	"glim/core/internal/parallel"
	"glim/core/tx"
	"glim/core/xmr"
)

// Signatures and range proofs take most of the time of validation, and their validity does not depend on the chain's
// state. They are verified before the chain is locked, on several processors, and successes are remembered. Validation
// under the lock looks up the results, and verifies what is missing: its outcome never depends on what was verified
// ahead.

// maxVerified is how many results of each kind are remembered. If there are more, all are forgotten.
const maxVerified = 1 << 16

// verified are the remembered successes.
type verified struct {
	mu     sync.Mutex
	rings  map[xmr.Hash]struct{} // signatures, by ringsID
	member map[xmr.Hash]bool     // membership proofs, valid or not, by membershipID
	forms  map[xmr.Hash]uint8    // the version whose CheckTransaction a transaction has passed, by its ID
	proofs map[xmr.Hash]struct{} // range proofs and balance, by ID of the transaction
	// proofs of work, by block ID, which determines the blocks before and so the difficulty
	works  map[xmr.Hash]struct{}
	hashes map[xmr.Hash]xmr.Hash // proof-of-work hashes that HashAhead computed, valid or not, by block ID
}

func (v *verified) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rings, v.proofs, v.works = map[xmr.Hash]struct{}{}, map[xmr.Hash]struct{}{}, map[xmr.Hash]struct{}{}
	v.hashes, v.member, v.forms = map[xmr.Hash]xmr.Hash{}, map[xmr.Hash]bool{}, map[xmr.Hash]uint8{}
}

// membership returns whether membership proofs are valid, and whether that is known.
func (v *verified) membership(id xmr.Hash) (valid, known bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	valid, known = v.member[id]
	return valid, known
}

func (v *verified) addMembership(id xmr.Hash, valid bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.member) >= maxVerified {
		clear(v.member)
	}
	v.member[id] = valid
}

func (v *verified) hasRings(id xmr.Hash) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.rings[id]
	return ok
}

func (v *verified) hasProofs(id xmr.Hash) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.proofs[id]
	return ok
}

func (v *verified) hasWork(id xmr.Hash) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.works[id]
	return ok
}

func (v *verified) addWork(id xmr.Hash) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.works) >= maxVerified {
		clear(v.works)
	}
	v.works[id] = struct{}{}
}

func (v *verified) addRings(id xmr.Hash) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.rings) >= maxVerified {
		clear(v.rings)
	}
	v.rings[id] = struct{}{}
}

func (v *verified) addProofs(txs ...*Tx) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, t := range txs {
		if len(v.proofs) >= maxVerified {
			clear(v.proofs)
		}
		v.proofs[t.ID] = struct{}{}
	}
}

// checkForm returns the result of CheckTransaction, which it does not call again for the rules that a transaction has
// passed.
func (c *Chain) checkForm(t *Tx, r *consensus.Rules) error {
	v := &c.verified
	v.mu.Lock()
	version := v.forms[t.ID]
	v.mu.Unlock()
	if version == r.Version {
		return nil
	}
	if err := r.CheckTransaction(t.Tx, len(t.Blob), t.Weight); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.forms) >= maxVerified {
		clear(v.forms)
	}
	v.forms[t.ID] = r.Version
	return nil
}

// ringsID identifies a transaction together with its ring members, which a reorganisation may change. The
// transaction's ID covers all of its bytes, and therefore the size of each ring.
func ringsID(t *Tx, rings [][]clsag.Member) xmr.Hash {
	parts := [][]byte{t.ID[:]}
	for _, ring := range rings {
		for i := range ring {
			parts = append(parts, ring[i].Key[:], ring[i].Commitment[:])
		}
	}
	return keccak.Sum256(parts...)
}

// checkSignatures verifies a transaction's signatures with these rings, unless they have been verified before.
func (c *Chain) checkSignatures(t *Tx, rings [][]clsag.Member) error {
	id := ringsID(t, rings)
	if c.verified.hasRings(id) {
		return nil
	}
	if err := consensus.CheckRings(t.Tx, rings); err != nil {
		return err
	}
	c.verified.addRings(id)
	return nil
}

// checkProofs verifies a transaction's range proofs and balance, unless they have been verified before.
func (c *Chain) checkProofs(t *Tx) error {
	if c.verified.hasProofs(t.ID) {
		return nil
	}
	if err := consensus.CheckProofs(c.o.Random, t.proven()); err != nil {
		return fmt.Errorf("transaction %s: %w", t.ID, err)
	}
	c.verified.addProofs(t)
	return nil
}

// incomingTx is a transaction that was received from outside.
type incomingTx struct {
	*Tx
	checked *consensus.Rules // the rules that fault is for; nil before the first check
	fault   error
}

// check returns the result of CheckTransaction, which it calls once for the same rules.
func (c *Chain) check(k *incomingTx, r *consensus.Rules) error {
	if k.checked != r {
		k.checked, k.fault = r, c.checkForm(k.Tx, r)
	}
	return k.fault
}

// ahead verifies the signatures and range proofs of unknown transactions, except those that refused reports true for.
// The caller must not hold the lock; ahead holds it for reading while it looks up ring members.
func (c *Chain) ahead(incoming []*incomingTx, refused func(*incomingTx) bool) {
	now := c.o.Now()
	c.mu.RLock()
	incoming = slices.DeleteFunc(slices.Clone(incoming), func(k *incomingTx) bool { return c.find(k.ID) != nil })
	rules := c.rulesAt(c.height())
	c.mu.RUnlock()
	parallel.ForN(c.workers(), len(incoming), func(i int) { _ = c.check(incoming[i], rules) })

	var work []func()
	var proofs []*Tx
	var spent []Spent
	c.mu.RLock()
	for _, k := range incoming {
		if k.fault != nil || refused != nil && refused(k) {
			continue
		}
		more, err := c.inputWork(k.Tx, now, &spent)
		if err != nil && refused != nil {
			continue // it will be refused
		}
		work = append(work, more...)
		if !c.verified.hasProofs(k.ID) {
			proofs = append(proofs, k.Tx)
		}
	}
	c.mu.RUnlock()
	work = append(c.proofWork(proofs), work...) // the longest first
	parallel.ForN(c.workers(), len(work), func(i int) { work[i]() })
	spent = slices.DeleteFunc(spent, func(s Spent) bool { return !c.verified.hasProofs(s.Tx.ID) })
	_ = c.prove(spent)
}

// inputWork returns functions that verify the signatures of a transaction, or adds it to spent if it has membership
// proofs instead that are unknown. It returns the error of rings or referenced.
func (c *Chain) inputWork(t *Tx, now uint64, spent *[]Spent) ([]func(), error) {
	if t.Membership != nil {
		tree, err := c.referenced(t)
		if err != nil {
			return nil, err
		}
		if _, known := c.verified.membership(membershipID(t, tree)); !known {
			*spent = append(*spent, Spent{t, tree})
		}
		return nil, nil
	}
	rings, _, err := c.rings(t, now)
	if err != nil {
		return nil, err
	}
	return c.ringWork(t, rings), nil
}

// ringWork returns functions that verify one ring each.
func (c *Chain) ringWork(t *Tx, rings [][]clsag.Member) []func() {
	id := ringsID(t, rings)
	if c.verified.hasRings(id) {
		return nil
	}
	message := t.Tx.PreMLSAGHash()
	var failed atomic.Bool
	var left atomic.Int64
	left.Store(int64(len(rings)))
	work := make([]func(), len(rings))
	for i := range rings {
		work[i] = func() {
			if failed.Load() || consensus.CheckRing(t.Tx, message, i, rings[i]) != nil {
				failed.Store(true)
			} else if left.Add(-1) == 0 {
				c.verified.addRings(id)
			}
		}
	}
	return work
}

// leastBatch is the minimum size of a batch of transactions: larger batches cost less per transaction.
const leastBatch = 8

// proofWork returns functions that verify range proofs in batches. If a batch is invalid, each transaction is verified
// separately.
func (c *Chain) proofWork(txs []*Tx) (work []func()) {
	size := max(leastBatch, (len(txs)+c.workers()-1)/c.workers())
	for batch := range slices.Chunk(txs, size) {
		work = append(work, func() {
			parsed := make([]*tx.Transaction, len(batch))
			for i, t := range batch {
				parsed[i] = t.proven()
			}
			if consensus.CheckProofs(c.o.Random, parsed...) == nil {
				c.verified.addProofs(batch...)
				return
			}
			for _, t := range batch {
				if len(batch) > 1 {
					_ = c.checkProofs(t) // validation verifies it again and reports the error
				}
			}
		})
	}
	return work
}

func (c *Chain) workers() int {
	if c.o.Workers > 0 {
		return c.o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// sharedReader serializes the reads of several goroutines.
type sharedReader struct {
	mu sync.Mutex
	r  io.Reader
}

func (s *sharedReader) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.r.Read(p)
}
