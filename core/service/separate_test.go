//go:build !js

package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func groupsOf(lists ...[]uint32) (groups []walletrpc.AccountGroup) {
	for _, list := range lists {
		groups = append(groups, walletrpc.AccountGroup{Accounts: list})
	}
	return groups
}

func separate(t *testing.T, s *Service, lists ...[]uint32) {
	t.Helper()
	do(t, s, walletrpc.SetSeparateAccounts, walletrpc.SetSeparateAccountsRequest{Groups: groupsOf(lists...)})
}

func separated(t *testing.T, s *Service) []walletrpc.AccountGroup {
	t.Helper()
	return do(t, s, walletrpc.GetSeparateAccounts, empty{}).Groups
}

// twoAccounts returns a service whose wallet has two outputs in each of the accounts 1 and 2, and the addresses of
// accounts 0 to 2.
func twoAccounts(t *testing.T, p testChain, dir *folder) (s *Service, at [3]string) {
	t.Helper()
	s = p.serve(dir, nil)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	at[0] = do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	for i := 1; i < len(at); i++ {
		at[i] = do(t, s, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{}).Address
	}
	_, err := p.chain.Mine(t.Context(), 20, at[0])
	require.NoError(t, err)
	require.NoError(t, p.chain.Fund(t.Context(), 100, node.UnspendableAddress()))
	p.mine(1, s)
	var to []walletrpc.Destination
	for range 2 {
		to = append(to, walletrpc.Destination{Address: at[1], Amount: xmr.Coin},
			walletrpc.Destination{Address: at[2], Amount: xmr.Coin})
	}
	do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to})
	p.mine(10, s)
	return s, at
}

// payments returns a request of each operation that pays from an account of twoAccounts. image is of its output.
func payments(account uint32, to, image string, allow bool) map[string]func(*testing.T, *Service) error {
	part := []walletrpc.Destination{{Address: to, Amount: xmr.Coin / 10}}
	return map[string]func(*testing.T, *Service) error{
		"transfer": func(t *testing.T, s *Service) error {
			_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.Transfer, walletrpc.TransferRequest{
				Destinations: part, AccountIndex: account, DoNotRelay: true, AllowLinks: allow})
			return err
		},
		"transfer_split": func(t *testing.T, s *Service) error {
			_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.TransferSplit, walletrpc.TransferSplitRequest{
				Destinations: part, AccountIndex: account, DoNotRelay: true, AllowLinks: allow})
			return err
		},
		"sweep_all": func(t *testing.T, s *Service) error {
			_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.SweepAll, walletrpc.SweepAllRequest{
				Address: to, AccountIndex: account, Outputs: 1, SubaddrIndicesAll: true, DoNotRelay: true,
				AllowLinks: allow})
			return err
		},
		"sweep_single": func(t *testing.T, s *Service) error {
			_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.SweepSingle, walletrpc.SweepSingleRequest{
				Address: to, KeyImage: image, Outputs: 1, DoNotRelay: true, AllowLinks: allow})
			return err
		},
	}
}

// TestSeparateAccounts: no operation pays from an account to one of another group, or to a recipient that another group
// has paid, unless the request allows it. Payments within a group and to others stay possible.
func TestSeparateAccounts(t *testing.T) {
	t.Parallel()
	p := newTestChain(t)
	s, at := twoAccounts(t, p, newFolder())
	image := func(account uint32) string { return outputsOf(t, s, account)[0].KeyImage }
	refusedFor := func(account uint32, to, text string) {
		t.Helper()
		for name, pay := range payments(account, to, image(account), false) {
			var got *rpc.Error
			err := pay(t, s)
			require.ErrorAs(t, err, &got, name)
			require.Equal(t, walletrpc.CodeGenericTransfer, got.Code, name)
			require.Contains(t, got.Message, text, name)
			require.Contains(t, got.Message, "allow_links", name)
		}
		for name, pay := range payments(account, to, image(account), true) {
			require.NoError(t, pay(t, s), name)
		}
	}
	allowed := func(account uint32, to string) {
		t.Helper()
		for name, pay := range payments(account, to, image(account), false) {
			require.NoError(t, pay(t, s), name)
		}
	}
	allowed(1, at[2])
	require.Empty(t, separated(t, s))
	separate(t, s, []uint32{2}, []uint32{1})
	require.Equal(t, groupsOf([]uint32{2}, []uint32{1}), separated(t, s))
	refusedFor(1, at[2], "account 1 would pay the address 2/0 of this wallet")
	refusedFor(1, at[0], "account 1 would pay the address 0/0 of this wallet")
	refusedFor(0, at[2], "account 0 would pay the address 2/0 of this wallet")
	allowed(1, at[1])
	inOne := do(t, s, walletrpc.MakeIntegratedAddress, walletrpc.MakeIntegratedAddressRequest{}).IntegratedAddress
	refusedFor(2, inOne, "account 2 would pay the address 0/0 of this wallet")

	separate(t, s, []uint32{1, 2})
	allowed(1, at[2])
	refusedFor(0, at[1], "account 0 would pay the address 1/0")
	separate(t, s)
	require.Empty(t, separated(t, s))
	allowed(0, at[1])

	for code, bad := range map[int][]walletrpc.AccountGroup{
		walletrpc.CodeAccountIndexOutOfBounds: groupsOf([]uint32{1}, []uint32{3}),
		walletrpc.CodeUnknown:                 groupsOf([]uint32{1}, []uint32{2, 1}),
	} {
		require.Equal(t, code, refused(t, s, walletrpc.SetSeparateAccounts,
			walletrpc.SetSeparateAccountsRequest{Groups: bad}).Code)
	}
	require.Contains(t, refused(t, s, walletrpc.SetSeparateAccounts,
		walletrpc.SetSeparateAccountsRequest{Groups: groupsOf([]uint32{1}, nil)}).Message, "no accounts")
	require.Empty(t, separated(t, s))
}

// TestSeparateRecipients: accounts that are kept apart do not pay the same address. A refused payment leaves no trace,
// so that the same request with the same idempotency key pays once it is allowed. The groups survive the loss of the
// process, and a damaged attribute stops payments.
func TestSeparateRecipients(t *testing.T) {
	t.Parallel()
	p := newTestChain(t)
	dir := newFolder()
	s, _ := twoAccounts(t, p, dir)
	other := p.serve(newFolder(), nil)
	do(t, other, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "o", Language: "English"})
	theirs := do(t, other, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	integrated := do(t, other, walletrpc.MakeIntegratedAddress, walletrpc.MakeIntegratedAddressRequest{})
	separate(t, s, []uint32{1}, []uint32{2})
	from := func(account uint32, to string) walletrpc.TransferRequest {
		req := split1(to, xmr.Coin/10)
		req.AccountIndex, req.IdempotencyKey = account, "order "+to[:4]
		return req
	}
	first := do(t, s, walletrpc.Transfer, from(1, theirs))
	again := from(2, integrated.IntegratedAddress)
	got := refused(t, s, walletrpc.Transfer, again)
	require.Equal(t, walletrpc.CodeGenericTransfer, got.Code)
	require.Contains(t, got.Message, "account 1 has paid the same address")
	require.Contains(t, got.Message, first.TxHash)
	p.mine(11, s)
	require.Contains(t, refused(t, s, walletrpc.Transfer, again).Message, first.TxHash, "once it is in a block")

	// Another service opens the folder as the first one left it.
	after := p.serve(dir.image(), nil)
	do(t, after, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	require.Equal(t, groupsOf([]uint32{1}, []uint32{2}), separated(t, after))
	require.Contains(t, refused(t, after, walletrpc.Transfer, again).Message, first.TxHash)

	again.AllowLinks = true
	allowed := do(t, s, walletrpc.Transfer, again)
	again.AllowLinks = false
	require.Equal(t, allowed.TxHash, do(t, s, walletrpc.Transfer, again).TxHash, "the answer is repeated")
	p.mine(11, s)
	do(t, s, walletrpc.Transfer, split1(node.UnspendableAddress(), xmr.Coin/10))

	do(t, s, walletrpc.SetAttribute, walletrpc.SetAttributeRequest{Key: separateAttribute, Value: "1;x"})
	for _, e := range []rpc.Error{refused(t, s, walletrpc.GetSeparateAccounts, empty{}),
		refused(t, s, walletrpc.Transfer, split1(node.UnspendableAddress(), xmr.Coin/10))} {
		require.Contains(t, e.Message, "set it with set_separate_accounts")
	}
	separate(t, s)
	do(t, s, walletrpc.Transfer, split1(node.UnspendableAddress(), xmr.Coin/10))
}
