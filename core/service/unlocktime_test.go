package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
)

// TestNoUnlockTimes checks that no operation makes a payment with an unlock time: the network does not relay it, and
// it would identify its sender.
func TestNoUnlockTimes(t *testing.T) {
	s := newWalletService(t, newFolder(), "")
	to := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	pay := []walletrpc.Destination{{Amount: 1, Address: to}}
	for _, e := range []int{
		refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: pay, UnlockTime: 1}).Code,
		refused(t, s, walletrpc.TransferSplit, walletrpc.TransferSplitRequest{Destinations: pay, UnlockTime: 1}).Code,
		refused(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: to, Outputs: 1, UnlockTime: 1}).Code,
		refused(t, s, walletrpc.SweepSingle, walletrpc.SweepSingleRequest{Address: to, Outputs: 1, UnlockTime: 1}).Code,
	} {
		require.EqualValues(t, walletrpc.CodeNonzeroUnlockTime, e)
	}
}
