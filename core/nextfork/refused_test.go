package nextfork

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// split makes the coinbase's output one of n that share the reward, with distinct valid keys in ascending order.
func split(b *block.Block, n int) {
	t := &b.MinerTx
	reward := t.Outputs[0].Amount
	t.Outputs, t.Carrot = make([]tx.Output, n), make([]tx.Carrot, n)
	for i := range t.Outputs {
		t.Outputs[i].Key = new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(uint64(i) + 5)).Encode()
		t.Outputs[i].Amount = reward / uint64(n)
	}
	t.Outputs[0].Amount += reward % uint64(n)
	slices.SortFunc(t.Outputs, func(a, b tx.Output) int { return bytes.Compare(a.Key[:], b.Key[:]) })
}

// TestForkRefused violates each rule for blocks of the fork separately.
func TestForkRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*block.Block)
		want   error
	}{
		"unchanged":       {func(*block.Block) {}, nil},
		"three outputs":   {func(b *block.Block) { split(b, 3) }, nil},
		"layers":          {func(b *block.Block) { b.Tree.Layers++ }, consensus.ErrTree},
		"root":            {func(b *block.Block) { b.Tree.Root[3] ^= 1 }, consensus.ErrTree},
		"version 16":      {func(b *block.Block) { b.Major = 16 }, tx.ErrOutput},
		"version 18":      {func(b *block.Block) { b.Major = 18 }, consensus.ErrVersion},
		"vote":            {func(b *block.Block) { b.Minor = 16 }, consensus.ErrVersion},
		"legacy coinbase": {func(b *block.Block) { b.MinerTx.Carrot, b.Tree = nil, nil }, consensus.ErrCoinbase},
		"tagged coinbase": {func(b *block.Block) {
			b.MinerTx.Carrot, b.Tree = nil, nil
			b.MinerTx.Outputs[0].Tagged = true
		}, consensus.ErrCoinbase},
		"order": {func(b *block.Block) { split(b, 3); slices.Reverse(b.MinerTx.Outputs) }, consensus.ErrCoinbase},
		"duplicate key": {func(b *block.Block) {
			split(b, 3)
			b.MinerTx.Outputs[1].Key = b.MinerTx.Outputs[0].Key
		}, consensus.ErrCoinbase},
		"zero key": {func(b *block.Block) { b.MinerTx.Outputs[0].Key = xmr.PublicKey{} }, consensus.ErrCoinbase},
		"no point": {func(b *block.Block) { b.MinerTx.Outputs[0].Key = xmr.PublicKey{2} }, consensus.ErrCoinbase},
		"neutral element": {
			func(b *block.Block) { b.MinerTx.Outputs[0].Key = xmr.PublicKey{1} }, consensus.ErrCoinbase,
		},
		"small order": {func(b *block.Block) { // a point of order four
			b.MinerTx.Outputs[0].Key = xmr.PublicKey{31: 0x80}
		}, consensus.ErrCoinbase},
		"extra": {func(b *block.Block) {
			b.MinerTx.Extra = append(b.MinerTx.Extra, make([]byte, xmr.MaxExtra+32-len(b.MinerTx.Extra))...)
		}, consensus.ErrCoinbase},
		"longest extra": {func(b *block.Block) {
			b.MinerTx.Extra = append(b.MinerTx.Extra, make([]byte, xmr.MaxExtra+31-len(b.MinerTx.Extra))...)
		}, nil},
		"unlock time": {func(b *block.Block) { b.MinerTx.UnlockTime++ }, consensus.ErrCoinbase},
		"height":      {func(b *block.Block) { b.MinerTx.Inputs[0].Height++ }, consensus.ErrCoinbase},
		"amount":      {func(b *block.Block) { b.MinerTx.Outputs[0].Amount++ }, consensus.ErrReward},
		"time":        {func(b *block.Block) { b.Timestamp += 3 * 3600 }, consensus.ErrTimestamp},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 5, 100)
			w.mine(60, nil)
			b := w.template(nil)
			c.change(b)
			_, err := w.AddBlock(b.Append(nil))
			if c.want == nil {
				require.NoError(t, err)
				w.mine(60, nil)
				w.requireRoots()
				return
			}
			require.ErrorIs(t, err, c.want)
			require.Equal(t, uint64(61), w.height())
			w.mine(1, nil)
		})
	}
}

// TestManyOutputs: a coinbase has at most 10,000 outputs.
func TestManyOutputs(t *testing.T) {
	coinbase := tx.Transaction{
		Version: 2, UnlockTime: 61, Inputs: []tx.Input{{Coinbase: true, Height: 1}},
		Outputs: make([]tx.Output, consensus.MaxMinerOutputs), Carrot: make([]tx.Carrot, consensus.MaxMinerOutputs),
	}
	for i := range coinbase.Outputs {
		coinbase.Outputs[i].Key = xmr.PublicKey{1, byte(i >> 8), byte(i)}
	}
	r := consensus.RulesOf(consensus.TreeVersion)
	require.NoError(t, r.CheckCoinbase(&coinbase, 1))
	coinbase.Outputs = append(coinbase.Outputs, tx.Output{Key: xmr.PublicKey{2}})
	coinbase.Carrot = append(coinbase.Carrot, tx.Carrot{})
	require.ErrorIs(t, r.CheckCoinbase(&coinbase, 1), consensus.ErrCoinbase)
}

// TestTreeBeforeFork: a block of version 16 cannot have a tree, because its coinbase has no outputs of Carrot.
func TestTreeBeforeFork(t *testing.T) {
	w := newWorld(t, 50, 50)
	b := w.template(nil)
	require.Nil(t, b.Tree)
	b.Tree = new(block.Tree)
	_, err := w.AddBlock(b.Append(nil))
	require.Error(t, err)
	require.Equal(t, uint64(1), w.height())
}

// TestNextIsRequired: a chain that reaches the fork needs its functions.
func TestNextIsRequired(t *testing.T) {
	w := newWorld(t, 5, 6)
	w.options.Next = nil
	_, err := chain.New(w.options)
	require.ErrorIs(t, err, chain.ErrNext)
}

// memory is a store.
type memory map[string][]byte

func (m memory) Load(visit func(key, value []byte) error) error {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if err := visit([]byte(k), m[k]); err != nil {
			return err
		}
	}
	return nil
}

func (m memory) Commit(put []chain.Record, drop [][]byte) error {
	for _, r := range put {
		m[string(r.Key)] = slices.Clone(r.Value)
	}
	for _, k := range drop {
		delete(m, string(k))
	}
	return nil
}

// TestRestart: a stored chain goes on with the same tree, and not with other heights of the fork.
func TestRestart(t *testing.T) {
	store := memory{}
	w := newWorld(t, 60, 65, func(o *chain.Options) { o.Store = store })
	w.mine(80, nil)
	back := w.id(74)
	w.mine(7, &back)
	again := newWorld(t, 60, 65, func(o *chain.Options) { o.Store = store })
	require.Equal(t, w.height(), again.height())
	again.requireRoots()
	again.now = w.now
	again.mine(3, nil)
	again.requireRoots()
	w.options.Forks = consensus.RegtestForks(61, 65)
	_, err := chain.New(w.options)
	require.ErrorIs(t, err, chain.ErrStored)
	require.ErrorContains(t, err, "hard forks")
}
