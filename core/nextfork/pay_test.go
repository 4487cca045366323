package nextfork

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// pay returns a transaction with rings that spends the reward of a block from before the fork. Its signature is valid
// only if the unlock time is 0.
func (w *world) pay(height, unlock uint64) []byte {
	w.Helper()
	return w.payTo(w.to, height, unlock)
}

// payTo is pay for another recipient of 1e12.
func (w *world) payTo(to address.Address, height, unlock uint64) []byte {
	w.Helper()
	plan := txbuild.Plan{Destinations: []txbuild.Destination{{Address: to, Amount: 1e12}}, Change: w.to}
	var ring decoy.Ring
	w.View(func(v chain.View) {
		b := v.Block(height)
		coinbase := &b.Block.MinerTx
		extra, _ := tx.ParseExtra(coinbase.Extra)
		derivation, err := edwards.Derive(w.miner.ViewScalar(), extra.PublicKeys[0])
		require.NoError(w, err)
		in := txbuild.Input{
			TxID: b.CoinbaseID, GlobalIndex: b.Indices[0][0], Amount: coinbase.Outputs[0].Amount, Mask: [32]byte{1},
			Key: coinbase.Outputs[0].Key, Derivation: derivation, Height: height, RingCT: true,
		}
		plan.Inputs = []txbuild.Input{in}
		first := max(in.GlobalIndex, 15) - 15
		ring.Real = int(in.GlobalIndex - first)
		for i := range uint64(xmr.RingSize) {
			o, _ := v.Output(0, first+i)
			ring.Members = append(ring.Members, decoy.Member{Index: first + i, Key: o.Key, Commitment: o.Commitment})
		}
	})
	levels := fee.Compute(consensus.BaseReward(0), 300_000, 300_000)
	estimate, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), levels[:], fee.Quantum)
	require.NoError(w, err)
	rate := txbuild.Rate{Fees: estimate, Priority: fee.Slow}
	r, err := txbuild.Construct(new(stream), w.miner, plan, []decoy.Ring{ring}, rate)
	require.NoError(w, err)
	parsed, err := tx.Parse(r.Blob)
	require.NoError(w, err)
	parsed.UnlockTime = unlock
	return parsed.Append(nil)
}

// withTx returns the next block with one transaction more.
func (w *world) withTx(blob []byte) *block.Block {
	w.Helper()
	parsed, id, err := tx.ParseWithHash(blob)
	require.NoError(w, err)
	b := w.template(nil)
	require.Empty(w, b.TxHashes)
	b.TxHashes = []xmr.Hash{id}
	b.MinerTx.Outputs[0].Amount += parsed.RingCT.Fee
	return b
}

// force adds the next block with one transaction to the store, which trusts it, and opens the chain again.
func (w *world) force(store memory, blob []byte) {
	w.Helper()
	b := w.withTx(blob)
	record := (&chain.Block{
		Block: b, Blob: b.Append(nil), Txs: []*chain.Tx{{Blob: blob}}, Height: w.height(),
		Difficulty: consensus.Difficulty{Lo: 1},
	}).Record()
	require.NoError(w, store.Commit([]chain.Record{record}, nil))
	var err error
	w.Chain, err = chain.New(w.options)
	require.NoError(w, err)
}

// TestRings: transactions with rings are mined up to the second height of the fork, and not from there on, neither new
// ones nor those that are still in the pool. Their outputs are in the tree as soon as they may be spent.
func TestRings(t *testing.T) {
	store := memory{}
	w := newWorld(t, 90, 95, func(o *chain.Options) { o.Store = store })
	w.mine(84, nil)
	// Before the fork, blocks may contain transactions with an unlock time.
	for i, unlock := range []uint64{0, 100, 93, 1 << 40} {
		w.force(store, w.pay(uint64(1+i), unlock))
	}
	w.mine(1, nil)
	require.Equal(t, uint64(90), w.height())
	locked := w.pay(8, 1)
	_, err := w.AddTx(locked, false)
	require.ErrorIs(t, err, consensus.ErrUnlockTime)
	_, err = w.AddBlock(w.withTx(locked).Append(nil), locked)
	require.ErrorIs(t, err, consensus.ErrUnlockTime, "from the fork on not in blocks either")

	paid, err := w.AddTx(w.pay(10, 0), false)
	require.NoError(t, err)
	w.mine(1, nil)
	w.View(func(v chain.View) {
		_, mined := v.Tx(paid)
		require.True(t, mined)
	})
	w.mine(3, nil)
	last := w.template(nil)
	stuck := w.pay(11, 0)
	id, err := w.AddTx(stuck, false)
	require.NoError(t, err)
	_, err = w.AddBlock(last.Append(nil))
	require.NoError(t, err)
	require.Equal(t, uint64(95), w.height())
	w.requireRoots()

	_, err = w.AddTx(w.pay(12, 0), false)
	require.ErrorIs(t, err, consensus.ErrOutput)
	require.ErrorContains(t, err, "membership proofs")
	_, err = w.AddBlock(w.withTx(stuck).Append(nil))
	require.ErrorIs(t, err, consensus.ErrOutput)
	w.mine(12, nil)
	w.View(func(v chain.View) {
		require.NotNil(t, v.PoolTx(id))
		_, mined := v.Tx(id)
		require.False(t, mined)
	})
	w.requireRoots()

	// The transaction with the unlock time 100 is in the tree once block 90 is: block 99 is the last that locks it.
	back := w.id(80)
	w.mine(40, &back)
	w.requireRoots()
}
