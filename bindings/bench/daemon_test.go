package main

import (
	"context"
	"crypto/rand"
	"io"
	"net"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	corechain "glim/core/chain"
	"glim/core/crypto/keccak"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/xmr"
)

// served is a side in this process.
type served struct {
	*side
	registry *rpc.Registry
}

// newSide starts a daemon of ours in this process.
func newSide(t testing.TB, name string) *served {
	t.Helper()
	n, err := node.New(node.Config{Chain: corechain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader,
		PoW: func(_ uint8, _ uint64, _ xmr.Hash, blob []byte) (xmr.Hash, error) { return keccak.Sum256(blob), nil },
	}})
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := native.NewServer(native.ServerConfig{Service: n.Registry()})
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, server.Shutdown(context.Background()))
		require.NoError(t, <-ended)
		n.Close()
	})
	return &served{&side{
		Client: peers.Client{URL: "http://" + l.Addr().String()}, name: name, pid: os.Getpid(),
		results: map[string][]sample{},
	}, n.Registry()}
}

// TestDaemonRun compares two equal daemons on a small chain: everything is measured in every round, both accept every
// block, and different answers are detected.
func TestDaemonRun(t *testing.T) {
	size := fixtureSize{mature: 90, splits: 2, bulk: 3, rounds: 2, narrow: 2, wide: 1}
	var out strings.Builder
	made, err := makeFixture(t.Context(), size, &out)
	require.NoError(t, err)
	require.Len(t, made.rounds, size.rounds)
	for _, b := range made.rounds {
		require.Len(t, b.narrow, size.narrow)
		require.Len(t, b.wide, size.wide)
	}
	d := daemonRun{fixture: made, lasting: time.Millisecond, crowd: 3, hashes: 2, empty: 2, out: &out}
	a, b := newSide(t, "this").side, newSide(t, "that").side
	require.NoError(t, d.run(t.Context(), a, b))
	require.Len(t, a.results, len(b.results))
	for name := range a.results {
		for _, list := range [][]sample{a.results[name], b.results[name]} {
			require.Len(t, list, size.rounds, name)
			for _, s := range list {
				require.Positive(t, s.done, name)
				require.Positive(t, s.wall, name)
			}
		}
		require.Contains(t, out.String(), name)
	}
	require.Contains(t, out.String(), "glim alone")
	for _, s := range []*side{a, b} {
		var info struct{ Height int }
		require.NoError(t, s.JSON(t.Context(), "get_info", nil, &info))
		require.Equal(t, 1+len(made.chain)+size.rounds*(1+d.empty), info.Height)
	}
	_, err = d.questions(t.Context(), []*side{a, b}) // they have mined different blocks since
	require.ErrorContains(t, err, "the answers differ")
	require.ErrorContains(t, a.sendTx(t.Context(), made.chain[0].blob), "refused")
	d.only = regexp.MustCompile("^get_(info|hashes)")
	few, err := d.questions(t.Context(), []*side{a, a})
	require.NoError(t, err)
	require.Len(t, few, 4)
}

// TestDaemonChainSize: for any number of rounds the chain has enough outputs to spend.
func TestDaemonChainSize(t *testing.T) {
	for rounds := 1; rounds <= 100; rounds++ {
		s := daemonChainSize(rounds)
		require.Equal(t, rounds, s.rounds)
		require.LessOrEqual(t, s.splits, s.rewards())
		require.GreaterOrEqual(t, s.rewards()+perTx*s.splits, s.spent())
	}
}

func TestSummaries(t *testing.T) {
	list := []sample{
		{10, time.Second, time.Second},
		{10, 4 * time.Second, time.Second},
		{10, 2 * time.Second, time.Second},
	}
	require.InDelta(t, 5, rateOf(list), 1e-9)
	require.InDelta(t, 0.1, cpuOf(list), 1e-9)
}

// BenchmarkAnswer measures the answers of our node to the requests of measureDaemons, without HTTP.
func BenchmarkAnswer(b *testing.B) {
	made, err := makeFixture(b.Context(), fixtureSize{mature: 200, splits: 20, bulk: 120}, io.Discard)
	require.NoError(b, err)
	d := daemonRun{fixture: made, crowd: 2, out: io.Discard}
	s := newSide(b, "ours")
	for i := range made.chain {
		require.NoError(b, d.feed(b.Context(), s.side, &made.chain[i]))
	}
	all, err := d.questions(b.Context(), []*side{s.side, s.side})
	require.NoError(b, err)
	for i := range all {
		q := &all[i]
		if q.clients > 1 {
			continue
		}
		b.Run(q.name, func(b *testing.B) {
			b.SetBytes(int64(q.size))
			b.ReportAllocs()
			for b.Loop() {
				_, err := s.registry.Post(b.Context(), q.path, q.body)
				require.NoError(b, err)
			}
		})
	}
}
