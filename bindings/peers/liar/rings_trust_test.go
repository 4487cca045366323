package liar_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/walletrpc"
)

// TestRescanSpentAsksAnew: after a daemon gave false answers about an output, its owner can say which daemon to believe without reading the
// chain again. What the output is hidden among stays.
func TestRescanSpentAsksAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(60, node.Nobody())
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	var asked [][]uint64
	w.liar.Tell(bendOutputs(&asked, func(o *daemonrpc.OutKeyBin) {
		if w.own[o.Key] {
			o.Key = invented(1)
		}
	}))
	_, err := sweepOne(s, spent)
	require.ErrorContains(t, err, "differs from the wallet's own output")
	w.liar.Tell(bendOutputs(&asked, func(*daemonrpc.OutKeyBin) {}))
	_, err = sweepOne(s, spent)
	require.ErrorContains(t, err, "call rescan_spent")
	require.Len(t, asked, 1)

	do(t, s, walletrpc.RescanSpent, walletrpc.Empty{})
	_, err = sweepOne(s, spent)
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
	require.Len(t, asked, 2)
	require.Equal(t, asked[0], asked[1])
}
