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

// trail is the list of blocks that a wallet remembers, with gaps if a test wants them.
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

// take applies a step.
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
	for _, q := range []struct{ from, height, start uint64 }{
		{0, 30, 0}, {1, 30, 1}, {20, 30, 20}, {29, 30, 29}, {30, 30, 29}, {500, 30, 29}, {500, 0, 0},
	} {
		require.Equal(t, syncer.Request{History: genesis, Start: q.start, Height: q.height},
			syncer.NewRequest(trail{}, q.from, q.height))
	}
	known := remember(c.Blocks[5:12])
	require.Equal(t, syncer.Request{History: known.History(), Newest: 11, Height: 30}, syncer.NewRequest(known, 5, 30))
}

// nextChains are chains that share blocks with main.
type nextChains struct {
	main  *chaintest.Chain // 40 blocks
	fork  *chaintest.Chain // 30 blocks, 20 of them of main
	short *chaintest.Chain // 22 blocks, 20 of them of main
	deep  *chaintest.Chain // 45 blocks, one of them of main
	// sparse is main as a wallet remembers it, with few of the older blocks.
	sparse trail
}

func newNextChains() nextChains {
	main := chain("next", 40)
	c := nextChains{main: main, fork: main.Fork("fork", 20), short: main.Fork("short", 20), deep: main.Fork("deep", 1)}
	c.fork.Grow(10)
	c.short.Grow(2)
	c.deep.Grow(44)
	for _, blocks := range [][]syncer.Block{main.Blocks[8:9], main.Blocks[16:17], main.Blocks[30:40]} {
		c.sparse = append(c.sparse, remember(blocks)...)
	}
	return c
}

func batch(c *chaintest.Chain, from, to int) syncer.Batch {
	return syncer.Batch{Blocks: c.Blocks[from:to], Height: c.Height()}
}

// nextCase is a call of Next with its result.
type nextCase struct {
	name  string
	known trail
	from  uint64
	batch syncer.Batch
	want  syncer.Step
	err   error
}

// extending returns batches that start or extend a wallet's chain, or contain nothing new.
func (c nextChains) extending() []nextCase {
	return []nextCase{
		{"empty chain, empty batch", nil, 1, syncer.Batch{Height: 0}, syncer.Step{Done: true}, nil},
		{"begins", nil, 10, batch(c.main, 10, 20), syncer.Step{Blocks: c.main.Blocks[10:20]}, nil},
		{"begins and ends", nil, 10, batch(c.main, 10, 40), syncer.Step{Blocks: c.main.Blocks[10:40], Done: true}, nil},
		{
			"begins above an earlier block", nil, 15, batch(c.main, 10, 20),
			syncer.Step{Blocks: c.main.Blocks[15:20]}, nil,
		},
		{
			"begins above the tip", nil, 100, batch(c.main, 39, 40),
			syncer.Step{Blocks: c.main.Blocks[40:40], Done: true}, nil,
		},
		{"begins too late", nil, 10, batch(c.main, 12, 20), syncer.Step{}, syncer.ErrChain},

		{"nothing new", remember(c.main.Blocks[1:40]), 1, batch(c.main, 39, 40), syncer.Step{Done: true}, nil},
		{
			"extends", remember(c.main.Blocks[1:20]), 1, batch(c.main, 19, 30),
			syncer.Step{Blocks: c.main.Blocks[20:30]}, nil,
		},
		{
			"extends to the end", remember(c.main.Blocks[1:20]), 1, batch(c.main, 19, 40),
			syncer.Step{Blocks: c.main.Blocks[20:40], Done: true}, nil,
		},
		{
			"directly after the tip", remember(c.main.Blocks[1:20]), 1, batch(c.main, 20, 30),
			syncer.Step{Blocks: c.main.Blocks[20:30]}, nil,
		},
		{
			"after a known one, then a fork", remember(c.main.Blocks[1:40]), 1, batch(c.fork, 20, 30),
			syncer.Step{Detach: at(20), Blocks: c.fork.Blocks[20:], Done: true}, nil,
		},
		{
			"known ones first", remember(c.main.Blocks[1:30]), 1, batch(c.main, 19, 40),
			syncer.Step{Blocks: c.main.Blocks[30:40], Done: true}, nil,
		},
		{"known ones only, more to come", remember(c.main.Blocks[1:30]), 1, batch(c.main, 19, 25), syncer.Step{}, nil},
		{
			"only known blocks, at the tip", remember(c.main.Blocks[1:40]), 1, batch(c.main, 19, 40),
			syncer.Step{Done: true}, nil,
		},
		{
			"a single known one, though the chain is longer", remember(c.main.Blocks[1:30]), 1, batch(c.main, 29, 30),
			syncer.Step{Done: true}, nil,
		},
		{
			"daemon is behind", remember(c.main.Blocks[1:40]), 1,
			syncer.Batch{Blocks: c.main.Blocks[19:20], Height: 20}, syncer.Step{Done: true}, nil,
		},
	}
}

// forking returns batches of chains that diverge from the wallet's.
func (c nextChains) forking() []nextCase {
	return []nextCase{
		{
			"fork of one", remember(append(slices.Clone(c.main.Blocks[1:20]), c.main.Blocks[20])), 1,
			batch(c.fork, 19, 30),
			syncer.Step{Detach: at(20), Blocks: c.fork.Blocks[20:], Done: true}, nil,
		},
		{
			"fork", remember(c.main.Blocks[1:40]), 1, batch(c.fork, 16, 30),
			syncer.Step{Detach: at(20), Blocks: c.fork.Blocks[20:], Done: true}, nil,
		},
		{
			"fork, answer ends in it", remember(c.main.Blocks[1:40]), 1, batch(c.fork, 16, 25),
			syncer.Step{Detach: at(20), Blocks: c.fork.Blocks[20:25]}, nil,
		},
		{
			"fork, shorter", remember(c.main.Blocks[1:40]), 1, batch(c.short, 16, 22),
			syncer.Step{Detach: at(20), Blocks: c.short.Blocks[20:], Done: true}, nil,
		},
		{
			"fork below the dense part", c.sparse, 8, batch(c.fork, 16, 30),
			syncer.Step{Detach: at(17), Blocks: c.fork.Blocks[17:], Done: true}, nil,
		},
		{
			"fork below all but genesis", remember(c.main.Blocks[10:40]), 10, batch(c.deep, 0, 45),
			syncer.Step{Detach: at(1), Blocks: c.deep.Blocks[10:], Done: true}, nil,
		},
		{
			"fork below all, answer ends early", remember(c.main.Blocks[10:40]), 10, batch(c.deep, 0, 5),
			syncer.Step{Detach: at(1), Blocks: c.deep.Blocks[5:5]}, nil,
		},
	}
}

// invalid returns batches that do not connect.
func (c nextChains) invalid() []nextCase {
	return []nextCase{
		{
			"blocks that were not requested", remember(c.main.Blocks[1:20]), 1, batch(c.deep, 5, 10), syncer.Step{},
			syncer.ErrChain,
		},
		{
			"a gap after the tip", remember(c.main.Blocks[1:20]), 1, batch(c.main, 21, 30), syncer.Step{},
			syncer.ErrChain,
		},
		{"a gap inside", remember(c.main.Blocks[1:20]), 1,
			syncer.Batch{
				Blocks: append(slices.Clone(c.main.Blocks[19:22]), c.main.Blocks[23]), Height: 40,
			}, syncer.Step{}, syncer.ErrChain},
		{"a block of another chain inside", remember(c.main.Blocks[1:20]), 1,
			syncer.Batch{
				Blocks: append(slices.Clone(c.main.Blocks[19:22]), c.deep.Blocks[22]), Height: 40,
			}, syncer.Step{}, syncer.ErrChain},
		{"a height that skips", remember(c.main.Blocks[1:20]), 1,
			syncer.Batch{
				Blocks: []syncer.Block{c.main.Blocks[19], {Height: 25, Prev: c.main.Blocks[19].Hash}}, Height: 40,
			}, syncer.Step{}, syncer.ErrChain},
	}
}

func TestNext(t *testing.T) {
	chains := newNextChains()
	for _, c := range slices.Concat(chains.extending(), chains.forking(), chains.invalid()) {
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

// sync requests and applies batches until done, as a session does: the next request starts from the last block of the
// previous answer.
func sync(t *testing.T, known *trail, from uint64, c *chaintest.Chain, limit int) {
	t.Helper()
	var ahead *syncer.Block
	for round := 0; ; round++ {
		require.Less(t, round, 500, "no end")
		q := syncer.NewRequest(*known, from, c.Height())
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

// TestFollowsWithSparseHistory is the same for a wallet that remembers only some of its blocks, as all wallets do for
// old blocks.
func TestFollowsWithSparseHistory(t *testing.T) {
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
		// Answers are at least as long as the gaps, like those of a daemon.
		sync(t, &known, 1, b, 9+rnd.IntN(30))
		tip, _ := known.Tip()
		require.Equal(t, b.Blocks[b.Height()-1].Hash, tip.Hash, name)
		for _, id := range known {
			require.Equal(t, b.Blocks[id.Height].Hash, id.Hash, name)
		}
	}
}
