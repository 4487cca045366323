package main

import (
	"context"
	"crypto/rand"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	corechain "glim/core/chain"
	"glim/core/crypto/keccak"
	"glim/core/node"
	"glim/core/xmr"
)

// newSide serves a chain of ours in this process.
func newSide(t *testing.T, name string) *side {
	t.Helper()
	n, err := node.New(node.Config{Chain: corechain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader,
		PoW: func(_ uint8, _ uint64, _ xmr.Hash, blob []byte) (xmr.Hash, error) { return keccak.Sum256(blob), nil }}})
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := native.NewServer(native.ServerConfig{Service: n.Registry()})
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, server.Shutdown(context.Background()))
		require.NoError(t, <-served)
		n.Close()
	})
	return &side{Client: peers.Client{URL: "http://" + l.Addr().String()}, name: name, pid: os.Getpid(), results: map[string][]sample{}}
}

// TestDuel measures two daemons that are alike, on a small chain: everything is measured in every round, both take every block,
// and a daemon that answers something else is found out.
func TestDuel(t *testing.T) {
	size := fixtureSize{ripe: 90, splits: 2, bulk: 3, rounds: 2, narrow: 2, wide: 1}
	var out strings.Builder
	made, err := makeFixture(t.Context(), size, &out)
	require.NoError(t, err)
	require.Len(t, made.rounds, size.rounds)
	for _, b := range made.rounds {
		require.Len(t, b.narrow, size.narrow)
		require.Len(t, b.wide, size.wide)
	}
	d := duel{fixture: made, lasting: time.Millisecond, crowd: 3, hashes: 2, empty: 2, out: &out}
	a, b := newSide(t, "this"), newSide(t, "that")
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
	for _, s := range []*side{a, b} {
		var info struct{ Height int }
		require.NoError(t, s.JSON(t.Context(), "get_info", nil, &info))
		require.Equal(t, 1+len(made.chain)+size.rounds*(1+d.empty), info.Height)
	}
	_, err = d.questions(t.Context(), []*side{a, b}) // they have mined blocks of their own since
	require.ErrorContains(t, err, "the answers differ")
	require.ErrorContains(t, a.sendTx(t.Context(), made.chain[0].blob), "refused")
}

func TestSummaries(t *testing.T) {
	list := []sample{{10, time.Second, time.Second}, {10, 4 * time.Second, time.Second}, {10, 2 * time.Second, time.Second}}
	require.InDelta(t, 5, rateOf(list), 1e-9)
	require.InDelta(t, 0.1, cpuOf(list), 1e-9)
}
