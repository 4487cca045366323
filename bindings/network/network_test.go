package network

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/node"
)

// line starts daemons, glim's and the reference's alternately, each connected to the one before. The first mines n
// blocks to the wallet's address, and all synchronise.
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

// TestNetwork runs a line of daemons, glim's and the reference's alternately. All synchronise, get transactions sent
// anywhere, and adopt the chain with the most work after a split.
func TestNetwork(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	all, wallet := line(t, max(*size, 4), 80)
	one, last := all[0], all[len(all)-1]
	last.mine(2, node.UnspendableAddress())
	agree(t, "blocks of the last reach all", last, all)

	id := wallet.pay(wallet.address)
	heard(t, "a transaction of the first reaches all", id, all)
	last.mine(1, node.UnspendableAddress())
	agree(t, "its block reaches all", last, all)
	for _, m := range all {
		require.Zero(t, m.info().TxPoolSize, m.name)
	}
	for range *rounds {
		split(t, all, all[1], last, wallet)
		split(t, all, all[2], one, wallet)
	}
}

// split removes a daemon in the middle, mines on both sides, one longer than the other, and adds it again.
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
		m.mine(n, node.UnspendableAddress())
	}
	require.NotEqual(t, one.info().TopBlockHash, last.info().TopBlockHash)
	require.NoError(t, middle.Restart())
	agree(t, "the restarted daemon has the chain with more work", longer, []*member{longer, middle})
	// The reference relays blocks that are announced to it, but not those that it had to request.
	longer.mine(1, node.UnspendableAddress())
	agree(t, "all have the chain with more work", longer, all)
	if longer == last {
		heard(t, "a transaction of the dropped block is in the pool again", id, []*member{one})
		one.mine(1, node.UnspendableAddress())
		agree(t, "it is mined again", one, all)
	}
}
