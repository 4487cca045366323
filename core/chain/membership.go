package chain

import (
	"cmp"
	"errors"
	"fmt"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/crypto/keccak"
	"glim/core/internal/parallel"
	"glim/core/tx"
	"glim/core/xmr"
)

// Transactions with membership proofs refer to a block of the chain instead of ring members. Their proofs are about the
// tree at that block. They take much longer to verify than rings, and more memory, so that everything cheap is checked
// first, all proofs of a block are verified together, and both results are remembered.

// maxProvenInputs is how many inputs are verified together, unless a transaction has more: a proof of 128 inputs takes
// some 110 MB.
const maxProvenInputs = 128

// leastProvenInputs is how many inputs are verified together at least: larger batches cost less per transaction.
const leastProvenInputs = 16

// maxProving is how many batches of membership proofs are verified at the same time, to limit the memory.
const maxProving = 4

// newProven parses a transaction with membership proofs. It returns consensus.ErrMalformed if that fails.
func (c *Chain) newProven(blob []byte) (*Tx, error) {
	t, pruned, err := c.o.Next.ReadTx(blob)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", consensus.ErrMalformed, err)
	}
	t.pruned = pruned
	t.PrunableHash = keccak.Sum256(blob[pruned:])
	return t, nil
}

// proven returns the transaction as consensus.CheckProofs takes it, with its range proofs.
func (t *Tx) proven() *tx.Transaction {
	if t.Membership == nil {
		return t.Tx
	}
	whole := *t.Tx
	whole.RingCT.Prunable = t.Membership.Amounts
	return &whole
}

// treeAt returns the tree that transactions refer to with the block at an index of the main chain: that of the outputs
// which may be spent in the block after it.
// Source: src/blockchain_db/blockchain_db.cpp of the beta, advance_tree.
func (c *Chain) treeAt(reference uint64) block.Tree {
	const ahead = xmr.SpendableAge - 1
	if reference < ahead || reference >= c.height() {
		return block.Tree{}
	}
	// The block after the one whose outputs come last commits to the tree, if it is from after the fork.
	if t := c.blocks[reference-ahead+1].Block.Tree; t != nil {
		return *t
	}
	return c.earlyTree(reference - ahead)
}

// referenced returns the tree that a transaction with membership proofs refers to. It checks all about the inputs but
// the proofs, and returns consensus.ErrInput if they may not be in the next block.
// Source: src/cryptonote_core/blockchain.cpp of the beta, check_tx_inputs.
func (c *Chain) referenced(t *Tx) (block.Tree, error) {
	for i := range t.Tx.Inputs {
		image := t.Tx.Inputs[i].KeyImage
		if _, spent := c.images[image]; spent {
			return block.Tree{}, fmt.Errorf("%w: %w: key image %s", consensus.ErrInput, consensus.ErrDoubleSpend, image)
		}
	}
	m := t.Membership
	tree := c.treeAt(m.Reference)
	return tree, consensus.CheckReference(m.Reference, m.Layers, c.height(), tree)
}

// membershipID identifies a transaction together with the tree that its proofs are about, which a reorganisation may
// change.
// Source: src/cryptonote_core/tx_verification_utils.cpp of the beta, make_input_verification_id.
func membershipID(t *Tx, tree block.Tree) xmr.Hash {
	return keccak.Sum256(t.ID[:], tree.Root[:], []byte{tree.Layers})
}

// errMembership reports proofs that were found to be wrong before.
var errMembership = fmt.Errorf("%w: wrong membership proofs", consensus.ErrInput)

// checkMemberships verifies the membership proofs of transactions together, unless they have been verified before. If
// one is wrong, it returns consensus.ErrInput.
func (c *Chain) checkMemberships(list ...Spent) error {
	fresh := make([]Spent, 0, len(list))
	for _, s := range list {
		switch right, known := c.verified.membership(membershipID(s.Tx, s.Tree)); {
		case known && !right:
			return errMembership
		case !known:
			fresh = append(fresh, s)
		}
	}
	return c.prove(fresh)
}

// prove verifies membership proofs in batches, on several processors, and remembers the results. It returns the first
// error of proveBatch.
func (c *Chain) prove(list []Spent) error {
	batches := provenBatches(list, c.workers())
	errs := make([]error, len(batches))
	parallel.ForN(c.workers(), len(batches), func(i int) { errs[i] = c.proveBatch(batches[i]) })
	return cmp.Or(errs...)
}

// proveBatch verifies membership proofs together and remembers the results. If a proof is wrong, it verifies each
// transaction separately, and returns an error.
func (c *Chain) proveBatch(batch []Spent) error {
	c.proving <- struct{}{}
	err := c.o.Next.CheckMemberships(c.o.Random, batch)
	<-c.proving
	wrong := errors.Is(err, consensus.ErrInput)
	if err == nil || wrong && len(batch) == 1 {
		for _, s := range batch {
			c.verified.addMembership(membershipID(s.Tx, s.Tree), err == nil)
		}
	}
	if wrong && len(batch) > 1 {
		for i := range batch {
			_ = c.proveBatch(batch[i : i+1])
		}
	}
	return err
}

// provenBatches divides transactions into batches for workers, of at most maxProvenInputs inputs or one transaction.
func provenBatches(list []Spent, workers int) (batches [][]Spent) {
	inputs := 0
	for _, s := range list {
		inputs += len(s.Tx.Tx.Inputs)
	}
	workers = min(workers, maxProving)
	most := min(max((inputs+workers-1)/workers, leastProvenInputs), maxProvenInputs)
	inputs = 0
	for i := range list {
		n := len(list[i].Tx.Tx.Inputs)
		if inputs += n; i == 0 || inputs > most {
			batches, inputs = append(batches, nil), n
		}
		last := len(batches) - 1
		batches[last] = append(batches[last], list[i])
	}
	return batches
}

// proveTogether verifies the membership proofs of those transactions that may be in the next block otherwise. It does
// nothing if every one must be and one may not. It reports nothing: validateTx finds what is wrong.
func (c *Chain) proveTogether(txs []*Tx, every bool) {
	var list []Spent
	for _, t := range txs {
		if t.Membership == nil {
			continue
		}
		tree, err := c.referenced(t)
		if err == nil {
			list = append(list, Spent{t, tree})
		} else if every {
			return
		}
	}
	_ = c.checkMemberships(list...)
}

// fits reports whether a transaction that is valid for the main chain may be in a block at height on a branch. newest
// is the result of validateTx; branch is nil if the block before is in the main chain.
func (c *Chain) fits(t *Tx, newest, height uint64, branch []*Block) bool {
	if t.Membership == nil {
		return newest+xmr.SpendableAge <= height && c.unlockedAt(t.Tx, height)
	}
	// The tree at the reference block must be the same there, so that its last outputs are from below the branch.
	return newest < height && (len(branch) == 0 || newest < branch[0].Height+xmr.SpendableAge-1)
}

// Stale reports whether a transaction of the pool has membership proofs that are not valid for the chain as it is now,
// as far as that is known without verifying them. Such a transaction should not be relayed again.
// Source: src/cryptonote_core/tx_pool.cpp of the beta, expect_invalid_tx_inputs.
func (v View) Stale(t *PoolTx) bool {
	m := t.Membership
	if m == nil {
		return false
	}
	tree := v.c.treeAt(m.Reference)
	if consensus.CheckReference(m.Reference, m.Layers, v.c.height(), tree) != nil {
		return true
	}
	valid, known := v.c.verified.membership(membershipID(t.Tx, tree))
	return known && !valid
}
