package service

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/decoy"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// spread is a daemon that knows how many outputs its chain had after each block, the first one with RingCT included, and notes from where on
// it was asked.
type spread struct {
	start      uint64
	cumulative []uint64
	asked      []uint64
	away       bool
}

func (s *spread) grow(blocks int, each uint64) {
	var last uint64
	if n := len(s.cumulative); n > 0 {
		last = s.cumulative[n-1]
	}
	for range blocks {
		last += each
		s.cumulative = append(s.cumulative, last)
	}
}

func (s *spread) height() uint64 { return s.start + uint64(len(s.cumulative)) }

func (s *spread) distribution() *distribution {
	r := rpc.NewRegistry()
	rpc.Handle(r, daemonrpc.GetHeight, func(context.Context, daemonrpc.None) (daemonrpc.GetHeightResponse, error) {
		return daemonrpc.GetHeightResponse{Common: daemonrpc.Common{Status: daemonrpc.StatusOK}, Height: s.height()}, nil
	})
	rpc.Handle(r, daemonrpc.GetOutputDistributionBin, func(_ context.Context, q daemonrpc.GetOutputDistributionRequest) (
		a daemonrpc.GetOutputDistributionBinResponse, err error) {
		s.asked = append(s.asked, q.FromHeight)
		if q.FromHeight >= s.height() {
			a.Status = "Failed to get output distribution"
			return a, nil
		}
		from := max(q.FromHeight, s.start)
		var base uint64
		if from > s.start {
			base = s.cumulative[from-s.start-1]
		}
		a.Status = daemonrpc.StatusOK
		a.Distributions = []daemonrpc.DistributionBin{
			daemonrpc.NewDistributionBin(0, from, base, s.cumulative[from-s.start:q.ToHeight-s.start+1], q.Compress)}
		return a, nil
	})
	return &distribution{client: daemon.New(unsteady{r, s}), step: 1000}
}

// unsteady is the way to a spread.
type unsteady struct {
	to *rpc.Registry
	s  *spread
}

func (u unsteady) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if u.s.away {
		return nil, errors.New("away")
	}
	return u.to.Post(ctx, path, body)
}

// What stays of a distribution is asked for once, and what wallets take for it is what the daemon has whatever its chain did meanwhile.
func TestDistributionIsKept(t *testing.T) {
	s := &spread{start: 300}
	s.grow(4000, 7)
	d := s.distribution()
	whole := func() *decoy.Distribution {
		want, err := decoy.NewDistribution(s.start, s.cumulative)
		require.NoError(t, err)
		return want
	}
	ask := func(from ...uint64) {
		t.Helper()
		s.asked = nil
		got, err := d.ask(t.Context(), top{})
		require.NoError(t, err)
		require.Equal(t, whole(), got)
		require.Equal(t, from, s.asked)
	}
	ask(0)
	ask(2999) // 4300 blocks, less 720, in thousands
	s.grow(419, 3)
	ask(2999)
	s.grow(1, 1<<40)
	ask(2999) // from here on a thousand more stays
	ask(3999)

	s.cumulative = s.cumulative[:3900] // another branch above what stays
	s.grow(700, 5)
	ask(3999)
	s.cumulative = s.cumulative[:1000] // and a shorter one from far below
	s.grow(1500, 6)
	ask(3999, 0)
	ask(1999)
	s.cumulative = s.cumulative[:500] // as long, with other blocks
	s.grow(2000, 9)
	ask(1999, 0)
	d.forget()
	ask(0)
	ask(1999)

	s.away, s.asked = true, nil
	_, err := d.ask(t.Context(), top{})
	require.ErrorIs(t, err, daemon.ErrUnreachable)
	s.away = false
	ask(1999)
}

// A chain with little on it is asked for whole.
func TestDistributionOfAShortChain(t *testing.T) {
	s := &spread{start: 1}
	s.grow(500, 2)
	d := s.distribution()
	for range 2 {
		s.asked = nil
		got, err := d.ask(t.Context(), top{})
		require.NoError(t, err)
		require.EqualValues(t, 1000, got.Total())
		require.Equal(t, []uint64{0}, s.asked)
	}
	s.cumulative = s.cumulative[:5]
	_, err := d.ask(t.Context(), top{})
	require.ErrorIs(t, err, decoy.ErrShort)
}

// TestBlocksProlongTheDistribution: what was asked for up to where the chain ended goes on with the blocks that are read, and is what the daemon
// would say; nothing is asked again, until the chain went another way or blocks are missing.
func TestBlocksProlongTheDistribution(t *testing.T) {
	s := &spread{start: 300}
	s.grow(4000, 7)
	d := s.distribution()
	id := func(height uint64, branch byte) xmr.Hash { return xmr.Hash{byte(height), byte(height >> 8), branch, 1} }
	block := func(height uint64, branch byte) daemon.Block {
		of := func(indices ...uint64) daemon.Tx {
			return daemon.Tx{Transaction: &tx.Transaction{Version: 2}, OutputIndices: indices}
		}
		total := s.cumulative[height-s.start]
		b := daemon.Block{Height: height, Hash: id(height, branch), Prev: id(height-1, branch), MinerTx: of(total - 7)}
		if height%2 == 0 { // its last output is another transaction's
			b.Txs = []daemon.Tx{of(total-6, total-3), {Transaction: &tx.Transaction{Version: 1}}, of(total-2, total-1)}
		} else {
			b.MinerTx = of(total-2, total-1)
		}
		return b
	}
	ask := func(branch byte, from ...uint64) {
		t.Helper()
		s.asked = nil
		got, err := d.ask(t.Context(), top{s.height(), id(s.height()-1, branch)})
		require.NoError(t, err)
		want, err := decoy.NewDistribution(s.start, s.cumulative)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, from, s.asked)
	}
	read := func(branch byte, n int) {
		var blocks []daemon.Block
		for h := s.height() - uint64(n); h < s.height(); h++ {
			blocks = append(blocks, block(h, branch))
		}
		d.saw(blocks)
	}
	d.saw([]daemon.Block{block(4000, 0)}) // nobody asked yet
	ask(0, 0)
	ask(0)
	for range 3000 { // what is kept for long moves on meanwhile
		s.grow(1, 9)
		read(0, 1)
		if s.height()%500 == 0 {
			ask(0)
		}
	}
	s.grow(30, 7)
	read(0, 40) // some once more, as another wallet does
	read(0, 200)
	ask(0)

	s.grow(2, 7)
	read(0, 1) // one between is missing
	ask(0, 5999)
	s.grow(1, 7)
	read(0, 1)
	ask(0)
	read(1, 1) // the last is another one
	ask(1, 5999)
	s.grow(1, 7)
	read(2, 1) // and so is what the next follows
	ask(2, 5999)
	s.grow(1, 7)
	odd := block(s.height()-1, 2)
	odd.Txs, odd.MinerTx.OutputIndices = nil, []uint64{3} // numbers that fall
	d.saw([]daemon.Block{odd})
	ask(2, 5999)
	s.grow(1, 7)
	ask(2, 5999) // the daemon is ahead of what was read
}

func BenchmarkDistributionKept(b *testing.B) {
	s := &spread{start: 1_220_516}
	s.grow(2_000_000, 60)
	d := s.distribution()
	d.step = distributionStep
	for b.Loop() {
		if _, err := d.ask(b.Context(), top{}); err != nil {
			b.Fatal(err)
		}
	}
}
