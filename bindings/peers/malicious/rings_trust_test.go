package malicious_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/walletrpc"
)

// TestRescanSpentAsksAnew checks that after a daemon forged an output, rescan_spent lets the wallet request it again
// without a rescan of the chain. The candidates stay the same.
func TestRescanSpentAsksAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(60, node.UnspendableAddress())
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	var requested [][]uint64
	w.proxy.Inject(bendOutputs(&requested, func(o *daemonrpc.OutKeyBin) {
		if w.own[o.Key] {
			o.Key = invented(1)
		}
	}))
	_, err := sweepOne(s, spent)
	require.ErrorContains(t, err, "differs from the wallet's own output")
	w.proxy.Inject(bendOutputs(&requested, func(*daemonrpc.OutKeyBin) {}))
	_, err = sweepOne(s, spent)
	require.ErrorContains(t, err, "call rescan_spent")
	require.Len(t, requested, 1)

	do(t, s, walletrpc.RescanSpent, walletrpc.Empty{})
	_, err = sweepOne(s, spent)
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
	require.Len(t, requested, 2)
	require.Equal(t, requested[0], requested[1])
}
