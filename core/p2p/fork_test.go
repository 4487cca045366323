package p2p

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/fcmptx"
	"glim/core/nextfork"
	"glim/core/xmr"
)

// TestNextFork: peers synchronize a chain that crosses the next hard fork, announce its blocks, and adopt the chain
// with more work after a separation across the fork.
func TestNextFork(t *testing.T) {
	w := newWorld(t)
	w.forks = consensus.RegtestForks(60, 64)
	a := w.join()
	a.mine(75)
	b := w.join(exclusive(a))
	w.must(time.Minute, level(a, b))
	a.mine(2)
	w.must(time.Minute, level(a, b))

	c := w.join(exclusive(a, b))
	half := map[*host]int{a: 0, b: 0, c: 1}
	w.split = func(x, y *host) bool { return half[x] != half[y] }
	w.cut()
	c.mine(90)
	a.mine(1)
	w.must(time.Minute, level(a, b))
	require.False(t, level(a, c)())
	top := c.top()
	w.split = func(x, y *host) bool { return false }
	w.must(3*time.Minute, level(a, b, c))
	require.Equal(t, top, a.top())
	a.chain.View(func(v chain.View) {
		require.EqualValues(t, 18, v.Top().Block.Major)
		require.EqualValues(t, 2, v.NextTree().Layers, "90 blocks: rewards of 40 have unlocked")
	})
	for _, h := range w.hosts {
		require.Empty(t, h.quarrels())
	}
}

// judge is a Fork that accepts the membership proofs of chaintest.Proven.
type judge struct{ nextfork.Fork }

func (judge) CheckMemberships(_ io.Reader, list []chain.Spent) error {
	for _, s := range list {
		if !bytes.HasPrefix(s.Tx.Membership.Proof, s.Tree.Root[:]) {
			return consensus.ErrInput
		}
	}
	return nil
}

// TestProvenTransactions: transactions with membership proofs travel between pools, with blocks, and to a new peer. One
// that refers to a block which the receiver does not have yet is no fault of the sender, and one whose reference block
// a reorganisation has replaced is not relayed again.
func TestProvenTransactions(t *testing.T) {
	w := newWorld(t)
	w.forks, w.next = consensus.RegtestForks(60, 64), judge{}
	a := w.join()
	a.mine(75)
	b := w.join(exclusive(a))
	w.must(time.Minute, level(a, b))
	treeAt := func(reference uint64) (tree block.Tree) {
		a.chain.View(func(v chain.View) { tree = *v.Block(reference - 8).Block.Tree })
		return tree
	}
	spend := func(seed, reference uint64) []byte {
		return fcmptx.Default.Append(nil, chaintest.Proven(seed, 1, reference, treeAt(reference)))
	}
	relayed := a.submit(spend(1, 70))
	w.must(10*time.Minute, func() bool { return b.view.HasTx(relayed) })
	_, err := a.chain.AddTx(spend(2, 75), true) // b gets it with the block
	require.NoError(t, err)
	secret, err := a.chain.AddTx(spend(3, 75), false)
	require.NoError(t, err)
	a.mine(1)
	w.must(10*time.Minute, level(a, b))
	require.True(t, b.view.HasTx(secret))
	c := w.join(exclusive(b))
	w.must(10*time.Minute, level(a, b, c))
	for _, h := range w.hosts {
		require.Empty(t, h.quarrels())
	}

	_, err = b.chain.AddTx(fcmptx.Default.Append(nil, chaintest.Proven(4, 1, 90, treeAt(75))), false)
	require.ErrorIs(t, err, consensus.ErrReference)
	require.True(t, isHarmless(err))

	stale, err := a.chain.AddTx(spend(5, 76), false)
	require.NoError(t, err)
	later := func() []xmr.Hash { return a.view.Unheard(uint64(w.now.Unix()) + 5*3600) }
	require.Contains(t, later(), stale)
	_, err = a.chain.PopBlocks(1)
	require.NoError(t, err)
	require.NotContains(t, later(), stale)
	require.Contains(t, later(), relayed)
}
