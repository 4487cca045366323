package syncer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// trail is a wallet's memory of the blocks it scanned, as sparse as a test wants it.
type trail []wallet.BlockID

func (t trail) Tip() (wallet.BlockID, bool) {
	if len(t) == 0 {
		return wallet.BlockID{}, false
	}
	return t[len(t)-1], true
}

func (t trail) BlockAt(height uint64) (xmr.Hash, bool) {
	for _, b := range t {
		if b.Height == height {
			return b.Hash, true
		}
	}
	return xmr.Hash{}, false
}

// History lists the tip, then blocks at doubling distances, then genesis.
func (t trail) History() (out []xmr.Hash) {
	for i, step := len(t)-1, 1; i >= 0; i, step = i-step, step*2 {
		out = append(out, t[i].Hash)
	}
	return append(out, xmr.Regtest.GenesisHash())
}

func remember(blocks []syncer.Block) (t trail) {
	for _, b := range blocks {
		t = append(t, wallet.BlockID{Height: b.Height, Hash: b.Hash})
	}
	return t
}

// take does what a step says.
func (t *trail) take(tt *testing.T, s syncer.Step) {
	tt.Helper()
	if s.Detach != nil {
		for len(*t) > 0 && (*t)[len(*t)-1].Height >= *s.Detach {
			*t = (*t)[:len(*t)-1]
		}
	}
	for _, b := range s.Blocks {
		if tip, ok := t.Tip(); ok {
			require.Equal(tt, tip.Height+1, b.Height)
			require.True(tt, tip.Hash == b.Prev, "block %d follows", b.Height)
		}
		*t = append(*t, wallet.BlockID{Height: b.Height, Hash: b.Hash})
	}
}

func at(h uint64) *uint64 { return &h }

func chain(seed string, blocks int) *chaintest.Chain {
	c := chaintest.New(seed, xmr.Regtest)
	c.Grow(blocks - 1)
	return c
}

func TestAsk(t *testing.T) {
	c := chain("ask", 30)
	genesis := []xmr.Hash{xmr.Regtest.GenesisHash()}
	for _, q := range []struct{ from, height, start uint64 }{{0, 30, 0}, {1, 30, 1}, {20, 30, 20}, {29, 30, 29}, {30, 30, 29}, {500, 30, 29}, {500, 0, 0}} {
		require.Equal(t, syncer.Question{History: genesis, Start: q.start, Height: q.height}, syncer.Ask(trail{}, q.from, q.height))
	}
	known := remember(c.Blocks[5:12])
	require.Equal(t, syncer.Question{History: known.History(), Newest: 11, Height: 30}, syncer.Ask(known, 5, 30))
}

func TestNext(t *testing.T) {
	main := chain("next", 40)
	fork := main.Fork("fork", 20)
	fork.Grow(10) // 30 blocks
	short := main.Fork("short", 20)
	short.Grow(2) // 22 blocks
	deep := main.Fork("deep", 1)
	deep.Grow(44)
	sparse := append(remember(main.Blocks[8:9]), append(remember(main.Blocks[16:17]), remember(main.Blocks[30:40])...)...)
	batch := func(c *chaintest.Chain, from, to int) syncer.Batch {
		return syncer.Batch{Blocks: c.Blocks[from:to], Height: c.Height()}
	}
	for _, c := range []struct {
		name  string
		known trail
		from  uint64
		batch syncer.Batch
		want  syncer.Step
		err   error
	}{
		{"nothing, from nothing", nil, 1, syncer.Batch{Height: 0}, syncer.Step{Done: true}, nil},
		{"begins", nil, 10, batch(main, 10, 20), syncer.Step{Blocks: main.Blocks[10:20]}, nil},
		{"begins and ends", nil, 10, batch(main, 10, 40), syncer.Step{Blocks: main.Blocks[10:40], Done: true}, nil},
		{"begins above an earlier block", nil, 15, batch(main, 10, 20), syncer.Step{Blocks: main.Blocks[15:20]}, nil},
		{"begins above all that is there", nil, 100, batch(main, 39, 40), syncer.Step{Blocks: main.Blocks[40:40], Done: true}, nil},
		{"begins too late", nil, 10, batch(main, 12, 20), syncer.Step{}, syncer.ErrChain},

		{"nothing new", remember(main.Blocks[1:40]), 1, batch(main, 39, 40), syncer.Step{Done: true}, nil},
		{"extends", remember(main.Blocks[1:20]), 1, batch(main, 19, 30), syncer.Step{Blocks: main.Blocks[20:30]}, nil},
		{"extends to the end", remember(main.Blocks[1:20]), 1, batch(main, 19, 40), syncer.Step{Blocks: main.Blocks[20:40], Done: true}, nil},
		{"directly after the tip", remember(main.Blocks[1:20]), 1, batch(main, 20, 30), syncer.Step{Blocks: main.Blocks[20:30]}, nil},
		{"after a known one, then a fork", remember(main.Blocks[1:40]), 1, batch(fork, 20, 30), syncer.Step{Detach: at(20), Blocks: fork.Blocks[20:], Done: true}, nil},
		{"known ones first", remember(main.Blocks[1:30]), 1, batch(main, 19, 40), syncer.Step{Blocks: main.Blocks[30:40], Done: true}, nil},
		{"known ones only, more to come", remember(main.Blocks[1:30]), 1, batch(main, 19, 25), syncer.Step{}, nil},
		{"known ones only, none to come", remember(main.Blocks[1:40]), 1, batch(main, 19, 40), syncer.Step{Done: true}, nil},
		{"one known one, though more are said to be", remember(main.Blocks[1:30]), 1, batch(main, 29, 30), syncer.Step{Done: true}, nil},
		{"a daemon behind", remember(main.Blocks[1:40]), 1, syncer.Batch{Blocks: main.Blocks[19:20], Height: 20}, syncer.Step{Done: true}, nil},

		{"fork of one", remember(append(slices.Clone(main.Blocks[1:20]), main.Blocks[20])), 1, batch(fork, 19, 30),
			syncer.Step{Detach: at(20), Blocks: fork.Blocks[20:], Done: true}, nil},
		{"fork", remember(main.Blocks[1:40]), 1, batch(fork, 16, 30), syncer.Step{Detach: at(20), Blocks: fork.Blocks[20:], Done: true}, nil},
		{"fork, answer ends in it", remember(main.Blocks[1:40]), 1, batch(fork, 16, 25), syncer.Step{Detach: at(20), Blocks: fork.Blocks[20:25]}, nil},
		{"fork, shorter", remember(main.Blocks[1:40]), 1, batch(short, 16, 22), syncer.Step{Detach: at(20), Blocks: short.Blocks[20:], Done: true}, nil},
		{"fork below the dense part", sparse, 8, batch(fork, 16, 30), syncer.Step{Detach: at(17), Blocks: fork.Blocks[17:], Done: true}, nil},
		{"fork below all but genesis", remember(main.Blocks[10:40]), 10, batch(deep, 0, 45), syncer.Step{Detach: at(1), Blocks: deep.Blocks[10:], Done: true}, nil},
		{"fork below all, answer ends early", remember(main.Blocks[10:40]), 10, batch(deep, 0, 5), syncer.Step{Detach: at(1), Blocks: deep.Blocks[5:5]}, nil},

		{"unasked", remember(main.Blocks[1:20]), 1, batch(deep, 5, 10), syncer.Step{}, syncer.ErrChain},
		{"a gap after the tip", remember(main.Blocks[1:20]), 1, batch(main, 21, 30), syncer.Step{}, syncer.ErrChain},
		{"a hole inside", remember(main.Blocks[1:20]), 1,
			syncer.Batch{Blocks: append(slices.Clone(main.Blocks[19:22]), main.Blocks[23]), Height: 40}, syncer.Step{}, syncer.ErrChain},
		{"a foreign block inside", remember(main.Blocks[1:20]), 1,
			syncer.Batch{Blocks: append(slices.Clone(main.Blocks[19:22]), deep.Blocks[22]), Height: 40}, syncer.Step{}, syncer.ErrChain},
		{"a height that jumps", remember(main.Blocks[1:20]), 1,
			syncer.Batch{Blocks: []syncer.Block{main.Blocks[19], {Height: 25, Prev: main.Blocks[19].Hash}}, Height: 40}, syncer.Step{}, syncer.ErrChain},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := syncer.Next(c.known, c.from, c.batch)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.want.Detach, got.Detach)
			require.Equal(t, c.want.Done, got.Done)
			require.Equal(t, len(c.want.Blocks), len(got.Blocks))
			for i := range got.Blocks {
				require.Equal(t, c.want.Blocks[i].Hash, got.Blocks[i].Hash)
			}
		})
	}
}

// sync asks and follows until done, as a session does: the last block of an answer leads the next question.
func sync(t *testing.T, known *trail, from uint64, c *chaintest.Chain, limit int) {
	t.Helper()
	var ahead *syncer.Block
	for round := 0; ; round++ {
		require.Less(t, round, 500, "no end")
		q := syncer.Ask(*known, from, c.Height())
		if ahead != nil {
			q = q.After(ahead)
		}
		b := c.Answer(q.History, q.Start, limit)
		step, err := syncer.Next(*known, from, b)
		require.NoError(t, err)
		known.take(t, step)
		if step.Done {
			return
		}
		ahead = &b.Blocks[len(b.Blocks)-1]
	}
}

// TestFollowsAnySwitch takes a wallet from any chain to any other with a common beginning, in answers of any size.
func TestFollowsAnySwitch(t *testing.T) {
	rnd := chaintest.NewRandom("switch")
	for round := range 400 {
		name := fmt.Sprint("switch ", round)
		a := chain(name, 2+rnd.IntN(60))
		b := a.Fork(name+" b", 1+rnd.Uint64()%a.Height())
		b.Grow(rnd.IntN(60))
		from := 1 + rnd.Uint64()%a.Height()
		limit := 2 + rnd.IntN(12)
		var known trail
		for i, c := range []*chaintest.Chain{a, b, a, b} {
			sync(t, &known, from, c, limit)
			tip, begun := known.Tip()
			longer := i > 0 && begun && tip.Height >= c.Height()
			if longer { // merely behind: everything it has is known
				other := []*chaintest.Chain{b, a, b, a}[i]
				require.Equal(t, other.Blocks[c.Height()-1].Hash, c.Blocks[c.Height()-1].Hash, name)
				continue
			}
			if c.Height() <= from {
				require.False(t, begun, name)
				continue
			}
			require.True(t, begun, name)
			require.Equal(t, c.Blocks[c.Height()-1].Hash, tip.Hash, "%s: at the tip of chain %d", name, i)
			require.Equal(t, from, known[0].Height, name)
			require.Equal(t, remember(c.Blocks[from:]), known, name)
		}
	}
}

// TestFollowsWithATrailOfHoles is the same for a wallet that remembers only some of its blocks, as deep down all do.
func TestFollowsWithATrailOfHoles(t *testing.T) {
	rnd := chaintest.NewRandom("holes")
	for round := range 200 {
		name := fmt.Sprint("holes ", round)
		a := chain(name, 20+rnd.IntN(80))
		b := a.Fork(name+" b", 1+rnd.Uint64()%a.Height())
		b.Grow(int(a.Height()-b.Height()) + 1 + rnd.IntN(10))
		var known trail
		sync(t, &known, 1, a, 1000)
		known = slices.DeleteFunc(known, func(id wallet.BlockID) bool {
			return id.Height%8 != 0 && id.Height+20 < a.Height()
		})
		// Answers are as long as the holes at least, as a daemon's are.
		sync(t, &known, 1, b, 9+rnd.IntN(30))
		tip, _ := known.Tip()
		require.Equal(t, b.Blocks[b.Height()-1].Hash, tip.Hash, name)
		for _, id := range known {
			require.Equal(t, b.Blocks[id.Height].Hash, id.Hash, name)
		}
	}
}
