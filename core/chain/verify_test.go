package chain

import (
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/consensus"
	"glim/core/crypto/clsag"
	"glim/core/fee"
	"glim/core/tx"
)

// counted counts reads.
type counted struct {
	io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	c.n.Add(1)
	return c.Reader.Read(p)
}

// TestInvalidTransactionIsNamed adds a block with an invalid range proof in a batch: the error names the transaction,
// wherever it is in the batch, and the others are remembered as valid.
func TestInvalidTransactionIsNamed(t *testing.T) {
	l := newTestChain(t)
	l.mine(80)
	var good [][]byte
	for h := range uint64(3) {
		good = append(good, l.pay(fee.Slow, 1e12, 3+h))
	}
	x, err := tx.Parse(l.pay(fee.Slow, 1e12, 6))
	require.NoError(t, err)
	x.RingCT.Prunable.BulletproofsPlus[0].R1[0] ^= 1
	guilty, err := l.chain.newTx(x.Append(nil))
	require.NoError(t, err)
	for at := range len(good) + 1 {
		l.chain.verified.forget()
		var txs []*Tx
		var blobs [][]byte
		for i := range len(good) + 1 {
			next := guilty
			if i != at {
				next, err = l.chain.newTx(good[len(txs)-max(0, min(1, i-at))])
				require.NoError(t, err)
			}
			txs, blobs = append(txs, next), append(blobs, next.Blob)
		}
		_, err = l.chain.AddBlock(l.blockOf(txs...), blobs...)
		require.ErrorIs(t, err, consensus.ErrMalformed)
		require.ErrorContains(t, err, guilty.ID.String())
		require.EqualValues(t, 81, l.chain.height())
		require.Empty(t, l.chain.pool.byID)
		for _, x := range txs {
			require.Equal(t, x != guilty, l.chain.verified.hasProofs(x.ID))
		}
	}
}

// TestVerifiedOnce: a transaction verified for the pool is not verified again in blocks, until the results are
// forgotten. The test makes the transaction invalid in between, which shows whether it is verified.
func TestVerifiedOnce(t *testing.T) {
	random := &counted{Reader: &stream{seed: 5}}
	l := newTestChain(t, func(o *Options) { o.Random = random })
	l.mine(80)
	id := l.send(fee.Slow, 3, 4)
	waiting := l.chain.pool.byID[id].Tx
	blob := l.block(nil)
	response := &waiting.Tx.RingCT.Prunable.CLSAGs[1].S[5]
	response[0] ^= 1
	before := random.n.Load()
	require.True(t, l.add(blob).Main)
	_, err := l.chain.PopBlocks(1)
	require.NoError(t, err)
	require.True(t, l.add(blob).Main)
	require.Equal(t, before, random.n.Load(), "range proofs were verified again")

	_, err = l.chain.PopBlocks(1)
	require.NoError(t, err)
	l.chain.verified.forget()
	_, err = l.chain.AddBlock(blob)
	require.ErrorIs(t, err, consensus.ErrInput)
	response[0] ^= 1
	require.NoError(t, l.chain.FlushPool())
	_, err = l.chain.AddBlock(blob, waiting.Blob)
	require.NoError(t, err)
	require.Equal(t, before+1, random.n.Load())
}

// TestRingsChangeWithTheChain: signatures are verified again if a reorganisation changes the ring members.
func TestRingsChangeWithTheChain(t *testing.T) {
	l := newTestChain(t)
	l.mine(145)
	old := l.chain.top().ID
	tip := l.mineOn(l.chain.blocks[70].ID, 75)
	require.Equal(t, old, l.chain.top().ID)
	blob := l.pay(fee.Slow, 1e12, 75) // its ring ends at block 75
	_, err := l.chain.AddTx(blob, false)
	require.NoError(t, err)
	require.NoError(t, l.chain.FlushPool())

	tip = l.mineOn(tip, 1)
	require.Equal(t, tip, l.chain.top().ID)
	_, err = l.chain.AddTx(blob, false)
	require.ErrorIs(t, err, consensus.ErrInput)
	require.ErrorIs(t, err, clsag.ErrInvalid)

	l.mineOn(old, 2) // back
	_, err = l.chain.AddTx(blob, false)
	require.NoError(t, err)
}

// TestManySendAtOnce adds transactions from several goroutines while blocks are added and the chain is read.
func TestManySendAtOnce(t *testing.T) {
	l := newTestChain(t, func(o *Options) { o.Workers, o.Now = 3, func() uint64 { return 1_700_000_000 } })
	l.mine(90)
	blobs := make([][]byte, 8)
	for i := range blobs {
		blobs[i] = l.pay(fee.Slow, 1e12, uint64(3+i))
	}
	l.chain.verified.forget()
	var group sync.WaitGroup
	for _, blob := range blobs {
		group.Go(func() {
			if _, err := l.chain.AddTx(blob, false); err != nil {
				t.Error(err)
			}
		})
	}
	group.Go(func() {
		for range 20 {
			l.chain.View(func(v View) { _ = v.Pool() })
		}
	})
	l.mine(2)
	group.Wait()
	l.mine(1)
	mined := 0
	for _, b := range l.chain.blocks[91:] {
		mined += len(b.Txs)
	}
	require.Equal(t, len(blobs), mined)
}
