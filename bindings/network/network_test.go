package network

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/node"
)

// line starts daemons, ours and the reference's in turn, each of which calls the one before and has learnt its chain; the first makes
// n blocks that pay wallet's address.
func line(t *testing.T, n, blocks int) (all []*member, wallet *purse) {
	t.Helper()
	for i := range n {
		ours := i%2 == 0
		name := fmt.Sprintf("%d, monerod", i)
		if ours {
			name = fmt.Sprintf("%d, glim", i)
		}
		m := start(t, name, ours, all[max(i-1, 0):])
		if i == 0 {
			wallet = newPurse(t, m)
			m.mine(blocks, wallet.address)
		}
		all = append(all, m)
		agree(t, "the chain of the first is learnt", all[0], all)
	}
	return all, wallet
}

// TestNetwork is the life of a network in a line, ours and the reference's in turn: everybody learns the chain from the neighbour,
// hears what anybody sends, and takes the chain with the most work after a split, wherever it was made.
func TestNetwork(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	all, wallet := line(t, max(*size, 4), 80)
	one, last := all[0], all[len(all)-1]
	last.mine(2, node.Nobody())
	agree(t, "blocks of the last reach all", last, all)

	id := wallet.pay(wallet.address)
	heard(t, "a transaction of the first reaches all", id, all)
	last.mine(1, node.Nobody())
	agree(t, "its block reaches all", last, all)
	for _, m := range all {
		require.Zero(t, m.info().TxPoolSize, m.name)
	}
	for range *rounds {
		split(t, all, all[1], last, wallet)
		split(t, all, all[2], one, wallet)
	}
}

// split takes a daemon in the middle away, has both ends mine, one of them longer, and puts it back.
func split(t *testing.T, all []*member, middle, longer *member, wallet *purse) {
	t.Helper()
	one, last := all[0], all[len(all)-1]
	require.NoError(t, middle.Kill())
	id := wallet.pay(wallet.address)
	for _, m := range []*member{one, last} {
		n := 2
		if m == longer {
			n = 5
		}
		m.mine(n, node.Nobody())
	}
	require.NotEqual(t, one.info().TopBlockHash, last.info().TopBlockHash)
	require.NoError(t, middle.Restart())
	agree(t, "who was away has the chain with more work", longer, []*member{longer, middle})
	// The reference passes on blocks that it is told of, and none that it had to ask for.
	longer.mine(1, node.Nobody())
	agree(t, "all have the chain with more work", longer, all)
	if longer == last {
		heard(t, "what was in a block that went waits again", id, []*member{one})
		one.mine(1, node.Nobody())
		agree(t, "and is mined again", one, all)
	}
}
