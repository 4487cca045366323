package network

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/node"
)

// line starts daemons, ours and the reference's in turn, each of which calls the one before.
func line(t *testing.T, n int, first bool) []*member {
	t.Helper()
	all := make([]*member, n)
	for i := range all {
		ours := first == (i%2 == 0)
		name := fmt.Sprintf("%d, monerod", i)
		if ours {
			name = fmt.Sprintf("%d, glim", i)
		}
		all[i] = start(t, name, ours, all[max(i-1, 0):i])
	}
	return all
}

// TestNetwork is the life of a network in a line, ours and the reference's in turn: everybody learns the chain from the neighbour,
// hears what anybody sends, and takes the chain with the most work after a split, wherever it was made.
func TestNetwork(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	for _, first := range []bool{true, false} {
		t.Run(map[bool]string{true: "glim first", false: "monerod first"}[first], func(t *testing.T) {
			t.Parallel()
			all := line(t, max(*size, 3), first)
			one, last := all[0], all[len(all)-1]
			wallet := newPurse(t, one)
			one.mine(80, wallet.address)
			agree(t, "the chain of the first reaches all", one, all)
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
				for _, longer := range []*member{last, one} {
					split(t, all, longer, wallet)
				}
			}
		})
	}
}

// split takes a daemon in the middle away, has both halves mine, longer more, and puts it back.
func split(t *testing.T, all []*member, longer *member, wallet *purse) {
	t.Helper()
	one, last := all[0], all[len(all)-1]
	middle := all[1]
	if longer == one {
		middle = all[len(all)-2]
	}
	require.NoError(t, middle.Kill())
	id := wallet.pay(wallet.address)
	var both sync.WaitGroup
	for _, m := range []*member{one, last} {
		n := 2
		if m == longer {
			n = 5
		}
		both.Go(func() { m.mine(n, node.Nobody()) })
	}
	both.Wait()
	require.NotEqual(t, one.info().TopBlockHash, last.info().TopBlockHash)
	require.NoError(t, middle.Restart())
	agree(t, "after a split all have the chain with more work", longer, all)
	if longer == last {
		heard(t, "what was in a block that went waits again", id, []*member{one})
		one.mine(1, node.Nobody())
		agree(t, "and is mined again", one, all)
	}
}
