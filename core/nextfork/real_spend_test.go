package nextfork

import (
	"bytes"
	"context"
	"crypto/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/treecache"
	"glim/core/tx"
	"glim/core/xmr"
)

// coin is a reward of Carrot that the miner can spend.
type coin struct {
	output fcmp.Output
	image  xmr.KeyImage
	x, y   *edwards.Scalar
	amount uint64
}

// coins returns the rewards of blocks, with descending key images.
func (w *world) coins(heights ...uint64) (list []coin) {
	w.Helper()
	owner, err := carrot.NewLegacyMaster(rules, w.miner)
	require.NoError(w, err)
	w.View(func(v chain.View) {
		for _, h := range heights {
			enotes, err := fcmptx.CoinbaseEnotes(&v.Block(h).Block.MinerTx)
			require.NoError(w, err)
			got, ok := owner.ScanCoinbase(&enotes[0])
			require.True(w, ok)
			c := coin{amount: got.Amount}
			c.x, c.y, err = owner.Opening(&got, keys.Index{})
			require.NoError(w, err)
			c.image, err = owner.KeyImage(&got, keys.Index{})
			require.NoError(w, err)
			key := enotes[0].Key
			c.output = fcmp.Output{
				Key: key, Generator: rules.HashToPoint(key[:]).Encode(),
				Commitment: edwards.CommitPublic(got.Amount).Encode(),
			}
			list = append(list, c)
		}
	})
	slices.SortFunc(list, func(a, b coin) int { return bytes.Compare(b.image[:], a.image[:]) })
	return list
}

// rewards returns the leaves of the rewards of the first n blocks, which have only one output each.
func (w *world) rewards(n uint64) []curvetree.Leaf {
	var list []treecache.Output
	w.View(func(v chain.View) {
		for h := range n {
			t := &v.Block(h).Block.MinerTx
			o := treecache.Output{Key: t.Outputs[0].Key, Carrot: t.Carrot != nil}
			o.Commitment = edwards.CommitPublic(t.Outputs[0].Amount).Encode()
			list = append(list, o)
		}
	})
	found, _ := treecache.Leaves(rules, list)
	return found
}

// TestRealSpend: rewards are spent with true proofs of all kinds.
func TestRealSpend(t *testing.T) {
	w := newWorld(t, 5, 8)
	w.mine(70, nil)
	const reference = 70
	tree := w.treeAt(reference)
	coins := w.coins(6, 9)
	var total uint64
	for _, c := range coins {
		total += c.amount
	}
	s := chaintest.Proven(3, len(coins), reference, tree) // its keys and range proof are replaced
	masks := []*edwards.Scalar{edwards.ScalarFromUint64(11), edwards.ScalarFromUint64(12)}
	replaceAmounts(t, s, []uint64{total - s.Fee - 5, 5}, masks)
	for i := range coins {
		s.Inputs[i].KeyImage = coins[i].image
	}
	message := format.SignableHash(s)
	blinds, one := make([]*fcmp.Blinds, len(coins)), make([]*edwards.Scalar, len(coins))
	for i := range coins {
		var err error
		blinds[i], err = fcmp.NewBlinds(rand.Reader)
		require.NoError(t, err)
		one[i] = edwards.ScalarFromUint64(1)
	}
	require.NoError(t, fcmp.Balance(blinds, one, edwards.NewScalar().Add(masks[0], masks[1])))
	var spends []*fcmp.Spend
	var members []fcmp.Member
	for i, c := range coins {
		spend, err := fcmp.ProveSpend(rand.Reader, rules, message, &c.output, blinds[i], c.x, c.y)
		require.NoError(t, err)
		spends = append(spends, spend)
		members = append(members, fcmp.Member{
			Output: c.output, Blinds: blinds[i], Path: fcmp.Path{Leaves: w.rewards(12)},
		})
	}
	root := curvetree.Root{Layers: int(tree.Layers), Hash: tree.Root}
	membership, err := fcmp.ProveMembership(context.Background(), rand.Reader, rules, root, members, nil)
	require.NoError(t, err)
	joined, err := fcmp.NewTransaction(spends, membership)
	require.NoError(t, err)
	s.Proofs.Blob, s.Proofs.PseudoOuts = joined.Proof, joined.PseudoOuts

	wrong := *s
	proofs := *s.Proofs
	proofs.ReferenceBlock--
	wrong.Proofs = &proofs
	_, err = w.AddTx(blob(&wrong), false)
	require.ErrorIs(t, err, consensus.ErrInput)
	id, err := w.AddTx(blob(s), false)
	require.NoError(t, err)
	w.mine(1, nil)
	mined, _ := w.where(id)
	require.True(t, mined)
	w.View(func(v chain.View) {
		for _, c := range coins {
			require.True(t, v.Spent(c.image))
		}
	})
	w.mine(15, nil)
	w.requireRoots()
}

// replaceAmounts gives a transaction's outputs other amounts.
func replaceAmounts(t *testing.T, s *fcmptx.Transaction, amounts []uint64, masks []*edwards.Scalar) {
	proof, commitments, err := bulletproofsplus.Prove(rand.Reader, amounts, masks)
	require.NoError(t, err)
	s.Commitments, s.Proofs.Range = commitments, tx.BulletproofPlus(proof)
}
