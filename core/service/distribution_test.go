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

// distributionDaemon serves an output distribution, and records the heights from which it was requested. cumulative
// begins with the block at start.
type distributionDaemon struct {
	start      uint64
	cumulative []uint64
	asked      []uint64
	away       bool
}

func (s *distributionDaemon) grow(blocks int, each uint64) {
	var last uint64
	if n := len(s.cumulative); n > 0 {
		last = s.cumulative[n-1]
	}
	for range blocks {
		last += each
		s.cumulative = append(s.cumulative, last)
	}
}

func (s *distributionDaemon) height() uint64 { return s.start + uint64(len(s.cumulative)) }

func (s *distributionDaemon) distribution() *distribution {
	r := rpc.NewRegistry()
	rpc.Handle(r, daemonrpc.GetHeight, func(context.Context, daemonrpc.None) (daemonrpc.GetHeightResponse, error) {
		ok := daemonrpc.Common{Status: daemonrpc.StatusOK}
		return daemonrpc.GetHeightResponse{Common: ok, Height: s.height()}, nil
	})
	rpc.Handle(r, daemonrpc.GetOutputDistributionBin,
		func(_ context.Context, q daemonrpc.GetOutputDistributionRequest) (
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
				daemonrpc.NewDistributionBin(0, from, base, s.cumulative[from-s.start:q.ToHeight-s.start+1],
					q.Compress)}
			return a, nil
		})
	return &distribution{client: daemon.New(distributionTransport{r, s}), step: 1000}
}

// distributionTransport is the transport to a distributionDaemon; it fails while the daemon is away.
type distributionTransport struct {
	to *rpc.Registry
	s  *distributionDaemon
}

func (u distributionTransport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if u.s.away {
		return nil, errors.New("away")
	}
	return u.to.Post(ctx, path, body)
}

// TestDistributionIsKept checks that the stable part of a distribution is requested once, and that wallets always get
// the distribution of the daemon, whatever its chain did in the meantime.
func TestDistributionIsKept(t *testing.T) {
	s := &distributionDaemon{start: 300}
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
		got, err := d.get(t.Context(), chainTop{})
		require.NoError(t, err)
		require.Equal(t, whole(), got)
		require.Equal(t, from, s.asked)
	}
	ask(0)
	ask(2999) // 4300 blocks less 720, rounded down to thousands
	s.grow(419, 3)
	ask(2999)
	s.grow(1, 1<<40)
	ask(2999) // from here, another thousand is stable
	ask(3999)

	s.cumulative = s.cumulative[:3900] // a branch above the stable part
	s.grow(700, 5)
	ask(3999)
	s.cumulative = s.cumulative[:1000] // a shorter branch from far below
	s.grow(1500, 6)
	ask(3999, 0)
	ask(1999)
	s.cumulative = s.cumulative[:500] // a branch of the same length
	s.grow(2000, 9)
	ask(1999, 0)
	d.forget()
	ask(0)
	ask(1999)

	s.away, s.asked = true, nil
	_, err := d.get(t.Context(), chainTop{})
	require.ErrorIs(t, err, daemon.ErrUnreachable)
	s.away = false
	ask(1999)
}

// TestDistributionOfAShortChain checks that the distribution of a short chain is requested in full.
func TestDistributionOfAShortChain(t *testing.T) {
	s := &distributionDaemon{start: 1}
	s.grow(500, 2)
	d := s.distribution()
	for range 2 {
		s.asked = nil
		got, err := d.get(t.Context(), chainTop{})
		require.NoError(t, err)
		require.EqualValues(t, 1000, got.Total())
		require.Equal(t, []uint64{0}, s.asked)
	}
	s.cumulative = s.cumulative[:5]
	_, err := d.get(t.Context(), chainTop{})
	require.ErrorIs(t, err, decoy.ErrShort)
}

// TestBlocksExtendTheDistribution checks that blocks extend a distribution to the one the daemon would return,
// without another request, until a reorganisation or a gap.
func TestBlocksExtendTheDistribution(t *testing.T) {
	s := &distributionDaemon{start: 300}
	s.grow(4000, 7)
	d := s.distribution()
	id := func(height uint64, branch byte) xmr.Hash { return xmr.Hash{byte(height), byte(height >> 8), branch, 1} }
	block := func(height uint64, branch byte) daemon.Block {
		of := func(indices ...uint64) daemon.Tx {
			return daemon.Tx{Transaction: &tx.Transaction{Version: 2}, OutputIndices: indices}
		}
		total := s.cumulative[height-s.start]
		b := daemon.Block{Height: height, Hash: id(height, branch), Prev: id(height-1, branch), MinerTx: of(total - 7)}
		if height%2 == 0 { // its last output belongs to another transaction
			b.Txs = []daemon.Tx{of(total-6, total-3), {Transaction: &tx.Transaction{Version: 1}}, of(total-2, total-1)}
		} else {
			b.MinerTx = of(total-2, total-1)
		}
		return b
	}
	ask := func(branch byte, from ...uint64) {
		t.Helper()
		s.asked = nil
		got, err := d.get(t.Context(), chainTop{s.height(), id(s.height()-1, branch)})
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
		d.observe(blocks)
	}
	d.observe([]daemon.Block{block(4000, 0)}) // not requested yet
	ask(0, 0)
	ask(0)
	for range 3000 { // the stable part grows in the meantime
		s.grow(1, 9)
		read(0, 1)
		if s.height()%500 == 0 {
			ask(0)
		}
	}
	s.grow(30, 7)
	read(0, 40) // some blocks again, as another wallet reads them
	read(0, 200)
	ask(0)

	s.grow(2, 7)
	read(0, 1) // a block is missing
	ask(0, 5999)
	s.grow(1, 7)
	read(0, 1)
	ask(0)
	read(1, 1) // the last block is another one
	ask(1, 5999)
	s.grow(1, 7)
	read(2, 1) // the next block follows another one
	ask(2, 5999)
	s.grow(1, 7)
	odd := block(s.height()-1, 2)
	odd.Txs, odd.MinerTx.OutputIndices = nil, []uint64{3} // decreasing counts
	d.observe([]daemon.Block{odd})
	ask(2, 5999)
	s.grow(1, 7)
	ask(2, 5999) // the daemon is ahead of the blocks read
}

func BenchmarkDistributionKept(b *testing.B) {
	s := &distributionDaemon{start: 1_220_516}
	s.grow(2_000_000, 60)
	d := s.distribution()
	d.step = distributionStep
	for b.Loop() {
		if _, err := d.get(b.Context(), chainTop{}); err != nil {
			b.Fatal(err)
		}
	}
}
