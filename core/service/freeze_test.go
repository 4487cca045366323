package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestFreezeByLabel: freeze, thaw and frozen take a label for all outputs received at addresses with it, in every
// account, and not for outputs received later. A view-only wallet needs no key images for it.
func TestFreezeByLabel(t *testing.T) {
	p := newTestChain(t)
	s, at := p.funded()
	tips := []string{
		do(t, s, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1, Label: "tips"}).Address,
		do(t, s, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{Label: "tips"}).Address,
	}
	receive := func() {
		t.Helper()
		do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{
			{Address: tips[0], Amount: xmr.Coin}, {Address: tips[0], Amount: 2 * xmr.Coin},
			{Address: tips[1], Amount: 3 * xmr.Coin},
		}})
		p.mine(11, s)
	}
	label := walletrpc.KeyImageRequest{Label: "tips"}
	none := refused(t, s, walletrpc.Freeze, label)
	require.Equal(t, unknownError("No output was received at an address with this label"), none)
	receive()
	view := p.serve(newFolder(), nil)
	do(t, view, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "v", Address: at, ViewKey: key(t, s, "view_key")})
	do(t, view, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1, Label: "tips"})
	do(t, view, walletrpc.Refresh, walletrpc.RefreshRequest{})
	frozen := func(s *Service) (n int) {
		t.Helper()
		for account := range uint32(2) {
			for _, o := range outputsOf(t, s, account) {
				if o.Frozen {
					require.Equal(t, account == 0, o.SubaddrIndex.Minor == 1)
					n++
				}
			}
		}
		return n
	}
	require.False(t, do(t, s, walletrpc.Frozen, label).Frozen)
	do(t, s, walletrpc.Freeze, label)
	do(t, view, walletrpc.Freeze, label)
	require.True(t, do(t, s, walletrpc.Frozen, label).Frozen)
	require.Equal(t, 3, frozen(s))
	require.Equal(t, 2, frozen(view), "this wallet has labelled one address")
	pay := split1(node.UnspendableAddress(), xmr.Coin/2)
	pay.SubaddrIndices = []uint32{1}
	refused(t, s, walletrpc.Transfer, pay)

	one := outputsOf(t, s, 1)[0].KeyImage
	do(t, s, walletrpc.Thaw, walletrpc.KeyImageRequest{KeyImage: one})
	require.False(t, do(t, s, walletrpc.Frozen, label).Frozen, "not all of them")
	receive()
	require.Equal(t, 2, frozen(s))
	do(t, s, walletrpc.Thaw, label)
	require.Zero(t, frozen(s))
	do(t, s, walletrpc.Transfer, pay)

	both := walletrpc.KeyImageRequest{KeyImage: one, Label: "tips"}
	for _, got := range []any{refused(t, s, walletrpc.Freeze, both), refused(t, s, walletrpc.Thaw, both),
		refused(t, s, walletrpc.Frozen, both)} {
		require.Equal(t, unknownError("key_image and label are mutually exclusive"), got)
	}
	require.Equal(t, none, refused(t, s, walletrpc.Frozen, walletrpc.KeyImageRequest{Label: "Tips"}))
}
