package service

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/keys"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/signer"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// newForkChain returns a daemon whose chain has blocks of version 17 from height 20 on.
func newForkChain(t *testing.T) testChain {
	t.Helper()
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return uint64(time.Now().Unix()) },
		Random: rand.Reader, Forks: consensus.RegtestForks(20, 30), Next: nextfork.Fork{},
	}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = n.Close() })
	return testChain{t: t, chain: &node.Regtest{Node: n}, transport: n.Registry()}
}

// newCarrotWallet makes a wallet with the keys of Carrot, mines to it on both sides of the fork, and returns its main
// address.
func newCarrotWallet(p testChain, s *Service) (at string) {
	do(p.t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{
		Filename: "w", Password: "p", SeedType: "carrot",
	})
	at = do(p.t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err := p.chain.Mine(p.t.Context(), 26, at)
	require.NoError(p.t, err)
	do(p.t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	return at
}

// spendOne has the open wallet read a block that spends its output of that key image and pays 5 to others; the rest,
// less a fee of 1, is change in an internal enote of owner. It returns the change.
func spendOne(t *testing.T, s *Service, owner *keys.Keys, out wallet.OwnedOutput) uint64 {
	t.Helper()
	o, err := s.current()
	require.NoError(t, err)
	var height uint64
	o.View(func(w *wallet.Wallet) { height = w.Height() })
	c := chaintest.New("spending", xmr.Regtest)
	c.Grow(int(height) - 1)
	c.CarrotFrom = height
	c.Add(chaintest.Spec{Fee: 1, Spend: []xmr.KeyImage{out.Image}, Pay: []chaintest.Payment{
		{Amount: 5}, {To: owner, Amount: out.Amount - 6, Change: true},
	}})
	scanned, err := syncer.Scan(t.Context(), o.Keys().ViewSecret(), c.Blocks[height:], syncer.Workers{})
	require.NoError(t, err)
	require.NoError(t, o.ChangeRetrying(t.Context(),
		func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideBlocks(scanned, c.Height()-1)
		}))
	return out.Amount - 6
}

// TestCarrotTiers makes wallets of every tier on a chain that crosses the fork. They have the same addresses and
// money; view-all sees an outgoing payment and the true balance, and view-received sees neither that nor change.
func TestCarrotTiers(t *testing.T) {
	p := newForkChain(t)
	master := p.serve(newFolder(), nil)
	at := newCarrotWallet(p, master)
	require.NotZero(t, balances(t, master).Balance)
	secret := func(kind string) string { return key(t, master, kind) }
	tiers := map[string]walletrpc.GenerateFromKeysRequest{
		"Wallet": {MasterSecret: secret("master_secret"), Address: at, ViewKey: secret("view_key")},
		"View-all wallet": {
			ViewBalanceSecret: secret("view_balance_secret"), PartialSpendKey: secret("partial_spend_key"),
		},
		"View-received wallet": {
			GenerateAddressSecret: secret("generate_address_secret"), ViewKey: secret("view_key"), Address: at,
		},
	}
	var before wallet.OwnedOutput
	o, err := master.current()
	require.NoError(t, err)
	o.View(func(w *wallet.Wallet) { before = w.Outputs()[24] })
	require.True(t, before.Carrot && before.ImageKnown)
	for tier, req := range tiers {
		t.Run(tier, func(t *testing.T) {
			s := testChain{t: t, chain: p.chain, transport: p.transport}.serve(newFolder(), nil)
			req.Filename = "copy"
			made := do(t, s, walletrpc.GenerateFromKeys, req)
			require.Equal(t, at, made.Address)
			require.Equal(t, tier+" has been generated successfully.", made.Info)
			do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
			do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
			do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "copy"})
			require.Equal(t, secret("view_key"), key(t, s, "view_key"))
			require.Equal(t, secret("generate_address_secret"), key(t, s, "generate_address_secret"))
			require.Equal(t, balances(t, master).Balance, balances(t, s).Balance)
			all := walletrpc.GetAddressRequest{AddressIndex: []uint32{0, 1, 2}}
			do(t, s, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 2})
			list := do(t, s, walletrpc.GetAddress, all).Addresses
			o, err := master.current()
			require.NoError(t, err)
			for n, x := range list {
				o.View(func(w *wallet.Wallet) {
					require.Equal(t, w.Address(keys.Index{Minor: uint32(n)}).String(), x.Address)
				})
			}
			money := balances(t, s).Balance
			change := spendOne(t, s, o.Keys(), before)
			out := do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Out: true}).Out
			if tier == "View-received wallet" {
				require.Empty(t, out)
				require.Equal(t, money, balances(t, s).Balance)
				require.Equal(t, walletrpc.CodeWatchOnly, refused(t, s, walletrpc.QueryKey,
					walletrpc.QueryKeyRequest{KeyType: "view_balance_secret"}).Code)
				return
			}
			require.Len(t, out, 1)
			require.Equal(t, uint64(5), out[0].Amount)
			require.Equal(t, uint64(1), out[0].Fee)
			require.Equal(t, money-before.Amount+change, balances(t, s).Balance)
			if tier == "View-all wallet" {
				require.Equal(t, "The wallet is of the tier view-all. Cannot retrieve master_secret.",
					refused(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "master_secret"}).Message)
			}
		})
	}
}

// TestCarrotWalletFile: such a wallet is closed, opened and given another password like others, also where a vault
// keeps the keys of others; what cannot be done with its keys yet is refused with an error that says why.
func TestCarrotWalletFile(t *testing.T) {
	for _, vault := range []signer.Transport{nil, signer.New(signer.Host{Random: rand.Reader}).Transport()} {
		p := newForkChain(t)
		dir := newFolder()
		s := p.serve(dir, vault)
		newCarrotWallet(p, s)
		master, money := key(t, s, "master_secret"), balances(t, s).Balance
		do(t, s, walletrpc.ChangeWalletPassword,
			walletrpc.ChangeWalletPasswordRequest{OldPassword: "p", NewPassword: "q"})
		do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
		refused(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "p"})
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "q"})
		require.Equal(t, master, key(t, s, "master_secret"))
		require.Equal(t, money, balances(t, s).Balance)

		to := []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: 5}}
		require.Contains(t, refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to}).Message,
			wallet.ErrCarrotKeys.Error())
		require.Equal(t, errCarrotFile.(*rpc.Error).Message,
			refused(t, s, walletrpc.ExportKeysFile, walletrpc.ExportKeysFileRequest{Filename: "x"}).Message)
		set := do(t, s, walletrpc.ExportOutputs, walletrpc.ExportOutputsRequest{All: true, Count: 1}).OutputsDataHex
		require.Contains(t, refused(t, s, walletrpc.ImportOutputs,
			walletrpc.ImportOutputsRequest{OutputsDataHex: set}).Message, "Hot wallets cannot import outputs")
		images := do(t, s, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true}).SignedKeyImages
		require.Len(t, images[0].Signature, 2*97, "from before the fork, too")
		refused(t, s, walletrpc.PrepareMultisig, walletrpc.PrepareMultisigRequest{EnableMultisigExperimental: true})
		refused(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
			BackgroundSyncType: "reuse-wallet-password", WalletPassword: "q",
		})
		for _, kind := range []string{"mnemonic", "spend_key"} {
			require.Equal(t, walletrpc.CodeWatchOnly,
				refused(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind}).Code)
		}
		require.Equal(t, money, balances(t, s).Balance)
	}
}

// TestCarrotKeysRefused: wrong and contradictory secrets make no wallet, and name the field.
func TestCarrotKeysRefused(t *testing.T) {
	p := newForkChain(t)
	s := p.serve(newFolder(), nil)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "today", Language: "English"})
	require.Contains(t,
		refused(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "master_secret"}).Message, "keys of today")
	other := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	newCarrotWallet(p, s)
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	master, balance := key(t, s, "master_secret"), key(t, s, "view_balance_secret")
	partial, view := key(t, s, "partial_spend_key"), key(t, s, "view_key")
	address := key(t, s, "generate_address_secret")
	zero := strings.Repeat("0", 64)
	for text, req := range map[string]walletrpc.GenerateFromKeysRequest{
		"Failed to parse master_secret":           {MasterSecret: master[1:]},
		"Failed to parse view_balance_secret":     {PartialSpendKey: partial},
		"Failed to parse partial_spend_key":       {ViewBalanceSecret: balance},
		"Failed to parse generate_address_secret": {GenerateAddressSecret: "x", ViewKey: view, Address: at},
		"Failed to parse viewkey":                 {GenerateAddressSecret: address, Address: at},
		"Failed to parse public address":          {GenerateAddressSecret: address, ViewKey: view},
		"not keys of Carrot":                      {ViewBalanceSecret: balance, PartialSpendKey: zero},
		"several tiers":                           {MasterSecret: master, GenerateAddressSecret: address},
		"spendkey is a key of today":              {MasterSecret: master, SpendKey: view},
		"spend key does not match":                {MasterSecret: master, Address: other},
		"view key does not match":                 {MasterSecret: master, ViewKey: zero},
		"to parse viewkey":                        {MasterSecret: master, ViewKey: view[1:]},
		"not match standard address":              {GenerateAddressSecret: address, ViewKey: view, Address: other},
		"field 'viewkey' is mandatory":            {},
	} {
		req.Filename = "refused"
		fault := refused(t, s, walletrpc.GenerateFromKeys, req)
		require.Contains(t, fault.Message, text)
		require.Equal(t, walletrpc.CodeUnknown, fault.Code)
	}
	made := do(t, p.serve(newFolder(), nil), walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename: "upper", MasterSecret: strings.ToUpper(master), ViewKey: strings.ToUpper(view),
	})
	require.Equal(t, at, made.Address, "digits of either case")
	require.Equal(t, at, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address, "still open")
}
