package liar_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// TestSpentLies: what a daemon says of key images makes a wallet read the blocks again, and nothing else: those say what is spent.
func TestSpentLies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	_, err := pay(s, node.Nobody())
	require.NoError(t, err)
	w.mine(1, node.Nobody())
	require.NoError(t, refresh(s))
	want := balance(t, s)
	outputs := do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"})
	type spent = daemonrpc.IsKeyImageSpentResponse
	bend := func(name string, change func(r *spent)) liar.Lie {
		return liar.Bend(name, daemonrpc.IsKeyImageSpent, func(_ daemonrpc.IsKeyImageSpentRequest, r *spent) { change(r) })
	}
	all := func(status int32) func(r *spent) {
		return func(r *spent) {
			for i := range r.SpentStatus {
				r.SpentStatus[i] = status
			}
		}
	}
	for _, c := range []struct {
		lie  liar.Lie
		says string
	}{
		{bend("all are spent", all(1)), ""},
		{bend("none is spent", all(0)), ""},
		{bend("all are about to be spent", all(2)), ""},
		{bend("a status of its own", all(9)), "answer is not true"},
		{bend("one too few", func(r *spent) { r.SpentStatus = r.SpentStatus[1:] }), "answer is not true"},
		{bend("none at all", func(r *spent) { r.SpentStatus = nil }), "answer is not true"},
	} {
		t.Run(c.lie.Name, func(t *testing.T) {
			w.liar.Tell(c.lie)
			_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.RescanSpent, walletrpc.Empty{})
			as(t, c.says, err, "rescan_spent")
			require.NotZero(t, w.liar.Told())
			require.Equal(t, want, balance(t, s))
			require.Equal(t, outputs, do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}))
		})
	}
}
