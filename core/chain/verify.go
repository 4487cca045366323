package chain

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"glim/core/build"
	"glim/core/consensus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/keccak"
	"glim/core/tx"
	"glim/core/xmr"
)

// Signatures and range proofs take nearly all the time that judging takes, and whether they hold does not depend on what
// happens to the chain. So they are verified before the chain is locked, on several processors, and what held is
// remembered. Judging, which looks there first, verifies what it does not find: nothing depends on what was done ahead.

// maxVerified bounds what is remembered of each kind. Older ones are forgotten all at once.
const maxVerified = 1 << 16

// verified is what was found to hold.
type verified struct {
	mu     sync.Mutex
	rings  map[xmr.Hash]struct{} // signatures, by ringsID
	proofs map[xmr.Hash]struct{} // range proofs and balance, by ID of the transaction
	works  map[xmr.Hash]struct{} // work, by ID of the block, which says what is before it and so how much it takes
}

func (v *verified) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rings, v.proofs, v.works = map[xmr.Hash]struct{}{}, map[xmr.Hash]struct{}{}, map[xmr.Hash]struct{}{}
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

// ringsID names a transaction with the outputs that its rings are of, which a reorganisation may change. The
// transaction's ID covers every byte of it, and so how many outputs each ring has.
func ringsID(t *Tx, rings [][]clsag.Member) xmr.Hash {
	parts := [][]byte{t.ID[:]}
	for _, ring := range rings {
		for i := range ring {
			parts = append(parts, ring[i].Key[:], ring[i].Commitment[:])
		}
	}
	return keccak.Sum256(parts...)
}

// checkSignatures verifies a transaction's signatures with these rings, but for those verified before.
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

// checkProofs verifies a transaction's range proofs and balance, unless they were verified before. The error names it.
func (c *Chain) checkProofs(t *Tx) error {
	if c.verified.hasProofs(t.ID) {
		return nil
	}
	if err := consensus.CheckProofs(c.o.Random, t.Tx); err != nil {
		return fmt.Errorf("transaction %s: %w", t.ID, err)
	}
	c.verified.addProofs(t)
	return nil
}

// claim is a transaction that came from outside.
type claim struct {
	*Tx
	looked bool
	fault  error // what CheckTransaction says, when looked
}

// check is consensus.CheckTransaction, once.
func (k *claim) check() error {
	if !k.looked {
		k.looked, k.fault = true, consensus.CheckTransaction(k.Tx.Tx, len(k.Blob), k.Weight)
	}
	return k.fault
}

// ahead verifies signatures and range proofs of transactions that are not here yet, those that refused does not refuse.
// It is called without the lock, and holds it for reading while it looks up what to verify.
func (c *Chain) ahead(claims []*claim, refused func(*claim) bool) {
	now := c.o.Now()
	c.mu.RLock()
	claims = slices.DeleteFunc(slices.Clone(claims), func(k *claim) bool { return c.find(k.ID) != nil })
	c.mu.RUnlock()
	c.each(len(claims), func(i int) { _ = claims[i].check() })

	var work []func()
	var proofs []*Tx
	c.mu.RLock()
	for _, k := range claims {
		if k.fault != nil || refused != nil && refused(k) {
			continue
		}
		rings, _, err := c.rings(k.Tx, now)
		if err == nil {
			work = append(work, c.ringWork(k.Tx, rings)...)
		} else if refused != nil {
			continue // it will be refused
		}
		if !c.verified.hasProofs(k.ID) {
			proofs = append(proofs, k.Tx)
		}
	}
	c.mu.RUnlock()
	work = append(c.proofWork(proofs), work...) // the longest first
	c.each(len(work), func(i int) { work[i]() })
}

// ringWork returns the verification of each ring.
func (c *Chain) ringWork(t *Tx, rings [][]clsag.Member) []func() {
	id := ringsID(t, rings)
	if c.verified.hasRings(id) {
		return nil
	}
	message := build.Message(t.Tx)
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

// leastBatch is how many transactions are worth a batch of their own: the more in one, the less each costs.
const leastBatch = 8

// proofWork returns the verification of range proofs, in batches. Where a batch does not hold, each transaction is looked
// at by itself.
func (c *Chain) proofWork(txs []*Tx) (work []func()) {
	size := max(leastBatch, (len(txs)+c.workers()-1)/c.workers())
	for batch := range slices.Chunk(txs, size) {
		work = append(work, func() {
			parsed := make([]*tx.Transaction, len(batch))
			for i, t := range batch {
				parsed[i] = t.Tx
			}
			if consensus.CheckProofs(c.o.Random, parsed...) == nil {
				c.verified.addProofs(batch...)
				return
			}
			for _, t := range batch {
				if len(batch) > 1 {
					_ = c.checkProofs(t) // who judges the transaction asks again, and tells
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

// each calls do with every number below n, on as many goroutines as there are workers. A panic of one is the caller's.
func (c *Chain) each(n int, do func(i int)) {
	workers := min(n, c.workers())
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var group sync.WaitGroup
	panics := make([]any, workers)
	for w := range workers {
		group.Go(func() {
			defer func() { panics[w] = recover() }()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// sharedReader lets several goroutines read, one at a time.
type sharedReader struct {
	mu sync.Mutex
	r  io.Reader
}

func (s *sharedReader) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.r.Read(p)
}
