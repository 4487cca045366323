package nextfork

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/fcmptx"
	"glim/core/xmr"
)

// TestProven: a transaction with membership proofs enters the pool and a block, at both versions of the fork, and its
// inputs are spent. Its outputs and key images are those of the chain.
func TestProven(t *testing.T) {
	for _, proof := range []uint64{5, 1000} {
		store := memory{}
		w := newWorld(t, 5, proof, judged, func(o *chain.Options) { o.Store = store })
		w.mine(70, nil)
		first := w.spend(1, 2)
		id, err := w.AddTx(blob(first), false)
		require.NoError(t, err)
		require.Equal(t, idOf(w, first), id)
		_, pooled := w.where(id)
		require.Equal(t, first.Proofs.ReferenceBlock, pooled.MaxUsedHeight)
		require.Equal(t, w.id(pooled.MaxUsedHeight), pooled.MaxUsedID)
		require.Equal(t, format.Weight(2, 2, 0), pooled.Weight)
		require.Equal(t, first.Fee, pooled.Fee)
		require.Equal(t, blob(first), pooled.Blob)
		_, err = w.AddTx(blob(first), false)
		require.ErrorIs(t, err, chain.ErrInPool)

		again := w.spend(1, 2) // the same inputs
		again.Fee += 1
		_, err = w.AddTx(blob(again), false)
		require.ErrorIs(t, err, consensus.ErrDoubleSpend)
		w.View(func(v chain.View) {
			require.Len(t, v.Ready(func(*chain.PoolTx) bool { return false }), 1)
			require.False(t, v.Spent(first.Inputs[0].KeyImage))
		})
		w.mine(1, nil)
		mined, pooled := w.where(id)
		require.True(t, mined)
		require.Nil(t, pooled)
		w.View(func(v chain.View) {
			require.True(t, v.Spent(first.Inputs[0].KeyImage))
			require.True(t, v.Spent(first.Inputs[1].KeyImage))
			out, ok := v.Output(0, v.Top().RingCT-1)
			require.True(t, ok)
			require.Equal(t, chain.Output{
				Key: first.Outputs[1].Key, Commitment: first.Commitments[1], Height: v.Height() - 1, TxID: id,
			}, out)
		})
		_, err = w.AddTx(blob(first), false)
		require.ErrorIs(t, err, chain.ErrMined)
		_, err = w.AddTx(blob(chaintest.Proven(1, 2, 70, w.treeAt(70))), false)
		require.Error(t, err)
		w.mine(20, nil)
		w.requireRoots()

		restarted := newWorld(t, 5, proof, judged, func(o *chain.Options) { o.Store = store })
		restarted.requireRoots()
		require.Equal(t, w.height(), restarted.height())
		mined, _ = restarted.where(id)
		require.True(t, mined)
	}
}

// smallOrder is a point of order four.
var smallOrder = [32]byte{31: 0x80}

// TestProvenRefused violates each rule for transactions with membership proofs separately, for the pool and for blocks.
func TestProvenRefused(t *testing.T) {
	w := newWorld(t, 5, 8, judged)
	w.mine(70, nil)
	for name, c := range map[string]struct {
		change func(*fcmptx.Transaction)
		want   error
	}{
		"unlock time": {func(t *fcmptx.Transaction) { t.UnlockTime = 1 }, consensus.ErrUnlockTime},
		"extra": {
			func(t *fcmptx.Transaction) { t.Extra = make([]byte, xmr.MaxExtra+1) }, consensus.ErrExtraTooBig,
		},
		"one output":    {func(t *fcmptx.Transaction) { shorten(t) }, consensus.ErrTooBig},
		"order of keys": {func(t *fcmptx.Transaction) { swap(t.Outputs) }, consensus.ErrOutput},
		"equal keys":    {func(t *fcmptx.Transaction) { t.Outputs[1].Key = t.Outputs[0].Key }, consensus.ErrOutput},
		"key":           {func(t *fcmptx.Transaction) { t.Outputs[0].Key = xmr.PublicKey{2} }, consensus.ErrOutput},
		"small key":     {func(t *fcmptx.Transaction) { t.Outputs[0].Key = smallOrder }, consensus.ErrOutput},
		"neutral key":   {func(t *fcmptx.Transaction) { t.Outputs[0].Key = xmr.PublicKey{1} }, consensus.ErrOutput},
		"public amount": {func(t *fcmptx.Transaction) { t.Outputs[0].Amount = 1 }, consensus.ErrOutput},
		"many amounts": {func(t *fcmptx.Transaction) {
			t.Inputs[0].Amount, t.Inputs[1].Amount = 1<<63, 1<<63
		}, consensus.ErrOverspend},
		"input's amount": {func(t *fcmptx.Transaction) { t.Inputs[0].Amount = 1 }, consensus.ErrInput},
		"ring":           {func(t *fcmptx.Transaction) { t.Inputs[0].KeyOffsets = []uint64{1} }, consensus.ErrInput},
		"order":          {func(t *fcmptx.Transaction) { swap(t.Inputs) }, consensus.ErrInput},
		"image twice":    {func(t *fcmptx.Transaction) { t.Inputs[1] = t.Inputs[0] }, consensus.ErrBadInput},
		"neutral image": {
			func(t *fcmptx.Transaction) { t.Inputs[1].KeyImage = xmr.KeyImage{1} }, consensus.ErrBadInput,
		},
		"small image": {func(t *fcmptx.Transaction) { t.Inputs[1].KeyImage = smallOrder }, consensus.ErrBadInput},
		"no image": {
			func(t *fcmptx.Transaction) { t.Inputs[1].KeyImage = xmr.KeyImage{2} }, consensus.ErrBadInput,
		},
		"balance":       {func(t *fcmptx.Transaction) { t.Fee++ }, consensus.ErrBadInput},
		"commitment":    {func(t *fcmptx.Transaction) { t.Commitments[0] = [32]byte{2} }, consensus.ErrBadInput},
		"range":         {func(t *fcmptx.Transaction) { t.Proofs.Range.R1[0] ^= 1 }, consensus.ErrBadInput},
		"pseudo-output": {func(t *fcmptx.Transaction) { t.Proofs.PseudoOuts[0] = [32]byte{2} }, consensus.ErrBadInput},
		"no reference":  {func(t *fcmptx.Transaction) { t.Proofs.ReferenceBlock = 0 }, consensus.ErrBadInput},
		"next block":    {func(t *fcmptx.Transaction) { t.Proofs.ReferenceBlock++ }, consensus.ErrReference},
		"last block":    {func(t *fcmptx.Transaction) { t.Proofs.ReferenceBlock = 1<<64 - 1 }, consensus.ErrReference},
		"empty tree":    {func(t *fcmptx.Transaction) { t.Proofs.ReferenceBlock = 58 }, consensus.ErrReference},
		"no tree":       {func(t *fcmptx.Transaction) { t.Proofs.ReferenceBlock = 8 }, consensus.ErrReference},
		"layers": {func(t *fcmptx.Transaction) {
			t.Proofs.Layers++
			t.Proofs.Blob = make([]byte, fcmptx.ProofSize(2, t.Proofs.Layers))
		}, consensus.ErrReference},
		"no layers": {func(t *fcmptx.Transaction) { t.Proofs.Layers = 0 }, consensus.ErrMalformed},
		"short":     {func(t *fcmptx.Transaction) { t.Proofs.Blob = t.Proofs.Blob[1:] }, consensus.ErrMalformed},
		"long": {
			func(t *fcmptx.Transaction) { t.Proofs.Blob = append(t.Proofs.Blob, 0) }, consensus.ErrMalformed,
		},
		"other root": {func(t *fcmptx.Transaction) { t.Proofs.Blob[3] ^= 1 }, consensus.ErrInput},
		"other tree": {func(t *fcmptx.Transaction) { t.Proofs.ReferenceBlock-- }, consensus.ErrInput},
	} {
		t.Run(name, func(t *testing.T) {
			spend := w.spend(3, 2)
			c.change(spend)
			_, err := w.AddTx(blob(spend), false)
			require.ErrorIs(t, err, c.want)
			if errors.Is(c.want, consensus.ErrMalformed) && !errors.Is(c.want, consensus.ErrBadInput) {
				return
			}
			height := w.height()
			b := w.holding(spend)
			_, err = w.AddBlock(b.Append(nil), blob(spend))
			require.ErrorIs(t, err, c.want)
			require.Equal(t, height, w.height())
			require.NoError(t, w.FlushPool())
		})
	}
	cheap := w.spend(4, 2)
	cheap.Fee = 1000
	_, err := w.AddTx(blob(cheap), false)
	require.ErrorIs(t, err, consensus.ErrFeeTooLow)
	valid := w.spend(3, 2)
	_, err = w.AddTx(blob(valid), false)
	require.NoError(t, err)
	w.mine(1, nil)
	mined, _ := w.where(idOf(w, valid))
	require.True(t, mined)
}

func swap[T any](list []T) { list[0], list[1] = list[1], list[0] }

// shorten removes the second output.
func shorten(t *fcmptx.Transaction) {
	t.Outputs, t.Amounts, t.Commitments = t.Outputs[:1], t.Amounts[:1], t.Commitments[:1]
	t.Proofs.Range.L, t.Proofs.Range.R = t.Proofs.Range.L[:6], t.Proofs.Range.R[:6]
}

// TestProvenBeforeFork: such a transaction is refused before the fork, even if it was in a block that is no longer in
// the chain.
func TestProvenBeforeFork(t *testing.T) {
	w := newWorld(t, 75, 80, judged)
	w.mine(73, nil)
	early := chaintest.Proven(1, 1, 70, roots(w)[61])
	_, err := w.AddTx(blob(early), false)
	require.ErrorIs(t, err, consensus.ErrOutput)
	w.mine(1, nil)
	require.EqualValues(t, 75, w.height())

	// The trees before the fork are no part of blocks. All that have outputs may be referred to.
	all := roots(w)
	require.Zero(t, all[49].Layers)
	for reference := uint64(60); reference < 75; reference += 7 {
		spend := chaintest.Proven(reference, 1, reference, all[reference-9])
		_, err := w.AddTx(blob(spend), false)
		require.NoError(t, err, reference)
		spend = chaintest.Proven(reference+100, 1, reference, all[reference-9])
		spend.Proofs.Blob[0] ^= 1
		_, err = w.AddTx(blob(spend), false)
		require.ErrorIs(t, err, consensus.ErrInput, reference)
	}
	w.mine(1, nil)
	id := idOf(w, chaintest.Proven(60, 1, 60, all[51]))
	mined, _ := w.where(id)
	require.True(t, mined)

	left, err := w.PopBlocks(3)
	require.NoError(t, err)
	require.EqualValues(t, 73, left)
	mined, pooled := w.where(id)
	require.False(t, mined)
	require.True(t, pooled.KeptByBlock)
	require.EqualValues(t, 60, pooled.MaxUsedHeight)
	w.mine(1, nil)
	mined, _ = w.where(id)
	require.False(t, mined, "version 16")
	w.mine(2, nil)
	mined, _ = w.where(id)
	require.True(t, mined, "version 17")
	w.requireRoots()
}

// TestBlockTogether: the proofs of a block's transactions are verified together, and those of the pool only once.
func TestBlockTogether(t *testing.T) {
	w := newWorld(t, 5, 8, judged)
	w.mine(70, nil)
	j := w.options.Next.(*judge)
	list := []*fcmptx.Transaction{w.spend(1, 1), w.spend(2, 3), w.spend(3, 1)}
	_, err := w.AddTx(blob(list[0]), false)
	require.NoError(t, err)
	require.Equal(t, []int{1}, j.verified())
	require.NoError(t, w.FlushPool())
	b := w.holding(list...)
	_, err = w.AddBlock(b.Append(nil), blob(list[0]), blob(list[1]), blob(list[2]))
	require.NoError(t, err)
	require.Equal(t, []int{2}, j.verified())

	// Of a wrong one among them the others are verified separately, and the block is refused.
	list = []*fcmptx.Transaction{w.spend(11, 1), w.spend(12, 1), w.spend(13, 1)}
	list[1].Proofs.Blob[0] ^= 1
	b = w.holding(list...)
	_, err = w.AddBlock(b.Append(nil), blob(list[0]), blob(list[1]), blob(list[2]))
	require.ErrorIs(t, err, consensus.ErrInput)
	require.Equal(t, []int{3, 1, 1, 1}, j.verified())

	// Results are remembered, so that it costs nothing to offer the same transaction again.
	require.NoError(t, w.FlushPool())
	_, err = w.AddTx(blob(list[1]), false)
	require.ErrorIs(t, err, consensus.ErrInput)
	_, err = w.AddTx(blob(list[2]), false)
	require.NoError(t, err)
	require.Empty(t, j.verified())

	// Large transactions are verified in batches of limited memory.
	list = []*fcmptx.Transaction{w.spend(21, 100), w.spend(22, 20), w.spend(23, 20)}
	require.NoError(t, w.FlushPool())
	b = w.holding(list...)
	_, err = w.AddBlock(b.Append(nil), blob(list[0]), blob(list[1]), blob(list[2]))
	require.NoError(t, err)
	require.ElementsMatch(t, []int{2, 1}, j.verified())
}

// TestSpentInBlock: two transactions of a block do not spend the same input.
func TestSpentInBlock(t *testing.T) {
	w := newWorld(t, 5, 8, judged)
	w.mine(70, nil)
	one, two := w.spend(1, 1), w.spend(2, 1)
	two.Inputs[0] = one.Inputs[0]
	b := w.holding(one, two)
	_, err := w.AddBlock(b.Append(nil), blob(one), blob(two))
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)
}

// TestReorganisedReference: a transaction leaves the chain with its block. It is mined again on the new chain if the
// tree at its reference block is the same there, and otherwise stays out of blocks, and its inputs are not spent.
func TestReorganisedReference(t *testing.T) {
	w := newWorld(t, 5, 8, judged)
	w.mine(74, nil)
	add := func(spend *fcmptx.Transaction) *fcmptx.Transaction {
		_, err := w.AddTx(blob(spend), false)
		require.NoError(t, err)
		return spend
	}
	first := add(w.spend(5, 1)) // in block 75
	w.mine(15, nil)
	deep := add(chaintest.Proven(1, 1, 83, w.treeAt(83))) // its tree is that after block 74
	near := add(chaintest.Proven(2, 1, 84, w.treeAt(84)))
	w.mine(1, nil)
	all := []*fcmptx.Transaction{first, deep, near}
	for _, spend := range all {
		mined, _ := w.where(idOf(w, spend))
		require.True(t, mined)
	}

	back := w.id(74) // the new chain does not have the outputs of block 75
	w.mine(17, &back)
	require.EqualValues(t, 92, w.height())
	for _, spend := range all {
		mined, pooled := w.where(idOf(w, spend))
		require.False(t, mined)
		require.True(t, pooled.KeptByBlock)
		require.Equal(t, spend.Proofs.ReferenceBlock, pooled.MaxUsedHeight)
		w.View(func(v chain.View) { require.False(t, v.Spent(spend.Inputs[0].KeyImage)) })
	}
	w.View(func(v chain.View) {
		require.Len(t, v.Ready(func(*chain.PoolTx) bool { return false }), 2)
	})
	w.mine(1, nil)
	for _, spend := range all {
		mined, pooled := w.where(idOf(w, spend))
		require.Equal(t, spend != near, mined)
		require.Equal(t, spend == near, pooled != nil && pooled.LastFailedHeight > 0)
	}
	b := w.holding(near)
	_, err := w.AddBlock(b.Append(nil))
	require.ErrorIs(t, err, consensus.ErrInput)
	w.requireRoots()

	// While the chain ends below the reference block, the transaction cannot be mined either.
	_, err = w.PopBlocks(20)
	require.NoError(t, err)
	require.EqualValues(t, 73, w.height())
	for range 2 {
		require.Empty(t, w.template(nil).TxHashes)
		w.mine(1, nil)
	}
	require.Len(t, w.template(nil).TxHashes, 1, "the first refers to block 74")
	_, err = w.AddTx(blob(chaintest.Proven(9, 1, w.height(), w.treeAt(w.height()-1))), false)
	require.ErrorIs(t, err, consensus.ErrReference)
}

// TestTemplateOnBranch: a template on a block off the tip has a transaction only if its tree is the same there.
func TestTemplateOnBranch(t *testing.T) {
	w := newWorld(t, 5, 8, judged)
	w.mine(80, nil)
	for i, reference := range []uint64{66, 70, 79} {
		_, err := w.AddTx(blob(chaintest.Proven(uint64(i), 1, reference, w.treeAt(reference))), false)
		require.NoError(t, err)
	}
	for _, c := range []struct {
		after uint64
		want  int
	}{{80, 3}, {79, 3}, {78, 2}, {70, 2}, {69, 1}, {66, 1}, {65, 0}} {
		id := w.id(c.after)
		require.Len(t, w.template(&id).TxHashes, c.want, c.after)
	}
	// Blocks before 62 are common, so that the trees up to reference block 70 are.
	branch := w.id(61)
	for height := 62; height <= 80; height++ {
		want := 0
		if height == 67 || height == 71 {
			want = 1
		}
		b := w.template(&branch)
		require.Len(t, b.TxHashes, want, height)
		added, err := w.AddBlock(b.Append(nil))
		require.NoError(t, err)
		require.False(t, added.Main)
		branch = added.ID
	}
}
