package nextfork

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/tx"
	"glim/core/xmr"
)

// judge is a Fork whose membership proofs begin with the root that they are valid for. It records what it verifies.
type judge struct {
	Fork
	mu    sync.Mutex
	calls [][]chain.Spent
}

func (j *judge) CheckMemberships(random io.Reader, list []chain.Spent) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls = append(j.calls, list)
	for _, s := range list {
		if !bytes.HasPrefix(s.Tx.Membership.Proof, s.Tree.Root[:]) {
			return consensus.ErrInput
		}
	}
	return nil
}

// verified returns the numbers of transactions that were verified together since the last call.
func (j *judge) verified() (sizes []int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, list := range j.calls {
		sizes = append(sizes, len(list))
	}
	j.calls = nil
	return sizes
}

// judged is an option of newWorld.
func judged(o *chain.Options) { o.Next = new(judge) }

// treeAt returns the tree of a reference block, which a block eight blocks before it commits to.
func (w *world) treeAt(reference uint64) (t block.Tree) {
	w.View(func(v chain.View) { t = *v.Block(reference - 8).Block.Tree })
	return t
}

// multiples returns the encodings of n points, ascending, that are multiples of G which seed determines.
func multiples(seed uint64, n int) (list [][32]byte) {
	for i := range n {
		s := edwards.ScalarFromUint64(1000*seed + uint64(i) + 1)
		list = append(list, new(edwards.Point).ScalarBaseMult(s).Encode())
	}
	slices.SortFunc(list, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	return list
}

// spend returns a transaction with proofs that a judge accepts for the last block: it is valid in every other respect.
// Its key images follow from seed.
func (w *world) spend(seed uint64, inputs int) *fcmptx.Transaction {
	w.Helper()
	reference := w.height() - 1
	return w.spendAt(seed, inputs, reference, w.treeAt(reference))
}

// spendAt is spend for another block and its tree.
func (w *world) spendAt(seed uint64, inputs int, reference uint64, tree block.Tree) *fcmptx.Transaction {
	w.Helper()
	const fee, amount = 1e11, 1e12
	t := &fcmptx.Transaction{Outputs: make([]fcmptx.Output, 2), Amounts: make([][8]byte, 2), Fee: fee}
	masks, total := make([]*edwards.Scalar, 2), edwards.NewScalar()
	for i, key := range multiples(seed, 2) {
		t.Outputs[i].Key = key
		masks[i] = edwards.ScalarFromUint64(seed*7 + uint64(i) + 1)
		total.Add(total, masks[i])
	}
	proof, commitments, err := bulletproofsplus.Prove(new(stream), []uint64{uint64(inputs)*amount - fee, 0}, masks)
	require.NoError(w, err)
	t.Commitments = commitments
	p := &fcmptx.Proofs{
		Range: tx.BulletproofPlus(proof), ReferenceBlock: reference, Layers: tree.Layers,
		Blob: make([]byte, fcmptx.ProofSize(inputs, max(tree.Layers, 1))),
	}
	copy(p.Blob, tree.Root[:])
	binary.LittleEndian.PutUint64(p.Blob[64:], seed)
	images := multiples(seed+500, inputs)
	slices.Reverse(images)
	for i := range inputs {
		mask := edwards.ScalarFromUint64(uint64(i) + 1)
		if i == inputs-1 {
			mask = total
		} else {
			total.Subtract(total, mask)
		}
		t.Inputs = append(t.Inputs, tx.Input{KeyImage: images[i]})
		p.PseudoOuts = append(p.PseudoOuts, edwards.Commit(mask, amount).Encode())
	}
	t.Proofs = p
	return t
}

// blob returns the bytes of a transaction.
func blob(t *fcmptx.Transaction) []byte { return format.Append(nil, t) }

// idOf returns the ID of a transaction.
func idOf(w *world, t *fcmptx.Transaction) xmr.Hash {
	id, err := format.Hash(t)
	require.NoError(w, err)
	return id
}

// holding returns the next block with transactions more.
func (w *world) holding(list ...*fcmptx.Transaction) *block.Block {
	w.Helper()
	b := w.template(nil)
	for _, t := range list {
		b.TxHashes = append(b.TxHashes, idOf(w, t))
		b.MinerTx.Outputs[0].Amount += t.Fee
	}
	return b
}

// where returns whether a transaction is in the chain, and its entry in the pool or nil.
func (w *world) where(id xmr.Hash) (mined bool, pooled *chain.PoolTx) {
	w.View(func(v chain.View) {
		_, mined = v.Tx(id)
		pooled = v.PoolTx(id)
	})
	return mined, pooled
}
