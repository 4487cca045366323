package malicious_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// TestForgedSpentStatus checks that a forged status of key images only makes the wallet scan blocks again: the blocks
// determine which outputs are spent.
func TestForgedSpentStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	_, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	w.mine(1, node.UnspendableAddress())
	require.NoError(t, refresh(s))
	want := balance(t, s)
	outputs := do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"})
	type spent = daemonrpc.IsKeyImageSpentResponse
	modify := func(name string, change func(r *spent)) malicious.Fault {
		return malicious.Modify(
			name, daemonrpc.IsKeyImageSpent, func(_ daemonrpc.IsKeyImageSpentRequest, r *spent) { change(r) },
		)
	}
	all := func(status int32) func(r *spent) {
		return func(r *spent) {
			for i := range r.SpentStatus {
				r.SpentStatus[i] = status
			}
		}
	}
	for _, c := range []struct {
		fault     malicious.Fault
		wantError string
	}{
		{modify("all spent", all(1)), ""},
		{modify("none spent", all(0)), ""},
		{modify("all spent in the pool", all(2)), ""},
		{modify("unknown status", all(9)), "invalid response"},
		{modify("one status missing", func(r *spent) { r.SpentStatus = r.SpentStatus[1:] }), "invalid response"},
		{modify("no status", func(r *spent) { r.SpentStatus = nil }), "invalid response"},
	} {
		t.Run(c.fault.Name, func(t *testing.T) {
			w.proxy.Inject(c.fault)
			_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.RescanSpent, walletrpc.Empty{})
			requireError(t, c.wantError, err, "rescan_spent")
			require.NotZero(t, w.proxy.Faults())
			require.Equal(t, want, balance(t, s))
			require.Equal(
				t, outputs,
				do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}),
			)
		})
	}
}
