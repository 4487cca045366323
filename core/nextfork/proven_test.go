package nextfork

import (
	"bytes"
	"io"
	"sync"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/fcmptx"
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
func judged(o *chain.Options) { o.Next, o.Workers = new(judge), 1 }

// treeAt returns the tree of a reference block, which a block eight blocks before it commits to.
func (w *world) treeAt(reference uint64) (t block.Tree) {
	w.View(func(v chain.View) { t = *v.Block(reference - 8).Block.Tree })
	return t
}

// spend returns a transaction with proofs that a judge accepts for the last block: it is valid in every other respect.
// Its key images follow from seed.
func (w *world) spend(seed uint64, inputs int) *fcmptx.Transaction {
	w.Helper()
	reference := w.height() - 1
	return chaintest.Proven(seed, inputs, reference, w.treeAt(reference))
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
