package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
)

// TestNoUnlockTimes: no operation makes a payment that is locked, which the network does not pass on and which would tell who made it.
func TestNoUnlockTimes(t *testing.T) {
	s := joiner(t, &folder{files: map[string]*shelf{}}, "")
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
