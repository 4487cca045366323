package chain

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/fee"
	"glim/core/xmr"
)

// follower is a client that maintains its own list of the pool from the results of PoolSince.
type follower struct {
	relayedOnly bool
	since       uint64
	ids         map[xmr.Hash]bool
	full, parts int
}

func (f *follower) update(l *testChain) {
	l.chain.View(func(v View) {
		added, gone, known := v.PoolSince(f.since, f.relayedOnly)
		if known {
			f.parts++
		} else {
			f.full++
			clear(f.ids)
		}
		for _, id := range gone {
			delete(f.ids, id)
		}
		for _, t := range added {
			f.ids[t.ID] = true
		}
		want := map[xmr.Hash]bool{}
		for _, t := range v.Pool() {
			if !f.relayedOnly || !t.DoNotRelay {
				want[t.ID] = true
			}
		}
		require.Equal(l.t, want, f.ids)
		f.since = v.Now()
	})
}

// TestPoolIsFollowed makes random changes, several in a second: a client that requests only changes has the same pool
// as one that requests all of it.
func TestPoolIsFollowed(t *testing.T) {
	l := newTestChain(t)
	l.mine(90)
	var blobs [][]byte
	for h := range uint64(6) {
		blobs = append(blobs, l.pay(fee.Slow, 1e12, 3+h))
	}
	chance := rand.New(rand.NewPCG(1, 2))
	followers := []*follower{{}, {relayedOnly: true}, {}}
	for _, f := range followers {
		f.ids = map[xmr.Hash]bool{}
	}
	for range 600 {
		blob := blobs[chance.IntN(len(blobs))]
		x, err := l.chain.newTx(blob)
		require.NoError(t, err)
		switch chance.IntN(8) {
		case 0, 1:
			_, _ = l.chain.AddTx(blob, chance.IntN(2) == 0)
		case 2:
			require.NoError(t, l.chain.FlushPool(x.ID))
		case 3:
			_, err := l.chain.SetRelayed(x.ID)
			require.NoError(t, err)
		case 4:
			l.mine(1)
		case 5:
			_, err := l.chain.PopBlocks(1 + chance.Uint64N(3))
			require.NoError(t, err)
		case 6:
			l.now += chance.Uint64N(3)
		case 7:
			followers[chance.IntN(2)].update(l)
		}
		followers[2].update(l) // after everything
	}
	for _, f := range followers {
		require.Positive(t, f.full)
		require.Greater(t, f.parts, 10)
	}
}

// TestPoolNewsIsBounded: the number of remembered departures is limited, and requests for older changes return the
// complete pool. A clock that goes back hides nothing.
func TestPoolNewsIsBounded(t *testing.T) {
	p := newPool(0)
	n := &p.news
	n.setTime(1000)
	for i := range maxGone + 1 {
		n.setTime(1000 + uint64(i)/50)
		n.note(xmr.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, &PoolTx{}, nil)
	}
	require.Len(t, n.gone, maxGone-maxGone/4)
	require.EqualValues(t, 1000+maxGone/4/50, n.since)
	n.setTime(5)
	n.note(xmr.Hash{9, 9, 9}, nil, &PoolTx{})
	require.EqualValues(t, 1000+maxGone/50, n.added[xmr.Hash{9, 9, 9}])
	n.setTime(1000 + maxGone/50 + goneSeconds + 1)
	n.note(xmr.Hash{9, 9, 9}, &PoolTx{DoNotRelay: true}, nil)
	require.Equal(t, []departure{{xmr.Hash{9, 9, 9}, n.now, true}}, n.gone)
	require.EqualValues(t, 1000+maxGone/50, n.since)
	require.Empty(t, n.added)
}
