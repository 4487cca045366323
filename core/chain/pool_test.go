package chain

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/block"
	"glim/core/consensus"
	"glim/core/fee"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestPoolRefuses makes a valid transaction invalid in one way at a time.
func TestPoolRefuses(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	good := l.pay(fee.Slow, 1e12, 3, 4)
	for _, c := range []struct {
		name    string
		want    error
		breakIt func(*tx.Transaction)
	}{
		{"fee", consensus.ErrFeeTooLow, func(x *tx.Transaction) { x.RingCT.Fee /= 2 }},
		{"balance", consensus.ErrInput, func(x *tx.Transaction) { x.RingCT.Fee++ }},
		{"unlock time", consensus.ErrUnlockTime, func(x *tx.Transaction) { x.UnlockTime = 1 }},
		{"extra", consensus.ErrInput, func(x *tx.Transaction) { x.Extra[5] ^= 1 }},
		{"long extra", consensus.ErrExtraTooBig, func(x *tx.Transaction) {
			x.Extra = make([]byte, xmr.MaxExtra+1)
			x.RingCT.Fee = 1e12
		}},
		{"heavy", consensus.ErrTooBig, func(x *tx.Transaction) {
			x.Extra = make([]byte, consensus.MaxTxWeight)
			x.RingCT.Fee = 1e12
		}},
		{"heavy, fee", consensus.ErrTooBig, func(x *tx.Transaction) {
			x.Extra = make([]byte, consensus.MaxTxWeight)
		}},
		{"large, fee", consensus.ErrTooBig, func(x *tx.Transaction) { x.Extra = make([]byte, consensus.MaxTxSize) }},
		{"output, fee", consensus.ErrOutput, func(x *tx.Transaction) { x.Outputs[0].Amount, x.RingCT.Fee = 1, 1 }},
		{"output", consensus.ErrOutput, func(x *tx.Transaction) { x.Outputs[0].Amount = 1 }},
		{"signature", consensus.ErrInput, func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs[1].S[2][0] ^= 1 }},
		{"ring", consensus.ErrInput, func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[15]++ }},
		{"no such output", consensus.ErrInput, func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[15] += 1000 }},
		{"far output", consensus.ErrInput, func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[15] = 1<<64 - 1 }},
		{"other amount", consensus.ErrInput, func(x *tx.Transaction) { x.Inputs[0].Amount = 17592186044415 }},
		{"range proof", consensus.ErrInput, func(x *tx.Transaction) {
			x.RingCT.Prunable.BulletproofsPlus[0].A[0] ^= 1
		}},
		{"amount", consensus.ErrInput, func(x *tx.Transaction) { x.RingCT.Ecdh[0].Amount[0] ^= 1 }},
		{"view tag", consensus.ErrInput, func(x *tx.Transaction) { x.Outputs[0].ViewTag ^= 1 }},
	} {
		x, err := tx.Parse(append([]byte(nil), good...))
		require.NoError(t, err)
		c.breakIt(x)
		_, err = l.chain.AddTx(x.Append(nil), false)
		require.ErrorIs(t, err, c.want, c.name)
		require.Empty(t, l.chain.pool.byID)
	}
	// A change that only the equations of the range proof detect.
	x, err := tx.Parse(append([]byte(nil), good...))
	require.NoError(t, err)
	x.RingCT.Prunable.BulletproofsPlus[0].R1[0] ^= 1
	parsed, err := l.chain.newTx(x.Append(nil))
	require.NoError(t, err)
	require.ErrorIs(t, consensus.CheckProofs(l.random, parsed.Tx), consensus.ErrMalformed)

	for n := 0; n < len(good); n += 7 {
		_, err := l.chain.AddTx(good[:n], false)
		require.ErrorIs(t, err, consensus.ErrMalformed)
	}
	_, err = l.chain.AddTx(make([]byte, consensus.MaxTxSize+1), false)
	require.ErrorIs(t, err, consensus.ErrTooBig)
	id, err := l.chain.AddTx(good, true)
	require.NoError(t, err)
	require.False(t, l.chain.pool.byID[id].Relayed)
	_, err = l.chain.AddTx(good, false)
	require.ErrorIs(t, err, ErrInPool)
	require.False(t, l.chain.pool.byID[id].Relayed)
	known, err := l.chain.SetRelayed(id)
	require.NoError(t, err)
	require.True(t, known)
	require.True(t, l.chain.pool.byID[id].Relayed)
	known, err = l.chain.SetRelayed(xmr.Hash{1})
	require.NoError(t, err)
	require.False(t, known)
}

// TestEveryBit flips bits of a valid transaction: the pool accepts none of the results.
func TestEveryBit(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	good := l.pay(fee.Slow, 1e12, 3)
	for at := 0; at < len(good); at += 1 + at%5 {
		bad := append([]byte(nil), good...)
		bad[at] ^= 1 << (at % 8)
		_, err := l.chain.AddTx(bad, false)
		require.Error(t, err, at)
	}
	require.Empty(t, l.chain.pool.byID)
	_, err := l.chain.AddTx(good, false)
	require.NoError(t, err)
}

// TestDoubleSpendInPool keeps and marks the first of two transactions that spend the same, and accepts a block with
// the second.
func TestDoubleSpendInPool(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	first, second := l.pay(fee.Slow, 1e12, 3), l.pay(fee.Fast, 2e12, 3)
	id, err := l.chain.AddTx(first, false)
	require.NoError(t, err)
	require.False(t, l.chain.pool.byID[id].DoubleSpendSeen)
	_, err = l.chain.AddTx(second, false)
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)
	require.True(t, l.chain.pool.byID[id].DoubleSpendSeen)

	rival, err := l.chain.newTx(second)
	require.NoError(t, err)
	b := l.blockOf(rival)
	_, err = l.chain.AddBlock(b, second)
	require.NoError(t, err)
	require.Contains(t, l.chain.txs, rival.ID)
	require.Contains(t, l.chain.pool.byID, id) // a reorganisation may make it valid again
	l.mine(1)
	require.NotContains(t, l.chain.txs, id)
	require.NotZero(t, l.chain.pool.byID[id].LastFailedHeight)
	_, err = l.chain.PopBlocks(2)
	require.NoError(t, err)
	require.Len(t, l.chain.pool.byID, 2)
	require.True(t, l.chain.pool.byID[rival.ID].KeptByBlock)
	l.chain.View(func(v View) {
		// Only one of both can be in the next block.
		ready := v.Ready(func(*PoolTx) bool { return false })
		require.Len(t, ready, 1)
		require.Equal(t, rival.ID, ready[0].ID)
		ready = v.Ready(func(p *PoolTx) bool { return p.ID == rival.ID })
		require.Len(t, ready, 1)
		require.Equal(t, id, ready[0].ID)
	})
	l.mine(1)
	require.Contains(t, l.chain.txs, rival.ID) // it pays more
	require.Len(t, l.chain.pool.byID, 1)
}

// blockOf returns a block on the top with these transactions only.
func (l *testChain) blockOf(txs ...*Tx) []byte {
	l.t.Helper()
	b, err := block.Parse(l.block(nil))
	require.NoError(l.t, err)
	b.TxHashes = nil
	b.MinerTx.Outputs[0].Amount = consensus.BaseReward(l.chain.top().Coins)
	for _, t := range txs {
		b.TxHashes = append(b.TxHashes, t.ID)
		b.MinerTx.Outputs[0].Amount += t.Fee
	}
	return b.Append(nil)
}

// TestPoolExpires removes transactions after three days, or after seven if they have been in a block, and does not
// accept them again.
func TestPoolExpires(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	kept := l.send(fee.Slow, 3)
	l.mine(1)
	_, err := l.chain.PopBlocks(1)
	require.NoError(t, err)
	blob := l.pay(fee.Slow, 1e12, 4)
	id, err := l.chain.AddTx(blob, false)
	require.NoError(t, err)
	wait := func(seconds uint64) {
		l.now += seconds
		_, err := l.chain.NewTemplate(l.to, nil, nil)
		require.NoError(t, err)
	}
	wait(3 * 86400)
	require.Len(t, l.chain.pool.byID, 2)
	wait(1)
	require.NotContains(t, l.chain.pool.byID, id)
	_, err = l.chain.AddTx(blob, false)
	require.ErrorIs(t, err, ErrTimedOut)
	wait(4*86400 - 1)
	require.Contains(t, l.chain.pool.byID, kept)
	wait(1)
	require.Empty(t, l.chain.pool.byID)
	// A block may still contain it.
	late, err := l.chain.newTx(blob)
	require.NoError(t, err)
	_, err = l.chain.AddBlock(l.blockOf(late), blob)
	require.NoError(t, err)
}

// TestPoolIsBounded removes the transactions with the lowest fees, but none that has been in a block.
func TestPoolIsBounded(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	kept := l.send(fee.Slow, 3)
	l.mine(1)
	_, err := l.chain.PopBlocks(1)
	require.NoError(t, err)
	slow, fast, normal := l.send(fee.Slow, 4), l.send(fee.Fast, 5), l.send(fee.Normal, 6)
	l.chain.pool.limit = l.chain.pool.weight - 1
	more := l.send(fee.Fastest, 7)
	require.NotContains(t, l.chain.pool.byID, slow)
	require.NotContains(t, l.chain.pool.byID, normal)
	for _, id := range []xmr.Hash{kept, fast, more} {
		require.Contains(t, l.chain.pool.byID, id)
	}
	require.LessOrEqual(t, l.chain.pool.weight, l.chain.pool.limit)
	require.NoError(t, l.chain.FlushPool(fast, xmr.Hash{1}))
	require.Len(t, l.chain.pool.byID, 2)
	require.NoError(t, l.chain.FlushPool())
	require.Empty(t, l.chain.pool.byID)
	require.Empty(t, l.chain.pool.images)
	require.Zero(t, l.chain.pool.weight)
}

// TestTemplate checks the order of transactions, the weight limit and the nonce of templates.
func TestTemplate(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	slow, fast, normal := l.send(fee.Slow, 3), l.send(fee.Fast, 4), l.send(fee.Normal, 5)
	made, err := l.chain.NewTemplate(l.to, make([]byte, 255), nil)
	require.NoError(t, err)
	require.Equal(t, []xmr.Hash{fast, normal, slow}, made.Block.TxHashes)
	extra, ok := tx.ParseExtra(made.Block.MinerTx.Extra)
	require.True(t, ok)
	require.Len(t, extra.Nonce, 255)
	require.Equal(t, made.Key, extra.PublicKeys[0])
	require.Equal(t, made.Reward, made.Block.MinerTx.Outputs[0].Amount)
	require.Equal(t, l.chain.blocks[0].ID, made.Seed)
	l.now += 120
	require.True(t, l.add(made.Block.Append(nil)).Main)

	_, err = l.chain.NewTemplate(l.to, make([]byte, 256), nil)
	require.Error(t, err)
	_, err = l.chain.NewTemplate(l.to, nil, &xmr.Hash{1})
	require.ErrorIs(t, err, ErrOrphan)
	_, err = l.chain.NewTemplate(address.Address{View: xmr.PublicKey{2}}, nil, nil)
	require.Error(t, err)

	// The host's clock is behind the chain.
	l.now -= 1_000_000
	made, err = l.chain.NewTemplate(l.to, nil, nil)
	require.NoError(t, err)
	require.Greater(t, made.Block.Timestamp, l.now)

	// Transactions that do not fit, or do not pay for their penalty, are left out.
	l.now += 1_000_000
	id := l.send(fee.Slow, 6)
	l.chain.limits = consensus.Limits{LongTerm: 300_000, Median: 300_000, Limit: 2000}
	made, err = l.chain.NewTemplate(l.to, nil, nil)
	require.NoError(t, err)
	require.Empty(t, made.Block.TxHashes)
	require.Contains(t, l.chain.pool.byID, id)
}

// TestOnPoolAdded: OnPoolAdded is called once for each transaction that may be relayed or has arrived with a block,
// after it was stored and before the block, and for a transaction that must not be relayed once it may be.
func TestOnPoolAdded(t *testing.T) {
	m := new(memory)
	var calls []string
	l := newTestChain(t, func(o *Options) {
		o.Store = m
		o.OnPoolAdded = func(list []*PoolTx) {
			for _, p := range list {
				calls = append(calls, "tx "+p.ID.String())
			}
		}
		o.OnBlockAdded = func(v View, a Added) {
			require.Equal(t, a.ID, v.Top().ID)
			calls = append(calls, "block "+a.ID.String())
		}
	})
	l.mine(80)
	calls = nil
	seen := l.send(fee.Slow, 3)
	hidden, err := l.chain.AddTx(l.pay(fee.Slow, 1e12, 4), true)
	require.NoError(t, err)
	require.Equal(t, []string{"tx " + seen.String()}, calls)
	for range 2 {
		_, err = l.chain.SetRelayed(hidden)
		require.NoError(t, err)
		_, err = l.chain.SetRelayed(seen)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"tx " + seen.String(), "tx " + hidden.String()}, calls)

	// There is no call if the transaction was not stored, and none for one that returns after a reorganisation.
	calls = nil
	payment := l.pay(fee.Slow, 1e12, 5)
	m.fails = errors.New("disk full")
	_, err = l.chain.AddTx(payment, false)
	require.ErrorIs(t, err, m.fails)
	m.fails = nil
	fork := l.chain.top().ID
	l.mine(1)
	require.Len(t, calls, 1)
	l.mineOn(fork, 2)
	require.Len(t, calls, 2)
	require.Equal(t, "block "+l.chain.top().ID.String(), calls[1])

	// A block arrives with an unknown payment.
	calls = nil
	from := newTestChain(t)
	from.now = l.now
	l.chain.View(func(v View) {
		for h := uint64(1); h < v.Height(); h++ {
			var txs [][]byte
			for _, x := range v.Block(h).Txs {
				txs = append(txs, x.Blob)
			}
			_, err := from.chain.AddBlock(v.Block(h).Blob, txs...)
			require.NoError(t, err)
		}
	})
	id, err := from.chain.AddTx(payment, false)
	require.NoError(t, err)
	blob := from.block(nil)
	l.now = from.now
	added, err := l.chain.AddBlock(blob, payment)
	require.NoError(t, err)
	require.Equal(t, []string{"tx " + id.String(), "block " + added.ID.String()}, calls)
}
