package chain

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/fee"
	"glim/core/xmr"
)

// TestBlockWithoutWork: a block without proof of work or without position adds nothing to the pool, and its
// transactions are neither verified nor requested. If a block with work lacks a transaction, its other transactions
// stay in the pool.
func TestBlockWithoutWork(t *testing.T) {
	works := true
	l := newTestChain(t, func(o *Options) {
		o.FixedDifficulty = 2
		o.PoW = func(_ uint8, _ uint64, _ xmr.Hash, blob []byte) (h xmr.Hash, _ error) {
			if !works {
				h[31] = 0xff
			}
			return h, nil
		}
	})
	l.mine(80)
	a, err := l.chain.newTx(l.pay(fee.Slow, 1e12, 3))
	require.NoError(t, err)
	b, err := l.chain.newTx(l.pay(fee.Slow, 1e12, 4))
	require.NoError(t, err)
	good := l.blockOf(a, b)
	works = false
	state := snap(l.chain)
	for name, c := range map[string]struct {
		want  error
		prev  xmr.Hash
		early bool
	}{
		"top":     {want: consensus.ErrWork, prev: l.chain.top().ID},
		"branch":  {want: consensus.ErrWork, prev: l.chain.blocks[40].ID},
		"nowhere": {want: ErrOrphan, prev: xmr.Hash{1}},
		"time":    {want: consensus.ErrTimestamp, prev: l.chain.top().ID, early: true},
	} {
		bad, err := block.Parse(append([]byte(nil), good...))
		require.NoError(t, err)
		if bad.Prev = c.prev; c.early {
			bad.Timestamp = 0
		}
		for _, blobs := range [][][]byte{{a.Blob, b.Blob}, {a.Blob}, nil} {
			_, err = l.chain.AddBlock(bad.Append(nil), blobs...)
			require.ErrorIs(t, err, c.want, name)
			require.Equal(t, state, snap(l.chain), name)
			require.Empty(t, l.chain.pool.byID, name)
			require.False(t, l.chain.verified.hasProofs(a.ID), name)
		}
	}
	works = true
	_, err = l.chain.AddBlock(good, a.Blob)
	require.ErrorIs(t, err, ErrMissing)
	require.Contains(t, l.chain.pool.byID, a.ID)
	works = false // the result for this block is remembered
	added, err := l.chain.AddBlock(good, b.Blob)
	require.NoError(t, err)
	require.True(t, added.Main)
}

// TestWorkIsCheckedWithoutLock reads and changes the chain while a block is being hashed.
func TestWorkIsCheckedWithoutLock(t *testing.T) {
	hashing, goOn := make(chan struct{}), make(chan struct{})
	var bad xmr.Hash
	var heldUp bool
	l := newTestChain(t, func(o *Options) {
		o.FixedDifficulty = 2
		o.PoW = func(_ uint8, _ uint64, _ xmr.Hash, blob []byte) (h xmr.Hash, _ error) {
			if b := sha256.Sum256(blob); b == bad {
				close(hashing)
				select {
				case <-goOn:
				case <-time.After(time.Minute): // a deadlock would never end otherwise
					heldUp = true
				}
				h[31] = 0xff
			}
			return h, nil
		}
	})
	l.mine(3)
	b, err := block.Parse(l.block(nil))
	require.NoError(t, err)
	b.Nonce = 7
	blob, err := b.HashingBlob()
	require.NoError(t, err)
	bad = sha256.Sum256(blob)
	refused := make(chan error)
	go func() {
		_, err := l.chain.AddBlock(b.Append(nil))
		refused <- err
	}()
	<-hashing
	l.mine(1)
	l.chain.View(func(v View) { require.EqualValues(t, 5, v.Height()) })
	close(goOn)
	require.ErrorIs(t, <-refused, consensus.ErrWork)
	require.False(t, heldUp)
}
