package network

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/block"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// TestMinedBlocksAreAnnouncedWithoutTransactions: both daemons send their peers a mined block as a fluffy block without
// its transactions, which most peers have in their pools. The reference does so since 0.18.4.
func TestMinedBlocksAreAnnouncedWithoutTransactions(t *testing.T) {
	t.Parallel()
	programs := peers.Require(t)
	for _, ours := range []bool{true, false} {
		if !ours && !programs.Release.AtLeast(0, 18, 5) {
			continue
		}
		name := map[bool]string{true: "glim", false: "monerod"}[ours]
		m := start(t, name, ours, nil)
		greet(t, m, 6) // monerod makes no blocks before it has synchronised with a peer
		wallet := newPurse(t, m)
		m.mine(80, wallet.address)
		paid := wallet.pay(wallet.address)
		until(t, "the payment waits", func() string { return describe([]*member{m}) },
			func() bool { return m.pool()[paid] })
		s, info := greet(t, m, 7), m.info()
		m.mine(1, node.UnspendableAddress())
		for {
			f, more := s.next()
			require.True(t, more, name)
			if f.Command != message.NewFluffyBlock {
				continue
			}
			var n message.BlockNotice
			require.NoError(t, message.Decode(f.Body, &n))
			b, err := block.Parse(n.Block.Blob)
			require.NoError(t, err)
			require.Len(t, b.TxHashes, 1, name)
			require.Empty(t, n.Block.Txs, name)
			require.Equal(t, info.Height+1, n.Height, name)
			break
		}
	}
}

// greet connects a peer that has the same chain, and returns it when the handshake is complete.
func greet(t *testing.T, m *member, from byte) *rawPeer {
	t.Helper()
	info := m.info()
	top, err := xmr.ParseHash(info.TopBlockHash)
	require.NoError(t, err)
	before := len(m.connections())
	s := dialFrom(t, m, from)
	s.shake(info.Height, info.CumulativeDifficulty, func(r *message.HandshakeRequest) { r.Sync.TopID = top })
	until(t, "the handshake is complete", func() string { return describe([]*member{m}) }, func() bool {
		list := m.connections()
		return len(list) == before+1 && !slices.ContainsFunc(list, func(c daemonrpc.Connection) bool {
			return c.State != "normal"
		})
	})
	return s
}
