package chain

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/fee"
	"glim/core/xmr"
)

// memory is a store that can fail.
type memory struct {
	blocks [][]byte
	txs    [][][]byte
	fails  error
}

func (m *memory) Load(visit func([]byte, [][]byte) error) error {
	for i := range m.blocks {
		if err := visit(m.blocks[i], m.txs[i]); err != nil {
			return err
		}
	}
	return m.fails
}

func (m *memory) Append(height uint64, block []byte, txs [][]byte) error {
	if m.fails != nil {
		return m.fails
	}
	if height != uint64(len(m.blocks))+1 {
		return errors.New("out of order")
	}
	m.blocks, m.txs = append(m.blocks, block), append(m.txs, txs)
	return nil
}

func (m *memory) Truncate(height uint64) error {
	if m.fails != nil {
		return m.fails
	}
	if height != uint64(len(m.blocks)) {
		return errors.New("out of order")
	}
	m.blocks, m.txs = m.blocks[:height-1], m.txs[:height-1]
	return nil
}

// TestStoredChainIsTheChain opens what was stored after payments and a reorganisation.
func TestStoredChainIsTheChain(t *testing.T) {
	m := new(memory)
	with := func(o *Options) { o.Store = m }
	l := newLife(t, with)
	l.mine(80)
	fork := l.chain.top().ID
	l.send(fee.Slow, 3)
	l.mine(2)
	l.mineOn(fork, 3)
	l.mine(1) // the payment, again
	require.Len(t, l.chain.top().Txs, 1)
	again := newLife(t, with)
	require.Equal(t, snap(l.chain), snap(again.chain))

	damaged := *m
	damaged.blocks = append([][]byte(nil), m.blocks...)
	damaged.blocks[70] = m.blocks[71]
	_, err := New(Options{Network: xmr.Regtest, FixedDifficulty: 1, Store: &damaged})
	require.ErrorIs(t, err, ErrStored)
	damaged.blocks[70] = m.blocks[70][:20]
	_, err = New(Options{Network: xmr.Regtest, FixedDifficulty: 1, Store: &damaged})
	require.ErrorIs(t, err, ErrStored)
	damaged = *m
	damaged.txs = append([][][]byte(nil), m.txs...)
	damaged.txs[len(damaged.txs)-1] = nil
	_, err = New(Options{Network: xmr.Regtest, FixedDifficulty: 1, Store: &damaged})
	require.ErrorIs(t, err, ErrStored)
}

// TestFailingStore changes nothing that it cannot store first.
func TestFailingStore(t *testing.T) {
	m := new(memory)
	l := newLife(t, func(o *Options) { o.Store = m })
	l.mine(80)
	id := l.send(fee.Slow, 3)
	blob := l.block(nil)
	state := snap(l.chain)
	m.fails = errors.New("disk full")
	_, err := l.chain.AddBlock(blob)
	require.ErrorIs(t, err, m.fails)
	left, err := l.chain.PopBlocks(3)
	require.ErrorIs(t, err, m.fails)
	require.EqualValues(t, 81, left)
	require.Equal(t, state, snap(l.chain))
	require.Contains(t, l.chain.pool.byID, id)
	m.fails = nil
	require.True(t, l.add(blob).Main)
}

// FuzzAddBlock feeds arbitrary bytes as a block and as a transaction: nothing may panic, and nothing is taken that is
// not the one good block.
func FuzzAddBlock(f *testing.F) {
	l := newLife(f)
	l.mine(80)
	spend := l.pay(fee.Slow, 1e12, 3)
	good := l.block(nil)
	f.Add(good)
	f.Add(spend)
	f.Add(good[:50])
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append([]byte(nil), b...)
		if _, err := l.chain.AddTx(b, false); err == nil {
			l.chain.FlushPool()
		}
		if added, err := l.chain.AddBlock(b, b); err == nil && added.Main {
			if _, err := l.chain.PopBlocks(1); err != nil {
				t.Fatal(err)
			}
		}
		if l.chain.height() != 81 {
			t.Fatal("the chain is another")
		}
	})
}
