package chain

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/fee"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestFirstBlocks creates the chain of every network.
func TestFirstBlocks(t *testing.T) {
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		l := newTestChain(t, func(o *Options) { o.Network = n })
		require.Equal(t, n.GenesisHash(), l.chain.top().ID)
		require.EqualValues(t, 17592186044415, l.chain.top().Coins)
	}
	// The next block of mainnet has rules of an old hard fork, which are not supported.
	l := newTestChain(t, func(o *Options) { o.Network = xmr.Mainnet })
	blob := newTestChain(t).block(nil)
	_, err := l.chain.AddBlock(blob)
	require.ErrorIs(t, err, consensus.ErrVersion)
}

// TestPaying mines rewards, spends them, and checks the resulting state.
func TestPaying(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	id := l.send(fee.Slow, 3)
	two := l.send(fee.Slow, 5, 6)
	require.Len(t, l.chain.pool.byID, 2)
	l.mine(1)
	require.Empty(t, l.chain.pool.byID)
	require.Empty(t, l.chain.pool.images)
	require.Zero(t, l.chain.pool.weight)
	top := l.chain.top()
	require.Len(t, top.Txs, 2)
	require.ElementsMatch(t, []xmr.Hash{id, two}, []xmr.Hash{top.Txs[0].ID, top.Txs[1].ID})
	require.EqualValues(t, 80+1+4, top.RingCT)
	require.Equal(t, [][]uint64{{80}, {81, 82}, {83, 84}}, top.Indices)
	require.Equal(t, top.Txs[0].Fee+top.Txs[1].Fee+consensus.BaseReward(l.chain.blocks[80].Coins), top.Reward())
	require.Equal(t, consensus.BaseReward(l.chain.blocks[80].Coins), top.Coins-l.chain.blocks[80].Coins)
	require.EqualValues(t, 82, top.Cumulative.Lo)
	require.Equal(t, top.Block.MinerTx.Weight()+top.Txs[0].Weight+top.Txs[1].Weight, top.Weight)

	// An output cannot be spent twice.
	again := l.pay(fee.Fast, 1e12, 3)
	_, err := l.chain.AddTx(again, false)
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)
	_, err = l.chain.AddTx(top.Txs[0].Blob, false)
	require.ErrorIs(t, err, ErrMined)
}

// TestRevertIsTheInverseOfApply adds blocks and reverts them one by one.
func TestRevertIsTheInverseOfApply(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	next := uint64(1)
	var states []snapshot
	for i := range 12 {
		states = append(states, snap(l.chain))
		for range i % 3 {
			l.send(fee.Slow, next)
			next++
		}
		l.mine(1)
	}
	top := snap(l.chain)
	var taken []*Block
	for i := len(states) - 1; i >= 0; i-- {
		taken = append(taken, l.chain.revert())
		require.Equal(t, states[i], snap(l.chain))
	}
	for i := len(taken) - 1; i >= 0; i-- {
		l.chain.apply(taken[i])
	}
	require.Equal(t, top, snap(l.chain))
}

// TestLongWindowSlides applies and reverts a block when the long-term window is full.
func TestLongWindowSlides(t *testing.T) {
	l := newTestChain(t)
	l.mine(1)
	b := l.chain.blocks[1]
	for h := uint64(2); h < consensus.LongWindow+3; h++ {
		next := *b
		next.Height, next.LongTerm = h, h
		next.ID = xmr.Hash{byte(h), byte(h >> 8), byte(h >> 16)}
		next.CoinbaseID = xmr.Hash{1, byte(h), byte(h >> 8), byte(h >> 16)}
		l.chain.blocks = append(l.chain.blocks, &next)
		l.chain.long.Add(h)
		if h >= consensus.LongWindow {
			l.chain.long.Remove(l.chain.blocks[h-consensus.LongWindow].LongTerm)
		}
	}
	l.chain.limit()
	before := snap(l.chain)
	require.Equal(t, consensus.LongWindow, before.Long.Len())
	next := *b
	next.Height, next.LongTerm = l.chain.height(), math.MaxUint64
	next.ID, next.CoinbaseID = xmr.Hash{9, 9}, xmr.Hash{9, 8}
	l.chain.apply(&next)
	require.Equal(t, consensus.LongWindow, l.chain.long.Len())
	require.NotEqual(t, before.Long, *l.chain.long.Clone())
	l.chain.revert()
	require.Equal(t, before, snap(l.chain))
}

// TestReorganise lets a branch overtake the main chain. Transactions of the replaced blocks return to the pool, and
// those of the branch leave it.
func TestReorganise(t *testing.T) {
	for _, depth := range []int{1, 3, 30} {
		l := newTestChain(t)
		l.mine(80)
		fork := l.chain.top().ID
		id := l.send(fee.Slow, 3)
		l.mine(depth)
		require.Contains(t, l.chain.txs, id)
		main := snap(l.chain)

		// A branch as long as the chain changes nothing.
		tip := l.mineOn(fork, depth)
		require.Equal(t, main, snap(l.chain))
		require.Len(t, l.chain.branches.byID, depth)

		// With one more block it becomes the main chain.
		blob := l.block(&tip)
		added := l.add(blob)
		require.True(t, added.Main)
		require.Len(t, added.Left, depth)
		require.EqualValues(t, 81+depth+1, l.chain.height())
		require.Equal(t, added.ID, l.chain.top().ID)
		require.Len(t, l.chain.branches.byID, depth)
		waiting := l.chain.pool.byID[id]
		require.NotNil(t, waiting)
		require.True(t, waiting.KeptByBlock)
		require.False(t, l.add(blob).Main)
		require.True(t, l.add(blob).Known)

		// And back again, with the replaced blocks.
		old := main.Blocks[len(main.Blocks)-1].ID
		tip = l.mineOn(old, 2)
		require.Equal(t, tip, l.chain.top().ID)
		require.Contains(t, l.chain.txs, id)
		require.Empty(t, l.chain.pool.byID)
		require.Equal(t, main.Blocks[81].ID, l.chain.blocks[81].ID)
	}
}

// TestBranchWithFees builds on a block of a branch that contains a payment, until the branch overtakes.
func TestBranchWithFees(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	fork := l.chain.top().ID
	l.mine(1)
	id := l.send(fee.Slow, 3)
	tip := l.mineOn(fork, 2)
	require.Equal(t, tip, l.chain.top().ID)
	require.Equal(t, TxLocation{81, 1}, l.chain.txs[id])

	// A transaction is left out while its inputs are locked at the branch's height.
	fork = l.chain.blocks[81].ID
	locked := l.send(fee.Slow, 23)
	tip = l.mineOn(fork, 1)
	require.Empty(t, l.chain.branches.get(tip).Block.TxHashes)
	tip = l.mineOn(tip, 1)
	require.Equal(t, tip, l.chain.top().ID)
	require.Contains(t, l.chain.txs, locked)
}

// TestInvalidBranch overtakes with a block that only full validation shows to be invalid: nothing changes.
func TestInvalidBranch(t *testing.T) {
	l := newTestChain(t)
	l.mine(75)
	fork := l.chain.top().ID
	id := l.send(fee.Slow, 3)
	l.mine(2)
	main := snap(l.chain)
	first := l.mineOn(fork, 1)

	greedy, err := block.Parse(l.block(&first))
	require.NoError(t, err)
	greedy.MinerTx.Outputs[0].Amount++
	added := l.add(greedy.Append(nil)) // equal work: not fully validated yet
	require.False(t, added.Main)
	on, err := block.Parse(l.block(&added.ID))
	require.NoError(t, err)
	_, err = l.chain.AddBlock(on.Append(nil))
	require.ErrorIs(t, err, consensus.ErrReward)
	after := snap(l.chain)
	for i := range main.Blocks {
		require.Equal(t, *main.Blocks[i], *after.Blocks[i])
	}
	main.Blocks, after.Blocks = nil, nil
	require.Equal(t, main, after)
	require.Empty(t, l.chain.pool.byID)
	require.Contains(t, l.chain.txs, id)
	require.Len(t, l.chain.branches.byID, 1) // the good block of the branch

	for _, b := range []*block.Block{greedy, on} {
		_, err := l.chain.AddBlock(b.Append(nil))
		require.ErrorIs(t, err, ErrInvalid)
	}
	on.Nonce++
	_, err = l.chain.AddBlock(on.Append(nil))
	require.ErrorIs(t, err, ErrInvalid)
}

// TestRefusedBlocks makes a valid block invalid in one way at a time.
func TestRefusedBlocks(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	l.send(fee.Slow, 3)
	l.send(fee.Slow, 4)
	good := l.block(nil)
	state := snap(l.chain)
	for _, c := range []struct {
		name    string
		want    error
		breakIt func(*block.Block)
	}{
		{"major", consensus.ErrVersion, func(b *block.Block) { b.Major = 15 }},
		{"future", consensus.ErrVersion, func(b *block.Block) { b.Major = 17 }},
		{"vote", consensus.ErrVersion, func(b *block.Block) { b.Minor = 15 }},
		{"late", consensus.ErrTimestamp, func(b *block.Block) { b.Timestamp = l.now + 7201 }},
		{"early", consensus.ErrTimestamp, func(b *block.Block) { b.Timestamp = 0 }},
		{"parent", ErrOrphan, func(b *block.Block) { b.Prev[0] ^= 1 }},
		{"reward", consensus.ErrReward, func(b *block.Block) { b.MinerTx.Outputs[0].Amount++ }},
		{"too little", consensus.ErrReward, func(b *block.Block) { b.MinerTx.Outputs[0].Amount-- }},
		{"height", consensus.ErrCoinbase, func(b *block.Block) { b.MinerTx.Inputs[0].Height++ }},
		{"unlock", consensus.ErrCoinbase, func(b *block.Block) { b.MinerTx.UnlockTime++ }},
		{"version", consensus.ErrCoinbase, func(b *block.Block) { b.MinerTx.Version = 1 }},
		{"view tag", consensus.ErrCoinbase, func(b *block.Block) { b.MinerTx.Outputs[0].Tagged = false }},
		{"fewer transactions", consensus.ErrReward, func(b *block.Block) { b.TxHashes = b.TxHashes[1:] }},
		{"twice", ErrMined, func(b *block.Block) { b.TxHashes[1] = b.TxHashes[0] }},
		{"unknown", ErrMissing, func(b *block.Block) { b.TxHashes[1][0] ^= 1 }},
		{"coinbase again", ErrMissing, func(b *block.Block) { b.TxHashes[1] = l.chain.blocks[5].CoinbaseID }},
	} {
		b, err := block.Parse(append([]byte(nil), good...))
		require.NoError(t, err)
		c.breakIt(b)
		_, err = l.chain.AddBlock(b.Append(nil))
		if c.name == "coinbase again" {
			require.ErrorIs(t, err, ErrMined, c.name)
		} else {
			require.ErrorIs(t, err, c.want, c.name)
		}
		require.Equal(t, state, snap(l.chain), c.name)
		require.Len(t, l.chain.pool.byID, 2)
	}
	for n := range len(good) {
		_, err := l.chain.AddBlock(good[:n])
		require.Error(t, err)
	}
	require.Equal(t, state, snap(l.chain))
	require.True(t, l.add(good).Main)
}

// TestBlockWithItsTransactions adds a block together with its transactions, valid and invalid.
func TestBlockWithItsTransactions(t *testing.T) {
	l, other := newTestChain(t), newTestChain(t)
	l.mine(80)
	for _, b := range l.chain.blocks[1:] {
		other.now = l.now
		other.add(b.Blob)
	}
	a, b := l.pay(fee.Slow, 1e12, 3), l.pay(fee.Slow, 1e12, 4)
	for _, blob := range [][]byte{a, b} {
		_, err := l.chain.AddTx(blob, false)
		require.NoError(t, err)
	}
	good := l.block(nil)
	other.now = l.now
	_, err := other.chain.AddBlock(good)
	require.ErrorIs(t, err, ErrMissing)
	_, err = other.chain.AddBlock(good, a)
	require.ErrorIs(t, err, ErrMissing)
	forged, err := tx.Parse(append([]byte(nil), b...))
	require.NoError(t, err)
	forged.RingCT.Prunable.BulletproofsPlus[0].D1[0] ^= 1
	_, err = other.chain.AddBlock(good, a, forged.Append(nil))
	require.ErrorIs(t, err, consensus.ErrMalformed)
	added, err := other.chain.AddBlock(good, a, b)
	require.NoError(t, err)
	require.True(t, added.Main)
	require.Empty(t, other.chain.pool.byID)

	// Two transactions that spend the same output cannot be in one block.
	c, d := l.pay(fee.Slow, 1e12, 7), l.pay(fee.Slow, 2e12, 7)
	empty, err := block.Parse(other.block(nil))
	require.NoError(t, err)
	for _, blob := range [][]byte{c, d} {
		parsed, err := l.chain.newTx(blob)
		require.NoError(t, err)
		empty.TxHashes = append(empty.TxHashes, parsed.ID)
		empty.MinerTx.Outputs[0].Amount += parsed.Fee
	}
	_, err = other.chain.AddBlock(empty.Append(nil), c, d)
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)
	require.Len(t, other.chain.pool.byID, 2)
	require.Len(t, other.chain.pool.images, 1)
}

// TestLockedAndYoung spends rewards that are locked, too young or not in the chain.
func TestLockedAndYoung(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	_, err := l.chain.AddTx(l.pay(fee.Slow, 1e12, 25), false) // unlocks at 85
	require.ErrorIs(t, err, consensus.ErrInput)
	blob := l.pay(fee.Slow, 1e12, 21) // unlocks at 81, which the next block is
	_, err = l.chain.AddTx(blob, false)
	require.NoError(t, err)
	_, err = l.chain.PopBlocks(2)
	require.NoError(t, err)
	require.NoError(t, l.chain.FlushPool())
	_, err = l.chain.AddTx(blob, false)
	require.ErrorIs(t, err, consensus.ErrInput)
	l.mine(2)
	_, err = l.chain.AddTx(blob, false)
	require.NoError(t, err)
	_, err = l.chain.PopBlocks(70)
	require.NoError(t, err)
	require.NoError(t, l.chain.FlushPool())
	_, err = l.chain.AddTx(blob, false)
	require.ErrorIs(t, err, consensus.ErrInput)
	left, err := l.chain.PopBlocks(math.MaxUint64)
	require.NoError(t, err)
	require.EqualValues(t, 1, left)
}

// TestWork rejects blocks whose proof of work is insufficient or cannot be checked.
func TestWork(t *testing.T) {
	l := newTestChain(t, func(o *Options) { o.FixedDifficulty = 2 })
	blob := l.block(nil)
	_, err := l.chain.AddBlock(blob)
	require.ErrorIs(t, err, ErrNoPoW)
	hash, fails := xmr.Hash{31: 0xff}, errors.New("no")
	l = newTestChain(t, func(o *Options) {
		o.FixedDifficulty = 2
		o.PoW = func(major uint8, height uint64, seed xmr.Hash, blob []byte) (xmr.Hash, error) {
			require.EqualValues(t, 16, major)
			require.Equal(t, xmr.Regtest.GenesisHash(), seed)
			require.NotEmpty(t, blob)
			return hash, fails
		}
	})
	blob = l.block(nil)
	_, err = l.chain.AddBlock(blob)
	require.ErrorIs(t, err, fails)
	fails = nil
	_, err = l.chain.AddBlock(blob)
	require.ErrorIs(t, err, consensus.ErrWork)
	hash[31] = 0x7f
	require.True(t, l.add(blob).Main)

	// Without FixedDifficulty the difficulty follows the blocks' times.
	l = newTestChain(t, func(o *Options) { o.FixedDifficulty = 0 })
	l.mine(30)
	require.EqualValues(t, 31, l.chain.top().Cumulative.Lo)
	l.now -= 60
	blob = l.block(nil)
	d, err := l.chain.nextDifficulty(l.chain.blocks)
	require.NoError(t, err)
	require.EqualValues(t, 1, d.Lo)
	l.add(blob)
	d, err = l.chain.nextDifficulty(l.chain.blocks)
	require.NoError(t, err)
	require.EqualValues(t, 2, d.Lo)
}

// TestSeed finds the RandomX seed on the main chain and on a branch.
func TestSeed(t *testing.T) {
	c := new(Chain)
	for i := range 4300 {
		c.blocks = append(c.blocks, &Block{ID: xmr.Hash{byte(i), byte(i >> 8)}, Height: uint64(i)})
	}
	branch := []*Block{{ID: xmr.Hash{1, 1, 1}, Height: 4096}, {ID: xmr.Hash{2, 2, 2}, Height: 4097}}
	require.Equal(t, c.blocks[2048].ID, c.seed(4160, nil))
	require.Equal(t, c.blocks[4096].ID, c.seed(4161, nil))
	require.Equal(t, branch[0].ID, c.seed(4161, branch))
	require.Equal(t, c.blocks[2048].ID, c.seed(4160, branch))
}
